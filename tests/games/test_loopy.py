"""Games that need not end: Poker Nim and Northcott against retrograde analysis and against rules told anew, in both plays."""

import functools
import itertools
import random
from collections import Counter

import pytest

import poissonmatch_games as g
from helpers.slow_games import both_plays
from poissonmatch_games.impartial import loopy


def xor(heaps):
    return functools.reduce(lambda a, b: a ^ b, heaps, 0)


def solved(moves, positions, misere):
    """The winner, "first", "second" or "", of each position (its first entry says who moves): a wave from the ends, word for word.

    Who cannot move loses (misere play: wins). moves: from a position to positions.
    """
    won = {}
    while True:
        new = {}
        for position in positions:
            if position not in won:
                after = list(moves(position))
                me, other = position[0], 1 - position[0]
                if not after:
                    new[position] = me if misere else other
                elif any(won.get(option) == me for option in after):
                    new[position] = me
                elif all(won.get(option) == other for option in after):
                    new[position] = other
        if not new:
            return won
        won |= new


def northcott_moves(position):
    """(who moves, length, white squares, black squares): as on a board, with no turning of it."""
    turn, length, *checkers = position
    for row, square in enumerate(checkers[turn]):
        for to in range(length):
            between = range(min(square, to), max(square, to) + 1)
            if to != square and checkers[1 - turn][row] not in between:
                mine = checkers[turn][:row] + (to,) + checkers[turn][row + 1 :]
                yield (1 - turn, length, *((mine, checkers[1]) if turn == 0 else (checkers[0], mine)))


def poker_moves(position):
    """(who moves, heaps, bags)."""
    turn, heaps, bags = position
    for k, heap in enumerate(heaps):
        for change in (*range(-heap, 0), *range(1, bags[turn] + 1)):
            bag = tuple(b - change if i == turn else b for i, b in enumerate(bags))
            yield 1 - turn, heaps[:k] + (heap + change,) + heaps[k + 1 :], bag


NORTHCOTT = [
    (turn, length, white, black)
    for length, rows in ((1, 0), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1), (2, 2), (3, 2), (4, 2), (3, 3))
    for white in itertools.product(range(length), repeat=rows)
    for black in itertools.product(range(length), repeat=rows)
    if all(w != b for w, b in zip(white, black, strict=True))
    for turn in (0, 1)
]
POKER = [
    (turn, heaps, (a, chips - sum(heaps) - a))
    for chips, count in ((0, 1), (3, 1), (5, 1), (4, 2), (6, 2), (5, 3))
    for heaps in itertools.product(range(chips + 1), repeat=count)
    for a in range(chips - sum(heaps) + 1)
    for turn in (0, 1)
]


def seen_by_mover(position):
    turn, length, *checkers = position
    return tuple((length, *pair) for pair in zip(checkers[turn], checkers[1 - turn], strict=True))


def letter(winner, turn):
    return "D" if winner is None else "N" if winner == turn else "P"


@both_plays
def test_northcott_against_the_board(misere):
    """Normal play: Nim in the gaps, and no draws. Misere play: by retrograde analysis, with draws."""
    won, game, met = solved(northcott_moves, NORTHCOTT, misere), loopy.Northcott(misere=misere), Counter()
    for position in NORTHCOTT:
        seen = seen_by_mover(position)
        outcome = game.outcome(seen)
        assert outcome == letter(won.get(position), position[0]), seen
        after = {seen_by_mover(option) for option in northcott_moves(position)}
        assert set(game.options(seen)) == after
        wins = {seen_by_mover(o) for o in northcott_moves(position) if won.get(o) == position[0]}
        assert set(game.winning_moves(seen)) == wins
        if not misere:
            assert (outcome == "P") == (xor(abs(a - b) - 1 for _, a, b in seen) == 0)
        met[outcome] += 1
    assert met == ({"D": 872, "N": 66, "P": 4} if misere else {"N": 496, "P": 446})


@both_plays
def test_poker_nim_against_the_table(misere):
    won, game = solved(poker_moves, POKER, misere), loopy.PokerNim(misere=misere)
    for position in POKER:
        turn, heaps, bags = position
        seen = (heaps, bags[turn], bags[1 - turn])
        assert game.outcome(seen) == letter(won.get(position), turn), seen
        wins = {(h, b[1 - turn], b[turn]) for t, h, b in poker_moves(position) if won.get((t, h, b)) == turn}
        assert set(game.winning_moves(seen)) == wins
        if not misere:
            assert (game.outcome(seen) == "P") == (xor(heaps) == 0)
        else:
            assert game.outcome(seen) == ("D" if any(heaps) or (heaps and bags[turn]) else "N")


def test_normal_play_is_never_a_draw_though_plays_come_back():
    for game, start in (
        (loopy.PokerNim(), ((1, 2), 1, 1)),
        (loopy.Northcott(), ((4, 0, 3), (4, 3, 1))),
    ):
        graph = g.option_graph(game, start)
        assert set(graph.labels) == {"P", "N"}
        for ask in (game.grundy, game.genus, game.is_tame):
            with pytest.raises(ValueError, match="need not end"):
                ask(start)
        assert [game.outcome(position) for position in graph.positions] == list(graph.labels)


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


class OnGraph(g.impartial.LoopyGame):
    """The game on the vertices of a graph."""

    def __init__(self, graph):
        super().__init__()
        self.graph = graph

    def options(self, position):
        return self.graph[position]


def test_hurrying_and_remoteness():
    """A forced win in one move and in three: the nearer one comes first."""
    game = OnGraph({0: [], 1: [0], 2: [1], 3: [2, 0], 4: [4, 3], 5: [5, 4]})
    assert [game.outcome(n) for n in range(6)] == list("PNPND") + ["D"]
    assert [game.remoteness(n) for n in range(6)] == [0, 1, 2, 1, None, None]
    assert game.winning_moves(3) == [0, 2] and game.winning_move(3) == 0
    assert game.drawing_moves(4) == [4] and game.drawing_moves(3) == []
    assert game.winning_moves(2) == [] and game.drawing_moves(2) == []


def test_too_many_positions():
    with pytest.raises(MemoryError, match="more than 200000 positions"):
        loopy.PokerNim(misere=True).outcome(((40, 40, 40), 40, 40))


@pytest.mark.parametrize(
    "game, position, error",
    [
        (loopy.Northcott(), ((4, 1, 1),), ValueError),
        (loopy.Northcott(), ((4, 1),), TypeError),
        (loopy.Northcott(), 3, TypeError),
        (loopy.PokerNim(), (1, 2, 3, 4), TypeError),
        (loopy.Northcott(), "X#O", ValueError),
        (loopy.PokerNim(), "3 | 1", ValueError),
        (loopy.PokerNim(), "3 | 1 2 | 1", ValueError),
    ],
)
def test_what_is_no_position(game, position, error):
    with pytest.raises(error):
        game.read(position) if isinstance(position, str) else game.outcome(position)
