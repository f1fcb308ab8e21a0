"""The observable `balls`: counted as the twin does, with its exact values in d = 1."""

import math

import numpy as np
import pytest

import poissonmatch as pm
from helpers.measured import numbers
from helpers.sweeps import swept
from poissonmatch.studies.statistics.observables import balls


def twin(pattern, partner, own, r, k):
    """Of the balls of radius r in a grid of cubes with side at least 2 r: those with a point whose partner is more than k r away."""
    torus, found = pattern.geometry, 0
    parts = math.floor(torus.side / (2 * r))
    for cell in np.ndindex((parts,) * torus.dim):
        center = (np.array(cell) + 0.5) * torus.side / parts
        distances = torus.distance(pattern.points, center).tolist()
        near = [x for x in own if distances[x] <= r]
        found += any(partner[x] < 0 or distances[partner[x]] > k * r for x in near)
    return found, parts**torus.dim


@pytest.mark.parametrize("rule", ["one-color", "two-color", "fussy"])
@pytest.mark.parametrize("dim", [1, 2])
def test_balls_are_counted_as_the_twin_does(rule, dim):
    pattern = pm.processes.two_color(pm.Torus({1: 40.0, 2: 8.0}[dim], dim), (1.0, 0.8), rng=dim)
    matching = pm.match(pattern, rule)
    counted = numbers("balls", matching)
    own = [x for x in range(len(pattern)) if rule != "two-color" or pattern.colors[x] == 0]
    for r in balls.radii_of(pattern.geometry)[-3:].tolist():
        for k in balls.TIMES:
            assert counted[f"farther_than_{k}r", r] == twin(pattern, matching.partner, own, r, k)
        inside, n = counted["outside", r]
        assert n == len(own)
        assert inside / n == pytest.approx(
            pm.mass_transport.partners_outside(pattern, matching.partner, [r], own)[0]
        )  # against balls around many centers: tests/matching/test_deletion.py
    assert len(counted) == 3 * balls.HALVINGS


def test_a_torus_without_points():
    empty = pm.processes.binomial(pm.Torus(8.0, 2), 0, rng=1)
    assert {value[0] for value in numbers("balls", pm.match(empty)).values()} == {0.0}


def test_the_share_outside_is_exact_in_one_dimension():
    """Against sums over many s; and estimates of a study agree."""
    table = swept("dims: 1, sizes: 3000, replicates: 16, observables: balls").estimates.query("quantity == 'outside'")
    for _, row in table.iterrows():
        s = (np.arange(20_000) + 0.5) / 20_000 * 2 * row["x"]
        assert row["exact"] == pytest.approx(pm.theory.one_color_tail(s, 1).mean(), rel=1e-4)
    assert (abs(table["value"] - table["exact"]) < 4.5 * table["standard_error"]).all()
    assert (table["standard_error"] > 0).all() and len(table) == balls.HALVINGS
