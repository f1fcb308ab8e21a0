"""Games on heaps: Nim, subtraction games, octal games (Kayles, Dawson's Kayles), Wythoff, Euclid.

Sources: [WW] Berlekamp, Conway, Guy, *Winning Ways*; [GS] Guy and Smith, *The G-values of various games* (1956);
[S] Siegel, *Combinatorial Game Theory* (2013); [M] MIT SP.268, *Theory of impartial games*;
[N] Nivasch, *The Sprague-Grundy function of the game Euclid* (2006).
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from functools import reduce
from math import isqrt
from operator import xor
from typing import Any

import numpy as np

from ...errors import quoted
from . import heap_kernels
from .base import ImpartialGame, mex, nim_like
from .periods import Period, find_period
from .positions import as_count, as_heaps, require_memory

Heaps = tuple[int, ...]


class HeapGame(ImpartialGame):
    """A game whose position is any number of heaps, each played by itself; a lone integer is one heap.

    A ruleset gives `replacements(heap)`. An emptied heap stays as 0.
    """

    @abstractmethod
    def replacements(self, heap: int) -> Iterable[Heaps]:
        """What one move may put in the place of `heap`: tuples of smaller heaps."""

    def values(self, largest: int, *, misere: bool | None = None) -> np.ndarray:
        """int64 nim-values of the single heaps 0..largest."""
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

    def _heap_value(self, heap: int) -> int:
        known: list[int] = self.__dict__.setdefault("_known", [])
        for n in range(len(known), heap + 1):
            known.append(mex(reduce(xor, (known[part] for part in parts), 0) for parts in self.replacements(n)))
        return known[heap]

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
    """

    def replacements(self, heap: int) -> Iterator[Heaps]:
        return ((left,) for left in range(heap))

    def _value(self, position: Heaps, misere: bool) -> int:
        return reduce(xor, position, 0) ^ (misere and max(position, default=0) < 2)

    def is_tame(self, position: Any) -> bool:
        self.validate(position)
        return True

    def winning_moves(self, position: Any, *, misere: bool | None = None) -> list[Heaps]:
        """As for every game, without a search: heaps may be huge."""
        heaps, play, total = self.validate(position), self._play(misere), self._value(self.validate(position), False)
        moves = [
            heaps[:i] + (left,) + heaps[i + 1 :]
            for i, heap in enumerate(heaps)
            for left in sorted({heap ^ total, 0, 1})
            if left < heap
        ]
        return [move for move in dict.fromkeys(moves) if self._is_p(move, play)]


class OctalGame(HeapGame):
    """The octal game 0.d1 d2 ... dk: k tokens may be removed from a heap if that leaves no heap (bit 1 of the digit
    dk), one heap (bit 2), two heaps (bit 4). A code 4.d1 d2 ... also allows a heap to be split with nothing removed.

    Raises ValueError for text that is no such code, TypeError for anything but text.
    Source: [WW] ch. 4, [S] ch. IV.
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
        """The period of the normal nim-values, looked for in heaps up to `largest`, proved where the octal
        periodicity theorem applies: g(n + p) = g(n) for n0 <= n < 2 n0 + p + k, k the last digit's place, gives it
        for all n >= n0 ([GS]; [S] ch. IV). None if no period shows."""
        size = min(256, as_count(largest, "the largest heap"))
        while True:
            found = find_period(self.values(size, misere=False), self._proof_length)
            if (found and found.proved) or size == largest:
                return found
            size = min(2 * size, largest)


class SubtractionGame(OctalGame):
    """A move takes s tokens from a heap, s in a finite set `take` of positive integers.

    As an octal game it has the digit 3 at each s; its values have a period, and a run of max(take) repeats proves it.
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
    """The 21 game of [M]: from 21 coins (`start`) each player takes one, two or three; value n mod 4."""

    start = 21

    def __init__(self, *, misere: bool = False) -> None:
        super().__init__((1, 2, 3), misere=misere)


class Kayles(OctalGame):
    """Kayles, octal code 0.77: knock down one pin of a row, or two neighbors. Period 12 from heap 71 on ([GS])."""

    def __init__(self, *, misere: bool = False) -> None:
        super().__init__("0.77", misere=misere)


class DawsonsKayles(OctalGame):
    """Dawson's Kayles, octal code 0.07: knock down exactly two neighboring pins. Period 34 from heap 53 on ([GS]).

    Dawson's Chess, code 0.137, has the same values one place earlier: g of 0.137 at n is g of 0.07 at n + 1.
    """

    def __init__(self, *, misere: bool = False) -> None:
        super().__init__("0.07", misere=misere)


class _TwoHeaps(ImpartialGame):
    least = 0

    def validate(self, position: Any) -> Heaps:
        return as_heaps(position, count=2, least=self.least)

    def _key(self, position: Any) -> Heaps:
        return tuple(sorted(position))


class Wythoff(_TwoHeaps):
    """Wythoff's game: take any number from one of two heaps, or the same number from both.

    Cold positions (floor(k phi), floor(k phi) + k); misere play has (0, 1) and (2, 2) for (0, 0) and (1, 2).
    Values come from a table that grows as needed ([WW] ch. 3); outcomes need none.
    """

    def __init__(self, *, misere: bool = False) -> None:
        super().__init__(misere=misere)
        self._tables: dict[bool, np.ndarray] = {}

    def options(self, position: Any) -> Iterator[Heaps]:
        x, y = self.validate(position)
        yield from ((left, y) for left in range(x))
        yield from ((x, left) for left in range(y))
        yield from ((x - both, y - both) for both in range(1, min(x, y) + 1))

    def values(self, largest: int, *, misere: bool | None = None) -> np.ndarray:
        """(largest + 1, largest + 1) int64 table of nim-values. MemoryError beyond 2 GB."""
        play, size = self._play(misere), as_count(largest, "the largest heap") + 1
        if size > len(self._tables.get(play, ())):
            require_memory(size * (8 * size + 4 * (2 * size + 2)), f"a Wythoff table up to {largest}")
            self._tables[play] = heap_kernels.wythoff_values(size, int(play))
        return self._tables[play][:size, :size].copy()

    def _value(self, position: Heaps, misere: bool) -> int:
        largest = max(position)
        size = len(self._tables.get(misere, ()))
        if largest >= size:
            self.values(max(largest, min(2 * size, 1024), 32), misere=misere)
        return int(self._tables[misere][position])

    def _is_p(self, position: Heaps, misere: bool) -> bool:
        low, high = self._key(position)
        if misere and high < 3:
            return (low, high) in ((0, 1), (2, 2))
        gap = high - low
        return low == (gap + isqrt(5 * gap * gap)) // 2


class Euclid(_TwoHeaps):
    """Euclid's game: subtract a positive multiple of the smaller heap from the larger; no heap may be emptied.

    P exactly when 1/phi < x/y < phi (normal play); value floor(|y/x - x/y|) ([N]).
    """

    least = 1

    def options(self, position: Any) -> Iterator[Heaps]:
        x, y = self.validate(position)
        if x > y:
            yield from ((left, y) for left in range(x - y, 0, -y))
        elif y > x:
            yield from ((x, left) for left in range(y - x, 0, -x))

    def _value(self, position: Heaps, misere: bool) -> int:
        if misere:
            return super()._value(position, True)
        x, y = position
        return abs(y * y - x * x) // (x * y)
