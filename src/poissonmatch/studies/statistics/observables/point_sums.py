"""Numbers and exact sums over the points of a torus, in one pass; the order of the points does not change them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np

from ....matching.match import MatchedSets
from ....matching.matching import Matching
from ....matching.tiles import match_in_tiles
from ....points.geometry import Geometry
from ....points.tiled import Part
from ....utils import thread_pool
from ...sampling.cells import Cell

COUNTED = ("matched", "unmatched", "bins", "_sums")  # what adds up


class Sums:
    """Numbers by color, for C colors.

    matched and unmatched points (C,); bins (C, width, k): counts of the distances of each partner
    in bins that begin at edges (k,), with all smaller distances in the lowest; the longest distance
    of a nearest partner (C,), and exact sums of it. For several replicates arrays have a first axis
    more.
    """

    def __init__(
        self,
        edges: np.ndarray,
        geometry: Geometry,
        colors: int = 2,
        width: int = 1,
        replicates: np.ndarray | None = None,
    ) -> None:
        from ....engine.sums import EXPONENTS  # here, because numba takes longer to import than all the rest

        self.edges, self.colors, self._engine_bins = edges, colors, _bins_of(edges.tobytes())
        self._ball = float(geometry.ball_volume(1.0)), geometry.ball_power
        self.replicates, shape = replicates, () if replicates is None else replicates.shape
        self.matched, self.unmatched = np.zeros((*shape, colors), np.int64), np.zeros((*shape, colors), np.int64)
        self.bins, self.longest = np.zeros((*shape, colors, width, len(edges)), np.int64), np.zeros((*shape, colors))
        self._rounded = np.zeros((*shape, 3, colors))  # of several replicates
        self._sums = np.zeros((colors, 3, 2, EXPONENTS), np.int64)

    def add(
        self, colors: np.ndarray, distance: np.ndarray, settled: np.ndarray | None = None, threads: int = 1
    ) -> None:
        """Add the settled points.

        colors: (n,); distance: (n, width), those to the partners, inf for no partner.
        """

        def work(part: int, lo: int, hi: int) -> None:
            parts[part]._add(colors, distance, settled, lo, hi)

        threads = thread_pool.useful_threads(threads, 2 * len(distance) // thread_pool.PARALLEL)
        if threads == 1:
            return self._add(colors, distance, settled, 0, len(distance))
        parts = [self, *(self._empty() for _ in range(threads - 1))]
        with ThreadPoolExecutor(threads) as pool:
            split = len(distance) >= thread_pool.PARALLEL
            thread_pool.Threads(pool, threads)(work, len(distance), split=split)
        for part in parts[1:]:
            for name in COUNTED:
                mine = getattr(self, name)
                mine += getattr(part, name)
            np.maximum(self.longest, part.longest, out=self.longest)

    def _add(self, colors: np.ndarray, distance: np.ndarray, settled: np.ndarray | None, lo: int, hi: int) -> None:
        from ....engine.sums import add_up

        settled = settled if settled is None else settled[lo:hi]
        add_up(colors[lo:hi], distance[lo:hi], settled, self._engine_bins, *self._ball, self._totals)

    def add_sets(self, colors: np.ndarray, distance: np.ndarray, ends: np.ndarray) -> None:
        """Add the points of replicates: those of number k are ends[k] <= i < ends[k + 1]."""
        from ....engine.sums import add_sets

        add_sets(colors, distance, ends, self._engine_bins, *self._ball, self._totals, self._rounded)

    def _empty(self) -> Sums:
        part = object.__new__(Sums)
        part.__dict__.update(self.__dict__)
        for name in (*COUNTED, "longest"):
            setattr(part, name, np.zeros_like(getattr(self, name)))
        return part

    @property
    def _totals(self) -> Any:
        from ....engine.sums import Totals

        return Totals(self.matched, self.unmatched, self.bins, self._sums, self.longest)

    @property
    def points(self) -> np.ndarray:
        """Number of points."""
        return self.matched + self.unmatched

    def totals(self) -> np.ndarray:
        """Return the rounded sums (3, [replicates,] C) of nearest distances, their squares and volumes of balls."""
        from ....engine.sums import exact_sums

        if self.replicates is not None:
            return np.moveaxis(self._rounded, 1, 0)
        return exact_sums(self._sums)


@cache
def _bins_of(edges: bytes) -> Any:
    from ....engine.sums import bins_of

    return bins_of(np.frombuffer(edges))


def sums_of(matching: Matching, edges: np.ndarray, threads: int = 1, colors: int = 2) -> Sums:
    """Return the sums of a matching with its points, for at least this number of colors."""
    pattern = matching.known_pattern
    colors = 1 + int(pattern.colors.max(initial=max(1, colors - 1)))
    sums = Sums(edges, pattern.geometry, colors, matching.distances.shape[1])
    sums.add(pattern.colors, matching.distances, threads=threads)
    return sums


def sums_of_sets(matched: MatchedSets, replicates: range, edges: np.ndarray, colors: int = 2) -> Sums:
    """Return the sums of the matchings of replicates of a cell, which has this number of colors."""
    geometry, width = matched.pattern.geometry, matched.distances.shape[1]
    sums = Sums(edges, geometry, max(2, colors), width, np.array(replicates))
    sums.add_sets(matched.pattern.colors, matched.distances, matched.ends)
    return sums


def sums_in_tiles(cell: Cell, replicate: int, edges: np.ndarray, threads: int = 1) -> Sums:
    """Return the sums of one replicate of a cell with tiles."""
    points, tiles = cell.tiled_points(replicate), cell.tiles
    assert tiles is not None
    sums = Sums(edges, points.torus, max(2, len(cell.intensities)))

    def add(part: Part, partner: np.ndarray, distance: np.ndarray, settled: np.ndarray) -> None:
        sums.add(part.colors, distance[:, None], settled)

    match_in_tiles(points.torus, cell.rule_entry, tiles, lambda corner: points.part(corner, tiles), add, threads)
    return sums
