"""Literal numbers of the exact laws, one function each, which take milliseconds."""

import math

import numpy as np
import pytest
from scipy import special

from poissonmatch.theory import formulas, scaling_laws, volumes
from poissonmatch.utils.errors import BadInput


def test_unit_ball_volumes():
    found = [volumes.unit_ball_volume(dim) for dim in (1, 2, 3, 4, math.inf)]
    assert found == pytest.approx([2, math.pi, 4 * math.pi / 3, math.pi**2 / 2, 1], rel=1e-15)


def test_cutoffs():
    assert [volumes.cutoff(dim, 10.0, 40.0) for dim in (1, 2, 3, math.inf)] == [2.0, 1.25, 1.25, 2.0]


def test_first_rounds():
    found = [formulas.first_round(dim) for dim in (1, 2, 3, math.inf)]
    assert found == pytest.approx([2 / 3, 0.621504896887431, 16 / 27, 1 / 2], rel=1e-14)


def test_fussy_epsilons():
    """1 - sqrt(1 - q), q being 2/3, 16/27 and 1/2."""
    found = [formulas.fussy_epsilon(dim) for dim in (1, 3, math.inf)]
    assert found == pytest.approx([1 - 3**-0.5, 1 - (11 / 27) ** 0.5, 1 - 2**-0.5], rel=1e-14)


def test_ein():
    """The series z - z^2 / 4 + z^3 / 18 - z^4 / 96 + ..., summed."""
    z = [0, 1e-9, 5e-5, 9.99e-5, 1e-4, 1.0, 2.0, 50.0]
    expected = [0.0, 9.9999999975e-10, 4.9999375007e-5, 9.98975050e-5, 9.99975000556e-5, 0.796599599297053, 1.319263356169539, 4.489238670329679]  # fmt: skip
    assert formulas.ein(z) == pytest.approx(expected, rel=1e-9)
    assert formulas.ein(1e-4) == pytest.approx(1e-4 - 1e-8 / 4 + 1e-12 / 18, rel=2e-11, abs=0)


def test_one_color_tails():
    """exp(-Ein(4 r)) and 1 / (1 + 2 r) at intensity 2."""
    r = [-1, 0, 1, 10]
    assert formulas.one_color_tail(r, 1, 2.0) == pytest.approx([1, 1, 0.139835383768121, 0.014036487089172], rel=1e-12)
    assert formulas.one_color_tail(r, math.inf, 2.0) == pytest.approx([1, 1, 1 / 3, 1 / 21])
    assert np.isnan(formulas.one_color_tail(r, 2)).tolist() == [True] * 4
    assert float(formulas.one_color_tail(1.0, 1)) == pytest.approx(0.267332, abs=5e-7)


def test_one_color_responses(monkeypatch):
    volume = [0, 1, 10]
    monkeypatch.setattr(formulas, "response_on_line", lambda volume: 2 * volume)
    assert formulas.one_color_response(volume, 1).tolist() == [0, 2, 20]
    assert formulas.one_color_response(volume, math.inf) == pytest.approx([0, math.log(2), math.log(11)])
    assert np.isnan(formulas.one_color_response(volume, 2)).tolist() == [True] * 3


@pytest.mark.parametrize(
    ("own", "other", "expected"),
    [
        (1, 0.5, [1, 1, 0.7236370082451621, 0.5333401732029395]),
        (0.5, 1, [1, 1, 0.4472740164903243, 0.06668034640587905]),
        (2, 2, [1, 1, 0.3739456962823894, 0.1529514470300456]),
        (1.5, 0.7, [1, 1, 0.6847795972770728, 0.5463652158386193]),
        (1, 0, [1, 1, 1, 1]),
        (0.1, 30, [1, 1, 2.3637666611216924e-13, 1.1188168102489237e-72]),
    ],
)
def test_two_color_tails(own, other, expected):
    assert formulas.two_color_tail(np.array([-1, 0, 0.5, 3]), own, other) == pytest.approx(expected, rel=1e-12, abs=0)


@pytest.mark.parametrize(("own", "other"), [(0.0, 1.0), (math.inf, 1.0), (1.0, -1.0), (1.0, math.inf)])
def test_intensities_out_of_range(own, other):
    with pytest.raises(BadInput) as error:
        formulas.two_color_tail(1.0, own, other)
    assert str(error.value) == f"the intensities must be numbers, own > 0 and other >= 0, got {own} and {other}"


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


def test_multi_tails():
    """With capacity 1 the tail is 1 / (1 + t). With 2, t is the integral of e^y / (1 + y) from 0 to tau."""
    assert formulas.multi_tail([1.0, 7], 1, 0) == pytest.approx([1 / 2, 1 / 8], rel=1e-10)
    tau = 1.2
    t = (special.expi(1 + tau) - special.expi(1)) / math.e
    assert formulas.multi_tail(t, 2, 0) == pytest.approx(math.exp(-tau), rel=1e-9)
    assert formulas.multi_tail(t, 2, 1) == pytest.approx(math.exp(-tau) * (1 + tau), rel=1e-9)


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        (0, [1, 0.5, 1 / 6]),
        (1, [1, 0.69089461, 0.20723999]),
        (2, [1, 0.85995935, 0.25882806]),
        (3, [1, 0.95859935, 0.32497321]),
    ],
)
def test_label_tails(label, expected):
    assert formulas.label_tail([0, 1.0, 5], label) == pytest.approx(expected, abs=6e-9)


def test_nothing_is_known():
    assert formulas.MAX_EXACT_LABEL == 9
    assert np.isnan(formulas.unknown(np.zeros((1, 2)))).tolist() == [[True, True]]


def test_imbalances():
    assert [formulas.imbalance(mean) for mean in (math.pi, 100.0)] == pytest.approx([2, 20 / math.sqrt(math.pi)])


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
