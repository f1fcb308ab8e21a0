"""Rulesets of partisan games: Hackenbush, Domineering, one of one's own."""

from __future__ import annotations

import pytest

from poissonmatch_games.partisan import Domineering, Hackenbush, Ruleset
from poissonmatch_games.partisan.values import ups


def test_hackenbush_strings_are_numbers():
    """Berlekamp's rule: count the first run, then binary digits (Winning Ways, ch. 3)."""
    assert [str(Hackenbush(s).value) for s in ("", "L", "LR", "LRR", "LRRL", "LLR", "RL", "G", "GL")] == [
        "0", "1", "1/2", "1/4", "3/8", "3/2", "-1/2", "*", "^*",
    ]  # fmt: skip


def test_domineering():
    """Winning Ways, ch. 5."""
    boards = {
        "./.": "1",
        "..": "-1",
        "../..": "+-1",
        "../.#": "*",
        "./././.": "2",
        "../../..": "{1/2|-2}",
    }
    for board, printed in boards.items():
        assert str(Domineering(board).value) == printed, board
    flipped = Domineering({(c, r) for r, c in Domineering("../../.#").position}).value
    assert flipped is -Domineering("../../.#").value


def test_a_new_ruleset_takes_two_functions():
    class Nim(Ruleset):
        @staticmethod
        def left_moves(heap):
            return range(heap)

        right_moves = left_moves

    assert [Nim(n).value for n in range(6)] == [ups(0, n) for n in range(6)]
    assert "Left moves to 0 = 0" in Nim(1).explain()


@pytest.mark.parametrize("board", ["..x", 5])
def test_illegal_boards(board):
    with pytest.raises((ValueError, TypeError)):
        Domineering(board)
    with pytest.raises(ValueError):
        Hackenbush(board)
