"""The compiled kernels: who is nearest, and the chains that match.

Plain arrays in, plain arrays out; nothing here checks its arguments (engine.py calls, matching.py checks).

A *phase* decides every pair of points up to a radius. Its points lie sorted by place, that is by (color, cell), in
`X`: one row a coordinate, so that the points of neighboring cells are a contiguous piece of each row. A cell is a
little wider than the radius, so whoever lies within the radius of a point lies in its own cell or in one that touches
it. Cells are counted modulo `grid.cells[axis]`. On a torus that is the seam. Where points crowd so much that there
would be more cells than memory, far-away cells share a place: that costs a few candidates which turn out to be too far
away, and never correctness.
"""

# mypy: ignore-errors

from typing import NamedTuple

import numpy as np
from numba import njit

from .cell_kernels import DEAD
from .compiling_kernels import jit
from .lane_kernels import LANES, lanes_within, lowest_lane, squared_distance

SLACK = 1e-3  # of a cell's width, against rounding: the cell of a point is exact to less than that
LONG = 64  # in a run of cells with more points than this, stretches of dead points are jumped over


class State(NamedTuple):
    """What a point may still take, where it is more than one partner or some pairs are banned; by work index.

    All pairs of point x up to (last_d2[x], last_name[x]) are decided: those two fix how far its own list is worked
    through.
    """

    room: np.ndarray  # uint64: partners that it can still take, or bit mask of its free labels
    taken: np.ndarray  # partners that it has
    last_d2: np.ndarray
    last_name: np.ndarray
    banned_start: np.ndarray  # by the user's index: banned[banned_start[i]:banned_start[i + 1]] may not be taken by i
    banned: np.ndarray
    labels: int


# ---- the nearest point ---------------------------------------------------------------------------------


@njit(inline="always", error_model="numpy")
def may_take(x, z, d2, names, state):
    """Where points take several partners, or some pairs are banned: is the pair x, z (work indices) open?"""
    if d2 < state.last_d2[x] or (d2 == state.last_d2[x] and names[z] <= state.last_name[x]):
        return False
    if state.labels > 0 and state.room[x] & state.room[z] == 0:
        return False
    if len(state.banned) > 0:
        for k in range(state.banned_start[names[x]], state.banned_start[names[x] + 1]):
            if state.banned[k] == names[z]:
                return False
    return True


@njit(inline="always", error_model="numpy")
def skip_dead(X, jump, lo, hi):
    """The first living position from lo on, or one >= hi. For a dead p, all from p to jump[p] - 1 are dead."""
    end = lo
    while end < hi and X[0, end] == DEAD:
        end = np.int64(jump[end])
    while lo < end:
        after = np.int64(jump[lo])
        jump[lo] = end
        lo = after
    return end


@njit(inline="always", error_model="numpy")
def nearest_in_cells(x, own, bound, X, ids, names, start, jump, reach, grid, dims, ints, reals, state):
    """The nearest point that x may take, at squared distance at most bound; -1 if there is none.

    own is the color of x, and reach[own] says which colors it may take. With state None, the plain case, it may take
    any living point of them; otherwise may_take is asked too. ints and reals are scratch space, a column for each axis.
    """
    last = len(dims) - 1
    cells, side = grid.cells, grid.side
    n_cells = 1
    for axis in range(last + 1):
        t = (X[axis, x] - grid.origin[axis]) * grid.inverse[axis]
        c = np.int64(t)
        below = max(t - c - SLACK, 0.0) * grid.width[axis]
        above = max(c + 1.0 - t - SLACK, 0.0) * grid.width[axis]
        reals[0, axis] = below * below
        reals[1, axis] = above * above
        ints[0, axis] = c if c < cells[axis] else c % cells[axis]
        n_cells *= cells[axis]
    size = cells[last]
    middle = ints[0, last]

    best = bound
    y = -1
    # A row is a run of cells along the last axis. The rows around x are the leaves of a tree with a level for each
    # other axis; ints[1] and reals[2] are the way from the root: step 0, -1, +1 at each level, and the squared gap so
    # far.
    level = 0
    base = 0
    ints[1, 0] = -1
    ints[2, 0] = 0
    reals[2, 0] = 0.0
    while level >= 0:
        if last == 0:
            level = -1
        else:
            ints[1, level] += 1
            step = ints[1, level]
            here = cells[level]
            if step == 3 or step == here:
                level -= 1
                continue
            gap = reals[2, level]
            c = ints[0, level]
            if step == 1:
                gap += min(reals[0, level], reals[1, level]) if here == 2 else reals[0, level]
                c = c - 1 if c > 0 else here - 1
            elif step == 2:
                gap += reals[1, level]
                c = c + 1 if c < here - 1 else 0
            if gap > best:
                continue
            base = ints[2, level] * here + c
            if level < last - 1:
                level += 1
                ints[1, level] = -1
                ints[2, level] = base
                reals[2, level] = gap
                continue
        for color in range(len(reach)):
            if not reach[own, color]:
                continue
            row = color * n_cells + base * size
            lo2 = hi2 = start[row]
            if size <= 3:
                lo, hi = start[row], start[row + size]
            elif middle == 0:
                lo, hi = start[row], start[row + 2]
                lo2, hi2 = start[row + size - 1], start[row + size]
            elif middle == size - 1:
                lo, hi = start[row + size - 2], start[row + size]
                lo2, hi2 = start[row], start[row + 1]
            else:
                lo, hi = start[row + middle - 1], start[row + middle + 2]
            while True:
                if lo >= hi:
                    if lo2 == hi2:
                        break
                    lo, hi = lo2, hi2
                    lo2 = hi2
                if hi - lo > LONG:
                    lo = skip_dead(X, jump, lo, hi)
                    if lo >= hi:
                        continue
                if state is None:
                    mask = lanes_within(X, lo, x, side, None, best, dims)
                else:
                    mask = lanes_within(X, lo, x, side, state.last_d2[ids[x]], best, dims)
                if hi - lo < LANES:
                    mask &= (1 << (hi - lo)) - 1
                while mask != 0:
                    z = lo + lowest_lane(mask)
                    mask &= mask - 1
                    if z == x:
                        continue
                    d2 = squared_distance(X, x, z, side, dims)
                    if d2 > best:
                        continue
                    if state is not None:
                        if not may_take(ids[x], ids[z], d2, names, state):
                            continue
                    if d2 < best or y < 0 or names[ids[z]] < names[ids[y]]:
                        best = d2
                        y = z
                    if d2 == 0.0 and grid.distinct:  # coincident points lie in the order of their names: z is the first
                        lo = hi
                        mask = 0
                lo += LANES
    return y


@njit(inline="always", error_model="numpy")
def nearest_in_table(x, own, X, names, start, reach, table, state):
    """As nearest_in_cells, where distances are looked up in a table (the mean-field model)."""
    best = np.inf
    y = -1
    for color in range(len(reach)):
        if not reach[own, color]:
            continue
        for z in range(start[color], start[color + 1]):
            d2 = table[names[x], names[z]]
            if z == x or X[0, z] == DEAD or d2 > best or (d2 == best and y >= 0 and names[z] > names[y]):
                continue
            if state is not None:
                if not may_take(x, z, d2, names, state):
                    continue
            best = d2
            y = z
    return y


# ---- chains --------------------------------------------------------------------------------------------


@jit
def chase(
    X, ids, names, start, candidate, reach, starter, grid, dims, radius2, first_row, last_row,
    partner, distance, state, table,
):  # fmt: skip
    """Match all pairs within the radius whose chains stay inside the rows first_row ... last_row - 1.

    From every living point of a starter color, walk to the nearest point that may be taken, from there to the nearest
    of that,
    and so on: the pairs get shorter, so the chain ends in two points that are each other's nearest. They are matched,
    and the walk goes on from what is left of the chain. A point's candidate stays its nearest for as long as it can be
    taken; -2 says that nobody is within the radius. A row is a cell along the first axis; a chain that leaves the rows
    is left to a later call.

    X, ids, names: position -> coordinates, position -> work index, work index -> the user's index, which breaks ties.
    candidate: by position, -1 at first; for a dead point it becomes the jump of skip_dead.
    partner, distance: the result, by the user's index; a point's partners fill its row in the order of matching.
    state: see State; None where every point takes one partner and no pair is banned.
    table None: distances come from X. Otherwise they are table[i, j], all points are within the radius, ids is 0, 1,
    2, ...
    """
    d = len(dims)
    n_cells = 1
    for axis in range(d):
        n_cells *= grid.cells[axis]
    row_cells = n_cells // grid.cells[0]
    everywhere = first_row == 0 and last_row == grid.cells[0]
    stack = np.empty(len(ids) + 1, ids.dtype)
    ints = np.empty((3, d), np.int64)
    reals = np.empty((3, d), np.float64)
    for color in range(len(reach)):
        if not starter[color]:
            continue
        for first in range(
            start[color * n_cells + first_row * row_cells], start[color * n_cells + last_row * row_cells]
        ):
            if X[0, first] == DEAD or candidate[first] == -2:
                continue
            stack[0] = first
            top = 0
            while top >= 0:
                x = np.int64(stack[top])
                y = np.int64(candidate[x])
                if y >= 0 and X[0, y] != DEAD:
                    known = True
                    if state is not None:
                        known = state.labels == 0 or state.room[ids[x]] & state.room[ids[y]] != 0
                else:
                    known = False
                if not known:
                    if not everywhere:
                        c = np.int64((X[0, x] - grid.origin[0]) * grid.inverse[0])
                        if c % grid.cells[0] < first_row or c % grid.cells[0] >= last_row:
                            break
                    own = 0
                    while x >= start[(own + 1) * n_cells]:
                        own += 1
                    if table is None:
                        bound = radius2
                        if top > 0:
                            bound = squared_distance(X, x, stack[top - 1], grid.side, dims)
                        y = nearest_in_cells(
                            x, own, bound, X, ids, names, start, candidate, reach, grid, dims, ints, reals, state
                        )
                    else:
                        y = nearest_in_table(x, own, X, names, start, reach, table, state)
                    candidate[x] = y if y >= 0 else -2
                if y < 0:
                    top -= 1
                elif top == 0 or stack[top - 1] != y:
                    top += 1
                    stack[top] = y
                else:
                    top -= 2
                    if table is None:
                        d2 = squared_distance(X, x, y, grid.side, dims)
                        length = np.sqrt(d2)
                    else:
                        d2 = length = table[names[x], names[y]]
                    i, j = ids[x], ids[y]
                    a, b = names[i], names[j]
                    column_a = column_b = np.int64(0)
                    if state is None:
                        dead_x = dead_y = True
                    else:
                        if state.labels > 0:
                            common = state.room[i] & state.room[j]
                            bit = common & (~common + np.uint64(1))
                            column_a = column_b = lowest_lane(np.int64(bit))
                            state.room[i] ^= bit
                            state.room[j] ^= bit
                        else:
                            column_a, column_b = np.int64(state.taken[i]), np.int64(state.taken[j])
                            state.taken[i] += 1
                            state.taken[j] += 1
                            state.room[i] -= np.uint64(1)
                            state.room[j] -= np.uint64(1)
                        state.last_d2[i] = state.last_d2[j] = d2
                        state.last_name[i] = b
                        state.last_name[j] = a
                        candidate[x] = candidate[y] = -1
                        dead_x = state.room[i] == 0
                        dead_y = state.room[j] == 0
                    if dead_x:
                        X[0, x] = DEAD
                        candidate[x] = x + 1
                    if dead_y:
                        X[0, y] = DEAD
                        candidate[y] = y + 1
                    partner[a, column_a] = b
                    partner[b, column_b] = a
                    distance[a, column_a] = distance[b, column_b] = length
                if top < 0 and X[0, first] != DEAD and candidate[first] != -2:
                    top = 0  # it has room for more


@jit
def neighbors(X, ids, names, start, reach, grid, dims, radius2, near, near_d2):
    """For every point without one yet: its nearest point within the radius, by work index, and the squared distance."""
    n_cells = 1
    for axis in range(len(dims)):
        n_cells *= grid.cells[axis]
    ints = np.empty((3, len(dims)), np.int64)
    reals = np.empty((3, len(dims)), np.float64)
    for x in range(len(ids)):
        if near[ids[x]] < 0:
            own = 0
            while x >= start[(own + 1) * n_cells]:
                own += 1
            y = nearest_in_cells(x, own, radius2, X, ids, names, start, ids, reach, grid, dims, ints, reals, None)
            if y >= 0:
                near[ids[x]] = ids[y]
                near_d2[ids[x]] = squared_distance(X, x, y, grid.side, dims)
