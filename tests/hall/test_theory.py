"""The exact curves against the numbers of their sources and against quadrature."""

import math

import numpy as np
import pytest
from scipy.integrate import quad

from poissonmatch import theory
from poissonmatch.rules import RULES, rule_named


@pytest.mark.parametrize(("dim", "value"), [(1, 2 / 3), (2, 0.621505), (3, 0.592593)])
def test_first_round(dim, value):
    assert theory.first_round(dim) == pytest.approx(value, abs=5e-7)


@pytest.mark.parametrize("z", [0.0, 1e-9, 9e-5, 1.1e-4, 0.3, 2.0, 50.0])
def test_ein_is_its_integral(z):
    assert theory.ein(z) == pytest.approx(
        quad(lambda t: -math.expm1(-t) / t if t else 1.0, 0, z, limit=200)[0], rel=1e-9
    )


@pytest.mark.parametrize(("r", "value"), [(0.1, 0.826605), (1.0, 0.267332), (10.0, 0.028073)])
def test_one_color_tail_in_one_dimension(r, value):
    assert theory.one_color_tail(r, 1) == pytest.approx(value, abs=5e-7)
    assert theory.one_color_tail(r / 2, 1, intensity=2.0) == theory.one_color_tail(r, 1)


def test_one_color_tail_elsewhere():
    np.testing.assert_allclose(theory.one_color_tail([0.0, 1.0, 3.0], math.inf), [1, 0.5, 0.25])
    assert np.isnan(theory.one_color_tail([1.0], 2)).all()
    assert 1e5 * theory.one_color_tail(1e5, 1) == pytest.approx(0.280730, abs=1e-6)
    assert theory.LEVELS[1] == pytest.approx(2 * 0.280730, abs=1e-6)


def test_unmatched_fraction():
    unmatched = {name: rule.law.unmatched for name, rule in RULES.items()}
    assert unmatched["one-color"](2, (1.0,), 0) == unmatched["misere"](2, (1.0,), 0) == 0
    assert unmatched["two-color"](2, (1.0, 0.25), 0) == 0.75
    assert unmatched["two-color"](2, (1.0, 0.25), 1) == 0
    assert unmatched["fussy"](math.inf, (1.0, 0.5), 1) == math.exp(-2) and unmatched["fussy"](3, (1.0, 0.5), 0) == 0
    assert math.isnan(unmatched["fussy"](2, (1.0, 0.5), 1))
    assert math.isnan(rule_named("multi(2)").law.unmatched(2, (1.0,), 0))


def test_a_law_that_needs_two_colors_knows_nothing_of_one():
    for name in ("two-color", "fussy"):
        law = RULES[name].law
        assert math.isnan(law.unmatched(2, (1.0,), 0)) and math.isnan(law.alice_wins((5.0,)))


@pytest.mark.parametrize(
    ("rule", "intensities", "unmatched", "alice"),
    [
        ("two-color", (1.0, 0.0), (1.0, math.nan), 1 - math.exp(-3)),  # she wins unless there is no point at all
        ("two-color", (0.0, 1.0), (math.nan, 1.0), 0.0),
        ("fussy", (1.0, 0.0), (0.0, math.nan), math.nan),
        ("fussy", (0.0, 1.0), (math.nan, 1.0), math.nan),  # red points have nobody
    ],
)
def test_nothing_is_known_of_a_color_without_points(rule, intensities, unmatched, alice):
    """And of the other what the limit says."""
    law = RULES[rule].law
    np.testing.assert_equal([law.unmatched(math.inf, intensities, color) for color in (0, 1)], unmatched)
    assert law.alice_wins([3 * i for i in intensities]) == pytest.approx(alice, nan_ok=True)


def test_the_tail_of_points_of_two_colors_is_that_of_all_where_the_rule_does_not_see_colors():
    law = RULES["one-color"].law
    np.testing.assert_array_equal(law.tail(np.array([0.5]), 1, (1.0, 3.0), 1), theory.one_color_tail([0.5], 1, 4.0))


def test_imbalance():
    rng = np.random.default_rng(0)
    a, b = rng.poisson(1000, (2, 100_000))
    assert np.abs(a - b).mean() == pytest.approx(theory.imbalance(1000), rel=0.01)
