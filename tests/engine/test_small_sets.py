"""Few points, which the kernels match in milliseconds also as Python: every line of them is executed without a compiler."""

import numpy as np
import pytest

import poissonmatch as pm
from helpers import oracles
from helpers.rules import FORBIDDEN, rule_for, wrong
from helpers.strategies import make_pattern
from poissonmatch.engine import phases, thread_pool

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
