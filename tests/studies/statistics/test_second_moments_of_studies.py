"""Structure factors and number variances of studies: limits at 0, and the table of an independent pilot."""

import itertools
import math

import numpy as np
import pytest

import poissonmatch as pm
from helpers.sweeps import swept
from helpers.tables import tables
from poissonmatch.rules.catalogue import rule_named


def of_shells(process, rule, dim, size, ratio, seed=2):
    """Structure factors of parts by quantity, color and n = |k| L / (2 pi), each with its error, of 24 tori."""
    study = pm.sweep(process=process, rule=rule, dims=dim, sizes=size, ratios=ratio, replicates=24, seed=seed,
                     observables="structure_factor").estimates  # fmt: skip
    rows = study[study["quantity"].str.startswith("structure_factor")]
    n = (rows["x"] * rows["side"] / (2 * math.pi)).round().astype(int)
    return {(q.removeprefix("structure_factor"), c, k): pair for q, c, k, *pair in
            zip(rows["quantity"], rows["color"], n, rows["value"], rows["standard_error"], strict=True)}  # fmt: skip


TABLES = tables(__file__)


@pytest.mark.slow
@pytest.mark.parametrize("dim, size, ratio, pilot", TABLES["pilot"])
def test_matched_points_are_those_of_the_pilot(dim, size, ratio, pilot):
    found = of_shells(["lattice", "poisson"], "two-color", dim, size, ratio)
    for n, (value, error) in zip((1, 2, 4), pilot, strict=False):  # its shells are others for larger n
        own, own_error = found["_matched", 1, n]
        assert abs(own - value) < 4 * math.hypot(error, own_error) + 0.05 * value, n


@pytest.mark.slow
@pytest.mark.parametrize("process, rule, dim, size, ratio, color", TABLES["limits"])
def test_the_limits_at_0(process, rule, dim, size, ratio, color):
    found, dispersions = of_shells(process, rule, dim, size, ratio), (0.0 if process != "two_color" else 1.0, 1.0)
    limits = rule_named(rule).law.structure_factor_limits(dim, (1.0, ratio), color, dispersions)
    for part, limit in zip(("_matched", "_unmatched"), limits, strict=True):
        if limit > 0:
            values = np.array([found[part, color, n] for n in (1, 2)])
            weights = 1 / values[:, 1] ** 2
            assert abs(np.average(values[:, 0], weights=weights) - limit) < 4 / math.sqrt(weights.sum()), part


def test_shells_are_ten_in_a_decade_of_whole_wave_numbers():
    """On the line, where a shell ends at each rounded power of 10^(1/10)."""
    rows = swept("dims: 1, sizes: 400, replicates: 4, observables: structure_factor").estimates
    rows = rows[rows["quantity"] == "structure_factor"]
    found = (rows["x"] * rows["side"] / (2 * math.pi)).to_numpy()[:9]
    ends = [0, 1, 2, 3, 4, 5, 6, 8, 10, 13]
    np.testing.assert_allclose(found, [(low + 1 + high) / 2 for low, high in itertools.pairwise(ends)], rtol=0.01)


def test_the_variance_of_numbers_is_that_of_both_kinds_of_tori():
    """With Poisson numbers 1, and with fixed ones 1 - v / V, for balls of volume v."""
    for process in ("poisson", "binomial"):
        keys = "dims: 2, sizes: 400, replicates: 64, seed: 3, observables: number_variance"
        rows = swept(f"process: {process}, {keys}").estimates
        rows = rows[rows["quantity"] == "number_variance"]
        expected = 1 - (math.pi * rows["x"] ** 2 / rows["volume"] if process == "binomial" else 0)
        assert (np.abs(rows["value"] - expected) < 4.5 * rows["standard_error"]).all() and len(rows) == 6
        known = rows["exact_torus"] if process == "binomial" else rows["exact"]
        np.testing.assert_allclose(known, expected)
