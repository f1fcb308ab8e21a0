"""The base class of infinite patterns, which are drawn cell by cell, and the neighbors of a point."""

from __future__ import annotations

import functools
import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..utils.errors import BadInput, quoted
from ..utils.validation import as_int, check_int, check_real
from .pair_distances import pair_key
from .pattern import Pattern
from .spaces import Euclidean

Cell = tuple[int, ...]
MAX_COORDINATE = 1e15  # of coordinates, and of the numbers of cells
MAX_CELLS = 100_000  # of a window
MAX_RING = 10_000  # distance of a ring, in cells
MAX_KEPT = 100_000  # cells in memory
ROUNDING = 1e-12  # relative, of the faces of a cell


class Point(NamedTuple):
    """A point of an infinite pattern.

    Parameters
    ----------
    cell : tuple of int
        Number of its cell along each axis.
    number : int
        Its number in the cell, from 0.
    coordinates : tuple of float
        Coordinates.
    color : int
        Color.

    Examples
    --------
    >>> pm.infinite.DecreasingGaps().points((2,))
    (Point(cell=(2,), number=0, coordinates=(2.6666666666666665,), color=0),)
    """

    cell: Cell
    number: int
    coordinates: tuple[float, ...]
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
        """Return the points in a cell, and their colors, which do not depend on earlier calls.

        Parameters
        ----------
        cell : tuple of int
            Number of the cell along each axis.

        Returns
        -------
        (k, dim) array_like of float
            Coordinates.
        (k,) array_like of int
            Colors.
        """

    def points(self, cell: Cell) -> tuple[Point, ...]:
        """Return the points in a cell.

        Parameters
        ----------
        cell : tuple of int
            Number of the cell along each axis.

        Returns
        -------
        tuple of Point
            The points, in the order of `draw`.
        """
        points_of: dict[Cell, tuple[Point, ...]] = self.__dict__.setdefault("_points_of", {})
        if cell not in points_of:
            if len(points_of) >= MAX_KEPT:
                points_of.clear()
            coordinates, colors = (np.asarray(part) for part in self.draw(cell))
            rows = zip(coordinates.reshape(-1, self.dim).tolist(), colors.tolist(), strict=True)
            points_of[cell] = tuple(Point(cell, k, tuple(x), color) for k, (x, color) in enumerate(rows))
        return points_of[cell]

    def cell_of(self, coordinates: Sequence[float]) -> Cell:
        """Return the cell that contains these coordinates.

        Parameters
        ----------
        coordinates : sequence of float
            Coordinates.

        Returns
        -------
        tuple of int
            Number of the cell along each axis.

        Raises
        ------
        ValueError
            If a coordinate is not a finite number.
        """
        return tuple(int(np.floor(x / self.side)) for x in checked_coordinates(coordinates))

    def ring(self, cell: Cell, r: int) -> Iterator[Point]:
        """Yield the points in the cells at maximum-norm distance r from this one, in cells.

        Parameters
        ----------
        cell : tuple of int
            Number of the cell along each axis.
        r : int
            Distance in cells, from 0.

        Yields
        ------
        Point
            Points, cell by cell.

        Raises
        ------
        ValueError
            If the cell or the distance is invalid.
        """
        cell = checked_cell(cell, self.dim)
        for step in _ring(self.dim, check_int("r", r, 0, MAX_RING)):
            yield from self.points(tuple(a + b for a, b in zip(cell, step, strict=True)))

    def window(self, low: Sequence[float], high: Sequence[float]) -> Pattern:
        """Return the points with low <= x < high in each coordinate, in Euclidean space.

        Parameters
        ----------
        low, high : sequence of float
            Opposite corners, `dim` numbers each.

        Returns
        -------
        Pattern
            Points in Euclidean space.

        Raises
        ------
        ValueError
            If the corners are invalid, or the window is too large.
        """
        low, high = checked_coordinates(low, "low"), checked_coordinates(high, "high")
        if not len(low) == len(high) == self.dim:
            raise BadInput(f"low and high must be {self.dim} numbers each, got {len(low)} and {len(high)}")
        ranges = [range(a, b + 1) for a, b in zip(self.cell_of(low), self.cell_of(high), strict=True)]
        if (cells := math.prod(map(len, ranges))) > MAX_CELLS:
            raise BadInput(f"the window has {cells:.3g} cells of side {self.side:.3g}; at most {MAX_CELLS} are drawn")
        points = [point for cell in itertools.product(*ranges) for point in self.points(cell)]
        inside = [p for p in points if all(a <= x < b for a, x, b in zip(low, p.coordinates, high, strict=True))]
        coordinates = np.array([p.coordinates for p in inside], float).reshape(-1, self.dim)
        return Pattern(coordinates, [p.color for p in inside], Euclidean(self.dim))


class Around:
    """The other points in the order of their pairs with one point, as far as needed."""

    def __init__(self, points: InfinitePattern, center: Point) -> None:
        self.points, self.center = points, center
        self.known: list[tuple[tuple, Point]] = []  # in order: all within `covered`
        self.later: list[tuple[tuple, Point]] = []
        self.rings, self.covered = 0, 0.0

    def neighbor(self, k: int, squared: float) -> tuple[tuple, Point] | None:
        """Return the key of the k-th pair, from 0, and its point; None if its squared distance is more than `squared`."""
        while len(self.known) <= k and self.covered**2 <= squared:
            self._cover()
        pair = self.known[k] if len(self.known) > k else None
        return pair if pair is not None and pair[0][0] <= squared else None

    def _cover(self) -> None:
        """Add one more ring of cells."""
        side, cell = self.points.side, self.center.cell
        self.later += [(key_of_pair(self.center, p), p) for p in self.points.ring(cell, self.rings) if p != self.center]
        ends = [
            min(x - side * (i - self.rings), side * (i + 1 + self.rings) - x) - ROUNDING * (abs(x) + side)
            for x, i in zip(self.center.coordinates, cell, strict=True)
        ]
        self.covered, self.rings = max(0.0, min(ends)), self.rings + 1
        near = [entry for entry in self.later if entry[0][0] < self.covered**2]
        self.later = [entry for entry in self.later if entry[0][0] >= self.covered**2]
        self.known += sorted(near)


def key_of_pair(x: Point, y: Point) -> tuple:
    """Return the key of a pair in the pair order; its first entry is the squared distance."""
    squared = 0.0
    for a, b in zip(x.coordinates, y.coordinates, strict=True):
        squared += (a - b) * (a - b)
    return pair_key(squared, x[:2], y[:2])


@functools.lru_cache(maxsize=64)
def _ring(dim: int, r: int) -> tuple[Cell, ...]:
    """Return the steps to the cells at maximum-norm distance r."""
    ends, across = ((-r,), (r,)) if r else ((0,),), range(-r, r + 1)
    if dim == 1:
        return ends
    sides = (a + rest for a in ends for rest in itertools.product(across, repeat=dim - 1))
    return (*sides, *((a, *rest) for a in across[1:-1] for rest in _ring(dim - 1, r)))


def checked_coordinates(coordinates: Any, name: str = "coordinates") -> tuple[float, ...]:
    """Return coordinates as floats. Raises BadInput unless all are numbers up to MAX_COORDINATE."""
    limits = -MAX_COORDINATE, MAX_COORDINATE
    return tuple(check_real(name, x, "numbers", *limits) for x in np.atleast_1d(coordinates).tolist())


def checked_cell(cell: Any, dim: int) -> Cell:
    """Return the number of a cell as a tuple of integers. Raises BadInput for any other value."""
    parts = cell if isinstance(cell, tuple | list | np.ndarray) else ()
    numbers = tuple(number for part in parts if (number := as_int(part)) is not None and abs(number) <= MAX_COORDINATE)
    if len(parts) != dim or len(numbers) != dim:
        raise BadInput(f"a cell must be a tuple of {dim} whole numbers up to {MAX_COORDINATE:g}, got {quoted(cell)}")
    return numbers


def cell_stream(seed: int, cell: Cell) -> np.random.Generator:
    """Return the random generator of one cell."""
    return np.random.default_rng(
        np.random.SeedSequence(seed, spawn_key=[2 * i if i >= 0 else -2 * i - 1 for i in cell])
    )
