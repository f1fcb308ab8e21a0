"""The observable `survivor_pairs`: counted as the twin does, and estimated."""

import numpy as np
import pytest

import poissonmatch as pm
from helpers.measured import numbers
from helpers.sweeps import swept
from poissonmatch.engine.octave_kernels import count_pairs
from poissonmatch.studies.statistics.observables.responses import radii_of, volumes_of


def twin(pattern, matching, r):
    """Every red with X > r, and every other such red within r of it: (pairs, reds)."""
    reds = [i for i in range(len(pattern)) if pattern.colors[i] == 1 and not matching.distance[i] <= r]
    pairs = sum(i != j and pattern.distance(i, j) <= r for i in reds for j in reds)
    return float(pairs), float(len(reds))


@pytest.mark.parametrize("rule", ["fussy", "two-color"])
@pytest.mark.parametrize("dim, ratio", [(1, 0.3), (1, 2.0), (2, 0.1), (2, 1.0), (3, 0.5)])
@pytest.mark.parametrize("scale", [1.0, 1e-90])
def test_pairs_are_counted_as_the_twin_does(rule, dim, ratio, scale):
    torus = pm.Torus(scale * 90 ** (1 / dim), dim)
    pattern = pm.processes.binomial(torus, [round(90 / (1 + ratio)), round(90 * ratio / (1 + ratio))], rng=5)
    matching = pm.match(pattern, rule)
    counted = numbers("survivor_pairs", matching)
    assert list(counted) == [("survivor_pairs", float(x)) for x in volumes_of(torus)[-48:]] and len(counted) == 48
    radii = radii_of(volumes_of(torus)[-48:], dim)
    for r, found in zip(radii[-16:], list(counted.values())[-16:], strict=True):
        assert found == twin(pattern, matching, r)
    assert all(numerator == 0 for numerator, _ in list(counted.values())[:8])


def test_points_at_one_place_and_none():
    """Three reds at one place are near each other from the least radius on; without reds there is nothing to count."""
    torus = pm.Torus(20.0, 2)
    pattern = pm.Pattern([[1, 1], [1, 1], [1, 1], [9, 9]], [1, 1, 1, 0], torus)
    counted = numbers("survivor_pairs", pm.match(pattern, "fussy"))
    assert set(counted.values()) == {(6.0, 3.0)}  # all are farther from the green point than the cut-off
    alone = pm.Pattern([[1, 1], [2, 2]], [0, 0], torus)
    assert set(numbers("survivor_pairs", pm.match(alone, "fussy")).values()) == {(0.0, 0.0)}


def test_estimates_count_the_greens_of_a_ball():
    """x is the number of greens within r; as long as all reds survive, there are rho V others within r."""
    keys = "process: binomial, rule: fussy, dims: 2, sizes: 3000, intensities: [[2.0, 1.0]], replicates: 16"
    found = swept(f"{keys}, observables: survivor_pairs").estimates
    rows = found[found["quantity"] == "survivor_pairs"]
    assert rows["x"].min() >= 0.125 and rows["x"].max() <= 2000 * np.pi / 64
    first = rows.iloc[0]
    assert abs(first["value"] - 0.5 * first["x"]) < 0.2 * first["x"]  # 1000 reds a torus; few are matched below V = 1/8
    assert (rows["standard_error"] >= 0).all() and (rows["n_replicates"] == 16).all()


@pytest.mark.slow
@pytest.mark.parametrize("dim", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("n", [1, 2, 3, 6, 20])
def test_few_points_are_counted_once(n, dim):
    """So few points have fewer than three cells along an axis, where the cells on both sides of a cell are the same."""
    rng = np.random.default_rng([37, n, dim])
    sides = np.linspace(1.0, 1.5, dim)
    radii = np.array([0.1, 0.2, 0.33])
    for _ in range(20):
        points, distance = rng.random((n, dim)) * sides, np.where(rng.random(n) < 0.7, np.inf, 0.5 * rng.random(n))
        points[1:] = (points[0] + (points[1:] - points[0]) * 0.3) % sides  # near each other, across the seam too
        apart = np.abs(points[:, None] - points[None, :])
        apart = np.sqrt((np.minimum(apart, sides - apart) ** 2).sum(axis=2))
        near = np.triu(apart < np.minimum(distance[:, None], distance[None, :]), 1)
        unmatched = np.minimum(distance[:, None], distance[None, :])
        expected = [int((near & (apart <= r) & (unmatched > r)).sum()) for r in radii]
        assert count_pairs(points, distance, sides, radii).tolist() == expected
