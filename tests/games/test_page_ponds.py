"""Ponds on the page: the perfect player's every line, several ponds, pads by hand, the address, an opponent who errs, a phone."""

import itertools

import numpy as np
import pytest

import poissonmatch as pm
from games.test_play_page import EXTRA, ONE_POND
from helpers.paged import LINES
from poissonmatch.frogs import retrograde, solve
from poissonmatch_games.play.frog_play import random_pattern

pytestmark = [pytest.mark.workflow, pytest.mark.slow]
GRID = pm.Pattern(
    [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, 0.0], [2.0, 1.0]], [0, 1] * 3, pm.Euclidean(2)
)  # ties


@pytest.mark.parametrize("variant", ONE_POND)
@pytest.mark.parametrize("which", ["random", "ties"])
def test_the_perfect_player_wins_every_line_of_the_page(page, variant, which):
    """From the start and from every position of a pond of 6 or 7, with everything that the other may do; the rules alone say who
    should win."""
    pattern = GRID if which == "ties" else random_pattern(7, 2, np.random.default_rng(4))
    extra = EXTRA.get(variant, {})
    shown = page(pattern, variant, human="nobody", c=0.9, k=1)
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
def test_several_ponds_are_played_by_the_rules(page, sizes):
    """Moves and winners of every position against the rules alone; Alice's opening, pad by pad; every line."""
    rng = np.random.default_rng(sum(sizes))
    patterns = [random_pattern(n, 2, rng) for n in sizes]
    shown, twin = page(patterns, "ponds", human="nobody"), retrograde.Analysis(patterns, "ponds")
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


def test_ponds_explain_what_is_not_legal(page):
    line = pm.Pattern([[0.0], [1.0], [3.0], [7.0]], geometry=pm.Euclidean(1))
    shown = page([line, line], "ponds", human="both")
    shown.click("pad-1-0", "pad-1-1")
    assert "Bob places the last frog there" in shown.status
    shown.click("pad-0-0", "pad-0-3")
    shown.click("pad-0-1")
    assert "place the next one in another pond" in shown.status
    shown.click("pad-1-3")
    assert shown.status.startswith("Alice to move")
    shown.click("pad-1-1")
    assert "Choose the frog that jumps first" in shown.status
    shown.click("pad-0-0", "pad-1-1")
    assert "Choose the frog that jumps first" in shown.status


def test_pads_by_hand_and_the_address(page):
    shown = page(fragment="#game=fussy&human=both&pads=1,1,0;3,1,1;2,2.5,1")
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
    shown.click("pad-1", "edit")
    assert len(shown.all(".pad")) == 3 and shown.js("return ui.ponds[0].colors") == [0, 1, 1]
    same, pads = shown.js("return [location.href, ui.ponds[0].points]")
    assert shown.all("#link")[0].get_attribute("href") == same
    shown.browser.get("about:blank")
    shown.browser.get(same)
    assert shown.js("return ui.ponds[0].points") == pads and shown.js("return ui.game.rules.about").startswith("Fussy")
    solution = solve(pm.Pattern(pads, [0, 1, 1], pm.Euclidean(2)), "fussy")
    assert sorted(shown.js("return ui.game.winning(ui.state).map(m => m.to)")) == solution.placements.tolist()


def test_p_positions_can_be_marked(page):
    pattern = random_pattern(9, 2, np.random.default_rng(2))
    shown = page(pattern, human="both")
    shown.click("showP")
    good = lambda: sorted(int(pad.get_attribute("id")[4:]) for pad in shown.all(".pad.good"))  # noqa: E731
    assert good() == solve(pattern).placements.tolist()
    other = next(pad for pad in range(9) if pad not in good())
    shown.click(f"pad-{other}")
    assert good() == [int(solve(pattern).matching.partner[other])]
