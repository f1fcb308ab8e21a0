"""The matching of small sets of points in one compiled call, from the points to their partners.

For few points the steps of phases.py between its kernels take longer than the kernels. Here one
kernel sorts and matches in all phases, one set after another. Its cells are those of uniform
points: if searches are long, because points are clustered or colors lie apart, a set is not done,
and phases.py begins again.
"""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from .buckets import colored_cell_of, count_cells
from .chains import find_neighbors, match_chains
from .coarse import INACTIVE, Coarse, coarse_coordinate, write_coarse
from .grids import MIN_WIDTH, SLACK, Grid, points_per_cell
from .jit import Int, inlined, jit
from .layer import Layer, Output, Rows, Scratch, State, empty_coarse, new_scratch, read_only
from .simd import SIMD_WIDTH
from .task import Task

MAX_POINTS = 50_000  # (benchmarks/sizes.py) of a small set; 0: only distances from a table are matched here
ONE_CELL = 64  # (benchmarks/sizes.py) points that are not divided into cells
KEPT = 1000  # (benchmarks/sizes.py) points and cells whose memory each thread keeps
GROWTH = 3.0  # (benchmarks/matching.py) the ball of a phase grows at least by this factor in volume

write_coarse = inlined(write_coarse)


class SmallSets(NamedTuple):
    """Points of small sets by index, and arrays to sort those of a set into the layer of each phase."""

    ends: np.ndarray  # (S + 1,): the points of set s are ends[s] <= i < ends[s + 1]
    done: np.ndarray  # (S,) bool: whether no search was long
    one_cell: int  # largest number of points that are not divided into cells
    per_cell: float  # points in a cell of the first phase of more
    X: np.ndarray  # (d, n)
    colors: np.ndarray  # (n,) uint8
    extent: np.ndarray  # of the box that the cells cover
    points: np.ndarray  # (largest set, d): the memory of layer.X
    colored_cell: np.ndarray  # (largest set,)
    members: np.ndarray  # (largest set,): indices of the active points
    active: np.ndarray  # (C,): their numbers by color


class Start(NamedTuple):
    """The state of points before any pair is matched, by index."""

    remaining: np.ndarray  # (n,) uint64; see State
    near: np.ndarray  # (n,): the nearest other point, if mutually nearest pairs are excluded, else empty
    near_d2: np.ndarray  # and its squared distance


@jit
def some_pair(compatible: np.ndarray, active: np.ndarray) -> bool:
    """Return whether there is a compatible pair, for these numbers of active points by color."""
    for i in range(len(compatible)):
        for j in range(len(compatible)):
            if compatible[i, j] and active[i] > (1 if i == j else 0) and active[j] > 0:
                return True
    return False


@jit
def first_width(small: SmallSets, n: int) -> float:
    """Return the width of the cells of the first phase of n points: cubes, where an axis is as long."""
    if n <= small.one_cell:
        return np.inf
    width, n_before = 0.0, -1
    while True:
        logarithm, n_axes = -np.log(max(n / small.per_cell, 1.0)), 0
        for extent in small.extent:
            if extent > 0.0 and extent >= width:
                logarithm += np.log(extent)
                n_axes += 1
        if n_axes == n_before or n_axes == 0:
            return max(width, MIN_WIDTH)
        width, n_before = np.exp(logarithm / n_axes), n_axes


@inlined
def first_members(small: SmallSets, s: int) -> Int:
    """Make the points of a set its active members; return their number."""
    first, end = small.ends[s], small.ends[s + 1]
    for i in range(first, end):
        small.members[i - first] = i
    return end - first


@inlined
def divide(grid: Grid, extent: np.ndarray, width: float) -> float:
    """Write cells of at least this width to a grid, and return the radius that they allow."""
    radius = np.inf
    for axis in range(len(extent)):
        cells = max(1.0, np.floor(extent[axis] / width))
        grid.cells[axis] = np.int64(cells)
        grid.width[axis] = extent[axis] / cells if extent[axis] > 0 else 1.0
        grid.inverse[axis] = 1 / grid.width[axis] if cells > 1 else 0.0
        if cells > 3:
            radius = min(radius, grid.width[axis] * (1 - SLACK))
    return radius


@inlined
def sort_members(layer: Layer, small: SmallSets, n: int) -> None:
    """Sort the first n members by colored cell; in a cell their order is kept."""
    start, colored_cell, members = layer.start, small.colored_cell, small.members
    n_colored_cells = len(layer.starter) * count_cells(layer.grid, layer.dims)
    for p in range(n_colored_cells + 1):
        start[p] = 0
    for k in range(n):
        i = members[k]
        colored_cell[k] = colored_cell_of(small.X, i, small.colors[i], layer.grid)
        start[colored_cell[k]] += 1
    first = 0
    for p in range(n_colored_cells):
        count = start[p]
        start[p] = first
        first += count
    for k in range(n):
        i, p = members[k], colored_cell[k]
        to = start[p]
        start[p] += 1
        layer.indices[to] = i
        for axis in range(len(layer.dims)):
            small.points[to, axis] = small.X[axis, i]
            layer.Z[axis, to] = coarse_coordinate(small.X[axis, i], axis, layer.coarse)
    for p in range(
        n_colored_cells, 0, -1
    ):  # `start` now has the ends of colored cells, which are where the next ones begin
        start[p] = start[p - 1]
    start[0] = 0


@inlined
def sorted_layer(layer: Layer, small: SmallSets, n: int, width: float) -> Layer:
    """Return the layer of the first n members, in the arrays of another one, in cells of at least this width."""
    coarse, grid = layer.coarse, layer.grid
    radius = divide(grid, small.extent, width)
    numbers = write_coarse(small.extent, grid.sides, radius, coarse.steps, coarse.step)
    coarse = Coarse(coarse.low, coarse.steps, coarse.step, *numbers)
    layer = Layer(
        layer.X, layer.Z, layer.indices, layer.row, layer.start, grid, radius, coarse, layer.compatible,
        layer.starter, layer.dims,
    )  # fmt: skip
    sort_members(layer, small, n)
    return layer


@inlined
def copy_state(source: State, i: int, target: State, k: int) -> None:
    """Copy the state of point i to that of point k."""
    target.remaining[k] = source.remaining[i]
    target.taken[k] = source.taken[i]
    target.last_d2[k] = source.last_d2[i]
    target.last_index[k] = source.last_index[i]


@inlined
def open_set(small: SmallSets, n: int, start: Start | None, by_index: Any, output: Output) -> None:
    """Write that the n points of a set have no partner, and their state by index."""
    for k in range(n):
        i = small.members[k]
        for column in range(output.partner.shape[1]):
            output.partner[i, column] = -1
            output.distance[i, column] = np.inf
        if start is not None:
            by_index.remaining[i] = start.remaining[i]
            by_index.taken[i] = 0
            by_index.last_d2[i] = -1.0
            by_index.last_index[i] = -1
            if len(start.near) > 0 and n > 1:
                near = start.near[i]
                if start.near[near] == i:  # the first pair of both points: mark it as decided
                    by_index.last_d2[i] = start.near_d2[i]
                    by_index.last_index[i] = near


@inlined
def open_phase(layer: Layer, n: int, by_index: Any, state: State | None, candidate: np.ndarray) -> None:
    """Write the state of the n points of a layer from that by index; no nearest point is known."""
    for k in range(n):
        candidate[k] = -1
        if state is not None:
            copy_state(by_index, layer.indices[k], state, k)


@inlined
def close_phase(layer: Layer, n: int, by_index: Any, state: State | None, small: SmallSets) -> Int:
    """Keep the active ones of the n points of a layer as members, and their state by index; return their number."""
    small.active[:] = 0
    n_active = 0
    for k in range(n):
        if layer.Z[0, k] != INACTIVE:
            i = layer.indices[k]
            small.members[n_active] = i
            n_active += 1
            small.active[small.colors[i]] += 1
            if state is not None:
                copy_state(state, k, by_index, i)
    return n_active


@jit
def match_sets(
    layer: Layer,
    state: State | None,
    table: np.ndarray | None,
    output: Output,
    scratch: Scratch,
    price: float,
    small: SmallSets,
    start: Start | None,
    by_index: Any,
) -> None:
    """Match small sets in all phases; see match_chains.

    price: of the work of a pair; a set is not done if its work is more than that of its points and
    pairs. start and by_index: None as `state`, or the state of the points before the first pair,
    and the memory for it in all phases.
    """
    for s in range(len(small.done)):
        n = first_members(small, s)
        open_set(small, n, start, by_index, output)
        if n < 2 or not small.done[s]:
            continue
        width = first_width(small, n)
        spare = price * n if width < np.inf else np.inf
        while True:
            layer = sorted_layer(layer, small, n, width)
            open_phase(layer, n, by_index, state, scratch.candidate)
            rows = Rows(0, layer.grid.cells[0], 0, layer.grid.cells[0])
            work, n_pairs = match_chains(layer, state, table, None, rows, output, scratch, spare, price)
            spare += price * n_pairs - work
            small.done[s] = spare >= 0
            if layer.radius == np.inf or spare < 0:
                break
            n_before = n
            n = close_phase(layer, n, by_index, state, small)
            if not some_pair(layer.compatible, small.active):
                break
            width *= max(GROWTH, n_before / n) ** (1 / len(layer.dims))


@jit
def find_all_neighbors(
    layer: Layer,
    table: np.ndarray | None,
    near: np.ndarray,
    near_d2: np.ndarray,
    scratch: Scratch,
    price: float,
    small: SmallSets,
) -> None:
    """Write the nearest other point of each in its set, see find_neighbors and match_sets."""
    for s in range(len(small.done)):
        n = first_members(small, s)
        width = first_width(small, n)
        spare = price * n if width < np.inf else np.inf
        isolated = n if n > 1 else 0
        while isolated > 0:
            layer = sorted_layer(layer, small, n, width)
            work, isolated = find_neighbors(layer, table, None, near, near_d2, scratch, spare)
            spare -= work
            small.done[s] = spare >= 0
            if layer.radius == np.inf or spare < 0:
                break
            width *= 2


def small_sets(task: Task, ends: np.ndarray) -> tuple[SmallSets, Layer, Scratch]:
    """Return the sets of points of a task that have these ends, a layer for them, to be sorted, and working memory."""
    (n, d), C = task.points.shape, len(task.compatible)
    origin, extent = task.box
    largest, one_cell = int((ends[1:] - ends[:-1]).max()), n if task.table is not None else ONE_CELL
    per_cell, cells = points_per_cell(task.compatible, d, task.width), 1
    if largest > one_cell:
        cells = int(1.001 * largest / per_cell) + 1
    colors = np.zeros(n, np.uint8) if task.colors is None else task.colors.view()
    colors.flags.writeable = False  # all have the same type, so that kernels are compiled once
    is_kept = max(largest, cells) <= KEPT
    arrays = kept_arrays(threading.get_ident(), d, C) if is_kept else new_arrays(largest, d, C, cells)
    small = SmallSets(
        ends, np.ones(len(ends) - 1, np.bool_), one_cell, per_cell, task.X, colors, extent, arrays.points,
        arrays.indices[0], arrays.indices[1], arrays.active,
    )  # fmt: skip
    inverse, width, steps = arrays.numbers
    grid = Grid(origin, inverse, width, arrays.cells, arrays.fold, task.sides)
    coarse = Coarse(origin, steps, arrays.step, 0.0, 0.0, 0.0, 0.0)
    layer = Layer(
        arrays.X, arrays.Z, arrays.indices[2], arrays.indices[2], arrays.start, grid, np.inf, coarse,
        task.compatible, task.starter, (0,) * d,
    )  # fmt: skip
    return small, layer, arrays.scratch


def states(task: Task, largest: int) -> list[State]:
    """Return memory for the state of the points of a task, by index and by position in a layer of the largest set."""
    n = len(task.points)
    arrays: Any = kept_states(threading.get_ident()) if n <= KEPT else (new_state(n), new_state(largest))
    return [State._make((*of, task.excluded_start, task.excluded, task.labels)) for of in arrays]


def new_state(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return memory for the first four fields of the state of n points."""
    return np.empty(n + SIMD_WIDTH, np.uint64), np.empty(n, np.int32), np.empty(n), np.empty(n, np.int32)


@lru_cache(maxsize=64)
def kept_states(thread: int) -> tuple[Any, Any]:
    """Return memory for the states of few points, which each thread keeps."""
    return new_state(KEPT), new_state(KEPT)


class Arrays(NamedTuple):
    """The memory of small sets and of their layers; see Small, Grid, Coarse and Layer."""

    points: np.ndarray
    X: np.ndarray  # of the points
    Z: np.ndarray
    indices: np.ndarray  # (3, largest set): colored cells, members, and indices of a layer
    active: np.ndarray
    start: np.ndarray
    numbers: np.ndarray  # (3, d): inverse and width of the cells, coarse steps in a unit of length
    cells: np.ndarray
    fold: np.ndarray
    step: np.ndarray
    scratch: Scratch


def new_arrays(largest: int, d: int, n_colors: int, cells: int) -> Arrays:
    """Return memory for sets of up to this number of points in d dimensions, and this number of cells."""
    points, index = np.empty((largest, d)), np.empty((3, largest), np.int32)
    stack = np.empty(2 * largest + 1, np.int32)
    return Arrays(
        points, read_only(points), empty_coarse(largest, d), index, np.empty(n_colors, np.int64),
        np.empty(n_colors * cells + 1, np.int32), np.empty((3, d)), np.ones(d, np.int64), np.full(d, np.inf),
        np.empty(d, np.float32), new_scratch(stack[:largest], stack[largest:], d),
    )  # fmt: skip


@lru_cache(maxsize=64)
def kept_arrays(thread: int, d: int, n_colors: int) -> Arrays:
    """Return memory for few points, which each thread keeps: it would take a fifth of the time of a matching."""
    return new_arrays(KEPT, d, n_colors, KEPT)
