"""Infinite patterns, generated cell by cell on request: processes, and examples of Deijfen, Holroyd and Martin (2016).

A custom pattern is a subclass of InfinitePattern with `dim`, `side` and `draw`, which always
returns the same points for a cell.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Sequence

import numpy as np

from ..utils.errors import BadInput, quoted
from ..utils.validation import TINY, as_int, check_int, check_real
from .infinite_pattern import Cell, InfinitePattern, Point, cell_stream, checked_cell
from .pattern import Pattern, as_pattern
from .spaces import MAX_DIMENSIONS

__all__ = [
    "DecreasingGaps",
    "InfiniteLattice",
    "InfiniteMatern",
    "InfinitePattern",
    "InfinitePoisson",
    "InfiniteThomas",
    "Intervals",
    "Periodic",
    "Point",
]


def __dir__() -> list[str]:
    return sorted(__all__)


POINTS_OF_A_CELL = 2.0  # expected, of a Poisson process


class InfinitePoisson(InfinitePattern):
    r"""Independent Poisson processes on :math:`\mathbb{R}^d`, one for each color, from a seed.

    Parameters
    ----------
    dim : int
        Number of coordinates.
    intensities : float or sequence of float, optional
        Expected points of each color per unit volume, by default one color with intensity 1.
    seed : int
        Seed from 0; it determines all points.

    Raises
    ------
    ValueError
        If an argument is out of range.

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
        rng = cell_stream(self.seed, cell)
        counts = [int(rng.poisson(i * self.side**self.dim)) for i in self.intensities]
        return (rng.random((sum(counts), self.dim)) + cell) * self.side, np.repeat(range(len(counts)), counts)


class InfiniteThomas(InfinitePattern):
    r"""A Thomas cluster process on :math:`\mathbb{R}^d`, with intensity 1, from a seed.

    See `processes.thomas`. A displacement along an axis is cut off at 9 standard deviations, which it
    exceeds with probability 2e-19.

    Parameters
    ----------
    dim : int
        Number of coordinates.
    offspring : float, default 5.0
        Mean number of points of a parent.
    spread : float, default 0.2
        Standard deviation of the displacement along each axis.
    seed : int
        Seed from 0; it determines all points.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> len(pm.infinite.InfiniteThomas(2, seed=1).window([0, 0], [10, 10]))
    115
    """

    def __init__(self, dim: int, offspring: float = 5.0, spread: float = 0.2, *, seed: int) -> None:
        self.dim, self.seed = check_int("dim", dim, 1, MAX_DIMENSIONS), check_int("seed", seed, 0)
        self.offspring = check_real("offspring", offspring, "a positive number", TINY, 1e6)
        self.spread = check_real("spread", spread, "a length, at least 0", 0.0, 1e6)
        self.side = max(POINTS_OF_A_CELL ** (1 / self.dim), 9 * self.spread)

    def draw(self, cell: Cell) -> tuple[np.ndarray, list[int]]:
        """Return the points in a cell, whose parents are in it or in a neighbor, and their colors."""
        cell = checked_cell(cell, self.dim)
        near = itertools.product(*((c - 1, c, c + 1) for c in cell))
        points = np.concatenate([self._clusters(other) for other in near])
        points = points[(np.floor(points / self.side) == cell).all(axis=1)]
        return points, [0] * len(points)

    def _clusters(self, cell: Cell) -> np.ndarray:
        """Return the points whose parents are in a cell."""
        rng = cell_stream(self.seed, cell)
        parents = (rng.random((rng.poisson(self.side**self.dim / self.offspring), self.dim)) + cell) * self.side
        points = np.repeat(parents, rng.poisson(self.offspring, len(parents)), axis=0)
        return points + self.spread * rng.normal(size=points.shape).clip(-9, 9)


class InfiniteMatern(InfinitePattern):
    r"""A Matern type II hard-core process on :math:`\mathbb{R}^d`, from a seed.

    See `processes.matern`: of a Poisson process of intensity 1 the points are kept that have the
    smallest mark within a distance.

    Parameters
    ----------
    dim : int
        Number of coordinates.
    distance : float, default 0.5
        Minimum distance of two points.
    seed : int
        Seed from 0; it determines all points.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> points = pm.infinite.InfiniteMatern(1, 0.5, seed=1).window([0.0], [9.0]).points.ravel()
    >>> bool(np.diff(np.sort(points)).min() >= 0.5)
    True
    """

    def __init__(self, dim: int, distance: float = 0.5, *, seed: int) -> None:
        self.distance = check_real("distance", distance, "a length, at least 0", 0.0, 1e6)
        self._proposals = InfinitePoisson(dim, seed=seed)
        self.dim, self.side = self._proposals.dim, max(self._proposals.side, self.distance)
        self._proposals.side = self.side

    def draw(self, cell: Cell) -> tuple[np.ndarray, list[int]]:
        """Return the points in a cell and their colors."""
        near = [point for r in (0, 1) for point in self._proposals.ring(cell, r)]
        marks = {x: cell_stream(self._proposals.seed, (x.number, *x.cell)).random() for x in near}
        remaining = [
            x.coordinates
            for x in self._proposals.points(checked_cell(cell, self.dim))
            if not any(marks[y] < marks[x] and math.dist(x.coordinates, y.coordinates) < self.distance for y in near)
        ]
        return np.array(remaining), [0] * len(remaining)


class InfiniteLattice(InfinitePattern):
    r"""The lattice :math:`\mathbb{Z}^d` with a uniform shift, and each point moved within its cube.

    Each point is uniform in a cube of edge `spread` around its site, so the pattern is
    translation-invariant, and distances are distinct.

    Parameters
    ----------
    dim : int
        Number of coordinates.
    spread : float, default 0.5
        Edge of the cube, above 0 and at most 1.
    seed : int
        Seed from 0; it determines all points.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> points = pm.infinite.InfiniteLattice(1, 0.1, seed=1).window([0.0], [9.0]).points.ravel()
    >>> len(points), bool(np.abs(np.diff(np.sort(points)) - 1).max() < 0.1)
    (9, True)
    """

    side = 2.0

    def __init__(self, dim: int, spread: float = 0.5, *, seed: int) -> None:
        self.dim, self.seed = check_int("dim", dim, 1, MAX_DIMENSIONS), check_int("seed", seed, 0)
        self.spread = check_real("spread", spread, "above 0 and at most 1", TINY, 1.0)
        self._shift = np.random.default_rng([self.seed, 1]).random(self.dim)

    def draw(self, cell: Cell) -> tuple[np.ndarray, list[int]]:
        """Return the points in a cell and their colors."""
        cell = checked_cell(cell, self.dim)
        sites = itertools.product(*(range(2 * c - 1, 2 * c + 3) for c in cell))
        points = np.array([self._moved(site) for site in sites])
        points = points[(np.floor(points / self.side) == cell).all(axis=1)]
        return points, [0] * len(points)

    def _moved(self, site: Cell) -> np.ndarray:
        """Return the point of a site."""
        return site + self._shift + self.spread * (cell_stream(self.seed, site).random(self.dim) - 0.5)


class Intervals(InfinitePattern):
    """Two independent uniform points in each interval [3 i, 3 i + 1], i an integer; one if i is in `single` (Figure 3).

    Parameters
    ----------
    single : collection of int, optional
        Numbers of the intervals with one point. By default none.
    colored : bool, default False
        Whether the first point is amber (0) and the second blue (1), as in the example of sec. 3.2;
        a single point is amber.
    seed : int
        Seed from 0; it determines all points.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> pm.infinite.Intervals(single=[1], seed=1).window([0.0], [9.0])
    Pattern(5 points: 5 of color 0; Euclidean(dim=1))
    """

    dim, side = 1, 3.0

    def __init__(self, single: Collection[int] = (), *, colored: bool = False, seed: int) -> None:
        numbers = [as_int(i) for i in single] if isinstance(single, Collection) else [None]
        if None in numbers:
            raise BadInput(f"single must be whole numbers, those of intervals, got {quoted(single)}")
        self.single, self.colored, self.seed = frozenset(numbers), colored, check_int("seed", seed, 0)

    def draw(self, cell: Cell) -> tuple[np.ndarray, list[int]]:
        """Return the points in a cell and their colors."""
        cell = checked_cell(cell, self.dim)
        points = 3.0 * cell[0] + cell_stream(self.seed, cell).random((2, 1))
        colors = [0, 1] if self.colored else [0, 0]
        count = 1 if cell[0] in self.single else 2
        return points[:count], colors[:count]


class DecreasingGaps(InfinitePattern):
    """The points k + k / (k + 1), k = 0, 1, ..., an infinite descending chain: gaps decrease to 1 (Figure 3, top).

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
        Points on a torus with equal sides.

    Raises
    ------
    ValueError
        If the pattern is not on such a torus.

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
        """Return the point of the pattern with this index.

        Parameters
        ----------
        index : int
            Index in the pattern, from 0.

        Returns
        -------
        Point

        Raises
        ------
        ValueError
            If there is no such point.
        """
        index = check_int("index", index, 0, len(self.pattern) - 1)
        cell = tuple(self._home[index].tolist())
        return self.points(cell)[self._inside[cell].index(index)]
