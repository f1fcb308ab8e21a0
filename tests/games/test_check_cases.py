"""The checker of proofs by cases: positions, moves and leaves, all short strips; that stored proofs are accepted: tests/statements."""

from itertools import product

import pytest

from helpers.strips_of_toads import all_strips, value
from poissonmatch_games.checkers.case_bounds import Power
from poissonmatch_games.checkers.check_cases import closed_by_play, describe
from poissonmatch_games.checkers.linear_forms import constant
from poissonmatch_games.checkers.symbolic_positions import (
    left_moves,
    only_jumps,
    read_position,
    right_moves,
    tidy,
    walled,
)
from poissonmatch_games.checkers.symbolic_values import read_tree
from poissonmatch_games.partisan.value_notation import parse
from poissonmatch_games.toads.ruleset import ToadsAndFrogs


def strip_of(position):
    return "".join(letter * int(form.get("", 0)) for letter, form in position)


def as_position(strip):
    return tidy([(square, constant(1)) for square in strip])


def test_played_positions_have_the_order_of_games():
    """All strips of up to 5 squares, against values that are numbers, infinitesimal and hot."""
    for strip, text in product(all_strips(5), ("0", "*", "1", "-1/2", "{1|0}", "{1|{0|-2}}", "{0|*}")):
        played = closed_by_play(as_position(strip), read_tree(text.replace("*", "{0|0}")))
        assert played == (value(strip) <= parse(text)), (strip, text)


def test_moves_in_runs_are_those_of_the_game():
    for strip in all_strips(7):
        position = as_position(strip)
        for moves, plain in ((left_moves, ToadsAndFrogs.left_moves), (right_moves, ToadsAndFrogs.right_moves)):
            assert set(map(strip_of, moves(position))) == set(plain(strip)), strip


def test_leaves_say_what_is_true():
    """Jumps only: <= 0; a wall: the value is the count."""
    jumps = walls = 0
    for strip in all_strips(8):
        position = as_position(strip)
        if only_jumps(position):
            jumps += 1
            assert value(strip) <= 0, strip
        count = walled(position)
        if count is not None:
            walls += 1
            assert value(strip) == int(count.get("", 0)), strip
    assert jumps > 500 and walls > 50


def test_toads_of_an_unknown_left_end_are_not_overlooked():
    with pytest.raises(ValueError, match="toads of L"):
        list(left_moves(read_position("L . F")))
    assert describe(read_position("L T^(a-1) F . F^b"), Power({"n": 1})) == "L T^(a-1) F . F^b <= 1/2^n"
