"""The compiled search: which point is nearest to a point, among those that it may take.

A *phase* decides every pair of points up to a radius. Its points lie sorted by place, that is by (color, cell), in
`Z`: one row a coarse coordinate (coarse.py), so that the points of neighboring cells are a contiguous piece of each row. `X`, of
the same shape, are the floats. A cell is a little wider than the radius, so whoever lies within the radius of a point lies in its
own cell or in one that touches it. Cells are counted modulo `grid.cells[axis]`. On a torus that is the seam. Where points crowd so much that there
would be more cells than memory, far-away cells share a place: that costs a few candidates which turn out to be too far
away, and never correctness.

Two words of the kernels: `names` are the user's indices, by position, and break ties; `dims` is a tuple of as many zeros
as there are dimensions, passed for its length alone, which the compiler then knows and unrolls the loops over axes.
"""

# mypy: ignore-errors

from typing import NamedTuple

import numpy as np

from .buckets import along
from .coarse import DEAD, rival
from .jit import inlined, jit
from .simd import (
    IDS,
    LANES,
    NO_KEY,
    PIECES,
    coarse_squares,
    greater,
    key_beyond,
    keys,
    keys_at_most,
    lanes_at_most,
    lesser,
    lowest_key,
    lowest_lane,
    no_keys,
    square_of_key,
    squared_distance,
    squares,
    where_less,
    where_shared,
)

SLACK = 1e-3  # of a cell's width, against rounding: the cell of a point is exact to less than that
QUICK, CAREFUL = np.bool_(False), np.bool_(True)  # not Python's: for those numba would compile a search twice
LANE_BITS = (LANES - 1).bit_length()
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
    piece: np.ndarray  # int64: not by axis, see search


def new_walk(dim: int) -> Walk:
    """Scratch space for dim axes."""
    of_axes = (np.empty(dim, kind) for kind in (np.int64, float, float, np.int64, np.int64, float))
    return Walk(*of_axes, np.empty(PIECES, np.int64))


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
def skip_dead(Z, jump, lo, hi):
    """The first living position from lo on, or one >= hi. For a dead p, all from p to jump[p] - 1 are dead."""
    end = lo
    while end < hi and Z[0, end] == DEAD:
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
def around(middle, size):
    """The three cells around a cell of a row, which has so many: cells lo ... hi - 1, and lo2 ... hi2 - 1 beyond the seam."""
    lo, hi, lo2, hi2 = middle - 1, middle + 2, np.int64(0), np.int64(0)
    if size <= 3:
        lo, hi = np.int64(0), size
    elif middle == 0:
        lo, lo2, hi2 = np.int64(0), size - 1, size
    elif middle == size - 1:
        hi, hi2 = size, np.int64(1)
    return lo, hi, lo2, hi2


@inlined
def entry(array, k):
    """array[k], where the compiler need not ask whether k counts from the end."""
    return np.int64(array[np.uintp(k)])


@inlined
def only_open(found, lo, x, low, high, state):
    """Coarse squares of eight points from lo on to x; inf for pairs that are not open, and for those from low to high.

    Also how many points are from low to high (2: several), and one of them: the last partner of x should be the only one.
    """
    far = squares(np.inf)
    if state.labels > 0:
        found = where_shared(state.room, lo, state.room[x], found, far)
    found = where_less(found, squares(low), far, found)
    mask = lanes_at_most(found, high)
    count, at = 0, np.int64(-1)
    if mask != 0:
        count = 1 if mask & (mask - 1) == 0 else 2
        at = lo + lowest_lane(mask)
    return where_less(squares(high), found, found, far), count, at


@inlined
def nearest_of_lanes(found, lo, x, best, y, X, names, sides, dims, coarse, state):
    """The nearest to x of y, at squared distance best (-1: none), and of the eight points from lo on; first by name.

    found: their coarse squares. Also whether one of the eight may be taken that is at distance 0.
    """
    coincident = False
    mask = lanes_at_most(found, rival(best * coarse.square, coarse))
    while mask != 0:
        z = lo + lowest_lane(mask)
        mask &= mask - 1
        d2 = squared_distance(X, x, z, sides, dims)
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
def search(careful, x, own, bound, X, Z, names, start, jump, reach, grid, coarse, dims, state, walk):
    """nearest_in_cells by coarse squares or, careful, by floats; and whether that may be wrong.

    Long, because all of it is one walk whose state lives in registers: a part of its own would have to pass it around.
    """
    last = len(dims) - 1
    cells = grid.cells
    n_cells = 1
    for axis in range(last + 1):
        t, c = along(X[axis, np.uintp(x)], axis, grid)
        below = max(t - c - SLACK, 0.0) * grid.width[axis]
        above = max(c + 1.0 - t - SLACK, 0.0) * grid.width[axis]
        below, above = below * below, above * above
        n_cells *= cells[axis]
        if axis == last:
            size = cells[axis]
            lo_cell, hi_cell, lo_beyond, hi_beyond = around(c, size)
        elif axis == last - 1:
            rows = cells[axis]
            row = c
            row_below, gap_below = beside(1, c, rows, below, above)
            row_above, gap_above = beside(2, c, rows, below, above)
        else:
            walk.below[axis], walk.above[axis], walk.cell[axis] = below, above, c
    low = high = -1.0  # pairs up to here are decided: a square that lies between these coarse ones
    if state is not None:
        if state.last_d2[x] >= 0.0:
            last_square = state.last_d2[x] * coarse.square
            low, high = last_square / coarse.wider - coarse.margin, rival(last_square, coarse)

    best = bound
    y = np.int64(-1)
    unsure = False
    at_low = 0  # how many points are between low and high, and one of them
    last_at_low = np.int64(-1)
    nearest = second = no_keys()  # in each lane
    piece = 0  # how many times eight points were looked at; piece k begins at walk.piece[k]
    for color in range(len(reach)):
        if not reach[own, color]:
            continue
        # A row is a run of cells along the last axis, and the rows around x are the leaves of a tree with a level for
        # each other axis. The last of these levels is a loop, those above are walked through with the arrays of `walk`.
        level = 0
        base = np.int64(color)
        gap = 0.0
        if last > 1:
            walk.step[0] = -1
            walk.base[0] = color
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
            for step in range(min(3, rows) if last > 0 else 1):
                first = base * size
                if last > 0:
                    c, more = row, 0.0
                    if step == 1:
                        c, more = row_below, gap_below
                    elif step == 2:
                        c, more = row_above, gap_above
                    if gap + more > best:
                        continue
                    first = (base * rows + c) * size
                lo, hi = entry(start, first + lo_cell), entry(start, first + hi_cell)
                beyond = hi_beyond > 0
                while True:
                    if lo >= hi:
                        if not beyond:
                            break
                        beyond = False
                        lo, hi = entry(start, first + lo_beyond), entry(start, first + hi_beyond)
                        continue
                    if hi - lo > LONG:
                        unsure = True
                        lo = skip_dead(Z, jump, lo, hi) if careful else hi
                        if lo >= hi:
                            continue
                    found = coarse_squares(Z, lo, hi - lo, x, coarse.step, dims)
                    if careful:
                        best, y, coincident = nearest_of_lanes(
                            found, lo, x, best, y, X, names, grid.sides, dims, coarse, state
                        )
                        if coincident:
                            lo = hi  # coincident points lie in the order of their names: all others come later
                    else:
                        if state is not None:
                            found, count, at = only_open(found, lo, x, low, high, state)
                            at_low += count
                            last_at_low = at if count > 0 else last_at_low
                        if piece == PIECES:
                            unsure = True
                            break
                        walk.piece[np.uintp(piece)] = lo
                        key = keys(found, piece)
                        second = lesser(second, greater(nearest, key))
                        nearest = lesser(nearest, key)
                        piece += 1
                    lo += LANES
            if last > 1 and not careful:
                best = min(best, rival(square_of_key(lowest_key(nearest)), coarse) * coarse.exact)
    if careful:
        return y, False
    key = lowest_key(nearest)
    square = square_of_key(key)
    if key < NO_KEY and square <= coarse.wider + coarse.margin:  # else nobody is within the radius
        place = key & (IDS - 1)
        y = entry(walk.piece, place >> LANE_BITS) + (place & (LANES - 1))
        most = rival(square, coarse)
        last_key = key_beyond(most)
        mask = keys_at_most(nearest, last_key)
        unsure = unsure or most > 1.0 or mask & (mask - 1) != 0 or keys_at_most(second, last_key) != 0
    if state is not None:
        if at_low > 1 or (at_low == 1 and names[last_at_low] != state.last_name[x]):
            unsure = True
        if y >= 0 and len(state.banned) > 0:
            if not may_take(x, y, squared_distance(X, x, y, grid.sides, dims), names, state):
                unsure = True
    return y, unsure


@jit
def nearest_carefully(x, own, bound, X, Z, names, start, jump, reach, grid, coarse, dims, state, walk):
    """nearest_in_cells, one point after the other."""
    y, _ = search(CAREFUL, x, own, bound, X, Z, names, start, jump, reach, grid, coarse, dims, state, walk)
    return y


@inlined
def nearest_in_cells(x, own, bound, X, Z, names, start, jump, reach, grid, coarse, dims, state, walk):
    """The nearest point that x may take, at squared distance at most bound; -1 if there is none.

    own is the color of x, and reach[own] says which colors it may take. With state None, the plain case, it may take
    any living point of them; otherwise may_take is asked too.

    Eight points are looked at at once, and coarsely. Where that does not tell, because of a tie, or of a crowd with many dead
    points in it, the search is made a second time, point by point.
    """
    y, unsure = search(QUICK, x, own, bound, X, Z, names, start, jump, reach, grid, coarse, dims, state, walk)
    if unsure:
        y = nearest_carefully(x, own, bound, X, Z, names, start, jump, reach, grid, coarse, dims, state, walk)
    return y
