"""Matched points by octaves of their partner distance.

They serve to find points that are nearer than their own partners.

Level l decides distances in (radius[l - 1], radius[l]], from 0 on for the first. It holds the
points with a longer partner distance than radius[l - 1], sorted into cells a little wider than
radius[l], so each level has about as many points in a cell.
"""

# mypy: ignore-errors

from typing import NamedTuple

import numpy as np

from .cell_counts import cube_width
from .jit import inlined, jit

SLACK = 1e-6  # of a cell's width, against rounding
STEP = 2.0  # ratio of consecutive radii
MAX_CELLS = 4.0  # of the first level for each point


class Cells(NamedTuple):
    """Cells of one level, (d,) each."""

    origin: np.ndarray
    inverse: np.ndarray  # 1 / width of a cell
    number: np.ndarray  # int64: along each axis


class Octaves(NamedTuple):
    """Points and their levels, one after the other; the places of a level are its cells."""

    X: np.ndarray  # (d, n) coordinates
    X2: np.ndarray  # (n,) squared partner distances, inf for the unmatched
    sides: np.ndarray  # (d,) of the torus; inf where there is no seam
    dims: tuple[int, ...]  # d zeros, for their number alone
    rows: int  # 3^(d - 1): of cells around a point
    radius2: np.ndarray  # (k,) squared
    cells: np.ndarray  # (k, d) int64: along each axis
    inverse: np.ndarray  # (k, d) 1 / width of a cell
    first: np.ndarray  # (k,) int64: first place of each level in start
    start: np.ndarray  # place -> first entry of member
    member: np.ndarray  # indices of points
    origin: np.ndarray  # (d,)


@inlined
def cell_of(t, inverse, cells):
    """Return the cell of a coordinate t, measured from the origin."""
    return min(max(np.int64(t * inverse), 0), cells - 1)


@inlined
def place_of(X, i, cells):
    """Return the number of the cell of point i."""
    place = np.int64(0)
    for axis in range(len(X)):
        c = cell_of(X[axis, i] - cells.origin[axis], cells.inverse[axis], cells.number[axis])
        place = place * cells.number[axis] + c
    return place


@jit
def sort_members(X, members, cells, first, start, out):
    """Write these points to out by cell, from entry `first` on.

    The first entry of each cell, and the end, are written to start, which is all zeros before.
    """
    for i in members:
        start[place_of(X, i, cells)] += 1
    end = first
    for place in range(len(start)):
        end += start[place]
        start[place] = end
    for k in range(len(members) - 1, -1, -1):  # backwards, so that cells are filled from their ends
        place = place_of(X, members[k], cells)
        start[place] -= 1
        out[start[place] - first] = members[k]


def build(
    X: np.ndarray, X2: np.ndarray, members: np.ndarray, max_distance: float, origin: np.ndarray, extent: np.ndarray,
    sides: np.ndarray,
) -> Octaves:  # fmt: skip
    """Return the levels that decide distances up to `max_distance` among points of a box.

    members: indices of the points.

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
        places = start[first[k] : first[k + 1]]
        sort_members(X, part, Cells(origin, inverse[k], cells_of[k]), base, places, member[base : ends[k]])
    dims, rows = (0,) * len(X), 3 ** (len(X) - 1)
    return Octaves(
        X, X2, sides, dims, rows, np.square(radii), np.array(cells_of), inverse, first[:-1], start, member, origin
    )


@inlined
def points_near(turn, x, level, octaves):
    """Return the entries of `member` in row number `turn` of the 3^(d - 1) rows of cells around x.

    They are those of three cells along the last axis: [lo, hi) and, beyond the seam, [lo2, hi2).
    """
    row = np.int64(0)
    last = len(octaves.dims) - 1
    for axis in range(last):
        cells = octaves.cells[level, axis]
        c = cell_of(octaves.X[axis, x] - octaves.origin[axis], octaves.inverse[level, axis], cells) + turn % 3 - 1
        turn //= 3
        if c < 0 or c >= cells:
            if octaves.sides[axis] == np.inf:
                return np.int64(0), np.int64(0), np.int64(0), np.int64(0)
            c = cells - 1 if c < 0 else 0
        row = row * cells + c
    cells = octaves.cells[level, last]
    c = cell_of(octaves.X[last, x] - octaves.origin[last], octaves.inverse[level, last], cells)
    start, row = octaves.start, octaves.first[level] + row * cells
    lo, hi = start[row + max(c - 1, 0)], start[row + min(c + 2, cells)]
    lo2 = hi2 = hi
    if octaves.sides[last] < np.inf:
        if c == 0:
            lo2, hi2 = start[row + cells - 1], start[row + cells]
        elif c == cells - 1:
            lo2, hi2 = start[row], start[row + 1]
    return lo, hi, lo2, hi2
