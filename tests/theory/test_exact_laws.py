"""The exact curves against the numbers of their sources and against quadrature."""

import math

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad

import poissonmatch as pm
from helpers import mean_field
from poissonmatch import theory
from poissonmatch.rules import laws
from poissonmatch.rules.catalogue import RULES, rule_named
from poissonmatch.theory.fussy_line import MAX_RHO, MIN_RHO


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
    assert laws.LEVELS[1] == pytest.approx(2 * 0.280730, abs=1e-6)


@pytest.mark.parametrize(
    ("a", "b", "r", "of_a", "of_b"),
    [
        (1, 1, 1, 0.3739457, 0.3739457),
        (1, 1.5, 1, 0.2136088, 0.4757392),
        (1, 3, 5, 4.8510e-5, 0.6666828),
    ],
)
def test_two_color_tail(a, b, r, of_a, of_b):
    for own, other, value in ((a, b, of_a), (b, a, of_b)):
        digit = 0.6 * 10 ** math.floor(math.log10(value) - (3 if value < 1e-3 else 6))
        assert abs(theory.two_color_tail(r, own, other) - value) < digit


RADII = np.array([0.0, 1e-6, 0.03, 0.4, 2.0, 50.0])


@pytest.mark.parametrize("ratio", [1e-9, 0.01, 0.3, 1 - 1e-6, 1 - 1e-15, 1, 1 + 1e-9, 7, 1e6])
def test_two_color_tail_at_any_ratio(ratio):
    """As many of one color are matched as of the other, at every r; the minority to the last; and in another unit of length."""
    own, other = theory.two_color_tail(RADII, 1, ratio), theory.two_color_tail(RADII, ratio, 1)
    np.testing.assert_allclose(1 - own, ratio * (1 - other), rtol=1e-9, atol=1e-13 * (1 + ratio))
    assert own[0] == other[0] == 1 and (np.diff(own) <= 0).all() and (np.diff(other) <= 0).all()
    assert theory.two_color_tail(math.inf, 1, ratio) == pytest.approx(max(0, 1 - ratio), rel=1e-15)
    np.testing.assert_allclose(theory.two_color_tail(RADII / 3e9, 3e9, 3e9 * ratio), own, rtol=1e-12)
    near = 1e-6 / (1 + ratio)  # where a point has another within r, it is most likely its partner
    assert 1 - theory.two_color_tail(near, 1, ratio) == pytest.approx(2 * near * ratio, rel=1e-5)


def test_two_color_tail_by_quadrature():
    """eta is a quarter of the integral of e^-t / t from q r to s r."""
    own, other, r = 1.0, 2.5, 0.7
    s, q = (1 + math.sqrt(other)) ** 2, (1 - math.sqrt(other)) ** 2
    eta = quad(lambda t: math.exp(-t) / t, q * r, s * r)[0] / 4
    assert theory.two_color_tail(r, own, other) == pytest.approx(1.5 * math.sinh(eta) ** 2, rel=1e-10)
    assert theory.two_color_tail(r, other, own) == pytest.approx(1.5 / 2.5 * math.cosh(eta) ** 2, rel=1e-10)


def test_two_color_tail_where_a_color_is_rare():
    """Nobody is there: all stay alone. Nearly nobody of one's own color: the nearest point is the partner."""
    np.testing.assert_array_equal(theory.two_color_tail(RADII, 1, 0), 1)
    np.testing.assert_allclose(theory.two_color_tail(RADII[:5], 1e-12, 1), np.exp(-2 * RADII[:5]), rtol=1e-5)


@pytest.mark.parametrize("own, other", [(0, 1), (-1, 1), (1, -1), (math.nan, 1), (1, math.inf)])
def test_two_color_tail_of_no_intensity(own, other):
    with pytest.raises(ValueError, match="must be numbers, own > 0 and other >= 0"):
        theory.two_color_tail(1.0, own, other)


VOLUMES = np.array([0.01, 0.3, 1.0, 4.0, 30.0, 500.0])
MEAN_FIELD = [  # rule, intensities, color, order
    ("one-color", (1.0,), 0, 0),
    ("one-color", (0.5, 1.5), 1, 0),
    ("two-color", (1.0, 1.0), 0, 0),
    ("two-color", (1.0, 1.7), 0, 0),
    ("two-color", (1.0, 1.7), 1, 0),
    ("two-color", (2.0, 0.1), 0, 0),
    ("fussy", (1.0, 0.4), 0, 0),
    ("fussy", (1.0, 0.4), 1, 0),
    ("fussy", (2.0, 5.0), 0, 0),
    ("fussy", (2.0, 5.0), 1, 0),
    *[("multi(1)", (1.0,), 0, 0), *[("multi(3)", (2.0,), 0, order) for order in range(3)]],
    *[("labels(4)", (0.7,), 0, label) for label in range(4)],
]


@pytest.mark.parametrize(("name", "intensities", "color", "order"), MEAN_FIELD)
def test_tails_of_the_mean_field_model(name, intensities, color, order):
    rule = rule_named(name)
    expected = mean_field.tail(rule, intensities, color, order, VOLUMES)
    found = rule.law.tail(VOLUMES, math.inf, intensities, color, order)
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-9)
    shaped = rule.law.tail(np.array([[0.0, 1e9], [-1.0, np.nan]]), math.inf, intensities, color, order)
    assert shaped[0, 0] == shaped[1, 0] == 1 and np.isnan(shaped[1, 1])
    assert shaped[0, 1] == pytest.approx(max(0, rule.law.unmatched(math.inf, intensities, color)), abs=1e-6)


def test_the_two_labels_of_the_mean_field_model():
    """docs/definitions-and-exact-values.md, row 11."""
    assert theory.label_tail(1.0, 1) == pytest.approx(0.6909, abs=5e-5)
    np.testing.assert_allclose(theory.label_tail(VOLUMES, 0), 1 / (1 + VOLUMES), rtol=1e-9)


LAWS = {  # (rule, dim, intensities, color, order): the tail that the law gives; all others are unknown
    ("one-color", 1, (1.0,), 0, 0): lambda r: theory.one_color_tail(r, 1),
    ("one-color", 1, (1.0, 3.0), 1, 0): lambda r: theory.one_color_tail(r, 1, 4.0),
    ("labels(3)", 1, (1.0, 2.0), 1, 0): lambda r: theory.one_color_tail(r, 1, 3.0),
    ("two-color", 1, (1.0, 0.3), 0, 0): lambda r: theory.two_color_tail(r, 1.0, 0.3),
    ("two-color", 1, (1.0, 0.3), 1, 0): lambda r: theory.two_color_tail(r, 0.3, 1.0),
    ("fussy", 1, (1.0, 3.0), 0, 0): lambda r: theory.fussy_line(3).tail(r, 0),
    ("fussy", 1, (2.0, 6.0), 1, 0): lambda r: theory.fussy_line(3).tail(2 * r, 1),
    ("fussy", 1, (1.0, 0.0005), 1, 0): None,
    ("fussy", 1, (1.0, 300.0), 0, 0): None,
    ("fussy", 1, (1.0,), 0, 0): None,
    ("fussy", 2, (1.0, 1.0), 1, 0): None,
    ("fussy", 1, (1.0, 3.0), 0, 1): None,
    ("two-color", 2, (1.0, 1.0), 0, 0): None,
    ("two-color", 1, (1.0,), 0, 0): None,
    ("one-color", 3, (1.0,), 0, 0): None,
    ("multi(2)", 1, (1.0,), 0, 0): None,
    ("multi(2)", math.inf, (1.0,), 0, 2): None,
    ("labels(3)", 1, (1.0,), 0, 1): None,
    ("labels(64)", math.inf, (1.0,), 0, 40): None,
    ("misere", 1, (1.0,), 0, 0): None,
}


@pytest.mark.parametrize("case", LAWS, ids=str)
def test_which_tails_are_known(case):
    name, dim, intensities, color, order = case
    r = np.array([[0.0, 0.2], [1.0, 7.0]])
    expected = LAWS[case](r) if LAWS[case] else np.full((2, 2), np.nan)
    np.testing.assert_array_equal(rule_named(name).law.tail(r, dim, intensities, color, order), expected)


def test_unmatched_fractions_at_many_ratios():
    ratios = np.array([3.0, 0.0005, 10.0, 1000.0])
    curves = {name: rule.law.unmatched_curve for name, rule in RULES.items()}
    line = [theory.fussy_line(3).u, math.nan, theory.fussy_line(10).u, math.nan]
    np.testing.assert_allclose(curves["fussy"](ratios, 1, 1), line, rtol=2e-7)
    np.testing.assert_array_equal(curves["fussy"](ratios, 1, 0), np.zeros(4))
    np.testing.assert_allclose(curves["fussy"](ratios, math.inf, 1), np.exp(-1 / ratios))
    np.testing.assert_array_equal(curves["fussy"](ratios, 2, 1), np.full(4, np.nan))
    np.testing.assert_allclose(curves["two-color"](ratios, 2, 0), [0, 0.9995, 0, 0])
    assert curves["one-color"](ratios, 3, 0).tolist() == [0] * 4


def test_unmatched_fraction():
    unmatched = {name: rule.law.unmatched for name, rule in RULES.items()}
    assert unmatched["one-color"](2, (1.0,), 0) == unmatched["misere"](2, (1.0,), 0) == 0
    assert [unmatched["two-color"](2, (1.0, 0.25), color) for color in (0, 1)] == [0.75, 0]
    assert unmatched["fussy"](1, (2.0, 6.0), 1) == pytest.approx(theory.fussy_line(3).u, rel=2e-7)
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


def test_imbalance():
    rng = np.random.default_rng(0)
    a, b = rng.poisson(1000, (2, 100_000))
    assert np.abs(a - b).mean() == pytest.approx(theory.imbalance(1000), rel=0.01)


@pytest.mark.parametrize(("dim", "value"), [(1, 0.422650), (2, 0.384780), (3, 0.361715), (math.inf, 0.292893)])
def test_what_one_round_says_of_fussy_reds(dim, value):
    """The epsilon of the open problem: above 1 - epsilon the first round leaves too few greens, as the exact shares confirm."""
    assert theory.fussy_epsilon(dim) == pytest.approx(value, abs=5e-7)
    for rho in (1 - value + 1e-3, 0.8):
        least = rho - 1 + theory.first_round(dim) / (1 + rho)  # reds that are left, at least
        assert least > 0
        if dim in (1, math.inf):
            left = theory.fussy_line(rho).u if dim == 1 else math.exp(-1 / rho)
            assert rho * left >= least


def test_greens_that_take_each_other_in_the_first_round():
    """Their intensity is q / (1 + rho), which fussy_epsilon counts on."""
    found = []
    for seed in range(10):
        pattern = pm.processes.two_color(pm.Torus(60.0, 2), (1.0, 0.8), rng=seed)
        matching = pm.match(pattern, "fussy")
        pairs = matching.pairs[pm.rounds(matching)[matching.pairs[:, 0]] == 1]
        found.append((pattern.colors[pairs] == 0).all(axis=1).sum() * 2 / 60**2)
    assert abs(np.mean(found) - theory.first_round(2) / 1.8) < 4 * np.std(found) / 3


@pytest.mark.parametrize(
    ("rule", "intensities", "dim", "value"),
    [
        ("one-color", (2.0,), 2, 0.621505),
        ("one-color", (1.0, 3.0), math.inf, 0.5),
        ("multi(3)", (1.0,), 1, 2 / 3),
        ("two-color", (1.0, 2.0), 2, 4 / 9),
        ("two-color", (1.0,), 2, math.nan),
        ("fussy", (1.0, 1.0), 2, math.nan),
    ],
)
def test_first_rounds_of_the_rules(rule, intensities, dim, value):
    found = rule_named(rule).law.first_round(dim, intensities)
    assert found == pytest.approx(value, abs=1e-6, nan_ok=True)
    if not math.isnan(value) and dim == 2:
        pattern = pm.processes.two_color(pm.Torus(60.0, 2), intensities, rng=1)
        assert (pm.rounds(pm.match(pattern, rule)) == 1).mean() == pytest.approx(value, abs=0.03)


@pytest.mark.parametrize(("own", "other"), [(3.0, 2.0), (2.0, 3.0), (4.0, 4.0), (5.0, 0.0)])
def test_unmatched_points_of_two_colors_on_a_torus(own, other):
    """E max(0, N_A - N_B), summed over all pairs of numbers; fixed numbers leave their difference."""
    a, b = np.meshgrid(np.arange(60), np.arange(60), indexing="ij")
    expected = (np.maximum(0, a - b) * stats.poisson.pmf(a, own) * stats.poisson.pmf(b, other)).sum()
    law = RULES["two-color"].law
    assert law.unmatched_on_torus((own, other), 0, fixed=False) == pytest.approx(expected, rel=1e-9)
    assert law.unmatched_on_torus((other, own), 1, fixed=False) == pytest.approx(expected, rel=1e-9)
    assert law.unmatched_on_torus((own, other), 0, fixed=True) == max(0, own - other)


def test_unmatched_points_of_one_color_on_a_torus():
    law = RULES["one-color"].law
    odd = stats.poisson.pmf(np.arange(1, 60, 2), 2.5).sum()
    assert law.unmatched_on_torus((2.5,), 0, fixed=False) == pytest.approx(odd)
    assert law.unmatched_on_torus((1.0, 1.5), 1, fixed=False) == pytest.approx(0.6 * odd)
    assert [law.unmatched_on_torus((n,), 0, fixed=True) for n in (6, 7)] == [0, 1]
    assert math.isnan(RULES["fussy"].law.unmatched_on_torus((3.0, 2.0), 1, fixed=False))


def test_levels_are_those_that_were_measured():
    assert laws.LEVELS == {1: pytest.approx(0.5614595), 2: 0.6113, 3: 0.6558, 4: 0.6950, math.inf: 1.0}
    assert RULES["one-color"].law.level(2) == (0.6113, True) and not RULES["one-color"].law.level(1)[1]


@pytest.mark.parametrize(("ratio", "limit"), [(0.9, 1.0), (1.1, 0.0)])
def test_the_share_of_wins_becomes_a_step(ratio, limit):
    """Alice wins with an amber point too many: of Poisson numbers, against their plain sum; on larger tori the share tends to 0 or 1."""
    law = RULES["two-color"].law
    distance = [abs(law.alice_wins((n, ratio * n)) - limit) for n in (10, 100, 1000, 10000)]
    assert distance == sorted(distance, reverse=True) and distance[-1] < 1e-6
    amber, blue = (stats.poisson(mean).pmf(np.arange(120)) for mean in (10, 10 * ratio))
    assert law.alice_wins((10, 10 * ratio)) == pytest.approx(np.tril(np.outer(amber, blue), -1).sum())


def test_the_winner_of_one_color_on_a_torus():
    """A Poisson number with mean m is odd with probability (1 - e^(-2 m)) / 2."""
    for means in ((0.5,), (0.2, 0.3)):
        assert RULES["one-color"].law.alice_wins(means) == pytest.approx((1 - math.exp(-1)) / 2)


@pytest.mark.parametrize(
    ("rule", "intensities", "same"),
    [
        ("one-color", (1.0, 0.5), True),
        ("multi(2)", (1.0, 0.5), True),
        ("labels(2)", (1.0, 0.5), True),
        ("misere", (1.0, 0.5), True),
        ("fussy", (1.0, 1.0), False),
        ("two-color", (2.0, 2.0), True),
        ("two-color", (1.0, 0.5), False),
        ("two-color", (1.0,), False),
    ],
)
def test_the_rules_whose_colors_have_the_same_law(rule, intensities, same):
    assert bool(rule_named(rule).law.same_for_colors(intensities)) == same


def test_responses():
    law = RULES["one-color"].law
    assert law.response(RADII, 1).tolist() == theory.one_color_response(RADII, 1).tolist()
    assert np.isnan(law.response(RADII, 2)).all() and np.isnan(laws.Law().response(RADII, 1)).all()


@pytest.mark.slow
@pytest.mark.parametrize("ratio", [MIN_RHO, MAX_RHO])
def test_the_law_of_fussy_is_known_at_the_ends_of_the_ratios(ratio):
    assert np.isfinite(RULES["fussy"].law.tail(RADII, 1, (1.0, ratio), 0)).all()
    assert np.isfinite(RULES["fussy"].law.unmatched(1, (1.0, ratio), 1))
