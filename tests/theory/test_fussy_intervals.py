"""Bounds of the fussy matching on the line by interval arithmetic: they enclose the exact values, and directed rounding costs little."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

import poissonmatch as pm
from poissonmatch.theory import fussy_intervals, lipschitz
from poissonmatch.theory.fussy_intervals import survivor_bounds


@pytest.mark.parametrize("rho, r, steps", [(1.0, 1.0, 64), (0.6, 2.0, 128), (0.3, 0.5, 64)])
def test_the_bounds_enclose_the_exact_intensities(rho, r, steps):
    line = pm.theory.fussy_line(rho)
    green, red = survivor_bounds(rho, r, steps)
    assert green[0] < line.tail(r, 0) < green[1] and red[0] < rho * line.tail(r, 1) < red[1]
    finer = survivor_bounds(rho, r, 2 * steps)
    for coarse, fine in zip((green, red), finer, strict=True):
        assert coarse[0] <= fine[0] <= fine[1] <= coarse[1]
        assert fine[1] - fine[0] < 0.7 * (coarse[1] - coarse[0])


@pytest.mark.slow
@pytest.mark.parametrize("rho", [1.0, 0.5, 0.1])
def test_fine_bounds_enclose_the_exact_intensities(rho):
    """With cells of width 2**-13 the bounds differ by 0.3 %."""
    line = pm.theory.fussy_line(rho)
    green, red = survivor_bounds(rho, 0.5, 4096)
    for (low, high), exact in ((green, line.tail(0.5, 0)), (red, rho * line.tail(0.5, 1))):
        assert low < exact < high < 1.0031 * low


# Ratios, r and steps: by Theorem 5 of the paper each shows u > 0 on an interval around it.
POINTS = [
    (1.0, 1.0, 128),
    (0.6, 1.0, 256),
    (0.47, 2.0, 1024),
    (0.41, 2.0, 2048),
    (0.36, 4.0, 4096),
    (0.33, 4.0, 8192),
    (0.3, 8.0, 2**14),
    (0.28, 8.0, 2**15),
    (0.265, 8.0, 2**16),
]


@pytest.mark.parametrize(
    "points, low",
    [
        (POINTS[:5], 0.328),
        pytest.param(POINTS[4:7], 0.286, marks=pytest.mark.slow),
        pytest.param(POINTS[6:], 0.24665, marks=pytest.mark.verification),
    ],
)
def test_u_is_positive_on_intervals_around_points_that_join(points, low):
    """A computed theorem, beside the proof for every rho: docs/paper/theorem-on-the-line.md, Proposition 8."""
    covered = []
    for rho, r, steps in points:
        green, red = survivor_bounds(rho, r, steps)
        covered.append(lipschitz.covers(rho, red[0] - green[1]))
    assert all(above[0] < below[1] for above, below in itertools.pairwise(covered)) and covered[-1][0] < low


def exact_bounds(rho, r, steps, root_low, root_high):
    """The same bounds cell by cell, in rational numbers."""
    h = Fraction(r) / steps
    lower = [[Fraction(x)] * steps for x in (1, root_low, rho)]
    upper = [[Fraction(x)] * steps for x in (1, root_high, rho)]

    def loss(v, w, k, m, choose):
        gg, gr, rr = (choose(row[m], row[m - 1]) if m else row[0] for row in k)
        return 2 * h * (v * gg + w * gr), h * (v * gr + w * (gg + rr)), 2 * h * w * gr

    g, q = [Fraction(1)] * 2, [Fraction(root_low), Fraction(root_high)]
    for i in range(steps):
        v, w = upper[0][i], upper[1][i]
        losses = [loss(v, w, upper, j - i, max) for j in range(i, steps)]
        for row in range(3):
            for j in range(i, steps):
                lower[row][j] = max(lower[row][j] - losses[j - i][row], Fraction(0))
        a, b = lower[0][i], lower[1][i]
        lower[0][i] = lower[1][i] = Fraction(0)
        losses = [loss(a, b, lower, j - i, min) for j in range(i, steps)]
        for row in range(3):
            for j in range(i, steps):
                upper[row][j] -= losses[j - i][row]
        upper[0][i] = upper[1][i] = Fraction(0)
        g[0], q[0] = max(g[0] - h * (v * g[1] + w * q[1]), Fraction(0)), max(q[0] - h * w * g[1], Fraction(0))
        g[1], q[1] = g[1] - h * (a * g[0] + b * q[0]), q[1] - h * b * g[0]
    return [x**2 for x in g], [x**2 for x in q]


@pytest.mark.parametrize("rho, r, steps", [(0.5, 1.0, 8), (0.3, 2.0, 8)])
def test_directed_rounding_is_outside_of_rational_arithmetic(rho, r, steps):
    rounded = survivor_bounds(rho, r, steps)
    exact = exact_bounds(rho, r, steps, math.nextafter(math.sqrt(rho), 0), math.nextafter(math.sqrt(rho), 2))
    for (a, b), (x, y) in zip(rounded, exact, strict=True):
        assert Fraction(a) <= x <= y <= Fraction(b)
        assert float(x) - a < 1e-13 and b - float(y) < 1e-13


def test_every_rounded_operation_is_followed_by_a_step_outwards():
    x = np.array([0.0, 0.1, 1e300])
    assert (fussy_intervals._up(x) > x).all() and (fussy_intervals._down(x) < x).all()
