"""The rounds of the procedure that makes a stable matching (Deijfen, Holroyd, Martin 2016, the proof of Prop. 2).

In each round all pairs are matched at once that are mutually first: a pair x, y is *open* if the rule allows it, it is not matched
yet, and both x and y have room; it is mutually first if no open pair that x or y belongs to comes before it in the order of pairs.
Rounds are numbered from 1.

So a pair waits for those before it, and for no others: for the earlier partners of its two points, and for each point that one of
them would rather have, until that is full. The rounds are the depths in this order of waiting, which is found from the finished
matching; nothing is matched again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..points.pattern import Pattern
from ..utils.errors import BadInput
from .desire import desiring_pairs
from .matching import Matching

NOT_STABLE = "rounds are those of a stable matching, and this is none: see blocking_pairs"


def rounds(matching: Matching) -> np.ndarray:
    """Return the round in which each point got each of its partners.

    In each round all pairs are matched that come first, for both of their points, among the compatible pairs whose points have
    remaining capacity; `rounds(matching).max()` rounds are needed. Time and memory grow with the total number of points that a point
    would rather have had than its last partner: about n log n for one color, n^1.5 for two equally frequent colors in d = 1.

    Parameters
    ----------
    matching : Matching
        A stable matching with known points, under a rule without labels.

    Returns
    -------
    int64 array of the shape of `matching.partner`
        Counted from 1; -1 where there is no partner.

    Raises
    ------
    ValueError
        For a rule with labels, a matching whose points are not known, and one that is seen not to be stable.

    References
    ----------
    Deijfen, Holroyd, Martin (2016), the proof of Prop. 2.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [1.0], [3.0], [6.0]], None, pm.Euclidean(1))
    >>> pm.rounds(pm.match(pattern))
    array([1, 1, 2, 2])
    """
    pattern = matching.pattern
    if pattern is None:
        raise BadInput("the rounds of a matching are found from its points, and those of this one are not known")
    if matching.rule.labels:
        raise BadInput("rounds are those of a matching with capacities, not of one with Sprague-Grundy labels")
    partner = matching.partners
    n, width = partner.shape
    event = np.full((n, width), -1)  # the number of the pair
    pairs = matching.pairs
    for x, y in (pairs.T, pairs.T[::-1]):
        event[x, np.argmax(partner[x] == y[:, None], axis=1)] = np.arange(len(pairs))
    first, then = _waits(pattern, matching, event)
    found = np.append(_depths(first, then, len(pairs)), -1)[event]
    return found.reshape(matching.partner.shape)


def _waits(pattern: Pattern, matching: Matching, event: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which pair is to be matched before which: (k,) numbers of the first, and of the other."""
    n, width = event.shape
    parts = [(event[:, k - 1], event[:, k]) for k in range(1, width)]  # of one point, the nearer partner first
    parts += list(_rather(pattern, matching, event)) if n else []
    first = np.concatenate([part for part, _ in parts]) if parts else np.zeros(0, np.int64)
    then = np.concatenate([part for _, part in parts]) if parts else np.zeros(0, np.int64)
    some = then >= 0
    if (first[some] < 0).any():
        raise BadInput(NOT_STABLE)
    return first[some], then[some]


def _rather(pattern: Pattern, matching: Matching, event: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """For each point x and each z that it would rather have had than its last partner: when z was full, and what x got after z."""
    partner, n = matching.partners, len(pattern)
    points = np.flatnonzero(partner[:, 0] >= 0)
    last, limit = np.zeros(n, np.int64), np.zeros(n)
    last[points] = partner[points, (partner[points] >= 0).sum(axis=1) - 1]
    limit[points] = pattern.squared_distance(points, last[points])
    full = event[np.arange(n), matching.rule.capacities(pattern.colors) - 1]
    x: Any
    z: Any
    for x, z in desiring_pairs(pattern, matching, np.inf, points, reach=(limit, last)):
        nearer = np.zeros(len(x), np.int64)  # of the partners of x, as many come before z
        mine = np.zeros(len(x), bool)
        for k in range(partner.shape[1]):
            y = partner[x, k]
            nearer += (y >= 0) & (y != z) & pattern.closer(x, y, z)
            mine |= y == z
        x, z, nearer = x[~mine], z[~mine], nearer[~mine]
        yield full[z], event[x, nearer]


def _depths(first: np.ndarray, then: np.ndarray, n: int) -> np.ndarray:
    """1 for what waits for nothing, else 1 more than the deepest of what it waits for: (n,)."""
    order = np.argsort(first, kind="stable")
    then = then[order]
    start = np.searchsorted(first[order], np.arange(n + 1))
    waits, depth = np.bincount(then, minlength=n), np.zeros(n, np.int64)
    ready, level = np.flatnonzero(waits == 0), 0
    while len(ready):
        level += 1
        depth[ready] = level
        times = start[ready + 1] - start[ready]
        offset = np.arange(times.sum()) - np.repeat(np.cumsum(times) - times, times)
        freed = then[np.repeat(start[ready], times) + offset]
        np.subtract.at(waits, freed, 1)
        ready = np.unique(freed[waits[freed] == 0])
    if (depth == 0).any():
        raise BadInput(NOT_STABLE)
    return depth
