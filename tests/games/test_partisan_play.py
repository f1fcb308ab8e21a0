"""Partisan positions and sums in the terminal: the perfect player wins what can be won, and moves are typed in one way."""

import pytest

from games.test_impartial_play import talk
from games.test_sums import There
from poissonmatch_games import position_from
from poissonmatch_games.impartial.impartial_play import play
from poissonmatch_games.partisan.turns import TurnGame
from poissonmatch_games.play.played_games import played_named


def table(text, **words):
    named = played_named(text)
    return play(named.game, named.read(""), **words)


@pytest.mark.parametrize(
    "text", ["TT.FF", "../..", ".../...", "T.FF + ../..", "{2|1||0} - T.F", "nim(1 2) + ./.", "0*(T.F)", "^"]
)
def test_the_perfect_player_wins_what_can_be_won(text):
    outcome = position_from(text).outcome
    assert table(text, human="nobody", say=[].append) == {"L": "Alice", "N": "Alice", "R": "Bob", "P": "Bob"}[outcome]
    for seed in range(3):  # against random moves
        winner = table(text, human="nobody", errs=0.5, seed=seed, say=[].append)
        assert winner in ("Alice", "Bob")


def test_moves_are_numbers_of_the_list_or_positions():
    words, said = talk("moves", "hint", "9", "x", "TT.FF + ./.", "exit")
    assert table("TT.FF + ../..", human="both", **words) is None
    assert "1 T.TFF + ../..; 2 TT.FF + ./.; 3 TT.FF + #./#." in said
    assert (
        "TT.FF + ./. wins\nValues of the options: T.TFF + ../..: {1^|-1^}; TT.FF + ./.: 1*; TT.FF + #./#.: 1*" in said
    )
    assert "'9' is not a move: the list has moves 1 to 3" in said and "Alice moves to TT.FF + ./." in said
    assert "expected a game at character 0 of 'x'" in said


def test_the_move_that_lost_is_named():
    words, said = talk("1", "1", "1", "1")
    assert table("{0|0} + {5|-5}", human="Alice", **words) in ("Alice", "Bob")
    words, said = talk("1", "1")
    assert table("* + *2", human="Alice", **words) == "Bob"
    assert said[-1].startswith("Alice could win before move 1: Alice moves to ")


def test_a_draw_by_repetition():
    said = []
    assert play(TurnGame(There), (0, 0), human="nobody", say=said.append) == "nobody"
    assert said[-1] == "The position has occurred three times: a draw."
