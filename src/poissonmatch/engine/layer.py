"""The arrays that the kernels of a phase share, as named tuples that are passed whole.

A *phase* decides every pair of points up to a radius; its points are a `Layer`, sorted by colored
cell, that is by (color, cell). Tuples of this kind cost nothing in compiled code. What may be None is a
separate argument: numba compiles a separate version of a function for an argument that is None,
without the branches for arrays, but not for a field.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .coarse import INACTIVE, Coarse
from .grids import Grid
from .simd import MAX_CHUNKS, SIMD_WIDTH


class Layer(NamedTuple):
    """Active points of a phase, sorted by colored cell, that is by (color, cell)."""

    X: np.ndarray  # (d, n) float64: coordinates; those of a point are adjacent in memory
    Z: np.ndarray  # (d, n + SIMD_WIDTH) int32: coarse coordinates, by axis; Z[0] is INACTIVE for inactive points
    indices: np.ndarray  # (n,): index of the point in the pattern, which breaks ties
    row: np.ndarray  # (n,): row of the point in the result
    start: np.ndarray  # (C * cells + 1,): colored cell -> first position
    grid: Grid
    radius: float  # all points within this distance lie in the same cell or one that touches it
    coarse: Coarse
    compatible: np.ndarray  # (C, C) bool: may points of these colors match?
    starter: np.ndarray  # (C,) bool: every compatible pair has one of these colors
    dims: tuple[int, ...]  # d zeros, for their number alone: the compiler knows it, and unrolls loops over axes

    def first_positions(self) -> np.ndarray:
        """Return the first position of each color, and the number of points: (C + 1,)."""
        return self.start[:: int(np.prod(self.grid.cells))]

    def color_of(self, position: np.ndarray) -> np.ndarray:
        """Return the colors of the points at these positions."""
        return np.searchsorted(self.first_positions()[1:], position, side="right")

    def is_active(self, position: np.ndarray) -> np.ndarray:
        """Return a mask of the active points at these positions."""
        return np.asarray(self.Z[0, position] != INACTIVE)

    def count_active(self) -> np.ndarray:
        """Return the number of active points of each color: (C,)."""
        active = self.Z[0, : len(self.indices)] != INACTIVE
        ends = self.first_positions()
        return np.array([np.count_nonzero(active[a:b]) for a, b in zip(ends[:-1], ends[1:], strict=True)])


class State(NamedTuple):
    """Options that each point still has, by position, for points with several partners or with excluded pairs.

    All pairs of point x up to (last_d2[x], last_index[x]) in the pair order are decided.
    """

    remaining: np.ndarray  # (n + SIMD_WIDTH,) uint64: remaining capacity; with labels the free labels, as bits
    taken: np.ndarray  # (n,): number of partners
    last_d2: np.ndarray  # (n,)
    last_index: np.ndarray  # (n,)
    excluded_start: np.ndarray  # by index: excluded[excluded_start[i] : excluded_start[i + 1]] may not be partners of i
    excluded: np.ndarray
    labels: int  # number of labels, 0 for a rule without


class Tree(NamedTuple):
    """The nodes of all colors; those of a color begin at `first`, so that its node k is number first + k."""

    first: np.ndarray  # (C,) int64
    depth: np.ndarray  # (C,) int64: the color has 2^depth leaves
    box: np.ndarray  # (nodes, 2 d): lower corner, inf for no active point, and upper corner, -inf
    min_index: np.ndarray  # (nodes,) int64: least index, NO_INDEX for no active point
    labels: np.ndarray  # (nodes,) uint64: labels that some point may still take; 0 without labels
    # (nodes, 2 d + 4), or (0, 2 d + 4) without sectors: center; axis of the cone and cosine of its
    # angle; the distance from the center up to which a point does not see the node across a seam,
    # -1 for no center; range of distances of active points to the center
    sector: np.ndarray
    radius: np.ndarray  # (n,): distances of the points to the centers of their leaves
    nodes: np.ndarray  # (MAX_DEPTH,) int64: working memory of a search, the nodes to be visited
    gaps: np.ndarray  # (MAX_DEPTH,) float64: and the squared distances to them


class Output(NamedTuple):
    """The result of a matching: (n, width) each, by rows, which partners are given by as well."""

    partner: np.ndarray
    distance: np.ndarray


class Rows(NamedTuple):
    """Rows of cells; a row has one cell along the first axis.

    Chains begin in begin, ..., end - 1, and stay in first, ..., last - 1.
    """

    first: int
    last: int
    begin: int
    end: int


class Scratch(NamedTuple):
    """Working memory of one thread; `candidate` is shared by all."""

    # (n,) by position. For an active point its nearest, -1: not computed, -2: none within the
    # radius; for an inactive point a later position, such that all points from its own up to that
    # are inactive
    candidate: np.ndarray
    stack: np.ndarray  # positions of the points of a chain: one more entry than there are points
    cell: np.ndarray  # (d,) int64: the cell of the point that is searched from,
    below: np.ndarray  # (d,) float64: squared distance to the cell below it
    above: np.ndarray  # (d,) float64: and to the one above
    step: np.ndarray  # (d,) int64: path from the root of the tree of rows: the step at each level,
    base: np.ndarray  # (d,) int64: the number of the cell so far
    gap: np.ndarray  # (d,) float64: and the squared distance to it
    chunk: np.ndarray  # (MAX_CHUNKS,) int64: first positions of the chunks that were scanned


def new_scratch(candidate: np.ndarray, stack: np.ndarray, dim: int) -> Scratch:
    """Return working memory for dim axes."""
    cell, step, base = (np.empty(dim, np.int64) for _ in range(3))
    below, above, gap = (np.empty(dim) for _ in range(3))
    return Scratch(candidate, stack, cell, below, above, step, base, gap, np.empty(MAX_CHUNKS, np.int64))


def read_only(points: np.ndarray) -> np.ndarray:
    """Return a read-only view (d, n) of (n, d) coordinates: layers have one type, and kernels are compiled once."""
    X = points.T
    X.flags.writeable = False
    return X


def empty_coarse(n: int, d: int) -> np.ndarray:
    """Return an array (d, n + SIMD_WIDTH) for coarse coordinates; the last ones are inactive."""
    Z = np.empty((d, n + SIMD_WIDTH), np.int32)
    Z[:, n:] = INACTIVE
    return Z
