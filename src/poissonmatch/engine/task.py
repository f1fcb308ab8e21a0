"""What the engine is asked, what it answers, and the memory that it takes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from . import grids
from .results import tell_distances, tell_partners

FARTHEST = 1e153  # a coordinate; squares of differences are finite
INT32_BELOW = 2**30  # positions are 32-bit integers below, 64-bit from here on


@dataclass
class Task:
    """What to match, as arrays that were checked: matching.py makes it from a pattern and a rule."""

    points: np.ndarray  # (n, d) float64
    colors: np.ndarray | None  # (n,) uint8, all < C; None where C is 1
    sides: np.ndarray  # lengths of the axes of a torus; inf where there is no seam
    reach: np.ndarray  # (C, C) bool: may points of these colors match?
    starter: np.ndarray  # (C,) bool: a vertex cover of the graph reach
    counts: np.ndarray  # (C,): points of each color
    width: int = 1  # most partners of a point
    room: np.ndarray | None = None  # (n,) uint64: capacity, or bit mask of the labels; None: 1 each, and no pair banned
    labels: int = 0
    misere: bool = False  # ban the pairs that are mutually nearest in the whole set
    banned_start: np.ndarray | None = None  # banned[banned_start[i]:banned_start[i + 1]] are the banned partners of i
    banned: np.ndarray | None = None
    table: np.ndarray | None = None  # (n, n) distances, for points without coordinates
    threads: int = 1

    def __post_init__(self) -> None:
        n = len(self.points)
        if self.colors is not None and (self.colors.shape != (n,) or self.colors.max(initial=0) >= len(self.reach)):
            raise ValueError("colors are not as many as points, or beyond the rule's")
        if self.counts.shape != (len(self.reach),) or self.counts.sum() != n:
            raise ValueError("the counts of the colors are not those of the points")
        if self.table is not None and self.table.shape != (n, n):
            raise ValueError("the table does not fit the points")

    @cached_property
    def box(self) -> tuple[np.ndarray, np.ndarray]:
        """Origin and extent of the space that the cells must cover.

        Raises ValueError for points elsewhere, and for coordinates whose squares are infinite: chains would run in circles.
        """
        low, high = (self.points.min(), self.points.max()) if self.points.size else (0.0, 0.0)
        if self.sides[0] == np.inf:
            inside = max(-low, high) < FARTHEST
        else:
            inside = low >= 0 and (high < self.sides.min() or bool((self.points < self.sides).all()))
        if not inside:
            raise ValueError("a coordinate is outside of the space")
        return grids.bounding_box(self.points, self.sides)

    @property
    def X(self) -> np.ndarray:
        """The points as those of a layer."""
        return frozen(np.ascontiguousarray(self.points))


@dataclass
class Result:
    """Partners and distances, (n, width): nearest first, or column k for label k; -1 and inf where there is none.

    They are found in the order in which the points lie in the first phase, and told by the user's index when somebody asks: that
    writes all over the memory.
    """

    partner: np.ndarray  # in that order, and partners are told by it,
    distance: np.ndarray
    names: np.ndarray | None  # the index of the user for each; None where it is the same

    @property
    def partners(self) -> np.ndarray:
        """Partners, by the user's index: int64."""
        if self.names is None:
            return self.partner.astype(np.int64, copy=False)
        partners = np.empty(self.partner.shape, np.int64)
        tell_partners(self.names, self.partner, partners)
        return partners

    @property
    def distances(self) -> np.ndarray:
        """Distances, by the user's index."""
        if self.names is None:
            return self.distance
        distances = np.empty_like(self.distance)
        tell_distances(self.names, self.distance, distances)
        return distances


def estimate_bytes(n: float, dim: int, width: int = 1, n_colors: int = 1, plain: bool = True) -> float:
    """Memory that a matching of n points takes at its peak, above the pattern itself."""
    index = 4 if n * max(n_colors, 2) < INT32_BELOW else 8
    crowd = grids.crowd_of(np.ones((1, 1)), dim, 1)
    sorted_points = 12 * dim + index + index * n_colors * 1.1 / crowd
    sorting = sorted_points + 8 * dim + 4 * index
    matching = sorted_points + 3 * index + (8 + index) * width + (0 if plain else 24 + 4 * index)
    return n * max(sorting, matching + sorting * (0.2 if plain else 0.8))


def frozen(points: np.ndarray) -> np.ndarray:
    """A read-only view of (n, d) coordinates as those of a layer; all are of one type then, so kernels are compiled once."""
    X = points.T
    X.flags.writeable = False
    return X
