"""The observable `flip`: counted as the twin does, with the mean of R/G - rho."""

import numpy as np
import pytest

import poissonmatch as pm
from helpers.measured import numbers
from poissonmatch.matching.flip_distances import flip_distances
from poissonmatch.studies.statistics.observables import flips


def twin(pattern, matching):
    """For each red x the least |xy| over the other reds y with X(x), X(y) > |xy|, from all pairs."""
    red = pattern.colors == 1
    points, own = pattern.points[red], matching.distance[red]
    distance = pattern.geometry.distance(points[:, None], points[None])
    good = (distance < own) & (distance < own[:, None]) & ~np.eye(len(points), dtype=bool)
    return np.where(good, distance, np.inf).min(axis=1)


@pytest.mark.parametrize("dim, ratio", [(1, 0.1), (1, 2.0), (2, 0.3), (2, 5.0), (3, 0.5)])
@pytest.mark.parametrize("seed", range(3))
def test_distances_are_those_of_the_twin(dim, ratio, seed):
    pattern = pm.processes.two_color(pm.Torus(120 ** (1 / dim), dim), intensities=(1.0, ratio), rng=seed)
    matching, limit = pm.match(pattern, "fussy"), 0.49 * pattern.geometry.side
    expected = twin(pattern, matching)
    expected[expected > limit] = np.inf
    assert flip_distances(matching, limit) == pytest.approx(expected, rel=1e-12)


def test_counts_at_each_radius():
    pattern = pm.processes.two_color(pm.Torus(30.0, 2), intensities=(1.0, 0.4), rng=3)
    matching = pm.match(pattern, "fussy")
    counted, red = numbers("flip", matching), np.flatnonzero(pattern.colors == 1)
    near, distance = twin(pattern, matching), matching.distance
    radii = flips.radii_of(pattern.geometry)
    volumes = pattern.geometry.ball_volume(radii)
    assert list(counted) == [("flip_excess", float(v)) for v in volumes] and radii[-1] <= 30 / 8 < radii[-1] * 1.13
    for r, (flipped, greens) in zip(radii, counted.values(), strict=True):
        assert flipped == np.count_nonzero((near <= r) & (distance[red] > r))
        assert greens == np.count_nonzero(distance[pattern.colors == 0] > r)
    assert counted["flip_excess", float(volumes[-1])][0] > 10


def test_points_at_one_place_and_none():
    torus = pm.Torus(20.0, 2)
    pattern = pm.Pattern([[1, 1], [1, 1], [1, 1], [9, 9]], [1, 1, 1, 0], torus)
    assert flip_distances(pm.match(pattern, "fussy"), 2.0).tolist() == [0, 0, 0]
    for colors in ([0, 0], [0, 1]):
        few = pm.Pattern([[1, 1], [2, 2]], colors, torus)
        assert not np.isfinite(flip_distances(pm.match(few, "fussy"), 2.0)).any()
        assert {flipped for flipped, _ in numbers("flip", pm.match(few, "fussy")).values()} == {0.0}


@pytest.mark.slow
@pytest.mark.parametrize("dim, ratio", [(1, 0.3), (2, 0.3), (3, 0.5)])
def test_the_mean_is_that_of_eps_minus_rho(dim, ratio):
    """On tori of some 60 points the identity R' = R - rho G is exact in the mean; 3.5 standard errors of their difference."""
    tori, rows = 600, []
    for rng in np.random.default_rng(dim).spawn(tori):
        pattern = pm.processes.two_color(pm.Torus((60 / (1 + ratio)) ** (1 / dim), dim), (1.0, ratio), rng=rng)
        matching = pm.match(pattern, "fussy")
        r = pattern.geometry.side * np.array([0.1, 0.2, 0.4])
        near, red = flip_distances(matching, r[-1]), matching.distance[pattern.colors == 1, None]
        flipped = ((near[:, None] <= r) & (red > r)).sum(axis=0)
        rows.append(
            [flipped, (red > r).sum(axis=0) - ratio * (matching.distance[pattern.colors == 0, None] > r).sum(axis=0)]
        )
    flipped, plain = np.moveaxis(np.array(rows, float), 1, 0)
    error = np.std(flipped - plain, axis=0, ddof=1) / tori**0.5
    assert (abs((flipped - plain).mean(axis=0)) < 3.5 * error).all() and (flipped.mean(axis=0) > 5 * error).all()
    assert (flipped.std(axis=0) < plain.std(axis=0)).all()
