"""Lengths from 1e-300 to 1e149: what float64 can hold is matched as fractions would be, the rest is refused."""

from fractions import Fraction

import numpy as np
import pytest

import poissonmatch as pm
from helpers import oracles
from helpers.rules import RULES

POINTS = np.random.default_rng(0).random((60, 2)) * 10
COLORS = np.random.default_rng(1).integers(0, 2, 60)


@pytest.mark.parametrize("exponent", (-1000, -900, -600, -520, -470, -460, 0, 400))
@pytest.mark.parametrize("space", ("space", "torus"))
def test_a_power_of_two_changes_no_bit(exponent, space):
    """At 1e-200 every squared distance was 0, and points were matched by their index."""
    if space == "torus" and abs(exponent) > 490:
        pytest.skip("no torus is so small")
    points, factor = np.floor(POINTS * 2**40) / 2**40, 2.0**exponent  # so that no bit is lost below 2^-1022
    geometry = [pm.Torus(10.0 * f, 2) if space == "torus" else pm.Euclidean(2) for f in (1.0, factor)]
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
            pm.desire.desires(usual, pm.match(usual), radius),
            pm.desire.desires(scaled, pm.match(scaled), radius * factor),
            strict=True,
        ):
            np.testing.assert_array_equal(other, one)
    for variant, c in (("friendly", {}), ("shy", {"c": 0.5})):
        small = {"c": 0.5 * factor} if c else {}
        one, other = pm.frogs.solve(usual, variant, **c), pm.frogs.solve(scaled, variant, **small)
        np.testing.assert_array_equal(other.placements, one.placements)


MIXED = {
    "one tiny": [0.0, 1e-200, 3e-200, 1.0, 1.5],
    "a ladder": [0.0, *10.0 ** np.arange(-150.0, 121.0, 30.0)],
    "subnormal": [0.0, 5e-324, 1.5e-323, 2e-320, 3e-300],
    "negative": [-1e-200, 1e-200, 4e-200, 2.0, 3.5],
    "both ends": [1e-130, 3e-130, 1e149, 1.2e149],
    "beside the seam": [0.0, 1e-290, 1e-289, np.nextafter(1e-9, 0)],
}


@pytest.mark.parametrize("case", MIXED)
def test_mixed_scales_are_matched_as_fractions_would_be(case):
    """The order of pairs on a line is that of exact distances, where float64 keeps them apart."""
    values = MIXED[case]
    pattern = pm.Pattern(np.array(values)[:, None], geometry=pm.Euclidean(1))
    left, expected = set(range(len(values))), np.full(len(values), -1)
    pairs = sorted(
        (abs(Fraction(a) - Fraction(b)), i, j) for i, a in enumerate(values) for j, b in enumerate(values) if i < j
    )
    for _, i, j in pairs:
        if {i, j} <= left:
            expected[[i, j]], left = [j, i], left - {i, j}
    np.testing.assert_array_equal(pm.match(pattern).partner, expected)


@pytest.mark.parametrize(
    "points, words",
    [
        ([[1.0], [0.0], [1e-300]], "row 2, coordinate 0: 1e-300 is too close to 0 beside 1 "),
        ([[-5e-324], [1e-3]], "row 0, coordinate 0: -5e-324 is too close to 0 beside 0.001 "),
        ([[1e150], [1e-150]], r"row 1, coordinate 0: 1e-150 is too close to 0 beside 1e\+150 "),
    ],
)
def test_scales_too_far_apart_name_the_smallest_that_works(points, words):
    with pytest.raises(ValueError, match=words) as caught:
        pm.Pattern(points, geometry=pm.Euclidean(1))
    least = float(str(caught.value).rpartition("at least ")[2])
    works = np.where((np.abs(points) > 0) & (np.abs(points) < least), least, points)
    pattern = pm.Pattern(works, geometry=pm.Euclidean(1))
    assert 0 < pattern.squared_distance(0, 1) < np.inf
    for bad in (works * 0.01, -works * 0.01):
        with pytest.raises(ValueError, match="too close to 0"):
            pm.Pattern(np.where(np.abs(works) == least, bad, works), geometry=pm.Euclidean(1))


def test_points_of_a_torus_too_close_to_zero():
    with pytest.raises(
        ValueError, match="row 0, coordinate 1: 1e-300 is too close to 0 beside 2 .* write 0, or at least"
    ):
        pm.Pattern([[0.0, 1e-300], [1.0, 1.0]], geometry=pm.Torus(2.0, 2))
    tied = pm.Pattern([[0.0], [1e-200], [3e-200]], geometry=pm.Torus(2.0, 1))
    assert pm.match(tied).partner.tolist() == [1, 0, -1]
    assert pm.match(pm.Pattern(tied.points[::-1], geometry=tied.geometry)).partner.tolist() == [-1, 2, 1]


@pytest.mark.parametrize("value", (1e151, -1e160, 1e300, -1.7e308))
def test_what_would_overflow_is_named(value):
    with pytest.raises(
        ValueError, match=r"row 1, coordinate 0: .* is beyond 1e\+150, where squared distances overflow"
    ):
        pm.Pattern([[0.0, 1.0], [value, 0.0]], geometry=pm.Euclidean(2))


def test_the_largest_are_exact():
    pattern = pm.Pattern(POINTS * 1e149, COLORS, pm.Euclidean(2))
    partner, distance = oracles.all_pairs(pattern, RULES["one-color"])
    np.testing.assert_array_equal(pm.match(pattern).partner, partner)
    np.testing.assert_array_equal(pm.match(pattern).distance, distance)
