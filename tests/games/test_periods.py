"""Periods of nim-values, and when they are proved."""

import pytest

import poissonmatch_games as g


def test_the_proof_needs_the_whole_range():
    game = g.impartial.Kayles()
    needed = 2 * (71 + 12) + 2  # values of the heaps 0..167
    assert g.impartial.find_period(game.values(needed - 1), game._proof_length).proved
    short = g.impartial.find_period(game.values(needed - 2), game._proof_length)
    assert short is None or not short.proved


def test_find_period():
    assert g.impartial.find_period(range(10)) == g.impartial.periods.Period(0, 1, 1, 10, False)
    assert g.impartial.find_period([5, 0, 1, 0, 1, 0, 1, 0]) == g.impartial.periods.Period(1, 2, 0, 8, False)
    assert g.impartial.find_period([7, 0, 0, 1, 2, 2, 3, 4, 4, 5, 6, 6]) == g.impartial.periods.Period(
        1, 3, 2, 12, False
    )
    assert g.impartial.find_period([0, 1, 3, 7, 2]) is None and g.impartial.find_period([]) is None
    with pytest.raises(TypeError):
        g.impartial.find_period([0.5, 0.5])
