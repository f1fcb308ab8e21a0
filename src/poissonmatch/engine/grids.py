"""How wide the cells of a phase are: about as many points in each as a search likes to look at, clusters or not."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from .buckets import Grid
from .cell_counts import crowd_in, even_cells, even_width, floors
from .coarse import DEAD
from .nearest import SLACK

MORE = 0.25  # crowd for each further partner, as a fraction
SAMPLE = 4096  # points to judge by how crowded the cells will be
FEWEST = 64  # points are not judged by a sample of fewer
EVEN = 8  # companions of a point in cells for 4 on average: with fewer, points are spread evenly
PAIRS = 128  # of the sample in common cells are enough to tell how crowded cells of this width are
MOST_CELLS = (
    1e11  # along an axis; with more, the rounding of a point's cell would exceed SLACK, unless widths are powers of 2
)
NARROWEST = 2.0**-510  # a cell; its square is a normal number
ANYONE = np.ones((1, 1), bool)
Colors = Callable[[np.ndarray], np.ndarray]  # positions to colors


def bounding_box(points: np.ndarray, sides: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Origin and extent of the space that the cells must cover, (d,) each."""
    d = points.shape[1]
    if sides[0] < np.inf:
        return np.zeros(d), sides
    if len(points) == 0:
        return np.zeros(d), np.zeros(d)
    low = np.array([axis.min() for axis in points.T])  # ten times as fast as numpy along the first axis
    return low, np.array([axis.max() for axis in points.T]) - low


class Sample:
    """Some of the living points of X, to judge by how crowded cells will be.

    color_of: colors of positions in X; None: all are 0. reach: which colors may match; a crowd of others is no company.
    Z: coarse coordinates, which tell who is dead; None: nobody is.
    """

    def __init__(
        self, X: np.ndarray, color_of: Colors | None = None, reach: np.ndarray = ANYONE, Z: np.ndarray | None = None
    ) -> None:
        n, rng = X.shape[1], np.random.default_rng(0)  # changes the speed, never the result
        index = rng.choice(n, SAMPLE, replace=False, shuffle=False) if n > SAMPLE else np.arange(n)
        index = index if Z is None else index[Z[0, index] != DEAD]
        self.points, self.size = X[:, index], len(index)
        self.reach = reach.astype(int)
        self.colors = np.zeros(self.size, int) if color_of is None else color_of(index).astype(int)
        self.multipliers = rng.integers(1, 2**62, (len(X), 1))

    @property
    def share(self) -> float:
        """Of all pairs, those that may match."""
        of_color = np.bincount(self.colors, minlength=len(self.reach)) / self.size
        return float((of_color @ self.reach * of_color).sum())

    @cached_property
    def coincident(self) -> float:
        """Number of ordered pairs in a common place that may match."""
        return self._pairs(self._keys(self.points).sum(axis=0))

    def pairs(self, width: float, axes: np.ndarray | slice = slice(None)) -> float:
        """Number of ordered pairs in a common cell of this width along these axes that may match."""
        return self._pairs(self._keys(np.floor(self.points / width))[axes].sum(axis=0))

    def _keys(self, numbers: np.ndarray) -> np.ndarray:
        """Integers for the numbers of each axis; their sum stands for all of a point's."""
        bits = numbers.view(np.int64)
        return np.asarray((bits ^ (bits >> 32)) * self.multipliers)

    def _pairs(self, keys: np.ndarray) -> float:
        if len(self.reach) == 1:
            together = np.unique(keys, return_counts=True)[1]
            return float((together * (together - 1)).sum() * self.reach[0, 0])
        keys, place = np.unique(keys, return_inverse=True)
        shape = len(keys), len(self.reach)
        together = np.bincount(np.ravel_multi_index((place, self.colors), shape), minlength=np.prod(shape)).reshape(
            shape
        )
        return float((together @ self.reach * together).sum() - self.reach.diagonal()[self.colors].sum())


def crowded_width(
    sample: Sample, living: int, crowd: float, sides: np.ndarray, extent: np.ndarray, width: float
) -> tuple[float, np.ndarray]:
    """The cell width that gives a point of a cluster about `crowd` companions in its cell, judged from a sample; and the
    axes that are to be cut into cells: of points on a line, one tells them apart.

    For points that are spread evenly it is the even width, which is returned unchanged then, and all axes.
    """
    axes = np.full(len(extent), True)
    if sample.size < FEWEST:
        return width, axes
    coarse, share = even_width(extent, sample.size / 4), sample.share
    if sample.pairs(coarse) <= EVEN * sample.size * share:
        return width, axes
    # narrow cells of a torus are folded, see choose_grid
    sample.points = np.minimum(sample.points, sides[:, None] - sample.points)
    most = PAIRS + sample.coincident  # no cell is too narrow for coincident points

    def is_wide(power: int) -> bool:
        return 2.0**power >= NARROWEST and sample.pairs(2.0**power) > most

    power, step = int(np.floor(np.log2(coarse))), 1
    while is_wide(power - step):
        power, step = power - step, 2 * step
    while (step := step // 2) > 0:  # cells of half the width lie in those cells, and hold no more pairs
        power -= step * is_wide(power - step)
    enough = 2 * sample.pairs(2.0**power)
    for axis in range(len(extent)):  # the last one stays if it can: along it, cells lie side by side in memory
        others = axes & (np.arange(len(extent)) != axis)
        axes = others if others.any() and sample.pairs(2.0**power, others) <= enough else axes
    companions = max(sample.pairs(2.0**power, axes) - sample.coincident, 1.0) / sample.size * living / sample.size
    return min(width, 2.0**power * (crowd * share / companions) ** (1 / axes.sum())), axes


def crowd_of(reach: np.ndarray, dim: int, partners: int) -> float:
    """Points a cell: more where a point takes several partners, and where it looks at some of the colors only."""
    share = max(float(reach.mean()), 1 / reach.size)
    return crowd_in(dim) * (1 + MORE * min(partners - 1, 15)) / share


def choose_grid(
    X: np.ndarray, living: int, sides: np.ndarray, origin: np.ndarray, extent: np.ndarray, least: float, crowd: float,
    color_of: Colors | None = None, reach: np.ndarray = ANYONE, Z: np.ndarray | None = None,
) -> tuple[Grid, float]:  # fmt: skip
    """Cells with about `crowd` of the living points of X, at least `least` wide, and the radius up to which touching
    cells decide. color_of, reach and Z: see Sample.
    """
    width = even_width(extent, living / crowd)
    if living > FEWEST and width > least and extent.max() > NARROWEST:
        width, axes = crowded_width(Sample(X, color_of, reach, Z), living, crowd, sides, extent, width)
        extent = np.where(axes, extent, 0.0)
    width = max(width, least, NARROWEST)
    most = 2 * living / crowd + 64
    fold = np.full(len(sides), np.inf)
    full = np.maximum(1.0, np.floor(extent / width))  # cells that fill the box
    if sides[0] < np.inf and np.log(full).sum() > np.log(most):
        fold, extent = sides / 2, extent / 2  # far-away cells will share a place; folded, there is no seam to respect
        full = np.maximum(1.0, np.floor(extent / width))
    cells = np.minimum(full, _moduli(full, most))
    widths = np.where(extent > 0, extent / full, 1.0)
    exact = (full > cells) & (full > MOST_CELLS)
    binary = 2.0 ** np.round(np.log2(width))
    widths[exact] = binary if binary >= least else 2 * binary
    inverse = np.where(full > 1, 1 / widths, 0.0)
    grid = Grid(np.where(exact, 0.0, origin), inverse, widths, cells.astype(np.int64), fold, sides)
    return grid, _decided(grid)


def _decided(grid: Grid) -> float:
    """The radius up to which touching cells decide."""
    walls = grid.width[grid.cells > 3]
    return float(walls.min()) * (1 - SLACK) if len(walls) else np.inf


def grid_in_rows(grid: Grid, n: int, crowd: float) -> tuple[Grid, float] | None:
    """In the place of a grid of choose_grid with `crowd` points a cell one in whose order uniform_points draws, and its radius:
    as many points in each, in rows as wide as for a crowd of any. None where the points are not spread evenly over a torus.
    """
    sides = grid.sides
    if not (sides[0] < np.inf and grid.fold[0] == np.inf and (grid.cells == floors(sides, n / crowd)).all()):
        return None
    cells = even_cells(sides, n)
    cells[-1] = max(1, int(n / crowd / cells[:-1].prod()))
    widths = sides / cells
    found = grid._replace(inverse=np.where(cells > 1, 1 / widths, 0.0), width=widths, cells=cells)
    return found, _decided(found)


def _moduli(full: np.ndarray, most: float) -> np.ndarray:
    """So many cells along each axis that there are about `most` places, if the cells that fill the box are more.

    They are odd, so that coordinates with few bits are spread as well, and differ from axis to axis, for diagonals.
    """
    d, cells, left = len(full), full.copy(), most
    for k, axis in enumerate(np.argsort(full)):  # as many along each, but for those that have fewer
        cells[axis] = min(full[axis], np.floor(left ** (1 / (d - k))))
        left /= cells[axis]
    spread = cells - (cells + 1) % 2 + 2 * (np.arange(d) - d // 2)
    return np.where((cells < full) & (cells > 4 * d), spread, cells)
