"""Which pairs of a matching inside a box hold whatever lies outside.

A point may be matched to one outside once its partner distance is more than its distance to the faces of the box; then its partner
is free for others. Who may be free at a distance at which it was not is *loose*, and what a loose point may take becomes loose.
"""

# mypy: ignore-errors

import math

import numpy as np

from . import octaves as levels
from .jit import jit
from .lanes import squared_distance
from .octaves import before, pieces, row_of
from .response import partner_squares


@jit
def near_faces(X, partner, X2, low, high, margin, loose, queue):
    """Mark the unmatched, and the pairs of which one is not nearer to the other than to the faces; list the latter: how many.

    low, high: (d,) corners of the box; margin: (d,) what rounding may take from a distance along an axis.
    """
    count = 0
    for x in range(len(partner)):
        y = partner[x]
        if y < 0:
            loose[x] = True
        if loose[x]:
            continue
        edge = np.inf
        for axis in range(len(X)):
            edge = min(edge, min(X[axis, x] - low[axis], high[axis] - X[axis, x]) - margin[axis])
        if edge <= 0 or X2[x] >= edge * edge:
            loose[x] = loose[y] = True
            queue[count] = x
            queue[count + 1] = y
            count += 2
    return count


@jit
def spread(X, colors, reach, partner, X2, loose, queue, count, octaves, dims):
    """Mark, and add to the list, whoever a loose point may take after its old pair and would rather have it; and their partners."""
    rows = 1
    for _ in range(len(dims) - 1):
        rows *= 3
    done = 0
    while done < count:
        x = np.int64(queue[done])
        done += 1
        for level in range(len(octaves.radius2)):
            if octaves.radius2[level] < X2[x]:
                continue
            for turn in range(rows):
                row, c = row_of(turn, x, level, X, octaves, dims)
                if row < 0:
                    continue
                lo, hi, _, _ = pieces(row, c, level, octaves)
                for k in range(lo, hi):
                    z = np.int64(octaves.member[k])
                    if loose[z] or not reach[colors[x], colors[z]]:
                        continue
                    d2 = squared_distance(X, x, z, octaves.sides, dims)
                    if before(X2[x], partner[x], d2, z) and before(d2, x, X2[z], partner[z]):
                        y = partner[z]
                        loose[z] = loose[y] = True
                        queue[count] = z
                        queue[count + 1] = y
                        count += 2


def loose_points(
    points: np.ndarray,
    colors: np.ndarray,
    reach: np.ndarray,
    partner: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    margin: np.ndarray,
) -> np.ndarray:
    """Which points of a matching inside a box may have another partner, or none, because of points outside: (n,) bool."""
    n, X, dims = len(points), points.T, (0,) * points.shape[1]
    nowhere = np.full(len(dims), np.inf)  # is a seam
    X2, loose, queue = np.empty(n), np.zeros(n, bool), np.empty(n + 1, np.int32 if n < 2**31 else np.int64)
    partner_squares(X, partner, nowhere, dims, X2)
    count = near_faces(X, partner, X2, low, high, margin, loose, queue)
    if count:
        matched = np.flatnonzero(partner >= 0).astype(queue.dtype)
        most = math.sqrt(X2[matched].max()) * (1 + 1e-12)
        octaves = levels.build(X, X2, matched, most, low, high - low, nowhere)
        spread(X, colors, reach, partner, X2, loose, queue, count, octaves, dims)
    return loose
