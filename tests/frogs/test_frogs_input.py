"""Bad input to the frog games is explained, by either solver."""

import pytest

from helpers.plain_calls import frozen, value_of
from helpers.refusals import refusal
from helpers.tables import tables
from poissonmatch.frogs import Position, Strategy, solve
from poissonmatch.frogs.retrograde import Analysis

TABLES = tables(__file__)
FOUR = value_of(TABLES["four"])
SOLVERS = pytest.mark.parametrize("solver", [solve, Analysis])


@SOLVERS
@pytest.mark.parametrize("variant, parameters, words", TABLES["games"])
def test_a_bad_game_is_explained(variant, parameters, words, solver):
    arguments = {"patterns": FOUR} | value_of(parameters)
    assert words in refusal(solver, arguments.pop("patterns"), variant, **arguments)


@SOLVERS
@pytest.mark.parametrize("variant, method, position, words", TABLES["positions"])
def test_a_bad_position_is_explained(variant, method, position, words, solver):
    solution = solver([FOUR, FOUR] if variant == "ponds" else FOUR, variant)
    assert words in refusal(getattr(solution, method), frozen(position))


@SOLVERS
@pytest.mark.parametrize(
    "variant, parameters, stones, words",
    [("friendly", {}, [2], "no stones"), ("stones", {"k": 1}, [2, 3], "stones must be at most 1, got 2")],
)
def test_bad_stones_are_explained(variant, parameters, stones, words, solver):
    position = Position((0, 1), frozenset(stones))
    assert words in refusal(solver(FOUR, variant, **parameters).winning_moves, position)


def test_a_strategy_has_no_move_at_the_end():
    with pytest.raises(ValueError, match="the game is over"):
        Strategy(solve(FOUR)).move((0, 1))
