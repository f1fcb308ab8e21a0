"""Points of a box whose partner, or distance to it up to a scale, points outside of the box may change."""

# mypy: ignore-errors

from __future__ import annotations

import math
from functools import reduce
from typing import NamedTuple

import numpy as np

from ...engine.jit import jit

SLACK = 1e-9  # relative error of a distance that is allowed for: more points are marked, and the bound stays true


class Matched(NamedTuple):
    """A fussy matching of points (n, d): which are red, partners (-1: none), and distances X (inf: none)."""

    points: np.ndarray
    red: np.ndarray
    partner: np.ndarray
    distance: np.ndarray


class Cells(NamedTuple):
    """Points by the cubes of a grid with `along` cubes along each side."""

    width: float
    along: int
    start: np.ndarray  # (along**d + 1,): entry of the first point of each cube
    member: np.ndarray  # numbers of points


@jit
def sort_members(points, members, cells):
    """Write the members to cells.member by their cubes, from the last to the first; cells.start is all zeros before."""
    start = cells.start
    for turn in range(2):
        for k in range(len(members) - 1, -1, -1):
            place = np.int64(0)
            for axis in range(points.shape[1]):
                cube = np.int64(points[members[k], axis] / cells.width)
                place = place * cells.along + min(cube, cells.along - 1)
            if turn == 0:
                start[place] += 1
            else:
                start[place] -= 1
                cells.member[start[place]] = members[k]
        if turn == 0:
            for place in range(1, len(start)):
                start[place] += start[place - 1]


@jit
def spread(matched, cells, reach, scale, marked, queue, count):
    """Mark the members that could prefer a marked point within the distance `reach`, and their partners, until none is added.

    queue: (n,), whose first `count` entries are the marked points. Returns their new number.
    """
    points, red, partner, distance = matched
    dim = points.shape[1]
    done = 0
    while done < count:
        x = queue[done]
        done += 1
        if distance[x] > reach:
            continue
        for row in range(3 ** (dim - 1)):  # of three cubes along the last axis
            first = np.int64(0)
            for axis in range(dim - 1):
                cube = min(np.int64(points[x, axis] / cells.width), cells.along - 1) + row % 3 - 1
                row //= 3
                first = first * cells.along + cube if 0 <= cube < cells.along and first >= 0 else np.int64(-1)
            if first < 0:
                continue
            cube = min(np.int64(points[x, dim - 1] / cells.width), cells.along - 1)
            low = cells.start[first * cells.along + max(cube - 1, 0)]
            high = cells.start[first * cells.along + min(cube + 2, cells.along)]
            for k in range(low, high):
                z = cells.member[k]
                if marked[z] or (red[x] and red[z]):
                    continue
                square = 0.0
                for axis in range(dim):
                    square += (points[x, axis] - points[z, axis]) ** 2
                apart = math.sqrt(square)
                if apart > reach or apart * (1 + SLACK) < distance[x] or apart > distance[z] * (1 + SLACK):
                    continue
                marked[z] = True
                queue[count] = z
                count += 1
                if distance[z] <= scale and not marked[partner[z]]:
                    marked[partner[z]] = True
                    queue[count] = partner[z]
                    count += 1
    return count


def influenced(matched: Matched, side: float, scale: float) -> np.ndarray:
    """Return which points of a fussy matching in an open box can depend, up to a scale, on points outside of the box.

    Whatever the points outside are, each point that is not marked has the same partner in the
    stable matching of all points, if its partner distance is at most `scale`; if not, it has no
    partner within `scale` there either.

    A point is marked if it could prefer a point outside, min(X, scale) at least its distance to the
    boundary, and so is its partner. A marked point x with X(x) <= scale, which may stay free for
    longer, marks each point z that could prefer it: compatible with x, X(x) <= |xz| <= X(z), |xz|
    <= scale; and the partner of z. This is repeated until no point is added. Since X grows from
    mark to mark, it is done for one octave of distances after the other.

    Parameters
    ----------
    matched : Matched
        The points, with coordinates from 0 to side, and their matching alone.
    side, scale : float

    Returns
    -------
    (n,) bool
    """
    points, _, partner, distance = matched
    depth = reduce(np.minimum, (np.minimum(along, side - along) for along in points.T))
    outward = np.flatnonzero(np.minimum(distance, scale) * (1 + SLACK) >= depth)
    sources = np.unique(np.append(outward, partner[outward[distance[outward] <= scale]]))
    marked, queue, count = np.zeros(len(points), bool), np.empty(len(points), np.int64), len(sources)
    marked[sources], queue[:count] = True, sources
    members, longer = np.arange(len(points)), 0.0
    for reach in _octaves(distance, scale):
        members = members[distance[members] * (1 + SLACK) >= longer]
        along = max(1, math.floor(side / (reach * (1 + 2 * SLACK))))
        start = np.zeros(along ** points.shape[1] + 1, np.int64)
        cells = Cells(side / along, along, start, np.empty(len(members), np.int64))
        sort_members(points, members, cells)
        count = spread(matched, cells, min(reach * (1 + SLACK), scale), scale, marked, queue, count)
        longer = reach
    return marked


def _octaves(distance: np.ndarray, scale: float) -> list[float]:
    """Return distances up to the scale, each twice the one before; the first is at least the median partner distance, if that is less."""
    first = max(np.median(distance), 1e-6 * scale)
    number = max(0, math.floor(math.log2(scale / first))) if first < scale else 0
    return [scale / 2.0**k for k in range(number, -1, -1)]
