"""The observables `rounds` and `chains`: counted as the twins do."""

import math

import pytest

import poissonmatch as pm
from helpers.measured import numbers
from helpers.slow_locality import balls_of_a_question, every_chain, rounds_of_pairs
from poissonmatch.rules.catalogue import rule_named


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["one-color", "two-color", "fussy", "misere", "multi(3)"])
@pytest.mark.parametrize("space", [pm.Torus(4.0, 1), pm.Torus(2.0, 2), pm.MeanField(9.0)])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 30])
def test_rounds_are_counted_as_the_twin_does(rule, space, n):
    pattern = pm.processes.binomial(space, [n // 2, n - n // 2], rng=n)
    matching = pm.match(pattern, rule)
    found = rounds_of_pairs(pattern, rule_named(rule))
    first = [min((k for pair, k in found.items() if x in pair), default=99) for x in range(n)]
    counted = numbers("rounds", matching)
    assert counted.pop(("rounds", None)) == (max(found.values(), default=0), 1)
    assert counted == {("round_tail", float(k)): (sum(f > k for f in first), n) for k in range(1, 31)}


@pytest.mark.parametrize("space", [pm.Torus(8.0, 1), pm.Torus(8.0**0.5, 2), pm.MeanField(8.0)])
@pytest.mark.parametrize("n", [0, 1, 2, 8])
def test_chains_are_counted_as_the_twin_does(space, n):
    pattern = pm.processes.binomial(space, n, rng=n)
    counted = numbers("chains", pm.match(pattern))
    steps = {}
    for v in (0.125, 0.25, 0.5, 1.0, 2.0):  # a ball of v points; more would be too many chains for the twin
        ball = v * 8 / max(n, 1)
        radius = {1: ball / 2, 2: (ball / math.pi) ** 0.5, math.inf: ball}[space.dim]
        steps[v] = [0] * n
        for chain in every_chain(pattern, radius):
            steps[v][chain[0]] = max(steps[v][chain[0]], len(chain) - 1)
        assert counted["chain_steps", v] == (sum(steps[v]), n)
    for k in range(1, 21):
        assert counted["chain_tail", float(k)] == (sum(s >= k for s in steps[1.0]), n)
    assert len(counted) == 27


@pytest.mark.parametrize(
    "rule, n, dim",
    [("one-color", 250, 2), ("two-color", 101, 1), ("fussy", 100, 3), ("one-color", 1, 2), ("one-color", 0, 2)],
)
def test_windows_are_counted_as_the_twin_does(rule, n, dim):
    pattern = pm.processes.binomial(pm.Torus(max(n, 1) ** (1 / dim), dim), [n // 2, n - n // 2], rng=n)
    matching, reach = pm.match(pattern, rule), rule_named(rule).matrix()
    windows = []
    for x in range(0, n, 100):
        balls = balls_of_a_question(
            pattern, matching.partner, lambda a, b: len(reach) == 1 or reach[pattern.colors[a], pattern.colors[b]], x
        )
        windows.append(max(float(pattern.distance(x, z)) + radius for z, radius in balls))
    counted = numbers("window", matching)
    assert len(counted) == 51 and len(windows) == -(-n // 100)
    for (name, r), ratio in counted.items():
        assert name == "window_tail" and ratio == (sum(w > r for w in windows), len(windows))
