"""The canonical engine for Toads and Frogs: the exact value of a strip, from the values of all positions it leads to.

The kernels enumerate positions (reduced, mirror images identified) and drop dominated options; what is left of each
position's options is simplified in Python, by `partisan`, once for each different set of options.
"""

from __future__ import annotations

from time import monotonic

import numpy as np

from ...utils.errors import shorten
from ..limits import MemoryBound, TimeBound
from ..partisan.reductions import bypassed
from ..partisan.values import ZERO, Game, intern, memo_size
from . import position_kernels, value_kernels
from .strips import Array, Strip, reduced

__all__ = ["BYTES_PER_MEMO", "CanonicalEngine"]

BYTES_PER_MEMO = 400  # of Python objects, for each entry that partisan.memo_size counts (measured: 250 to 350)


class CanonicalEngine:
    """Exact values of strips, remembered from call to call.

    Parameters
    ----------
    memory : int
        Bytes at most.

    Examples
    --------
    >>> engine = pm.games.CanonicalEngine(memory=10**8)
    >>> engine.value("TTT..FF"), engine.value("T^5 ... FF")
    (parse('{1/2|0}'), parse('3*'))
    """

    def __init__(self, memory: int = 2 * 10**9) -> None:
        self.memory = memory
        self._codes = np.zeros(1 << 12, np.uint64)
        self._value = np.full(1 << 12, -1, np.int32)
        self._slots = np.full(1 << 13, -1, np.int32)
        self._count = 0
        self._values = _Values()
        self._outside = memo_size()
        self._deadline: float | None = None

    @property
    def positions(self) -> int:
        """How many different reduced positions have values that are known."""
        return self._count

    def value(self, strip: str | Strip, seconds: float | None = None) -> Game:
        """The value of a strip.

        Parameters
        ----------
        strip : str
        seconds : float, optional
            Time for it.

        Returns
        -------
        Game

        Raises
        ------
        ValueError
            It is no strip.
        MemoryBound, TimeBound
            It goes beyond a bound.

        Examples
        --------
        >>> pm.games.CanonicalEngine().value("T^7 .^3 F^3")  # 7 - 7/2
        parse('7/2')
        """
        self._deadline = None if seconds is None else monotonic() + seconds
        kind, gap, n, free = reduced(strip)
        if n == 0:
            return ZERO + free
        if int(gap.sum()) + 2 * n > 63:
            raise MemoryBound(
                f"the canonical engine holds strips of at most 63 - (pieces) squares, not {shorten(strip)}"
            )
        start = self._count
        self._reserve(8 * n)
        parts = np.zeros(n + 1, np.int32)
        self._count, end = position_kernels.intern_parts(kind, gap, n, self._codes, start, self._slots, parts, 0)
        try:
            self._settle(start)
        except BaseException:
            self._forget(start)
            raise
        total = ZERO
        for part in parts[:end].tolist():
            value = self._values.games[self._value[part >> 1]]
            total = total - value if part & 1 else total + value
        return total + free

    def _bytes(self, extra: int = 0) -> int:
        own = self._codes.nbytes + self._value.nbytes + self._slots.nbytes + self._values.nbytes
        return own + extra + BYTES_PER_MEMO * (memo_size() - self._outside)

    def _check(self, extra: int) -> None:
        if self._bytes(extra) > self.memory:
            raise MemoryBound(f"over the bound of {self.memory} bytes after {self._count} positions")
        if self._deadline is not None and monotonic() > self._deadline:
            raise TimeBound(f"over time after {self._count} positions")

    def _reserve(self, more: int) -> None:
        """Room for that many more positions."""
        size = len(self._codes)
        while self._count + more > size:
            size *= 2
        if size > len(self._codes):
            self._check(size * 20)
            self._codes = _grown(self._codes, size)
            self._value = _grown(self._value, size, -1)
            self._slots = np.full(2 * size, -1, np.int32)
            position_kernels.index_codes(self._codes, self._count, self._slots)

    def _forget(self, start: int) -> None:
        """Drop the positions from `start` on, whose values are not known."""
        self._count = start
        self._value[start:] = -1
        self._slots[:] = -1
        position_kernels.index_codes(self._codes, start, self._slots)

    def _settle(self, start: int) -> None:
        """Expand and evaluate all positions from `start` on."""
        room = 1 << 12
        heads: Array = np.zeros(2 * room + 2, np.int64)
        moves: Array = np.zeros(room, np.int16)
        ends: Array = np.zeros(room, np.int64)
        parts: Array = np.zeros(room, np.int32)
        kinds, gaps = np.zeros((3, 64), np.uint8), np.zeros((3, 65), np.int16)
        done, used_moves, used_parts = start, 0, 0
        while done < self._count:
            self._reserve(1 << 10)
            self._check(0)
            done, self._count, used_moves, used_parts = position_kernels.expand(
                self._codes, self._slots, start, done, self._count, heads, moves, ends, parts, used_moves, used_parts,
                kinds, gaps,
            )  # fmt: skip
            needed = (
                (heads, 2 * (self._count - start) + 2),
                (moves, used_moves + 64),
                (ends, used_moves + 64),
                (parts, used_parts + 512),
            )
            self._check(sum(a.nbytes for a, n in needed) + sum(2 * a.nbytes for a, n in needed if n > len(a)))
            heads, moves, ends, parts = (_grown(a, 2 * len(a)) if n >= len(a) else a for a, n in needed)
        edges = heads.nbytes + moves.nbytes + ends.nbytes + parts.nbytes
        self._check(edges + 12 * (self._count - start))
        weights = np.zeros(self._count - start, np.int32)
        position_kernels.weigh_all(self._codes[start:], self._count - start, weights)
        order = np.argsort(weights, kind="stable").astype(np.int32) + np.int32(start)
        bounds = np.flatnonzero(np.diff(weights[order - start], prepend=-1, append=-1))
        for first, last in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
            waiting = last - first
            while waiting:
                waiting = self._values.settle(order[first:], waiting, start, heads, moves, ends, parts, self._value)
                self._check(edges + weights.nbytes + order.nbytes)


class _Values:
    """The values met, under small ids, in the arrays that the kernel reads."""

    def __init__(self) -> None:
        self.games: list[Game] = []
        self._ids: dict[int, int] = {}  # by Game.index
        self._negative = np.zeros(256, np.int32)
        self._left_stop = np.zeros(256)
        self._right_stop = np.zeros(256)
        self._heads = np.zeros(514, np.int64)
        self._options = np.zeros(1024, np.int32)
        self._pairs = np.zeros(1 << 18, np.uint64)
        self._book = np.zeros(1 << 14, np.int32)
        self._slots = np.full(1 << 12, -1, np.int64)
        self._used = 0
        self._entries = 0
        self._questions = np.zeros(1 << 16, np.int32)
        self._sides = np.zeros((2, 256), np.int32)
        self._id(ZERO)

    @property
    def nbytes(self) -> int:
        return sum(a.nbytes for a in vars(self).values() if isinstance(a, np.ndarray)) + 100 * len(self.games)

    def _id(self, g: Game) -> int:
        """The id of a value; its options and its negative get theirs, too."""
        found = self._ids.get(g.index)
        if found is not None:
            return found
        if g.birthday > 1000:
            raise OverflowError(f"the value {g} is too deep for the engine")
        for h in (g, -g):
            if h.index in self._ids:
                continue
            ids = [self._ids[x.index] if x.index in self._ids else self._id(x) for x in h.left + h.right]
            if h.index in self._ids:
                continue
            new = self._ids[h.index] = len(self.games)
            self.games.append(h)
            if new + 1 >= len(self._negative):
                for name in ("_negative", "_left_stop", "_right_stop", "_heads"):
                    setattr(self, name, _grown(getattr(self, name), 2 * len(getattr(self, name))))
            # rounded stops will do: where they differ, the exact ones differ the same way
            self._left_stop[new], self._right_stop[new] = h._high, h._low
            at = int(self._heads[2 * new])
            while at + len(ids) + self._sides.size > len(self._options):
                self._options = _grown(self._options, 2 * len(self._options))
            self._options[at : at + len(ids)] = ids
            self._heads[2 * new + 1] = at + len(h.left)
            self._heads[2 * new + 2] = at + len(ids)
        a, b = self._ids[g.index], self._ids[(-g).index]
        self._negative[a], self._negative[b] = b, a
        return a

    def settle(
        self, order: Array, todo: int, start: int, heads: Array, moves: Array, ends: Array, parts: Array, value: Array
    ) -> int:
        """One pass of the kernel over order[:todo]; answers its questions; returns how many positions still wait."""
        waiting, asked = value_kernels.settle(
            order, todo, start, heads, moves, ends, parts, value, self._negative, self._left_stop, self._right_stop,
            self._heads, self._options, self._pairs, self._book, self._slots, self._questions,
            self._sides, len(self.games),
        )  # fmt: skip
        words = self._questions[:asked].tolist()
        at = 0
        answered: set[tuple[int, ...]] = set()
        while at < asked:
            start, at = at + 1, at + 1 + words[at]
            question = tuple(words[start:at])
            canonical: list[int] = []
            if question[0] == value_kernels.SET:
                canonical, at = words[at + 1 : at + 1 + words[at]], at + 1 + words[at]
            if question not in answered:
                answered.add(question)
                self._answer(question, canonical, start)
        return waiting

    def _answer(self, question: tuple[int, ...], canonical: list[int], at: int) -> None:
        """Work out a question (words `at` of the questions) and write the answer into the book."""
        length = len(question)
        games = self.games
        if question[0] == value_kernels.SET:
            options = canonical or list(question)
            bar = options.index(value_kernels.BAR)
            sides = [games[i] for i in options[1:bar]], [games[i] for i in options[bar + 1 :]]
            result = intern(*(sides if canonical else bypassed(*sides)))
        elif question[0] == value_kernels.SUM:
            result = games[question[1]] + games[question[2]]
        else:
            result = games[question[1]] + question[2]
        answer = self._id(result)
        if self._used + length + 2 > len(self._book):
            self._book = _grown(self._book, 2 * len(self._book))
        if 2 * self._entries > len(self._slots):
            self._slots = np.full(2 * len(self._slots), -1, np.int64)
            value_kernels.index_book(self._book, self._used, self._slots)
        if 4 * len(games) > len(self._pairs):
            self._pairs = np.zeros(4 * len(self._pairs), np.uint64)
        self._used = value_kernels.write_down(self._questions, at, length, answer, self._book, self._slots, self._used)
        self._entries += 1


def _grown(array: Array, size: int, fill: int = 0) -> Array:
    new = np.full(size, fill, array.dtype)
    new[: len(array)] = array
    return new
