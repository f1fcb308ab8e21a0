"""Games on infinite points: Bob's one good point in several ponds (Theorem 13), and positions with stones (Prop. 11)."""

import functools
import itertools
import math

import pytest

import poissonmatch as pm
from poissonmatch.frogs import is_p_position, reply

PONDS = [pm.infinite.InfinitePoisson(2, seed=seed) for seed in (1, 2)]
LAZY = [pm.lazy.LazyMatching(pond, "labels(1)") for pond in PONDS]


def at(pond, *place):
    return LAZY[pond].nearest(place)


def neighbor(pond, x, k):
    return next(itertools.islice(LAZY[pond].neighbors(x), k, None))


@pytest.mark.parametrize("k", [0, 1])
def test_the_reply_makes_the_nim_sum_zero_and_no_other_near_point_does(k):
    x, start = at(0, 0, 0), at(1, 0, 0)
    y = neighbor(0, x, k)
    found = reply(PONDS[:2], [(x, y), (start,)])
    goal = LAZY[0].label(x, y).answer
    assert LAZY[1].label(start, found.answer).answer == goal
    near = [z for z in (neighbor(1, start, k) for k in range(3)) if z != found.answer]
    assert near and all(LAZY[1].label(start, z).answer != goal for z in near)
    assert found.window >= LAZY[0].label(x, y).window


def test_the_reply_in_one_pond_is_the_partner():
    start = at(0, 0, 0)
    assert reply(PONDS[:1], [(start,)]).answer == pm.lazy.LazyMatching(PONDS[0]).partner(start).answer


@pytest.mark.parametrize("rule, k", [("one-color", 0), ("two-color", 0), ("multi(2)", 1), ("multi(3)", 2)])
def test_positions_are_those_of_the_rules(rule, k):
    """The rules in the form of rejections: a player wins with more than k moves that win. No matching is used."""
    colored = rule == "two-color"
    torus = pm.processes.binomial(pm.Torus(6.0, 2), (18, 18), rng=5)
    points = pm.infinite.Periodic(torus) if colored else pm.infinite.InfinitePoisson(2, seed=5)
    lazy = pm.lazy.LazyMatching(points, rule)

    def closer(x, y):
        return itertools.takewhile(
            lambda z: math.dist(x.coordinates, z.coordinates) < math.dist(x.coordinates, y.coordinates),
            lazy.neighbors(x),
        )

    @functools.cache
    def good(x, y):  # points to which the frog on y may jump such that the other player has at most k good points
        return [z for z in closer(x, y) if len(good(z, x)) <= k and not (colored and z.color != y.color)]

    x, outcomes = lazy.nearest([0.0, 0.0]), set()
    for y in itertools.islice(lazy.neighbors(x), 9):
        if colored and x.color == y.color:
            assert is_p_position(lazy, x, y).answer is False
            continue
        for stones in ((), good(x, y)[:k], [*closer(x, y)][:k]):
            found = is_p_position(lazy, x, y, stones)
            assert found.answer == ({*good(x, y)} <= {*stones}), (y, stones)
            assert found.window > 0
            outcomes.add(found.answer)
    assert outcomes == {True, False}
