"""Distances at which the flip identity applies to red points of a fussy matching."""

from __future__ import annotations

import numpy as np

from ..points.geometry import Geometry
from .matching import Matching, pattern_of

RED = 1  # color
STEP, MORE = 2.0, 4  # ratio of consecutive radii, and of numbers of neighbors


def flip_distances(matching: Matching, max_distance: float) -> np.ndarray:
    """Return the distance |xy| of each red x to the nearest red y with X(x), X(y) > |xy|: (reds,).

    inf if it is more than max_distance, below half of each side. The matching is fussy and on a
    torus.
    """
    pattern = pattern_of(matching)
    torus, red = pattern.geometry, np.flatnonzero(pattern.colors == RED)
    nearest = np.full(len(red), np.inf)
    if len(red) < 2:
        return nearest
    points, distance = pattern.points[red], matching.distance[red]
    low, high = 0.0, min(max_distance, float(torus.volume / len(red)) ** (1 / torus.dim))
    while True:  # neighbors at distances from low to high have X > low
        active = np.flatnonzero(distance > low)
        todo = active[np.isinf(nearest[active])]
        if len(todo):
            nearest[todo] = _nearest(points, distance, active, todo, high, torus)
        if high >= max_distance or not len(todo):
            return np.where(nearest < distance, nearest, np.inf)
        low, high = high, min(STEP * high, max_distance)


def _nearest(
    points: np.ndarray, distance: np.ndarray, active: np.ndarray, todo: np.ndarray, high: float, torus: Geometry
) -> np.ndarray:
    """Return the distance from each todo to the nearest active point with a longer partner distance.

    inf if it is more than `high`.
    """
    tree, nearest = torus.tree(points[active]), np.full(len(todo), np.inf)
    rows, k = np.arange(len(todo)), 2
    while len(rows):
        k = min(k, len(active))
        near, entry = tree.query(points[todo[rows]], k=k, distance_upper_bound=np.nextafter(high, np.inf))
        near, entry = near.reshape(len(rows), -1), entry.reshape(len(rows), -1)
        other = active[np.minimum(entry, len(active) - 1)]
        good = np.isfinite(near) & (other != todo[rows, None]) & (near < distance[other])
        some = good.any(axis=1)
        nearest[rows[some]] = near[some, good[some].argmax(axis=1)]
        rows = rows[~some & np.isfinite(near[:, -1])] if k < len(active) else rows[:0]
        k *= MORE
    return nearest
