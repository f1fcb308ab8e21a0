"""Canonical engine for Toads and Frogs.

It computes exact values of strips from those of all reachable positions.

The kernels enumerate positions (reduced, mirror images identified) and remove dominated options;
the remaining options are simplified in Python, by `partisan`, once for each different set.
"""

from time import monotonic

import numpy as np

from poissonmatch.utils.errors import shorten

from ..cost_bounds import MemoryBound
from ..partisan.reductions import bypassed
from ..partisan.values import ZERO, Game, intern, memo_size
from . import position_kernels, value_kernels
from .strips import Array, Strip, reduced

BYTES_PER_MEMO = 400  # of Python objects for each entry of partisan.memo_size (measured: 250 to 350)


class CanonicalEngine:
    """Exact values of strips, remembered between calls, within `memory` bytes."""

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
        """Number of different reduced positions with values."""
        return self._count

    def value(self, strip: str | Strip, seconds: float | None = None) -> Game:
        """Return the value of a strip.

        Raises ValueError for an illegal strip, MemoryBound, or TimeoutError (after `seconds`).
        """
        self._deadline = None if seconds is None else monotonic() + seconds
        kind, gap, n, free = reduced(strip)
        if n == 0:
            return ZERO + free
        if int(gap.sum()) + 2 * n > 63:
            raise MemoryBound(f"squares + pieces must be at most 63 for an exact value: {shorten(strip)}")
        start = self._count
        self._reserve(8 * n)
        parts = np.zeros(n + 1, np.int32)
        self._count, end = position_kernels.intern_parts(kind, gap, n, self._codes, start, self._slots, parts, 0)
        try:
            if self._count > start:
                self._evaluate(start)
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
            raise MemoryBound(f"more than {self.memory} bytes are needed, after {self._count} positions")
        if self._deadline is not None and monotonic() > self._deadline:
            raise TimeoutError(f"the time limit was reached after {self._count} positions")

    def _reserve(self, more: int) -> None:
        """Enlarge the arrays for this number of new positions."""
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
        """Remove the positions from `start` on, which have no values."""
        self._count = start
        self._value[start:] = -1
        self._slots[:] = -1
        position_kernels.index_codes(self._codes, start, self._slots)

    def _evaluate(self, start: int) -> None:
        """Expand and evaluate all positions from `start` on."""
        capacity = 1 << 12
        heads: Array = np.zeros(2 * capacity + 2, np.int64)
        moves: Array = np.zeros(capacity, np.int16)
        ends: Array = np.zeros(capacity, np.int64)
        parts: Array = np.zeros(capacity, np.int32)
        kinds, gaps = np.zeros((3, 64), np.uint8), np.zeros((3, 65), np.int16)
        done, used_moves, used_parts = start, 0, 0
        while done < self._count:
            self._reserve(1 << 10)
            self._check(0)
            done, self._count, used_moves, used_parts = position_kernels.expand(
                self._codes, self._slots, start, done, self._count, heads, moves, ends, parts, used_moves, used_parts,
                kinds, gaps,
            )  # fmt: skip
            sizes = 2 * (self._count - start) + 2, used_moves + 64, used_moves + 64, used_parts + 512
            needed = list(zip((heads, moves, ends, parts), sizes, strict=True))
            self._check(sum(a.nbytes for a, n in needed) + sum(2 * a.nbytes for a, n in needed if n > len(a)))
            heads, moves, ends, parts = (_grown(a, 2 * len(a)) if n >= len(a) else a for a, n in needed)
        edges = heads.nbytes + moves.nbytes + ends.nbytes + parts.nbytes
        self._check(edges + 12 * (self._count - start))
        weights = np.zeros(self._count - start, np.int32)
        position_kernels.weigh_all(self._codes[start:], self._count - start, weights)
        order = np.argsort(weights, kind="stable").astype(np.int32) + np.int32(start)
        bounds = np.flatnonzero(np.diff(weights[order - start], prepend=-1, append=-1))
        of_positions = value_kernels.Moves(start, heads, moves, ends, parts)
        for first, last in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
            waiting = last - first
            while waiting:
                waiting = self._values.evaluate(order[first:], waiting, self._value, of_positions)
                self._check(edges + weights.nbytes + order.nbytes)


class _Values:
    """The values so far, with small ids, as arrays for the kernel."""

    def __init__(self) -> None:
        self.games: list[Game] = []
        self._ids: dict[int, int] = {}  # by Game.index
        self._sets: dict[tuple[int, ...], int] = {}  # by the canonical form as a question
        self._negative = np.zeros(256, np.int32)
        self._left_stop = np.zeros(256)
        self._right_stop = np.zeros(256)
        self._heads = np.zeros(514, np.int64)
        self._options = np.zeros(1024, np.int32)
        self._pairs = np.zeros((1 << 17, 2), np.uint64)
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
        """Return the id of a value; its options and its negative get ids as well."""
        if g.index in self._ids:
            return self._ids[g.index]
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
            # rounded stops that differ are ordered like the exact ones
            self._left_stop[new], self._right_stop[new] = h._high, h._low
            at = int(self._heads[2 * new])
            while at + len(ids) + self._sides.size > len(self._options):
                self._options = _grown(self._options, 2 * len(self._options))
            self._options[at : at + len(ids)] = ids
            self._heads[2 * new + 1] = at + len(h.left)
            self._heads[2 * new + 2] = at + len(ids)
            left, right = sorted(ids[: len(h.left)]), sorted(ids[len(h.left) :])
            self._sets[value_kernels.SET, *left, value_kernels.BAR, *right] = new
        a, b = self._ids[g.index], self._ids[(-g).index]
        self._negative[a], self._negative[b] = b, a
        return a

    def evaluate(self, order: Array, todo: int, value: Array, moves: value_kernels.Moves) -> int:
        """Run the kernel over order[:todo], answer its questions, and return the number of positions that still wait."""
        table = value_kernels.ValueTable(
            self._negative, self._left_stop, self._right_stop, self._heads, self._options, self._pairs, len(self.games)
        )
        answers = value_kernels.Book(self._book, self._slots, self._questions, self._sides)
        waiting, questions_end = value_kernels.evaluate(order, todo, value, moves, table, answers)
        words, at = self._questions[:questions_end].tolist(), 0
        answered: dict[tuple[int, ...], tuple[int, int]] = {}  # where it begins, and its answer
        while at < questions_end:
            begin, at = at, at + 1 + words[at]
            question, canonical = tuple(words[begin + 1 : at]), ()
            if question[0] == value_kernels.SET:
                canonical, at = tuple(words[at + 1 : at + 1 + words[at]]), at + 1 + words[at]
            if question not in answered:
                answered[question] = begin, self._answer(question, canonical)
        self._write_down(np.array([*answered.values()], np.int32).reshape(-1, 2), questions_end)
        return waiting

    def _answer(self, question: tuple[int, ...], canonical: tuple[int, ...]) -> int:
        """Return the id that answers a question; `canonical` is empty or the form that a SET has."""
        if canonical in self._sets:
            return self._sets[canonical]
        games = self.games
        if question[0] == value_kernels.SUM:
            return self._id(games[question[1]] + games[question[2]])
        if question[0] == value_kernels.ADD:
            return self._id(games[question[1]] + question[2])
        options = canonical or question
        bar = options.index(value_kernels.BAR)
        sides = [games[i] for i in options[1:bar]], [games[i] for i in options[bar + 1 :]]
        return self._id(intern(*(sides if canonical else bypassed(*sides))))

    def _write_down(self, answered: Array, questions_end: int) -> None:
        """Add answers to the book; a row has the beginning of the question and the answer."""
        while self._used + 2 * questions_end > len(self._book):
            self._book = _grown(self._book, 2 * len(self._book))
        self._entries += len(answered)
        if 2 * self._entries > len(self._slots):
            self._slots = np.full(2 * len(self._slots), -1, np.int64)
            value_kernels.index_book(self._book, self._used, self._slots)
        if 4 * len(self.games) > len(self._pairs):
            self._pairs = np.zeros((4 * len(self._pairs), 2), np.uint64)
        self._used = value_kernels.write_down(self._questions, answered, self._book, self._slots, self._used)


def _grown(array: Array, size: int, fill: int = 0) -> Array:
    new = np.full(size, fill, array.dtype)
    new[: len(array)] = array
    return new
