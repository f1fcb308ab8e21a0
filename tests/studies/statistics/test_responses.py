"""The observable `response`: counted, estimated, and beside its exact values."""

import numpy as np
import pytest

import poissonmatch as pm
from helpers import forbidden
from helpers.measured import numbers
from helpers.sweeps import swept
from poissonmatch import theory
from poissonmatch.studies import study_files as studies
from poissonmatch.theory import volumes


@pytest.mark.parametrize("dim", [1, 2, 3])
def test_points_are_counted_as_the_twin_does(dim):
    pattern = pm.processes.poisson(pm.Torus(80 ** (1 / dim), dim), rng=np.random.default_rng(3))
    matching, torus = pm.match(pattern), pattern.geometry
    new = forbidden.new_distances(pattern, torus.cutoff)
    counted = numbers("response", matching)
    arguments = [x for _, x in counted]
    assert 1 - 1e-9 < torus.ball_volume(torus.cutoff) / arguments[-1] < np.sqrt(2)
    for (name, volume), (numerator, denominator) in counted.items():
        r = (volume / volumes.unit_ball_volume(dim)) ** (1 / dim)
        assert name == "response" and np.log2(volume) * 2 == pytest.approx(round(np.log2(volume) * 2), abs=1e-9)
        assert numerator == np.count_nonzero((matching.distance <= r) & (new > r))
        assert denominator == np.count_nonzero(matching.distance > r)


def test_estimates_agree_with_the_exact_values_on_the_line():
    """64 tori, seed 1: at each V up to 300, where a torus has 7 points with X > r, value and slope are within 3 standard errors."""
    found = swept("dims: 1, sizes: 4000, intensities: 2.0, replicates: 64, observables: response").estimates
    for quantity in ("response", "response_slope"):
        rows = found[(found["quantity"] == quantity) & (found["x"] <= 300)]
        assert len(rows) >= 20 and rows["below_cutoff"].all() and (rows["n_replicates"] == 64).all()
        assert (abs(rows["value"] - rows["exact"]) <= 3 * rows["standard_error"]).all()
        assert rows["x"].min() == (0.125 if quantity == "response" else 0.25)
    exact = found[found["quantity"] == "response"].set_index("x")["exact"]
    assert exact[8.0] == theory.one_color_response(8.0, 1)


def test_a_rule_that_equals_one_color_has_a_response():
    study = {"process": "thomas", "rule": "multi(1)", "dims": [1, 6], "sizes": 20, "replicates": 1}
    assert len(studies.cells(studies.of_data({"studies": {"a": study | {"observables": ["response"]}}}, "s"))) == 2
