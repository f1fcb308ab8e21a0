"""General preferences, against all matchings of a few; and what preferences by distance have that others lack."""

import itertools
import random

import numpy as np
import pytest

import poissonmatch as pm
from poissonmatch import preferences
from poissonmatch.utils.errors import BadInput


def all_matchings(people):
    """All matchings of some people, as sets of pairs."""
    if not people:
        yield frozenset()
        return
    first, *rest = people
    yield from all_matchings(rest)
    for other in rest:
        for more in all_matchings([x for x in rest if x != other]):
            yield more | {(first, other)}


def stable_matchings(lists):
    """By definition: all pairs name each other, and no two would both rather have each other."""
    n = len(lists)
    willing = {(x, y) for x in range(n) for y in range(n) if y in lists[x] and x in lists[y]}
    for pairs in all_matchings(list(range(n))):
        if not pairs <= willing:
            continue
        partner = {x: y for a, b in pairs for x, y in ((a, b), (b, a))}

        def rather(x, y, partner=partner):
            return x not in partner or lists[x].index(y) < lists[x].index(partner[x])

        if not any(rather(x, y) and rather(y, x) for x, y in willing):
            yield [partner.get(x, -1) for x in range(n)]


def random_lists(rng, n, among, complete):
    lists = []
    for x in range(n):
        row = [y for y in among if y != x and (complete or rng.random() < 0.7)]
        rng.shuffle(row)
        lists.append(row)
    return lists


@pytest.mark.parametrize("n", range(1, 7))
def test_roommates_against_all_matchings(n):
    rng, found = random.Random(n), set()
    for turn in range(150 if n < 6 else 60):
        lists = random_lists(rng, n, range(n), complete=turn % 2)
        stable, partner = list(stable_matchings(lists)), preferences.roommates(lists)
        assert (partner is None) if not stable else (partner in stable)
        assert all(preferences.blocking(lists, one) == [] for one in stable)
        assert len({tuple(k for k, y in enumerate(one) if y < 0) for one in stable}) <= 1  # always the same are alone
        found.add(min(len(stable), 2))
    assert found == ({1} if n < 3 else {0, 1} if n == 3 else {0, 1, 2})


def test_all_roommates_of_four():
    """All 6^4 tables of complete lists: how many have no stable matching, one, and more."""
    rows = [list(itertools.permutations([y for y in range(4) if y != x])) for x in range(4)]
    counts = [0, 0, 0]
    for lists in itertools.product(*rows):
        stable = list(stable_matchings(lists))
        counts[min(len(stable), 2)] += 1
        partner = preferences.roommates(lists)
        assert partner in stable if stable else partner is None
    assert sum(counts) == 1296 and min(counts) > 0


def test_blocking_pairs_by_definition():
    rng = random.Random(8)
    for _ in range(60):
        lists = random_lists(rng, 5, range(5), complete=False)
        for pairs in all_matchings(list(range(5))):
            partner = [-1] * 5
            for x, y in pairs:
                if y in lists[x] and x in lists[y]:
                    partner[x], partner[y] = y, x
            stable = partner in list(stable_matchings(lists))
            assert (preferences.blocking(lists, partner) == []) == stable


@pytest.mark.parametrize(("men", "women"), [(1, 1), (2, 2), (3, 3), (3, 2), (2, 4), (4, 0)])
def test_marriages_are_best_for_those_who_propose(men, women):
    rng = random.Random(men * 10 + women)
    for turn in range(60):
        one = (
            random_lists(rng, men, range(women), True)
            if turn % 2
            else [rng.sample(range(women), rng.randint(0, women)) for _ in range(men)]
        )
        two = [rng.sample(range(men), men if turn % 2 else rng.randint(0, men)) for _ in range(women)]
        group = preferences.one_group(one, two)
        stable = list(stable_matchings(group))
        best = [
            min((m[x] for m in stable), key=lambda y, x=x: group[x].index(y) if y >= 0 else 99)
            for x in range(men + women)
        ]
        worst = [
            max((m[x] for m in stable), key=lambda y, x=x: group[x].index(y) if y >= 0 else 99)
            for x in range(men + women)
        ]
        theirs, ours = preferences.marriage(one, two), preferences.marriage(two, one)
        assert [y + men if y >= 0 else -1 for y in theirs] == best[:men] and ours == best[men:]
        assert [theirs.index(y) if y in theirs else -1 for y in range(women)] == worst[men:]  # and worst for the others
        assert preferences.roommates(group) in stable


def test_four_roommates_and_two_couples():
    assert preferences.roommates(preferences.FOUR_ROOMMATES) is None and not list(
        stable_matchings(preferences.FOUR_ROOMMATES)
    )
    for partner in ([1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]):
        assert preferences.blocking(preferences.FOUR_ROOMMATES, partner)
    one, two = preferences.TWO_COUPLES
    assert preferences.marriage(one, two) == [0, 1] and preferences.marriage(two, one) == [1, 0]
    assert len(list(stable_matchings(preferences.one_group(one, two)))) == 2
    for lists in (preferences.FOUR_ROOMMATES, preferences.one_group(one, two)):
        assert preferences.order_of_pairs(lists) is None  # which distances have


@pytest.mark.parametrize("rule", ["one-color", "two-color", "fussy"])
def test_distances_leave_one_stable_matching_and_no_choice(rule):
    rng = np.random.default_rng(4)
    for n in (0, 1, 2, 5, 6, 40):
        for points in (rng.random((n, 2)), rng.integers(0, 3, (n, 2)) / 3):
            pattern = pm.Pattern(points, rng.integers(0, 2, n), pm.Torus(1.0, 2))
            lists, partner = preferences.by_distance(pattern, rule), pm.match(pattern, rule).partner.tolist()
            order = preferences.order_of_pairs(lists)
            assert order is not None and preferences.matched_in_order(n, order) == partner
            assert preferences.roommates(lists) == partner and preferences.blocking(lists, partner) == []
            if n < 7:
                assert list(stable_matchings(lists)) == [partner]
            if rule == "two-color":  # whoever proposes gets the same
                sides = [np.flatnonzero(pattern.colors == c).tolist() for c in (0, 1)]
                place = {x: k for side in sides for k, x in enumerate(side)}
                one, two = ([[place[y] for y in lists[x]] for x in side] for side in sides)
                theirs = preferences.marriage(one, two)
                assert [sides[1][y] if y >= 0 else -1 for y in theirs] == [partner[x] for x in sides[0]]
                assert [sides[0][y] if y >= 0 else -1 for y in preferences.marriage(two, one)] == [
                    partner[x] for x in sides[1]
                ]


def test_an_order_of_pairs_is_that_of_each_list():
    lists = preferences.by_distance(pm.Pattern(np.random.default_rng(5).random((6, 2)), geometry=pm.Euclidean(2)))
    rank = {pair: k for k, pair in enumerate(preferences.order_of_pairs(lists))}
    assert len(rank) == 15
    for x, row in enumerate(lists):
        ranks = [rank[min(x, y), max(x, y)] for y in row]
        assert ranks == sorted(ranks)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: preferences.roommates([[1], [2]]), "list 1: 2 is not one of the 2, which are numbered from 0"),
        (lambda: preferences.roommates([[1, 1], [0]]), "list 0: a number occurs twice"),
        (lambda: preferences.roommates([[0], []]), "list 0 must not contain 0"),
        (lambda: preferences.roommates([["a"], []]), "list 0: 'a' is not one of the 2"),
        (lambda: preferences.roommates([1, 0]), "list 0 must be a list of numbers, got 1"),
        (lambda: preferences.blocking([[1], [0]], [1]), "the matching is of 1, the preferences are of 2"),
        (lambda: preferences.marriage([[0.5]], [[0]]), "list 0: 0.5 is not one of the 1"),
        (lambda: preferences.by_distance(pm.Pattern(np.zeros((0, 1)), geometry=pm.Euclidean(1)), "multi(2)"), "the rule must have capacity 1"),
    ],
)  # fmt: skip
def test_lists_that_are_none(call, said):
    with pytest.raises(BadInput, match=said):
        call()
