"""Blocking pairs of a matching, found without the engine (by the k-d trees of SciPy)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..points.neighbors import Neighbors
from ..points.pair_distances import nearer
from ..points.pattern import Pattern
from ..rules.catalogue import rule_named
from ..rules.rule import Rule
from ..utils.errors import BadInput
from .desire import excluded_pairs, reach_of
from .matching import Matching, check_fit

QUERIES = 1 << 15  # balls of a query, which bound its memory


def blocking_pairs(pattern: Pattern, matching: Matching, rule: str | Rule | None = None) -> np.ndarray:
    """Return the pairs that block a matching; none if it is stable.

    An allowed pair blocks if its points are not matched to each other, and each of them has
    remaining capacity or prefers the other to its worst partner: their pair comes earlier in the
    order of (squared distance, smaller index, larger index).

    Parameters
    ----------
    pattern : Pattern
        The matched points.
    matching : Matching
        Matching to check.
    rule : str or Rule, optional
        By default that of the matching, with its capacities.

    Returns
    -------
    (b, 2) int64
        The pairs i < j, in lexicographic order.

    Raises
    ------
    ValueError
        If the rule has labels, so that pairs are determined by labels and not by preference, or the
        numbers of points differ.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [1.0], [3.0]], None, pm.Euclidean(1))
    >>> by_hand = pm.Matching.from_partners(pattern, [-1, 2, 1])
    >>> pm.blocking_pairs(pattern, by_hand)
    array([[0, 1]])
    >>> len(pm.blocking_pairs(pattern, pm.match(pattern)))
    0
    """
    matching = check_fit(pattern, matching, None if rule is None else rule_named(rule))
    rule, n = matching.rule, len(pattern)
    if rule.labels:
        raise BadInput("blocking pairs are not defined for a rule with labels: compare with sprague_grundy instead")
    limit, last = reach_of(matching)
    compatible, colors = rule.matrix(), rule.seen(pattern.colors)
    known = np.sort(np.concatenate([matching.pairs, excluded_pairs(matching)]), axis=1)
    blocking = [np.zeros((0, 2), np.int64)]
    for one, other in _candidates(pattern, limit, np.flatnonzero(matching.capacity)):
        keep = compatible[colors[one], colors[other]] & (one != other)
        i, j = np.minimum(one, other)[keep], np.maximum(one, other)[keep]
        key = pattern.squared_distance(i, j)
        keep = nearer(key, j, limit[i], last[i]) & nearer(key, i, limit[j], last[j])
        keep &= ~np.isin(i * n + j, known[:, 0] * n + known[:, 1])
        keep &= pattern.distance(i, j) <= matching.max_distance
        blocking.append(np.stack([i[keep], j[keep]], axis=1))
    return np.unique(np.concatenate(blocking), axis=0)


def _candidates(pattern: Pattern, limit: np.ndarray, points: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield pairs of points within the distance to their farthest partners, among them all blocking pairs."""
    unfilled = points[limit[points] == np.inf]
    some = max(1, QUERIES // max(1, len(unfilled)))
    for lo in range(0, len(unfilled), some):
        i = unfilled[lo : lo + some]
        yield np.repeat(i, len(unfilled)), np.tile(unfilled, len(i))
    # A pair is found from the point with the nearer worst partner, among those that have it at
    # least half as far: few points have theirs far away, so that a ball meets few of them.
    radius = pattern.length(limit)
    remaining = points[limit[points] < np.inf]
    while len(remaining):
        here = radius[remaining] >= radius[remaining].max() / 2  # from the farthest down, a factor of two at a time
        near = Neighbors(pattern, points[radius[points] >= radius[remaining[here]].min()])
        yield from near.around(remaining[here], radius[remaining[here]])
        remaining = remaining[~here]
