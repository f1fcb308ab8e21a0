"""Games on heaps: Nim, subtraction games, octal games (Kayles, Dawson's Kayles).

Sources: [WW] Berlekamp, Conway, Guy, *Winning Ways*; [GS] Guy and Smith, *The G-values of various
games* (1956); [S] Siegel, *Combinatorial Game Theory* (2013); [M] MIT SP.268, *Theory of impartial
games*.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from operator import xor
from typing import Any

import numpy as np

from poissonmatch.utils.errors import quoted
from poissonmatch.utils.immutable import cached_property

from ..cost_bounds import CostBound
from .base import ImpartialGame
from .genus import mex, nim_like
from .nim_advice import binary_columns, practical
from .periods import Period, find_period
from .position_checks import MAX_TABLE, as_count, as_heaps, require_memory
from .upward_search import options_by

MAX_COLUMN = 30  # heaps whose nim-sum is written in binary
MAX_TAKE = 10_000  # largest number of a subtraction set
SEARCHED = 8192  # heaps whose values are searched for a proved period, which gives those of larger heaps
Heaps = tuple[int, ...]


class HeapGame(ImpartialGame):
    """Base class of games on independent heaps.

    A position is a tuple of heap sizes, or one integer.

    A ruleset defines `replacements(heap)`. An empty heap remains as 0.

    Examples
    --------
    >>> # Lasker's Nim, Winning Ways, ch. 4: take from a heap, or split it
    >>> class Laskers(pm.games.impartial.HeapGame):
    ...     replacements = lambda self, heap: [(n,) for n in range(heap)] + [(n, heap - n) for n in range(1, heap)]
    >>> Laskers().values(8).tolist()
    [0, 1, 2, 4, 3, 5, 6, 8, 7]
    >>> Laskers().winning_moves((3, 4))
    [(1, 2, 4), (2, 1, 4), (3, 3)]
    """

    @abstractmethod
    def replacements(self, heap: int) -> Iterable[Heaps]:
        """Return what a move may replace `heap` by: tuples of smaller heaps.

        Parameters
        ----------
        heap : int
            Size of the heap.

        Returns
        -------
        iterable of tuple of int
            Sizes of the heaps after each move.
        """

    def validate(self, position: Any) -> Heaps:
        """Return the heap sizes as a tuple; an integer is one heap."""
        return as_heaps(position)

    def options(self, position: Any) -> Iterator[Heaps]:
        """Yield the positions after one move, heap by heap."""
        heaps = self.validate(position)
        for i, heap in enumerate(heaps):
            for instead in self._checked(heap):
                yield heaps[:i] + instead + heaps[i + 1 :]

    def _checked(self, heap: int) -> Iterator[Heaps]:
        for parts in self.replacements(heap):
            if not isinstance(parts, tuple) or not all(part in range(heap) for part in parts):
                raise ValueError(f"a heap of {heap} must be replaced by tuples of smaller heaps, got {quoted(parts)}")
            yield parts

    def _key(self, position: Any) -> Heaps:
        return tuple(sorted(heap for heap in position if heap))

    def _by_heap(self, name: str, heap: int, combine: Callable[[Iterable[list[int]]], int]) -> int:
        """Return combine(results for the heaps of each replacement).

        It is computed once for each heap up to this one.
        """
        if heap >= self.max_positions:
            raise MemoryError(self._too_much((heap,), "heaps"))
        results: list[int] = self.__dict__.setdefault(name, [])
        for n in range(len(results), heap + 1):
            replaced = options_by(self._checked, n, f"{type(self).__name__}.replacements")
            results.append(combine([results[part] for part in parts] for parts in replaced))
        return results[heap]

    def _heap_value(self, heap: int) -> int:
        return self._by_heap("_values_by_heap", heap, lambda after: mex(reduce(xor, parts, 0) for parts in after))

    def longest_play(self, position: Any) -> int:
        """Return the sum of the longest plays of the heaps."""
        return sum(
            self._by_heap("_longest_by_heap", heap, lambda after: 1 + max(map(sum, after), default=-1))
            for heap in self.validate(position)
        )

    def _value(self, position: Heaps, misere: bool) -> int:
        if not misere:
            return reduce(xor, (self._heap_value(heap) for heap in position), 0)
        if len(self._key(position)) > 1 and all(self.is_tame(heap) for heap in position):
            single = super()._value
            return nim_like((self._heap_value(heap), single((heap,), True)) for heap in position)[1]
        return super()._value(position, True)


class Nim(HeapGame):
    """Nim: take any number of tokens from one heap (octal code 0.333...).

    The value is the XOR of the heaps; in misere play 0 and 1 are exchanged if no heap has more than
    one token (Bouton; [M]).

    Examples
    --------
    >>> nim = pm.games.Nim()
    >>> nim.grundy((3, 4, 5)), nim.winning_moves((3, 4, 5))
    (2, [(1, 4, 5)])
    >>> nim.winning_moves((1, 1, 7), misere=True)
    [(1, 1, 1)]
    """

    def replacements(self, heap: int) -> Iterator[Heaps]:
        """Yield the smaller heaps."""
        return ((remaining,) for remaining in range(heap))

    def _value(self, position: Heaps, misere: bool) -> int:
        return reduce(xor, position, 0) ^ (misere and max(position, default=0) < 2)

    def is_tame(self, position: Any) -> bool:
        """Return True: Nim is tame."""
        self.validate(position)
        return True

    def longest_play(self, position: Any) -> int:
        """Return the number of tokens: they can be taken one by one."""
        return sum(self.validate(position))

    def advice(self, position: Any, *, misere: bool | None = None) -> list[str]:
        """Return the nim-sum in binary columns and the practical strategy in words.

        The columns are left out if a heap is 2^64 or larger.
        """
        heaps = self.validate(position)
        columns = binary_columns(heaps) if 1 < len(heaps) <= MAX_COLUMN and max(heaps) < 2**64 else []
        return [*columns, *practical(heaps, self._play(misere))]

    def _candidates(self, position: Heaps, misere: bool) -> Iterator[Heaps]:
        total = reduce(xor, position, 0)
        for i, heap in enumerate(position):
            for remaining in sorted({heap ^ total, 0, 1}):
                if remaining < heap:
                    yield position[:i] + (remaining,) + position[i + 1 :]


class _CompiledHeaps(HeapGame):
    """Heap games whose tables of nim-values are compiled: `digits` as of an octal code, and whether heaps split unequally."""

    digits: tuple[int, ...] = ()
    unequal, _table = False, np.zeros(0, np.int64)

    def values(self, largest: int, *, misere: bool | None = None) -> np.ndarray:
        """Return the nim-values of single heaps 0..largest, an int64 array.

        The time is O(largest^2) if heaps split and no period is proved.

        Misere play of games that split heaps is a search over all partitions: MemoryError beyond
        `max_positions`.
        """
        size, play = as_count(largest, "the largest heap", maximum=MAX_TABLE) + 1, self._play(misere)
        require_memory(24 * size, f"a table of the heaps up to {largest}")
        if play and max(self.digits) >= 4:
            return super().values(largest, misere=True)
        if not play and size > SEARCHED and (period := self._proved_period) is not None:
            start = self.values(period.preperiod + period.period - 1, misere=False)
            return np.concatenate([start, np.resize(start[period.preperiod :], size - len(start))])
        if (steps := sum(digit >= 4 for digit in self.digits) * size**2 / 4) > self.max_steps:
            raise CostBound(
                f"a table of the heaps up to {largest} takes about {steps:.2g} steps, more than max_steps = {self.max_steps:.2g}"
            )
        from . import heap_kernels  # Numba, which most games do not need

        return heap_kernels.octal_values(np.array(self.digits, np.int64), size, int(play), self.unequal)

    @cached_property
    def _proved_period(self) -> Period | None:
        period = self.period(SEARCHED - 1)
        return period if period and period.proved else None

    def _heap_value(self, heap: int) -> int:
        if heap >= SEARCHED and (period := self._proved_period) is not None:
            heap = period.preperiod + (heap - period.preperiod) % period.period
        if heap >= len(self._table):
            self._table = self.values(max(2 * len(self._table), heap, 64), misere=False)
        return int(self._table[heap])

    def _proof_length(self, preperiod: int, period: int) -> int:
        return 2 * (preperiod + period) + len(self.digits) - 1

    def period(self, largest: int = 20_000) -> Period | None:
        r"""Return the period of the nim-values in normal play.

        It is proved by the octal periodicity theorem ([GS]; [S] ch. IV).

        For a code with k digits, :math:`g(n + p) = g(n)` for :math:`n_0 \le n < 2 n_0 + p + k`
        implies it for all :math:`n \ge n_0`.

        Parameters
        ----------
        largest : int, default 20_000
            Largest heap that is examined.

        Returns
        -------
        Period or None
            With the fields `preperiod`, `period`, `saltus`, `checked` (number of values) and
            `proved`; None without a period.

        Examples
        --------
        >>> pm.games.impartial.Kayles().period()
        Period(preperiod=71, period=12, saltus=0, checked=257, proved=True)
        """
        size = min(256, as_count(largest, "the largest heap", maximum=MAX_TABLE))
        while True:
            period = find_period(self.values(size, misere=False), self._proof_length)
            if (period and period.proved) or size == largest:
                return period
            size = min(2 * size, largest)


class OctalGame(_CompiledHeaps):
    """Octal game 0.d1 d2 ... dk.

    The digit dk says whether k tokens may be removed from a heap so that no heap (bit 1), one heap
    (bit 2) or two heaps (bit 4) are left. A code 4.d1 d2 ... also allows splitting a heap without
    removing tokens. Source: [WW] ch. 4, [S] ch. IV.

    Parameters
    ----------
    code : str
        As in "0.77" (Kayles), "0.07" (Dawson's Kayles), "0.137" (Dawson's Chess).
    misere : bool, default False
        Whether the player who cannot move wins.

    Raises
    ------
    ValueError
        If the text is not an octal code.
    TypeError
        If the code is not text.

    Examples
    --------
    >>> # Winning Ways, ch. 4: on n squares it is a heap n + 2
    >>> treblecross = pm.games.impartial.OctalGame("0.007")
    >>> treblecross.values(14).tolist(), treblecross.winning_moves(7)
    ([0, 0, 0, 1, 1, 1, 2, 2, 0, 3, 3, 1, 1, 1, 0], [(2, 2)])
    """

    def __init__(self, code: str, *, misere: bool = False) -> None:
        super().__init__(misere=misere)
        if not isinstance(code, str):
            raise TypeError(f"an octal code must be text, as in '0.77', got {quoted(code)}")
        whole, point, digits = code.partition(".")
        if not point or whole not in ("", "0", "4") or not digits or set(digits) - set("01234567"):
            raise ValueError(f"an octal code must be 0.d1d2... or 4.d1d2... with digits 0 to 7, got {quoted(code)}")
        digits = digits.rstrip("0")
        self.digits = (int(whole or 0), *map(int, digits))
        self.code = f"{self.digits[0]}.{digits}"

    def replacements(self, heap: int) -> Iterator[Heaps]:
        """Yield what a move may leave of a heap, by the digits of the code."""
        for removed, digit in enumerate(self.digits[: heap + 1]):
            rest = heap - removed
            if digit & 1 and rest == 0:
                yield (0,)
            if digit & 2 and rest:
                yield (rest,)
            if digit & 4:
                yield from ((a, rest - a) for a in range(1, rest // 2 + 1))


class SubtractionGame(OctalGame):
    """Subtraction game: a move takes s tokens from a heap, s in a finite set.

    The values are periodic; max(take) repeated values prove a period.

    Parameters
    ----------
    take : iterable of int
        The numbers of tokens, positive.
    misere : bool, default False
        Whether the player who cannot move wins.

    Raises
    ------
    ValueError
        If the set is empty, or contains a number that is not positive.

    Examples
    --------
    >>> game = pm.games.impartial.SubtractionGame([2, 5, 6])
    >>> game.values(21).tolist(), game.period().period
    ([0, 0, 1, 1, 0, 2, 1, 3, 0, 2, 1, 0, 0, 1, 1, 0, 2, 1, 3, 0, 2, 1], 11)
    """

    def __init__(self, take: Iterable[int], *, misere: bool = False) -> None:
        self.take = tuple(sorted({as_count(s, "a number to take", 1, MAX_TAKE) for s in take}))
        if not self.take:
            raise ValueError("a subtraction set must not be empty")
        digits = ("3" if s in self.take else "0" for s in range(1, self.take[-1] + 1))
        super().__init__("0." + "".join(digits), misere=misere)

    def _proof_length(self, preperiod: int, period: int) -> int:
        return preperiod + period + self.take[-1]


class Kayles(OctalGame):
    """Kayles, octal code 0.77: knock down one pin of a row, or two neighboring pins.

    The values have period 12 from heap 71 on ([GS]).

    Parameters
    ----------
    misere : bool, default False
        Whether the player who cannot move wins.

    Examples
    --------
    >>> pm.games.impartial.Kayles().values(12).tolist()
    [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4]
    >>> kayles = pm.games.impartial.Kayles()
    >>> kayles.winning_moves(5), kayles.is_tame(5), kayles.longest_play(5)
    ([(2, 2)], False, 5)
    """

    def __init__(self, *, misere: bool = False) -> None:
        super().__init__("0.77", misere=misere)


class GrundysGame(_CompiledHeaps):
    """Grundy's game: split a heap into two that are not equal ([WW] ch. 4).

    Whether the values are periodic is not known.

    Examples
    --------
    >>> game = pm.games.impartial.GrundysGame()
    >>> game.values(12).tolist()
    [0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1]
    >>> game.winning_moves((5, 8))
    []
    """

    digits, unequal = (4,), True

    def _proof_length(self, preperiod: int, period: int) -> int:
        return MAX_TABLE  # no theorem

    def replacements(self, heap: int) -> Iterator[Heaps]:
        """Yield the ways to split a heap, the smaller part first."""
        return ((part, heap - part) for part in range(1, (heap + 1) // 2))
