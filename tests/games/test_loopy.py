"""Games that need not end: Poker Nim and Northcott against retrograde analysis and against rules told anew, in both plays."""

import functools
import itertools
import random
from collections import Counter

import poissonmatch_games as g
from helpers.slow_games import both_plays, forced
from helpers.tables import tables
from poissonmatch_games.impartial import loopy

TABLES = tables(__file__, "impartial.toml")


def xor(heaps):
    return functools.reduce(lambda a, b: a ^ b, heaps, 0)


def northcott_moves(position):
    """(who moves, length, white squares, black squares): as on a board, with no turning of it."""
    turn, length, *checkers = position
    found = []
    for row, square in enumerate(checkers[turn]):
        for to in range(length):
            between = range(min(square, to), max(square, to) + 1)
            if to != square and checkers[1 - turn][row] not in between:
                mine = checkers[turn][:row] + (to,) + checkers[turn][row + 1 :]
                found.append((1 - turn, length, *((mine, checkers[1]) if turn == 0 else (checkers[0], mine))))
    return found


def poker_moves(position):
    """(who moves, heaps, bags)."""
    turn, heaps, bags = position
    found = []
    for k, heap in enumerate(heaps):
        for change in (*range(-heap, 0), *range(1, bags[turn] + 1)):
            bag = tuple(b - change if i == turn else b for i, b in enumerate(bags))
            found.append((1 - turn, heaps[:k] + (heap + change,) + heaps[k + 1 :], bag))
    return found


NORTHCOTT = [
    (turn, length, white, black)
    for length, rows in TABLES["northcott"]
    for white in itertools.product(range(length), repeat=rows)
    for black in itertools.product(range(length), repeat=rows)
    if all(w != b for w, b in zip(white, black, strict=True))
    for turn in (0, 1)
]
POKER = [
    (turn, heaps, (a, chips - sum(heaps) - a))
    for chips, count in TABLES["poker"]
    for heaps in itertools.product(range(chips + 1), repeat=count)
    for a in range(chips - sum(heaps) + 1)
    for turn in (0, 1)
]


def seen_by_mover(position):
    turn, length, *checkers = position
    return tuple((length, *pair) for pair in zip(checkers[turn], checkers[1 - turn], strict=True))


LETTERS = {1: "N", -1: "P", 0: "D"}
LONG = 50  # moves, more than a forced win takes


@both_plays
def test_northcott_against_the_board(misere):
    """Normal play: Nim in the gaps, and no draws. Misere play: by search, with draws."""
    result, game, met = forced(northcott_moves), loopy.Northcott(misere=misere), Counter()
    for position in NORTHCOTT:
        seen, after = seen_by_mover(position), northcott_moves(position)
        outcome = game.outcome(seen)
        assert outcome == LETTERS[result(position, LONG, misere)], seen
        assert set(game.options(seen)) == set(map(seen_by_mover, after))
        wins = [option for option in after if result(option, LONG, misere) == -1]
        assert set(game.winning_moves(seen)) == set(map(seen_by_mover, wins))
        if not misere:
            assert (outcome == "P") == (xor(abs(a - b) - 1 for _, a, b in seen) == 0)
        met[outcome] += 1
    assert met == ({"D": 872, "N": 66, "P": 4} if misere else {"N": 496, "P": 446})


@both_plays
def test_poker_nim_against_the_table(misere):
    result, game = forced(poker_moves), loopy.PokerNim(misere=misere)
    for position in POKER:
        turn, heaps, bags = position
        seen = (heaps, bags[turn], bags[1 - turn])
        assert game.outcome(seen) == LETTERS[result(position, LONG, misere)], seen
        wins = {(h, b[1 - turn], b[turn]) for t, h, b in poker_moves(position) if result((t, h, b), LONG, misere) == -1}
        assert set(game.winning_moves(seen)) == wins
        if not misere:
            assert (game.outcome(seen) == "P") == (xor(heaps) == 0)
        else:
            assert game.outcome(seen) == ("D" if any(heaps) or (heaps and bags[turn]) else "N")


def test_huge_boards_need_no_search():
    game, rng = loopy.Northcott(), random.Random(1)
    rows = tuple((10**9, *rng.sample(range(10**9), 2)) for _ in range(40))
    move = game.winning_move(rows)
    assert game.outcome(rows) == "N" and game.is_p(move)
    assert loopy.PokerNim().winning_move(((10**18, 10**17), 5, 5)) == (
        (10**17, 10**17),
        5,
        5 + 10**18 - 10**17,
    )
    assert loopy.PokerNim().winning_move(((7, 7), 5, 5)) is None


def test_hurrying_and_remoteness():
    """A forced win in one move and in three: the nearer one comes first."""
    game = g.impartial.GraphGame("0:\n1: 0\n2: 1\n3: 2 0\n4: 4 3\n5: 5 4")
    assert [game.outcome(name) for name in "012345"] == list("PNPNDD")
    assert [game.remoteness(name) for name in "012345"] == [0, 1, 2, 1, None, None]
    assert game.winning_moves("3") == ["0", "2"] and game.winning_move("3") == "0"
    assert game.drawing_moves("4") == ["4"] and game.drawing_moves("3") == []
    assert game.winning_moves("2") == [] and game.drawing_moves("2") == []
