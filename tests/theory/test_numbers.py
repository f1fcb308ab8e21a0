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


def test_one_color_responses(monkeypatch):
    volume = [0, 1, 10]
    monkeypatch.setattr(formulas, "response_on_line", lambda volume: 2 * volume)
    assert formulas.one_color_response(volume, 1).tolist() == [0, 2, 20]
    assert formulas.one_color_response(volume, math.inf) == pytest.approx([0, math.log(2), math.log(11)])
    assert np.isnan(formulas.one_color_response(volume, 2)).tolist() == [True] * 3


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


# ---- the fitted laws --------------------------------------------------------------------------------------------------

LAWS = {  # name: what is fitted, formula, LaTeX, parameters, values of these, value at 1/4 (u) or 3 (Y), name of the nonlinear one
    "inverse root": ("u", "C / sqrt(rho) + a + b ln rho + c sqrt(rho)", r"C / \sqrt{\rho} + a + b \ln \rho + c \sqrt{\rho}",
                     "Cabc", (3, 5, 7, 11), 16.5 - 14 * math.log(2), ""),
    "power": ("u", "C rho^-m + a", r"C \rho^{-m} + a", "Cma", (3, 1.5, 7), 31, "m"),
    "inverse": ("u", "C / rho + a + b ln rho", r"C / \rho + a + b \ln \rho", "Cab", (3, 5, 7), 17 - 14 * math.log(2), ""),
    "threshold, logarithm": ("u", "a - b ln(rho - rc) + c rho", r"a - b \ln(\rho - \rho_c) + c \rho",
                             ("a", "b", "rc", "c"), (3, 5, 0.125, 8), 5 + 15 * math.log(2), "rc"),
    "threshold, root": ("u", "C / sqrt(rho - rc) + a", r"C / \sqrt{\rho - \rho_c} + a", ("C", "rc", "a"), (3, 0.1875, 5), 17, "rc"),
    "square": ("Y", "a l^2 + b l + c", "a l^2 + b l + c", "abc", (3, 5, 7), 49, ""),
    "line": ("Y", "b l + c", "b l + c", "bc", (5, 7), 22, ""),
    "line and inverse": ("Y", "b l + c + e / l", "b l + c + e / l", "bce", (5, 7, 6), 24, ""),
}  # fmt: skip


@pytest.mark.parametrize("name", LAWS)
def test_fitted_laws(name):
    of, words, latex, parameters, values, value, bent = LAWS[name]
    law = scaling_laws.LAWS[name]
    assert (law.name, law.of, law.words, law.latex, law.parameters) == (name, of, words, latex, tuple(parameters))
    assert law.function(0.25 if of == "u" else 3.0, *values) == pytest.approx(value)
    assert (law.bent[0] if law.bent else "") == bent and list(scaling_laws.LAWS) == list(LAWS)


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
    assert scaling_laws.FIRST_A == 0.3355229 and scaling_laws.FIRST_C == 2.7118071 and scaling_laws.EXCLUDED == 10


def test_ranges_of_the_nonlinear_parameters():
    rho = np.array([0.5, 0.2, 0.4])
    threshold, power = (scaling_laws.LAWS[name].bent[1] for name in ("threshold, root", "power"))
    assert scaling_laws.LAWS["threshold, logarithm"].bent[1] is threshold
    low, high, first = threshold(rho)
    assert (low, high) == (0, pytest.approx(0.1998)) and first == pytest.approx([0.004, 0.05, 0.1, 0.15, 0.19])
    assert power(rho) == (0.01, 5, [0.2, 0.5, 1, 2])


def test_windows():
    found = [(window.of, window.words, window.min_x, window.max_x) for window in scaling_laws.WINDOWS]
    assert found[:2] == [("u", "all rho", 0, math.inf), ("u", "rho <= 0.3", 0, 0.3)]
    assert found[2:] == [("Y", f"V >= {v}", math.log(v), math.inf) for v in (8, 16, 32, 64)]
