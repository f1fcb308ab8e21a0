"""The compiled sort of points by colored cell, that is by (color, cell).

The sort has two passes: into some thousand buckets of neighboring colored cells, then each bucket by
itself. One pass would write all over the memory, and takes twice as long from 10^6 points on.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .coarse import INACTIVE, Coarse, coarse_coordinate
from .grids import Grid
from .jit import Int, inlined, jit
from .layer import Layer


class Unsorted(NamedTuple):
    """Points to be sorted, and the grid of their cells."""

    X: np.ndarray  # (d, n)
    Z: np.ndarray | None  # (d, n + SIMD_WIDTH): Z[0] is INACTIVE for inactive points; None: all are active
    colors: np.ndarray | None  # (n,); None: the color is given with the range of points
    grid: Grid


class Sort(NamedTuple):
    """Arrays of a sort of m active points among n."""

    shift: int  # colored_cell >> shift is the bucket of a colored cell
    colored_cell: np.ndarray  # (n,): those of the active points of each range, from its beginning on
    position: np.ndarray  # (n,): and their positions in the source
    records: np.ndarray  # (m, d + 1 or 2) float64, by bucket: coordinates, then colored cell and position
    numbers: np.ndarray  # the same memory as integers, for the last two
    bucket_start: np.ndarray  # bucket -> first record
    points: np.ndarray  # (m, d): sorted coordinates
    order: np.ndarray  # (m,): position in the source of each sorted point


@jit
def far_along(t: float, axis: int, grid: Grid) -> float:
    """Return the position in cells, as `along` does, of a coordinate outside the cells."""
    if t > grid.fold[axis]:
        t = grid.sides[axis] - t
    u, size = (t - grid.origin[axis]) * grid.inverse[axis], np.float64(grid.cells[axis])
    if abs(u) < 2.0**53:
        u -= size * np.floor(u / size)
    else:
        u = np.fmod(u, size) if np.isfinite(u) else np.nan
    if u < 0:
        u += size
    if u >= size:
        u -= size
    return u if 0 <= u < size else 0.0  # nan


@inlined
def along(t: float, axis: int, grid: Grid) -> tuple[float, Int]:
    """Return the position of coordinate t, which may be nan, along an axis, in cells, and its cell."""
    u = (t - grid.origin[axis]) * grid.inverse[axis]
    c = np.int64(u)  # rounded towards 0
    if u < 0 or np.uint64(c) >= np.uint64(grid.cells[axis]):  # or where u is too large for an integer, or nan
        u = far_along(t, axis, grid)
        c = np.int64(u)
    return u, c


@inlined
def colored_cell_of(X: np.ndarray, i: int, color: int, grid: Grid) -> Int:
    """Return the colored cell of point i, whose color is given."""
    colored_cell = np.int64(color)
    for axis in range(X.shape[0]):
        _, c = along(X[axis, i], axis, grid)
        colored_cell = colored_cell * grid.cells[axis] + c
    return colored_cell


@inlined
def count_cells(grid: Grid, dims: tuple[Int, ...]) -> Int:
    """Return the number of cells of a grid."""
    n_cells = np.int64(1)
    for axis in range(len(dims)):
        n_cells *= grid.cells[axis]
    return n_cells


@inlined
def color_at(colors: np.ndarray | None, i: int, color: int) -> Int:
    """Return colors[i], or `color` if colors is None."""
    return color if colors is None else colors[i]


@inlined
def is_active(Z: np.ndarray | None, i: int) -> Int:
    """Return 1 for an active point, 0 for an inactive one; Z None: all are active."""
    return 1 if Z is None else np.int64(Z[0, i] != INACTIVE)


@jit
def in_order(layer: Layer, colors: np.ndarray | None, lo: int, hi: int) -> bool:
    """Return whether points lo <= i < hi of layer.X are sorted by colored cell; fill Z, index and start of the layer.

    start[p + 1] becomes the end of a colored cell p with points, except for that of point hi; an
    entry 0 has the value of the entry before it.
    """
    X, n = layer.X, layer.X.shape[1]
    after: Int = np.int64(-1)  # the colored cell of point hi
    if hi < n:
        after = colored_cell_of(X, hi, color_at(colors, hi, 0), layer.grid)
    before: Int = np.int64(0)
    is_sorted = True
    for i in range(lo, hi):
        colored_cell = colored_cell_of(X, i, color_at(colors, i, 0), layer.grid)
        is_sorted &= before <= colored_cell
        before = colored_cell
        for axis in range(X.shape[0]):
            layer.Z[axis, i] = coarse_coordinate(X[axis, i], axis, layer.coarse)
        layer.indices[i] = i
        if colored_cell != after:
            layer.start[np.uintp(colored_cell + 1)] = i + 1
    return is_sorted and (hi == n or before <= after)


@jit
def fill_gaps(start: np.ndarray, lo: int, hi: int) -> None:
    """Fill start for colored cells without points.

    Those lo - 1 <= p < hi - 1 whose start[p + 1] is 0 end where the one before them ends.
    """
    before = lo
    while before > 0 and start[before] == 0:  # other threads may fill these meanwhile: with the same numbers
        before -= 1
    end = start[before]
    for p in range(lo, hi):
        end = max(end, start[p])
        start[p] = end


@jit
def count_buckets(source: Unsorted, color: int, sort: Sort, lo: int, hi: int, end: int, count: np.ndarray) -> Int:
    """Count active points lo <= i < hi by bucket, and write their colored cells and positions to the sort from `end` on.

    Returns the new end. No branch depends on which points are active.
    """
    for i in range(lo, hi):
        colored_cell = colored_cell_of(source.X, i, color_at(source.colors, i, color), source.grid)
        active = is_active(source.Z, i)
        sort.colored_cell[np.uintp(end)] = colored_cell
        sort.position[np.uintp(end)] = i
        count[np.uintp(colored_cell >> sort.shift)] += active
        end += active
    return end


@jit
def fill_buckets(X: np.ndarray, sort: Sort, lo: int, hi: int, cursor: np.ndarray) -> None:
    """Write records of the active points number lo <= k < hi to their buckets.

    cursor: bucket -> next record, changed.
    """
    records, numbers = sort.records, sort.numbers
    for k in range(lo, hi):
        i = sort.position[k]
        bucket = np.uintp(sort.colored_cell[k] >> sort.shift)
        to = np.uintp(cursor[bucket])
        cursor[bucket] += 1
        for axis in range(X.shape[0]):
            records[to, axis] = X[axis, np.uintp(i)]
        numbers[to, np.uintp(numbers.shape[1] - 2)] = sort.colored_cell[k]
        numbers[to, np.uintp(numbers.shape[1] - 1)] = i


@jit
def sort_buckets(
    sort: Sort, first: int, last: int, cursor: np.ndarray, Z: np.ndarray, start: np.ndarray, coarse: Coarse
) -> None:
    """Sort the buckets first <= b < last: fill points and order of the sort, and Z and start of the new layer.

    cursor: (1 << shift,), working memory.
    """
    records, numbers = sort.records, sort.numbers
    size = 1 << sort.shift
    for bucket in range(first, last):
        base = bucket << sort.shift
        lo, hi = sort.bucket_start[bucket], sort.bucket_start[bucket + 1]
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
            for axis in range(sort.points.shape[1]):
                sort.points[to, axis] = records[i, axis]
                Z[axis, to] = coarse_coordinate(records[i, axis], axis, coarse)
            sort.order[to] = numbers[i, numbers.shape[1] - 1]
