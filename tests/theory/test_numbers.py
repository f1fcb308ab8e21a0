"""Literal numbers of the exact laws, one function each, which take milliseconds."""

import math

import numpy as np
import pytest

from poissonmatch.theory import formulas, scaling_laws, volumes


def test_unit_ball_volumes():
    found = [volumes.unit_ball_volume(dim) for dim in (1, 2, 3, 4, math.inf)]
    assert found == pytest.approx([2, math.pi, 4 * math.pi / 3, math.pi**2 / 2, 1], rel=1e-15)


def test_cutoffs():
    assert [volumes.cutoff(dim, 10.0, 40.0) for dim in (1, 2, 3, math.inf)] == [2.0, 1.25, 1.25, 2.0]


def test_mean_field_shares():
    """dy/dt = -y^2 from 1 and dy/dt = -2 y^2 from 1/2 are 1 / (1 + t) and half of it; 101 evaluations up to t = 1/2."""
    calls = []

    def rates(y):
        calls.append(y)
        return -np.array([1, 2]) * y**2

    start = np.array([1, 0.5])
    found = formulas.mean_field_shares(rates, start, np.array([[3, np.nan, -1], [0, 1e300, 1e15]]))
    expected = np.array([[0.25, np.nan, 1], [1, 1e-15, 1e-15]])
    assert found.shape == (2, 2, 3)
    np.testing.assert_allclose(found, [expected, expected / 2], rtol=1e-10, atol=1e-16)
    calls.clear()
    assert formulas.mean_field_shares(rates, start, np.array([0.5]))[:, 0] == pytest.approx([2 / 3, 1 / 3], rel=5e-11)
    assert len(calls) <= 120
    assert np.isnan(formulas.mean_field_shares(rates, start, np.full((1, 2), np.nan))).shape == (2, 1, 2)


# ---- the fitted laws ----


LAWS = {  # name: parameters, and their value at 1/4 (u) or 3 (Y)
    "inverse root": ((3, 5, 7, 11), 16.5 - 14 * math.log(2)),
    "power": ((3, 1.5, 7), 31),
    "inverse": ((3, 5, 7), 17 - 14 * math.log(2)),
    "threshold, logarithm": ((3, 5, 0.125, 8), 5 + 15 * math.log(2)),
    "threshold, root": ((3, 0.1875, 5), 17),
    "square": ((3, 5, 7), 49),
    "line": ((5, 7), 22),
    "line and inverse": ((5, 7, 6), 24),
}


@pytest.mark.parametrize("name", LAWS)
def test_fitted_laws(name):
    law, (parameters, value) = scaling_laws.LAWS[name], LAWS[name]
    assert law.function(0.25 if law.of == "u" else 3.0, *parameters) == pytest.approx(value)
    assert len(law.parameters) == len(parameters) and list(scaling_laws.LAWS) == list(LAWS)


def test_constants_of_the_laws():
    """C_d is C, or pi / (2 sqrt a), with its derivatives."""
    constants = {name: law.constant for name, law in scaling_laws.LAWS.items() if law.constant}
    assert list(constants) == ["inverse root", "square"]
    assert constants["inverse root"](3.0, 1.0, 2.0, 4.0) == (3.0, [1, 0, 0, 0])
    assert constants["square"](4.0, 1.0, 2.0) == (math.pi / 4, [-math.pi / 32, 0, 0])
    for a in (0.0, -1.0):
        value, slopes = constants["square"](a, 1.0, 2.0)
        assert math.isnan(value) and np.isnan(slopes).tolist() == [True] * 3
    assert math.isfinite(constants["square"](0.5, 1.0, 2.0)[0])
    assert constants["square"](scaling_laws.FIRST_A, 0, 0)[0] == pytest.approx(scaling_laws.FIRST_C, rel=1e-6)
