"""The neighbor search, compared with all pairs; the order of pairs: test_decimal_grid.py."""

import itertools

import numpy as np
import pytest

import poissonmatch as pm
from helpers.strategies import table_pattern
from poissonmatch.points.neighbors import Neighbors, nearest_points


def patterns():
    rng = np.random.default_rng(0)
    for dim, space in itertools.product((1, 2, 3), (pm.Torus, pm.Box)):
        yield pm.Pattern(rng.integers(0, 6, (80, dim)) * 1.5, geometry=space(9.0, dim))
        yield pm.Pattern(9 * rng.random((80, dim)), geometry=space(9.0, dim))
    yield table_pattern(rng.exponential(9.0, (60, 60)), volume=9.0)
    yield pm.Pattern(9 * rng.random((80, 2)), geometry=pm.Euclidean(2))
    yield pm.Pattern(rng.uniform((-180, -90), (360, 90), (80, 2)), geometry=pm.Sphere(3.0))


@pytest.mark.parametrize("pattern", list(patterns()), ids=lambda pattern: repr(pattern.geometry))
@pytest.mark.parametrize("radius", (0.0, 1.5, 3.1, np.inf))
def test_neighbors_are_those_of_all_pairs(pattern, radius):
    """Found are all pairs within the radius, each once, and none beyond the slack."""
    n = len(pattern)
    rows = np.arange(n)
    table = pattern.distance(rows[:, None], rows[None, :])
    nearest = [min(set(rows.tolist()) - {x}, key=lambda z: (pattern.squared_distance(x, z), z)) for x in rows.tolist()]
    assert nearest_points(pattern).tolist() == nearest
    members, centers = rows[rows % 3 > 0], rows[rows % 2 == 0]
    radii = np.where(centers % 4 == 0, radius, 1.0)
    pieces = list(Neighbors(pattern, members).around(centers, radii))
    found = [pair for x, y in pieces for pair in zip(x.tolist(), y.tolist(), strict=True)]
    expected = {(x, y) for x, r in zip(centers.tolist(), radii, strict=True) for y in members if table[x, y] <= r}
    assert len(found) == len(set(found)) and {(x, y) for x, y in found if x != y or (x, y) in expected} == expected
    if radius < np.inf:
        i, j = Neighbors(pattern, members).pairs(radius)
        expected = {(x, y) for x, y in itertools.combinations(members.tolist(), 2) if table[x, y] <= radius}
        assert set(zip(i.tolist(), j.tolist(), strict=True)) == expected
        assert abs(Neighbors(pattern).count_pairs(radius) - np.count_nonzero(np.triu(table <= radius, 1))) <= n
