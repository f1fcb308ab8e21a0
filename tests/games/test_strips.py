"""Strips: their notation; reductions, mirror images and starting positions against the moves alone."""

import pytest

from helpers.strips_of_toads import all_strips, value
from helpers.tables import tables
from poissonmatch_games.toads import strips
from poissonmatch_games.toads.ruleset import ToadsAndFrogs
from poissonmatch_games.toads.strips import latex, parse_strip, shape

TABLES = tables(__file__, "strips.toml")


@pytest.mark.parametrize("source, strip", TABLES["read"])
def test_read(source, strip):
    assert parse_strip(source) == strip


def test_shapes_are_read_back():
    assert [shape(s) for s in ("TT.F", "TF.", "T..FF")] == ["T^2 . F", "TF .", "T .^2 F^2"]
    for strip in all_strips(7):
        assert parse_strip(shape(strip)) == strip


@pytest.mark.parametrize("strip, formula", TABLES["latex"])
def test_latex_of_strips(strip, formula):
    assert latex(strip) == formula


def reduced(strip):
    """Return the reduced strip and the number of free moves: value(strip) = value(reduced) + free."""
    kind, gap, n, free = strips.reduced(strip)
    pieces = "".join(".TF"[kind[i]] + "." * int(gap[i + 1]) for i in range(n))
    return "." * int(gap[0]) + pieces if n else "", free


def test_reductions_change_no_value():
    """Every strip of length <= 7, reduced, against the plain recursion without reductions."""
    count = changed = 0
    for s in all_strips(7):
        core, free = reduced(s)
        plain = ToadsAndFrogs(s).plain_value
        assert ToadsAndFrogs(core).plain_value + free is plain, s
        assert value(s) is plain, s
        count += 1
        changed += core != s
    assert count == 3280 and changed > 1800


def test_a_free_move_in_the_way_costs_nothing():
    """Frogs without a toad on their left may stand in the way of a jump; beyond length 8, too, they count as free
    moves."""
    for rest in all_strips(6):
        s = ".FT" + rest
        assert ToadsAndFrogs(s).plain_value is ToadsAndFrogs(".T" + rest).plain_value - 1, s


def test_starting_positions_have_counts():
    assert strips.starting(2, 3, 1) == "TT...F"
