"""The grid of cells of a phase, and the compiled sort of points by place, that is by (color, cell).

Sorting by place in two passes, first into some thousand buckets of neighboring places, then each bucket by itself:
one pass would write to places all over the memory, and takes twice as long from 10^6 points on.
"""

# mypy: ignore-errors

from typing import NamedTuple

import numpy as np

from .coarse import DEAD, coarse_coordinate
from .jit import inlined, jit


class Grid(NamedTuple):
    """Cells of a phase, one entry an axis: the cell of coordinate t is floor((t - origin) * inverse) modulo cells."""

    origin: np.ndarray
    inverse: np.ndarray  # 1 / width
    width: np.ndarray
    cells: np.ndarray  # int64
    fold: np.ndarray  # coordinates beyond it count as side - t: side / 2, or inf; their cells would be none
    sides: np.ndarray  # of the torus; inf where there is no seam


@jit
def far_along(t, axis, grid):
    """along, where the cell that would be counted from the origin is none."""
    if t > grid.fold[axis]:
        t = grid.sides[axis] - t
    u, size = (t - grid.origin[axis]) * grid.inverse[axis], np.float64(grid.cells[axis])
    if abs(u) < 2.0**53:
        u -= size * np.floor(u / size)
    else:
        u = np.fmod(u, size)
    if u < 0:
        u += size
    if u >= size:
        u -= size
    return u if 0 <= u < size else 0.0  # nan


@inlined
def along(t, axis, grid):
    """Where coordinate t lies on an axis, in cells, and the cell. Any float is in one of the cells."""
    u = (t - grid.origin[axis]) * grid.inverse[axis]
    c = np.int64(u)
    if np.uint64(c) >= np.uint64(grid.cells[axis]):  # or below 0, also where u is too large for an integer
        u = far_along(t, axis, grid)
        c = np.int64(u)
    return u, c


@inlined
def place_of(X, i, color, grid):
    """The place of point i, of this color."""
    place = np.int64(color)
    for axis in range(X.shape[0]):
        _, c = along(X[axis, i], axis, grid)
        place = place * grid.cells[axis] + c
    return place


@jit
def in_order(X, colors, grid, coarse, lo, hi, start, names, Z):
    """Do the points lo <= i < hi come by place? If so, Z gets their coarse coordinates, names their names, and start is told where
    their places end.

    start[p + 1] is written for a place p that some point lies in, but for that of point hi: an entry that is 0 is that before it.
    """
    n = X.shape[1]
    after = np.int64(-1)  # the place of the point that comes next
    if hi < n:
        after = place_of(X, hi, 0 if colors is None else colors[hi], grid)
    before = np.int64(0)
    in_places = True
    for i in range(lo, hi):
        place = place_of(X, i, 0 if colors is None else colors[i], grid)
        in_places &= before <= place
        before = place
        for axis in range(X.shape[0]):
            Z[axis, i] = coarse_coordinate(X[axis, i], axis, coarse)
        names[i] = i
        if place != after:
            start[np.uintp(place + 1)] = i + 1
    return in_places and (hi == n or before <= after)


@jit
def fill_gaps(start, lo, hi):
    """Places lo - 1 <= p < hi - 1 without points, whose entry start[p + 1] is 0, end where those before them do."""
    before = lo
    while before > 0 and start[before] == 0:  # others may fill these meanwhile: with the same numbers
        before -= 1
    end = start[before]
    for place in range(lo, hi):
        end = max(end, start[place])
        start[place] = end


@jit
def count_buckets(X, Z, colors, color, grid, shift, lo, hi, key, living, to, count):
    """Write those of the points lo <= i < hi that are not dead to living, from `to` on, their places to key, and count them by bucket
    (place >> shift). Returns where they end.

    Their color is colors[i], or `color` where colors is None; Z None: nobody is dead. No branch depends on who is.
    """
    for i in range(lo, hi):
        place = place_of(X, i, color if colors is None else colors[i], grid)
        lives = 1 if Z is None else np.int64(Z[0, i] != DEAD)
        key[np.uintp(to)] = place
        living[np.uintp(to)] = i
        count[np.uintp(place >> shift)] += lives
        to += lives
    return to


@jit
def fill_buckets(X, key, living, shift, lo, hi, cursor, records, numbers):
    """Move the points living[k], lo <= k < hi, to their buckets, each as a record: coordinates, place and position.

    numbers are the same records, seen as integers.
    """
    for k in range(lo, hi):
        i = living[k]
        bucket = np.uintp(key[k] >> shift)
        to = np.uintp(cursor[bucket])
        cursor[bucket] += 1
        for axis in range(X.shape[0]):
            records[to, axis] = X[axis, np.uintp(i)]
        numbers[to, np.uintp(numbers.shape[1] - 2)] = key[k]
        numbers[to, np.uintp(numbers.shape[1] - 1)] = i


@jit
def sort_buckets(records, numbers, shift, bucket_start, first, last, coarse, start, new_X, Z, order, cursor):
    """Sort the buckets first <= b < last by place; then place p holds the points start[p] ... start[p + 1] - 1.

    new_X and Z get their coordinates, exact and coarse.
    """
    size = 1 << shift
    for bucket in range(first, last):
        base = bucket << shift
        lo, hi = bucket_start[bucket], bucket_start[bucket + 1]
        cursor[:] = 0
        for i in range(lo, hi):
            cursor[numbers[i, numbers.shape[1] - 2] - base] += 1
        to = lo
        for p in range(min(size, len(start) - base)):
            start[base + p] = to
            to += cursor[p]
            cursor[p] = start[base + p]
        for i in range(lo, hi):
            p = numbers[i, numbers.shape[1] - 2] - base
            to = cursor[p]
            cursor[p] += 1
            for axis in range(new_X.shape[0]):
                new_X[axis, to] = records[i, axis]
                Z[axis, to] = coarse_coordinate(records[i, axis], axis, coarse)
            order[to] = numbers[i, numbers.shape[1] - 1]
