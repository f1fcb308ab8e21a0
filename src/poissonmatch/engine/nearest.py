"""The compiled search: which point is nearest to a point, among those that it may take.

A *phase* decides every pair of points up to a radius. Its points lie sorted by place, that is by (color, cell), in
`X`: one row a coordinate, so that the points of neighboring cells are a contiguous piece of each row. A cell is a
little wider than the radius, so whoever lies within the radius of a point lies in its own cell or in one that touches
it. Cells are counted modulo `grid.cells[axis]`. On a torus that is the seam. Where points crowd so much that there
would be more cells than memory, far-away cells share a place: that costs a few candidates which turn out to be too far
away, and never correctness.

Two words of the kernels: `names` are the user's indices, by position, and break ties; `dims` is a tuple of as many zeros
as there are dimensions, passed for its length alone, which the compiler then knows and unrolls the loops over axes.
"""

# mypy: ignore-errors

from typing import NamedTuple

import numpy as np

from .buckets import DEAD, along
from .jit import inlined, jit
from .lanes import (
    LANES,
    distances,
    lane_of,
    lanes,
    lanes_at_most,
    lowest,
    lowest_lane,
    where_equal,
    where_less,
    where_shared,
)

SLACK = 1e-3  # of a cell's width, against rounding: the cell of a point is exact to less than that
QUICK, CAREFUL = np.bool_(False), np.bool_(True)  # not Python's: for those numba would compile a search twice
LONG = 64  # in a run of cells with more points than this, stretches of dead points are jumped over


class State(NamedTuple):
    """What a point may still take, where it is more than one partner or some pairs are banned; by position.

    All pairs of point x up to (last_d2[x], last_name[x]) are decided: those two fix how far its own list is worked
    through.
    """

    room: np.ndarray  # uint64: partners that it can still take, or bit mask of its free labels; LANES more at the end
    taken: np.ndarray  # partners that it has
    last_d2: np.ndarray
    last_name: np.ndarray
    banned_start: np.ndarray  # by the user's index: banned[banned_start[i]:banned_start[i + 1]] may not be taken by i
    banned: np.ndarray
    labels: int


class Walk(NamedTuple):
    """Scratch space of a search, one entry an axis."""

    cell: np.ndarray  # int64: the cell of the point
    below: np.ndarray  # float64: squared distance to the cell below
    above: np.ndarray  # and to the one above
    step: np.ndarray  # int64: the way from the root of the tree of rows: which step at each level,
    base: np.ndarray  # int64: the number of the cell so far
    gap: np.ndarray  # float64: and the squared distance to it


def new_walk(dim: int) -> Walk:
    """Scratch space for dim axes."""
    return Walk(*(np.empty(dim, kind) for kind in (np.int64, float, float, np.int64, np.int64, float)))


@inlined
def may_take(x, z, d2, names, state):
    """Where points take several partners, or some pairs are banned: is the pair x, z open?"""
    if d2 < state.last_d2[x] or (d2 == state.last_d2[x] and names[z] <= state.last_name[x]):
        return False
    if state.labels > 0 and state.room[x] & state.room[z] == 0:
        return False
    if len(state.banned) > 0:
        for k in range(state.banned_start[names[x]], state.banned_start[names[x] + 1]):
            if state.banned[k] == names[z]:
                return False
    return True


@inlined
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


@inlined
def beside(step, cell, cells, below, above):
    """The cell in step 0, 1, 2 (the point's own, the one below, the one above), and the squared gap to it."""
    if step == 0:
        return cell, 0.0
    if step == 1:
        return cell - 1 if cell > 0 else cells - 1, min(below, above) if cells == 2 else below
    return cell + 1 if cell < cells - 1 else 0, above


@inlined
def pieces_of_row(start, row, size, middle):
    """The points in the three cells around the cell `middle` of a row: [lo, hi), and [lo2, hi2) beyond the seam."""
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
    return np.int64(lo), np.int64(hi), np.int64(lo2), np.int64(hi2)


@inlined
def only_open(d2s, lo, x, low, state):
    """Squared distances of eight points from lo on to x; inf for pairs that are not open, and for those at low.

    Also how many points are at low (2: several), and one of them: the last partner of x should be the only one.
    """
    far = lanes(np.inf)
    if state.labels > 0:
        d2s = where_shared(state.room, lo, state.room[x], d2s, far)
    d2s = where_less(d2s, lanes(low), far, d2s)
    mask = lanes_at_most(d2s, low)
    count, at = 0, np.int64(-1)
    if mask != 0:
        count = 1 if mask & (mask - 1) == 0 else 2
        at = lo + lowest_lane(mask)
    return where_equal(d2s, lanes(low), far, d2s), count, at


@inlined
def nearest_of_lanes(d2s, lo, x, best, y, names, state):
    """The nearest to x of y, at squared distance best (-1: none), and of the eight points from lo on; first by name.

    Also whether one of the eight may be taken that is at distance 0.
    """
    coincident = False
    mask = lanes_at_most(d2s, best)
    while mask != 0:
        lane = lowest_lane(mask)
        mask &= mask - 1
        z = lo + lane
        d2 = lane_of(d2s, lane)
        if d2 > best:
            continue
        if state is not None:
            if not may_take(x, z, d2, names, state):
                continue
        coincident = coincident or d2 == 0.0
        if d2 < best or y < 0 or names[z] < names[y]:
            best = d2
            y = z
    return best, y, coincident


@inlined
def search(careful, x, own, bound, X, names, start, jump, reach, grid, dims, state, walk):
    """nearest_in_cells, eight points at once or, careful, one by one; and whether that may be wrong.

    Long, because all of it is one walk whose state lives in registers: a part of its own would have to pass it around.
    """
    last = len(dims) - 1
    cells, sides = grid.cells, grid.sides
    n_cells = 1
    for axis in range(last + 1):
        t, c = along(X[axis, x], axis, grid)
        below = max(t - c - SLACK, 0.0) * grid.width[axis]
        above = max(c + 1.0 - t - SLACK, 0.0) * grid.width[axis]
        walk.below[axis] = below * below
        walk.above[axis] = above * above
        walk.cell[axis] = c
        n_cells *= cells[axis]
    size = cells[last]
    middle = walk.cell[last]
    low = -1.0  # pairs up to here are decided
    if state is not None:
        low = state.last_d2[x]

    best = bound
    y = -1
    unsure = False
    at_low = 0  # how many points are at the squared distance low, and one of them
    last_at_low = -1
    far = lanes(np.inf)
    nearest, nearest_at = far, lanes(-1)  # in each lane; nearest_at is where its eight points begin
    tied = far  # the squared distance of the last tie in each lane
    # A row is a run of cells along the last axis, and the rows around x are the leaves of a tree with a level for
    # each other axis. The last of these levels is a loop, those above are walked through with the arrays of `walk`.
    level = 0
    base = 0
    gap = 0.0
    walk.step[0] = -1
    walk.base[0] = 0
    walk.gap[0] = 0.0
    while level >= 0:
        if last < 2:
            level = -1
        else:
            walk.step[level] += 1
            if walk.step[level] == min(3, cells[level]):
                level -= 1
                continue
            c, gap = beside(walk.step[level], walk.cell[level], cells[level], walk.below[level], walk.above[level])
            gap += walk.gap[level]
            if gap > best:
                continue
            base = walk.base[level] * cells[level] + c
            if level < last - 2:
                level += 1
                walk.step[level] = -1
                walk.base[level] = base
                walk.gap[level] = gap
                continue
        for step in range(min(3, cells[last - 1]) if last > 0 else 1):
            first = base * size
            if last > 0:
                c, more = beside(step, walk.cell[last - 1], cells[last - 1], walk.below[last - 1], walk.above[last - 1])
                if gap + more > best:
                    continue
                first = (base * cells[last - 1] + c) * size
            for color in range(len(reach)):
                if not reach[own, color]:
                    continue
                row = color * n_cells + first
                lo, hi, lo2, hi2 = pieces_of_row(start, row, size, middle)
                while True:
                    if lo >= hi:
                        if lo2 == hi2:
                            break
                        lo, hi = lo2, hi2
                        lo2 = hi2
                    if hi - lo > LONG:
                        unsure = True
                        lo = skip_dead(X, jump, lo, hi) if careful else hi
                        if lo >= hi:
                            continue
                    d2s = distances(X, lo, hi - lo, x, sides, dims)
                    if careful:
                        best, y, coincident = nearest_of_lanes(d2s, lo, x, best, y, names, state)
                        if coincident:
                            lo = hi  # coincident points lie in the order of their names: all others come later
                    else:
                        if state is not None:
                            d2s, count, at = only_open(d2s, lo, x, low, state)
                            at_low += count
                            last_at_low = at if count > 0 else last_at_low
                        tied = where_equal(d2s, nearest, d2s, tied)
                        nearest_at = where_less(d2s, nearest, lanes(lo), nearest_at)
                        nearest = where_less(d2s, nearest, d2s, nearest)
                    lo += LANES
        if last > 1 and not careful:
            best = min(best, lowest(nearest))
    if careful:
        return y, False
    best = lowest(nearest)
    mask = lanes_at_most(nearest, best)
    lane = lowest_lane(mask)
    if best <= bound:
        y = lane_of(nearest_at, lane) + lane
        unsure = unsure or mask & (mask - 1) != 0 or lanes_at_most(tied, best) != 0
    if state is not None:
        if at_low > 1 or (at_low == 1 and names[last_at_low] != state.last_name[x]):
            unsure = True
        if y >= 0 and len(state.banned) > 0:
            if not may_take(x, y, best, names, state):
                unsure = True
    return y, unsure


@jit
def nearest_carefully(x, own, bound, X, names, start, jump, reach, grid, dims, state, walk):
    """nearest_in_cells, one point after the other."""
    y, _ = search(CAREFUL, x, own, bound, X, names, start, jump, reach, grid, dims, state, walk)
    return y


@inlined
def nearest_in_cells(x, own, bound, X, names, start, jump, reach, grid, dims, state, walk):
    """The nearest point that x may take, at squared distance at most bound; -1 if there is none.

    own is the color of x, and reach[own] says which colors it may take. With state None, the plain case, it may take
    any living point of them; otherwise may_take is asked too.

    Eight points are looked at at once. Where that does not tell, because of a tie, or of a crowd with many dead points
    in it, the search is made a second time, point by point.
    """
    y, unsure = search(QUICK, x, own, bound, X, names, start, jump, reach, grid, dims, state, walk)
    if unsure:
        y = nearest_carefully(x, own, bound, X, names, start, jump, reach, grid, dims, state, walk)
    return y


@inlined
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
