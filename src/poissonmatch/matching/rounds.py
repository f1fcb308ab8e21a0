"""Rounds of the greedy procedure of a stable matching (Deijfen, Holroyd and Martin 2016, the proof of Prop. 2).

A pair is *open* if the rule allows it, it is not matched yet, and both points have remaining
capacity. Each round, from 1, matches all pairs that are before all other open pairs of their points
in the pair order.

A pair waits for the earlier partners of its two points, and for each point that one of them
prefers, until that is full; for no other pairs. The rounds are the depths in this partial order,
which is found from the finished matching.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..rules.catalogue import RULES
from ..rules.rule import Rule
from ..utils.errors import BadInput
from .desire import desiring_pairs
from .matching import Matching, pattern_of

NOT_STABLE = "rounds are defined for stable matchings only, and this matching has blocking pairs (see blocking_pairs)"


def rounds(matching: Matching) -> np.ndarray:
    """Return the round in which each point got each of its partners.

    In each round all pairs are matched that come first, for both of their points, among the
    compatible pairs whose points have remaining capacity; `rounds(matching).max()` rounds are
    needed. Time and memory are linear in the total number of points that a point prefers to its
    last partner: about n log n for one color, n^1.5 for two equally frequent colors in d = 1.

    Parameters
    ----------
    matching : Matching
        A stable matching with known points, under a rule without labels.

    Returns
    -------
    int64 array of the shape of `matching.partner`
        Counted from 1; -1 for no partner.

    Raises
    ------
    ValueError
        If the rule has labels, the points are unknown, or the matching is found not to be stable.

    References
    ----------
    Deijfen, Holroyd, Martin (2016), the proof of Prop. 2.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [1.0], [3.0], [6.0]], None, pm.Euclidean(1))
    >>> pm.rounds(pm.match(pattern))
    array([1, 1, 2, 2])
    """
    pattern = pattern_of(matching)
    if matching.rule.labels:
        raise BadInput("rounds are not defined for rules with Sprague-Grundy labels")
    return _depth_of_pairs(matching, np.arange(len(pattern))).reshape(matching.partner.shape)


def play_length(matching: Matching) -> np.ndarray:
    """Return the number of moves of the game of two frogs if Alice begins on each point.

    Both players play perfectly: Bob wins as fast as possible, and Alice loses as slowly as possible.
    The two placements count. If both players may move both frogs, the number is twice the round of
    the point (plus 1 in misere frogs, where the last move is forced): a pair can be left for a point
    that one of its points prefers, and the answer is the partner of that point.

    Parameters
    ----------
    matching : Matching
        Under the rule "one-color" (the game is friendly frogs), "two-color" (colored points),
        "fussy" or "misere", with known points.

    Returns
    -------
    (n,) int64
        -1 for a point without a partner, on which Alice wins; and for points of color 1 under
        "two-color", on which she may not begin.

    Raises
    ------
    ValueError
        If the rule is another one, or the points are unknown.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [1.0], [3.0], [6.0]], None, pm.Euclidean(1))
    >>> pm.frogs.play_length(pm.match(pattern))
    array([2, 2, 4, 4])
    """
    pattern, rule = pattern_of(matching), matching.rule
    if reason := why_length_unknown(rule):
        raise BadInput(f"the length of play {reason}")
    centers = np.flatnonzero(pattern.colors == 1) if rule.across else np.arange(len(pattern))
    lengths = 2 * _depth_of_pairs(matching, centers)[:, 0] + rule.bans_nearest
    undefined = (matching.partners[:, 0] < 0) | (rule.across & (pattern.colors == 1))
    return np.where(undefined, -1, lengths)


def why_length_unknown(rule: Rule) -> str:
    """Return why a rule has no game whose length is known, "" if it has."""
    names = ("one-color", "two-color", "fussy", "misere")
    return "" if any(rule == RULES[name] for name in names) else f"is known for the rules {', '.join(names)}"


def _depth_of_pairs(matching: Matching, centers: np.ndarray) -> np.ndarray:
    """Return the depth of the pairs of each point, (n, m), -1 for none; `centers` wait for points that they prefer."""
    partner = matching.partners
    event = np.full(partner.shape, -1)  # the number of the pair
    if not len(partner):
        return event
    pairs = matching.pairs
    for x, y in (pairs.T, pairs.T[::-1]):
        event[x, np.argmax(partner[x] == y[:, None], axis=1)] = np.arange(len(pairs))
    first, then = _waits(matching, event, centers)
    return np.append(_depths(first, then, len(pairs)), -1)[event]


def _waits(matching: Matching, event: np.ndarray, centers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the pairs of pair numbers, two (k,) arrays, of which the first is matched before the second.

    They are the pairs of one point, the nearer partner first; and, for each center x and each z
    preferred to its last partner, the pair that fills z and the one that x gets after z.
    """
    pattern, partner = pattern_of(matching), matching.partners
    n, width = event.shape
    parts = [(event[:, k - 1], event[:, k]) for k in range(1, width)]
    points = centers[partner[centers, 0] >= 0]
    last, limit = np.zeros(n, np.int64), np.zeros(n)
    last[points] = partner[points, (partner[points] >= 0).sum(axis=1) - 1]
    limit[points] = pattern.squared_distance(points, last[points])
    full = np.append(event, np.full((n, 1), -1), axis=1)[np.arange(n), np.minimum(matching.capacity, width + 1) - 1]
    x: Any
    z: Any
    for x, z in desiring_pairs(matching, np.inf, points, reach=(limit, last)):
        nearer = np.zeros(len(x), np.int64)  # number of partners of x before z
        partners = np.zeros(len(x), bool)
        for k in range(width):
            y = partner[x, k]
            nearer += (y >= 0) & (y != z) & pattern.closer(x, y, z)
            partners |= y == z
        x, z, nearer = x[~partners], z[~partners], nearer[~partners]
        parts.append((full[z], event[x, nearer]))
    first, then = np.concatenate([np.zeros((2, 0), np.int64), *parts], axis=1)
    some = then >= 0
    if (first[some] < 0).any():
        raise BadInput(NOT_STABLE)
    return first[some], then[some]


def _depths(first: np.ndarray, then: np.ndarray, n: int) -> np.ndarray:
    """Return the depth of each pair, (n,): 1 if it waits for none, else 1 more than the largest that it waits for."""
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
