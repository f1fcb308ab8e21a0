"""Strips: reductions, mirror images and starting positions against the moves alone."""

from __future__ import annotations

import pytest

from helpers.strips_of_toads import all_strips, value
from poissonmatch_games.toads import strips
from poissonmatch_games.toads.ruleset import ToadsAndFrogs
from poissonmatch_games.toads.strip_kernels import REDUCIBLE, mobility_of


def reduced(strip):
    """Return the reduced strip and the number of free moves: value(strip) = value(reduced) + free."""
    kind, gap, n, free = strips.reduced(strip)
    pieces = "".join(".TF"[kind[i]] + "." * int(gap[i + 1]) for i in range(n))
    return "." * int(gap[0]) + pieces if n else "", free


def test_reductions_change_no_value():
    """Every strip of length <= 8, reduced, against the plain recursion without reductions."""
    count = changed = 0
    for s in all_strips(8):
        core, free = reduced(s)
        plain = ToadsAndFrogs(s).plain_value
        assert ToadsAndFrogs(core).plain_value + free is plain, s
        assert value(s) is plain, s
        count += 1
        changed += core != s
    assert count == 9841 and changed > 6000


def test_a_free_move_in_the_way_costs_nothing():
    """Frogs without a toad on their left may stand in the way of a jump; beyond length 8, too, they count as free
    moves."""
    for rest in all_strips(6):
        s = ".FT" + rest
        assert ToadsAndFrogs(s).plain_value is ToadsAndFrogs(".T" + rest).plain_value - 1, s


def test_mirror_images_are_negatives():
    for s in all_strips(6):
        assert value(strips.mirror(s)) is -value(s) is -ToadsAndFrogs(s).plain_value, s


@pytest.mark.parametrize("strip", ["TT...FF", "TTT..FF", "TT.T..F.FF", "TTT...FFF", "T.T..F..F"])
def test_unreduced_starting_positions(strip):
    assert value(strip) is ToadsAndFrogs(strip).plain_value


def test_starting_positions_need_counts():
    assert strips.starting(2, 3, 1) == "TT...F"
    with pytest.raises(ValueError):
        strips.starting(-1, 2, 3)
    with pytest.raises(TypeError):
        strips.starting(1.0, 2, 3)


def test_the_quick_look_misses_no_reduction():
    """What may be reduced is told in one pass; only walls, which join parts that are reduced, are false alarms."""
    for strip in all_strips(9):
        kind, gap, n = strips.to_arrays(strip)
        told = bool(mobility_of(kind, gap, n)[REDUCIBLE])
        if reduced(strip) != (strip if n else "", 0):
            assert told, strip
        elif told:
            assert "TTFF" in strip, strip
