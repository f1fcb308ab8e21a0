"""Bad input to the frog games is explained, by either solver."""

import pytest

import poissonmatch as pm
from poissonmatch.frogs import Position, Strategy, solve
from poissonmatch.frogs.retrograde import Analysis

FOUR = pm.Pattern([[0.0], [1.0], [3.0], [7.0]], [0, 1, 1, 0], pm.Euclidean(1))


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda solve: solve(FOUR, "angry"), "unknown variant 'angry'; the variants are friendly"),
        (lambda solve: solve(FOUR, "friendly", c=1), "friendly has no parameter 'c'; it takes no parameter"),
        (lambda solve: solve(FOUR, "shy"), "shy needs the parameter c"),
        (lambda solve: solve(FOUR, "shy", c=-1), "c must be a distance"),
        (lambda solve: solve(FOUR, "stones", k=-1), "k must be a whole number of stones"),
        (lambda solve: solve(FOUR, "ponds"), "a list of patterns"),
        (lambda solve: solve([FOUR, 3], "ponds"), "a pond must be a Pattern, got int"),
        (lambda solve: solve([FOUR], "friendly"), "a pond must be a Pattern, got list"),
        (lambda solve: solve(pm.Pattern([[1.0]], geometry=pm.Euclidean(1)), "colored-points"), "points of both colors"),
        (lambda solve: solve(pm.Pattern([[1.0]], [2], pm.Euclidean(1)), "fussy"), "has the colors 0 and 1, got 2"),
        (lambda solve: solve(FOUR, "friendly").is_p_position((1, 1)), "not large enough for two frogs"),
        (lambda solve: solve(FOUR, "friendly").is_p_position((1, 4)), "no pad 4"),
        (lambda solve: solve(FOUR, "friendly").is_p_position((0, 1, 2)), "at most two frogs"),
        (lambda solve: solve(FOUR, "fussy").winning_moves((1, 2)), "not both be on red"),
        (lambda solve: solve(FOUR, "colored-points").winning_moves((0, 3)), "each frog keeps to its own color"),
        (lambda solve: solve(FOUR, "colored-points").winning_moves((1,)), "amber pads only"),
        (lambda solve: solve(FOUR, "friendly").winning_moves(Position((0, 1), frozenset([2]))), "no stones"),
        (
            lambda solve: solve(FOUR, "stones", k=1).winning_moves(Position((0, 1), frozenset([2, 3]))),
            "stones must be at most 1, got 2",
        ),
        (lambda solve: solve([FOUR, FOUR], "ponds").winning_moves(((0, 1),)), "of all 2 ponds, got 1"),
        (lambda solve: solve([FOUR, FOUR], "ponds").winning_moves(((0,), (0,))), "every pond must hold two frogs"),
    ],
)
@pytest.mark.parametrize("solver", [solve, Analysis])
def test_bad_input_is_explained(call, message, solver):
    with pytest.raises(ValueError, match=message):
        call(solver)


def test_a_strategy_has_no_move_at_the_end():
    with pytest.raises(ValueError, match="the game is over"):
        Strategy(solve(FOUR)).move((0, 1))
