"""The page of games without a browser: links, places of the pads, and games played to their end by a script."""

import numpy as np
import pytest

import poissonmatch as pm
from helpers.page_script import script
from helpers.tables import tables
from poissonmatch_games import position_from
from poissonmatch_games.impartial import Sprouts
from poissonmatch_games.impartial.sprouts import least_text
from poissonmatch_games.play.frog_play import random_pattern
from poissonmatch_games.play.page import APART, page
from poissonmatch_games.play.played_games import played_named

TABLES = tables(__file__)

LINKS = [["#pads=" + ";".join(["1,1,0"] * 101), "at most 100 pads"], *TABLES["links"]]


def test_a_bad_link_says_what_was_not_understood():
    said = script(
        f"""return {LINKS}.map(([hash]) => {{
          location.hash = hash; load(); return document.getElementById("status").textContent; }});"""
    )
    for (link, words), text in zip(LINKS, said, strict=True):
        assert words in text, (link, text)


def test_the_page_has_a_heading_and_names_its_sources():
    assert "<h1>Games against a perfect player</h1>" in page()
    sources = script(
        """return [...$("variant").options].map(({value}) => {
          $("variant").value = value; $("variant").onchange(); return [value, $("source").textContent]; });"""
    )
    assert len(sources) > 20 and all(text.startswith("Source: ") and len(text) > 30 for _, text in sources)
    assert "Wythoff" in dict(sources)["wythoff"] and "golden ratio" in dict(sources)["triangle"]
    assert "Deijfen" in dict(sources)["friendly"] and "Thanatipanonda" in dict(sources)["toads-and-frogs"]


@pytest.mark.parametrize("wide", [370, 900])
def test_pads_are_large_enough_to_touch_and_do_not_overlap(wide):
    """Of 44 pixels; the box of the picture is scrolled. Two pads at one place overlap."""
    grid = np.stack(np.meshgrid(np.arange(6), np.arange(5)), axis=-1).reshape(-1, 2) + 0.2
    pattern = pm.Pattern(grid + 0.3 * np.random.default_rng(3).random((30, 2)), None, pm.Torus(6.0, 2))
    found = script(
        """const circles = () => all("touch").map(e => [e.attributes.cx, e.attributes.cy, e.attributes.r].map(Number));
        const given = circles(), own = [[60, 2, true], [60, 2, false], [30, 1, false]].map(([count, dim, torus]) => {
          ui.ponds = [randomPond(count, torus, dim)]; ui.begin(); return circles(); });
        return [given, ...own];""",
        pattern=pattern,
        wide=wide,
    )
    for circles, count in zip(map(np.array, found), (30, 60, 60, 30), strict=True):
        assert circles.shape == (count, 3) and (circles[:, 2] >= 22).all()
        gaps = np.linalg.norm(circles[:, None, :2] - circles[None, :, :2], axis=2)[np.triu_indices(count, 1)]
        assert gaps.min() > 43.9
    twice = pm.Pattern([[1.0, 1.0], [1.0, 1.0], [3.0, 1.0]], None, pm.Euclidean(2))
    assert script('return all("touch").length;', pattern=twice, wide=wide) == 3


@pytest.mark.parametrize("torus", [False, True])
def test_the_first_pond_fits_a_window_of_360_pixels(torus):
    """As later ponds do; the board is then 325 pixels wide beside a scroll bar."""
    ponds = [random_pattern(13, 2, np.random.default_rng(seed), torus=torus, apart=APART) for seed in range(4)]
    for pond in ponds:
        steps = np.abs(pond.points[:, None] - pond.points)[np.triu_indices(13, 1)]
        steps = np.minimum(steps, pond.geometry.side - steps) if torus else steps
        assert np.linalg.norm(steps, axis=1).min() >= APART
        width = script('return Number(all("pond")[0].attributes.width);', pattern=pond, wide=325)
        assert 300 < width <= 325


def test_whole_games_by_a_script():
    """The perfect player against itself: the side that can win wins."""
    games = script(
        """$("human").value = "both";
        return Object.keys(DATA.variants).map(name => {
          $("variant").value = name; $("variant").onchange();
          const side = ui.game.winning(ui.state).length ? "Alice" : "Bob";
          while (!ui.over()) ui.play(ui.game.best(ui.state));
          return [name, side, $("status").textContent];
        });"""
    )
    assert len(games) > 8
    for name, side, status in games:
        assert status.startswith(f"{side} wins."), name


@pytest.mark.slow
def test_sprouts_on_the_page():
    """Winners, options of all texts from three spots and of maps on the way, against the package; no crossing; refusals."""
    game, misere = Sprouts(), Sprouts(misere=True)
    found = script(
        """const rows = [1, 2, 3].map(spots => [false, true].map(play => lostText(textOf(startMap(spots)), play)));
        const todo = ["0.0.0."], texts = {};
        for (const text of todo) if (!texts[text]) { texts[text] = nextTexts(text); todo.push(...texts[text]); }
        const lost = Object.keys(texts).map(text => [text, lostText(text, false), lostText(text, true)]);
        const different = [];
        let seed = 5;
        Math.random = () => (seed = seed * 48271 % 2147483647) / 2147483647;
        for (let play = 0; play < 60; play++) for (let map = startMap(1 + play % 3); mapMoves(map).length; map = any(mapMoves(map)).to) {
          const own = [...new Set(mapMoves(map).map(m => textOf(m.to)))].sort(), all = [...nextTexts(textOf(map))].sort();
          if (JSON.stringify(own) !== JSON.stringify(all)) different.push([own, all]);
        }
        return [rows, texts, lost, different];"""
    )
    rows, texts, lost, different = found
    assert rows == [[True, False], [True, True], [False, True]]
    for own, every in different:  # a position may have two texts
        assert {least_text(game.validate(text)) for text in own} == {least_text(game.validate(text)) for text in every}
    for text, normal, other in lost:
        at = game.validate(text)
        assert (game.is_p(at), misere.is_p(at)) == (normal, other), text
    for text, options in texts.items():
        assert {game.validate(option) for option in options} == set(game.options(text))


@pytest.mark.slow
def test_a_worker_searches_sprouts():
    """With many free ends the page waits for a worker, without a search of its own; then it plays, or at random if the worker gives up."""
    found = script(
        """const sent = [], made = [], said = () => $("status").textContent;
        globalThis.URL = {createObjectURL: () => ""}; globalThis.Blob = class {};
        globalThis.Worker = class { constructor() { made.push(this); } postMessage(data) { sent.push(data); } terminate() { this.ended = true; } };
        const answer = ([text, misere]) => made.at(-1).onmessage({data: [textKey(text, misere), solveAround(text, misere)]});
        $("variant").value = "sprouts"; $("human").value = "winner"; $("start").value = "4"; $("start").onchange();
        const own = after.size, before = [said(), $("you").textContent, sent.length, ui.side];
        $("hint").onclick();
        answer(sent[0]);
        const later = [said(), $("you").textContent, ui.hints.length > 0, ui.waits(), sent.length];
        $("start").value = "5"; $("start").onchange();
        $("showP").checked = true; ui.draw();
        const again = [said(), sent.length];
        solver.stop();
        $("human").value = "Bob"; $("human").onchange();
        const lost = [made[0].ended, said(), ui.unknown()];
        ui.play(ui.answer(ui.state, 0));
        const moved = [$("log").textContent, ui.history.length];
        clearTimeout(ui.timer); for (const timer of solver.asked.values()) clearTimeout(timer);
        return {own, before, later, again, lost, moved};"""
    )
    searching, random = "The page searches who wins", "the other player moves at random"
    assert found["own"] == 0 and found["before"][1:] == ["", 1, ""] and searching in found["before"][0]
    assert "Alice wins; a winning move: Alice joins" in found["later"][0] and found["later"][1:] == [
        "You are Alice.",
        True,
        False,
        1,
    ]
    assert searching in found["again"][0] and found["again"][1] == 2
    assert found["lost"][0] and random in found["lost"][1] and found["lost"][2]
    assert found["moved"][0].startswith("Alice joins") and found["moved"][1] == 1


@pytest.mark.parametrize("name, start, said", TABLES["refused"])
def test_starts_that_are_refused(name, start, said):
    code = f"""$("variant").value = {name!r}; $("variant").onchange();
      $("start").value = {start!r}; $("start").onchange(); return $("status").textContent;"""
    assert said in script(code)
    with pytest.raises(ValueError, match="up to 14 edges|1 to 5 spots|not connected|must be"):
        page(variant=name, start=start)


@pytest.mark.parametrize("name, starts", TABLES["partisan"])
def test_partisan_positions_have_the_moves_and_winners_of_the_package(name, starts):
    """Of both players, in normal play; a strip of a sum ends at the plus."""
    read = (lambda text: position_from(text.replace("+", " + "))) if "+" in name else played_named(name).game.ruleset
    found = script(
        f"""$("variant").value = {name!r}; $("variant").onchange();
        return {starts!r}.map(start => {{
          const game = new Options(ui.game.spec, start, false), at = game.begin;
          return [0, 1].map(turn => [game.moves({{at, turn}}).map(m => m.to), game.winning({{at, turn}}).length > 0]);
        }});""",
        variant=name,
    )
    for start, sides in zip(starts, found, strict=True):
        position = read(start)
        for player, (moves, wins) in zip(("Left", "Right"), sides, strict=True):
            assert {read(move) for move in moves} == {type(position)(move) for move in position.moves(player)}
            assert len(moves) == len(position.moves(player)) and wins == bool(position.winning_moves(player))


def test_the_keyboard():
    """Space and Enter click, arrows go to the nearest part, and the focus stays where it was, or at the same place."""
    found = script(
        """const press = key => { let stopped = false; pressed({target: document.activeElement, key, preventDefault() { stopped = true; }}); return stopped; };
        const at = () => String(nameOf(document.activeElement)), seen = [];
        const placeOf = i => ({left: 50 * (i % 4), top: 50 * Math.floor(i / 4), width: 9, height: 9});
        const spread = () => partsOf($("board")).forEach((e, i) => { e.getBoundingClientRect = () => placeOf(i); });
        const begin = (name, start) => {
          $("human").value = "both"; $("variant").value = name; $("variant").onchange();
          $("start").value = start; $("start").onchange(); spread();
        };
        begin("hackenbush", "0-1 1-2 2-3 0-4");
        partsOf($("board"))[0].focus();
        seen.push([press("ArrowRight"), at()], [press("ArrowLeft"), at()], [press("ArrowUp"), at()], [press("x"), at()]);
        press("ArrowRight"); press("ArrowRight");
        seen.push([press(" "), $("log").textContent, at()]);
        seen.push([press("Enter"), $("log").textContent, at()]);
        begin("domineering", ".../...");
        partsOf($("board"))[1].focus(); ui.draw(); seen.push(at());
        begin("sprouts", "2");
        partsOf($("board"))[1].focus(); seen.push([press("Enter"), at(), ui.chosen.part]);
        begin("triangle", "2 1 1");
        partsOf($("board"))[0].focus(); seen.push([press(" "), at(), ui.chosen.part]);
        return seen;"""
    )
    assert found[:4] == [[True, "1"], [True, "0"], [True, "0"], [False, "0"]]
    assert (
        found[4][0] and found[4][1].startswith("Alice cuts 1-2") and found[4][2] == "1"
    )  # the last of the two that are left
    assert found[5][0] and found[5][1].count("cuts") == 2
    assert found[6:] == ["1", [True, "1", 1], [True, "0", 0]]
