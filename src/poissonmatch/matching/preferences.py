"""Stable matchings where everybody ranks the others at will, beside those of distances: what the magic of symmetry saves.

Marriage, between two groups (Gale and Shapley 1962): there is a stable matching, and often there are several; one is best for each
of one group and worst for each of the other. Roommates, within one group: there may be none (FOUR_ROOMMATES); Irving (1985) finds one
or says so. Preferences by distance can be written as one order of all *pairs*, which both ends of a pair agree on. Then taking pairs
in that order gives the one stable matching that there is (Deijfen, Holroyd, Martin 2016, Prop. 2; the proof asks for no more), with
nobody proposing and nobody turned down.

Preferences are lists: preferences[x] names those that x would be matched to, the best first. Whoever is not named there, or does not
name x, is never matched to x.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

import numpy as np

from ..points.pattern import Pattern, as_pattern
from ..rules.catalogue import rule_named
from ..rules.rule import Rule
from ..utils.errors import BadInput, quoted
from ..utils.validation import as_int

__all__ = [
    "FOUR_ROOMMATES", "TWO_COUPLES", "blocking", "by_distance", "marriage", "matched_in_order", "one_group", "order_of_pairs",
    "roommates",
]  # fmt: skip

Lists = Sequence[Sequence[int]]
# Gale and Shapley (1962): whoever is with 3 finds somebody who would rather have him, and whom he would rather have than 3.
FOUR_ROOMMATES: Lists = ((1, 2, 3), (2, 0, 3), (0, 1, 3), (0, 1, 2))
# Two stable marriages: each of the first group gets the first choice, or each of the second.
TWO_COUPLES: tuple[Lists, Lists] = (((0, 1), (1, 0)), ((1, 0), (0, 1)))


def marriage(proposers: Lists, others: Lists) -> list[int]:
    """The stable marriage that is best for all proposers, and worst for all others (Gale and Shapley 1962).

    The proposers ask in any order, from the top of their lists; who is asked keeps the best so far. For the marriage that is best for
    the others, swap the two: the answer then is the partner of each of the others.

    Parameters
    ----------
    proposers, others : sequence of lists of int
        Whom each of one group would be matched to in the other, the best first.

    Returns
    -------
    list of int
        The partner of each proposer, -1: none.

    Raises
    ------
    ValueError
        For lists that are none.

    Examples
    --------
    >>> first, second = pm.preferences.TWO_COUPLES
    >>> pm.preferences.marriage(first, second), pm.preferences.marriage(second, first)
    ([0, 1], [1, 0])
    """
    asks, ranks = _lists(proposers, len(others)), _ranks(_lists(others, len(proposers)))
    holds: list[int] = [-1] * len(others)
    partner, waiting, next_one = [-1] * len(asks), list(range(len(asks))), [iter(row) for row in asks]
    while waiting:
        x = waiting.pop()
        for y in next_one[x]:
            if x in ranks[y] and (holds[y] < 0 or ranks[y][x] < ranks[y][holds[y]]):
                if holds[y] >= 0:
                    partner[holds[y]] = -1
                    waiting.append(holds[y])
                holds[y], partner[x] = x, y
                break
    return partner


def one_group(proposers: Lists, others: Lists) -> list[list[int]]:
    """A marriage as a case of roommates: the proposers keep their numbers, the others come after them.

    Parameters
    ----------
    proposers, others : sequence of lists of int

    Returns
    -------
    list of lists of int

    Examples
    --------
    >>> pm.preferences.one_group(*pm.preferences.TWO_COUPLES)
    [[2, 3], [3, 2], [1, 0], [0, 1]]
    """
    n = len(proposers)
    return [[n + y for y in row] for row in _lists(proposers, len(others))] + _lists(others, n)


def roommates(preferences: Lists) -> list[int] | None:
    """The partners in a stable matching within one group, if there is one: Irving (1985).

    Lists may be incomplete, and their number odd; then the same persons are without a partner in every stable matching.

    Parameters
    ----------
    preferences : sequence of lists of int

    Returns
    -------
    list of int or None
        -1 for whoever has none; None if no matching is stable.

    Raises
    ------
    ValueError
        For lists that are none.

    Examples
    --------
    >>> pm.preferences.roommates(pm.preferences.FOUR_ROOMMATES) is None
    True
    >>> pm.preferences.roommates([[1, 2], [2, 0], [1, 0]])
    [-1, 2, 1]
    """
    lists = _mutual(preferences)
    _propose(lists)
    inside = [x for x, row in enumerate(lists) if row]
    while (start := next((x for x in inside if len(lists[x]) > 1), None)) is not None:
        path = [start]
        while (after := lists[lists[path[-1]][1]][-1]) not in path:
            path.append(after)
        gone = set()
        for x in path[
            path.index(after) :
        ]:  # a rotation: each gets his second choice, who turns down all that are worse
            y = lists[x][1]
            gone |= {frozenset((y, z)) for z in lists[y][lists[y].index(x) + 1 :]}
        _drop(lists, gone)
        if not all(lists[x] for x in inside):
            return None
    return [row[0] if row else -1 for row in lists]


def _propose(lists: list[list[int]]) -> None:
    """Everybody proposes down the own list; who is asked drops all that are worse than the best so far."""
    holds: dict[int, int] = {}
    waiting = list(range(len(lists)))
    while waiting:
        x = waiting.pop()
        if lists[x]:
            y = lists[x][0]
            _drop(lists, {frozenset((y, z)) for z in lists[y][lists[y].index(x) + 1 :]})
            if y in holds:
                waiting.append(holds[y])
            holds[y] = x


def _drop(lists: list[list[int]], pairs: Iterable[frozenset[int]]) -> None:
    for x, y in pairs:
        lists[x].remove(y)
        lists[y].remove(x)


def blocking(preferences: Lists, partner: Sequence[int]) -> list[tuple[int, int]]:
    """The pairs i < j within one group, each of whom would rather have the other than what the matching gives.

    Parameters
    ----------
    preferences : sequence of lists of int
    partner : sequence of int
        The partner of each, -1: none.

    Returns
    -------
    list of pairs

    Examples
    --------
    >>> pm.preferences.blocking(pm.preferences.FOUR_ROOMMATES, [1, 0, 3, 2])
    [(1, 2)]
    """
    lists = _mutual(preferences)
    ranks = _ranks(lists)
    if len(partner) != len(lists):
        raise BadInput(f"the matching is of {len(partner)}, the preferences are of {len(lists)}")
    worst = [ranks[x].get(partner[x], len(ranks[x])) for x in range(len(lists))]
    return [
        (x, y)
        for x, row in enumerate(lists)
        for y in row
        if x < y and ranks[x][y] < worst[x] and ranks[y][x] < worst[y]
    ]


def order_of_pairs(preferences: Lists) -> list[tuple[int, int]] | None:
    """All pairs i < j in an order in which each one prefers.

    Distances have such an order; so has whatever both ends of a pair agree on. If there is none, then some go round in a ring, each
    preferring the next to the one before.

    Parameters
    ----------
    preferences : sequence of lists of int

    Returns
    -------
    list of pairs or None

    Examples
    --------
    >>> pm.preferences.order_of_pairs([[1, 2], [0, 2], [1, 0]])
    [(0, 1), (1, 2), (0, 2)]
    >>> pm.preferences.order_of_pairs(pm.preferences.FOUR_ROOMMATES) is None
    True
    """
    lists = _mutual(preferences)
    pairs: TopologicalSorter = TopologicalSorter()
    for x, row in enumerate(lists):
        named = [(min(x, y), max(x, y)) for y in row]
        for pair in named:
            pairs.add(pair)
        for better, worse in pairwise(named):
            pairs.add(worse, better)
    try:
        return list(pairs.static_order())
    except CycleError:
        return None


def matched_in_order(n: int, pairs: Iterable[tuple[int, int]]) -> list[int]:
    """The partners when pairs are taken in this order wherever both have none: the one stable matching of preferences that have such an
    order.

    Parameters
    ----------
    n : int
    pairs : iterable of pairs of int

    Returns
    -------
    list of int
        -1: none.

    Examples
    --------
    >>> pm.preferences.matched_in_order(3, [(0, 1), (1, 2), (0, 2)])
    [1, 0, -1]
    """
    partner = [-1] * n
    for x, y in pairs:
        if partner[x] < 0 and partner[y] < 0:
            partner[x], partner[y] = y, x
    return partner


def by_distance(pattern: Pattern, rule: str | Rule = "one-color") -> list[list[int]]:
    """The preferences of the points of a pattern under a rule: those that a point may be matched to, the nearest first.

    Parameters
    ----------
    pattern : Pattern
    rule : str or Rule, optional

    Returns
    -------
    list of lists of int

    Raises
    ------
    ValueError
        For a rule with more than one partner a point, labels or pairs that are excluded.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [1.0], [3.0]], None, pm.Euclidean(1))
    >>> lists = pm.preferences.by_distance(pattern)
    >>> lists, pm.preferences.roommates(lists)
    ([[1, 2], [0, 2], [1, 0]], [1, 0, -1])
    """
    rule, n = rule_named(rule), len(as_pattern(pattern))
    if not rule.plain:
        raise BadInput("preferences are those of a rule with one partner for every point and no pair excluded")
    reach = rule.matrix()
    colors = pattern.colors if len(reach) > 1 else np.zeros(n, np.uint8)
    lists: list[list[int]] = [[] for _ in range(n)]
    for i, j in zip(*(ends.tolist() for ends in pattern.pair_order()), strict=True):
        if reach[colors[i], colors[j]]:
            lists[i].append(j)
            lists[j].append(i)
    return lists


def _lists(given: Lists, n: int) -> list[list[int]]:
    """Lists of different numbers below n."""
    checked = []
    for x, row in enumerate(given):
        if not isinstance(row, Sequence | np.ndarray):
            raise BadInput(f"preferences, list {x} must be a list of numbers, not {quoted(row)}")
        numbers = [as_int(y) for y in row]
        for y, number in zip(row, numbers, strict=True):
            if number is None or not 0 <= number < n:
                raise BadInput(f"preferences, list {x}: {quoted(y)} is none of the {n}, which are numbered from 0")
        if len(set(numbers)) < len(numbers):
            raise BadInput(f"preferences, list {x}: somebody is named twice in {quoted(list(row))}")
        checked.append([number for number in numbers if number is not None])
    return checked


def _mutual(preferences: Lists) -> list[list[int]]:
    """The lists without those who do not name one in turn."""
    lists = _lists(preferences, len(preferences))
    for x, row in enumerate(lists):
        if x in row:
            raise BadInput(f"preferences, list {x}: nobody is matched to himself")
    named = [set(row) for row in lists]
    return [[y for y in row if x in named[y]] for x, row in enumerate(lists)]


def _ranks(lists: list[list[int]]) -> list[dict[int, int]]:
    return [{y: k for k, y in enumerate(row)} for row in lists]
