"""Positions and values as text, and sums of them."""

import pytest

from helpers.tables import tables
from poissonmatch_games import ToadsAndFrogs, parse, position_from
from poissonmatch_games.partisan import Domineering, Hackenbush

TABLES = tables(__file__, "values.toml")


@pytest.mark.parametrize("text, value", TABLES["expressions"])
def test_values_of_expressions(text, value):
    assert position_from(text).value is parse(value)


def test_positions_keep_their_rulesets():
    assert position_from("TT.FF") == ToadsAndFrogs("TT.FF") and position_from("../.#") == Domineering("../.#")
    assert position_from("TT.FF - ../.#") == ToadsAndFrogs("TT.FF") - Domineering("../.#")
    assert position_from("nim(3 4 5)").position[1] == (3, 4, 5)


def test_colored_hackenbush_on_graphs():
    """Trees by the colon principle (Winning Ways, ch. 7)."""
    assert Hackenbush("0-1G 1-2L 1-3R").value is parse("*").ordinal_sum(0)
    assert Hackenbush("0-1L 1-2R 1-3R").value is parse("1").ordinal_sum(-2)
    assert (
        Hackenbush("LRG").position == Hackenbush("0-1L 1-2R 2-3G").position
        and repr(Hackenbush("LRG")) == "Hackenbush('LRG')"
    )
    tree = Hackenbush("0-1L,1-2R,1-3G")
    assert tree.show(tree.position) == "0-1L 1-2R 1-3G" and Hackenbush(tree.position) == tree


def test_a_board_on_its_side_has_the_negative_value():
    board = Domineering("../../.#")
    assert Domineering({(c, r) for r, c in board.position}).value is -board.value
