"""Infinite patterns, generated cell by cell on request.

They are a Poisson process, and examples of Deijfen, Holroyd and Martin (2016), Figure 3 and sec.
3.2.

A custom pattern is a subclass of InfinitePattern with `dim`, `side` and `draw`, which always
returns the same points for a cell.
"""

from __future__ import annotations

import functools
import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..utils.errors import BadInput, quoted
from ..utils.validation import as_int, check_int, check_real
from .pattern import Pattern, as_pattern
from .spaces import MAX_DIMENSIONS, Euclidean

__all__ = ["DecreasingGaps", "InfinitePattern", "InfinitePoisson", "Intervals", "Periodic"]


def __dir__() -> list[str]:
    return sorted(__all__)


Cell = tuple[int, ...]
POINTS_OF_A_CELL = 2.0  # expected, of a Poisson process
MAX_PLACE = 1e15  # of coordinates, and of the numbers of cells
MAX_CELLS = 100_000  # of a window
MAX_RING = 10_000  # distance of a ring, in cells
KEPT = 100_000  # cells in memory


class Point(NamedTuple):
    """A point of an infinite pattern."""

    cell: Cell
    number: int  # in its cell
    place: tuple[float, ...]  # coordinates
    color: int


class InfinitePattern(ABC):
    """Base class of infinite patterns: a subclass has `dim`, `side` and `draw`.

    The cells are cubes of edge `side` with corners at its multiples, numbered by tuples of
    integers.

    Examples
    --------
    >>> class Line(pm.infinite.InfinitePattern):
    ...     dim, side = 1, 10.0
    ...     def draw(self, cell):
    ...         return [[10.0 * cell[0] + x] for x in (1, 2, 5)], [0, 0, 0]
    >>> Line().window([-10], [10]).points.ravel()
    array([-9., -8., -5.,  1.,  2.,  5.])
    """

    dim: int
    side: float

    @abstractmethod
    def draw(self, cell: Cell) -> tuple[Any, Any]:
        """Return the points in a cell, (k, dim), and their colors, (k,).

        They do not depend on earlier calls.
        """

    def points(self, cell: Cell) -> tuple[Point, ...]:
        """Return the points in a cell."""
        kept: dict[Cell, tuple[Point, ...]] = self.__dict__.setdefault("_kept", {})
        if cell not in kept:
            if len(kept) >= KEPT:
                kept.clear()
            places, colors = (np.asarray(part) for part in self.draw(cell))
            rows = zip(places.reshape(-1, self.dim).tolist(), colors.tolist(), strict=True)
            kept[cell] = tuple(Point(cell, k, tuple(place), color) for k, (place, color) in enumerate(rows))
        return kept[cell]

    def cell_of(self, place: Sequence[float]) -> Cell:
        """Return the cell that contains these coordinates."""
        places = [check_real("place", x, "coordinates", -MAX_PLACE, MAX_PLACE) for x in np.atleast_1d(place).tolist()]
        return tuple(int(np.floor(x / self.side)) for x in places)

    def ring(self, cell: Cell, r: int) -> Iterator[Point]:
        """Yield the points in the cells at maximum-norm distance r from this one, in cells."""
        cell = checked_cell(cell, self.dim)
        for step in _ring(self.dim, check_int("r", r, 0, MAX_RING)):
            yield from self.points(tuple(a + b for a, b in zip(cell, step, strict=True)))

    def window(self, low: Sequence[float], high: Sequence[float]) -> Pattern:
        """Return the points with low <= x < high in each coordinate, in Euclidean space.

        Raises ValueError unless both corners are dim numbers.
        """
        low, high = (
            [check_real(name, x, "numbers", -MAX_PLACE, MAX_PLACE) for x in np.atleast_1d(ends).tolist()]
            for name, ends in (("low", low), ("high", high))
        )
        if not len(low) == len(high) == self.dim:
            raise BadInput(f"low and high must be {self.dim} numbers each, got {len(low)} and {len(high)}")
        ranges = [range(a, b + 1) for a, b in zip(self.cell_of(low), self.cell_of(high), strict=True)]
        if (cells := math.prod(map(len, ranges))) > MAX_CELLS:
            raise BadInput(f"the window has {cells:.3g} cells of side {self.side:.3g}; at most {MAX_CELLS} are drawn")
        points = [point for cell in itertools.product(*ranges) for point in self.points(cell)]
        inside = [p for p in points if all(a <= x < b for a, x, b in zip(low, p.place, high, strict=True))]
        places = np.array([p.place for p in inside], float).reshape(-1, self.dim)
        return Pattern(places, [p.color for p in inside], Euclidean(self.dim))


class InfinitePoisson(InfinitePattern):
    r"""Independent Poisson processes on :math:`\mathbb{R}^d`, one for each color, from a seed.

    Parameters
    ----------
    dim : int
    intensities : float or sequence of float, optional
        Expected points of each color per unit volume, by default one color with intensity 1.
    seed : int

    Examples
    --------
    >>> line = pm.infinite.InfinitePoisson(1, seed=3)
    >>> line.window([10.0], [14.0]) == line.window([10.0], [14.0])
    True
    """

    def __init__(self, dim: int, intensities: float | Sequence[float] = 1.0, *, seed: int) -> None:
        self.dim, self.seed = check_int("dim", dim, 1, MAX_DIMENSIONS), check_int("seed", seed, 0)
        self.intensities = [
            check_real("intensity", i, "a nonnegative number", 0.0, 1e15) for i in np.atleast_1d(intensities).tolist()
        ]
        if not (0 < sum(self.intensities) and len(self.intensities) <= 255):
            raise BadInput(
                f"intensities must be at most 255 nonnegative numbers, at least one of them positive, got {quoted(intensities)}"
            )
        self.side = (POINTS_OF_A_CELL / sum(self.intensities)) ** (1 / self.dim)

    def draw(self, cell: Cell) -> tuple[np.ndarray, np.ndarray]:
        """Return the points in a cell and their colors."""
        cell = checked_cell(cell, self.dim)
        rng = _stream(self.seed, cell)
        counts = [int(rng.poisson(i * self.side**self.dim)) for i in self.intensities]
        return (rng.random((sum(counts), self.dim)) + cell) * self.side, np.repeat(range(len(counts)), counts)


class Intervals(InfinitePattern):
    """Two independent uniform points in each interval [3 i, 3 i + 1], i an integer.

    An interval has one point if i is in `alone` (Figure 3).

    Parameters
    ----------
    alone : collection of int, optional
        Numbers of the intervals with one point.
    colored : bool, optional
        Whether the first point is amber (0) and the second blue (1), as in the example of sec. 3.2;
        a single point is amber.
    seed : int

    Examples
    --------
    >>> pm.infinite.Intervals(alone=[1], seed=1).window([0.0], [9.0])
    Pattern(5 points: 5 of color 0; Euclidean(dim=1))
    """

    dim, side = 1, 3.0

    def __init__(self, alone: Collection[int] = (), *, colored: bool = False, seed: int) -> None:
        numbers = [as_int(i) for i in alone] if isinstance(alone, Collection) else [None]
        if None in numbers:
            raise BadInput(f"alone must be whole numbers, those of intervals, got {quoted(alone)}")
        self.alone, self.colored, self.seed = frozenset(numbers), colored, check_int("seed", seed, 0)

    def draw(self, cell: Cell) -> tuple[np.ndarray, list[int]]:
        """Return the points in a cell and their colors."""
        cell = checked_cell(cell, self.dim)
        places = 3.0 * cell[0] + _stream(self.seed, cell).random((2, 1))
        colors = [0, 1] if self.colored else [0, 0]
        count = 1 if cell[0] in self.alone else 2
        return places[:count], colors[:count]


class DecreasingGaps(InfinitePattern):
    """The points k + k / (k + 1), k = 0, 1, 2, ..., with gaps that decrease to 1.

    There is therefore an infinite descending chain (Figure 3, top).

    Examples
    --------
    >>> pm.infinite.DecreasingGaps().window([0.0], [3.0]).points.ravel()
    array([0.        , 1.5       , 2.66666667])
    """

    dim, side = 1, 1.0

    def draw(self, cell: Cell) -> tuple[list[list[float]], list[int]]:
        """Return the points in a cell and their colors."""
        (k,) = checked_cell(cell, self.dim)
        return ([[k + k / (k + 1)]], [0]) if k >= 0 else ([], [])


class Periodic(InfinitePattern):
    """The points of a torus with equal sides, repeated in all directions.

    Parameters
    ----------
    pattern : Pattern
        ValueError is raised if it is not on such a torus.

    Examples
    --------
    >>> torus = pm.Pattern([[1.0], [2.5]], None, pm.Torus(4.0, 1))
    >>> pm.infinite.Periodic(torus).window([-4.0], [8.0]).points.ravel()
    array([-3. , -1.5,  1. ,  2.5,  5. ,  6.5])
    """

    def __init__(self, pattern: Pattern) -> None:
        torus = as_pattern(pattern).geometry
        if torus.seams is None or not torus.is_cube:
            raise BadInput(f"the torus must have equal sides, got {torus}")
        self.dim, self.pattern = torus.dim, pattern
        self.parts = max(1, int((len(pattern) / POINTS_OF_A_CELL) ** (1 / self.dim)))
        self.side = torus.side / self.parts
        home = np.minimum((pattern.points / self.side).astype(np.int64), self.parts - 1)
        self._inside: dict[Cell, list[int]] = {}
        for index, cell in enumerate(map(tuple, home.tolist())):
            self._inside.setdefault(cell, []).append(index)
        self._home = home

    def draw(self, cell: Cell) -> tuple[np.ndarray, np.ndarray]:
        """Return the points in a cell and their colors."""
        cell = checked_cell(cell, self.dim)
        inside = self._inside.get(tuple(c % self.parts for c in cell), [])
        turns = np.array([c // self.parts for c in cell]) * (self.side * self.parts)
        return self.pattern.points[inside] + turns, self.pattern.colors[inside]

    def point(self, index: int) -> Point:
        """Return the point of the pattern with this index."""
        index = check_int("index", index, 0, len(self.pattern) - 1)
        cell = tuple(self._home[index].tolist())
        return self.points(cell)[self._inside[cell].index(index)]


@functools.lru_cache(maxsize=64)
def _ring(dim: int, r: int) -> tuple[Cell, ...]:
    """Return the steps to the cells at maximum-norm distance r."""
    ends, across = ((-r,), (r,)) if r else ((0,),), range(-r, r + 1)
    if dim == 1:
        return ends
    sides = (a + rest for a in ends for rest in itertools.product(across, repeat=dim - 1))
    return (*sides, *((a, *rest) for a in across[1:-1] for rest in _ring(dim - 1, r)))


def checked_cell(cell: Any, dim: int) -> Cell:
    """Return the number of a cell as a tuple of integers. Raises BadInput for any other value."""
    parts = cell if isinstance(cell, tuple | list | np.ndarray) else ()
    numbers = tuple(number for part in parts if (number := as_int(part)) is not None and abs(number) <= MAX_PLACE)
    if len(parts) != dim or len(numbers) != dim:
        raise BadInput(f"a cell must be a tuple of {dim} whole numbers up to {MAX_PLACE:g}, got {quoted(cell)}")
    return numbers


def _stream(seed: int, cell: Cell) -> np.random.Generator:
    """Return the random generator of one cell."""
    return np.random.default_rng(
        np.random.SeedSequence(seed, spawn_key=[2 * i if i >= 0 else -2 * i - 1 for i in cell])
    )
