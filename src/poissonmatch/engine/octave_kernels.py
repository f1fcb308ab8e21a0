"""Points that are nearer to each other than to their partners, by octaves of the partner distance.

Level l decides distances in (radius[l - 1], radius[l]], from 0 on for the first. It holds the
points with a longer partner distance than radius[l - 1], sorted into cells a little wider than
radius[l], so each level has about as many points in a cell.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .grids import cube_width
from .jit import Int, inlined, jit
from .pair_order import ordered, precedes, squared_distance

SLACK = 1e-6  # of a cell's width, against rounding
STEP = 2.0  # ratio of consecutive radii
MAX_CELLS = 4.0  # (benchmarks/octaves.py) of the first level for each point


class Cells(NamedTuple):
    """Cells of one level, (d,) each."""

    origin: np.ndarray
    inverse: np.ndarray  # 1 / width of a cell
    number: np.ndarray  # int64: along each axis


class Levels(NamedTuple):
    """Points and their levels, one after the other; a level has its own cells."""

    X: np.ndarray  # (d, n) coordinates
    X2: np.ndarray  # (n,) squared partner distances, inf for the unmatched
    sides: np.ndarray  # (d,) of the torus; inf where there is no seam
    dims: tuple[int, ...]  # d zeros, for their number alone
    rows: int  # 3^(d - 1): of cells around a point
    radius2: np.ndarray  # (k,) squared
    cells: np.ndarray  # (k, d) int64: along each axis
    inverse: np.ndarray  # (k, d) 1 / width of a cell
    first: np.ndarray  # (k,) int64: first cell of each level in start
    start: np.ndarray  # cell -> first entry of member
    member: np.ndarray  # indices of points
    origin: np.ndarray  # (d,)


@inlined
def cell_of(t: float, inverse: float, cells: int) -> Int:
    """Return the cell of a coordinate t, measured from the origin."""
    return min(max(np.int64(t * inverse), 0), cells - 1)


@inlined
def cell_number(X: np.ndarray, i: int, cells: Cells) -> Int:
    """Return the number of the cell of point i."""
    number = np.int64(0)
    for axis in range(len(X)):
        c = cell_of(X[axis, i] - cells.origin[axis], cells.inverse[axis], cells.number[axis])
        number = number * cells.number[axis] + c
    return number


@jit
def sort_members(
    X: np.ndarray, members: np.ndarray, cells: Cells, first: int, start: np.ndarray, out: np.ndarray
) -> None:
    """Write these points to out by cell, from entry `first` on; the first entry of each cell, and the end, to start."""
    for i in members:
        start[cell_number(X, i, cells)] += 1
    end = first
    for cell in range(len(start)):
        end += start[cell]
        start[cell] = end
    for k in range(len(members) - 1, -1, -1):  # backwards, so that cells are filled from their ends
        cell = cell_number(X, members[k], cells)
        start[cell] -= 1
        out[start[cell] - first] = members[k]


def levels_of(
    X: np.ndarray, X2: np.ndarray, members: np.ndarray, max_distance: float, origin: np.ndarray, extent: np.ndarray,
    sides: np.ndarray,
) -> Levels:  # fmt: skip
    """Return the levels that decide distances up to `max_distance` among the members, indices of points of a box.

    X: (d, n); X2: (n,) squared partner distances, inf for the unmatched. extent: (d,) of the box,
    whose corner is the origin; on a torus the sides, with `max_distance` below a third of each.
    """
    median = np.partition(X2[members], len(members) // 2)[len(members) // 2] if len(members) else 0.0
    min_width = cube_width(extent, max(MAX_CELLS * len(members), 1.0))
    radius = min(max(np.sqrt(median) if median < np.inf else 0.0, min_width), max_distance)
    fewest = np.where(sides < np.inf, 3, 1)  # of one or two cells around a torus, one would be visited twice
    radii, parts, cells_of = [], [], []
    while True:
        radii.append(radius)
        parts.append(members)
        cells_of.append(np.maximum(fewest, (extent / max(radius * (1 + SLACK), min_width)).astype(np.int64)))
        if radius >= max_distance:
            break
        low, radius = radius, min(STEP * radius, max_distance)
        members = members[X2[members] >= low * low]
    first = np.concatenate([[0], np.cumsum([np.prod(cells) + 1 for cells in cells_of])])
    start = np.zeros(first[-1], np.int64)
    ends = np.cumsum([len(part) for part in parts])
    member = np.empty(ends[-1], members.dtype)
    inverse = np.array([cells / extent for cells in cells_of])
    for k, part in enumerate(parts):
        base = ends[k] - len(part)
        own_start = start[first[k] : first[k + 1]]
        sort_members(X, part, Cells(origin, inverse[k], cells_of[k]), base, own_start, member[base : ends[k]])
    dims, rows = (0,) * len(X), 3 ** (len(X) - 1)
    return Levels(
        X, X2, sides, dims, rows, np.square(radii), np.array(cells_of), inverse, first[:-1], start, member, origin
    )


@inlined
def points_near(turn: int, x: Int, level: int, levels: Levels) -> tuple[Int, Int, Int, Int]:
    """Return the entries of `member` in row number `turn` of the 3^(d - 1) rows of cells around x.

    They are those of three cells along the last axis: [lo, hi) and, beyond the seam, [lo2, hi2).
    """
    row = np.int64(0)
    last = len(levels.dims) - 1
    for axis in range(last):
        cells = levels.cells[level, axis]
        c = cell_of(levels.X[axis, x] - levels.origin[axis], levels.inverse[level, axis], cells) + turn % 3 - 1
        turn //= 3
        if c < 0 or c >= cells:
            if levels.sides[axis] == np.inf:
                return np.int64(0), np.int64(0), np.int64(0), np.int64(0)
            c = cells - 1 if c < 0 else 0
        row = row * cells + c
    cells = levels.cells[level, last]
    c = cell_of(levels.X[last, x] - levels.origin[last], levels.inverse[level, last], cells)
    start, row = levels.start, levels.first[level] + row * cells
    lo, hi = start[row + max(c - 1, 0)], start[row + min(c + 2, cells)]
    lo2 = hi2 = hi
    if levels.sides[last] < np.inf:
        if c == 0:
            lo2, hi2 = start[row + cells - 1], start[row + cells]
        elif c == cells - 1:
            lo2, hi2 = start[row], start[row + 1]
    return lo, hi, lo2, hi2


# ---- survivor pairs ----


@jit
def add_pairs(radii2: np.ndarray, ends: np.ndarray, level_ends: np.ndarray, levels: Levels, change: np.ndarray) -> None:
    """Add to change, (k + 1,), 1 at the first radius not below the distance of each survivor pair, -1 at its end.

    radii2: (k,) squared radii; ends: (n,) number of the first radius at which each point is
    matched; level_ends: of the levels.
    """
    X2 = levels.X2
    low2, first = -1.0, 0
    for level in range(len(levels.radius2)):
        high2 = levels.radius2[level]
        while first < len(radii2) and radii2[first] < low2:
            first += 1
        for k in range(levels.start[levels.first[level]], level_ends[level]):
            x = np.int64(levels.member[k])
            for turn in range(levels.rows):
                lo, hi, lo2, hi2 = points_near(turn, x, level, levels)
                while True:
                    for entry in range(lo, hi):
                        z = np.int64(levels.member[entry])
                        if z <= x:
                            continue
                        d2 = squared_distance(levels.X, x, z, levels.sides, levels.dims)
                        if d2 > high2 or d2 <= low2 or d2 >= X2[x] or d2 >= X2[z]:
                            continue
                        begin = first
                        while begin < len(radii2) and radii2[begin] < d2:
                            begin += 1
                        end = min(ends[x], ends[z])
                        if begin < end:
                            change[begin] += 1
                            change[end] -= 1
                    if lo2 == hi2:
                        break
                    lo, hi = lo2, hi2
                    lo2 = hi2
        low2 = high2


def count_pairs(points: np.ndarray, distance: np.ndarray, sides: np.ndarray, radii: np.ndarray) -> np.ndarray:
    """Return, for each radius r, the number of pairs at most r apart whose partner distances are both more than r: (k,) int64.

    points (n, d) on a torus; distance (n,), inf for the unmatched; radii ascending, the last below
    a third of each side.
    """
    X, radii2, X2 = points.T, np.square(radii), np.square(distance)
    ends = np.searchsorted(radii2, X2)
    index = np.arange(len(points), dtype=np.int64)
    levels = levels_of(X, X2, index, float(radii[-1]), np.zeros(len(X)), sides, sides)
    level_ends = levels.start[levels.first + levels.cells.prod(axis=1)]
    change = np.zeros(len(radii) + 1, np.int64)
    add_pairs(radii2, ends, level_ends, levels, change)
    return change[:-1].cumsum()


# ---- the response of the one-color matching ----


class OldMatching(NamedTuple):
    """The old matching, and the points that are taken in the new one."""

    partner: np.ndarray  # (n,), -1 for the unmatched
    taken: np.ndarray  # (n,): point whose pair was excluded when this one was last taken, -1 at first
    max2: float  # longer squared distances are not looked at


@jit
def partner_squares(
    X: np.ndarray, partner: np.ndarray, sides: np.ndarray, dims: tuple[Int, ...], X2: np.ndarray
) -> None:
    """Write the squared partner distance of each point to X2; inf for the unmatched."""
    for x in range(len(partner)):
        X2[x] = squared_distance(X, x, partner[x], sides, dims) if partner[x] >= 0 else np.inf


@inlined
def next_partner(x: Int, low2: float, low: Int, stamp: Int, old: OldMatching, levels: Levels) -> tuple[Int, float]:
    """Return the first pair of x after (low2, low) whose other point is free and prefers x: (index or -1, square).

    stamp: the point whose pair is excluded, by which taken points are marked.
    """
    X2, dims = levels.X2, levels.dims
    for level in range(len(levels.radius2)):
        high2 = min(levels.radius2[level], old.max2)
        if low2 > high2:
            continue
        best2, best = high2, np.int64(-1)
        for turn in range(levels.rows):
            lo, hi, lo2, hi2 = points_near(turn, x, level, levels)
            while True:
                for k in range(lo, hi):
                    z = np.int64(levels.member[k])
                    d2 = squared_distance(levels.X, x, z, levels.sides, dims)
                    if d2 > best2 or d2 > X2[z] or d2 < low2 or z == x or old.taken[z] == stamp:
                        continue
                    if best >= 0 and not precedes(d2, z, best2, best):
                        continue
                    if precedes(low2, low, d2, z) and precedes(d2, x, X2[z], old.partner[z]):
                        best2, best = d2, z
                if lo2 == hi2:
                    break
                lo, hi = lo2, hi2
                lo2 = hi2
        if best >= 0:
            return best, best2
    return np.int64(-1), np.inf


@jit
def new_partners(old: OldMatching, levels: Levels, new2: np.ndarray) -> None:
    """Write the squared partner distance, after its pair alone is excluded, of each point whose pair has one of at most max2.

    inf where that is more than max2; new2, (n,), is unchanged for other points.

    Up to the length of the pair nothing changes. From there on its ends are *tokens*, points that
    are free in the new matching and matched in the old. A token takes the nearest point that
    prefers it to its partner, which then becomes a token in turn, so there are two tokens at a
    time; or they take each other. A token is free from the old distance of its old partner on, so
    it searches for partners after that one. Long, because the two tokens are the state of one loop.
    """
    X2, partner = levels.X2, old.partner
    for k in range(len(partner)):  # by cells of the first level, which holds all: neighbors are in the cache together
        a = np.int64(levels.member[k])
        b = np.int64(partner[a])
        if b < a or X2[a] > old.max2:
            continue
        new2[a] = new2[b] = np.inf
        # tokens: points (-1: none), and the next partner of each, if known
        p, q = np.int64(a), b
        known_p = known_q = False
        next_p = next_q = np.int64(-1)
        p2 = q2 = np.inf
        low_p, low_p2, low_q, low_q2 = np.int64(partner[p]), X2[p], np.int64(partner[q]), X2[q]
        n_free = 2  # ends of the pair that have no partner yet
        while n_free > 0:
            if p >= 0 and not known_p:
                next_p, p2 = next_partner(p, low_p2, low_p, a, old, levels)
                known_p = True
            if q >= 0 and not known_q:
                next_q, q2 = next_partner(q, low_q2, low_q, a, old, levels)
                known_q = True
            each2 = np.inf  # they may take each other once both are free
            if p >= 0 and q >= 0 and partner[p] != q:
                d2 = squared_distance(levels.X, p, q, levels.sides, levels.dims)
                if d2 <= old.max2 and precedes(X2[p], partner[p], d2, q) and precedes(X2[q], partner[q], d2, p):
                    each2 = d2
            turn_q = next_q >= 0 and precedes(q2, ordered(q, next_q), p2, ordered(p, next_p))
            x, z, d2 = (q, next_q, q2) if turn_q else (p, next_p, p2)
            if each2 < np.inf and precedes(each2, ordered(p, q), d2, ordered(x, z)):
                if p == a or p == b:
                    new2[p] = each2
                if q == a or q == b:
                    new2[q] = each2
                break
            if z < 0:
                break
            if x == a or x == b:
                new2[x] = d2
                n_free -= 1
            old.taken[z] = a
            token = np.int64(partner[z])  # the next one; if z was the other one, both ends have a partner now
            if turn_q:
                q, known_q, next_q, q2 = token, False, np.int64(-1), np.inf
                if token >= 0:
                    low_q, low_q2 = z, X2[token]
                if next_p == z:
                    known_p, low_p, low_p2 = False, z, p2
            else:
                p, known_p, next_p, p2 = token, False, np.int64(-1), np.inf
                if token >= 0:
                    low_p, low_p2 = z, X2[token]
                if next_q == z:
                    known_q, low_q, low_q2 = False, z, q2


def new_squares(points: np.ndarray, partner: np.ndarray, sides: np.ndarray, max_distance: float) -> np.ndarray:
    """Return squared partner distances of a one-color matching on a torus after the pair of the point alone is excluded: (n,).

    inf where there is no partner within `max_distance`, which is below a third of each side; nan
    where the pair is longer.
    """
    (n, d), X = points.shape, points.T
    X2, index = np.empty(n), np.arange(n, dtype=np.int32 if n < 2**31 else np.int64)
    partner_squares(X, partner, sides, (0,) * d, X2)
    levels = levels_of(X, X2, index, max_distance, np.zeros(d), sides, sides)
    new2 = np.where(X2 < np.inf, np.nan, np.inf)
    new_partners(OldMatching(partner, np.full(n, -1, index.dtype), max_distance * max_distance), levels, new2)
    return new2
