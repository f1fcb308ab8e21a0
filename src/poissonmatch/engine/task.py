"""Input and output of the matching engine, and its need of memory."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..utils.immutable import cached_property
from . import grids
from .jit import jit
from .layer import read_only

INT32_BELOW = 2**30  # positions are 32-bit integers below, 64-bit from here on


@dataclass
class Task:
    """A matching problem as checked arrays, which matching/match.py makes from a pattern and a rule."""

    points: np.ndarray  # (n, d) float64
    colors: np.ndarray | None  # (n,) uint8, all < C; None if C is 1
    sides: np.ndarray  # lengths of the axes of a torus; inf where there is no seam
    compatible: np.ndarray  # (C, C) bool: may points of these colors match?
    starter: np.ndarray  # (C,) bool: colors such that every compatible pair has one of them
    counts: np.ndarray  # (C,): points of each color
    width: int = 1  # largest number of partners of a point
    remaining: np.ndarray | None = None  # (n,) uint64: capacities, or labels as bits; None: 1 each, no pair excluded
    labels: int = 0
    misere: bool = False  # exclude the pairs that are mutually nearest in the whole set
    excluded_start: np.ndarray = field(
        default_factory=lambda: np.zeros(1, np.int64)
    )  # (n + 1,): first entry of each point in `excluded`
    excluded: np.ndarray = field(
        default_factory=lambda: np.zeros(0, np.int64)
    )  # points that may not be its partners; empty: no pair is excluded
    table: np.ndarray | None = None  # (n, n) distances, for points without coordinates
    threads: int = 1
    max_distance: float = np.inf  # beyond which pairs may be matched or not

    @cached_property
    def box(self) -> tuple[np.ndarray, np.ndarray]:
        """Origin and extent, (d,) each, of the box that the cells cover."""
        return grids.bounding_box(self.points, self.sides)

    @property
    def X(self) -> np.ndarray:
        """The points as those of a layer, (d, n), read-only."""
        return read_only(np.ascontiguousarray(self.points))


@jit
def write_partners(index, partner_rows, partners):
    """Write partner_rows, the partners (n, width) of point index[row] by row, -1 for none, to partners[index[row]]."""
    for row in range(len(index)):
        a = index[row]
        for k in range(partner_rows.shape[1]):
            other = partner_rows[row, k]
            partners[a, k] = index[np.uintp(other)] if other >= 0 else -1


@jit
def write_distances(index, row_distances, distances):
    """Write row_distances[row], (n, width), to distances[index[row]]."""
    for row in range(len(index)):
        a = index[row]
        for k in range(row_distances.shape[1]):
            distances[a, k] = row_distances[row, k]


@dataclass
class TaskResult:
    """Partners (-1 for none) and distances (inf), (n, width) each, nearest first, or column k for label k.

    Rows are in the order of the points in the first phase; they are sorted by index on request,
    which writes all over the memory.
    """

    partner: np.ndarray  # (n, width): rows of the partners, by row
    distance: np.ndarray  # (n, width), by row
    index: np.ndarray | None  # (n,): index of the point in the pattern, by row; None where it is the same

    @property
    def partners(self) -> np.ndarray:
        """Partners by index: (n, width) int64."""
        if self.index is None:
            return self.partner.astype(np.int64, copy=False)
        partners = np.empty(self.partner.shape, np.int64)
        write_partners(self.index, self.partner, partners)
        return partners

    @property
    def distances(self) -> np.ndarray:
        """Distances by index: (n, width)."""
        if self.index is None:
            return self.distance
        distances = np.empty_like(self.distance)
        write_distances(self.index, self.distance, distances)
        return distances


def estimate_bytes(n: float, dim: int, width: int = 1, n_colors: int = 1, plain: bool = True) -> float:
    """Return the peak memory in bytes of a matching of n points, apart from the pattern.

    plain: one partner a point, and no pair excluded.
    """
    index = 4 if n * max(n_colors, 2) < INT32_BELOW else 8
    per_cell = grids.points_per_cell_in(dim)
    sorted_points = 12 * dim + index + index * n_colors * 1.1 / per_cell
    sorting = sorted_points + 8 * dim + 4 * index
    matching = sorted_points + 3 * index + (8 + index) * width + (0 if plain else 24 + 4 * index)
    return n * max(sorting, matching + sorting * (0.2 if plain else 0.8))
