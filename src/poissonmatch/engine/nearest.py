"""The compiled search for the nearest point that a point may be matched to.

A search is made with coarse squares of eight points at a time. If these do not decide, because of a
tie or of many inactive points in a cell, it is made again, point by point, with exact squares.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .adjacent_cells import CellBlock, block_around, next_block, open_level, row_of_step
from .coarse import INACTIVE, Coarse, nearer_bound
from .jit import Int, inlined, jit
from .layer import Layer, Scratch, State
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
MAX_SCAN = 64  # (benchmarks/inputs.py) in a run of cells with more points, stretches of inactive points are skipped


@inlined
def may_take(x: int, z: Int, d2: float, indices: np.ndarray, state: State) -> bool:
    """Return whether the pair x, z of points with a state, at squared distance d2, is undecided and allowed."""
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
def skip_inactive(Z: np.ndarray, candidate: np.ndarray, lo: Int, hi: int) -> Int:
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
def entry(array: np.ndarray, k: int) -> Int:
    """Return array[k] as int64 for k >= 0; the compiler need not check for k < 0."""
    return np.int64(array[np.uintp(k)])


@inlined
def color_of(x: int, start: np.ndarray, n_cells: int) -> Int:
    """Return the color of the point at position x."""
    color = 0
    while x >= entry(start, (color + 1) * n_cells):
        color += 1
    return color


@inlined
def undecided_only(squares: Any, first: int, x: int, low: float, high: float, state: State) -> tuple[Any, Int, Int]:
    """Return the coarse squares of x to eight points from `first` on, inf for pairs not open and from low to high.

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
def nearest_of_chunk(
    squares: Any, first: int, x: int, best: float, y: int, layer: Layer, state: State | None
) -> tuple[float, Int, bool]:
    """Return the nearest to x of y (at square best, -1: none) and eight points from `first` on, and its square.

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


class Seen(NamedTuple):
    """What a search has found so far."""

    best: float  # squared distance of the nearest point so far, of an exact search, and the point; -1 for none
    y: Int
    nearest: Any  # keys in each lane, of a coarse search
    second: Any
    unsure: bool  # whether the result of a coarse search may be wrong
    n_last: Int  # number of points that may be the last partner, and one of them
    last_partner: Int
    n_chunks: Int  # number of times that eight points were scanned


@inlined
def last_squares(x: int, coarse: Coarse, state: State | None) -> tuple[float, float]:
    """Return two bounds of the coarse square of the last partner of x, up to which all pairs are decided; -1 without one."""
    if state is not None:
        if state.last_d2[x] >= 0.0:
            square = state.last_d2[x] * coarse.square
            return square / coarse.factor - coarse.margin, nearer_bound(square, coarse)
    return -1.0, -1.0


@inlined
def scan_row(
    exact: Any,
    first_cell: int,
    block: CellBlock,
    x: int,
    last_partner_squares: tuple[float, float],
    seen: Seen,
    layer: Layer,
    state: State | None,
    scratch: Scratch,
) -> Seen:
    """Return what is seen after the cells of a row that a block touches, by exact squares or coarse ones."""
    low, high = last_partner_squares
    best, y, nearest, second, unsure, n_last, last_partner, n_chunks = seen
    lo, hi = entry(layer.start, first_cell + block.lo), entry(layer.start, first_cell + block.hi)
    beyond = block.hi_beyond > 0
    while True:
        if lo >= hi:
            if not beyond:
                break
            beyond = False
            lo, hi = entry(layer.start, first_cell + block.lo_beyond), entry(layer.start, first_cell + block.hi_beyond)
            continue
        if hi - lo > MAX_SCAN:
            unsure = True
            lo = skip_inactive(layer.Z, scratch.candidate, lo, hi) if exact else hi
            if lo >= hi:
                continue
        squares = coarse_squares(layer.Z, lo, hi - lo, x, layer.coarse.step, layer.dims)
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
    return Seen(best, y, nearest, second, unsure, n_last, last_partner, n_chunks)


@inlined
def search(exact: Any, x: int, color: int, bound: float, layer: Layer, state: State | None, scratch: Scratch) -> Seen:
    """Return all that is seen by a search among the cells around x, by exact squares or coarse ones."""
    last = len(layer.dims) - 1
    block = block_around(x, layer, scratch)
    last_partner_squares = last_squares(x, layer.coarse, state)
    best = bound  # squared distance beyond which nothing is looked for
    seen = Seen(bound, np.int64(-1), no_keys(), no_keys(), False, np.int64(0), np.int64(-1), np.int64(0))
    for other in range(len(layer.compatible)):
        if not layer.compatible[color, other]:
            continue
        level: Int = np.int64(0)
        number, gap = np.int64(other), 0.0
        if last > 1:
            open_level(level, number, gap, scratch)
        while level >= 0:
            if last > 1:
                level, number, gap = next_block(level, best, layer, scratch)
                if level < 0:
                    break
            else:
                level = np.int64(-1)
            for step in range(min(3, block.rows)):
                row, more = row_of_step(step, block)
                if gap + more > best:
                    continue
                first_cell = (number * block.rows + row) * block.row_cells
                seen = scan_row(exact, first_cell, block, x, last_partner_squares, seen, layer, state, scratch)
                if exact:
                    best = seen.best
            if last > 1 and not exact:
                square = nearer_bound(square_of_key(lowest_key(seen.nearest)), layer.coarse)
                best = min(best, square * layer.coarse.exact)
    return seen


@inlined
def nearest_seen(seen: Seen, x: int, layer: Layer, state: State | None, scratch: Scratch) -> tuple[Int, bool]:
    """Return the nearest point that a coarse search has seen, -1 for none, and whether it may be another one."""
    coarse, y, unsure = layer.coarse, np.int64(-1), seen.unsure
    key = lowest_key(seen.nearest)
    square = square_of_key(key)
    if key < NO_KEY and square <= coarse.factor + coarse.margin:  # else no point is within the radius
        id_ = key & (KEY_IDS - 1)
        y = entry(scratch.chunk, id_ >> LANE_BITS) + (id_ & (SIMD_WIDTH - 1))
        max_square = nearer_bound(square, coarse)
        last_key = last_key_of(max_square)
        mask = mask_at_most(seen.nearest, last_key)
        unsure = unsure or max_square > 1.0 or mask & (mask - 1) != 0 or mask_at_most(seen.second, last_key) != 0
    if state is not None:
        if seen.n_last > 1 or (seen.n_last == 1 and layer.indices[seen.last_partner] != state.last_index[x]):
            unsure = True
        if y >= 0 and len(state.excluded) > 0:
            if not may_take(x, y, squared_distance(layer.X, x, y, layer.grid.sides, layer.dims), layer.indices, state):
                unsure = True
    return y, unsure


@jit
def nearest_exactly(
    x: int, color: int, bound: float, layer: Layer, state: State | None, scratch: Scratch
) -> tuple[Int, Int]:
    """Return what nearest_in_cells does, by exact squares, point by point."""
    seen = search(EXACT, x, color, bound, layer, state, scratch)
    return seen.y, seen.n_chunks


@inlined
def nearest_in_cells(
    x: int, color: int, bound: float, layer: Layer, state: State | None, scratch: Scratch
) -> tuple[Int, Int]:
    """Return the nearest point that x, of this color, may take within the square `bound`; -1 if there is none.

    These are active points of the compatible colors; with a state, which may be None, those that
    may_take accepts. Returns also the number of times that eight points were compared with x.
    """
    seen = search(COARSE, x, color, bound, layer, state, scratch)
    y, unsure = nearest_seen(seen, x, layer, state, scratch)
    n_chunks = seen.n_chunks
    if unsure:
        y, more = nearest_exactly(x, color, bound, layer, state, scratch)
        n_chunks += more
    return y, n_chunks
