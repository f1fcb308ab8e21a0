"""Matched points by octaves of their partner distance: who is at a distance that is less than its own partner's?

Level l decides distances in (radius[l - 1], radius[l]], from 0 on for the first, and holds the points with a longer partner
distance than radius[l - 1], sorted into cells a little wider than radius[l]: so few that there are about as many in a cell at
each level. X2 are squared partner distances, inf for the unmatched; pairs are ordered as everywhere, by (squared distance, index).
"""

# mypy: ignore-errors

from typing import NamedTuple

import numpy as np

from .cell_counts import even_width
from .jit import inlined, jit

SLACK = 1e-6  # of a cell's width, against rounding
STEP = 2.0  # of the radii
CROWDED = 4.0  # cells of the first level for a point, at most


class Octaves(NamedTuple):
    """The levels, one after the other; a level's places are its cells."""

    radius2: np.ndarray  # (k,) squared
    least2: np.ndarray  # (k,) points of the level have at least this squared partner distance
    cells: np.ndarray  # (k, d) int64: along each axis
    inverse: np.ndarray  # (k, d) 1 / width of a cell
    first: np.ndarray  # (k,) int64: where the places of a level begin in start
    start: np.ndarray  # place -> first entry of member
    member: np.ndarray  # indices of points
    origin: np.ndarray  # (d,)
    sides: np.ndarray  # (d,) of the torus; inf where there is no seam


@inlined
def cell_of(t, inverse, cells):
    """The cell of a coordinate, counted from the origin."""
    return min(max(np.int64(t * inverse), 0), cells - 1)


@inlined
def place_of(X, i, origin, inverse, cells):
    """The cell of point i, by number."""
    place = np.int64(0)
    for axis in range(len(X)):
        place = place * cells[axis] + cell_of(X[axis, i] - origin[axis], inverse[axis], cells[axis])
    return place


@jit
def sort_members(X, members, origin, inverse, cells, first, start, out):
    """Write these points to out by cell, and to start, all zeros, where each cell begins, and the end; out begins at entry `first`."""
    for i in members:
        start[place_of(X, i, origin, inverse, cells)] += 1
    end = first
    for place in range(len(start)):
        end += start[place]
        start[place] = end
    for k in range(len(members) - 1, -1, -1):  # backwards, so that cells are filled from their ends
        place = place_of(X, members[k], origin, inverse, cells)
        start[place] -= 1
        out[start[place] - first] = members[k]


def build(
    X: np.ndarray, X2: np.ndarray, members: np.ndarray, most: float, origin: np.ndarray, extent: np.ndarray,
    sides: np.ndarray,
) -> Octaves:  # fmt: skip
    """The levels that decide distances up to `most` among these points (members, indices) of X, (d, n), in a box.

    extent: (d,) of the box, whose corner is the origin; on a torus the sides, with `most` less than a third of each.
    """
    share = np.partition(X2[members], len(members) // 2)[len(members) // 2] if len(members) else 0.0
    least = even_width(extent, max(CROWDED * len(members), 1.0))  # width of a cell
    radius = min(max(np.sqrt(share) if share < np.inf else 0.0, least), most)
    radii, lows, parts, cells_of = [], [], [], []
    low = 0.0
    while True:
        radii.append(radius)
        lows.append(low * low)
        parts.append(members)
        cells_of.append(np.maximum(1, (extent / max(radius * (1 + SLACK), least)).astype(np.int64)))
        if radius >= most:
            break
        low, radius = radius, min(STEP * radius, most)
        members = members[X2[members] >= low * low]
    first = np.concatenate([[0], np.cumsum([np.prod(cells) + 1 for cells in cells_of])])
    start = np.zeros(first[-1], np.int64)
    ends = np.cumsum([len(part) for part in parts])
    member = np.empty(ends[-1], members.dtype)
    inverse = np.array([cells / extent for cells in cells_of])
    for k, part in enumerate(parts):
        base = ends[k] - len(part)
        places = start[first[k] : first[k + 1]]
        sort_members(X, part, origin, inverse[k], cells_of[k], base, places, member[base : ends[k]])
    return Octaves(
        np.square(radii), np.array(lows), np.array(cells_of), inverse, first[:-1], start, member, origin, sides
    )


@inlined
def before(d2, i, e2, j):
    """For one point: is the pair with i, at squared distance d2, before that with j, at e2?"""
    return d2 < e2 or (d2 == e2 and i < j)


@inlined
def row_of(turn, x, level, X, octaves, dims):
    """The first place of row number `turn` of the 3^(d - 1) around x, and the cell of x along the last axis; -1: no row."""
    place = np.int64(0)
    last = len(dims) - 1
    for axis in range(last):
        cells = octaves.cells[level, axis]
        c = cell_of(X[axis, x] - octaves.origin[axis], octaves.inverse[level, axis], cells) + turn % 3 - 1
        turn //= 3
        if c < 0 or c >= cells:
            if octaves.sides[axis] == np.inf:
                return np.int64(-1), np.int64(0)
            c = cells - 1 if c < 0 else 0
        place = place * cells + c
    cells = octaves.cells[level, last]
    c = cell_of(X[last, x] - octaves.origin[last], octaves.inverse[level, last], cells)
    return octaves.first[level] + place * cells, c


@inlined
def pieces(row, c, level, octaves):
    """The members [lo, hi) and, beyond the seam, [lo2, hi2) of the three cells around cell c of a row."""
    start, cells = octaves.start, octaves.cells[level, -1]
    lo, hi = start[row + max(c - 1, 0)], start[row + min(c + 2, cells)]
    lo2 = hi2 = hi
    if octaves.sides[-1] < np.inf:
        if c == 0:
            lo2, hi2 = start[row + cells - 1], start[row + cells]
        elif c == cells - 1:
            lo2, hi2 = start[row], start[row + 1]
    return lo, hi, lo2, hi2
