"""Few points: the one call that matches them, against the phases of large sets; `wrong` compares it with the oracle."""

import numpy as np
import pytest

import poissonmatch as pm
from helpers.rules import FORBIDDEN, RULES, SMALL, recolored, rule_for
from helpers.strategies import make_pattern
from poissonmatch.engine import phases, small_sets


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
