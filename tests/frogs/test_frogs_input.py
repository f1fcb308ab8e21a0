"""Bad input to the frog games is explained, by either solver."""

import pytest

import poissonmatch as pm
from poissonmatch.frogs import Position, Strategy, solve
from poissonmatch.frogs.retrograde import Analysis

FOUR = pm.Pattern([[0.0], [1.0], [3.0], [7.0]], [0, 1, 1, 0], pm.Euclidean(1))


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: solve(FOUR, "angry"), "unknown variant 'angry'; the variants are friendly"),
        (lambda: solve(FOUR, "friendly", c=1), "friendly has no parameter 'c'; it takes no parameter"),
        (lambda: solve(FOUR, "shy"), "shy needs the parameter c"),
        (lambda: solve(FOUR, "shy", c=-1), "c must be a distance"),
        (lambda: solve(FOUR, "stones", k=-1), "k must be a whole number of stones"),
        (lambda: solve(FOUR, "ponds"), "a list of patterns"),
        (lambda: solve([FOUR, 3], "ponds"), "a pond must be a Pattern, got int"),
        (lambda: solve([FOUR], "friendly"), "a pond must be a Pattern, got list"),
        (lambda: solve(pm.Pattern([[1.0]], geometry=pm.Euclidean(1)), "colored-points"), "points of both colors"),
        (lambda: solve(pm.Pattern([[1.0]], [2], pm.Euclidean(1)), "fussy"), "has the colors 0 and 1, got 2"),
        (lambda: solve(FOUR, "friendly").is_p_position((1, 1)), "not large enough for two frogs"),
        (lambda: solve(FOUR, "friendly").is_p_position((1, 4)), "no pad 4"),
        (lambda: solve(FOUR, "friendly").is_p_position((0, 1, 2)), "at most two frogs"),
        (lambda: solve(FOUR, "fussy").winning_moves((1, 2)), "not both be on red"),
        (lambda: solve(FOUR, "colored-points").winning_moves((0, 3)), "each frog keeps to its own color"),
        (lambda: solve(FOUR, "colored-points").winning_moves((1,)), "amber pads only"),
        (lambda: solve(FOUR, "friendly").winning_moves(Position((0, 1), frozenset([2]))), "no stones"),
        (
            lambda: solve(FOUR, "stones", k=1).winning_moves(Position((0, 1), frozenset([2, 3]))),
            "stones must be at most 1, got 2",
        ),
        (lambda: solve([FOUR, FOUR], "ponds").winning_moves(((0, 1),)), "of all 2 ponds, got 1"),
        (lambda: solve([FOUR, FOUR], "ponds").winning_moves(((0,), (0,))), "every pond must hold two frogs"),
        (lambda: Strategy(solve(FOUR)).move((0, 1)), "the game is over"),
    ],
)
@pytest.mark.parametrize("solver", ["matching", "rules"])
def test_bad_input_is_explained(call, message, solver, monkeypatch):
    if solver == "rules":
        monkeypatch.setitem(call.__globals__, "solve", Analysis)
        if "Strategy" in call.__code__.co_names:
            pytest.skip("a strategy plays through the matching")
    with pytest.raises(ValueError, match=message):
        call()
