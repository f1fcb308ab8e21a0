"""The compiled chains that match, on the points of a phase (see nearest.py).

Plain arrays in, plain arrays out; nothing here checks its arguments (phases.py calls, matching.py checks).
"""

# mypy: ignore-errors

import numpy as np

from .buckets import along
from .coarse import DEAD
from .jit import inlined, jit
from .nearest import entry, may_take, nearest_in_cells
from .simd import fetch_row, lowest_lane, squared_distance


@inlined
def nearest_in_table(x, own, Z, names, start, reach, table, state):
    """As nearest_in_cells, where distances are looked up in a table (the mean-field model)."""
    best = np.inf
    y = -1
    for color in range(len(reach)):
        if not reach[own, color]:
            continue
        for z in range(start[color], start[color + 1]):
            d2 = table[names[x], names[z]]
            if z == x or Z[0, z] == DEAD or d2 > best or (d2 == best and y >= 0 and names[z] > names[y]):
                continue
            if state is not None:
                if not may_take(x, z, d2, names, state):
                    continue
            best = d2
            y = z
    return y


@inlined
def is_open(x, y, Z, state):
    """Is y a point (-1, -2: none) that x may still take, if it was its nearest once?"""
    if y < 0 or Z[0, y] == DEAD:
        return False
    if state is not None:
        return state.labels == 0 or state.room[x] & state.room[y] != 0
    return True


@inlined
def match_pair(x, y, X, Z, names, home, candidate, grid, dims, partner, distance, state, table):
    """Make x and y partners."""
    if table is None:
        d2 = squared_distance(X, x, y, grid.sides, dims)
        length = np.sqrt(d2)
    else:
        d2 = length = table[names[x], names[y]]
    a, b = home[x], home[y]
    column_a = column_b = np.int64(0)
    if state is None:
        dead_x = dead_y = True
    else:
        if state.labels > 0:
            common = state.room[x] & state.room[y]
            bit = common & (~common + np.uint64(1))
            column_a = column_b = lowest_lane(np.int64(bit))
            state.room[x] ^= bit
            state.room[y] ^= bit
        else:
            column_a, column_b = np.int64(state.taken[x]), np.int64(state.taken[y])
            state.taken[x] += 1
            state.taken[y] += 1
            state.room[x] -= np.uint64(1)
            state.room[y] -= np.uint64(1)
        state.last_d2[x] = state.last_d2[y] = d2
        state.last_name[x] = names[y]
        state.last_name[y] = names[x]
        candidate[x] = candidate[y] = -1
        dead_x = state.room[x] == 0
        dead_y = state.room[y] == 0
    if dead_x:
        Z[0, x] = DEAD
        candidate[x] = x + 1
    if dead_y:
        Z[0, y] = DEAD
        candidate[y] = y + 1
    partner[a, column_a] = b
    partner[b, column_b] = a
    distance[a, column_a] = distance[b, column_b] = length


@jit
def chase(
    X, Z, names, home, start, candidate, reach, starter, grid, coarse, dims, radius2, first_row, last_row, begin, end,
    partner, distance, state, table, walk, stack,
):  # fmt: skip
    """Match all pairs within the radius whose chains begin in the rows begin ... end - 1 and stay in first_row ... last_row - 1.

    Long, because a chain is one loop, and what it holds between two steps would be passed to every part of it.

    From every living point of a starter color, walk to the nearest point that may be taken, from there to the nearest
    of that, and so on: the pairs get shorter, so the chain ends in two points that are each other's nearest. They are
    matched, and the walk goes on from what is left of the chain. A point's candidate stays its nearest for as long as
    it can be taken; -2 says that nobody is within the radius. A row is a cell along the first axis; a chain that leaves
    the rows is left to a later call. Coincident points lie side by side, and walk first (with them a few that only look
    so by their first coarse coordinate): whoever is near so many would look through all of them once for each pair that they make.

    X, Z, names, home: position -> coordinates, coarse ones, the user's index, which breaks ties, and the row of the result.
    candidate: by position, -1 at first; for a dead point it becomes the jump of skip_dead.
    partner, distance: the result, its partners by their rows; a point's partners fill its row in the order of matching.
    state: see State; None where every point takes one partner and no pair is banned.
    table None: distances come from X. Otherwise they are table[i, j], and all points are within the radius.
    walk, stack: scratch space; stack has room for the longest chain, one more than there are points.
    """
    d = len(dims)
    n_cells = 1
    for axis in range(d):
        n_cells *= grid.cells[axis]
    row_cells = n_cells // grid.cells[0]
    everywhere = first_row == 0 and last_row == grid.cells[0]
    for turn in range(2 * len(reach)):
        color = turn % len(reach)
        if not starter[color]:
            continue
        for first in range(start[color * n_cells + begin * row_cells], start[color * n_cells + end * row_cells]):
            if turn < len(reach) and Z[0, first] != Z[0, first + 1]:
                continue
            if Z[0, first] == DEAD or candidate[first] == -2:
                continue
            stack[0] = first
            top = 0
            while top >= 0:
                x = entry(stack, top)
                y = entry(candidate, x)
                if not is_open(x, y, Z, state):
                    if not everywhere:
                        _, row = along(X[0, x], 0, grid)
                        if row < first_row or row >= last_row:
                            break
                    own = 0
                    while x >= entry(start, (own + 1) * n_cells):
                        own += 1
                    if table is None:
                        bound = radius2
                        if top > 0:
                            bound = squared_distance(X, x, entry(stack, top - 1), grid.sides, dims)
                        y = nearest_in_cells(
                            x, own, bound, X, Z, names, start, candidate, reach, grid, coarse, dims, state, walk
                        )
                    else:
                        y = nearest_in_table(x, own, Z, names, start, reach, table, state)
                    candidate[np.uintp(x)] = y if y >= 0 else -2
                    fetch_row(partner, entry(home, x))
                    fetch_row(distance, entry(home, x))
                if y < 0:
                    top -= 1
                elif top == 0 or entry(stack, top - 1) != y:
                    top += 1
                    stack[np.uintp(top)] = y
                else:
                    top -= 2
                    match_pair(x, y, X, Z, names, home, candidate, grid, dims, partner, distance, state, table)
                if top < 0 and Z[0, first] != DEAD and candidate[first] != -2:
                    top = 0  # it has room for more


@jit
def neighbors(X, Z, names, start, reach, grid, coarse, dims, radius2, near, near_d2, walk):
    """For every point without one yet: its nearest point within the radius, and the squared distance.

    near and near_d2 are by the user's index, and hold -1 where there is none yet.
    """
    n_cells = 1
    for axis in range(len(dims)):
        n_cells *= grid.cells[axis]
    for x in range(len(names)):
        if near[names[x]] < 0:
            own = 0
            while x >= start[(own + 1) * n_cells]:
                own += 1
            y = nearest_in_cells(x, own, radius2, X, Z, names, start, names, reach, grid, coarse, dims, None, walk)
            if y >= 0:
                near[names[x]] = names[y]
                near_d2[names[x]] = squared_distance(X, x, y, grid.sides, dims)
