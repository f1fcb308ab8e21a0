"""The matching of a small set of points in one compiled call, from the points to their partners.

For few points the steps of phases.py between its kernels take longer than the kernels. Here one
kernel sorts and matches in all phases. Its cells are those of uniform points: if searches are long,
because points are clustered or colors lie apart, it stops, and phases.py begins again.
"""

# mypy: ignore-errors

from typing import NamedTuple

import numpy as np

from .buckets import Grid, place_of
from .cell_counts import cube_width
from .chains import find_neighbors, match_chains
from .coarse import INACTIVE, Coarse, coarse_coordinate, write_coarse
from .grids import MIN_WIDTH, points_per_cell
from .jit import inlined, jit
from .layer import Layer, Rows, empty_coarse, read_only
from .nearest import SLACK

MAX_POINTS = 50_000  # of a small set; 0: only distances from a table are matched here
ONE_CELL = 128  # points that are not divided into cells
GROWTH = 3.0  # the ball of a phase grows at least by this factor in volume

write_coarse = inlined(write_coarse)


class Small(NamedTuple):
    """The points of a small set by index, and arrays to sort them into the layer of each phase."""

    n: int  # number of points; 0: the layer is that of the only phase
    width: float  # of the cells of the first phase
    X: np.ndarray  # (d, n)
    colors: np.ndarray  # (n,) uint8
    extent: np.ndarray  # of the box that the cells cover
    points: np.ndarray  # (n, d): the memory of layer.X
    place: np.ndarray  # (n,)
    members: np.ndarray  # (n,): indices of the active points
    active: np.ndarray  # (C,): their numbers by color


@jit
def some_pair(compatible, active):
    """Return whether there is a compatible pair, for these numbers of active points by color."""
    for i in range(len(compatible)):
        for j in range(len(compatible)):
            if compatible[i, j] and active[i] > (1 if i == j else 0) and active[j] > 0:
                return True
    return False


@inlined
def divide(grid, extent, width):
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
def sort_members(layer, small, n):
    """Sort the first n members by place; in a cell their order is kept."""
    start, place, members = layer.start, small.place, small.members
    places = np.int64(len(layer.starter))
    for axis in range(len(layer.dims)):
        places *= layer.grid.cells[axis]
    for p in range(places + 1):
        start[p] = 0
    for k in range(n):
        i = members[k]
        place[k] = place_of(small.X, i, small.colors[i], layer.grid)
        start[place[k]] += 1
    first = 0
    for p in range(places):
        count = start[p]
        start[p] = first
        first += count
    for k in range(n):
        i, p = members[k], place[k]
        to = start[p]
        start[p] += 1
        layer.indices[to] = i
        for axis in range(len(layer.dims)):
            small.points[to, axis] = small.X[axis, i]
            layer.Z[axis, to] = coarse_coordinate(small.X[axis, i], axis, layer.coarse)
    for p in range(places, 0, -1):  # `start` now has the ends of places, which are where the next ones begin
        start[p] = start[p - 1]
    start[0] = 0


@inlined
def sorted_layer(layer, small, n, width):
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
def copy_state(source, i, target, k):
    """Copy the state of point i to that of point k."""
    target.remaining[k] = source.remaining[i]
    target.taken[k] = source.taken[i]
    target.last_d2[k] = source.last_d2[i]
    target.last_index[k] = source.last_index[i]


@inlined
def open_phase(layer, n, by_index, state, candidate):
    """Write the state of the n points of a layer from that by index; no nearest point is known."""
    for k in range(n):
        candidate[k] = -1
        if state is not None:
            copy_state(by_index, layer.indices[k], state, k)


@inlined
def close_phase(layer, n, by_index, state, small):
    """Keep the active ones of the n points of a layer as members, and their state by index.

    Returns their number.
    """
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
def match_phases(layer, state, table, tree, rows, output, scratch, max_work, price, small, by_index):
    """Return what match_chains does for all phases of a small set, or for the layer of one phase.

    by_index: the state of the points of a small set.
    """
    n, width = small.n, small.width
    work = n_pairs = 0
    while True:
        if tree is None:
            if n > 0:
                layer = sorted_layer(layer, small, n, width)
                open_phase(layer, n, by_index, state, scratch.candidate)
                rows = Rows(0, layer.grid.cells[0], 0, layer.grid.cells[0])
        spare = max_work + price * n_pairs - work
        more, pairs = match_chains(layer, state, table, tree, rows, output, scratch, spare, price)
        work += more
        n_pairs += pairs
        if n == 0 or layer.radius == np.inf or work > max_work + price * n_pairs:
            return work, n_pairs
        n_before = n
        n = close_phase(layer, n, by_index, state, small)
        if not some_pair(layer.compatible, small.active):
            return work, n_pairs
        width *= max(GROWTH, n_before / n) ** (1 / len(layer.dims))


@jit
def find_all_neighbors(layer, table, near, near_d2, scratch, max_work, small):
    """Write the nearest other point of each of a small set, see find_neighbors; return the work."""
    width = small.width
    work = 0
    while True:
        layer = sorted_layer(layer, small, small.n, width)
        more, isolated = find_neighbors(layer, table, None, near, near_d2, scratch, max_work - work)
        work += more
        if isolated == 0 or layer.radius == np.inf or work > max_work:
            return work
        width *= 2


def no_points(layer):
    """Return a small set without points, for the phase of another set."""
    d, none, index = len(layer.X), np.zeros(0, np.uint8), np.empty(0, layer.indices.dtype)
    none.flags.writeable = False
    return Small(0, np.inf, layer.X, none, layer.grid.width, np.empty((0, d)), index, index, np.empty(0, np.int64))


def small_set(task):
    """Return the points of a task as a small set, and a layer for them, which is to be sorted."""
    n, d = task.points.shape
    origin, extent = task.box
    width, cells = np.inf, 1
    if n > ONE_CELL and task.table is None:
        width = max(cube_width(extent, n / points_per_cell(task.compatible, d, task.width)), MIN_WIDTH)
        cells = int(np.maximum(1, np.floor(extent / width)).prod())
    C = len(task.compatible)
    colors = np.zeros(n, np.uint8) if task.colors is None else task.colors.view()
    colors.flags.writeable = False  # all have the same type, so that kernels are compiled once
    points, index = np.empty((n, d)), np.arange(n, dtype=np.int32)
    small = Small(n, width, task.X, colors, extent, points, np.empty_like(index), index, np.empty(C, np.int64))
    grid = Grid(origin, np.empty(d), np.empty(d), np.ones(d, np.int64), np.full(d, np.inf), task.sides)
    coarse = Coarse(origin, np.empty(d), np.empty(d, np.float32), 0.0, 0.0, 0.0, 0.0)
    start = np.empty(C * cells + 1, np.int32)
    index = index.copy()
    layer = Layer(
        read_only(points), empty_coarse(n, d), index, index, start, grid, np.inf, coarse, task.compatible,
        task.starter, (0,) * d,
    )  # fmt: skip
    return small, layer
