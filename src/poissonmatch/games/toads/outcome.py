"""The outcome engine for Toads and Frogs: who wins strip - v, by search, without working out the value of the strip.

Who wins the difference when Left starts and when Right starts is the relation of the strip's value to v (Siegel,
II.1). One table of positions, of a size fixed beforehand, serves all questions; when it is full, old entries make
room for new ones.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor

import numpy as np

from ...utils.errors import shorten
from ..limits import MemoryBound
from ..partisan.values import ZERO, Game, number
from . import search_kernels, strip_kernels
from .strips import Strip, reduced

__all__ = ["OutcomeEngine"]

_MOST_SMALL = 256  # small games share 8 bits of a key
_RELATION = {(True, True): ">", (False, False): "<", (True, False): "|", (False, True): "="}


class OutcomeEngine:
    """Compares strips with values by search. `positions` counts positions searched so far.

    Parameters
    ----------
    memory : int
        Bytes of the table at most.
    longest : int
        The greatest (squares + pieces) of any strip that will be asked about: up to 55 a table entry has a key of 64 bits
        (16 bytes with its bounds), up to 118 one of 128 bits (24 bytes).

    Raises
    ------
    MemoryBound
        `longest` is more than 118, or the memory holds no table.

    Examples
    --------
    >>> engine = pm.games.OutcomeEngine(memory=2**20)
    >>> engine.compare("T^5 .^6 F^5"), engine.compare("T^4 .^3 F^4", pm.games.nimber(1))
    ('=', '=')
    """

    def __init__(self, memory: int = 2**30, longest: int = 55) -> None:
        if longest > 118:
            raise MemoryBound(f"keys have 128 bits: at most 118 squares + pieces, not {longest}")
        self.memory = memory
        self.longest = 55 if longest <= 55 else 118
        entry = 16 if self.longest == 55 else 24
        size = 1
        while 2 * size * entry <= memory:
            size *= 2
        if size < 16:
            raise MemoryBound(f"a table of {memory} bytes holds no positions")
        self._keys = np.zeros((size, entry // 8), np.uint64)
        self._small = _SmallGames()
        self.positions = 0

    def compare(self, strip: str | Strip, value: Game | int | Fraction = 0, budget: int | None = None) -> str | None:
        """The relation of a strip to a value: "=", "<", ">" or "|" (confused).

        Parameters
        ----------
        strip : str
        value : Game, int or Fraction
        budget : int, optional
            The most positions to search.

        Returns
        -------
        str or None
            None if the budget does not do; what was found stays in the table, so asking again goes on from there.

        Raises
        ------
        MemoryBound
            The strip is longer than the engine was made for.
        ValueError
            It is no strip, or the value has too many positions.

        Examples
        --------
        >>> engine = pm.games.OutcomeEngine(memory=2**20)
        >>> engine.compare("TTT..FF"), engine.compare("TTT..FF", 1), engine.compare("T^6 .^6 F^6", budget=5)
        ('|', '<', None)
        """
        before = self.positions
        first = self.left_wins(strip, value, True, budget)
        if first is None:
            return None
        left = None if budget is None else budget - (self.positions - before)
        second = self.left_wins(strip, value, False, left)
        return None if second is None else _RELATION[first, second]

    def left_wins(
        self, strip: str | Strip, value: Game | int | Fraction = 0, left_starts: bool = True, budget: int | None = None
    ) -> bool | None:
        """Does Left win strip - value?

        Parameters
        ----------
        strip : str
        value : Game, int or Fraction
        left_starts : bool
            She starts; else Right does.
        budget : int, optional
            The most positions to search.

        Returns
        -------
        bool or None
            None if the budget does not do.

        Examples
        --------
        >>> engine = pm.games.OutcomeEngine(memory=2**20)
        >>> engine.left_wins("TT.FF"), engine.left_wins("TT.FF", left_starts=False)
        (True, False)
        """
        kind, gap, n, free = reduced(strip)
        if int(gap.sum()) + 2 * n > self.longest:
            raise MemoryBound(f"this engine was made for squares + pieces <= {self.longest}: {shorten(strip)}")
        value = value if isinstance(value, Game) else number(value)
        small, more = self._small.add(-value)
        free += more
        kinds, gaps = np.zeros((3, max(n, 1)), np.uint8), np.zeros((3, max(n, 1) + 1), np.int16)
        kinds[0, :n], gaps[0, : n + 1] = kind, gap
        moves = 2 * int(strip_kernels.weigh(kinds[0], gaps[0], n)) + abs(free) + value.birthday  # of the longest play
        options = n + 1 + self._small.most_options
        known, searched = search_kernels.search(
            kinds, gaps, n, free, small, 0 if left_starts else 1, *self._small.arrays, self._keys,
            self._keys.view(np.int16), np.zeros((moves + 8, options, 6), np.int64), np.zeros((moves + 8, 3), np.int64),
            np.iinfo(np.int64).max if budget is None else max(budget, 0),
        )  # fmt: skip
        self.positions += int(searched)
        return None if known < 0 else bool(known)


class _SmallGames:
    """The values subtracted from strips, their options and negatives, as rows of the arrays that the kernel reads.

    A row is a value up to an integer: the one whose stops are centered within 1/2 of 0. The integer is free moves.
    """

    def __init__(self) -> None:
        self._rows: dict[Game, int] = {}
        self._options: list[tuple[list[tuple[int, int]], list[tuple[int, int]]]] = []
        self.add(ZERO)

    def add(self, g: Game) -> tuple[int, int]:
        """(row, integer) of a value; ValueError if it has too many different positions."""
        shift = round((g.left_stop + g.right_stop) / 2)
        base = g - shift
        row = self._rows.get(base)
        if row is None:
            if len(self._rows) + 2 * _positions(base) > _MOST_SMALL:
                raise ValueError(
                    f"{shorten(str(g))} has too many positions to be searched beside a strip: {_MOST_SMALL} in all"
                )
            self._add_new(base)
            self._freeze()
            row = self._rows[base]
        return row, shift

    def _add_new(self, base: Game) -> None:
        for g in dict.fromkeys((base, -base)):
            if g in self._rows:
                continue
            sides: tuple[list[tuple[int, int]], list[tuple[int, int]]] = [], []
            self._rows[g] = len(self._rows)
            self._options.append(sides)
            for side, options in zip(sides, (g.left, g.right), strict=True):
                for option in options:
                    shift = round((option.left_stop + option.right_stop) / 2)
                    self._add_new(option - shift)
                    side.append((self._rows[option - shift], shift))

    def _freeze(self) -> None:
        """Write (win, mirror, option_heads, options) as `search` reads them."""
        flat = [option for sides in self._options for side in sides for option in side]
        heads = np.cumsum([0] + [len(side) for sides in self._options for side in sides])
        win = [[_least(g, True), _least(g, False)] for g in self._rows]
        mirror = [self._rows[-g] for g in self._rows]
        self.most_options = int(np.diff(heads).max())
        options = np.array(flat, np.int64).reshape(-1, 2)
        self.arrays = np.array(win, np.int64), np.array(mirror, np.int64), heads.astype(np.int64), options


def _least(g: Game, left_starts: bool) -> int:
    """The least integer n such that Left wins n + g."""
    n = floor(-g.left_stop) - 1
    while (g + n <= 0) if left_starts else not (g + n >= 0):
        n += 1
    return n


def _positions(g: Game) -> int:
    """How many different positions g has."""
    seen = {g}
    todo = [g]
    while todo:
        h = todo.pop()
        new = set(h.left + h.right) - seen
        seen |= new
        todo += new
    return len(seen)
