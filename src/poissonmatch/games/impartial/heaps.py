"""Games on heaps: Nim, subtraction games, octal games (Kayles, Dawson's Kayles), Wythoff, Euclid.

Sources: [WW] Berlekamp, Conway, Guy, *Winning Ways*; [GS] Guy and Smith, *The G-values of various games* (1956);
[S] Siegel, *Combinatorial Game Theory* (2013); [M] MIT SP.268, *Theory of impartial games*;
[N] Nivasch, *The Sprague-Grundy function of the game Euclid* (2006).
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from operator import xor
from typing import Any

import numpy as np

from ...utils.errors import quoted
from . import heap_kernels
from .base import ImpartialGame, mex, nim_like
from .nim_words import practical
from .periods import Period, find_period
from .positions import as_count, as_heaps, require_memory

Heaps = tuple[int, ...]


class HeapGame(ImpartialGame):
    """A game whose position is any number of heaps, each played by itself; a lone integer is one heap.

    A ruleset gives `replacements(heap)`. An emptied heap stays as 0.

    Parameters
    ----------
    misere : bool, default False

    Examples
    --------
    >>> class Grundys(pm.games.HeapGame):  # split a heap into two that are not equal (Winning Ways, ch. 4)
    ...     replacements = lambda self, heap: [(n, heap - n) for n in range(1, (heap + 1) // 2)]
    >>> Grundys().values(12).tolist()
    [0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1]
    >>> Grundys().winning_moves((5, 8))
    []
    """

    @abstractmethod
    def replacements(self, heap: int) -> Iterable[Heaps]:
        """What one move may put in the place of `heap`: tuples of smaller heaps."""

    def values(self, largest: int, *, misere: bool | None = None) -> np.ndarray:
        """int64 nim-values of the single heaps 0..largest.

        Parameters
        ----------
        largest : int
        misere : bool, optional
        """
        heaps, play = range(as_count(largest, "the largest heap") + 1), self._play(misere)
        return np.array([self._value((heap,), play) for heap in heaps], np.int64)

    def validate(self, position: Any) -> Heaps:
        return as_heaps(position)

    def options(self, position: Any) -> Iterator[Heaps]:
        heaps = self.validate(position)
        for i, heap in enumerate(heaps):
            for instead in self.replacements(heap):
                yield heaps[:i] + instead + heaps[i + 1 :]

    def _key(self, position: Any) -> Heaps:
        return tuple(sorted(heap for heap in position if heap))

    def _by_heap(self, name: str, heap: int, combine: Callable[[Iterable[list[int]]], int]) -> int:
        """combine(what was found for the heaps of each replacement), for each heap up to this one, once."""
        if heap >= self.max_positions:
            raise MemoryError(self._too_much((heap,), "heaps"))
        known: list[int] = self.__dict__.setdefault(name, [])
        for n in range(len(known), heap + 1):
            known.append(combine([known[part] for part in parts] for parts in self.replacements(n)))
        return known[heap]

    def _heap_value(self, heap: int) -> int:
        return self._by_heap("_values_by_heap", heap, lambda after: mex(reduce(xor, parts, 0) for parts in after))

    def longest_play(self, position: Any) -> int:
        """The sum of the longest plays of the heaps."""
        heaps = self.validate(position)
        return sum(
            self._by_heap("_longest_by_heap", heap, lambda after: 1 + max(map(sum, after), default=-1))
            for heap in heaps
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

    Value: the XOR of the heaps; in misere play the other one of 0 and 1 while no heap has two tokens (Bouton; [M]).

    Parameters
    ----------
    misere : bool, default False

    Examples
    --------
    >>> nim = pm.games.Nim()
    >>> nim.grundy((3, 4, 5)), nim.winning_moves((3, 4, 5))
    (2, [(1, 4, 5)])
    >>> nim.winning_moves((1, 1, 7), misere=True)
    [(1, 1, 1)]
    """

    def replacements(self, heap: int) -> Iterator[Heaps]:
        return ((left,) for left in range(heap))

    def _value(self, position: Heaps, misere: bool) -> int:
        return reduce(xor, position, 0) ^ (misere and max(position, default=0) < 2)

    def is_tame(self, position: Any) -> bool:
        self.validate(position)
        return True

    def longest_play(self, position: Any) -> int:
        """All tokens, one by one."""
        return sum(self.validate(position))

    def advice(self, position: Any, *, misere: bool | None = None) -> list[str]:
        return practical(self.validate(position), self._play(misere))

    def _candidates(self, position: Heaps, misere: bool) -> Iterator[Heaps]:
        total = reduce(xor, position, 0)
        for i, heap in enumerate(position):
            for left in sorted({heap ^ total, 0, 1}):
                if left < heap:
                    yield position[:i] + (left,) + position[i + 1 :]


class OctalGame(HeapGame):
    """The octal game 0.d1 d2 ... dk.

    As the digit dk says, k tokens may be removed from a heap if that leaves no heap (bit 1), one heap (bit 2), two heaps
    (bit 4). A code 4.d1 d2 ... also allows a heap to be split with nothing removed. Source: [WW] ch. 4, [S] ch. IV.

    Parameters
    ----------
    code : str
    misere : bool, default False

    Raises
    ------
    ValueError
        The text is no such code.
    TypeError
        The code is no text.

    Examples
    --------
    >>> treblecross = pm.games.OctalGame("0.007")  # on n squares it is a heap n + 2 (Winning Ways, ch. 4)
    >>> treblecross.values(14).tolist(), treblecross.winning_moves(7)
    ([0, 0, 0, 1, 1, 1, 2, 2, 0, 3, 3, 1, 1, 1, 0], [(2, 2)])
    """

    def __init__(self, code: str, *, misere: bool = False) -> None:
        super().__init__(misere=misere)
        if not isinstance(code, str):
            raise TypeError(f"an octal code is text, as in '0.77', not {quoted(code)}")
        whole, point, digits = code.partition(".")
        if not point or whole not in ("", "0", "4") or not digits or set(digits) - set("01234567"):
            raise ValueError(f"an octal code is 0.d1d2... or 4.d1d2... with digits 0 to 7, not {quoted(code)}")
        digits = digits.rstrip("0")
        self.digits = (int(whole or 0), *map(int, digits))
        self.code = f"{self.digits[0]}.{digits}"
        self._table = np.zeros(0, np.int64)

    def replacements(self, heap: int) -> Iterator[Heaps]:
        for removed, digit in enumerate(self.digits[: heap + 1]):
            rest = heap - removed
            if digit & 1 and rest == 0:
                yield (0,)
            if digit & 2 and rest:
                yield (rest,)
            if digit & 4:
                yield from ((a, rest - a) for a in range(1, rest // 2 + 1))

    def values(self, largest: int, *, misere: bool | None = None) -> np.ndarray:
        """int64 nim-values of the single heaps 0..largest, in compiled code, in time largest^2 where heaps split.

        Misere play with splitting is a search over all partitions: MemoryError where it passes `max_positions`.

        Parameters
        ----------
        largest : int
        misere : bool, optional
        """
        size, play = as_count(largest, "the largest heap") + 1, self._play(misere)
        require_memory(24 * size, f"a table of the heaps up to {largest}")
        if play and max(self.digits) >= 4:
            return super().values(largest, misere=True)
        return heap_kernels.octal_values(np.array(self.digits, np.int64), size, int(play))

    def _heap_value(self, heap: int) -> int:
        if heap >= len(self._table):
            self._table = self.values(max(2 * len(self._table), heap, 64), misere=False)
        return int(self._table[heap])

    def _proof_length(self, preperiod: int, period: int) -> int:
        return 2 * (preperiod + period) + len(self.digits) - 1

    def period(self, largest: int = 20_000) -> Period | None:
        r"""The period of the normal nim-values, proved where the octal periodicity theorem applies ([GS]; [S] ch. IV).

        With k the last digit's place, :math:`g(n + p) = g(n)` for :math:`n_0 \le n < 2 n_0 + p + k` gives it for all :math:`n \ge n_0`.

        Parameters
        ----------
        largest : int
            It is looked for in heaps up to this one.

        Returns
        -------
        Period or None
            None if no period shows.

        Examples
        --------
        >>> pm.games.Kayles().period()
        Period(preperiod=71, period=12, saltus=0, checked=257, proved=True)
        """
        size = min(256, as_count(largest, "the largest heap"))
        while True:
            found = find_period(self.values(size, misere=False), self._proof_length)
            if (found and found.proved) or size == largest:
                return found
            size = min(2 * size, largest)


class SubtractionGame(OctalGame):
    """A move takes s tokens from a heap, s in a finite set of positive integers.

    As an octal game it has the digit 3 at each s; its values have a period, and a run of max(take) repeats proves it.

    Parameters
    ----------
    take : iterable of int
    misere : bool, default False

    Raises
    ------
    ValueError
        The set is empty, or a number of it is not positive.

    Examples
    --------
    >>> game = pm.games.SubtractionGame([2, 5, 6])
    >>> game.values(21).tolist(), game.period().period
    ([0, 0, 1, 1, 0, 2, 1, 3, 0, 2, 1, 0, 0, 1, 1, 0, 2, 1, 3, 0, 2, 1], 11)
    """

    def __init__(self, take: Iterable[int], *, misere: bool = False) -> None:
        self.take = tuple(sorted({as_count(s, "a number to take", 1) for s in take}))
        if not self.take:
            raise ValueError("a subtraction set must not be empty")
        digits = ("3" if s in self.take else "0" for s in range(1, self.take[-1] + 1))
        super().__init__("0." + "".join(digits), misere=misere)

    def _proof_length(self, preperiod: int, period: int) -> int:
        return preperiod + period + self.take[-1]


class TwentyOne(SubtractionGame):
    """The 21 game of [M]: from 21 coins (`start`) each player takes one, two or three; value n mod 4.

    Parameters
    ----------
    misere : bool, default False

    Examples
    --------
    >>> game = pm.games.TwentyOne()
    >>> game.winning_moves(game.start), game.winning_moves(game.start, misere=True)
    ([(20,)], [])
    """

    start = 21

    def __init__(self, *, misere: bool = False) -> None:
        super().__init__((1, 2, 3), misere=misere)


class Kayles(OctalGame):
    """Kayles, octal code 0.77: knock down one pin of a row, or two neighbors. Period 12 from heap 71 on ([GS]).

    Parameters
    ----------
    misere : bool, default False

    Examples
    --------
    >>> pm.games.Kayles().values(12).tolist()
    [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4]
    >>> pm.games.Kayles().winning_moves(5), pm.games.Kayles().is_tame(5), pm.games.Kayles().longest_play(5)
    ([(2, 2)], False, 5)
    """

    def __init__(self, *, misere: bool = False) -> None:
        super().__init__("0.77", misere=misere)


class DawsonsKayles(OctalGame):
    """Dawson's Kayles, octal code 0.07: knock down exactly two neighboring pins. Period 34 from heap 53 on ([GS]).

    Parameters
    ----------
    misere : bool, default False

    Examples
    --------
    >>> pm.games.DawsonsKayles().values(13).tolist()
    [0, 0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2]
    """

    def __init__(self, *, misere: bool = False) -> None:
        super().__init__("0.07", misere=misere)


class DawsonsChess(OctalGame):
    """Dawson's Chess, octal code 0.137: two rows of n pawns face each other, a row apart, and capture when they can.

    What is left after the exchange is: one column gone at the end of the board, or three, two at its end ([GS]). The
    values are those of Dawson's Kayles one place later: g at n is that of 0.07 at n + 1.

    Parameters
    ----------
    misere : bool, default False

    Examples
    --------
    >>> pm.games.DawsonsChess().values(12).tolist()
    [0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2]
    """

    def __init__(self, *, misere: bool = False) -> None:
        super().__init__("0.137", misere=misere)
