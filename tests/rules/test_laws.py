"""The exact laws of the rules: tails against the equations of their definitions, limits of tori, and moments that grow."""

import math

import numpy as np
import pytest
from scipy import integrate, stats

import poissonmatch as pm
from helpers import mean_field
from helpers.plain_calls import frozen
from helpers.tables import tables
from poissonmatch import theory
from poissonmatch.rules import laws
from poissonmatch.rules.catalogue import RULES, rule_named
from poissonmatch.theory.fussy_line import MAX_RHO, MIN_RHO

INF, NAN = math.inf, math.nan
NAMES = [*RULES, "multi(2)", "multi(3)", "labels(3)"]
CASES = [
    (name, intensities, color, order)
    for name in NAMES
    for intensities in ((2.0, 0.3), (1.0, 1.0), (0.5, 1.5))
    for color in (0, 1)
    for order in range(max(rule_named(name).labels, *rule_named(name).capacity))
]


def law_of(name):
    return rule_named(name).law


@pytest.mark.parametrize("name, intensities, color, order", CASES)
def test_tails_of_the_mean_field_model(name, intensities, color, order):
    """Against the equations of all kinds of points; order 0 of one partner also by the integral of its own rates of meeting."""
    rule, volumes = rule_named(name), np.array([0.01, 0.3, 1.0, 4.0, 30.0, 500.0])
    found = rule.law.tail(volumes, INF, intensities, color, order)
    if name == "misere":
        assert np.isnan(found).all()
        return
    np.testing.assert_allclose(found, mean_field.tail(rule, intensities, color, order, volumes), rtol=1e-6, atol=1e-9)
    if rule.capacity == (1,) and order == 0:
        allowed = np.broadcast_to(rule.matrix(), (2, 2))[color]

        def rate(v):
            return sum(i * rule.law.tail(v, INF, intensities, c) for c, i in enumerate(intensities) if allowed[c])

        met = integrate.quad(rate, 0, 4, epsabs=1e-9)[0]
        assert found[3] == pytest.approx(math.exp(-met), rel=1e-7)


@pytest.mark.parametrize("dim", [1, INF])
@pytest.mark.parametrize("name, intensities, color, order", CASES)
def test_a_tail_falls_from_1_to_the_unmatched_fraction(name, intensities, color, order, dim):
    """At first at the rate of compatible points; to the same limit as the unmatched fraction; and it has a level if one is known."""
    rule, r = rule_named(name), np.array([NAN, -1.0, 0.0, 1e-7, 0.1, 3.0, 1e9])
    tail = rule.law.tail(r, dim, intensities, color, order)
    on_the_line = name in ("one-color", "two-color", "fussy") or (name, order) == ("labels(3)", 0)
    is_known = on_the_line if dim == 1 else name != "misere"
    assert is_known != np.isnan(tail).all()
    if not is_known:
        return
    assert math.isnan(tail[0]) and tail[1] == tail[2] == 1 and (np.diff(tail[2:]) <= 0).all()
    unmatched = rule.law.unmatched(dim, intensities, color)
    assert math.isnan(unmatched) or tail[-1] == pytest.approx(unmatched, abs=1e-4)
    if order == 0:
        near = np.broadcast_to(rule.matrix(), (2, 2))[color] @ intensities * (2 if dim == 1 else 1)
        # Of the fussy law the values are interpolated by cubic polynomials, whose slope at the first one is estimated.
        assert (1 - tail[3]) / 1e-7 == pytest.approx(near, rel=2e-3 if name == "fussy" else 1e-5)
        level = rule.law.level(dim)[0]
        volume = 1e9 * sum(intensities) * (2 if dim == 1 else 1)
        assert math.isnan(level) or tail[-1] * volume == pytest.approx(level, rel=1e-6)
    if rule.law.same_for_colors(intensities):
        np.testing.assert_array_equal(tail, rule.law.tail(r, dim, intensities, 1 - color, order))


TABLES = tables(__file__, "known.toml")
LAWS = {  # (rule, dim, intensities, color, order): the tail that the law gives; all others are unknown
    ("one-color", 1, (1.0, 3.0), 1, 0): lambda r: theory.one_color_tail(r, 1, 4.0),
    ("labels(3)", 1, (1.0, 2.0), 1, 0): lambda r: theory.one_color_tail(r, 1, 3.0),
    ("two-color", 1, (1.0, 0.3), 1, 0): lambda r: theory.two_color_tail(r, 0.3, 1.0),
    ("fussy", 1, (1.0, 3.0), 0, 0): lambda r: theory.fussy_line(3).tail(r, 0),
    ("fussy", 1, (2.0, 6.0), 1, 0): lambda r: theory.fussy_line(3).tail(2 * r, 1),
    **dict.fromkeys(frozen(TABLES["unknown_tails"])),
}


@pytest.mark.parametrize("case", LAWS, ids=str)
def test_which_tails_are_known(case):
    name, dim, intensities, color, order = case
    r = np.array([[0.0, 0.2], [1.0, 7.0]])
    expected = LAWS[case](r) if LAWS[case] else np.full((2, 2), NAN)
    np.testing.assert_array_equal(law_of(name).tail(r, dim, intensities, color, order), expected)


def test_unmatched_fractions():
    ratios = np.array([3.0, 0.0005, 10.0, 1000.0])
    line = [theory.fussy_line(3).u, NAN, theory.fussy_line(10).u, NAN]
    for name, dim, color, expected in (
        ("fussy", 1, 1, line), ("fussy", INF, 1, np.exp(-1 / ratios)), ("fussy", 2, 1, np.full(4, NAN)), ("fussy", 1, 0, np.zeros(4)),
        ("two-color", 2, 0, [0, 0.9995, 0, 0]), ("one-color", 2, 0, np.zeros(4)), ("misere", 2, 1, np.zeros(4)), ("multi(2)", 2, 0, np.full(4, NAN)),
    ):  # fmt: skip
        np.testing.assert_allclose(law_of(name).unmatched_curve(ratios, dim, color), expected, rtol=2e-7)


@pytest.mark.parametrize("name, intensities, unmatched, alice", TABLES["color_without_points"])
def test_nothing_is_known_of_a_color_without_points(name, intensities, unmatched, alice):
    """And of the other what the limit says."""
    law = law_of(name)
    np.testing.assert_equal([law.unmatched(INF, intensities, color) for color in range(len(unmatched))], unmatched)
    assert law.alice_wins([3 * i for i in intensities]) == pytest.approx(alice, nan_ok=True)


@pytest.mark.parametrize("fixed", [False, True])
@pytest.mark.parametrize("means", [(3.0, 2.0), (2.0, 3.0), (4.0, 4.0), (5.0, 0.0)])
@pytest.mark.parametrize("name", NAMES)
def test_unmatched_points_of_a_torus(name, means, fixed):
    """The sum over all pairs of numbers; and for larger tori the unmatched fraction in infinite volume."""
    law, rule, numbers = law_of(name), rule_named(name), np.arange(60)
    a, b = np.meshgrid(numbers, numbers, indexing="ij")
    excess = np.maximum(0, a - b) if name == "two-color" else (a + b) % 2 * a / np.maximum(a + b, 1)
    chance = np.outer(*((numbers == mean) if fixed else stats.poisson.pmf(numbers, mean) for mean in means))
    found = law.unmatched_on_torus(means, 0, fixed)
    if math.isnan(found):
        assert name not in ("one-color", "two-color")
        return
    assert found == pytest.approx((excess * chance).sum(), rel=1e-9)
    assert rule.n_colors == 1 or law.unmatched_on_torus(means[::-1], 1, fixed) == pytest.approx(found, rel=1e-12)
    limit = law.unmatched(2, means, 0)
    far = [
        abs(law.unmatched_on_torus([n * mean for mean in means], 0, fixed) / (n * means[0]) - limit)
        for n in (1, 100, 10_000)
    ]
    assert far[2] <= far[1] <= far[0] and far[2] < 5e-3


@pytest.mark.parametrize("ratio, limit", [(0.9, 1.0), (1.1, 0.0)])
def test_the_share_of_wins_becomes_a_step(ratio, limit):
    """Alice wins with an amber point too many: of Poisson numbers, against their plain sum; on larger tori the share tends to 0 or 1."""
    law = law_of("two-color")
    distance = [abs(law.alice_wins((n, ratio * n)) - limit) for n in (10, 100, 1000, 10000)]
    assert distance == sorted(distance, reverse=True) and distance[-1] < 1e-6
    amber, blue = (stats.poisson(mean).pmf(np.arange(120)) for mean in (10, 10 * ratio))
    assert law.alice_wins((10, 10 * ratio)) == pytest.approx(np.tril(np.outer(amber, blue), -1).sum())
    assert law_of("one-color").alice_wins((0.2, 0.3)) == pytest.approx(
        stats.poisson(0.5).pmf(np.arange(1, 30, 2)).sum()
    )


@pytest.mark.parametrize("rule, dim, intensities, value", TABLES["first_rounds"])
def test_first_rounds_of_the_rules(rule, dim, intensities, value):
    found = law_of(rule).first_round(dim, intensities)
    assert found == pytest.approx(value, abs=1e-6, nan_ok=True)
    if not math.isnan(value) and dim == 2:
        pattern = pm.processes.two_color(pm.Torus(60.0, 2), intensities, rng=1)
        assert (pm.rounds(pm.match(pattern, rule)) == 1).mean() == pytest.approx(value, abs=0.03)


def test_greens_that_take_each_other_in_the_first_round():
    """Their intensity is q / (1 + rho), which fussy_epsilon counts on."""
    found = []
    for seed in range(10):
        pattern = pm.processes.two_color(pm.Torus(60.0, 2), (1.0, 0.8), rng=seed)
        matching = pm.match(pattern, "fussy")
        pairs = matching.pairs[pm.rounds(matching)[matching.pairs[:, 0]] == 1]
        found.append((pattern.colors[pairs] == 0).all(axis=1).sum() * 2 / 60**2)
    assert abs(np.mean(found) - theory.first_round(2) / 1.8) < 4 * np.std(found) / 3


def test_levels_responses_and_rules_whose_colors_have_the_same_law():
    assert laws.LEVELS == {1: pytest.approx(0.5614595), 2: 0.6113, 3: 0.6558, 4: 0.6950, INF: 1.0}
    assert law_of("one-color").level(2) == (0.6113, True) and not law_of("one-color").level(1)[1]
    volumes = np.array([0.0, 0.4, 50.0])
    assert law_of("one-color").response(volumes, 1).tolist() == theory.one_color_response(volumes, 1).tolist()
    assert np.isnan(law_of("one-color").response(volumes, 2)).all() and np.isnan(laws.Law().response(volumes, 1)).all()
    assert {name for name in NAMES if law_of(name).same_for_colors((1.0, 0.5))} == {*NAMES} - {"two-color", "fussy"}
    assert {name for name in NAMES if law_of(name).same_for_colors((2.0, 2.0))} == {*NAMES} - {"fussy"}
    assert not law_of("two-color").same_for_colors((1.0,))


@pytest.mark.slow
@pytest.mark.parametrize("ratio", [MIN_RHO, MAX_RHO])
def test_the_law_of_fussy_is_known_at_the_ends_of_the_ratios(ratio):
    assert np.isfinite(law_of("fussy").tail(np.array([0.0, 2.0, 50.0]), 1, (1.0, ratio), 0)).all()
    assert np.isfinite(law_of("fussy").unmatched(1, (1.0, ratio), 1))


# ---- moments ----

INFINITE = frozen(TABLES["infinite"])


@pytest.mark.parametrize("rule, dim, intensities, smallest, source", INFINITE)
def test_which_moments_are_known_to_be_infinite(rule, dim, intensities, smallest, source):
    law = law_of(rule)
    for power in (0.4, 0.5, 0.9, 1, 1.5, 2, 3, 4):
        assert law.infinite_moment(power, dim, intensities) == (power >= smallest)
    moments = law.moments(dim, intensities)
    assert math.isnan(moments.power) == math.isnan(smallest) and moments.source == source


@pytest.mark.parametrize("power", [0.5, 1])
@pytest.mark.parametrize("rule, dim, intensities, smallest", [c[:4] for c in INFINITE if c[1] in (1, INF)])
def test_a_moment_is_infinite_if_each_decade_of_the_exact_tail_adds_to_it(rule, dim, intensities, smallest, power):
    """E X^q is the integral of q r^(q - 1) P(r < X < inf). Decade k adds a constant times 1/k in a mean field of multi(2), and 1/k^2 of multi(3)."""
    law = law_of(rule)
    if np.isnan(law.tail(np.array([1.0]), dim, intensities, 0)).any():
        pytest.skip("the tail is not known")
    alone = law.unmatched(dim, intensities, 0)
    alone = 0.0 if math.isnan(alone) else alone
    adds = []
    for decade in (5, 10):
        r = np.geomspace(10.0**decade, 10.0 ** (decade + 1), 400)
        adds.append(np.trapezoid(r ** (power - 1) * (law.tail(r, dim, intensities, 0) - alone), r))
    assert (adds[1] > 0.35 * adds[0] > 1e-9) == (smallest <= power)


@pytest.mark.parametrize("rho", [0.5, 1.5])
def test_the_structure_factor_of_unmatched_reds_at_0_is_their_dispersion(rho):
    limits = law_of("fussy").structure_factor_limits(1, (2.0, 2.0 * rho), 1, (1.0, 1.0))
    assert math.isnan(limits[0]) and limits[1] == pytest.approx(theory.fussy_dispersion(rho), rel=1e-9)
