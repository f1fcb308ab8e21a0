"""Structure factors and number variances: direct sums over all wave vectors and points, exact values, and both against each other."""

import itertools
import math

import numpy as np
import pytest
from scipy import special

import poissonmatch as pm
from poissonmatch.points import second_moments

TORI = [pm.Torus(9.0, 1), pm.Torus((8.0, 5.0), 2), pm.Torus(4.0, 3)]


def structure_factor_by_sums(pattern, max_n):
    """Mean of |sum of exp(-i k x)|^2 / n over the wave vectors of each shell, one sum after the other."""
    sides = np.asarray(pattern.geometry.sides)
    found = {}
    for n in itertools.product(range(-max_n - 1, max_n + 2), repeat=len(sides)):
        k = 2 * np.pi * np.array(n) / sides
        shell = math.floor(np.linalg.norm(k) * sides.max() / (2 * np.pi) + 0.5)
        if 1 <= shell <= max_n:
            found.setdefault(shell, []).append((k @ k, abs(np.exp(-1j * pattern.points @ k).sum()) ** 2 / len(pattern)))
    means = np.array([np.mean(found[shell], axis=0) for shell in sorted(found)])
    return np.sqrt(means[:, 0]), means[:, 1], [len(found[shell]) // 2 for shell in sorted(found)]


@pytest.mark.parametrize("torus", TORI, ids=str)
def test_direct_sums(torus):
    pattern = pm.processes.poisson(torus, rng=2)
    found = pm.structure_factor(pattern, max_n=4)
    k, s, vectors = structure_factor_by_sums(pattern, 4)
    np.testing.assert_allclose(found.k, k, rtol=1e-12)
    np.testing.assert_allclose(found.s, s, rtol=1e-6, atol=1e-6)
    assert found.vectors.tolist() == vectors


def test_a_lattice_has_0_below_its_first_peak():
    lattice = pm.processes.lattice(pm.Torus(10.0, 2), rng=1)
    assert (pm.structure_factor(lattice, max_n=9).s == 0).all() and pm.structure_factor(lattice, max_n=10).s[9] > 1
    one = pm.structure_factor(pm.Pattern([[1.0]], None, pm.Torus(7.0, 1)), max_n=3)
    np.testing.assert_allclose(one.s, 1, rtol=1e-9)


@pytest.mark.parametrize("torus", TORI, ids=str)
def test_numbers_in_balls(torus):
    pattern, radii = pm.processes.poisson(torus, rng=3), np.array([0.4, 1.3, 2.0])
    count, rng = 4000, np.random.default_rng(5)
    centers = rng.random((count, int(torus.dim))) * torus.sides
    apart = np.abs(centers[:, None] - pattern.points)
    distance = np.linalg.norm(np.minimum(apart, torus.sides - apart), axis=2)
    mean = len(pattern) * torus.ball_volume(radii) / torus.volume
    squares = ((distance[:, :, None] <= radii).sum(axis=1) - mean) ** 2 / mean
    error = squares.std(axis=0) / math.sqrt(count)
    found = pm.number_variance(pattern, radii, centers=count)
    assert (np.abs(found - squares.mean(axis=0)) < 4 * math.sqrt(2) * error).all()


def test_the_number_variance_is_an_integral_of_the_structure_factor():
    # Parseval: the variance over centers is the sum over k of S(k) |w(k)|^2 / V, w the transform of the ball.
    torus, r = pm.Torus(12.0, 2), 1.5
    pattern = pm.processes.thomas(torus, rng=4)
    sums = second_moments.Shells.between((12.0, 12.0), (0.5, 400.5)).sums(pattern.points)
    n = np.arange(-400, 401)
    k = 2 * np.pi / 12 * np.hypot(*np.meshgrid(n, n))
    k[400, 400] = np.inf  # the mean
    ball = np.where(np.isinf(k), 0, 2 * np.pi * r * special.j1(k * r) / k)
    exact = (np.abs(sums) ** 2 * ball**2).sum() / torus.volume**2 / (len(pattern) * np.pi * r**2 / torus.volume)
    assert pm.number_variance(pattern, r, centers=200_000) == pytest.approx(exact, rel=0.01)
