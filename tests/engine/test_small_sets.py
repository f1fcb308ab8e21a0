"""Few points: the one call that matches them, against the phases of large sets and the oracle.

The kernels match these also as Python in milliseconds: every line of them is executed without a compiler.
"""

import numpy as np
import pytest

import poissonmatch as pm
from helpers import oracles
from helpers.rules import FORBIDDEN, RULES, SMALL, recolored, rule_for, wrong
from helpers.strategies import make_pattern
from poissonmatch.engine import phases, small_sets, thread_pool

pytestmark = pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")  # of float32 squares, without a compiler
NAMES = ("one-color", "two-color", "fussy", "misere", "multi(3)", "labels(3)", "polygamy", "three colors", *FORBIDDEN)


def agree(pattern, name, threads=(1,)):
    return wrong(pattern, rule_for(name, pattern), oracles.pair_list(pattern), threads) == []


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("dim", (1, 2, 3))
@pytest.mark.parametrize("kind", ("uniform", "lattice"))
def test_on_a_torus(kind, dim, name):
    assert agree(make_pattern(kind, 27, dim, seed=dim), name)


@pytest.mark.parametrize("name", ("one-color", "fussy", "multi(3)"))
@pytest.mark.parametrize("kind", ("clustered", "seam"))
def test_in_clusters_and_across_the_seam(kind, name):
    assert agree(make_pattern(kind, 40, 2, seed=3), name)


@pytest.mark.parametrize("name", ("one-color", "two-color", "labels(3)"))
def test_without_a_seam(name):
    rng = np.random.default_rng(1)
    assert agree(pm.Pattern(rng.random((30, 2)), rng.integers(0, 3, 30), pm.Euclidean(2)), name)


@pytest.mark.parametrize("name", NAMES)
def test_in_the_mean_field(name):
    rng = np.random.default_rng(2)
    table = np.triu(rng.integers(1, 9, (20, 20)).astype(float), 1)  # with ties
    assert agree(pm.Pattern(table + table.T, rng.integers(0, 3, 20), pm.MeanField(20.0)), name)


@pytest.mark.parametrize("name", ("one-color", "fussy", "multi(3)", "labels(3)", "misere"))
def test_on_one_site_and_with_an_outlier(name):
    points = np.concatenate([np.full((12, 2), 0.5), [[0.1, 0.9]], np.full((3, 2), 0.25)])
    assert agree(pm.Pattern(points, np.arange(16) % 2, pm.Torus(1.0, 2)), name)


@pytest.mark.parametrize("name", ("one-color", "two-color", "multi(3)"))
@pytest.mark.parametrize("edge", (0, 1))
def test_by_two_threads(edge, name, monkeypatch):
    monkeypatch.setattr(thread_pool, "PARALLEL", 1)
    for constant, value in (("ROWS", 3), ("EDGE", edge)):
        monkeypatch.setattr(phases, constant, value)
    assert agree(make_pattern("uniform", 60, 2, seed=5), name, (1, 2))


@pytest.mark.parametrize("n", (0, 1, 2, 3))
def test_of_hardly_any_points(n):
    for name in ("one-color", "two-color", "multi(3)"):
        assert agree(make_pattern("uniform", n, 2, seed=n), name)


def spaces(points, side, colors):
    """Return patterns of points in a cube: with seams, with unequal ones, in space, and of a square on a sphere."""
    dim = points.shape[1]
    stretch = 1.0 + np.arange(dim)
    yield pm.Pattern(points, colors, pm.Torus(side, dim))
    yield pm.Pattern(points * stretch, colors, pm.Torus(tuple(side * stretch)))
    yield pm.Pattern(points - side / 2, colors, pm.Euclidean(dim))
    if dim == 2:
        yield pm.Pattern(points / side * (360.0, 180.0) - (180.0, 90.0), colors, pm.Sphere(1.0))


def same_both_ways(pattern, rule, monkeypatch, capacity=None):
    """Return whether the matching by the phases of large sets is that of small sets to the bit."""
    monkeypatch.setattr(small_sets, "MAX_POINTS", 0)
    large = pm.match(pattern, rule, capacity=capacity)
    monkeypatch.setattr(small_sets, "MAX_POINTS", SMALL)
    small = pm.match(pattern, rule, capacity=capacity)
    assert small.partners.dtype == large.partners.dtype
    return (
        small.partners.tobytes() == large.partners.tobytes() and small.distances.tobytes() == large.distances.tobytes()
    )


@pytest.mark.slow  # for the compiler
@pytest.mark.parametrize("one_cell", (0, small_sets.ONE_CELL))
@pytest.mark.parametrize("dim", (1, 2, 3))
@pytest.mark.parametrize("kind", ("uniform", "lattice", "coincident", "clustered", "seam"))
def test_small_sets_are_matched_as_large_ones(kind, dim, one_cell, monkeypatch):
    monkeypatch.setattr(small_sets, "ONE_CELL", one_cell)
    for n in (0, 1, 2, 3, 10, 50, 300, 2000):
        made = make_pattern(kind, n, dim, seed=n)
        for number, pattern in enumerate(spaces(made.points, made.geometry.side, made.colors)):
            for name in (*RULES, *FORBIDDEN)[number::3] if n > 50 else (*RULES, *FORBIDDEN):
                rule = rule_for(name, pattern)
                assert same_both_ways(recolored(pattern, rule), rule, monkeypatch)
            capacity = np.random.default_rng(n).integers(0, 4, n)
            assert same_both_ways(pattern, RULES["one-color"], monkeypatch, capacity)
            assert same_both_ways(pattern, RULES["three colors"], monkeypatch, capacity)


@pytest.mark.parametrize("name", ("one-color", "fussy", "multi(3)", "misere"))
def test_uniform_points_are_matched_in_one_call(name, monkeypatch):
    """The phases of large sets are not needed."""
    monkeypatch.setattr(small_sets, "MAX_POINTS", SMALL)
    monkeypatch.setattr(phases, "_run", None)
    for n in (10, 300, 2000):
        pattern = recolored(make_pattern("uniform", n, 2, seed=n), RULES[name])
        assert len(pm.match(pattern, name).pairs) > n / 5


def test_long_searches_are_left_to_the_phases_of_large_sets(monkeypatch):
    """Points in two distant clusters, each of one color: a search would look at all points of the other."""
    used, run = [], phases._run
    monkeypatch.setattr(phases, "_run", lambda *task: used.append(task) or run(*task))
    rng = np.random.default_rng(0)
    colors = np.repeat([0, 1], 1000)
    points = 0.01 * rng.random((2000, 2)) + 0.9 * colors[:, None]
    for name in ("two-color", "misere two-color"):
        assert same_both_ways(pm.Pattern(points, colors, pm.Euclidean(2)), RULES[name], monkeypatch)
    assert len(used) == 4
