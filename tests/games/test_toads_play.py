"""Toads against frogs, and Lucas's puzzle, in the terminal: the perfect player wins every line that can be won."""

import itertools
import re

import pytest

from games.test_impartial_play import lost_lines, talk
from helpers import slow_toads
from helpers.command_line import call
from helpers.slow_games import both_plays
from helpers.strips_of_toads import all_strips
from poissonmatch_games.impartial.entries import FAMILIES, GAMES, game_named
from poissonmatch_games.impartial.impartial_play import play
from poissonmatch_games.partisan.turns import TurnGame
from poissonmatch_games.play.played_games import PARTISAN, played_named
from poissonmatch_games.toads import ToadsAndFrogs
from poissonmatch_games.toads.lucas_puzzle import distances
from poissonmatch_games.toads.strip_games import puzzle


@both_plays
def test_the_perfect_player_wins_every_line_from_every_won_strip(misere):
    """All strips up to 6 squares, either side to move; who should win is told by the rules alone."""
    game, won = TurnGame(ToadsAndFrogs, misere=misere), 0
    for strip in all_strips(6):
        for mover, seen in (("T", (strip, 0)), ("F", (strip, 1))):
            should = slow_toads.wins(strip, mover, misere)
            assert (game.outcome(seen) == "N") == should, (strip, mover)
            if should and game.options(seen):
                assert lost_lines(game, seen, misere) == []
                won += 1
            assert sorted(game.winning_moves(seen)) == sorted(
                (after, 1 - seen[1])
                for _, after in slow_toads.moves(strip, mover)
                if not slow_toads.wins(after, {"T": "F", "F": "T"}[mover], misere)
            )
    assert won > 300


def test_a_game_is_seen_from_one_side():
    """Alice has the toads on her turn and on Bob's; a larger strip is played by the engine."""
    words, said = talk("hint", "moves", "TTT.FF.F", "T.TF.F", "quit")
    assert play(TurnGame(ToadsAndFrogs), ("TT..FF", 0), human="both", **words) is None
    assert (
        "1 T.T.FF" in said
        and "T.T.FF wins\nValues of the options: T.T.FF: 0" in said
        and "Not legal: no move leads to TTT.FF.F; moves lists them." in said
    )
    words, said = talk()
    big = "T" * 5 + "." * 6 + "F" * 5
    assert play(TurnGame(ToadsAndFrogs), (big, 0), human="nobody", **words) in ("Alice", "Bob")
    strips = [text[1:-1] for text in said if text.startswith("[")]
    for number, (old, new) in enumerate(itertools.pairwise(strips)):
        assert new in [after for _, after in slow_toads.moves(old, "TF"[number % 2])]
    with pytest.raises(ValueError, match="no nim-values"):
        TurnGame(ToadsAndFrogs).grundy(("T.F", 0))


@pytest.mark.parametrize("strip", ["TTT.FFF", "TT.F", "TT..FF", "T..F", "T.", ".F", ".", "TTTT.FFFF"])
def test_the_puzzle(strip):
    said = []
    fewest = slow_toads.fewest(strip, strip[::-1])
    assert puzzle(strip, person=False, say=said.append) == fewest == distances(strip)[strip]
    assert (
        said[-1].endswith(f"after {fewest} move{'s' * (fewest != 1)}: solved.")
        and f"The smallest number of moves is {fewest}." in said[0]
    )
    for other, moves in distances(strip).items():
        if len(strip) < 7:
            assert slow_toads.fewest(other, strip[::-1]) == moves
    following = []

    def ask(prompt):  # a person who asks for a hint before each move
        following.append(prompt)
        return "hint" if len(following) % 2 else re.fullmatch(r"(\d+) [TF] from \d+ to \d+", said[-1])[1]

    assert puzzle(strip, ask=ask, say=said.append) == fewest and len(following) == 2 * fewest


def test_a_person_who_loses_the_way():
    words, said = talk("3", "0", "hint", "moves", "9", "x", "undo", "undo", "undo", "help", "q")
    assert puzzle("TT.FF", "the rules", **words) is None
    assert "'3' is not a move; moves lists them" in said
    assert sum(text.startswith("the rules") for text in said) == 2
    assert said.count("[TT.FF] after 0 moves") == 1
    words, said = talk("1", "1", "hint", "moves")
    assert puzzle("TT.FF", **words) is None
    assert "This position has no solution: type undo." in said and "[.TTFF] after 2 moves" in said


SINGLE = [*PARTISAN, *GAMES, *(family.example for family in FAMILIES.values())]


@pytest.mark.parametrize("name", SINGLE)
def test_the_rules_are_three_sentences(name):
    rules = played_named(name).rules
    assert len(re.split(r"(?<=[.)]) (?=[A-Z])", rules)) == 3 and rules.endswith((").", "."))
    code, text = call("play", name, "--rules")
    assert code == 0 and text == f"{rules}\nSource: {played_named(name).source}\n"
    if name not in PARTISAN:
        assert game_named(name).rules == rules
