"""The flip identity of the fussy matching: the nearest red point that is still unmatched at its distance.

In the same surroundings, a green point has the partner distance min(X, m) of a red one with X, where m is the distance to the nearest
red point y with X(y) > m. So G and R, the intensities of greens and reds with X > r, have R - rho G = R', the intensity of the reds with
m <= r < X.
"""

from __future__ import annotations

import numpy as np

from ..points.geometry import Geometry
from ..points.pattern import Pattern
from ..rules.catalogue import FUSSY
from ..utils.errors import BadInput
from .matching import Matching, check_fit

RED = 1  # color
MAX_DIM = 6
STEP, MORE = 2.0, 4  # ratio of consecutive radii, and of numbers of neighbors


def flip_distances(pattern: Pattern, matching: Matching, max_distance: float) -> np.ndarray:
    """Return for each red point x the distance to the nearest red point y with X(x), X(y) > |xy|: (reds,), inf if it is too far.

    Raises ValueError unless the matching is the fussy matching of a pattern on a torus in d = 1 to 6, and max_distance below half of each side.
    """
    check_fit(pattern, matching)
    torus = pattern.geometry
    torus.check_torus("a flip")
    if matching.rule != FUSSY or torus.dim > MAX_DIM:
        raise BadInput(f"flips need a fussy matching in d = 1 to {MAX_DIM}")
    if not 0 < 2 * max_distance < torus.sides.min():
        raise BadInput(f"max_distance must be above 0 and below half of the side, got {max_distance!r}")
    red = np.flatnonzero(pattern.colors == RED)
    found = np.full(len(red), np.inf)
    if len(red) < 2:
        return found
    points, distance = pattern.points[red], matching.distance[red]
    low, high = 0.0, min(max_distance, float(torus.volume / len(red)) ** (1 / torus.dim))
    while True:  # neighbors at distances from low to high have X > low
        alive = np.flatnonzero(distance > low)
        todo = alive[np.isinf(found[alive])]
        if len(todo):
            found[todo] = _nearest(points, distance, alive, todo, high, torus)
        if high >= max_distance or not len(todo):
            return np.where(found < distance, found, np.inf)
        low, high = high, min(STEP * high, max_distance)


def _nearest(
    points: np.ndarray, distance: np.ndarray, alive: np.ndarray, todo: np.ndarray, high: float, torus: Geometry
) -> np.ndarray:
    """Return the distance from each point in todo to the nearest other of `alive` with a longer partner distance; inf beyond high."""
    tree, found = torus.tree(points[alive]), np.full(len(todo), np.inf)
    rows, k = np.arange(len(todo)), 2
    while len(rows):
        k = min(k, len(alive))
        near, place = tree.query(points[todo[rows]], k=k, distance_upper_bound=np.nextafter(high, np.inf))
        near, place = near.reshape(len(rows), -1), place.reshape(len(rows), -1)
        other = alive[np.minimum(place, len(alive) - 1)]
        good = np.isfinite(near) & (other != todo[rows, None]) & (near < distance[other])
        some = good.any(axis=1)
        found[rows[some]] = near[some, good[some].argmax(axis=1)]
        rows = rows[~some & np.isfinite(near[:, -1])] if k < len(alive) else rows[:0]
        k *= MORE
    return found
