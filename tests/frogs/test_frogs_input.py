"""Bad input to the frog games is explained, by either solver."""

import math

import pytest

import poissonmatch as pm
from poissonmatch.frogs import Position, Strategy, is_p_position, solve, winning_moves
from poissonmatch.frogs.retrograde import Analysis

FOUR = pm.Pattern([[0.0], [1.0], [3.0], [7.0]], [0, 1, 1, 0], pm.Euclidean(1))


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: solve(FOUR, "angry"), "unknown variant 'angry'; the variants are friendly"),
        (lambda: solve(FOUR, "friendly", c=1), "friendly has no parameter 'c'; it takes no parameter"),
        (lambda: solve(FOUR, "shy"), "shy needs the parameter c"),
        (lambda: solve(FOUR, "shy", c=-1), "c must be a distance"),
        (lambda: solve(FOUR, "shy", c=math.nan), "c must be a distance"),
        (lambda: solve(FOUR, "stones", k=-1), "k must be a whole number of stones"),
        (lambda: solve(FOUR, "stones", k=1.5), "k must be a whole number of stones"),
        (lambda: solve(FOUR, "ponds"), "a list of patterns"),
        (lambda: solve([], "ponds"), "a list of patterns"),
        (lambda: solve([FOUR, 3], "ponds"), "a pond must be a Pattern, got int"),
        (lambda: solve([FOUR], "friendly"), "a pond must be a Pattern, got list"),
        (lambda: solve(pm.Pattern([[1.0]], geometry=pm.Euclidean(1)), "colored-points"), "points of both colors"),
        (lambda: solve(pm.Pattern([[1.0]], [2], pm.Euclidean(1)), "fussy"), "has the colors 0 and 1, got 2"),
        (lambda: is_p_position(FOUR, "friendly", (1, 1)), "not large enough for two frogs"),
        (lambda: is_p_position(FOUR, "friendly", (1, 4)), "no pad 4"),
        (lambda: is_p_position(FOUR, "friendly", (-1, 2)), "no pad -1"),
        (lambda: is_p_position(FOUR, "friendly", (0.0, 2)), "no pad 0.0"),
        (lambda: is_p_position(FOUR, "friendly", (0, 1, 2)), "at most two frogs"),
        (lambda: winning_moves(FOUR, "fussy", (1, 2)), "not both be on red"),
        (lambda: winning_moves(FOUR, "colored-points", (0, 3)), "each frog keeps to its own color"),
        (lambda: winning_moves(FOUR, "colored-points", (1,)), "amber pads only"),
        (lambda: winning_moves(FOUR, "friendly", Position((0, 1), frozenset([2]))), "no stones"),
        (lambda: winning_moves(FOUR, "stones", Position((0, 1), frozenset([2, 3])), k=1), "1 stones, not 2"),
        (lambda: winning_moves([FOUR, FOUR], "ponds", ((0, 1),)), "of all 2 ponds, not of 1"),
        (lambda: winning_moves([FOUR, FOUR], "ponds", ((0,), (0,))), "two frogs are in every pond"),
        (lambda: Strategy(solve(FOUR)).move((0, 1)), "the game is over"),
    ],
)
@pytest.mark.parametrize("solver", ["matching", "rules"])
def test_bad_input_is_explained(call, message, solver, monkeypatch):
    if solver == "rules":
        monkeypatch.setitem(call.__globals__, "solve", Analysis)
        monkeypatch.setitem(
            call.__globals__, "is_p_position", lambda p, v, at, **kw: Analysis(p, v, **kw).is_p_position(at)
        )
        monkeypatch.setitem(
            call.__globals__, "winning_moves", lambda p, v, at, **kw: Analysis(p, v, **kw).winning_moves(at)
        )
        if "Strategy" in call.__code__.co_names:
            pytest.skip("a strategy plays through the matching")
    with pytest.raises(ValueError, match=message):
        call()
