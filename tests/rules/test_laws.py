"""What the exact laws of the rules know, and numbers on finite tori, with literal numbers."""

import math

import numpy as np
import pytest

from poissonmatch import theory
from poissonmatch.rules import laws
from poissonmatch.theory.formulas import MAX_EXACT_LABEL
from poissonmatch.theory.fussy_line import MAX_RHO, MIN_RHO

R = np.array([0.5, 1.0, 2.0])
ONE, TWO = (1.0,), (1.0, 0.5)


@pytest.mark.parametrize(
    ("law", "dim", "intensities", "order"),
    [
        (laws.Law(), 1, ONE, 0),
        (laws.OneColor(), 1, ONE, 1),
        (laws.OneColor(), 2, ONE, 0),
        (laws.Multi(2), 1, ONE, 0),
        (laws.Multi(2), math.inf, ONE, 2),
        (laws.Labels(), 1, ONE, 1),
        (laws.Labels(), math.inf, ONE, MAX_EXACT_LABEL + 1),
        (laws.TwoColor(), 1, ONE, 0),
        (laws.TwoColor(), 2, TWO, 0),
        (laws.TwoColor(), 1, TWO, 1),
        (laws.Fussy(), 2, TWO, 0),
        (laws.Fussy(), 1, ONE, 0),
        (laws.Fussy(), 1, TWO, 1),
        (laws.Fussy(), 1, (1.0, 0.0005), 0),
    ],
)
def test_an_unknown_tail_is_nan_at_each_distance(law, dim, intensities, order):
    tail = law.tail(R, dim, intensities, 0, order)
    assert tail.shape == (3,) and np.isnan(tail).all()


@pytest.mark.parametrize(
    ("law", "dim", "intensities", "order"),
    [
        (laws.OneColor(), 1, ONE, 0),
        (laws.Multi(2), math.inf, ONE, 1),
        (laws.Labels(), 1, ONE, 0),
        (laws.Labels(), math.inf, ONE, MAX_EXACT_LABEL),
        (laws.TwoColor(), 1, TWO, 0),
        (laws.TwoColor(), math.inf, TWO, 0),
        (laws.Fussy(), math.inf, TWO, 0),
        (laws.Fussy(), 1, TWO, 0),
    ],
)
def test_a_known_tail_falls(law, dim, intensities, order):
    assert (np.diff(law.tail(R, dim, intensities, 0, order)) < 0).all()


def test_responses():
    assert laws.Law().response(R, 1).shape == (3,) and np.isnan(laws.Law().response(R, 1)).all()
    assert laws.OneColor().response(R, 1).tolist() == theory.one_color_response(R, 1).tolist()
    assert np.isfinite(laws.OneColor().response(R, 1)).all() and np.isnan(laws.OneColor().response(R, 2)).all()


def test_the_rules_whose_colors_have_the_same_law():
    for law in (laws.OneColor(), laws.Multi(2), laws.Labels(), laws.Misere()):
        assert law.same_for_colors(TWO) is True
    assert laws.Law().same_for_colors(TWO) is False and laws.Fussy().same_for_colors((1.0, 1.0)) is False
    assert laws.TwoColor().same_for_colors((2.0, 2.0)) and not laws.TwoColor().same_for_colors(TWO)
    assert not laws.TwoColor().same_for_colors(ONE)


def test_levels():
    assert np.isnan(laws.Law().level(1)[0]) and laws.Law().level(1)[1] is False
    assert laws.OneColor().level(2) == (0.6113, True) and laws.OneColor().level(math.inf) == (1.0, False)
    assert laws.OneColor().level(1) == (pytest.approx(0.561459, abs=1e-6), False)
    assert np.isnan(laws.OneColor().level(7)[0]) and laws.OneColor().level(7)[1] is False


def test_one_color_on_a_torus():
    """A Poisson number with mean m is odd with probability (1 - e^(-2 m)) / 2."""
    law = laws.OneColor()
    for means in ((0.5,), (0.2, 0.3)):
        assert law.alice_wins(means) == pytest.approx((1 - math.exp(-1)) / 2)
    assert law.unmatched_on_torus((0.2, 0.3), 1, fixed=False) == pytest.approx(0.6 * (1 - math.exp(-1)) / 2)
    assert [law.unmatched_on_torus((n,), 0, fixed=True) for n in (3, 4, 5)] == [1, 0, 1]
    assert law.unmatched_on_torus((3, 2), 1, fixed=True) == 0.4


def test_two_colors_on_a_torus():
    """For means 1 and .5, E max(N - M, 0) and P(N > M) are sums over two independent Poisson numbers."""
    law, k = laws.TwoColor(), np.arange(40)
    p, q = (np.exp(-m) * m**k / np.array([math.factorial(i) for i in k], float) for m in (1.0, 0.5))
    excess = k[:, None] - k
    assert law.unmatched_on_torus((1.0, 0.5), 0, fixed=False) == pytest.approx(p @ np.maximum(excess, 0) @ q)
    assert law.unmatched_on_torus((1.0, 0.5), 1, fixed=False) == pytest.approx(p @ np.maximum(-excess, 0) @ q)
    assert law.alice_wins((1.0, 0.5)) == pytest.approx(p @ (excess > 0) @ q)
    assert law.alice_wins((1.0, 0.0)) == pytest.approx(1 - math.exp(-1)) and law.alice_wins((0.0, 1.0)) == 0
    assert [law.unmatched_on_torus((7, 4), color, fixed=True) for color in (0, 1)] == [3, 0]
    assert law.unmatched_on_torus((2.0, 0.0), 0, fixed=False) == 2.0
    assert law.unmatched_on_torus((0.0, 2.0), 0, fixed=False) == 0.0
    for unknown in (law.unmatched_on_torus((2.0,), 0, fixed=True), law.alice_wins((2.0,)), law.unmatched(1, ONE, 0)):
        assert math.isnan(unknown)
    assert math.isnan(laws.Law().unmatched_on_torus((2.0,), 0, fixed=True)) and math.isnan(
        laws.Law().alice_wins((2.0,))
    )


def test_unmatched_fractions():
    for law in (laws.OneColor(), laws.Misere()):
        assert law.unmatched(2, ONE, 0) == 0.0
    two, fussy = laws.TwoColor(), laws.Fussy()
    assert [two.unmatched(2, (2.0, 0.5), color) for color in (0, 1)] == [0.75, 0.0]
    assert math.isnan(two.unmatched(2, (1.0, 0.0), 1)) and math.isnan(laws.Law().unmatched(2, ONE, 0))
    assert fussy.unmatched(3, TWO, 0) == 0.0 and math.isnan(fussy.unmatched(3, TWO, 1))
    assert fussy.unmatched(math.inf, (2.0, 1.0), 1) == pytest.approx(math.exp(-2))
    assert fussy.unmatched(1, (2.0, 1.0), 1) == pytest.approx(theory.fussy_line(0.5).u, abs=1e-7)
    assert math.isnan(fussy.unmatched(1, ONE, 0)) and math.isnan(fussy.unmatched(1, (1.0, 0.0), 1))
    curve = fussy.unmatched_curve(np.array([1e-4, 0.5, 1e3]), 1, 1)
    assert np.isnan(curve).tolist() == [True, False, True] and curve[1] == fussy.unmatched(1, (2.0, 1.0), 1)
    assert fussy.unmatched_curve(np.array([0.5, 2.0]), math.inf, 1) == pytest.approx(np.exp([-2.0, -0.5]))
    assert fussy.unmatched_curve(np.array([0.5, 2.0]), 1, 0).tolist() == [0.0, 0.0]


def test_the_ends_of_the_ratios_with_a_solution():
    fussy, ends = laws.Fussy(), np.array([MIN_RHO, MAX_RHO])
    assert np.isfinite(fussy.unmatched_curve(ends, 1, 1)).all()
    assert all(np.isfinite(fussy.unmatched(1, (1.0, ratio), 1)) for ratio in ends)
    for intensities in ((0.0, 1.0), (2.0, 0.0015)):
        assert math.isnan(fussy.unmatched(1, intensities, 1))


@pytest.mark.slow
@pytest.mark.parametrize("ratio", [MIN_RHO, MAX_RHO])
def test_the_tail_is_known_at_the_ends_of_the_ratios(ratio):
    assert np.isfinite(laws.Fussy().tail(R, 1, (1.0, ratio), 0)).all()


def test_no_partner_is_infinitely_far_in_the_mean_field_at_ratio_1():
    assert laws.TwoColor().tail(np.array([1.0, np.inf]), math.inf, (1.0, 1.0), 0) == pytest.approx([0.5, 0.0])


def test_first_rounds():
    assert laws.OneColor().first_round(1, ONE) == laws.Multi(2).first_round(1, ONE) == pytest.approx(2 / 3)
    assert laws.TwoColor().first_round(2, (3.0, 1.0)) == pytest.approx(3 / 8)
    assert math.isnan(laws.TwoColor().first_round(2, ONE)) and math.isnan(laws.Law().first_round(1, ONE))


@pytest.mark.parametrize(
    ("law", "dim", "intensities", "least"),
    [
        (laws.Law(), 1, ONE, math.inf),
        (laws.OneColor(), 1, ONE, 1.0),
        (laws.OneColor(), 3, ONE, 3.0),
        (laws.OneColor(), math.inf, ONE, 1.0),
        (laws.Multi(2), math.inf, ONE, 1.0),
        (laws.TwoColor(), 1, (1.0, 1.0), 0.5),
        (laws.TwoColor(), 2, (1.0, 1.0), 1.0),
        (laws.TwoColor(), math.inf, (1.0, 1.0), 1.0),
        (laws.TwoColor(), 3, (1.0, 1.0), math.inf),
        (laws.TwoColor(), 1, TWO, math.inf),
        (laws.Multi(2), 1, ONE, math.inf),
        (laws.Fussy(), 1, TWO, math.inf),
    ],
)
def test_the_least_moment_that_is_known_to_be_infinite(law, dim, intensities, least):
    for power in (0.25, 0.5, 0.99, 1.0, 1.5, 2.9, 3.0, 9.0):
        assert bool(law.infinite_moment(power, dim, intensities)) == (power >= least)


def test_the_mean_of_the_nearest_of_three_partners_is_not_known_to_be_infinite():
    assert not laws.Multi(3).infinite_moment(1.0, math.inf, ONE) and laws.Multi(3).infinite_moment(1.01, math.inf, ONE)
