"""Theorem 13 on infinite ponds: Bob's one good point has the label that makes the nim-sum of the labels 0."""

import itertools

import pytest

import poissonmatch as pm
from poissonmatch.frogs import reply
from poissonmatch.utils.errors import BadInput

PONDS = [pm.infinite.InfinitePoisson(2, seed=seed) for seed in (1, 2, 3)]
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


def test_three_ponds_and_one():
    starts = [at(k, 0, 0) for k in range(3)]
    opening = [(starts[0], neighbor(0, starts[0], 0)), (starts[1], neighbor(1, starts[1], 0)), (starts[2],)]
    found = reply(PONDS, opening)
    labels = [LAZY[k].label(*pair).answer for k, pair in enumerate(opening[:2])]
    assert LAZY[2].label(starts[2], found.answer).answer == labels[0] ^ labels[1]
    alone = reply(PONDS[:1], [(starts[0],)])
    assert alone.answer == pm.lazy.LazyMatching(PONDS[0]).partner(starts[0]).answer


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            lambda: reply(PONDS[:2], [(at(0, 0, 0),), (at(1, 0, 0),)]),
            "the opening must be two points of every pond but the last",
        ),
        (lambda: reply(PONDS[:2], [(at(0, 0, 0), at(1, 0, 0)), (at(1, 0, 0),)]), "pond 0 has no point"),
        (
            lambda: reply([pm.infinite.DecreasingGaps()], [pm.infinite.DecreasingGaps().points((0,))], 20.0),
            "pond 0: the partner of .* with label 0 is not determined by the points within 20; raise max_distance",
        ),
    ],
)
def test_what_is_refused(call, said):
    with pytest.raises(BadInput, match=said):
        call()
