"""Counts of survivor pairs.

These are points closer to each other than to their partners, both unmatched at a radius.
"""

# mypy: ignore-errors

import numpy as np

from . import octave_kernels as levels
from .jit import jit
from .octave_kernels import Octaves, points_near
from .simd import squared_distance


@jit
def add_pairs(radii2, ends, level_ends, octaves, change):
    """Add to change, (k + 1,), for each survivor pair.

    Adds 1 at the first radius not below its distance, and -1 at the first at which it ends.

    radii2: (k,) squared radii; ends: (n,) number of the first radius at which each point is
    matched; level_ends: of the levels.
    """
    X2 = octaves.X2
    low2, first = -1.0, 0
    for level in range(len(octaves.radius2)):
        high2 = octaves.radius2[level]
        while first < len(radii2) and radii2[first] < low2:
            first += 1
        for k in range(octaves.start[octaves.first[level]], level_ends[level]):
            x = np.int64(octaves.member[k])
            for turn in range(octaves.rows):
                lo, hi, lo2, hi2 = points_near(turn, x, level, octaves)
                while True:
                    for entry in range(lo, hi):
                        z = np.int64(octaves.member[entry])
                        if z <= x:
                            continue
                        d2 = squared_distance(octaves.X, x, z, octaves.sides, octaves.dims)
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
    """Return, for each radius r, the number of survivor pairs at most r apart: (k,) int64.

    Both points have a partner distance of more than r.

    points (n, d) on a torus; distance (n,), inf for the unmatched; radii ascending, the last below
    a third of each side.
    """
    X, radii2, X2 = points.T, np.square(radii), np.square(distance)
    ends = np.searchsorted(radii2, X2)
    index = np.arange(len(points), dtype=np.int64)
    octaves: Octaves = levels.build(X, X2, index, float(radii[-1]), np.zeros(len(X)), sides, sides)
    level_ends = octaves.start[octaves.first + octaves.cells.prod(axis=1)]
    change = np.zeros(len(radii) + 1, np.int64)
    add_pairs(radii2, ends, level_ends, octaves, change)
    return change[:-1].cumsum()
