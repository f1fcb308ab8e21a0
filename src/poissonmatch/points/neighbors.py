"""Neighbor search: the points within balls around others, by a SciPy k-d tree or a table."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from .pattern import Pattern

SLACK = 1 + 1e-9  # times a radius, against rounding: callers compare exactly afterwards
CHUNK = 1 << 21  # pairs that are found at a time, about


class Neighbors:
    """Some points of a pattern, by default all, to be found near other points."""

    def __init__(self, pattern: Pattern, members: np.ndarray | None = None) -> None:
        self.pattern, self.points = pattern, pattern.embedded
        self.members = np.arange(len(pattern)) if members is None else members
        if pattern.geometry.has_coordinates:
            self.tree = pattern.metric.tree(self.points[self.members])
        else:
            pattern.squared_distance(np.zeros(0, int), np.zeros(0, int))  # raises BadInput if there is no table

    def around(self, centers: np.ndarray, radii: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield pairs (center, member) within the radius of the center or slightly more, in parts: two (k,) index arrays."""
        if not self.pattern.geometry.has_coordinates:
            for row, radius in zip(centers, radii * SLACK, strict=True):
                near = self.members[self.points[row, self.members] <= radius]
                yield np.full(len(near), row), near
            return
        metric = self.pattern.metric
        chords = metric.chord(radii) * SLACK
        everywhere = chords >= np.linalg.norm(metric.periods / 2)  # inf where there is no seam
        for row in centers[everywhere]:
            yield np.full(len(self.members), row), self.members
        centers, chords = centers[~everywhere], chords[~everywhere]
        places = self.points[centers]
        counts = np.zeros(len(centers), np.int64)
        for part in range(0, len(centers), CHUNK):
            piece = slice(part, part + CHUNK)
            counts[piece] = self.tree.query_ball_point(places[piece], chords[piece], return_length=True)
        ends, start = np.cumsum(counts), 0
        while start < len(centers):
            stop = max(start + 1, int(np.searchsorted(ends, (ends[start - 1] if start else 0) + CHUNK)))
            piece = slice(start, stop)
            neighbors = self.tree.query_ball_point(places[piece], chords[piece], return_sorted=False)
            near = np.fromiter(itertools.chain.from_iterable(neighbors), np.int64, int(counts[piece].sum()))
            yield np.repeat(centers[piece], counts[piece]), self.members[near]
            start = stop

    def count_pairs(self, radius: float) -> int:
        """Return the number of pairs of members within the radius or slightly more."""
        if not self.pattern.geometry.has_coordinates:
            return len(self.pairs(radius)[0])
        places, chord = self.points[self.members], self.pattern.metric.chord(radius) * SLACK
        return int(self.tree.query_ball_point(places, chord, return_length=True).sum()) // 2

    def pairs(self, radius: float) -> tuple[np.ndarray, np.ndarray]:
        """Return the pairs i < j of members within the radius or slightly more."""
        if self.pattern.geometry.has_coordinates:
            chord = self.pattern.metric.chord(radius) * SLACK
            one, other = self.members[self.tree.query_pairs(chord, output_type="ndarray").reshape(-1, 2).T]
            return np.minimum(one, other), np.maximum(one, other)
        one, other = np.nonzero(np.triu(self.points[np.ix_(self.members, self.members)] <= radius * SLACK, 1))
        return self.members[one], self.members[other]


def nearest_points(pattern: Pattern) -> np.ndarray:
    """Return the nearest other point of each point in the pair order, (n,) int64, for at least 2 points."""
    neighbors, rows = Neighbors(pattern), np.arange(len(pattern))
    if pattern.geometry.has_coordinates:
        radii = pattern.metric.arc(neighbors.tree.query(neighbors.points, k=2)[0][:, 1])
    else:
        radii = np.where(np.eye(len(pattern), dtype=bool), np.inf, neighbors.points).min(axis=1)
    nearest = np.empty(len(pattern), np.int64)
    for x, z in neighbors.around(rows, radii):
        x, z = x[x != z], z[x != z]
        order = np.lexsort((z, pattern.squared_distance(x, z)))[::-1]  # the first of each point comes last
        nearest[x[order]] = z[order]
    return nearest
