"""Blocking pairs of a matching, found without the engine (by the k-d trees of SciPy)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..points.neighbors import Neighbors
from ..points.order import nearer, pair_before, sort_pairs
from ..points.pattern import Pattern
from ..rules.catalogue import rule_named
from ..rules.rule import Rule
from ..utils.errors import BadInput
from .matching import Matching, check_fit, pattern_of

QUERIES = 1 << 15  # balls of a query


def blocking_pairs(pattern: Pattern, matching: Matching, rule: str | Rule | None = None) -> np.ndarray:
    """Return the pairs that block a matching; none if it is stable.

    An allowed pair blocks if its points are not matched to each other, and each of them has
    remaining capacity or prefers the other to its worst partner: their pair comes earlier in the
    order of (squared distance, smaller index, larger index).

    Parameters
    ----------
    pattern : Pattern
    matching : Matching
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
    rule = matching.rule
    if rule.labels:
        raise BadInput("blocking pairs are not defined for a rule with labels: compare with sprague_grundy instead")
    n = len(pattern)
    worst = Worst(matching)
    matched = _code(matching.pairs, n)
    reach = rule.matrix()
    neighbors = Neighbors(pattern) if rule.bans_nearest else None
    pieces = [np.zeros((0, 2), np.int64)]
    for i, j in worst.candidates():
        allowed = reach[pattern.colors[i], pattern.colors[j]] if len(reach) > 1 else np.full(len(i), reach[0, 0])
        keep = allowed & (i != j)
        pairs = np.stack([np.minimum(i, j)[keep], np.maximum(i, j)[keep]], axis=1)
        key = pattern.squared_distance(*pairs.T)
        pairs = pairs[worst.after(pairs[:, 0], key, pairs) & worst.after(pairs[:, 1], key, pairs)]
        pairs = pairs[~np.isin(_code(pairs, n), matched)]
        if neighbors is not None:
            pairs = pairs[~_mutually_nearest(pattern, pairs, neighbors)]
        elif rule.exclude is not None:
            pairs = pairs[~np.isin(_code(pairs, n), _code(rule.pairs, n))]
        pieces.append(pairs)
    return np.unique(np.concatenate(pieces), axis=0)


class Worst:
    """The worst partner of each point, as a key in the pair order.

    The key is infinite for a point with remaining capacity.
    """

    def __init__(self, matching: Matching) -> None:
        pattern = pattern_of(matching)
        n = len(pattern)
        self.pattern, self.key, self.partner = pattern, np.full(n, np.inf), np.full(n, n)
        one, column = np.nonzero(matching.partners >= 0)
        other = matching.partners[one, column]
        full = np.bincount(one, minlength=n) >= matching.capacity
        key = pattern.squared_distance(one, other)
        order = sort_pairs(key, one, other)  # the last entry of a point is its worst
        self.key[one[order]], self.partner[one[order]] = key[order], other[order]
        self.key[~full], self.partner[~full] = np.inf, n
        none = matching.capacity == 0
        self.key[none], self.partner[none] = 0.0, -1  # before every pair

    def after(self, x: np.ndarray, key: np.ndarray, pairs: np.ndarray) -> np.ndarray:
        """Return whether the worst partner of x comes after the pair with this key."""
        return pair_before(key, pairs[:, 0], pairs[:, 1], self.key[x], x, self.partner[x])

    def candidates(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield pairs i, j that include all blocking pairs.

        They are within the distance of each point to its worst partner.
        """
        unfilled = np.flatnonzero(self.key == np.inf)
        some = max(1, QUERIES // max(1, len(unfilled)))
        for lo in range(0, len(unfilled), some):
            i = unfilled[lo : lo + some]
            yield np.repeat(i, len(unfilled)), np.tile(unfilled, len(i))
        # A pair is found from the point with the nearer worst partner, among those that have it at
        # least half as far: few points have theirs far away, so that a ball meets few of them.
        radius = self.pattern.length(self.key)
        remaining = np.flatnonzero(self.key < np.inf)
        while len(remaining):
            here = radius[remaining] >= radius[remaining].max() / 2  # from the farthest down, a factor of two at a time
            floor = radius[remaining[here]].min()
            near = Neighbors(self.pattern, np.flatnonzero(radius >= floor))
            yield from near.around(remaining[here], radius[remaining[here]])
            remaining = remaining[~here]


def _code(pairs: np.ndarray, n: int) -> np.ndarray:
    return pairs.min(axis=1) * n + pairs.max(axis=1) if len(pairs) else np.zeros(0, np.int64)


def _mutually_nearest(pattern: Pattern, pairs: np.ndarray, neighbors: Neighbors) -> np.ndarray:
    """Return whether each pair is the first of both its points, regardless of rule and colors."""
    key, first = pattern.squared_distance(*pairs.T), np.full(len(pairs), True)
    for own in (0, 1):
        centers = pairs[:, own]
        distinct, which = np.unique(centers, return_inverse=True)
        far = np.zeros(len(distinct))
        np.maximum.at(far, which, pattern.length(key))
        for k, z in _rows(neighbors.around(distinct, far), centers):
            x, other = centers[k], pairs[k, 1 - own]
            earlier = (z != x) & nearer(pattern.squared_distance(x, z), z, key[k], other)
            first[k[earlier]] = False
    return first


def _rows(hits: Iterator, centers: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield (row, member) for each hit (center, member) and each row with that center."""
    order = np.argsort(centers, kind="stable")
    sorted_centers = centers[order]
    for i, z in hits:
        lo, hi = np.searchsorted(sorted_centers, i), np.searchsorted(sorted_centers, i, side="right")
        times = hi - lo
        offset = np.arange(times.sum()) - np.repeat(np.cumsum(times) - times, times)
        yield order[np.repeat(lo, times) + offset], np.repeat(z, times)
