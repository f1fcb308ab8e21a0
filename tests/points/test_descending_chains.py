"""Descending chains against all sequences of points, one by one; what is known of their lengths."""

import math

import numpy as np
import pytest

import poissonmatch as pm
from helpers.slow_locality import every_chain
from helpers.strategies import table_pattern
from poissonmatch.points.descending_chains import chains_within, longest_chain, longest_chains, mean_field_tail
from poissonmatch.utils.errors import BadInput


def patterns():
    rng = np.random.default_rng(1)
    for n in range(7):
        for dim in (1, 2):
            for points in (rng.random((n, dim)), rng.integers(0, 3, (n, dim)) / 3):  # the second has ties
                for geometry in (pm.Torus(1.0, dim), pm.Euclidean(dim)):
                    yield pm.Pattern(points, geometry=geometry)
        yield table_pattern(rng.random((n, n)))
    lattice = np.argwhere(np.ones((3, 3))) * 0.25  # only ties: chains follow the order of pairs
    for order in (np.arange(9), rng.permutation(9)):
        yield pm.Pattern(lattice[order], geometry=pm.Euclidean(2))


def test_the_longest_chains_are_those_among_all_chains():
    for pattern in patterns():
        radii = [0.0, 0.25, 0.36] if len(pattern) > 6 else [0.0, 0.2, 0.45, np.inf]
        for radius, found in zip(radii, chains_within(pattern, radii), strict=True):
            steps = [0] * len(pattern)
            chains = list(every_chain(pattern, radius))
            for chain in chains:
                steps[chain[0]] = max(steps[chain[0]], len(chain) - 1)
            assert found.tolist() == steps == longest_chains(pattern, radius).tolist()
            for x in range(len(pattern)):
                chain = longest_chain(pattern, x, radius)
                assert chain in chains and chain[0] == x and len(chain) == steps[x] + 1


def test_long_chains_thin_out_faster_and_faster():
    """P(k steps or more) with the first step within V = 1: two steps more cost a larger factor each time."""
    counts, radius, tori = np.zeros(12), (1 / math.pi) ** 0.5, 20
    for seed in range(tori):
        steps = longest_chains(pm.processes.poisson(pm.Torus(70.0, 2), rng=seed), radius)
        counts += (steps[:, None] >= np.arange(12)).mean(axis=0) / tori
    assert abs(counts[1] - (1 - math.exp(-1))) < 0.01
    costs = counts[:6] / counts[2:8]
    assert (np.diff(costs) > 0).all() and costs[-1] > 9 and counts[11] == 0


def test_the_law_in_the_mean_field_model():
    """First steps alone: 1 - e^-V; two steps: 1 - exp(1 - V - e^-V). And against simulated trees, by tables of distances."""
    for volume in (0.0, 0.3, 1.0, 4.0):
        tail = mean_field_tail(volume, 2)
        assert tail == pytest.approx([1, -math.expm1(-volume), -math.expm1(1 - volume - math.exp(-volume))], abs=1e-12)
    counts, tori, n = np.zeros((2, 7)), 60, 300
    for seed in range(tori):
        pattern = pm.processes.binomial(pm.MeanField(float(n)), n, rng=seed)
        for row, steps in enumerate(chains_within(pattern, [1.0, 2.0])):
            counts[row] += (steps[:, None] >= np.arange(7)).mean(axis=0) / tori
    for row, volume in enumerate((1.0, 2.0)):
        assert counts[row] == pytest.approx(mean_field_tail(volume, 6), abs=0.015)


@pytest.mark.parametrize("radii", [[2, 1], []])
def test_radii_ascend(radii):
    with pytest.raises(BadInput, match="radii must ascend"):
        list(chains_within(pm.Pattern([[0.0]], geometry=pm.Euclidean(1)), radii))
