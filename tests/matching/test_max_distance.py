"""Matchings up to a largest distance: the pairs of the whole matching that are at most as long."""

import pickle

import numpy as np
import pytest

import poissonmatch as pm
from poissonmatch.engine import phases

RULES = ["one-color", "two-color", "fussy", "misere", "multi(3)", "labels(3)"]
SPACES = [
    pm.Torus(20.0, 1),
    pm.Torus(5.0, 2),
    pm.Torus((4.0, 6.0, 3.0)),
    pm.Box(5.0, 2),
    pm.Euclidean(2),
    pm.Sphere(2.0),
]


def pattern_on(space, n=400):
    rng = np.random.default_rng(3)
    points = rng.random((n, space.dim)) * 3  # on a sphere: longitudes and latitudes
    if isinstance(space, pm.Sphere):
        points = points * [120, 60] - [180, 90]
    return pm.Pattern(points, rng.integers(0, 2, n), space)


def filtered(whole, r):
    """The pairs of the whole matching up to r."""
    near = whole.distances <= r
    return np.where(near, whole.partners, -1), np.where(near, whole.distances, np.inf)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("space", SPACES, ids=repr)
def test_pairs_up_to_the_largest_distance_are_those_of_the_whole_matching(space, rule):
    pattern = pattern_on(space)
    whole = pm.match(pattern, rule)
    lengths = np.unique(whole.pair_distance)
    for r in (lengths[0] / 2, lengths[0], lengths[len(lengths) // 2], np.nextafter(lengths[-3], 0), lengths[-1], 1e9):
        found = pm.match(pattern, rule, max_distance=r)
        partners, distances = filtered(whole, r)
        assert np.array_equal(found.partners, partners) and np.array_equal(found.distances, distances)
        assert pickle.loads(pickle.dumps(found)) == found and found.max_distance == r
        if not rule.startswith("labels"):
            assert len(pm.blocking_pairs(pattern, found)) == 0


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("rule", ["one-color", "two-color", "multi(2)"])
def test_the_engine_stops_at_the_largest_distance(monkeypatch, rule, threads):
    """Of 50,000 points, pairs up to .3 are found in the first phases; two threads may leave some to later ones."""
    pattern = pm.processes.two_color(pm.Torus(160.0, 2), (1.0, 1.0), rng=1)
    number = []
    phase = phases._phase
    monkeypatch.setattr(phases, "_phase", lambda *given, **more: number.append(1) or phase(*given, **more))
    whole, of_whole = pm.match(pattern, rule, threads=threads), number.copy()
    partners, _ = filtered(whole, 0.3)
    number.clear()
    found = pm.match(pattern, rule, threads=threads, max_distance=0.3)
    assert np.array_equal(found.partners, partners) and (threads == 2 or len(number) < len(of_whole) / 2)


def test_distances_of_tables_and_decimal_grids():
    table = pm.Pattern(np.array([[0, 1.0, 2], [1, 0, 4], [2, 4, 0]]), None, pm.DistanceTable())
    assert pm.match(table, "multi(2)", max_distance=2.0).partner.tolist() == [[1, 2], [0, -1], [0, -1]]
    grid = pm.Pattern(np.array([[0.1], [0.2], [0.4]]), None, pm.Euclidean(1), grid=0.1)
    assert pm.match(grid, "multi(2)", max_distance=0.2).partner.tolist() == [[1, -1], [0, 2], [1, -1]]


def test_a_pair_blocks_only_up_to_the_largest_distance():
    pattern = pm.Pattern([[0.0], [1.0], [3.0]], None, pm.Euclidean(1))
    none = pm.Matching.from_partners(pattern, [-1, -1, -1], max_distance=1.0)
    assert pm.blocking_pairs(pattern, none).tolist() == [[0, 1]]
