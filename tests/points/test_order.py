"""The order of pairs and the neighbor search, against literal numbers and all pairs."""

import itertools

import numpy as np
import pytest

import poissonmatch as pm
from poissonmatch.engine import pair_order
from poissonmatch.points import order
from poissonmatch.points.neighbors import Neighbors

# (key, i, j), in order; both ends may come first
PAIRS = [(0.0, 2, 3), (1.0, 0, 1), (1.0, 3, 0), (1.0, 1, 2), (1.0, 4, 1), (2.0, 0, 2)]


def test_distance_then_smaller_then_larger_index():
    keys = [order.pair_key(*pair) for pair in PAIRS]
    assert keys == sorted(keys) and keys[2] == (1.0, 0, 3)
    shuffled = [PAIRS[k] for k in (3, 5, 0, 2, 4, 1)]
    key, i, j = (np.array(part) for part in zip(*shuffled, strict=True))
    assert [shuffled[k] for k in order.sort_pairs(key, i, j)] == PAIRS
    for (a, one), (b, other) in itertools.product(enumerate(PAIRS), repeat=2):
        assert bool(order.pair_before(*one, *other)) == (a < b)


def test_of_one_point_the_other_index_decides():
    assert order.nearer(1.0, 5, 2.0, 3) and not order.nearer(2.0, 3, 1.0, 5)
    assert order.nearer(1.0, 3, 1.0, 5) and not order.nearer(1.0, 5, 1.0, 3) and not order.nearer(1.0, 3, 1.0, 3)
    table = np.array([[2.0, 1.0, 1.0], [0.0, np.inf, 0.0]]), np.array([[0, 5, 3], [4, 9, 2]])
    assert order.nearest_first(*table).tolist() == [[2, 1, 0], [2, 0, 1]]
    for x, y, z in itertools.permutations(range(6), 3):  # all pairs tie: as the pairs x, y and x, z
        assert bool(order.nearer(1.0, y, 1.0, z)) == (sorted((x, y)) < sorted((x, z)))


def test_all_pairs_of_a_square():
    pattern = pm.Pattern([[0, 0], [1, 1], [0, 1], [1, 0]], geometry=pm.Euclidean(2))
    i, j = pattern.pair_order()
    assert list(zip(i.tolist(), j.tolist(), strict=True)) == [(0, 2), (0, 3), (1, 2), (1, 3), (0, 1), (2, 3)]
    assert [bool(pattern.closer(0, 2, y)) for y in (1, 2, 3)] == [True, False, True]


def test_pairs_that_tie_stay_in_order():
    i, j = order.all_pairs(30, lambda i, j: (i + j) % 3)
    pairs = sorted(itertools.combinations(range(30), 2), key=lambda pair: (sum(pair) % 3, *pair))
    assert list(zip(i.tolist(), j.tolist(), strict=True)) == pairs


@pytest.mark.parametrize(
    "function", [pair_order.precedes, getattr(pair_order.precedes, "py_func", pair_order.precedes)]
)
def test_the_engine_compares_distances_then_indices(function):
    for (d2, i), (e2, j) in itertools.product(itertools.product((0.0, 1.0, 2.0), (3, 4, 5)), repeat=2):
        assert function(d2, i, e2, j) == ((d2, i) < (e2, j))


def test_the_engine_orders_the_two_points_of_a_pair():
    function = getattr(pair_order.ordered, "py_func", pair_order.ordered)
    assert function(7, 2) == function(2, 7) == (2, 7)


def patterns():
    rng = np.random.default_rng(0)
    for dim, space in itertools.product((1, 2, 3), (pm.Torus, pm.Box)):
        yield pm.Pattern(rng.integers(0, 6, (80, dim)) * 1.5, geometry=space(9.0, dim))
        yield pm.Pattern(9 * rng.random((80, dim)), geometry=space(9.0, dim))
    table = np.triu(rng.exponential(9.0, (60, 60)), 1)
    yield pm.Pattern(table + table.T, geometry=pm.MeanField(9.0))
    yield pm.Pattern(9 * rng.random((80, 2)), geometry=pm.Euclidean(2))


@pytest.mark.parametrize("pattern", list(patterns()), ids=lambda pattern: repr(pattern.geometry))
@pytest.mark.parametrize("radius", (0.0, 1.5, 3.1, np.inf))
def test_neighbors_are_those_of_all_pairs(pattern, radius):
    """Found are all pairs within the radius, each once, and none beyond the slack."""
    n = len(pattern)
    rows = np.arange(n)
    table = pattern.distance(rows[:, None], rows[None, :])
    members, centers = rows[rows % 3 > 0], rows[rows % 2 == 0]
    radii = np.where(centers % 4 == 0, radius, 1.0)
    pieces = list(Neighbors(pattern, members).around(centers, radii))
    found = [pair for x, y in pieces for pair in zip(x.tolist(), y.tolist(), strict=True)]
    expected = {(x, y) for x, r in zip(centers.tolist(), radii, strict=True) for y in members if table[x, y] <= r}
    assert len(found) == len(set(found)) and {(x, y) for x, y in found if x != y or (x, y) in expected} == expected
    if radius < np.inf:
        i, j = Neighbors(pattern, members).pairs(radius)
        expected = {(x, y) for x, y in itertools.combinations(members.tolist(), 2) if table[x, y] <= radius}
        assert set(zip(i.tolist(), j.tolist(), strict=True)) == expected
        assert abs(Neighbors(pattern).count_pairs(radius) - np.count_nonzero(np.triu(table <= radius, 1))) <= n


def test_neighbors_of_a_model_without_distances():
    drawn_later = pm.Pattern(np.zeros((3, 0)), None, pm.MeanField(1.0, table=False))
    with pytest.raises(ValueError, match="have not been drawn"):
        Neighbors(drawn_later)


def test_capacities():
    colors = np.array([1, 0, 1], np.uint8)
    assert pm.Rule(capacity=(3,)).capacities(colors).tolist() == [3, 3, 3]
    assert pm.Rule([[False, True], [True, False]], (2, 5)).capacities(colors).tolist() == [5, 2, 5]
    assert pm.Rule().capacities(np.zeros(0, np.uint8)).tolist() == []
