"""Tori with a side for each axis: the engine against the oracle, and all that reads a side."""

import numpy as np
import pytest

import poissonmatch as pm
from helpers import oracles
from helpers.rules import RULES, wrong
from helpers.strategies import KINDS, make_pattern

SHAPES = {1: [(7.0,)], 2: [(1.0, 3.0), (0.3, 1e3), (1.0, 2.0**-40)], 3: [(1.0, 2.0, 4.0), (1e-3, 1.0, 0.7)]}


def stretched(kind, n, shape, seed=0):
    """A pattern of this kind, each axis times a factor: most ties of lattices and seams stay ties."""
    cube = make_pattern(kind, n, len(shape), seed=seed)
    factors = np.array(shape) / cube.geometry.side
    return pm.Pattern(cube.points * factors, cube.colors, pm.Torus(shape), wrap=True)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dim", (1, 2, pytest.param(3, marks=pytest.mark.slow)))
def test_oracle(kind, dim):
    for shape in SHAPES[dim]:
        for n in (2, 17, 80):
            pattern = stretched(kind, n, shape)
            pairs = oracles.pair_list(pattern)
            assert [w for name in RULES for w in wrong(pattern, RULES[name], pairs, (1, 2))] == []


def test_a_pair_across_a_short_side_blocks():
    points = [[0.05, 1.0], [0.95, 1.0], [0.3, 1.0], [0.6, 1.0]]  # 0.1 apart, through the seam
    pattern = pm.Pattern(points, geometry=pm.Torus((1.0, 5.0)))
    apart = pm.Matching.from_partners(pattern, [2, 3, 0, 1])
    assert pm.blocking_pairs(pattern, apart).tolist() == [[0, 1]]
    assert pm.match(pattern).partner.tolist() == [1, 0, 3, 2]


def test_equal_sides_are_one_number():
    assert pm.Torus((3, 3.0)) == pm.Torus(3, 2) and hash(pm.Torus([3, 3])) == hash(pm.Torus(3.0, 2))
    assert pm.Torus((3, 3)).side == 3.0 and pm.Torus((3, 4)).side == (3.0, 4.0)
    assert pm.Torus(np.array([1.0, 2.0]), 2) == pm.Torus((1, 2)) != pm.Torus((2, 1))
    assert repr(pm.Torus((1, 2))) == "Torus(side=(1.0, 2.0), dim=2)"


def test_volume_cutoff_and_distance():
    torus = pm.Torus((2.0, 10.0))
    assert torus.volume == 20.0 and torus.cutoff == 0.25 and torus.sides.tolist() == [2.0, 10.0]
    assert torus.distance([0.1, 0.1], [1.9, 9.8]) == pytest.approx(np.hypot(0.2, 0.3))
    assert torus.wrap(np.array([[2.5, -1.0]])).tolist() == [[0.5, 9.0]]


@pytest.mark.parametrize("name", [name for name, process in pm.processes.PROCESSES.items()])
def test_processes_fill_rectangles(name):
    """Mean counts in the four quarters are alike (5 standard errors of what Poisson counts have)."""
    torus, process = pm.Torus((10.0, 40.0)), pm.processes.PROCESSES[name]
    counts, shares = np.zeros((2, 2)), [1 / len(process.intensities)] * len(process.intensities)
    for seed in range(20):
        points = process.pattern(torus, 400, shares, np.random.default_rng(seed)).points
        counts += np.histogram2d(*points.T, bins=2, range=[(0, 10), (0, 40)])[0]
    spread = 3 if name == "thomas" else 1  # clusters
    assert np.abs(counts - counts.mean()).max() < 5 * spread * np.sqrt(counts.mean())
    assert counts.mean() == pytest.approx(2000, rel=0.1 if name == "thomas" else 0.05)
