"""Desire: x desires y if they may be matched, and y is no farther from x than the partner of x.

With several partners, the farthest one counts. A point with remaining capacity desires all points
that it may be matched to (Deijfen, Holroyd, Martin 2016, sec. 3.1 and 4.2). Every point desires its
partners.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ..points.neighbors import Neighbors, nearest_points
from ..points.pair_distances import nearer
from ..points.pattern import Pattern, as_pattern
from ..utils.errors import BadInput
from ..utils.validation import check_real, checked
from .matching import TOLERANCE, Matching, pattern_of

__all__ = ["desires", "mutually_nearest", "undesired"]


def __dir__() -> list[str]:
    return sorted(__all__)


def last_partner(matching: Matching) -> np.ndarray:
    """Return the farthest partner of each point, (n,) int64; n for a point with remaining capacity."""
    n, partner = len(matching.partners), matching.partners
    if matching.rule.labels:
        raise BadInput("desire is not defined for rules with Sprague-Grundy labels")
    n_partners = (partner >= 0).sum(axis=1)
    is_full = (n_partners > 0) & (n_partners >= matching.capacity)
    return np.where(is_full, partner[np.arange(n), n_partners - 1], n)


def reach_of(matching: Matching) -> tuple[np.ndarray, np.ndarray]:
    """Return the squared distance to the farthest partner of each point, (n,), and that partner.

    A point that is not full has the largest distance of a pair, by default inf, and n.
    """
    pattern, r = pattern_of(matching), matching.max_distance
    last, n = last_partner(matching), len(pattern)
    power = 2 if pattern.geometry.has_coordinates else 1  # of keys
    beyond = np.inf if r == np.inf else pattern.metric.chord(r) ** power * (1 + TOLERANCE)
    limit = np.where(last < n, pattern.squared_distance(np.arange(n), np.where(last < n, last, 0)), beyond)
    return limit, last


def desires(matching: Matching, radius: float) -> tuple[np.ndarray, np.ndarray]:
    """Return for each point the numbers of desired points and of desiring points within the radius.

    Respects the compatible colors and the excluded pairs of the matching's rule. Time is linear in
    the number of desires within the radius: about n log n for a one-color matching and any radius,
    but a point with remaining capacity desires all points within the radius.

    Parameters
    ----------
    matching : Matching
        With known points.
    radius : float
        In the unit of the side, inf for no bound.

    Returns
    -------
    two (n,) int64
        Desired points and desiring points; the sums are equal (mass transport).

    Raises
    ------
    ValueError
        If the radius is negative, the points are unknown, or the rule has labels.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [1.0], [3.0], [6.0]], None, pm.Euclidean(1))
    >>> pm.desire.desires(pm.match(pattern), np.inf)
    (array([1, 1, 3, 1]), array([2, 2, 1, 1]))
    """
    pattern = pattern_of(matching)
    radius, n = check_real("radius", radius, "at least 0"), len(pattern)
    desired, desirers = np.zeros(n, np.int64), np.zeros(n, np.int64)
    for x, y in desiring_pairs(matching, radius, np.arange(n)):
        desired += np.bincount(x, minlength=n)
        desirers += np.bincount(y, minlength=n)
    return desired, desirers


@checked(beyond=(0.0, math.inf))
def undesired(matching: Matching, beyond: float) -> np.ndarray:
    """Return whether each point is desired by no point farther away than `beyond`.

    Parameters
    ----------
    matching : Matching
        Matching of known points; the rule has no colors.
    beyond : float
        Distance in the unit of the side.

    Returns
    -------
    (n,) bool
        True for undesired points.

    Raises
    ------
    ValueError
        If the rule has colors, or the points are unknown.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [1.0], [3.0], [6.0]], None, pm.Euclidean(1))
    >>> pm.desire.undesired(pm.match(pattern), 2.5)
    array([False,  True, False, False])
    """
    pattern = pattern_of(matching)
    n = len(pattern)
    limit, _ = reach_of(matching)
    order = np.argsort(-limit, kind="stable")  # with the farthest desires first: they soon exclude nearly all others
    order = order[pattern.length(limit[order]) > beyond]
    remaining = np.ones(n, bool)
    start, size = 0, 1
    while start < len(order) and remaining.any():
        targets = np.flatnonzero(remaining)
        for x, y in desiring_pairs(matching, np.inf, order[start : start + size], targets):
            remaining[y[pattern.distance(x, y) > beyond]] = False
        start, size = start + size, size * 2
    return remaining


def desiring_pairs(
    matching: Matching,
    radius: float,
    points: np.ndarray,
    targets: np.ndarray | None = None,
    reach: tuple[np.ndarray, np.ndarray] | None = None,
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the pairs x, y within the radius such that x desires y, in pieces: two (k,) int64 arrays.

    x is one of `points` and y one of `targets`, by default of all. reach: result of reach_of to use
    instead.
    """
    pattern = pattern_of(matching)
    n, has_capacity = len(pattern), matching.capacity > 0
    limit, last = reach_of(matching) if reach is None else reach
    compatible, colors = matching.rule.matrix(), matching.rule.seen(pattern.colors)
    targets = np.flatnonzero(has_capacity) if targets is None else targets[has_capacity[targets]]
    pairs = excluded_pairs(matching)
    banned = np.concatenate([pairs[:, 0] * n + pairs[:, 1], pairs[:, 1] * n + pairs[:, 0]])
    balls = np.minimum(pattern.length(limit), radius)
    for color in range(len(compatible)):
        pool = targets[compatible[color, colors[targets]]]
        seekers = points[(colors[points] == color) & has_capacity[points]]
        if not len(pool) or not len(seekers):
            continue
        for x, y in Neighbors(pattern, pool).around(seekers, balls[seekers]):
            keep = ~nearer(limit[x], last[x], pattern.squared_distance(x, y), y)
            keep &= (x != y) & (pattern.distance(x, y) <= radius)
            x, y = x[keep], y[keep]
            if len(banned):
                free = ~np.isin(x * n + y, banned)
                x, y = x[free], y[free]
            yield x, y


def excluded_pairs(matching: Matching) -> np.ndarray:
    """Return the pairs that the rule excludes, (k, 2) int64."""
    return mutually_nearest(pattern_of(matching)) if matching.rule.bans_nearest else matching.rule.pairs


def mutually_nearest(pattern: Pattern) -> np.ndarray:
    """Return the pairs of points that are each other's nearest in the whole set.

    They are the one-color matched pairs whose points desire no points but each other.

    Parameters
    ----------
    pattern : Pattern
        Points, of any colors.

    Returns
    -------
    (k, 2) int64
        Pairs i < j, in lexicographic order.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [1.0], [3.0], [6.0]], None, pm.Euclidean(1))
    >>> pm.desire.mutually_nearest(pattern), pm.match(pattern).pairs
    (array([[0, 1]]), array([[0, 1],
           [2, 3]]))
    """
    if len(as_pattern(pattern)) < 2:
        return np.zeros((0, 2), np.int64)
    nearest = nearest_points(pattern)
    (i,) = np.nonzero((nearest[nearest] == np.arange(len(pattern))) & (nearest > np.arange(len(pattern))))
    return np.stack([i, nearest[i]], axis=1)
