"""The cells of a phase, and their choice: a cell has about the same number of points, whether they are clustered or not."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..utils.immutable import cached_property

# Nothing of the compiled code is imported: uniform points are generated in the order of these cells.

# Chosen by the times of benchmarks/matching.py for the first two, and of benchmarks/inputs.py for the
# clusters that the others find.
POINTS_PER_CELL = (3.0, 1.5, 1.5)  # in d = 1, 2, 3 and more: fewer make walks over cells slow, more make scans slow
PER_PARTNER = 0.25  # more points in a cell for each further partner, as a fraction
SAMPLE_SIZE = 4096  # points from which clustering is estimated
MIN_SAMPLE = 64  # fewer points are taken as uniform
MAX_COMPANIONS = 8  # of a point in cells for 4 on average: with fewer, points are taken as uniform
MIN_PAIRS = 128  # pairs of the sample in common cells, from which the number of points in a cell is estimated
MAX_CELLS = 1e11  # along an axis; beyond, the rounding of a cell would exceed SLACK, unless widths are powers of 2
SLACK = 1e-3  # of a cell's width, against rounding: the cell of a point is exact to less than that
MIN_WIDTH = 2.0**-510  # of a cell; its square is a normal number
ALL_COMPATIBLE = np.ones((1, 1), bool)
OfPositions = Callable[[np.ndarray], np.ndarray]  # an array for positions of points


class Grid(NamedTuple):
    """Cells of a phase, as arrays (d,): that of coordinate t is floor((t - origin) * inverse) modulo cells."""

    origin: np.ndarray
    inverse: np.ndarray  # 1 / width
    width: np.ndarray
    cells: np.ndarray  # int64
    fold: np.ndarray  # side / 2, or inf: larger coordinates t count as side - t, whose cells are among the others
    sides: np.ndarray  # of the torus; inf where there is no seam


# ---- numbers of cells for uniformly spread points ----


def points_per_cell_in(dim: int) -> float:
    """Return the number of points in a cell for one partner a point and one color."""
    return POINTS_PER_CELL[min(dim, len(POINTS_PER_CELL)) - 1]


def cube_width(extent: np.ndarray, count: float) -> float:
    """Return the width of about `count` cubes that fill a box of this extent, (d,); a shorter axis has one cube."""
    lengths = np.sort(extent)[::-1]
    for k in range(len(lengths), 0, -1):
        if lengths[k - 1] > 0:
            width = float(np.exp((np.log(lengths[:k]).sum() - np.log(max(count, 1.0))) / k))
            if k == 1 or lengths[k - 1] >= width:
                return width
    return 1.0


def cell_counts(sides: np.ndarray, n: float) -> np.ndarray:
    """Return the numbers of cells along the axes of a torus for n uniform points: (d,) int64."""
    return cube_counts(sides, n / points_per_cell_in(len(sides)))


def cube_counts(sides: np.ndarray, count: float) -> np.ndarray:
    """Return the numbers of cubes along the axes of a box, (d,) int64, about `count` in all."""
    return np.maximum(1, np.floor(sides / cube_width(sides, count))).astype(np.int64)


# ---- cells for any points ----


def bounding_box(points: np.ndarray, sides: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return origin and extent of the box that the cells cover, (d,) each."""
    d = points.shape[1]
    if sides[0] < np.inf:
        return np.zeros(d), sides
    if len(points) == 0:
        return np.zeros(d), np.zeros(d)
    low = np.array([axis.min() for axis in points.T])  # ten times as fast as numpy along the first axis
    return low, np.array([axis.max() for axis in points.T]) - low


class SampledPoints:
    """A sample of the active points of X, from which the number of points in cells is estimated.

    color_of: returns the colors of positions in X; None: all are 0. compatible: (C, C) bool; only
    pairs that may match count. is_active: returns a mask of positions in X; None: all are active.
    """

    def __init__(
        self,
        X: np.ndarray,
        color_of: OfPositions | None = None,
        compatible: np.ndarray = ALL_COMPATIBLE,
        is_active: OfPositions | None = None,
    ) -> None:
        n, rng = X.shape[1], np.random.default_rng(0)  # changes the speed, never the result
        index = rng.choice(n, SAMPLE_SIZE, replace=False, shuffle=False) if n > SAMPLE_SIZE else np.arange(n)
        index = index if is_active is None else index[is_active(index)]
        self.points, self.size = X[:, index], len(index)
        self.compatible = compatible.astype(int)
        self.colors = np.zeros(self.size, int) if color_of is None else color_of(index).astype(int)
        self.multipliers = rng.integers(1, 2**62, (len(X), 1))

    @property
    def share(self) -> float:
        """Fraction of all pairs that may match."""
        of_color = np.bincount(self.colors, minlength=len(self.compatible)) / self.size
        return float((of_color @ self.compatible * of_color).sum())

    @cached_property
    def coincident(self) -> float:
        """Number of ordered pairs of coincident points that may match."""
        return self._pairs(self._keys(self.points).sum(axis=0))

    def pairs(self, width: float, axes: np.ndarray | slice = slice(None)) -> float:
        """Return the number of ordered pairs that may match in a common cell of this width along these axes."""
        return self._pairs(self._keys(np.floor(self.points / width))[axes].sum(axis=0))

    def _keys(self, numbers: np.ndarray) -> np.ndarray:
        """Return integers for the numbers of each axis, which add up to a key of the point."""
        bits = numbers.view(np.int64)
        return np.asarray((bits ^ (bits >> 32)) * self.multipliers)

    def _pairs(self, keys: np.ndarray) -> float:
        keys, cell = np.unique(keys, return_inverse=True)
        shape = len(keys), len(self.compatible)
        colored_cell = np.ravel_multi_index((cell, self.colors), shape)
        together = np.bincount(colored_cell, minlength=np.prod(shape)).reshape(shape)
        return float((together @ self.compatible * together).sum() - self.compatible.diagonal()[self.colors].sum())


def cluster_width(
    sample: SampledPoints, n_active: int, per_cell: float, sides: np.ndarray, extent: np.ndarray, width: float
) -> tuple[float, np.ndarray]:
    """Return the cell width and the axes to divide, so that points of clusters have about `per_cell` companions.

    Estimated from a sample. axes: (d,) bool; for points on a line, one is enough. For uniform
    points these are `width`, unchanged, and all axes.
    """
    axes = np.full(len(extent), True)
    if sample.size < MIN_SAMPLE:
        return width, axes
    uniform_width, share = cube_width(extent, sample.size / 4), sample.share
    if sample.pairs(uniform_width) <= MAX_COMPANIONS * sample.size * share:
        return width, axes
    # narrow cells of a torus are folded, see choose_grid
    sample.points = np.minimum(sample.points, sides[:, None] - sample.points)
    enough = MIN_PAIRS + sample.coincident  # coincident points share every cell

    def is_wide(power: int) -> bool:
        return 2.0**power >= MIN_WIDTH and sample.pairs(2.0**power) > enough

    power, step = int(np.floor(np.log2(uniform_width))), 1
    while is_wide(power - step):
        power, step = power - step, 2 * step
    while (step := step // 2) > 0:  # cells of half the width lie in those cells, and hold no more pairs
        power -= step * is_wide(power - step)
    max_pairs = 2 * sample.pairs(2.0**power)
    for axis in range(len(extent)):  # the last one is kept if possible: along it, cells are adjacent in memory
        fewer = axes & (np.arange(len(extent)) != axis)
        axes = fewer if fewer.any() and sample.pairs(2.0**power, fewer) <= max_pairs else axes
    companions = max(sample.pairs(2.0**power, axes) - sample.coincident, 1.0) / sample.size * n_active / sample.size
    return min(width, 2.0**power * (per_cell * share / companions) ** (1 / axes.sum())), axes


def points_per_cell(compatible: np.ndarray, dim: int, partners: int) -> float:
    """Return the number of points in a cell, larger for several partners per point and if few of the colors may match."""
    share = max(float(np.count_nonzero(compatible)), 1.0) / compatible.size
    return points_per_cell_in(dim) * (1 + PER_PARTNER * min(partners - 1, 15)) / share


def choose_grid(
    X: np.ndarray, n_active: int, sides: np.ndarray, origin: np.ndarray, extent: np.ndarray, min_width: float, per_cell: float,
    color_of: OfPositions | None = None, compatible: np.ndarray = ALL_COMPATIBLE, is_active: OfPositions | None = None,
) -> tuple[Grid, float]:  # fmt: skip
    """Return cells at least `min_width` wide, with about `per_cell` active points of X, and the radius that they allow.

    All points within the radius lie in touching cells. color_of, compatible and is_active: see SampledPoints.
    """
    width = cube_width(extent, n_active / per_cell)
    if n_active > MIN_SAMPLE and width > min_width and extent.max() > MIN_WIDTH:
        width, axes = cluster_width(
            SampledPoints(X, color_of, compatible, is_active), n_active, per_cell, sides, extent, width
        )
        extent = np.where(axes, extent, 0.0)
    width = max(width, min_width, MIN_WIDTH)
    max_cells = 2 * n_active / per_cell + 64
    fold = np.full(len(sides), np.inf)
    full = np.maximum(1.0, np.floor(extent / width))  # cells that fill the box
    if sides[0] < np.inf and np.log(full).sum() > np.log(max_cells):
        fold, extent = sides / 2, extent / 2  # distant cells will be one; folded, there is no seam
        full = np.maximum(1.0, np.floor(extent / width))
    cells = np.minimum(full, _moduli(full, max_cells))
    widths = np.where(extent > 0, extent / full, 1.0)
    exact = (full > cells) & (full > MAX_CELLS)
    binary = 2.0 ** np.round(np.log2(width))
    widths[exact] = binary if binary >= min_width else 2 * binary
    inverse = np.where(full > 1, 1 / widths, 0.0)
    grid = Grid(np.where(exact, 0.0, origin), inverse, widths, cells.astype(np.int64), fold, sides)
    return grid, _radius(grid)


def is_folded(grid: Grid, extent: np.ndarray) -> bool:
    """Return whether distant cells of a box of this extent are one, as for clusters, which have small cells."""
    return bool(((grid.cells > 1) & (grid.cells * grid.width < 0.9 * extent)).any())


def _radius(grid: Grid) -> float:
    """Return the radius within which all points lie in touching cells."""
    widths = grid.width[grid.cells > 3]
    return float(widths.min()) * (1 - SLACK) if len(widths) else np.inf


def grid_in_rows(grid: Grid, n: int, per_cell: float) -> tuple[Grid, float] | None:
    """Return a grid in the order of uniform_points, equivalent to that of choose_grid for `per_cell`, and its radius.

    Its rows do not depend on `per_cell`. None if the points are not uniform on a torus.
    """
    sides = grid.sides
    if not (sides[0] < np.inf and grid.fold[0] == np.inf and (grid.cells == cube_counts(sides, n / per_cell)).all()):
        return None
    cells = cell_counts(sides, n)
    cells[-1] = max(1, int(n / per_cell / cells[:-1].prod()))
    widths = sides / cells
    in_rows = grid._replace(inverse=np.where(cells > 1, 1 / widths, 0.0), width=widths, cells=cells)
    return in_rows, _radius(in_rows)


def _moduli(full: np.ndarray, max_cells: float) -> np.ndarray:
    """Return at most about `max_cells` numbers of cells along the axes, given those that fill the box.

    They are odd, so that coordinates with few bits are spread as well, and differ from axis to
    axis, for diagonals.
    """
    d, cells, remaining = len(full), full.copy(), max_cells
    for k, axis in enumerate(np.argsort(full)):  # the same along each, except for those that have fewer
        cells[axis] = min(full[axis], np.floor(remaining ** (1 / (d - k))))
        remaining /= cells[axis]
    spread = cells - (cells + 1) % 2 + 2 * (np.arange(d) - d // 2)
    return np.where((cells < full) & (cells > 4 * d), spread, cells)
