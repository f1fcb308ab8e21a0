"""The page in a real browser. Needs chromium and chromedriver (Debian: apt-get install chromium chromium-driver)."""

import re

import numpy as np
import pytest

import poissonmatch as pm
from helpers.throwaway import OWN, THROWAWAY
from poissonmatch.frogs import VARIANTS, Position, solve
from poissonmatch_games.play.frog_play import random_pattern
from poissonmatch_games.play.page import page as page_text
from poissonmatch_games.play.page import variants_on_page

pytestmark = pytest.mark.workflow
ONE_POND = [name for name in variants_on_page() if not VARIANTS[name].many]
EXTRA = {"shy": {"c": 0.9}, "shy-colored": {"c": 0.9}, "stones": {"k": 1}}


def assert_the_page_knows(shown, solution):
    """The script and the solver say the same in every position: which moves are legal, and which win."""
    rules = solution.rules
    positions = []
    for frogs in [(), *((a,) for a in range(9)), *((x, y) for x in range(9) for y in range(9) if x != y)]:
        stones = [[], [2]] if rules.k and frogs else [[]]
        for blocked in stones:
            try:
                positions.append(rules.position(Position(frogs, frozenset(blocked))))
            except ValueError:
                continue
    answers = shown.js(
        """return arguments[0].map(([frogs, blocked]) => { const s = {frogs: [frogs], blocked, turn: frogs.length};
        const from = m => m.frog === null ? null : frogs[m.frog];
        const winning = ui.game.winning(s).map(m => [from(m), m.to, m.stones]);
        return [ui.game.moves(s).map(m => [from(m), m.to]), winning]; });""",
        [[list(p.frogs), sorted(p.blocked)] for p in positions],
    )
    for position, (legal, winning) in zip(positions, answers, strict=True):
        assert {tuple(m) for m in legal} == {(m.frog, m.to) for m in rules.moves(position)}, (rules.name, position)
        found = {(frog, to, frozenset(stones)) for frog, to, stones in winning}
        assert found == {(m.frog, m.to, m.stones) for m in solution.winning_moves(position)}, (rules.name, position)


@pytest.mark.slow
@pytest.mark.parametrize("geometry", ["plane", "line", "torus"])
def test_the_page_plays_by_the_rules_and_knows_who_wins(page, geometry):
    pattern = random_pattern(9, 1 if geometry == "line" else 2, np.random.default_rng(1), torus=geometry == "torus")
    shown = page(pattern, human="both", c=0.9, k=1)
    names = [option.get_attribute("value") for option in shown.all("#variant option")]
    in_order = [name for name in VARIANTS if VARIANTS[name].on_page]  # of the paper
    assert names[: len(in_order)] == variants_on_page() == in_order
    for variant in ONE_POND:
        shown.choose("variant", variant)
        assert_the_page_knows(shown, solve(pattern, variant, **EXTRA.get(variant, {})))


@pytest.mark.slow
@pytest.mark.parametrize("variant", THROWAWAY)
def test_the_page_plays_a_variant_that_is_new(page, variant, monkeypatch):
    monkeypatch.setitem(VARIANTS, variant, THROWAWAY[variant])
    pattern = random_pattern(9, 2, np.random.default_rng(6))
    shown = page(pattern, variant, human="both", **OWN[variant])
    solution = solve(pattern, variant, **OWN[variant])
    assert_the_page_knows(shown, solution)
    for color in solution.rules.pads:
        assert f"{color} pad" in shown.browser.find_element("id", "legend").text
    fills = {shown.js("return getComputedStyle(arguments[0]).fill", leaf) for leaf in shown.all(".leaf")}
    assert len(fills) == 2 and "rgb(0, 0, 0)" not in fills


def test_a_person_can_win_with_the_hints(page):
    pattern = random_pattern(9, 2, np.random.default_rng(2))
    shown = page(pattern, "friendly", human="Alice")
    while not shown.over:
        shown.click("hint")
        assert shown.status.startswith("Alice to move Alice wins")
        shown.take(".pad.good", 0)
        shown.wait()
    assert shown.status.startswith("Alice wins. Bob cannot")
    even = page(random_pattern(8, 2, np.random.default_rng(2)), "friendly", human="Alice")
    even.click("hint")
    assert even.status == "Alice to move Bob wins against any move, by the matching."


@pytest.mark.slow
def test_an_illegal_click_is_explained_and_changes_nothing(page):
    pattern = pm.Pattern([[0.0, 0.0], [1.0, 0.2], [3.0, 0.0], [7.0, 1.0]], [0, 1, 1, 0], pm.Euclidean(2))
    shown = page(pattern, "fussy", human="both")
    shown.click("pad-1", "pad-2")
    assert "may not both be on red pads" in shown.status and shown.frogs == [1]
    shown.click("pad-1")
    assert "not large enough for two frogs" in shown.status
    shown.click("pad-0")
    assert shown.frogs == [0, 1] and shown.status.startswith("Bob wins.")
    shown.click("undo", "pad-3", "pad-0")
    assert "Choose the frog that jumps first" in shown.status
    shown.click("pad-3")
    assert [pad.get_attribute("id") for pad in shown.all(".pad.legal")] == ["pad-0"]
    shown.click("pad-2")
    assert "both be on red" in shown.status and sorted(shown.frogs) == [1, 3]
    shown.choose("variant", "colored")
    shown.click("pad-0", "pad-3", "pad-3")
    assert "the other player's frog" in shown.status
    shown.choose("variant", "stones")
    shown.click("pad-0", "pad-1", "pad-2")
    assert "one stone only" in shown.status
    shown.click("done", "pad-1")
    assert "stone blocks" in shown.status and shown.frogs == [0]
    assert len(shown.all("#log li")) == 1


@pytest.mark.slow
def test_take_back_and_the_other_side(page):
    shown = page(random_pattern(8, 2, np.random.default_rng(4)), "friendly", human="Bob")
    shown.wait()
    first = shown.frogs
    assert len(first) == 1 and shown.status.startswith("Bob to move")
    shown.js("ui.pause = 1e6")  # the other player thinks for as long as this takes
    shown.js(
        "document.getElementById(arguments[0]).dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}))",
        f"pad-{next(p for p in range(8) if p not in first)}",
    )
    assert len(shown.all("#log li")) == 2
    shown.click("undo")
    assert shown.frogs == first and len(shown.all("#log li")) == 1
    shown.click("new")
    assert shown.all("#log li") == [] or len(shown.frogs) <= 1


@pytest.mark.slow
def test_the_page_needs_no_network(page):
    pattern = random_pattern(12, 2, np.random.default_rng(1))
    text = page_text(pattern)
    links = set(re.findall(r"""(?:https?:)?//[\w.]+\.\w+[^"'\s]*""", text)) - {"http://www.w3.org/2000/svg"}
    assert not links and "import(" not in text and "fetch(" not in text
    shown = page(pattern)
    assert shown.js("return performance.getEntriesByType('resource').length") == 0


def test_what_a_page_refuses():
    rng = np.random.default_rng(1)
    with pytest.raises(ValueError, match="tori with one side"):
        page_text(pm.Pattern(rng.random((4, 2)), geometry=pm.Torus((1.0, 2.0))), "friendly")
    with pytest.raises(ValueError, match="needs a list of at least two patterns"):
        page_text(random_pattern(5, 2, rng), "ponds")
