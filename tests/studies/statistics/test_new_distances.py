"""What a point finds when its pair is forbidden, and the exact response on the line."""

import numpy as np
import pytest
from scipy import special
from scipy.integrate import simpson

import poissonmatch as pm
from helpers import forbidden
from poissonmatch import theory
from poissonmatch.studies.statistics.observables.responses import new_distances

SIDE = 4.0
KINDS = {
    "uniform": lambda rng, n, d: rng.random((n, d)) * SIDE,
    "clusters": lambda rng, n, d: (
        (rng.random((4, d))[rng.integers(0, 4, n)] * SIDE + rng.normal(0, 0.05, (n, d))) % SIDE
    ),
    "ties": lambda rng, n, d: rng.integers(0, 64 if d == 1 else 8, (n, d)) * (SIDE / (64 if d == 1 else 8)),
}


SHAPES = [(4.0,) * 2, (7.0,), (4.0, 1.0), (1.0, 30.0), (2.0, 1.0, 8.0)]
LARGER = [pytest.param((4.0,) * dim, marks=pytest.mark.slow) for dim in (1, 3, 4)]


@pytest.mark.parametrize("shape", [*SHAPES, *LARGER], ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_each_point_finds_the_partner_that_a_whole_new_matching_gives_it(kind, shape):
    rng, dim = np.random.default_rng(1), len(shape)
    for n, share in ((1, 0.33), (2, 0.33), (31, 0.1), (60, 0.33)):
        pattern = pm.Pattern(KINDS[kind](rng, n, dim) / SIDE * shape, None, pm.Torus(shape), wrap=True)
        largest = share * min(shape)
        found = new_distances(pm.match(pattern), largest)
        assert np.array_equal(found, forbidden.new_distances(pattern, largest), equal_nan=True)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dim", [1, 2, 3])
def test_few_points_have_the_partners_of_a_whole_new_matching(kind, dim):
    """1 to 30 points have few cells along an axis; a point must be found once, and beyond the seam on both sides."""
    rng = np.random.default_rng([37, dim])
    for n in range(1, 31):
        sides = np.linspace(1.0, 3.0, dim) if n % 2 else np.ones(dim)
        pattern = pm.Pattern(KINDS[kind](rng, n, dim) / SIDE * sides, None, pm.Torus(sides), wrap=True)
        found = new_distances(pm.match(pattern), 0.333)
        assert np.array_equal(found, forbidden.new_distances(pattern, 0.333), equal_nan=True)


def test_the_response_on_the_line_solves_its_equation():
    """Integral of D(s) e^(-ps) cosh T_s(p) = T_0 - sinh T_0 for every p, by parts for Y' (response_line.py)."""
    for p in (0.02, 0.1, 0.5, 1.0):
        s = np.linspace(0, 40 / p, 200_001)[1:]
        y, v = theory.one_color_response(2 * s, 1) / 2, -np.expm1(-2 * s) / (2 * s)
        tail = (special.exp1(p * s) - special.exp1((p + 2) * s)) / 2
        weight = np.exp(-p * s) * np.cosh(tail)
        slope = -p * weight - np.exp(-2 * p * s) * v * np.sinh(tail)
        inside = -y * slope - v * (1 + y) * weight
        start = np.log1p(2 / p) / 2
        first = -np.cosh(start)  # the integrand at 0
        found = simpson(np.concatenate([[first], inside]), x=np.concatenate([[0.0], s]))
        assert found == pytest.approx(start - np.sinh(start), rel=2e-6)


@pytest.mark.parametrize(
    ("volume", "dim", "value"),
    [
        (0.0, 1, 0.0),
        (1e-4, 1, 1e-4),  # Y = V - O(V^2)
        (2.0, 1, 1.83543),
        (8.0, 1, 4.97868),
        (2.0**41, 1, np.nan),
        (3.0, np.inf, np.log(4)),
        (3.0, 2, np.nan),
    ],
)
def test_known_responses(volume, dim, value):
    assert theory.one_color_response(volume, dim) == pytest.approx(value, rel=4e-5, nan_ok=True)


@pytest.mark.slow
def test_the_response_grows_like_the_square_of_the_logarithm():
    """a_1 = (pi / (2 C_1))^2 with C_1 = pi sqrt(1 - I/2): the formal law of docs and theory, to five digits."""
    integral = 0.50978875
    y = theory.one_color_response(2.0 ** np.array([20, 22, 24]), 1)
    assert np.diff(y, 2)[0] / np.log(4) ** 2 / 2 == pytest.approx(1 / (4 * (1 - integral / 2)), rel=1e-5)
