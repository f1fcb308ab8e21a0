"""What is kept of the points of a torus in tiles: numbers and sums that are the same in whatever order the points come."""

from __future__ import annotations

import numpy as np

from .cells import Cell
from .geometry import unit_ball_volume
from .rules import rule_named
from .tiles import Part, settle


class Sums:
    """By color, C of them: points, unmatched (C,), bins (C, k) of the partner distances in the bins that begin at edges (k,), the lowest of
    which holds all below, the longest partner distance (C,), and exact sums.
    """

    def __init__(self, edges: np.ndarray, dim: int, colors: int = 2) -> None:
        from .engine.tiles import EXPONENTS  # here, because numba takes longer to import than all the rest

        self.edges, self.dim, self.colors = edges, dim, colors
        self.matched, self.unmatched = np.zeros(colors, np.int64), np.zeros(colors, np.int64)
        self.bins, self.longest = np.zeros((colors, len(edges)), np.int64), np.zeros(colors)
        self._sums = np.zeros((colors, 3, 2, EXPONENTS), np.int64)

    def add(self, part: Part, partner: np.ndarray, distance: np.ndarray, settled: np.ndarray) -> None:
        """Add the settled points of a part, as tiles.settle tells them."""
        from .engine.tiles import add_up

        alone = settled & (partner < 0)
        self.unmatched += np.bincount(part.colors[alone], minlength=self.colors)
        ball = unit_ball_volume(self.dim)
        matched = settled & ~alone
        add_up(
            part.colors,
            distance,
            matched,
            self.edges,
            ball,
            self.dim,
            self.matched,
            self.bins,
            self._sums,
            self.longest,
        )

    @property
    def points(self) -> np.ndarray:
        """Number of points."""
        return self.matched + self.unmatched

    def totals(self) -> np.ndarray:
        """(3, C): the sums of the partner distances, of their squares and of the volumes of the balls that reach to the partner, each
        correctly rounded."""
        from .engine.tiles import exact_sum

        return np.array([[exact_sum(self._sums[color, k]) for color in range(self.colors)] for k in range(3)])


def sums_of(cell: Cell, replicate: int, edges: np.ndarray, threads: int = 1) -> Sums:
    """The sums of one replicate of a cell with tiles."""
    points, tiles = cell.tiled_points(replicate), cell.tiles
    assert tiles is not None
    sums = Sums(edges, points.torus.dim, max(2, len(cell.intensities)))
    settle(points.torus, rule_named(cell.rule), tiles, lambda corner: points.part(corner, tiles), sums.add, threads)
    return sums
