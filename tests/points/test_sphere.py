"""The sphere: matchings, desire and rounds from haversine distances, poles, the date line, processes, and a map."""

import math
import pickle

import numpy as np
import pytest

import poissonmatch as pm
from helpers import oracles
from helpers.refusals import refusal
from helpers.rules import RULES

EARTH = pm.Sphere(6371.0)


def haversines(points, radius):
    """Great-circle distances of all pairs, (n, n)."""
    longitude, latitude = np.radians(np.asarray(points, float)).T
    halves = np.sin((latitude[:, None] - latitude) / 2) ** 2
    halves += np.cos(latitude)[:, None] * np.cos(latitude) * np.sin((longitude[:, None] - longitude) / 2) ** 2
    return 2 * radius * np.arcsin(np.sqrt(np.minimum(halves, 1)))


def as_table(pattern):
    """The same distances as those of a pattern without coordinates, whose matchings need no embedding."""
    table = haversines(pattern.points, pattern.geometry.radius)
    return pm.Pattern((table + table.T) / 2, pattern.colors, pm.MeanField(1.0))


def by_haversines(pattern, rule):
    """(partner, distance), by visiting all pairs in the order of their haversine distances."""
    i, j = np.triu_indices(len(pattern), 1)
    distance = haversines(pattern.points, pattern.geometry.radius)[i, j]
    pairs = sorted(zip(distance.tolist(), i.tolist(), j.tolist(), strict=True))
    return oracles.all_pairs(pattern, rule, pairs)


def pattern_of(n, seed=0, geometry=EARTH):
    rng = np.random.default_rng([n, seed])
    points = np.column_stack([rng.uniform(-180, 360, n), np.degrees(np.arcsin(rng.uniform(-1, 1, n)))])
    return pm.Pattern(points, rng.integers(0, 2, n), geometry)


@pytest.mark.parametrize("n", (0, 1, 2, 3, 300))
@pytest.mark.parametrize("name", [name for name, rule in RULES.items() if not rule.labels and rule.n_colors <= 2])
def test_matchings_are_those_of_the_haversine_distances(name, n):
    rule, pattern = RULES[name], pattern_of(n)
    matching = pm.match(pattern, rule)
    partner, distance = by_haversines(pattern, rule)
    np.testing.assert_array_equal(matching.partner, partner)
    np.testing.assert_allclose(matching.distance, distance, rtol=1e-9)
    assert len(pm.blocking_pairs(pattern, matching)) == 0
    table = as_table(pattern)
    by_table = pm.match(table, rule)
    for radius in (1000.0, 15_000.0, math.inf):
        expected = pm.desire.desires(by_table, radius)
        np.testing.assert_array_equal(pm.desire.desires(matching, radius), expected)
    np.testing.assert_array_equal(pm.rounds(matching), pm.rounds(by_table))


def test_a_blocking_pair_across_the_date_line_and_one_across_a_pole():
    pattern = pm.Pattern([[179.9, 10.0], [-179.9, 10.0], [20.0, 89.9], [200.0, 89.9]], None, EARTH)
    by_hand = pm.Matching.from_partners(pattern, [2, 3, 0, 1])
    assert pm.blocking_pairs(pattern, by_hand).tolist() == [[0, 1], [2, 3]]
    assert pm.match(pattern).partner.tolist() == [1, 0, 3, 2]
    np.testing.assert_allclose(pattern.distance([0, 2], [1, 3]), math.radians(0.2) * 6371 * np.array([math.cos(math.radians(10)), 1]), rtol=1e-5)  # fmt: skip


def test_distances():
    sphere = pm.Sphere(2.0)
    assert float(sphere.distance([0, 0], [90, 0])) == pytest.approx(math.pi)
    assert float(sphere.distance([10, 90], [-70, -90])) == pytest.approx(2 * math.pi)
    assert float(sphere.distance([-90, 30], [270, 30])) < 1e-15 and float(sphere.distance([0, 90], [120, 90])) < 1e-15
    assert float(sphere.distance([0, 0], [1e-7, 0])) == pytest.approx(2 * math.radians(1e-7), rel=1e-7)
    lengths = np.array([0.0, 1e-6, 1.0, 3.0, 2 * math.pi])
    np.testing.assert_allclose(sphere.arc(sphere.chord(lengths)), lengths, atol=1e-12)
    assert sphere.arc(np.array([np.inf])).tolist() == [np.inf]


def test_volumes_cutoff_and_copies():
    sphere = pm.Sphere(3.0)
    assert sphere.volume == pytest.approx(36 * math.pi) and sphere.ball_volume(100.0) == pytest.approx(sphere.volume)
    assert sphere.ball_volume(sphere.cutoff) == pytest.approx(sphere.volume / 20)
    assert sphere.ball_volume(1.0) == pytest.approx(2 * math.pi * 9 * (1 - math.cos(1 / 3)))
    pattern = pattern_of(5, geometry=sphere)
    assert pickle.loads(pickle.dumps(pattern)) == pattern and sphere == pm.Sphere(3) != EARTH
    assert pattern.to_frame().columns.tolist() == ["longitude", "latitude", "color"]
    with pytest.raises(ValueError, match="read-only"):
        pattern.embedded[0] = 0


def test_uniform_points_fill_equal_areas_equally():
    pattern = pm.processes.two_color(pm.Sphere(10.0), (8.0, 4.0), rng=1)
    assert abs(len(pattern) - 12 * pattern.geometry.volume) < 5 * math.sqrt(12 * pattern.geometry.volume)
    assert abs(pattern.embedded.mean(axis=0)).max() < 5 / math.sqrt(3 * len(pattern))
    np.testing.assert_allclose((pattern.embedded**2).mean(axis=0), 1 / 3, atol=0.02)
    assert pm.processes.binomial(pm.Sphere(1.0), (2, 3), rng=1).count().tolist() == [2, 3]
    assert len(pm.processes.poisson(pm.Sphere(1.0), 0.0, rng=1)) == 0


def test_a_picture_of_a_deletion_needs_a_flat_space():
    assert "phere" in refusal(pm.deletion.without_desirers(pattern_of(10), 0).plot)


def test_a_map_breaks_arcs_at_the_date_line():
    pattern = pm.Pattern([[170.0, 10.0], [190.0, 20.0], [0.0, 0.0]], [0, 1, 0], EARTH)
    axes = pm.match(pattern, "two-color").plot().axes[0]
    (line,) = axes.lines
    longitude = line.get_xdata()
    assert np.isnan(longitude).sum() == 1 and (np.nanmin(longitude), np.nanmax(longitude)) == pytest.approx(
        (-180, 180), abs=1
    )
    assert len(axes.collections) == 2 and not pattern.plot().axes[0].lines
