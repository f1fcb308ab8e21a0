"""Cells for points that are spread evenly: those of the first phase, in the order of which uniform points are drawn."""

from __future__ import annotations

import numpy as np

CROWD = (3.0, 1.5, 1.5)  # points a cell in d = 1, 2, 3 and more: with fewer, walks over cells cost; with more, scans do


def crowd_in(dim: int) -> float:
    """Points a cell where each may match each, and once."""
    return CROWD[min(dim, len(CROWD)) - 1]


def even_width(extent: np.ndarray, count: float) -> float:
    """Width of the cubes, about count of them, that fill a box; an axis shorter than that has one."""
    long = np.sort(extent)[::-1]
    for k in range(len(long), 0, -1):
        if long[k - 1] > 0:
            width = float(np.exp((np.log(long[:k]).sum() - np.log(max(count, 1.0))) / k))
            if k == 1 or long[k - 1] >= width:
                return width
    return 1.0


def even_cells(sides: np.ndarray, n: float) -> np.ndarray:
    """(d,) int64: numbers of cells along the axes of a torus for n points spread evenly."""
    return floors(sides, n / crowd_in(len(sides)))


def floors(sides: np.ndarray, count: float) -> np.ndarray:
    """(d,) int64: numbers of cubes along the axes of a box that takes about `count` of them."""
    return np.maximum(1, np.floor(sides / even_width(sides, count))).astype(np.int64)
