"""A position of Toads and Frogs for every dyadic number."""

import functools
from fractions import Fraction

import pytest

from helpers import slow_toads
from helpers.tables import tables
from poissonmatch_games.partisan.values import number
from poissonmatch_games.toads import dyadic
from poissonmatch_games.toads.ruleset import engine
from poissonmatch_games.toads.strips import shape

TABLES = tables(__file__, "strips.toml")

SMALL = sorted({Fraction(m, 2**k) for m in range(-20, 21) for k in range(5)})


def options(strip, x, player):
    """The moves in the sum of a strip and a number, told anew: x = m/2^k, m odd, is {x - 1/2^k | x + 1/2^k}; n > 0 is {n-1|}."""
    for _, after in slow_toads.moves(strip, "T" if player == "Left" else "F"):
        yield after, x
    way = -1 if player == "Left" else 1
    if x.denominator > 1 or x * way < 0:
        yield strip, x + way * Fraction(1, x.denominator)


@functools.cache
def wins(strip, x, player):
    """Does `player` win, who is to move?"""
    other = "Right" if player == "Left" else "Left"
    return any(not wins(*after, other) for after in options(strip, x, player))


@pytest.mark.parametrize("x", [x for x in SMALL if abs(x) <= 2], ids=str)
def test_second_player_wins_the_difference(x):
    """The definition of equal values, with the rules of both games told anew."""
    strip = dyadic(x).position
    assert not wins(strip, -x, "Left") and not wins(strip, -x, "Right")
    assert wins(strip, Fraction(1, 32) - x, "Left") and wins(strip, -Fraction(1, 32) - x, "Right")


@pytest.mark.parametrize("x", SMALL, ids=str)
def test_canonical_values(x):
    """By the engine with its reductions, and by the moves alone."""
    position = dyadic(x)
    assert engine().value(position.position) is position.value is position.plain_value is number(x)


@pytest.mark.parametrize("x, strip", TABLES["dyadic"])
def test_positions(x, strip):
    assert shape(dyadic(Fraction(x)).position) == strip


def test_parts_are_half_of_the_digits_at_most():
    x = Fraction(2**40 - 1, 2**40)  # 40 digits in base 2
    assert dyadic(x).position == "T.TTFF" + "TF" * 40 + ".F"
    thirds = dyadic(Fraction((4**10 - 1) // 3, 4**10))  # 1/4 + 1/16 + ..
    assert thirds.position.count("TTFF") == 9
    for x in (Fraction(1, 2**20000), Fraction(1, 2**6000)):
        with pytest.raises(ValueError, match="10000"):
            dyadic(x)
