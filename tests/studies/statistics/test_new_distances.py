"""What a point finds when its pair is forbidden, and the exact response on the line."""

import numpy as np
import pytest

import poissonmatch as pm
from helpers import forbidden
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
