"""The pairs of a matching inside a box that do not depend on the points outside.

A point may be matched to one outside if its partner distance is more than its distance to the faces
of the box; then its partner is free for others. A point that may be free at a distance at which it
was not is *loose*, and what a loose point may take becomes loose. Nearly all such points are near
the faces: points deep inside are looked at only if a loose point is near enough to take them.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from .jit import Int, jit
from .octave_kernels import SLACK, Levels, levels_of, partner_squares, points_near
from .pair_order import precedes, squared_distance

# Chosen by the times in tiles of benchmarks/openproblem.py.
SHORT = 1.5  # mean distances between points: longer pairs are looked at wherever they are
DEEP = 6.0  # times that: up to this distance from the faces all points are looked at, at first


class Faces(NamedTuple):
    """The faces of a box, (d,) each."""

    low: np.ndarray  # corners
    high: np.ndarray
    margin: np.ndarray  # error of a distance along an axis, by rounding


class Marks(NamedTuple):
    """The points that are loose, and a list of them."""

    loose: np.ndarray  # (n,) bool
    queue: np.ndarray  # (n + 1,): loose points that have a partner


@jit
def mark_near_faces(
    X: np.ndarray, partner: np.ndarray, X2: np.ndarray, faces: Faces, depth: np.ndarray, marks: Marks
) -> Int:
    """Mark the unmatched points and the pairs near the faces.

    A pair is near the faces if one of its points is not nearer to the other than to the faces.

    Writes the smallest distance of each point to a face to depth, (n,). Returns the number of
    points in the queue.
    """
    loose, queue = marks.loose, marks.queue
    count = 0
    for x in range(len(partner)):
        edge = np.inf
        for axis in range(len(X)):
            edge = min(edge, min(X[axis, x] - faces.low[axis], faces.high[axis] - X[axis, x]) - faces.margin[axis])
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
def mark_dependent(
    colors: np.ndarray, compatible: np.ndarray, partner: np.ndarray, levels: Levels, marks: Marks, count: int
) -> Int:
    """Mark the points whose partner depends on a loose point, and their partners.

    A loose point may take them after its old pair, and they prefer it to their partners.

    Returns the new number of points in the queue.
    """
    X2, loose, queue = levels.X2, marks.loose, marks.queue
    done = 0
    while done < count:
        x = np.int64(queue[done])
        done += 1
        for level in range(len(levels.radius2)):
            if levels.radius2[level] < X2[x]:
                continue
            for turn in range(levels.rows):
                lo, hi, _, _ = points_near(turn, x, level, levels)
                for k in range(lo, hi):
                    z = np.int64(levels.member[k])
                    if loose[z] or not compatible[colors[x], colors[z]]:
                        continue
                    d2 = squared_distance(levels.X, x, z, levels.sides, levels.dims)
                    if precedes(X2[x], partner[x], d2, z) and precedes(d2, x, X2[z], partner[z]):
                        y = partner[z]
                        loose[z] = loose[y] = True
                        queue[count] = z
                        queue[count + 1] = y
                        count += 2
    return count


def loose_points(
    points: np.ndarray,
    colors: np.ndarray,
    compatible: np.ndarray,
    partner: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    margin: np.ndarray,
) -> np.ndarray:
    """Return which points, (n,) bool, of a matching inside a box may have other partners because of points outside.

    points: (n, d); partner: (n,), -1 for the unmatched; low, high: (d,) corners of the box; margin:
    (d,) error of a distance along an axis.
    """
    n, X, dims = len(points), points.T, (0,) * points.shape[1]
    no_seam = np.full(len(dims), np.inf)
    X2, depth, loose = np.empty(n), np.empty(n), np.zeros(n, bool)
    marks = Marks(loose, np.empty(n + 1, np.int32 if n < 2**31 else np.int64))
    partner_squares(X, partner, no_seam, dims, X2)
    count = mark_near_faces(X, partner, X2, Faces(low, high, margin), depth, marks)
    if not count:
        return loose
    matched = partner >= 0
    max_distance = math.sqrt(X2[matched].max()) * (1 + 1e-12)
    side = float(np.exp(np.log(high - low).mean()))  # the volume itself may be too large
    short = SHORT * side / n ** (1 / len(dims))
    deep = DEEP * short
    while True:
        members = np.flatnonzero(matched & ((depth <= deep) | (X2 > short * short))).astype(marks.queue.dtype)
        levels = levels_of(X, X2, members, max_distance, low, high - low, no_seam)
        count = mark_dependent(colors, compatible, partner, levels, marks, count)
        marked = marks.queue[:count]  # one that may take a point takes one whose pair is longer than its own
        deepest = depth[marked][X2[marked] < short * short].max(initial=0.0) + short
        if len(members) == np.count_nonzero(matched) or deepest < (1 - SLACK) * deep:
            return loose
        deep *= 2
