"""Lengths from 1e-150 to 1e150 are matched as fractions would be, others are refused."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

import poissonmatch as pm
from helpers import oracles
from helpers.tables import tables

COLORS = np.random.default_rng(1).integers(0, 2, 60)


@pytest.mark.parametrize("dim", (1, 2, 3))
@pytest.mark.parametrize("exponent", (-480, -470, -460, -300, 400, 490))
@pytest.mark.parametrize("space", ("space", "torus"))
def test_a_power_of_two_changes_no_bit(exponent, space, dim):
    points, factor = np.random.default_rng(0).random((60, dim)) * 10, 2.0**exponent
    geometry = [pm.Torus(10.0 * f, dim) if space == "torus" else pm.Euclidean(dim) for f in (1.0, factor)]
    usual, scaled = (pm.Pattern(points * f, COLORS, g) for f, g in zip((1.0, factor), geometry, strict=True))
    i, j = np.triu_indices(60, 1)
    np.testing.assert_array_equal(scaled.distance(i, j), usual.distance(i, j) * factor)
    np.testing.assert_array_equal(scaled.geometry.distance(scaled.points[i], scaled.points[j]), scaled.distance(i, j))
    np.testing.assert_array_equal(np.stack(scaled.pair_order()), np.stack(usual.pair_order()))
    for name in ("one-color", "fussy", "misere", "multi(3)", "labels(3)"):
        one, other = pm.match(usual, name), pm.match(scaled, name)
        np.testing.assert_array_equal(other.partner, one.partner)
        np.testing.assert_array_equal(other.distance, one.distance * factor)
    np.testing.assert_array_equal(
        pm.blocking_pairs(scaled, pm.match(scaled), "fussy"), pm.blocking_pairs(usual, pm.match(usual), "fussy")
    )
    for radius in (0.5, np.inf):
        for one, other in zip(
            pm.desire.desires(pm.match(usual), radius),
            pm.desire.desires(pm.match(scaled), radius * factor),
            strict=True,
        ):
            np.testing.assert_array_equal(other, one)
    for variant, c in (("friendly", {}), ("shy", {"c": 0.5})):
        small = {"c": 0.5 * factor} if c else {}
        one, other = pm.frogs.solve(usual, variant, **c), pm.frogs.solve(scaled, variant, **small)
        np.testing.assert_array_equal(other.placements, one.placements)


MIXED = tables(__file__)


@pytest.mark.parametrize("case", MIXED)
def test_mixed_scales_are_matched_as_fractions_would_be(case):
    """The order of pairs on a line is that of exact distances, where float64 keeps them apart."""
    values = MIXED[case]
    pattern = pm.Pattern(np.array(values)[:, None], geometry=pm.Euclidean(1))
    exact = sorted((abs(Fraction(a) - Fraction(b)), i, j) for (i, a), (j, b) in combinations(enumerate(values), 2))
    expected, _ = oracles.all_pairs(pattern, pm.RULES["one-color"], [(k, i, j) for k, (_, i, j) in enumerate(exact)])
    np.testing.assert_array_equal(pm.match(pattern).partner, expected)


def test_the_smallest_coordinates():
    for works in (0.0, -0.0, 1e-150, -1e-150):
        pattern = pm.Pattern([[1.0], [0.5], [works]], geometry=pm.Euclidean(1))
        assert pm.match(pattern).partner.tolist() == [1, 0, -1]
    smallest = pm.Pattern([[1e-150], [0.0]], geometry=pm.Euclidean(1))
    assert smallest.squared_distance(0, 1) > 0 and smallest.distance(0, 1) == 1e-150


def test_points_of_a_torus_close_to_zero():
    near = pm.Pattern([[0.0], [1e-149], [3e-149]], geometry=pm.Torus(2.0, 1))
    assert pm.match(near).partner.tolist() == [1, 0, -1]
    assert pm.match(pm.Pattern(near.points[::-1], geometry=near.geometry)).partner.tolist() == [-1, 2, 1]
