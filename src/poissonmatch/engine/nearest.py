"""The compiled search for the nearest point that a point may be matched to.

A cell of a layer is a little wider than the radius of its phase, so the points within the radius of
a point lie in its own cell or in one that touches it. The points of neighboring cells along the
last axis are contiguous in each row of Z (coarse coordinates) and X. Cells are counted modulo
`grid.cells[axis]`, which on a torus is the seam. If points are so clustered that there would be
more cells than memory, distant cells share a place: that adds a few candidates, which turn out to
be too far away.

A search is made with coarse squares of eight points at a time. If these do not decide, because of a
tie or of many inactive points in a cell, it is made again, point by point, with exact squares.
"""

# mypy: ignore-errors

import numpy as np

from .buckets import along
from .coarse import INACTIVE, nearer_bound
from .grids import SLACK
from .jit import inlined, jit
from .pair_order import precedes, squared_distance
from .simd import (
    KEY_IDS,
    MAX_CHUNKS,
    NO_KEY,
    SIMD_WIDTH,
    coarse_squares,
    keys,
    last_key_of,
    lowest_bit,
    lowest_key,
    mask_at_most,
    maximum,
    minimum,
    no_keys,
    splat,
    square_of_key,
    where_less,
    where_shared,
)

COARSE, EXACT = np.bool_(False), np.bool_(True)  # not Python's: for those numba would compile a search twice
LANE_BITS = (SIMD_WIDTH - 1).bit_length()
MAX_SCAN = 64  # in a run of cells with more points than this, stretches of inactive points are skipped


@inlined
def may_take(x, z, d2, indices, state):
    """Return whether the pair x, z, at squared distance d2, is undecided and allowed.

    It is used for points with a state.
    """
    if not precedes(state.last_d2[x], state.last_index[x], d2, indices[z]):
        return False
    if state.labels > 0 and state.remaining[x] & state.remaining[z] == 0:
        return False
    if len(state.excluded) > 0:
        for k in range(state.excluded_start[indices[x]], state.excluded_start[indices[x] + 1]):
            if state.excluded[k] == indices[z]:
                return False
    return True


@inlined
def skip_inactive(Z, candidate, lo, hi):
    """Return the first active position from lo on, or one >= hi; candidate: see Scratch."""
    end = lo
    while end < hi and Z[0, end] == INACTIVE:
        end = np.int64(candidate[end])
    while lo < end:
        after = np.int64(candidate[lo])
        candidate[lo] = end
        lo = after
    return end


@inlined
def adjacent_cell(step, cell, cells, below, above):
    """Return the cell in a step, and the squared distance to it.

    The steps 0, 1 and 2 are to the cell of the point, the one below and the one above.
    """
    if step == 0:
        return cell, 0.0
    if step == 1:
        return cell - 1 if cell > 0 else cells - 1, min(below, above) if cells == 2 else below
    return cell + 1 if cell < cells - 1 else 0, above


@inlined
def adjacent_range(cell, cells):
    """Return the three cells around one of a row of `cells`.

    They are lo, ..., hi - 1, and beyond the seam lo2, ..., hi2 - 1.
    """
    lo, hi, lo2, hi2 = cell - 1, cell + 2, np.int64(0), np.int64(0)
    if cells <= 3:
        lo, hi = np.int64(0), cells
    elif cell == 0:
        lo, lo2, hi2 = np.int64(0), cells - 1, cells
    elif cell == cells - 1:
        hi, hi2 = cells, np.int64(1)
    return lo, hi, lo2, hi2


@inlined
def entry(array, k):
    """Return array[k] as int64 for k >= 0; the compiler need not check for k < 0."""
    return np.int64(array[np.uintp(k)])


@inlined
def color_of(x, start, n_cells):
    """Return the color of the point at position x."""
    color = 0
    while x >= entry(start, (color + 1) * n_cells):
        color += 1
    return color


@inlined
def undecided_only(squares, first, x, low, high, state):
    """Return the coarse squares from x to the eight points from `first` on, with some inf.

    They are inf for pairs that are not open and for points from low to high.

    Also the number of points from low to high (2: several), and one of them: it should be the last
    partner of x alone.
    """
    far = splat(np.inf)
    if state.labels > 0:
        squares = where_shared(state.remaining, first, state.remaining[x], squares, far)
    squares = where_less(squares, splat(low), far, squares)
    mask = mask_at_most(squares, high)
    count, position = 0, np.int64(-1)
    if mask != 0:
        count = 1 if mask & (mask - 1) == 0 else 2
        position = first + lowest_bit(mask)
    return where_less(splat(high), squares, squares, far), count, position


@inlined
def nearest_of_chunk(squares, first, x, best, y, layer, state):
    """Return the nearest to x of y and the eight points from `first` on, and its square.

    y is at squared distance best; -1 means none.

    squares: coarse squares of the eight. Also returns whether one of them that may be taken is at
    distance 0.
    """
    coincident = False
    mask = mask_at_most(squares, nearer_bound(best * layer.coarse.square, layer.coarse))
    while mask != 0:
        z = first + lowest_bit(mask)
        mask &= mask - 1
        d2 = squared_distance(layer.X, x, z, layer.grid.sides, layer.dims)
        if d2 > best:
            continue
        if state is not None:
            if not may_take(x, z, d2, layer.indices, state):
                continue
        coincident = coincident or d2 == 0.0
        if y < 0 or precedes(d2, layer.indices[z], best, layer.indices[y]):
            best = d2
            y = z
    return best, y, coincident


@inlined
def search(exact, x, color, bound, layer, state, scratch):
    """Return the result of nearest_in_cells, by coarse squares or exact ones.

    Between point and number it contains whether the result may be wrong.

    Long, because it is one walk whose variables are registers.
    """
    Z, grid, coarse = layer.Z, layer.grid, layer.coarse
    last = len(layer.dims) - 1
    cells = grid.cells
    for axis in range(last + 1):
        t, c = along(layer.X[axis, np.uintp(x)], axis, grid)
        below = max(t - c - SLACK, 0.0) * grid.width[axis]
        above = max(c + 1.0 - t - SLACK, 0.0) * grid.width[axis]
        below, above = below * below, above * above
        if axis == last:
            row_cells = cells[axis]
            lo_cell, hi_cell, lo_beyond, hi_beyond = adjacent_range(c, row_cells)
        elif axis == last - 1:
            rows = cells[axis]
            row = c
            row_below, gap_below = adjacent_cell(1, c, rows, below, above)
            row_above, gap_above = adjacent_cell(2, c, rows, below, above)
        else:
            scratch.below[axis], scratch.above[axis], scratch.cell[axis] = below, above, c
    low = high = -1.0  # all pairs up to the last one are decided; its coarse square is between these
    if state is not None:
        if state.last_d2[x] >= 0.0:
            last_square = state.last_d2[x] * coarse.square
            low, high = last_square / coarse.factor - coarse.margin, nearer_bound(last_square, coarse)

    best = bound
    y = np.int64(-1)
    unsure = False
    n_last = 0  # number of points between low and high, and one of them
    last_partner = np.int64(-1)
    nearest = second = no_keys()  # in each lane
    n_chunks = 0  # number of times eight points were scanned
    for other in range(len(layer.compatible)):
        if not layer.compatible[color, other]:
            continue
        # A row is a run of cells along the last axis, and the rows around x are the leaves of a
        # tree with a level for each other axis. The last of these levels is a loop; those above are
        # walked through with the arrays of `scratch`.
        level = 0
        base = np.int64(other)
        gap = 0.0
        if last > 1:
            scratch.step[0] = -1
            scratch.base[0] = other
            scratch.gap[0] = 0.0
        while level >= 0:
            if last < 2:
                level = -1
            else:
                scratch.step[level] += 1
                if scratch.step[level] == min(3, cells[level]):
                    level -= 1
                    continue
                c, gap = adjacent_cell(
                    scratch.step[level], scratch.cell[level], cells[level], scratch.below[level], scratch.above[level]
                )
                gap += scratch.gap[level]
                if gap > best:
                    continue
                base = scratch.base[level] * cells[level] + c
                if level < last - 2:
                    level += 1
                    scratch.step[level] = -1
                    scratch.base[level] = base
                    scratch.gap[level] = gap
                    continue
            for step in range(min(3, rows) if last > 0 else 1):
                place = base * row_cells
                if last > 0:
                    c, more = row, 0.0
                    if step == 1:
                        c, more = row_below, gap_below
                    elif step == 2:
                        c, more = row_above, gap_above
                    if gap + more > best:
                        continue
                    place = (base * rows + c) * row_cells
                lo, hi = entry(layer.start, place + lo_cell), entry(layer.start, place + hi_cell)
                beyond = hi_beyond > 0
                while True:
                    if lo >= hi:
                        if not beyond:
                            break
                        beyond = False
                        lo, hi = entry(layer.start, place + lo_beyond), entry(layer.start, place + hi_beyond)
                        continue
                    if hi - lo > MAX_SCAN:
                        unsure = True
                        lo = skip_inactive(Z, scratch.candidate, lo, hi) if exact else hi
                        if lo >= hi:
                            continue
                    squares = coarse_squares(Z, lo, hi - lo, x, coarse.step, layer.dims)
                    if exact:
                        best, y, coincident = nearest_of_chunk(squares, lo, x, best, y, layer, state)
                        n_chunks += 1
                        if coincident:
                            lo = hi  # coincident points lie in the order of their indices: all others come later
                    else:
                        if state is not None:
                            squares, count, position = undecided_only(squares, lo, x, low, high, state)
                            n_last += count
                            last_partner = position if count > 0 else last_partner
                        if n_chunks == MAX_CHUNKS:
                            unsure = True
                            break
                        scratch.chunk[np.uintp(n_chunks)] = lo
                        key = keys(squares, n_chunks)
                        second = minimum(second, maximum(nearest, key))
                        nearest = minimum(nearest, key)
                        n_chunks += 1
                    lo += SIMD_WIDTH
            if last > 1 and not exact:
                best = min(best, nearer_bound(square_of_key(lowest_key(nearest)), coarse) * coarse.exact)
    if exact:
        return y, False, n_chunks
    key = lowest_key(nearest)
    square = square_of_key(key)
    if key < NO_KEY and square <= coarse.factor + coarse.margin:  # else no point is within the radius
        id_ = key & (KEY_IDS - 1)
        y = entry(scratch.chunk, id_ >> LANE_BITS) + (id_ & (SIMD_WIDTH - 1))
        max_square = nearer_bound(square, coarse)
        last_key = last_key_of(max_square)
        mask = mask_at_most(nearest, last_key)
        unsure = unsure or max_square > 1.0 or mask & (mask - 1) != 0 or mask_at_most(second, last_key) != 0
    if state is not None:
        if n_last > 1 or (n_last == 1 and layer.indices[last_partner] != state.last_index[x]):
            unsure = True
        if y >= 0 and len(state.excluded) > 0:
            if not may_take(x, y, squared_distance(layer.X, x, y, grid.sides, layer.dims), layer.indices, state):
                unsure = True
    return y, unsure, n_chunks


@jit
def nearest_exactly(x, color, bound, layer, state, scratch):
    """Return what nearest_in_cells does, by exact squares, point by point."""
    y, _, n_chunks = search(EXACT, x, color, bound, layer, state, scratch)
    return y, n_chunks


@inlined
def nearest_in_cells(x, color, bound, layer, state, scratch):
    """Return the nearest point that x, of this color, may take; -1 if there is none.

    Its squared distance is at most `bound`.

    These are active points of the compatible colors; with a state, which may be None, those that
    may_take accepts. Returns also the number of times that eight points were compared with x.
    """
    y, unsure, n_chunks = search(COARSE, x, color, bound, layer, state, scratch)
    if unsure:
        y, more = nearest_exactly(x, color, bound, layer, state, scratch)
        n_chunks += more
    return y, n_chunks
