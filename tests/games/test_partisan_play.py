"""Partisan positions and sums in the terminal: the perfect player wins what can be won, and moves are typed in one way."""

import pytest

from games.test_impartial_play import talk
from helpers.command_line import call
from poissonmatch_games import position_from
from poissonmatch_games.partisan import Ruleset
from poissonmatch_games.play.partisan_play import PartisanTable
from poissonmatch_games.two_player import play


def table(text, **words):
    position = position_from(text)
    return play(PartisanTable(position), (position.position, 0), **words)


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
    assert "Not legal: no move leads to 'x'; moves lists them." in said


def test_the_move_that_lost_is_named():
    words, said = talk("1", "1", "1", "1")
    assert table("{0|0} + {5|-5}", human="Alice", **words) in ("Alice", "Bob")
    words, said = talk("1", "1")
    assert table("* + *2", human="Alice", **words) == "Bob"
    assert said[-1].startswith("Alice could win before move 1: Alice moves to ")


def test_a_draw_by_repetition():
    class There(Ruleset):
        left_moves = right_moves = staticmethod(lambda s: [1 - s])

    said = []
    assert play(PartisanTable(There(0)), (0, 0), human="nobody", say=said.append) == "nobody"
    assert said[-1] == "The position has occurred three times: a draw."


def test_the_command_plays_games_and_sums_by_name():
    for name in ("domineering", "colored-hackenbush", "TT.FF + ../.."):
        code, text = call("play", name, "--human", "nobody")
        assert code == 0 and text.splitlines()[-1].endswith("wins."), text
    assert call("play", "domineering", "../..", "--human", "nobody")[0] == 0
    code, text = call("play", "toad")
    assert code == 2 and "unknown game 'toad'; did you mean 'toads-and-frogs'?" in text
    code, text = call("play", "domineering", "x")
    assert code == 2 and "a board of Domineering must be written with" in text
