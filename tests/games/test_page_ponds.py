"""Ponds on the page: the perfect player's every line, several ponds, pads by hand, the address, an opponent who errs, a phone."""

import itertools

import numpy as np
import pytest

import poissonmatch as pm
from games.test_play_page import EXTRA, ONE_POND, pond  # noqa: F401
from helpers.paged import LINES, SIZES
from poissonmatch.frogs import VARIANTS, retrograde, solve
from poissonmatch_games.play.frog_play import random_pattern
from poissonmatch_games.play.page import variants_on_page

pytestmark = pytest.mark.workflow
GRID = pm.Pattern(
    [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, 0.0], [2.0, 1.0]], [0, 1] * 3, pm.Euclidean(2)
)  # ties


@pytest.mark.parametrize("variant", ONE_POND)
@pytest.mark.parametrize("which", ["random", "ties"])
def test_the_perfect_player_wins_every_line_of_the_page(pond, variant, which):  # noqa: F811
    """From the start and from every position of a pond of 6 or 7, with everything that the other may do; the rules alone say who
    should win."""
    pattern = GRID if which == "ties" else random_pattern(7, 2, np.random.default_rng(4))
    extra = EXTRA.get(variant, {})
    shown = pond(pattern, variant, human="nobody", c=0.9, k=1)
    twin = retrograde.Analysis(pattern, variant, **extra)
    n, starts, should = len(pattern), [[]], [not twin.is_p_position(())]
    for frogs in [*((a,) for a in range(n)), *itertools.permutations(range(n), 2)]:
        try:
            should.append(not twin.is_p_position(frogs))
            starts.append(list(frogs))
        except ValueError:
            continue  # is no position
    assert len(starts) > 15
    found = shown.js(
        LINES
        + """return arguments[0].map(frogs => { const s = {frogs: [frogs], blocked: [], turn: frogs.length};
        return [ui.game.winning(s).length > 0, ...lines(ui.game, s)]; });""",
        starts,
    )
    rules = twin.rules
    for start, wins, (page_wins, ends, lost) in zip(starts, should, found, strict=True):
        stuck = next(rules.steps(rules.position(tuple(start))), None) is None
        assert page_wins == (wins and not stuck), start
        assert ends and (lost == 0 or (stuck and rules.stuck_wins)), start


@pytest.mark.parametrize("sizes", [(4, 5), (3, 3), (5, 4), (3, 2, 4)])
def test_several_ponds_are_played_by_the_rules(pond, sizes):  # noqa: F811
    """Moves and winners of every position against the rules alone; Alice's opening, pad by pad; every line."""
    rng = np.random.default_rng(sum(sizes))
    patterns = [random_pattern(n, 2, rng) for n in sizes]
    shown, twin = pond(patterns, "ponds", human="nobody"), retrograde.Analysis(patterns, "ponds")
    pairs = [list(itertools.combinations(range(n), 2)) for n in sizes]
    full = list(itertools.product(*pairs))
    waiting = list(itertools.product(*pairs[:-1], [(a,) for a in range(sizes[-1])]))
    starts = [[list(frogs) for frogs in position] for position in (full + waiting)[:: 1 + len(full) // 150]]
    found = shown.js(
        LINES
        + """return arguments[0].map(frogs => { const s = {frogs, blocked: [], turn: frogs.at(-1).length};
        const asList = m => [m.pond, m.frog === null ? null : frogs[m.pond][m.frog], m.to];
        return [ui.game.moves(s).map(asList), ui.game.winning(s).map(asList), ...lines(ui.game, s)]; });""",
        starts,
    )
    for start, (legal, winning, ends, lost) in zip(starts, found, strict=True):
        position = tuple(map(tuple, start))
        assert {tuple(m) for m in legal} == {
            (m.pond, m.frog, m.to) for m in twin.rules.moves(twin.rules.position(position))
        }
        assert {tuple(m) for m in winning} == {(m.pond, m.frog, m.to) for m in twin.winning_moves(position)}
        assert ends and not lost
    winner = solve(patterns, "ponds").winner
    assert winner == twin.winner
    opening = """let s = ui.game.start(), good = true;
    while (s.turn === 0) {
      const [next] = ui.game.winning(s);
      if (!next || ui.game.objection(s, next)) { good = false; break; }
      s = ui.game.after(s, next);
    }
    return [good, s.frogs];"""
    for _ in range(5):
        good, frogs = shown.js(opening)
        assert good == (winner == "Alice")
        if good:
            assert twin.is_p_position(tuple(map(tuple, frogs)))


@pytest.mark.parametrize("size", SIZES)
def test_a_whole_game_in_two_ponds(pond, size):  # noqa: F811
    """With the hints, by the side that can win."""
    rng = np.random.default_rng(8)
    patterns = [random_pattern(5, 2, rng), random_pattern(4, 2, rng)]
    shown = pond(patterns, "ponds", size=size)
    side = solve(patterns, "ponds").winner
    assert shown.text("you") == f"You are {side}." and len(shown.all("svg.pond")) == 2 and shown.misfits() == []
    for _ in range(60):
        shown.wait()
        if shown.over:
            break
        shown.click("hint")
        assert f"{side} wins; a winning" in shown.status
        shown.all(".pad.good")[0].click()
    assert shown.status.startswith(f"{side} wins.")


def test_ponds_explain_what_is_not_legal(pond):  # noqa: F811
    line = pm.Pattern([[0.0], [1.0], [3.0], [7.0]], geometry=pm.Euclidean(1))
    shown = pond([line, line], "ponds", human="both")
    shown.click("pad-1-0")
    shown.click("pad-1-1")
    assert "Bob places the last frog there" in shown.status
    for pad in ("pad-0-0", "pad-0-3"):
        shown.click(pad)
    shown.click("pad-0-1")
    assert "place the next one in another pond" in shown.status
    shown.click("pad-1-3")
    assert shown.status.startswith("Alice to move")
    shown.click("pad-1-1")
    assert "Choose the frog that jumps first" in shown.status
    shown.click("pad-0-0")
    shown.click("pad-1-1")
    assert "Choose the frog that jumps first" in shown.status


@pytest.mark.parametrize("variant", variants_on_page())
@pytest.mark.parametrize("size", SIZES)
def test_every_variant_fits_the_screen_and_says_its_rules(pond, variant, size):  # noqa: F811
    """From a page that nobody gave a pond: it makes one, and the person plays the side that can win."""
    shown = pond(fragment=f"#game={variant}", size=size)
    assert shown.text("about") == VARIANTS[variant].about()
    assert len(shown.all(".pad")) == 13 * (1 + (variant == "ponds"))
    assert shown.text("you") in ("You are Alice.", "You are Bob.")
    shown.wait()
    shown.click("hint")
    assert "wins; a winning" in shown.status and shown.all(".pad.good")
    assert shown.misfits() == []


def test_pads_by_hand_and_the_address(pond):  # noqa: F811
    shown = pond(fragment="#game=fussy&human=both&pads=1,1,0;3,1,1;2,2.5,1")
    assert len(shown.all(".pad")) == 3
    shown.click("edit")
    assert "place a pad" in shown.status
    shown.choose("color", "1")
    board = shown.all("svg.pond")[0]
    from selenium.webdriver import ActionChains

    ActionChains(shown.browser).move_to_element_with_offset(board, 60, 90).click().perform()
    assert len(shown.all(".pad")) == 4
    address = shown.js("return location.hash")
    assert address.startswith("#game=fussy&human=both&errs=0&pads=1,1,0;3,1,1;2,2.5,1;") and address.endswith(",1")
    shown.click("pad-1")
    shown.click("edit")
    assert len(shown.all(".pad")) == 3 and shown.js("return ui.ponds[0].colors") == [0, 1, 1]
    same, pads = shown.js("return [location.href, ui.ponds[0].points]")
    assert shown.all("#link")[0].get_attribute("href") == same
    shown.browser.get("about:blank")
    shown.browser.get(same)
    assert shown.js("return ui.ponds[0].points") == pads and shown.js("return ui.game.rules.about").startswith("Fussy")
    solution = solve(pm.Pattern(pads, [0, 1, 1], pm.Euclidean(2)), "fussy")
    assert sorted(shown.js("return ui.game.winning(ui.state).map(m => m.to)")) == solution.placements.tolist()


@pytest.mark.parametrize("geometry", ["plane", "line", "torus"])
def test_the_address_holds_the_pond_to_the_last_digit(pond, geometry, tmp_path):  # noqa: F811
    pattern = random_pattern(9, 1 if geometry == "line" else 2, np.random.default_rng(5), torus=geometry == "torus")
    shown = pond(pattern, "stones", k=2, errs=0.25)
    address = shown.js("return location.hash")
    fresh = pond(fragment=address)
    assert np.array_equal(fresh.js("return ui.ponds[0].points"), np.asarray(pattern.points))
    assert fresh.js("return ui.game.rules.k") == 2 and fresh.js("return $('errs').value") == "0.25"
    assert fresh.js("return ui.ponds[0].side") == (pattern.geometry.side if geometry == "torus" else None)


@pytest.mark.parametrize(
    "fragment, said",
    [
        ("#game=angry", "there is no such game"),
        ("#pads=1,2", "a pad is x,y,0 or x,y,1"),
        ("#pads=1,x,0", "a pad is x,y,0 or x,y,1"),
        ("#pads=1,2,7", "a pad is x,y,0 or x,y,1"),
        ("#dim=1&pads=1,2,0", "a pad is x,0 or x,1"),
        ("#pads=" + ";".join(["1,1,0"] * 101), "at most 100 pads"),
        ("#side=-3", "the side of a torus is a positive number"),
        ("#side=2&pads=1,3,0", "beyond the side"),
        ("#pads=%E0%A4", "cannot be read"),
        ("#game=shy&c=x", "c is a number from 0"),
        ("#game=shy&c=1e999", "c is a number from 0"),
        ("#game=stones&k=1.5", "k is a whole number from 0"),
        ("#game=nim&start=<b>", "Type up to 12 whole numbers"),
    ],
)
def test_an_address_that_says_nothing(pond, fragment, said):  # noqa: F811
    """It is told, and the page can be played."""
    shown = pond(fragment=fragment)
    assert said in shown.status
    shown.choose("variant", "misere")
    shown.choose("variant", "friendly")
    assert shown.status.startswith("Alice to move Click a pad")


def test_new_pond(pond):  # noqa: F811
    shown = pond(random_pattern(9, 2, np.random.default_rng(1)))
    before = shown.js("return location.hash")
    shown.type("pads", "20")
    shown.click("torus")
    shown.click("newPond")
    assert len(shown.all(".pad")) == 20 and shown.js("return location.hash") != before
    assert shown.js("return Math.abs(ui.ponds[0].side - Math.sqrt(20)) < .01") and "torus" in shown.text("legend")
    shown.choose("variant", "ponds")
    shown.type("count", "3")
    shown.type("pads", "4")
    shown.click("newPond")
    assert len(shown.all("svg.pond")) == 3 and len(shown.all(".pad")) == 12
    for pads in ("0", "1", "2"):  # however small
        shown.choose("variant", "friendly")
        shown.type("pads", pads)
        shown.click("newPond")
        assert len(shown.all(".pad")) == int(pads)
    shown.type("pads", "0")
    shown.click("newPond")
    assert shown.status == "Bob wins. Alice cannot place a frog."


def test_an_opponent_who_errs_on_the_page(pond):  # noqa: F811
    """Bob wins 8 pads; if he always errs, Alice's good play beats him sometimes, and never if he does not."""
    shown = pond(random_pattern(8, 2, np.random.default_rng(3)), human="Alice", errs=1.0)
    assert shown.js("return $('errs').value") == "1"
    script = """const plays = errs => {
      let s = ui.game.start();
      while (!ui.game.ended(s)) s = ui.game.after(s, s.turn % 2 ? ui.answer(s, errs) : ui.game.best(s));
      return ui.game.ended(s).winner;
    };
    return arguments[0].map(errs => Array.from({length: 60}, () => plays(errs)).filter(who => who === "Alice").length);"""
    never, always = shown.js(script, [0, 1])
    assert never == 0 < always


def test_p_positions_can_be_marked(pond):  # noqa: F811
    pattern = random_pattern(9, 2, np.random.default_rng(2))
    shown = pond(pattern, human="both")
    shown.click("showP")
    good = lambda: sorted(int(pad.get_attribute("id")[4:]) for pad in shown.all(".pad.good"))  # noqa: E731
    assert good() == solve(pattern).placements.tolist()
    other = next(pad for pad in range(9) if pad not in good())
    shown.click(f"pad-{other}")
    assert good() == [int(solve(pattern).matching.partner[other])]


def test_another_address_is_another_game(pond):  # noqa: F811
    """Without loading the page anew, as by the link of a friend or the back button."""
    shown = pond(fragment="#game=friendly&pads=1,1,0;3,1,1;2,2.5,1&human=both")
    shown.click("pad-0")
    shown.js("location.hash = arguments[0]", "#game=triangle&start=2%205%201&misere=1&human=Bob&errs=0.5")
    shown.browser.set_script_timeout(10)
    shown.browser.execute_async_script(
        "const done = arguments[0]; (function look() { ui.game instanceof Options ? done() : setTimeout(look, 20); })();"
    )
    assert shown.text("about").startswith("Stones lie")
    assert shown.js("return [ui.game.begin, ui.game.misere, ui.side, $('errs').value]") == [
        [2, 5, 1],
        True,
        "Bob",
        "0.5",
    ]
