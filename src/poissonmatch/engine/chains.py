"""The compiled chains of nearest neighbors that match the points of a phase.

Nothing here checks its arguments: phases.py calls, matching/match.py checks.
"""

from __future__ import annotations

import numpy as np

from .buckets import along, count_cells
from .coarse import INACTIVE
from .jit import Int, inlined, jit
from .layer import Layer, Output, Rows, Scratch, State, Tree
from .nearest import color_of, entry, may_take, nearest_in_cells
from .pair_order import precedes, squared_distance
from .simd import lowest_bit, prefetch_row
from .trees import MANY_NODES, MAX_FLOAT, nearest_in_tree, update


@inlined
def nearest_in_table(x: int, color: int, layer: Layer, state: State | None, table: np.ndarray) -> Int:
    """Return what nearest_in_cells does, for distances from a table (mean-field model)."""
    indices, start = layer.indices, layer.start
    best = np.inf
    y = -1
    for other in range(len(layer.compatible)):
        if not layer.compatible[color, other]:
            continue
        for z in range(start[other], start[other + 1]):
            d2 = table[indices[x], indices[z]]
            if z == x or layer.Z[0, z] == INACTIVE or (y >= 0 and not precedes(d2, indices[z], best, indices[y])):
                continue
            if state is not None:
                if not may_take(x, z, d2, indices, state):
                    continue
            best = d2
            y = z
    return y


@inlined
def is_open(x: int, y: int, Z: np.ndarray, state: State | None) -> bool:
    """Return whether y, once the nearest of x (-1, -2: none), is a point that x may still take."""
    if y < 0 or Z[0, y] == INACTIVE:
        return False
    if state is not None:
        return state.labels == 0 or state.remaining[x] & state.remaining[y] != 0
    return True


@inlined
def match_pair(
    x: int, y: int, layer: Layer, state: State | None, table: np.ndarray | None, candidate: np.ndarray, output: Output
) -> None:
    """Make x and y partners."""
    if table is None:
        d2 = squared_distance(layer.X, x, y, layer.grid.sides, layer.dims)
        length = np.sqrt(d2)
    else:
        d2 = length = table[layer.indices[x], layer.indices[y]]
    a, b = layer.row[x], layer.row[y]
    column_a = column_b = np.int64(0)
    if state is None:
        full_x = full_y = True
    else:
        if state.labels > 0:
            common = state.remaining[x] & state.remaining[y]
            bit = common & (~common + np.uint64(1))
            column_a = column_b = lowest_bit(np.int64(bit))
            state.remaining[x] ^= bit
            state.remaining[y] ^= bit
        else:
            column_a, column_b = np.int64(state.taken[x]), np.int64(state.taken[y])
            state.taken[x] += 1
            state.taken[y] += 1
            state.remaining[x] -= np.uint64(1)
            state.remaining[y] -= np.uint64(1)
        state.last_d2[x] = state.last_d2[y] = d2
        state.last_index[x] = layer.indices[y]
        state.last_index[y] = layer.indices[x]
        candidate[x] = candidate[y] = -1
        full_x = state.remaining[x] == 0
        full_y = state.remaining[y] == 0
    if full_x:
        layer.Z[0, x] = INACTIVE
        candidate[x] = x + 1
    if full_y:
        layer.Z[0, y] = INACTIVE
        candidate[y] = y + 1
    output.partner[a, column_a] = b
    output.partner[b, column_b] = a
    output.distance[a, column_a] = output.distance[b, column_b] = length


@jit
def match_chains(
    layer: Layer,
    state: State | None,
    table: np.ndarray | None,
    tree: Tree | None,
    rows: Rows,
    output: Output,
    scratch: Scratch,
    max_work: float,
    price: float,
) -> tuple[Int, Int]:
    """Match all pairs within the radius whose chains begin and stay in given rows of cells, see Rows.

    Returns the work of searches, in cells in comparisons with eight points, in a tree in nodes
    beyond MANY_NODES each, and the number of pairs. Stops if the work is more than `max_work`, and
    `price` for each pair.

    Long, because a chain is one loop, and its variables would be passed to every part of it.

    From every active point of a starter color, go to the nearest point that may be taken, from
    there to the nearest of that, and so on: the pairs get shorter, so the chain ends in two points
    that are each other's nearest. They are matched, and the chain goes on from its remaining end. A
    point's candidate stays its nearest for as long as it can be taken. A chain that leaves the rows
    is left to a later call. Coincident points are adjacent, and start first (with them a few that
    share only their first coarse coordinate): a point near many of them would otherwise look
    through all of them once for each of their pairs.

    state: None if every point takes one partner and no pair is excluded. table: None, or the
    distances of points without coordinates, (n, n) by index, which then all are within the radius.
    tree: None, or the tree that is searched instead of the cells, of which there is one. output: a
    point's partners fill its row in the order of matching.
    """
    X, Z, grid, start = layer.X, layer.Z, layer.grid, layer.start
    candidate, stack = scratch.candidate, scratch.stack
    n_colors = len(layer.compatible)
    n_cells = count_cells(grid, layer.dims)
    row_cells = n_cells // grid.cells[0]
    everywhere = rows.first == 0 and rows.last == grid.cells[0]
    radius2 = min(layer.radius * layer.radius, MAX_FLOAT)
    work = n_pairs = 0
    for turn in range(2 * n_colors):
        color = turn % n_colors
        if not layer.starter[color]:
            continue
        for first in range(
            start[color * n_cells + rows.begin * row_cells], start[color * n_cells + rows.end * row_cells]
        ):
            if turn < n_colors and Z[0, first] != Z[0, first + 1]:
                continue
            if Z[0, first] == INACTIVE or candidate[first] == -2:
                continue
            stack[0] = first
            top = 0
            while top >= 0:
                x = entry(stack, top)
                y = entry(candidate, x)
                if not is_open(x, y, Z, state):
                    if not everywhere:
                        _, row = along(X[0, x], 0, grid)
                        if row < rows.first or row >= rows.last:
                            break
                    own = color_of(x, start, n_cells)
                    if table is not None:
                        y = nearest_in_table(x, own, layer, state, table)
                    elif tree is not None:
                        y = np.int64(-1)
                        if top > 0:
                            y = entry(stack, top - 1)
                        y, n_visits = nearest_in_tree(x, own, y, layer, state, tree)
                        work += n_visits - MANY_NODES
                        if work > max_work:
                            return work, n_pairs
                    else:
                        bound = radius2
                        if top > 0:
                            bound = squared_distance(X, x, entry(stack, top - 1), grid.sides, layer.dims)
                        y, n_chunks = nearest_in_cells(x, own, bound, layer, state, scratch)
                        work += n_chunks
                        if work > max_work:
                            return work, n_pairs
                    candidate[np.uintp(x)] = y if y >= 0 else -2
                    prefetch_row(output.partner, entry(layer.row, x))
                    prefetch_row(output.distance, entry(layer.row, x))
                if y < 0:
                    top -= 1
                elif top == 0 or entry(stack, top - 1) != y:
                    top += 1
                    stack[np.uintp(top)] = y
                else:
                    top -= 2
                    match_pair(x, y, layer, state, table, candidate, output)
                    n_pairs += 1
                    max_work += price
                    if tree is not None:
                        for z in (x, y):
                            update(z, layer, state, tree)
                if top < 0 and Z[0, first] != INACTIVE and candidate[first] != -2:
                    top = 0  # it has remaining capacity
    return work, n_pairs


@jit
def find_neighbors(
    layer: Layer,
    table: np.ndarray | None,
    tree: Tree | None,
    near: np.ndarray,
    near_d2: np.ndarray,
    scratch: Scratch,
    max_work: float,
) -> tuple[Int, Int]:
    """Write the nearest point within the radius of each point that has none yet, and the squared distance.

    near and near_d2, (n,), are by index; near is -1 where there is none yet. table, tree and
    max_work: see match_chains. Returns the work of searches, and how many points have none now.
    """
    n_cells = count_cells(layer.grid, layer.dims)
    radius2 = min(layer.radius * layer.radius, MAX_FLOAT)
    work = isolated = 0
    for x in range(layer.start[len(layer.compatible) * n_cells]):
        if near[layer.indices[x]] < 0 and work <= max_work:
            color = color_of(x, layer.start, n_cells)
            if table is not None:
                y = nearest_in_table(x, color, layer, None, table)
            elif tree is not None:
                y, _ = nearest_in_tree(x, color, np.int64(-1), layer, None, tree)
            else:
                y, n_chunks = nearest_in_cells(x, color, radius2, layer, None, scratch)
                work += n_chunks
            if y < 0:
                isolated += 1
            else:
                near[layer.indices[x]] = layer.indices[y]
                if table is not None:
                    near_d2[layer.indices[x]] = table[layer.indices[x], layer.indices[y]]
                else:
                    near_d2[layer.indices[x]] = squared_distance(layer.X, x, y, layer.grid.sides, layer.dims)
    return work, isolated
