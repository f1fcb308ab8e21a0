"""How wide the cells of a phase are: about as many points in each as a search likes to look at, clusters or not."""

from __future__ import annotations

import numpy as np

from .buckets import DEAD, Grid
from .nearest import SLACK

CROWD = (3.0, 1.5, 1.5)  # points a cell in d = 1, 2, 3 and more: with fewer, walks over cells cost; with more, scans do
MORE = 0.25  # crowd for each further partner, as a fraction
SAMPLE = 4096  # points to judge by how crowded the cells will be
MOST_CELLS = 1e11  # along an axis; with more, the rounding of a point's cell would exceed SLACK
NARROWEST = 1e-140  # a cell; below, squared distances underflow, and pairs of different length become ties


def bounding_box(points: np.ndarray, side: float) -> tuple[np.ndarray, np.ndarray]:
    """Origin and extent of the space that the cells must cover, (d,) each."""
    d = points.shape[1]
    if side < np.inf:
        return np.zeros(d), np.full(d, side)
    if len(points) == 0:
        return np.zeros(d), np.zeros(d)
    low = points.min(axis=0)
    return low, points.max(axis=0) - low


def even_width(extent: np.ndarray, count: float) -> float:
    """Width of the cubes, about count of them, that fill a box; an axis shorter than that has one."""
    long = np.sort(extent)[::-1]
    for k in range(len(long), 0, -1):
        if long[k - 1] > 0:
            width = float(np.exp((np.log(long[:k]).sum() - np.log(max(count, 1.0))) / k))
            if k == 1 or long[k - 1] >= width:
                return width
    return 1.0


def crowded_width(X: np.ndarray, living: int, crowd: float, extent: np.ndarray, width: float) -> float:
    """The cell width that gives a point of a cluster about `crowd` companions in its cell, judged from a sample.

    For points that are spread evenly this is the even width; it is returned unchanged then.
    """
    rng = np.random.default_rng(0)  # changes the speed, never the result
    sample = X[:, rng.choice(X.shape[1], SAMPLE, replace=False, shuffle=False)] if X.shape[1] > SAMPLE else X
    sample = sample[:, sample[0] != DEAD]
    size = sample.shape[1]
    if size < 64:
        return width

    multipliers = rng.integers(1, 2**62, len(sample))

    def companions(w: float) -> float:
        cells = np.floor((sample.T - sample.min(axis=1)) / w).astype(np.int64)
        together = np.unique(cells @ multipliers, return_counts=True)[1].astype(float)
        return float((together * (together - 1)).sum()) / size

    coarse = even_width(extent, size / 4)
    if companions(coarse) < 8:
        return width
    sample = np.unique(sample, axis=1)  # coincident points stay together in cells of any width
    size = sample.shape[1]
    if size < 64:
        return width
    floor = float(extent.max()) / MOST_CELLS
    while coarse > floor and companions(coarse / 2) * size > 128:
        coarse /= 2
    return max(floor, min(width, coarse * (crowd / (companions(coarse) * living / size)) ** (1 / len(extent))))


def crowd_of(reach: np.ndarray, dim: int, partners: int) -> float:
    """Points a cell: more where a point takes several partners, and where it looks at some of the colors only."""
    share = max(float(reach.mean()), 1 / reach.size)
    return CROWD[min(dim, len(CROWD)) - 1] * (1 + MORE * min(partners - 1, 15)) / share


def choose_grid(
    X: np.ndarray, living: int, side: float, origin: np.ndarray, extent: np.ndarray, least: float, crowd: float
) -> tuple[Grid, float]:
    """Cells with about `crowd` of the living points of X, at least `least` wide, and the radius up to which touching
    cells decide.
    """
    d = len(extent)
    width = even_width(extent, living / crowd)
    if living > 64 and extent.max() > NARROWEST and width > least:
        width = crowded_width(X, living, crowd, extent, width)
    width = max(width, least, NARROWEST)
    full = np.maximum(1, np.minimum(extent / width, MOST_CELLS).astype(np.int64))  # cells that fill the box
    cells = full
    most = 2 * living / crowd + 64
    if np.prod(full.astype(float)) > most:  # far-away cells share a place; unequal moduli spread diagonals as well
        shrink = even_width(full.astype(float), most)
        cells = np.minimum(full, np.maximum(1, (full / shrink).astype(np.int64)) + np.arange(d))
        if side < np.inf:
            full = cells * (full // cells)
    widths = np.where(extent > 0, extent / full, 1.0)
    inverse = np.where(full > 1, 1 / widths, 0.0)
    walls = widths[cells > 3]
    radius = float(walls.min()) * (1 - SLACK) if len(walls) else np.inf
    return Grid(origin, inverse, widths, cells, side, False), radius
