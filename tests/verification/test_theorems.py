"""Every exact value of the theory, simulated: seeded, |z| < 4 with standard errors over independent replicates.

Sources: [DHM] Deijfen, Holroyd, Martin (2016); [HPPS] Holroyd, Pemantle, Peres, Schramm (2009);
[HMP] Holroyd, Martin, Peres (2018). The row numbers are those of the table "Exact values" in docs/definitions-and-exact-values.md.
"""

import math

import numpy as np
import pytest
from scipy.spatial import cKDTree

import poissonmatch as pm
from poissonmatch import processes, theory
from poissonmatch.rules.catalogue import rule_named

pytestmark = pytest.mark.verification

Z = 4.0


def replicates(count, measure, seed):
    """measure(rng) for `count` independent streams, stacked."""
    return np.array([measure(np.random.default_rng([seed, k])) for k in range(count)])


def far(values, exact, bias=0.0):
    """How many standard errors the mean over replicates (axis 0) is from the exact value, beyond a stated bias; the largest."""
    error = values.std(axis=0, ddof=1) / math.sqrt(len(values))
    return np.max((np.abs(values.mean(axis=0) - exact) - bias) / error)


def tail(distance, r):
    return np.array([(distance > x).mean() for x in r])


@pytest.mark.parametrize("dim", [1, 2, 3, 4])
def test_row_1_first_round_of_one_color(dim):
    torus = pm.Torus(20_000 ** (1 / dim), dim)

    def measure(rng):
        pattern = processes.poisson(torus, rng=rng)
        near = cKDTree(pattern.points, boxsize=torus.side).query(pattern.points, k=2)[1][:, 1]
        mutual = near[near] == np.arange(len(pattern))
        assert (pm.match(pattern).partner[mutual] == near[mutual]).all()
        return mutual.mean()

    assert far(replicates(64, measure, 1), theory.first_round(dim)) < Z


@pytest.mark.parametrize("dim", [1, 2, 3])
def test_row_2_first_round_of_two_colors(dim):
    alpha, beta = 1.0, 0.4
    torus = pm.Torus(15_000 ** (1 / dim), dim)

    def measure(rng):
        pattern = processes.two_color(torus, (alpha, beta), rng=rng)
        a, b = (np.flatnonzero(pattern.colors == c) for c in (0, 1))
        to_b = cKDTree(pattern.points[b], boxsize=torus.side).query(pattern.points[a])[1]
        to_a = cKDTree(pattern.points[a], boxsize=torus.side).query(pattern.points[b])[1]
        mutual = to_a[to_b] == np.arange(len(a))
        assert (pm.match(pattern, "two-color").partner[a[mutual]] == b[to_b[mutual]]).all()
        return mutual.mean()

    assert far(replicates(64, measure, 2), beta / (alpha + beta)) < Z


def test_row_3_one_color_tail_in_one_dimension():
    torus, r = pm.Torus(100_000.0, 1), np.array([0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 50.0])
    values = replicates(64, lambda rng: tail(pm.match(processes.poisson(torus, rng=rng)).distance, r), 3)
    assert far(values, theory.one_color_tail(r, 1)) < Z


@pytest.mark.parametrize("dim, level", [(1, math.exp(-np.euler_gamma)), (2, 0.6113), (3, 0.6558)])
def test_row_4_one_color_tail_levels_off(dim, level):
    """[HPPS] Thm 5; the levels of d = 2, 3 are measured."""
    torus = pm.Torus(200_000 ** (1 / dim), dim)
    radius = np.array([8.0, 16.0])
    radius = (radius / float(torus.ball_volume(1.0))) ** (1 / dim)  # so that a ball holds 8 and 16 points
    assert radius.max() < torus.cutoff
    values = replicates(48, lambda rng: tail(pm.match(processes.poisson(torus, rng=rng)).distance, radius), 4)
    # at V = 8, 16 the curve has levelled off to a relative 1 / V^2 or less in d = 1 (exp(-Ein)); allow 0.003
    assert far(values * torus.ball_volume(radius), level, bias=0.0005 if dim == 1 else 0.003) < Z


def test_row_5_two_color_tail_is_a_power_law():
    """[HPPS] Thm 2: in d = 1, P(X > r) is about r^(-1/2): the local exponent between r = 20 and 200."""
    torus = pm.Torus(100_000.0, 1)

    def measure(rng):
        pattern = processes.two_color(torus, rng=rng)
        low, high = tail(pm.match(pattern, "two-color").distance, [20.0, 200.0])
        return math.log(high / low) / math.log(10)

    assert far(replicates(64, measure, 5), -0.5, bias=0.02) < Z


@pytest.mark.parametrize("dim", [1, 2, 3])
@pytest.mark.parametrize("beta", [0.5, 0.9, 1.3])
def test_row_6_two_color_excess(dim, beta):
    torus = pm.Torus(10_000 ** (1 / dim), dim)

    def measure(rng):
        matching = pm.match(pattern := processes.two_color(torus, (1.0, beta), rng=rng), "two-color")
        return np.bincount(pattern.colors[matching.unmatched], minlength=2) / torus.volume

    values = replicates(64, measure, 6)
    assert far(values[:, 1 if beta > 1 else 0], abs(1 - beta)) < Z
    assert (values[:, 0 if beta > 1 else 1] == 0).all()


def test_row_7_imbalance_of_even_colors():
    torus = pm.Torus(50.0, 2)

    def measure(rng):
        return len(pm.match(processes.two_color(torus, rng=rng), "two-color").unmatched)

    assert far(replicates(1000, measure, 7), theory.imbalance(torus.volume)) < Z


VOLUMES = np.array([0.25, 1.0, 4.0, 10.0])


def test_row_8_mean_field_one_color():
    torus = pm.MeanField(3000.0)
    values = replicates(48, lambda rng: tail(pm.match(processes.poisson(torus, rng=rng)).distance, VOLUMES), 8)
    assert far(values, 1 / (1 + VOLUMES)) < Z


def test_row_8_mean_field_two_colors():
    torus = pm.MeanField(1500.0)

    def measure(rng):
        n = 1500
        pattern = processes.binomial(torus, (n, n), rng=rng)
        return tail(pm.match(pattern, "two-color").distance, VOLUMES)

    assert far(replicates(48, measure, 9), 1 / (1 + VOLUMES)) < Z


@pytest.mark.parametrize("rho", [0.3, 0.5, 1.0])
def test_row_8_mean_field_fussy(rho):
    torus = pm.MeanField(3000 / (1 + rho))

    def measure(rng):
        pattern = processes.two_color(torus, (1.0, rho), rng=rng)
        alone = pm.match(pattern, "fussy").partner[pattern.colors == 1] < 0
        return alone.mean()

    assert far(replicates(64, measure, 10), math.exp(-1 / rho)) < Z


@pytest.mark.parametrize("rule, width", [("multi(3)", 3), ("labels(3)", 3)])
def test_rows_10_and_11_mean_field_partners_of_each_order(rule, width):
    torus = pm.MeanField(2000.0)

    def measure(rng):
        found = pm.match(processes.poisson(torus, rng=rng), rule).distances
        return np.array([tail(found[:, order], VOLUMES) for order in range(width)])

    law = rule_named(rule).law
    exact = [law.tail(VOLUMES, math.inf, (1.0,), 0, order) for order in range(width)]
    assert far(replicates(48, measure, 11), np.array(exact)) < Z


RADII = np.array([0.03, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0])
SIDE, TORI = 60_000.0, 64


def far_tails_of_both_colors(rule, intensities, exact, seed):
    """How far P(X > r) of each color at RADII, and the share of its points that are unmatched, are from exact (2, 8).

    Where 100 points are expected on all tori together, or more, so that the error is Gaussian.
    """
    torus = pm.Torus(SIDE, 1)

    def measure(rng):
        pattern = processes.two_color(torus, intensities, rng=rng)
        distance = pm.match(pattern, rule).distance
        return np.array([tail(distance[pattern.colors == color], [*RADII, SIDE]) for color in (0, 1)])

    seen = exact * SIDE * TORI * np.array(intensities)[:, None] > 100
    assert seen[:, :3].all()
    return far(replicates(TORI, measure, seed)[:, seen], exact[seen])


@pytest.mark.parametrize("other", [0.5, 0.9, 1.3, 3.0])
def test_row_12_two_color_tail_in_one_dimension(other):
    exact = [[*theory.two_color_tail(RADII, a, b), max(0, a - b) / a] for a, b in ((1.0, other), (other, 1.0))]
    assert far_tails_of_both_colors("two-color", (1.0, other), np.array(exact), 12) < Z


def test_row_12_two_color_tail_in_one_dimension_of_equal_intensities():
    torus = pm.Torus(SIDE, 1)

    def measure(rng):
        return tail(pm.match(processes.two_color(torus, rng=rng), "two-color").distance, RADII)

    assert far(replicates(TORI, measure, 14), theory.two_color_tail(RADII, 1.0, 1.0)) < Z


@pytest.mark.parametrize("rho", [0.1, 0.3, 1.0, 3.0])
def test_row_13_fussy_in_one_dimension(rho):
    line = theory.fussy_line(rho)
    exact = [[*line.tail(RADII, 0), 0], [*line.tail(RADII, 1), line.u]]
    assert far_tails_of_both_colors("fussy", (1.0, rho), np.array(exact), 13) < Z
