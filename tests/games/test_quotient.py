"""Misere quotients: printed orders, and outcomes against a slow twin."""

import itertools

import pytest

import poissonmatch_games as g
from helpers.slow_games import slow_win
from helpers.tables import tables

TABLES = tables(__file__, "impartial.toml")


@pytest.mark.parametrize("code, largest, order", TABLES["quotients"])
def test_misere_quotients(code, largest, order):
    """Nim with heaps below 2^n has order 2^n + 2 for n >= 2 (Plambeck and Siegel); 0.123 has order 20."""
    game = g.impartial.OctalGame(code)
    quotient = g.impartial.misere_quotient(game, largest)
    assert quotient.order == order and quotient.proved
    if largest > 5:
        return
    wins = slow_win(game.options)
    for heaps in itertools.combinations_with_replacement(range(1, largest + 1), 4):
        assert quotient.is_p(heaps) != wins(heaps, True)


def test_a_quotient_that_is_too_large():
    with pytest.raises(ValueError, match="more than 5 classes"):
        g.impartial.misere_quotient(g.impartial.OctalGame("0.77"), 6, max_order=5)
