"""Which pairs of a matching inside a box hold whatever lies outside.

A point may be matched to one outside once its partner distance is more than its distance to the faces of the box; then its partner
is free for others. Who may be free at a distance at which it was not is *loose*, and what a loose point may take becomes loose.
Nearly all that do lie near the faces: who is deep inside is looked at only where somebody loose is so near that it could be taken.
"""

# mypy: ignore-errors

import math

import numpy as np

from . import octaves as levels
from .jit import jit
from .octaves import SLACK, before, pieces, row_of
from .response import partner_squares
from .simd import squared_distance

SHORT = 1.5  # mean distances between points: pairs that are longer are looked at wherever they are
DEEP = 6.0  # times that: as far from the faces everybody is looked at, at first


@jit
def near_faces(X, partner, X2, low, high, margin, depth, loose, queue):
    """Mark the unmatched, and the pairs of which one is not nearer to the other than to the faces; list the latter: how many.

    low, high: (d,) corners of the box; margin: (d,) what rounding may take from a distance along an axis. depth: the least
    distance of each point to a face, written here.
    """
    count = 0
    for x in range(len(partner)):
        edge = np.inf
        for axis in range(len(X)):
            edge = min(edge, min(X[axis, x] - low[axis], high[axis] - X[axis, x]) - margin[axis])
        depth[x] = edge
        y = partner[x]
        if y < 0:
            loose[x] = True
        if loose[x]:
            continue
        if edge <= 0 or X2[x] >= edge * edge:
            loose[x] = loose[y] = True
            queue[count] = x
            queue[count + 1] = y
            count += 2
    return count


@jit
def spread(X, colors, reach, partner, X2, loose, queue, count, octaves, dims):
    """Mark, and add to the list, whoever a loose point may take after its old pair and would rather have it; and their partners.

    Returns the new length of the list.
    """
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
    return count


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
    X2, depth, loose = np.empty(n), np.empty(n), np.zeros(n, bool)
    queue = np.empty(n + 1, np.int32 if n < 2**31 else np.int64)
    partner_squares(X, partner, nowhere, dims, X2)
    count = near_faces(X, partner, X2, low, high, margin, depth, loose, queue)
    if not count:
        return loose
    matched = partner >= 0
    most = math.sqrt(X2[matched].max()) * (1 + 1e-12)
    short = (
        SHORT * float(np.exp(np.log(high - low).mean())) / n ** (1 / len(dims))
    )  # the volume itself may be too large
    deep = DEEP * short
    while True:
        members = np.flatnonzero(matched & ((depth <= deep) | (X2 > short * short))).astype(queue.dtype)
        octaves = levels.build(X, X2, members, most, low, high - low, nowhere)
        count = spread(X, colors, reach, partner, X2, loose, queue, count, octaves, dims)
        found = queue[:count]  # who of them may take a point takes one whose pair is longer than its own
        reach_of_short = depth[found][X2[found] < short * short].max(initial=0.0) + short
        if len(members) == np.count_nonzero(matched) or reach_of_short < (1 - SLACK) * deep:
            return loose
        deep *= 2
