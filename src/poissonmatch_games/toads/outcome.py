"""Outcome engine for Toads and Frogs: comparison of a strip with a value by search.

The winners of strip - value, if Left starts and if Right starts, give the relation of the two
(Siegel, II.1). All searches share one table of positions of fixed size; if it is full, old entries
are replaced.
"""

from fractions import Fraction
from math import floor

import numpy as np

from poissonmatch.utils.errors import shorten
from poissonmatch.utils.validation import checked

from ..cost_bounds import MemoryBound
from ..partisan.values import ZERO, Game, number
from . import search_kernels, strip_kernels
from .strips import Strip, reduced

_MAX_SMALL = 256  # small games have 8 bits of a key
_RELATION = {(True, True): ">", (False, False): "<", (True, False): "|", (False, True): "="}


class OutcomeEngine:
    """Comparison of strips with values by search.

    `positions` is the number of positions searched so far.

    Parameters
    ----------
    memory : int, default 2**30
        Largest size of the table in bytes.
    longest : int, default 55
        Largest (squares + pieces) of the strips. Up to 55, an entry of the table has 16 bytes, up
        to 118 it has 24.

    Raises
    ------
    MemoryError
        If `longest` exceeds 118, or the memory is too small for a table.

    Examples
    --------
    >>> engine = pm.games.toads.OutcomeEngine(memory=2**20)
    >>> engine.compare("T^5 .^6 F^5"), engine.compare("T^4 .^3 F^4", pm.games.parse("*"))
    ('=', '=')
    """

    @checked(memory=(1, 2**53), longest=(1, 2**31))
    def __init__(self, memory: int = 2**30, longest: int = 55) -> None:
        if longest > 118:
            raise MemoryBound(f"longest must be at most 118 squares + pieces (keys have 128 bits), got {longest}")
        self.memory = memory
        self.longest = 55 if longest <= 55 else 118
        entry = 16 if self.longest == 55 else 24
        size = 1
        while 2 * size * entry <= memory:
            size *= 2
        if size < 16:
            raise MemoryBound(f"{memory} bytes are too few for a table of positions")
        self._keys = np.zeros((size, entry // 8), np.uint64)
        self._small = _SmallGames()
        self.positions = 0

    @checked(budget=(0, 2**53))
    def compare(self, strip: str | Strip, value: Game | int | Fraction = 0, budget: int | None = None) -> str | None:
        """Return the relation of a strip to a value: "=", "<", ">" or "|" (confused).

        Parameters
        ----------
        strip : str
            Strip, as in "TT.FF".
        value : Game, int or Fraction, default 0
            Value to compare with.
        budget : int, optional
            Largest number of positions to search, by default unlimited.

        Returns
        -------
        str or None
            None if the budget is too small. The table keeps the results, so that the next call
            continues.

        Raises
        ------
        MemoryError
            If the strip is longer than `longest` allows.
        ValueError
            If the text is not a strip, or the value has too many positions.

        Examples
        --------
        >>> engine = pm.games.toads.OutcomeEngine(memory=2**20)
        >>> engine.compare("TTT..FF"), engine.compare("TTT..FF", 1)
        ('|', '<')
        >>> engine.compare("T^6 .^6 F^6", budget=5) is None
        True
        """
        before = self.positions
        first = self.left_wins(strip, value, True, budget)
        if first is None:
            return None
        rest = None if budget is None else budget - (self.positions - before)
        second = self.left_wins(strip, value, False, rest)
        return None if second is None else _RELATION[first, second]

    @checked(budget=(0, 2**53))
    def left_wins(
        self, strip: str | Strip, value: Game | int | Fraction = 0, left_starts: bool = True, budget: int | None = None
    ) -> bool | None:
        """Return whether Left wins strip - value.

        Parameters
        ----------
        strip : str
            Strip, as in "TT.FF".
        value : Game, int or Fraction, default 0
            Value to subtract.
        left_starts : bool, default True
            Whether Left moves first.
        budget : int, optional
            Largest number of positions to search, by default unlimited.

        Returns
        -------
        bool or None
            None if the budget is too small.

        Raises
        ------
        MemoryError
            If the strip is longer than `longest` allows.
        ValueError
            If the text is not a strip, or the value has too many positions.

        Examples
        --------
        >>> engine = pm.games.toads.OutcomeEngine(memory=2**20)
        >>> engine.left_wins("TT.FF"), engine.left_wins("TT.FF", left_starts=False)
        (True, False)
        """
        kind, gap, n, free = reduced(strip)
        if int(gap.sum()) + 2 * n > self.longest:
            raise MemoryBound(f"squares + pieces must be at most longest = {self.longest}: {shorten(strip)}")
        value = value if isinstance(value, Game) else number(value)
        small, more = self._small.add(-value)
        free += more
        kinds, gaps = np.zeros((3, max(n, 1)), np.uint8), np.zeros((3, max(n, 1) + 1), np.int16)
        kinds[0, :n], gaps[0, : n + 1] = kind, gap
        moves = 2 * int(strip_kernels.weigh(kinds[0], gaps[0], n)) + abs(free) + value.birthday  # of the longest play
        options = n + 1 + self._small.max_options
        winner, searched = search_kernels.search(
            kinds, gaps, n, free, small, 0 if left_starts else 1, *self._small.arrays, self._keys,
            self._keys.view(np.int16), np.zeros((moves + 8, options, 6), np.int64), np.zeros((moves + 8, 3), np.int64),
            np.iinfo(np.int64).max if budget is None else max(budget, 0),
        )  # fmt: skip
        self.positions += int(searched)
        return None if winner < 0 else bool(winner)


class _SmallGames:
    """The values subtracted from strips, their options and negatives, as arrays for the kernel.

    A row represents a value up to an integer, which is free moves: the stops of the representative
    are centered within 1/2 of 0.
    """

    def __init__(self) -> None:
        self._rows: dict[Game, int] = {}
        self._options: list[tuple[list[tuple[int, int]], list[tuple[int, int]]]] = []
        self.add(ZERO)

    def add(self, g: Game) -> tuple[int, int]:
        """Return (row, integer) of a value.

        Raises ValueError if it has too many different positions.
        """
        shift = round((g.left_stop + g.right_stop) / 2)
        base = g - shift
        row = self._rows.get(base)
        if row is None:
            if len(self._rows) + 2 * _positions(base) > _MAX_SMALL:
                raise ValueError(
                    f"{shorten(str(g))} has too many positions for a search together with a strip: at most {_MAX_SMALL} in all"
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
        """Set the arrays (win, mirror, option_heads, options) of `search`."""
        flat = [option for sides in self._options for side in sides for option in side]
        heads = np.cumsum([0] + [len(side) for sides in self._options for side in sides])
        win = [[_threshold(g, True), _threshold(g, False)] for g in self._rows]
        mirror = [self._rows[-g] for g in self._rows]
        self.max_options = int(np.diff(heads).max())
        options = np.array(flat, np.int64).reshape(-1, 2)
        self.arrays = np.array(win, np.int64), np.array(mirror, np.int64), heads.astype(np.int64), options


def _threshold(g: Game, left_starts: bool) -> int:
    """Return the smallest integer n such that Left wins n + g."""
    n = floor(-g.left_stop) - 1
    while (g + n <= 0) if left_starts else not (g + n >= 0):
        n += 1
    return n


def _positions(g: Game) -> int:
    """Return the number of different positions of g."""
    seen, todo = {g}, [g]
    while todo:
        h = todo.pop()
        new = set(h.left + h.right) - seen
        seen |= new
        todo += new
    return len(seen)
