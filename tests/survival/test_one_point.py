"""One point moves one survivor, by brute force; what follows for rho u, on the exact curve in d = 1."""

import itertools

import numpy as np
import pytest

import poissonmatch as pm
from helpers import oracles

SPACES = [space for dim in (1, 2, 3) for space in (pm.Torus(1.0, dim), pm.Euclidean(dim))]


def matched(points, red, space):
    """Partners (-1: none) and partner distances (inf) of the fussy matching, pair by pair."""
    return oracles.all_pairs(pm.Pattern(points, red.astype(int), space), pm.RULES["fussy"])


def survivors(distance, scales):
    """Which points have no partner within each scale."""
    return distance[None] > scales[:, None]


def random_sets(space):
    """Random sets of up to 10 points, their colors, and scales at which every matching of them changes."""
    rng = np.random.default_rng([space.dim, isinstance(space, pm.Torus)])
    for _ in range(600):
        n = rng.integers(1, 11)
        points, red = rng.random((n, space.dim)), rng.random(n) < rng.choice([0.1, 0.3, 0.5])
        apart = space.distance(points[:, None], points[None])
        yield points, red, np.append(np.unique(apart) * (1 + 1e-12), 1e9)


@pytest.mark.parametrize("space", SPACES, ids=str)
def test_adding_a_point_changes_the_set_of_survivors_by_exactly_one_point(space):
    """Lemma 14 of the paper, at every scale, for a new point of either color."""
    for points, red, scales in random_sets(space):
        for new in (False, True):
            colors = np.append(red[:-1], new)
            before = survivors(matched(points[:-1], red[:-1], space)[1], scales)
            after = survivors(matched(points, colors, space)[1], scales)
            changed = np.pad(before, ((0, 0), (0, 1))) != after  # the new point survives nowhere before
            assert (changed.sum(axis=1) == 1).all()
            difference = np.where(colors, 1, -1)
            assert set(np.abs(after @ difference - before @ difference[:-1])) == {1}


@pytest.mark.parametrize("space", SPACES, ids=str)
def test_recoloring_a_green_point_changes_the_difference_by_its_case(space):
    """Lemma 16 of the paper: -2, 0 or 2 if the partner was red, 0 if it was green, and 2 without a partner."""
    seen = set()
    for points, red, scales in random_sets(space):
        partner, distance = matched(points, red, space)
        before = survivors(distance, scales) @ np.where(red, 1, -1)
        for x in np.flatnonzero(~red):
            colors = red.copy()
            colors[x] = True
            change = survivors(matched(points, colors, space)[1], scales) @ np.where(colors, 1, -1) - before
            within = distance[x] <= scales
            case = np.where(within, "red" if red[partner[x]] else "green", "none")
            seen |= set(zip(case.tolist(), change.tolist(), strict=True))
    assert {("green", 0), ("none", 2)} <= seen <= {("green", 0), ("none", 2), ("red", -2), ("red", 0), ("red", 2)}
    assert ("red", 2) in seen and ("red", 0) in seen


RHO = np.geomspace(0.005, 20, 60)


@pytest.fixture(scope="module")
def curve():
    """U = rho u(rho) on the line."""
    return RHO * np.array([pm.theory.fussy_line(rho).u for rho in RHO])


@pytest.mark.slow
def test_the_curve_on_the_line_obeys_both_theorems(curve):
    """Theorems 15 and 17 of the paper: U is Lipschitz, and two combinations of U and rho never increase."""
    change, step = np.diff(curve), np.diff(RHO)
    assert (np.abs(change) <= step).all()
    assert (np.diff((1 + RHO) * curve - RHO**2) <= 0).all()
    assert (np.diff((1 + 3 * RHO - 3 * curve) / (1 + RHO) ** 3) <= 0).all()
    assert (np.abs(change) <= 2 * RHO[1:] / (1 + RHO[1:]) * step).all()
    assert (curve <= RHO**2 / (1 + RHO)).all()
    assert (np.diff(RHO - curve) >= 0).all()  # the intensity of matched red points


@pytest.mark.slow
def test_the_curve_on_the_line_obeys_the_conjecture(curve):
    """U / (1 + rho) increases: seen, not proved."""
    assert (np.diff(curve / (1 + RHO)) > 0).all()


@pytest.mark.slow
@pytest.mark.parametrize("r", [0.5, 2.0, 8.0])
def test_the_difference_at_a_finite_scale_is_lipschitz(r):
    """Theorem 15 of the paper, and both signs of Theorem 17, at a finite scale, in green intensity 1 and total intensity 1."""
    rhos = np.linspace(0.1, 1.5, 15)
    lines = [pm.theory.fussy_line(rho) for rho in rhos]
    difference = np.array([rho * line.tail(r, 1) - line.tail(r, 0) for rho, line in zip(rhos, lines, strict=True)])
    assert (np.abs(np.diff(difference)) <= np.diff(rhos) * (1 + 1e-6)).all()
    lambdas, shares = 1 + rhos, rhos / (1 + rhos)
    green, red = (
        np.array([line.tail(r / lam, color) for lam, line in zip(lambdas, lines, strict=True)]) for color in (0, 1)
    )
    green, red = green / lambdas, red * shares  # of total intensity 1: lengths are divided by lambda
    least, most = -2 * (shares - red) / (1 - shares), 2 * (shares - red + green) / (1 - shares)
    for (f, g), (p, q), (a, b), (c, d) in (
        pairs for pairs in zip(*(itertools.pairwise(x) for x in (red - green, shares, least, most)), strict=True)
    ):
        assert min(a, b) * (q - p) - 1e-6 <= g - f <= max(c, d) * (q - p) + 1e-6
