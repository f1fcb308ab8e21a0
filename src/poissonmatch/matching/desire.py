"""Who desires whom: x desires y if y is no farther than the partner that x has, and may be matched to x.

With m partners: no farther than the farthest of them; a point with room for more desires everyone it may be matched to
(Deijfen, Holroyd, Martin 2016, sec. 3.1 and 4.2). Every point desires its partners.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..points.geometry import MeanField
from ..points.pattern import Pattern
from ..utils.errors import BadInput
from ..utils.validation import check_real
from .match import match
from .matching import Matching, check_fit

__all__ = ["desires", "mutually_nearest", "undesired"]

CHUNK = 1 << 21  # candidates that are looked at together
SLACK = 1 + 1e-9  # balls are a little larger than the radius, against rounding; then it is checked exactly


def last_partner(pattern: Pattern, matching: Matching) -> np.ndarray:
    """The farthest partner of each point.

    Parameters
    ----------
    pattern : Pattern
    matching : Matching

    Returns
    -------
    (n,) int64
        n for a point with room left.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [1.0], [3.0]], None, pm.Euclidean(1))
    >>> pm.desire.last_partner(pattern, pm.match(pattern))
    array([1, 0, 3])
    """
    check_fit(pattern, matching)
    n, partner = len(pattern), matching.partners
    if matching.rule.labels:
        raise BadInput("desire is defined by a matching with capacities, not by one with Sprague-Grundy labels")
    capacity = np.asarray(matching.rule.capacity)
    room = np.broadcast_to(capacity[pattern.colors if len(capacity) > 1 else np.zeros(n, int)], n)
    last = partner[np.arange(n), np.minimum(room, partner.shape[1]) - 1] if n else np.zeros(0, np.int64)
    return np.where(last >= 0, last, n)


def reach_of(pattern: Pattern, matching: Matching) -> tuple[np.ndarray, np.ndarray]:
    """How far each point desires.

    Parameters
    ----------
    pattern : Pattern
    matching : Matching

    Returns
    -------
    (n,) float64
        The squared distance to its farthest partner; inf for a point with room left.
    (n,) int64
        That partner; n then.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [1.0], [3.0]], None, pm.Euclidean(1))
    >>> pm.desire.reach_of(pattern, pm.match(pattern))
    (array([ 1.,  1., inf]), array([1, 0, 3]))
    """
    last, n = last_partner(pattern, matching), len(pattern)
    limit = np.where(last < n, pattern.squared_distance(np.arange(n), np.where(last < n, last, 0)), np.inf)
    return limit, last


def desires(pattern: Pattern, matching: Matching, radius: float) -> tuple[np.ndarray, np.ndarray]:
    """For each point the number of points within the radius that it desires, and of those that desire it.

    Respects the compatible colors and the excluded pairs of the matching's rule. Time grows with the number of desires
    within the radius, not with the number of pairs: about n log n for a one-color matching and any radius, but a point
    with room left desires all within the radius.

    Parameters
    ----------
    pattern : Pattern
    matching : Matching
    radius : float
        In the unit of the torus side, inf for no bound.

    Returns
    -------
    two (n,) int64
        With equal sums (mass transport).

    Raises
    ------
    ValueError
        For a negative radius or a matching that does not fit.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [1.0], [3.0], [6.0]], None, pm.Euclidean(1))
    >>> pm.desire.desires(pattern, pm.match(pattern), np.inf)
    (array([1, 1, 3, 1]), array([2, 2, 1, 1]))
    """
    check_fit(pattern, matching)
    radius, n = check_real("radius", radius, "at least 0"), len(pattern)
    desired, desirers = np.zeros(n, np.int64), np.zeros(n, np.int64)
    for x, y in desiring_pairs(pattern, matching, radius, np.arange(n)):
        desired += np.bincount(x, minlength=n)
        desirers += np.bincount(y, minlength=n)
    return desired, desirers


def undesired(pattern: Pattern, matching: Matching, beyond: float) -> np.ndarray:
    """The points that no point farther away than `beyond` desires, under a rule without colors.

    Parameters
    ----------
    pattern : Pattern
    matching : Matching
    beyond : float

    Returns
    -------
    (n,) bool

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [1.0], [3.0], [6.0]], None, pm.Euclidean(1))
    >>> pm.desire.undesired(pattern, pm.match(pattern), 2.5)
    array([False,  True, False, False])
    """
    n = len(pattern)
    limit, _ = reach_of(pattern, matching)
    eager = np.argsort(-limit, kind="stable")  # those that desire far away come first, and soon leave few others
    eager = eager[pattern.length(limit[eager]) > beyond]
    left = np.ones(n, bool)
    start, size = 0, 1
    while start < len(eager) and left.any():
        targets = np.flatnonzero(left)
        for x, y in desiring_pairs(pattern, matching, np.inf, eager[start : start + size], targets):
            left[y[pattern.distance(x, y) > beyond]] = False
        start, size = start + size, size * 2
    return left


def desiring_pairs(
    pattern: Pattern,
    matching: Matching,
    radius: float,
    points: np.ndarray,
    targets: np.ndarray | None = None,
    reach: tuple[np.ndarray, np.ndarray] | None = None,
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """All pairs x, y within the radius such that x desires y, in pieces.

    Parameters
    ----------
    pattern : Pattern
    matching : Matching
    radius : float
    points, targets : (k,) int64
        x is among `points` and y among `targets` (None: all).
    reach : tuple of arrays, optional
        How far each point desires, if not as reach_of says.

    Yields
    ------
    two arrays of int64
        x and y.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [1.0], [3.0], [6.0]], None, pm.Euclidean(1))
    >>> pieces = pm.desire.desiring_pairs(pattern, pm.match(pattern), np.inf, np.array([2]))
    >>> [y.tolist() for x, y in pieces]
    [[0, 1, 3]]
    """
    n = len(pattern)
    limit, last = reach_of(pattern, matching) if reach is None else reach
    allowed = matching.rule.matrix()
    colors = pattern.colors if len(allowed) > 1 else np.zeros(n, np.uint8)
    targets = np.arange(n) if targets is None else targets
    banned = _banned(pattern, matching)
    balls = limit if isinstance(pattern.geometry, MeanField) else np.sqrt(limit)
    balls = np.minimum(balls, np.ldexp(np.nextafter(radius, np.inf), pattern.exponent))
    for color in range(len(allowed)):
        pool = targets[allowed[color, colors[targets]]]
        seekers = points[colors[points] == color]
        if not len(pool) or not len(seekers):
            continue
        for x, y in _candidates(pattern, seekers, balls[seekers], pool):
            length = pattern.squared_distance(x, y)
            keep = (length < limit[x]) | ((length == limit[x]) & (y <= last[x]))
            keep &= (x != y) & (pattern.distance(x, y) <= radius)
            x, y = x[keep], y[keep]
            if len(banned):
                free = ~np.isin(x * n + y, banned)
                x, y = x[free], y[free]
            yield x, y


def _candidates(
    pattern: Pattern, seekers: np.ndarray, radii: np.ndarray, pool: np.ndarray
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Pairs of seekers and members of the pool, among them all within the radii, in the pattern's scale; in pieces."""
    if isinstance(pattern.geometry, MeanField):
        for row, radius in zip(seekers, radii, strict=True):
            y = pool[pattern.points[row, pool] <= radius]
            yield np.full(len(y), row), y
        return
    from scipy.spatial import cKDTree  # takes as long to import as the rest of the package

    points, sides = pattern.scaled()
    tree = cKDTree(points[pool], boxsize=sides if sides[0] < np.inf else None)
    everywhere = radii * SLACK >= np.linalg.norm(sides / 2)  # an infinite radius, where there is no seam
    for row in seekers[everywhere]:
        yield np.full(len(pool), row), pool
    seekers, radii = seekers[~everywhere], radii[~everywhere] * SLACK
    places = points[seekers]
    counts = np.zeros(len(seekers), np.int64)
    for part in range(0, len(seekers), CHUNK):
        piece = slice(part, part + CHUNK)
        counts[piece] = tree.query_ball_point(places[piece], radii[piece], return_length=True)
    ends = np.cumsum(counts)
    start = 0
    while start < len(seekers):
        stop = max(start + 1, int(np.searchsorted(ends, (ends[start - 1] if start else 0) + CHUNK)))
        found = tree.query_ball_point(places[start:stop], radii[start:stop], return_sorted=False)
        y = pool[np.concatenate([np.asarray(f, dtype=np.int64) for f in found])]
        yield np.repeat(seekers[start:stop], counts[start:stop]), y
        start = stop


def _banned(pattern: Pattern, matching: Matching) -> np.ndarray:
    """Excluded pairs x, y as numbers x * n + y, both ways, sorted."""
    exclude, n = matching.rule.exclude, len(pattern)
    if exclude is None or n < 2:
        return np.zeros(0, np.int64)
    pairs = mutually_nearest(pattern) if matching.rule.bans_nearest else matching.rule.pairs
    return np.unique(np.concatenate([pairs[:, 0] * n + pairs[:, 1], pairs[:, 1] * n + pairs[:, 0]]))


def mutually_nearest(pattern: Pattern) -> np.ndarray:
    """The pairs that are each other's nearest in the whole set.

    They are the one-color matched pairs whose two points desire nobody but each other.

    Parameters
    ----------
    pattern : Pattern

    Returns
    -------
    (k, 2) int64

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [1.0], [3.0], [6.0]], None, pm.Euclidean(1))
    >>> pm.desire.mutually_nearest(pattern), pm.match(pattern).pairs
    (array([[0, 1]]), array([[0, 1],
           [2, 3]]))
    """
    matching = match(pattern, "one-color")
    desired, _ = desires(pattern, matching, np.inf) if len(matching.pairs) else (np.zeros(0, int), None)
    i, j = matching.pairs.T
    return matching.pairs[(desired[i] == 1) & (desired[j] == 1)]
