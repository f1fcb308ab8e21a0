"""Rulesets of partisan games: Hackenbush, Domineering, one of one's own."""

import pytest

from poissonmatch_games.partisan import Domineering, Hackenbush


def test_a_board_on_its_side_has_the_negative_value():
    board = Domineering("../../.#")
    assert Domineering({(c, r) for r, c in board.position}).value is -board.value


@pytest.mark.parametrize("board", ["..x", 5])
def test_illegal_boards(board):
    with pytest.raises((ValueError, TypeError)):
        Domineering(board)
    with pytest.raises(ValueError):
        Hackenbush(board)
