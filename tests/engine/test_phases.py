"""The engine's own promises: any cell size and index type, clusters, memory asked for before it is taken."""

import numpy as np
import pytest

import poissonmatch as pm
from helpers import oracles
from helpers.rules import RULES, wrong
from helpers.strategies import make_pattern
from poissonmatch.engine import grids, phases, sorting
from poissonmatch.utils import memory, thread_pool


@pytest.mark.slow  # for the compiler
def test_64_bit_indices(monkeypatch):
    monkeypatch.setattr(phases, "INT32_BELOW", 0)
    monkeypatch.setattr(thread_pool, "PARALLEL", 1)
    for name in ("one-color", "multi(3)"):
        pattern = make_pattern("uniform", 150, 2, seed=0)
        assert wrong(pattern, RULES[name], oracles.pair_list(pattern), (1, 2)) == []


@pytest.mark.slow
@pytest.mark.parametrize("edge", (0, 1))
@pytest.mark.parametrize("dim", (1, 2, 3))
def test_what_threads_leave_is_matched_in_the_next_phase(dim, edge, monkeypatch):
    """Not even the rows between two threads are gone over again."""
    monkeypatch.setattr(thread_pool, "PARALLEL", 1)
    for name, value in (("ROWS", 3), ("EDGE", edge)):
        monkeypatch.setattr(phases, name, value)
    for kind in ("uniform", "clustered", "lattice", "seam"):
        pattern = make_pattern(kind, 200, dim, seed=0)
        pairs = oracles.pair_list(pattern)
        for name in RULES:
            assert wrong(pattern, RULES[name], pairs, (1, 2, 3)) == []


@pytest.mark.parametrize("dim", (1, 2, 3))
def test_points_are_sorted_in_many_buckets(dim, monkeypatch):
    """Of one place or two each; by default only more than 8 * 1024 points have several."""
    monkeypatch.setattr(thread_pool, "PARALLEL", 1)
    monkeypatch.setattr(sorting, "BUCKET", 1)
    for kind in ("uniform", "clustered", "lattice", "seam"):
        pattern = make_pattern(kind, 150, dim, seed=2)
        pairs = oracles.pair_list(pattern)
        for name in ("one-color", "two-color", "multi(3)"):
            assert wrong(pattern, RULES[name], pairs, (1, 2)) == []


def test_more_groups_of_eight_points_than_a_search_distinguishes():
    """The colors do not matter if all are compatible; but 64 points of one color on a site are compared eight at a time."""
    n_colors = 70
    points = np.full((64 * n_colors + 100, 1), 0.5)
    points[64 * n_colors :, 0] = np.random.default_rng(0).random(100)
    colors = np.concatenate([np.repeat(np.arange(n_colors), 64), np.full(100, n_colors - 1)])
    colorless = pm.Pattern(points, None, pm.Torus(1.0, 1))
    colored = pm.Pattern(points, colors, colorless.geometry)
    rule = pm.Rule(compatible=np.ones((n_colors, n_colors), bool), capacity=(1,) * n_colors)
    np.testing.assert_array_equal(pm.match(colored, rule).partner, pm.match(colorless).partner)


@pytest.mark.slow
@pytest.mark.long
def test_many_cells_in_high_dimension():
    """3^10 cells touch each other in dimension 10; test_crowds.py counts the cells."""
    pattern = make_pattern("uniform", 3000, 10, seed=1)
    partner = oracles.rounds(pattern.points, np.zeros(3000, int), 1.0, ((True,),))
    np.testing.assert_array_equal(pm.match(pattern).partner, partner)


@pytest.mark.parametrize("rule", ("one-color", "two-color", "fussy", "multi(3)", "labels(3)", "misere"))
@pytest.mark.parametrize("sites", (1, 100))
def test_crowds_are_not_quadratic(rule, sites):
    """10^5 points on few sites. No clock: they took minutes when every search went through all inactive points of a site."""
    n = 100_000
    rng = np.random.default_rng(2)
    pattern = pm.Pattern(rng.random((sites, 2))[rng.integers(0, sites, n)], rng.integers(0, 2, n), pm.Torus(1.0, 2))
    matching = pm.match(pattern, rule)
    most = {"one-color": n // 2, "two-color": np.bincount(pattern.colors).min()}
    assert len(matching.pairs) == most.get(rule, len(matching.pairs)) > 0
    if rule == "one-color" and sites == 1:
        np.testing.assert_array_equal(matching.partner, np.arange(n) ^ 1)


@pytest.mark.parametrize("scale", (1.0, 1e-2, 1e-6))
@pytest.mark.parametrize("dim", (1, 2, 3))
def test_cells_follow_the_points_into_a_corner(scale, dim):
    """A grid that follows the side of the torus puts all points of a corner into one cell: 532 times the work."""
    X = scale * np.random.default_rng(3).random((dim, 100_000))
    per_cell = grids.points_per_cell(np.ones((1, 1)), dim, 1)
    grid, _ = grids.choose_grid(X, X.shape[1], np.ones(dim), np.zeros(dim), np.ones(dim), 0.0, per_cell)
    cell = np.floor(X * grid.inverse[:, None]).astype(np.int64) % grid.cells[:, None]
    companions = np.unique(cell, axis=1, return_counts=True)[1]
    assert (companions * (companions - 1)).sum() < 4 * per_cell * X.shape[1]


def test_memory_is_asked_for_first(monkeypatch):
    pattern = make_pattern("uniform", 1000, 2, seed=4)
    monkeypatch.setattr(memory, "available_memory", lambda: 10**9)
    with pytest.raises(MemoryError, match="needs about 50 TB of memory; 1 GB are available"):
        memory.require_memory(5e13, "a matching of 1e12 points")
    memory.require_memory(10**8, "little")
    monkeypatch.setattr(phases, "estimate_bytes", lambda *a: 2e9)
    with pytest.raises(MemoryError, match="a matching of 1000 points in dimension 2 needs about 2 GB of memory; 1 GB"):
        pm.match(pattern)


def test_estimate():
    assert 40 < phases.estimate_bytes(10**7, 2) / 10**7 < 70
    assert phases.estimate_bytes(1e12, 2) > 6e13
    assert phases.estimate_bytes(10**6, 2, width=3, plain=False) > phases.estimate_bytes(10**6, 2)
    assert memory.available_memory() > 0
