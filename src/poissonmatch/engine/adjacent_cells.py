"""The cells that touch that of a point, in the order in which a search visits them.

A cell of a layer is a little wider than the radius of its phase, so the points within the radius of
a point lie in its own cell or in one that touches it. The points of neighboring cells along the
last axis are contiguous in each row of Z (coarse coordinates) and X. Cells are counted modulo
`grid.cells[axis]`, which on a torus is the seam. If points are so clustered that there would be
more cells than memory, distant cells are one: that adds a few candidates, which turn out to
be too far away.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .buckets import along
from .grids import SLACK
from .jit import Int, inlined
from .layer import Layer, Scratch


class CellBlock(NamedTuple):
    """Cells that touch that of a point: rows along the last axis, one after the other along the axis before it."""

    row_cells: Int  # number of cells of a row
    lo: Int  # cells lo, ..., hi - 1 of a row, and beyond the seam lo_beyond, ..., hi_beyond - 1
    hi: Int
    lo_beyond: Int
    hi_beyond: Int
    rows: Int  # number of rows
    row: Int  # that of the point, those below and above it, and the squared distances to them
    row_below: Int
    row_above: Int
    gap_below: float
    gap_above: float


@inlined
def adjacent_cell(step: int, cell: int, cells: int, below: float, above: float) -> tuple[Int, float]:
    """Return the cell in step 0 (that of the point), 1 (the one below) or 2 (above), and the squared distance to it."""
    if step == 0:
        return cell, 0.0
    if step == 1:
        return cell - 1 if cell > 0 else cells - 1, min(below, above) if cells == 2 else below
    return cell + 1 if cell < cells - 1 else 0, above


@inlined
def adjacent_range(cell: Int, cells: Int) -> tuple[Int, Int, Int, Int]:
    """Return the three cells around one of a row of `cells`: lo, ..., hi - 1, and beyond the seam lo2, ..., hi2 - 1."""
    lo, hi, lo2, hi2 = cell - 1, cell + 2, np.int64(0), np.int64(0)
    if cells <= 3:
        lo, hi = np.int64(0), cells
    elif cell == 0:
        lo, lo2, hi2 = np.int64(0), cells - 1, cells
    elif cell == cells - 1:
        hi, hi2 = cells, np.int64(1)
    return lo, hi, lo2, hi2


@inlined
def block_around(x: int, layer: Layer, scratch: Scratch) -> CellBlock:
    """Return the block around x; the cells along the axes before its two are written to scratch."""
    grid, last = layer.grid, len(layer.dims) - 1
    rows, row, row_below, row_above = np.int64(1), np.int64(0), np.int64(0), np.int64(0)
    gap_below = gap_above = 0.0
    for axis in range(last + 1):
        t, c = along(layer.X[axis, np.uintp(x)], axis, grid)
        below = max(t - c - SLACK, 0.0) * grid.width[axis]
        above = max(c + 1.0 - t - SLACK, 0.0) * grid.width[axis]
        below, above = below * below, above * above
        if axis == last:
            lo, hi, lo_beyond, hi_beyond = adjacent_range(c, grid.cells[axis])
        elif axis == last - 1:
            rows, row = grid.cells[axis], c
            row_below, gap_below = adjacent_cell(1, c, rows, below, above)
            row_above, gap_above = adjacent_cell(2, c, rows, below, above)
        else:
            scratch.below[axis], scratch.above[axis], scratch.cell[axis] = below, above, c
    row_cells = grid.cells[last]
    return CellBlock(row_cells, lo, hi, lo_beyond, hi_beyond, rows, row, row_below, row_above, gap_below, gap_above)


@inlined
def row_of_step(step: int, block: CellBlock) -> tuple[Int, float]:
    """Return a row of a block, and the squared distance to it; for steps see adjacent_cell."""
    if step == 1:
        return block.row_below, block.gap_below
    if step == 2:
        return block.row_above, block.gap_above
    return block.row, 0.0


@inlined
def open_level(level: Int, base: Int, gap: float, scratch: Scratch) -> None:
    """Begin a level of the tree of blocks, for an axis before the two of a block, below a cell and its squared distance."""
    scratch.step[level] = -1
    scratch.base[level] = base
    scratch.gap[level] = gap


@inlined
def next_block(level: int, best: float, layer: Layer, scratch: Scratch) -> tuple[Int, Int, float]:
    """Return the level of the next leaf of the tree of blocks, its number and the squared distance to it; -1 at the end."""
    cells, leaf = layer.grid.cells, len(layer.dims) - 3
    while level >= 0:
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
        if level == leaf:
            return level, base, gap
        level += 1
        open_level(level, base, gap, scratch)
    return level, np.int64(0), 0.0
