"""Periods of nim-values, and when they are proved."""

import pytest

from helpers.tables import tables
from poissonmatch_games.impartial import FunctionGame, GrundysGame, Kayles, find_period
from poissonmatch_games.impartial.periods import Period

TABLES = tables(__file__, "impartial.toml")


def test_the_proof_needs_the_whole_range():
    game = Kayles()
    needed = 2 * (71 + 12) + 2  # values of the heaps 0..167
    assert find_period(game.values(needed - 1), game._proof_length).proved
    short = find_period(game.values(needed - 2), game._proof_length)
    assert short is None or not short.proved


@pytest.mark.parametrize("values, period", TABLES["periods"])
def test_the_least_preperiod_and_period_with_two_full_periods(values, period):
    assert find_period(values) == (Period(*period, False) if period else None)


def test_a_period_without_saltus_comes_first():
    """And not saltus 1 of 2, 3 after 96 values."""
    assert find_period([n % 4 for n in range(100)]) == Period(0, 4, 0, 100, False)


def test_a_proved_period_gives_the_values_of_large_heaps():
    """Kayles has period 12 from heap 71 on (Guy and Smith, 1956); its table and single heaps agree with a search."""
    kayles = Kayles()
    values = kayles.values(20_000)
    assert (values[72:-12] == values[84:]).all() and len(values) == 20_001
    assert (values[:5000] == Kayles().values(4999)).all()
    assert kayles.grundy(10**15 + 7) == values[71 + (10**15 + 7 - 71) % 12]


def test_values_and_period_of_every_impartial_game():
    game = FunctionGame(lambda n: [n - k for k in (1, 3, 4) if k <= n])
    assert game.values(13).tolist() == [0, 1, 0, 1, 2, 3, 2] * 2
    assert game.period(60) == Period(0, 7, 0, 61, False)
    known = "000102102102132132430"  # Winning Ways, ch. 4
    assert "".join(map(str, GrundysGame().values(20).tolist())) == known
