"""Pairs of points that would both rather have each other than what they have, counted by how long they stay so as a ball grows."""

# mypy: ignore-errors

import numpy as np

from . import octaves as levels
from .jit import jit
from .octaves import Octaves, pieces, row_of
from .simd import squared_distance


@jit
def add_pairs(X, X2, ends, radii2, ends_of_levels, octaves, dims, change):
    """Add to change, (k + 1,), 1 at the first radius that reaches from one point of such a pair to the other, and -1 at the first
    at which one of them is gone: ends, of each point, that radius."""
    rows = 1
    for _ in range(len(dims) - 1):
        rows *= 3
    low2, first = -1.0, 0
    for level in range(len(octaves.radius2)):
        high2 = octaves.radius2[level]
        while first < len(radii2) and radii2[first] < low2:
            first += 1
        for k in range(octaves.start[octaves.first[level]], ends_of_levels[level]):
            x = np.int64(octaves.member[k])
            for turn in range(rows):
                row, c = row_of(turn, x, level, X, octaves, dims)
                lo, hi, lo2, hi2 = pieces(row, c, level, octaves)
                while True:
                    for place in range(lo, hi):
                        z = np.int64(octaves.member[place])
                        if z <= x:
                            continue
                        d2 = squared_distance(X, x, z, octaves.sides, dims)
                        if d2 > high2 or d2 <= low2 or d2 >= X2[x] or d2 >= X2[z]:
                            continue
                        begin = first
                        while begin < len(radii2) and radii2[begin] < d2:
                            begin += 1
                        end = min(ends[x], ends[z])
                        if begin < end:
                            change[begin] += 1
                            change[end] -= 1
                    if lo2 == hi2:
                        break
                    lo, hi = lo2, hi2
                    lo2 = hi2
        low2 = high2


def count_pairs(points: np.ndarray, distance: np.ndarray, sides: np.ndarray, radii: np.ndarray) -> np.ndarray:
    """For each radius r: how many pairs of these points, of those whose partner distance is more than r, are at most r apart: (k,).

    points (n, d) on a torus; distance (n,), inf for the unmatched; radii ascending, the last less than a third of each side.
    """
    X, radii2, X2 = points.T, np.square(radii), np.square(distance)
    ends = np.searchsorted(radii2, X2)
    index = np.arange(len(points), dtype=np.int64)
    octaves: Octaves = levels.build(X, X2, index, float(radii[-1]), np.zeros(len(X)), sides, sides)
    last = octaves.start[octaves.first + octaves.cells.prod(axis=1)]
    change = np.zeros(len(radii) + 1, np.int64)
    add_pairs(X, X2, ends, radii2, last, octaves, (0,) * len(X), change)
    return change[:-1].cumsum()
