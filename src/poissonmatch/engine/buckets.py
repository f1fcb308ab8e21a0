"""The grid of cells of a phase, and the compiled sort of points by place, that is by (color, cell).

Sorting by place in two passes, first into some thousand buckets of neighboring places, then each bucket by itself:
one pass would write to places all over the memory, and takes twice as long from 10^6 points on.
"""

# mypy: ignore-errors

from typing import NamedTuple

import numpy as np

from .jit import jit

DEAD = 1e300  # first coordinate of a point without room: its squared distance to anything overflows to inf
TINY = 1e-140  # a coordinate closer to 0 may differ from another by so little that the squared distance underflows


class Grid(NamedTuple):
    """Cells of a phase, one entry an axis: the cell of coordinate t is floor((t - origin) * inverse) modulo cells."""

    origin: np.ndarray
    inverse: np.ndarray  # 1 / width
    width: np.ndarray
    cells: np.ndarray  # int64
    side: float  # of the torus; inf where there is no seam
    distinct: bool  # different points are at a positive squared distance: none underflows


@jit
def count_buckets(X, colors, color, grid, shift, lo, hi, key, count):
    """Write the place of the points lo <= i < hi to key (-1: dead), and count them by bucket (place >> shift).

    Their color is colors[i], or `color` where colors is None. Returns whether a coordinate is TINY.
    """
    origin, inverse, cells = grid.origin, grid.inverse, grid.cells
    tiny = False
    for i in range(lo, hi):
        if X[0, i] == DEAD:
            key[i] = -1
            continue
        if colors is None:
            place = np.int64(color)
        else:
            place = np.int64(colors[i])
        for axis in range(X.shape[0]):
            t = X[axis, i]
            if t != 0 and abs(t) < TINY:
                tiny = True
            c = np.int64((t - origin[axis]) * inverse[axis])
            if c >= cells[axis]:
                c %= cells[axis]
            place = place * cells[axis] + c
        key[i] = place
        count[place >> shift] += 1
    return tiny


@jit
def fill_buckets(X, key, shift, lo, hi, cursor, records, numbers):
    """Move the living points lo <= i < hi to their buckets, each as a record: coordinates, place and position i.

    numbers are the same records, seen as integers.
    """
    for i in range(lo, hi):
        if key[i] >= 0:
            bucket = key[i] >> shift
            to = cursor[bucket]
            cursor[bucket] += 1
            for axis in range(X.shape[0]):
                records[to, axis] = X[axis, i]
            numbers[to, numbers.shape[1] - 2] = key[i]
            numbers[to, numbers.shape[1] - 1] = i


@jit
def sort_buckets(records, numbers, shift, bucket_start, first, last, start, new_X, order, cursor):
    """Sort the buckets first <= b < last by place; then place p holds the points start[p] ... start[p + 1] - 1."""
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
            order[to] = numbers[i, numbers.shape[1] - 1]
