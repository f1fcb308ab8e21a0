"""Numbers of cells for uniformly spread points.

They are those of the first phase, in whose order uniform points are generated.
"""

from __future__ import annotations

import numpy as np

POINTS_PER_CELL = (3.0, 1.5, 1.5)  # in d = 1, 2, 3 and more: fewer make walks over cells slow, more make scans slow


def points_per_cell_in(dim: int) -> float:
    """Return the number of points in a cell for one partner a point and one color."""
    return POINTS_PER_CELL[min(dim, len(POINTS_PER_CELL)) - 1]


def cube_width(extent: np.ndarray, count: float) -> float:
    """Return the width of about `count` cubes that fill a box of this extent, (d,).

    A shorter axis has one cube.
    """
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
