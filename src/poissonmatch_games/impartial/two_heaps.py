"""Games on two heaps: Wythoff's game and two games called Euclid.

Sources: [WW] Berlekamp, Conway, Guy, *Winning Ways*; [CD] Cole and Davie, *A game based on the
Euclidean algorithm and a winning strategy for it* (1969); [N] Nivasch, *The Sprague-Grundy function
of the game Euclid* (2006).
"""

from collections.abc import Iterable, Iterator
from math import isqrt
from typing import Any

import numpy as np

from .base import ImpartialGame
from .heaps import Heaps
from .position_checks import MAX_TABLE, as_count, as_heaps, require_memory


class _TwoHeaps(ImpartialGame):
    min_heap = 0

    def validate(self, position: Any) -> Heaps:
        return as_heaps(position, count=2, minimum=self.min_heap)

    def _key(self, position: Any) -> Heaps:
        return tuple(sorted(position))


class Wythoff(_TwoHeaps):
    r"""Wythoff's game: take any number from one of two heaps, or the same number from both.

    The P-positions are :math:`(\lfloor k \varphi \rfloor, \lfloor k \varphi \rfloor + k)`; in
    misere play (0, 1) and (2, 2) replace (0, 0) and (1, 2). Values come from a table ([WW] ch. 3),
    outcomes and winning moves from the closed form.

    Examples
    --------
    >>> game = pm.games.impartial.Wythoff()
    >>> game.p_positions([(x, y) for x in range(9) for y in range(x, 15)])
    [(0, 0), (1, 2), (3, 5), (4, 7), (6, 10), (8, 13)]
    >>> game.winning_moves((6, 8)), game.winning_moves((10**30, 10**31))
    ([(3, 5)], [(1000000000000000000000000000000, 1618033988749894848204586834366)])
    """

    def options(self, position: Any) -> Iterator[Heaps]:
        """Yield the positions after one move: from the first heap, the second, or both."""
        x, y = self.validate(position)
        yield from ((remaining, y) for remaining in range(x))
        yield from ((x, remaining) for remaining in range(y))
        yield from ((x - both, y - both) for both in range(1, min(x, y) + 1))

    def values(self, largest: int, *, misere: bool | None = None) -> np.ndarray:
        """Return the nim-values of two heaps.

        Parameters
        ----------
        largest : int
            Largest heap.
        misere : bool, optional
            By default the convention of the game.

        Returns
        -------
        (largest + 1, largest + 1) int64
            Nim-values.

        Raises
        ------
        MemoryError
            If the table would exceed 2 GB.

        Examples
        --------
        >>> pm.games.impartial.Wythoff().values(4).tolist()
        [[0, 1, 2, 3, 4], [1, 2, 0, 4, 5], [2, 0, 1, 5, 3], [3, 4, 5, 6, 2], [4, 5, 3, 2, 7]]
        """
        play, size, tables = (
            self._play(misere),
            as_count(largest, "the largest heap", maximum=MAX_TABLE) + 1,
            self._memos["tables"],
        )
        if size > len(tables.get(play, ())):
            require_memory(size * (8 * size + 4 * (2 * size + 2)), f"a Wythoff table up to {largest}")
            from . import heap_kernels  # Numba, which most games do not need

            tables[play] = heap_kernels.wythoff_values(size, int(play))
        return tables[play][:size, :size].copy()

    def longest_play(self, position: Any) -> int:
        """Return the number of tokens: they can be taken one by one."""
        return sum(self.validate(position))

    def _value(self, position: Heaps, misere: bool) -> int:
        largest = max(position)
        size = len(self._memos["tables"].get(misere, ()))
        if largest >= size:
            self.values(max(largest, min(2 * size, 1024), 32), misere=misere)
        return int(self._memos["tables"][misere][position])

    def _is_p(self, position: Heaps, misere: bool) -> bool:
        low, high = self._key(position)
        if misere and high < 3:
            return (low, high) in ((0, 1), (2, 2))
        return low == _cold(high - low)

    def _candidates(self, position: Heaps, misere: bool) -> Iterator[Heaps]:
        x, y = position
        small = [(0, 1), (1, 0), (2, 2)] if misere else []
        low = _cold(abs(x - y))
        both = [(low, low + y - x)] if y >= x else [(low + x - y, low)]
        for a, b in [(x, _partner(x)), (_partner(y), y), *both, *small]:
            taken = x - a, y - b
            if min(taken) >= 0 and max(taken) > 0 and (min(taken) == 0 or taken[0] == taken[1]):
                yield a, b


def _cold(gap: int) -> int:
    """Return the smaller heap of the P-position whose heaps differ by `gap`: floor(gap phi)."""
    return (gap + isqrt(5 * gap * gap)) // 2


def _partner(heap: int) -> int:
    """Return the heap that forms a P-position with this one."""
    share = (isqrt(5 * heap * heap) - heap) // 2  # floor(heap / phi)
    return heap + share + 1 if _cold(share + 1) == heap else share


class Euclid(_TwoHeaps):
    r"""Euclid's game: subtract a positive multiple of the smaller heap from the larger.

    No heap may be emptied.

    This is Grossman's form; the form of Cole and Davie is `game_named("cole-davie")`. In normal
    play a position is P exactly if
    :math:`1/\varphi < x/y < \varphi`, and its value is :math:`\lfloor |y/x - x/y| \rfloor` ([N]).

    Examples
    --------
    >>> game = pm.games.impartial.Euclid()
    >>> game.outcome((21, 13)), game.grundy((7, 25)), game.winning_moves((7, 25))
    ('P', 3, [(7, 11)])
    """

    min_heap = 1

    def options(self, position: Any) -> Iterator[Heaps]:
        """Yield the positions after one move, the smallest remaining heap last."""
        x, y = self.validate(position)
        small, large = min(x, y), max(x, y)
        yield from self._reduced(x, y, range(large - small, self.min_heap - 1, -small) if small else ())

    @staticmethod
    def _reduced(x: int, y: int, sizes: Iterable[int]) -> Iterator[Heaps]:
        """Yield the positions in which the larger heap has one of these sizes.

        If the heaps are equal, it is either heap.
        """
        for size in sizes:
            if x >= y:
                yield size, y
            if y >= x:
                yield x, size

    def _value(self, position: Heaps, misere: bool) -> int:
        if misere:
            return super()._value(position, True)
        x, y = position
        return abs(y * y - x * x) // (x * y)

    def _candidates(self, position: Heaps, misere: bool) -> Iterator[Heaps]:
        """Return the options with one of two possible remainders.

        In normal play, P-positions are within a factor phi.
        """
        x, y = position
        small, large = min(x, y), max(x, y)
        if misere or not small:
            return self.options(position)
        rest = large % small
        return self._reduced(x, y, (size for size in (rest, rest + small) if self.min_heap <= size < large))


class ColeDavieEuclid(Euclid):
    """Euclid's game of Cole and Davie: a heap may be emptied, which ends the game ([CD])."""

    min_heap = 0

    def _value(self, position: Heaps, misere: bool) -> int:
        return ImpartialGame._value(self, position, misere)

    def _is_p(self, position: Heaps, misere: bool) -> bool:
        if misere:
            return super()._is_p(position, True)
        x, y = position
        return 0 in position or (x != y and abs(y * y - x * x) < x * y)
