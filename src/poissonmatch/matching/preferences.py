"""Stable matchings for arbitrary preference lists, to compare with those by distance.

Marriage, between two groups (Gale and Shapley 1962): a stable matching exists; of several, one is best for each of one group and worst
for each of the other. Roommates, within one group: there may be none (FOUR_ROOMMATES); Irving (1985) finds one if it exists. Preferences
by distance are determined by one order of all *pairs*. Matching greedily in that order gives the only stable matching (Deijfen, Holroyd,
Martin 2016, Prop. 2, whose proof needs no more).

preferences[x] lists the persons that x may be matched to, the best first. Two persons are matched only if each lists the other.
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
# Gale and Shapley (1962): the roommate of 3 and another person always prefer each other.
FOUR_ROOMMATES: Lists = ((1, 2, 3), (2, 0, 3), (0, 1, 3), (0, 1, 2))
# Two stable marriages: each of the first group, or each of the second, gets the first choice.
TWO_COUPLES: tuple[Lists, Lists] = (((0, 1), (1, 0)), ((1, 0), (0, 1)))


def marriage(proposers: Lists, others: Lists) -> list[int]:
    """Return the stable marriage that is best for all proposers and worst for all others (Gale and Shapley 1962).

    For the marriage that is best for the others, swap the arguments; the result is then the partner of each of the others.

    Parameters
    ----------
    proposers, others : sequence of lists of int
        Preferences of each group among the other, the best first.

    Returns
    -------
    list of int
        The partner of each proposer, -1 for none.

    Raises
    ------
    ValueError
        If a list is not a valid preference list.

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
    """Return the roommates problem of a marriage problem: the proposers keep their numbers, the others follow.

    Parameters
    ----------
    proposers, others : sequence of lists of int
        See marriage.

    Examples
    --------
    >>> pm.preferences.one_group(*pm.preferences.TWO_COUPLES)
    [[2, 3], [3, 2], [1, 0], [0, 1]]
    """
    n = len(proposers)
    return [[n + y for y in row] for row in _lists(proposers, len(others))] + _lists(others, n)


def roommates(preferences: Lists) -> list[int] | None:
    """Return the partners in a stable matching within one group, if there is one (Irving 1985).

    Lists may be incomplete, and the number of persons odd; then the same persons are unmatched in every stable matching.

    Parameters
    ----------
    preferences : sequence of lists of int

    Returns
    -------
    list of int or None
        The partner of each person, -1 for none; None if no matching is stable.

    Raises
    ------
    ValueError
        If a list is not a valid preference list.

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
        rotation = path[path.index(after) :]  # each gets the second choice, who rejects all that are worse
        for x in rotation:
            y = lists[x][1]
            gone |= {frozenset((y, z)) for z in lists[y][lists[y].index(x) + 1 :]}
        _drop(lists, gone)
        if not all(lists[x] for x in inside):
            return None
    return [row[0] if row else -1 for row in lists]


def _propose(lists: list[list[int]]) -> None:
    """Let all propose down their lists, and all remove those worse than the best proposer so far."""
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
    """Return the pairs i < j within one group that prefer each other to their partners.

    Parameters
    ----------
    preferences : sequence of lists of int
    partner : sequence of int
        The partner of each person, -1 for none.

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
    pairs = ((x, y) for x, row in enumerate(lists) for y in row if x < y)
    return [(x, y) for x, y in pairs if ranks[x][y] < worst[x] and ranks[y][x] < worst[y]]


def order_of_pairs(preferences: Lists) -> list[tuple[int, int]] | None:
    """Return all pairs i < j in an order that determines all preferences, or None if there is none.

    Preferences by distance have such an order. If there is none, there is a cycle of persons who each prefer the next to the previous.

    Parameters
    ----------
    preferences : sequence of lists of int

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
    """Return the partners, -1 for none, after matching greedily in this order: the only stable matching of preferences with that order.

    Parameters
    ----------
    n : int
        Number of persons.
    pairs : iterable of pairs of int

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
    """Return the preferences of the points of a pattern under a rule: the points that each may be matched to, nearest first.

    Parameters
    ----------
    pattern : Pattern
    rule : str or Rule, optional

    Raises
    ------
    ValueError
        If the rule has a capacity above 1, labels or excluded pairs.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [1.0], [3.0]], None, pm.Euclidean(1))
    >>> lists = pm.preferences.by_distance(pattern)
    >>> lists, pm.preferences.roommates(lists)
    ([[1, 2], [0, 2], [1, 0]], [1, 0, -1])
    """
    rule, n = rule_named(rule), len(as_pattern(pattern))
    if not rule.plain:
        raise BadInput("the rule must have capacity 1, no labels and no excluded pairs")
    reach = rule.matrix()
    colors = pattern.colors if len(reach) > 1 else np.zeros(n, np.uint8)
    lists: list[list[int]] = [[] for _ in range(n)]
    for i, j in zip(*(ends.tolist() for ends in pattern.pair_order()), strict=True):
        if reach[colors[i], colors[j]]:
            lists[i].append(j)
            lists[j].append(i)
    return lists


def _lists(given: Lists, n: int) -> list[list[int]]:
    """Return the preferences as lists of different integers below n. Raises BadInput."""
    checked = []
    for x, row in enumerate(given):
        if not isinstance(row, Sequence | np.ndarray):
            raise BadInput(f"preferences, list {x} must be a list of numbers, got {quoted(row)}")
        numbers = [as_int(y) for y in row]
        for y, number in zip(row, numbers, strict=True):
            if number is None or not 0 <= number < n:
                raise BadInput(f"preferences, list {x}: {quoted(y)} is not one of the {n}, which are numbered from 0")
        if len(set(numbers)) < len(numbers):
            raise BadInput(f"preferences, list {x}: a number occurs twice in {quoted(list(row))}")
        checked.append([number for number in numbers if number is not None])
    return checked


def _mutual(preferences: Lists) -> list[list[int]]:
    """Return the lists without those who do not list the person in turn. Raises BadInput."""
    lists = _lists(preferences, len(preferences))
    for x, row in enumerate(lists):
        if x in row:
            raise BadInput(f"preferences, list {x} must not contain {x}")
    named = [set(row) for row in lists]
    return [[y for y in row if x in named[y]] for x, row in enumerate(lists)]


def _ranks(lists: list[list[int]]) -> list[dict[int, int]]:
    return [{y: k for k, y in enumerate(row)} for row in lists]
