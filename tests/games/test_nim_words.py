"""The practical strategy of Nim in words: what it says to do wins, and what it says of the powers of two is so."""

import itertools
import re

import pytest

import poissonmatch_games as g
from helpers.slow_games import both_plays
from helpers.tables import tables

TABLES = tables(__file__)


def done(heaps, words):
    """The heaps after the move that the words name; None if they name none."""
    found = re.search(r"[Tt]ake (?:the whole heap of (\d+)|(\d+) from the heap of (\d+))", words)
    if not found:
        return None
    whole, taken, heap = (int(n) if n else 0 for n in found.groups())
    heap = whole or heap
    left, place = heap - (taken or whole), heaps.index(heap)
    assert 0 <= left < heap
    return (*heaps[:place], left, *heaps[place + 1 :])


@both_plays
def test_what_the_words_say_wins(misere):
    game = g.Nim(misere=misere)
    for heaps in itertools.chain.from_iterable(itertools.product(range(8), repeat=n) for n in range(4)):
        words = " ".join(game.advice(heaps))
        after = done(heaps, words)
        if max(heaps, default=0) > 1:
            assert (after is None) == game.is_p(heaps), (heaps, words)
        assert after is None or game.is_p(after), (heaps, words)
        if "the two heaps are equal" in words or "two heaps left are equal" in words:
            left = [heap for heap in after or heaps if heap]
            assert len(left) == 2 and left[0] == left[1]


@pytest.mark.parametrize("heaps, misere, words", TABLES["words"])
def test_the_words(heaps, misere, words):
    assert words in " ".join(g.Nim(misere=misere).advice(heaps))


def test_disguises_of_nim():
    assert "This is Nim with heaps 3 4 5" in g.impartial.loopy.PokerNim().advice(((3, 4, 5), 1, 1))[0]
    assert "This is Nim with heaps 2 0" in g.impartial.loopy.Northcott().advice(((5, 0, 3), (2, 1, 0)))[0]
    assert g.impartial.loopy.PokerNim(misere=True).advice(((3, 4), 1, 1)) == g.impartial.Kayles().advice(7) == []


def test_binary_columns():
    """As the lecture writes nim sums: each column of the last row is the parity of those above."""
    for heaps in [(0,), (3, 4, 5), (7, 12), (1, 1, 1), (100, 27, 5, 63)]:
        *rows, line, total = g.impartial.binary_columns(heaps)
        bits = [row.split()[1:] for row in (*rows, total)]
        assert [int("".join(row), 2) for row in bits[:-1]] == list(heaps) and set(line.strip()) == {"-"}
        assert [sum(map(int, column)) % 2 for column in zip(*bits[:-1], strict=True)] == list(map(int, bits[-1]))
        assert len({len(row) for row in (*rows, line, total)}) == 1
    assert g.Nim().advice((3, 4, 5))[:5] == g.impartial.binary_columns((3, 4, 5))
