"""Coarse coordinates from literal numbers: units, bounds of errors, and steps."""

import numpy as np
import pytest

from poissonmatch.engine.coarse import INACTIVE, coarse_coordinate, coarse_of_phase, nearer_bound


def coarse_of(origin, extent, sides, radius):
    return coarse_of_phase(np.array(origin), np.array(extent), np.array(sides), radius)


def test_units_and_bounds_on_a_torus():
    """Steps are 2^-32 of a side; lengths are in radii, errors 3 steps along each axis for either point."""
    coarse = coarse_of([0.0, 1.0], [1.0, 3.0], [1.0, 3.0], 0.5)
    assert coarse.low.tolist() == [0, 1] and coarse.steps.tolist() == [2.0**32, 2.0**32 / 3]
    assert coarse.step.tolist() == [2.0**-31, 3 * 2.0**-31] and coarse.step.dtype == np.float32
    assert (coarse.square, coarse.exact) == (4.0, 0.25)
    error, factor = 6 * 10**0.5 * 2.0**-31, 1 + 30 * 2.0**-24 + 2.0**-10
    assert coarse.factor == factor
    assert coarse.margin == pytest.approx((2 + error) * error * factor**2, rel=1e-12)
    assert nearer_bound(2.0, coarse) == 2 * factor + coarse.margin and nearer_bound(1e39, coarse) == 1e38


def test_without_a_seam_twice_the_extent_is_divided():
    coarse = coarse_of([0.0], [2.0], [np.inf], np.inf)
    assert coarse.steps.tolist() == [2.0**30] and coarse.step.tolist() == [2.0**-31]
    assert (coarse.square, coarse.exact) == (0.25, 4.0)


def test_a_box_of_one_point_and_lengths_that_overflow():
    point = coarse_of([7.0], [0.0], [np.inf], 1.0)
    assert point.steps.tolist() == [0] and point.step.tolist() == [0] and point.margin == 0
    assert point.exact == 2.0**-1022
    far = coarse_of([0.0], [1e200], [1e200], 1e-160)
    assert far.step.tolist() == [2.0**20] and far.margin == 1e38


@pytest.mark.parametrize(
    ("steps", "coordinate"),
    [(0, 0), (3, 3), (-3, -3), (2**30, 2**30), (2**31 - 1, 2**31 - 1), (2**31, -(2**31) + 1), (3 * 2**30, -(2**30))],
)
def test_coordinates_wrap_around_and_are_not_that_of_inactive_points(steps, coordinate):
    coarse = coarse_of([0.0, 0.25], [1.0, 1.0], [1.0, 1.0], 0.5)
    found = coarse_coordinate(0.25 + steps * 2.0**-32, 1, coarse)
    assert found == coordinate and INACTIVE == -(2**31)
