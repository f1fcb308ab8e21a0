"""The flow of fussy matchings: eps, its slope and the collapse, from the survivors of both colors, and beside the exact ones."""

import numpy as np
import pytest

import poissonmatch as pm
from helpers.sweeps import swept
from poissonmatch.studies import study_files
from poissonmatch.studies.statistics.observables import matched
from poissonmatch.theory.finite_size import MIN_COUNT

FLOW = ("red_green_ratio", "ratio_excess", "red_surplus", "ratio_slope", "collapse")


@pytest.fixture(scope="module")
def line():
    """48 tori on the line, rho = 0.3, seed 1."""
    keys = "process: binomial, rule: fussy, dims: 1, sizes: 19500, ratios: 0.3, replicates: 48"
    return swept(f"{keys}, observables: [distances, flow]").estimates


def test_estimates_are_those_of_the_survivors():
    """Counted one by one: the reds and greens with X >= r at the lower ends of the bins, for intensities that are not 1."""
    keys = "process: two_color, rule: fussy, dims: 2, sizes: 4000, intensities: [[2.0, 0.5]], replicates: 3"
    sweep = swept(f"{keys}, observables: flow")
    cell = study_files.cells(sweep.file)[0]
    found = sweep.estimates[sweep.estimates["quantity"].isin(FLOW)].set_index(["quantity", "x"])["value"]
    tori = [matched(cell, k) for k in range(3)]
    left = lambda color, r: sum(  # noqa: E731
        np.count_nonzero((m.pattern.colors == color) & (m.distance >= r)) for m in tori
    )
    r = lambda x: 10 ** (round(20 * np.log10((x / (2 * np.pi)) ** 0.5)) / 20)  # noqa: E731
    rho = left(1, 0.0) / left(0, 0.0)
    eps = {}
    for x in found["red_green_ratio"].index:
        eps[x] = left(1, r(x)) / left(0, r(x))
        assert found["red_green_ratio", x] == pytest.approx(eps[x], rel=1e-12)
        assert found["ratio_excess", x] == pytest.approx(eps[x] - rho, abs=1e-12)
        assert found["red_surplus", x] == pytest.approx((left(1, r(x)) - left(0, r(x))) / left(1, 0.0), abs=1e-12)
    xs = sorted(eps)
    assert len(xs) > 12 and left(0, (xs[-1] / (2 * np.pi)) ** 0.5) >= MIN_COUNT
    for low, x, high in zip(xs[:-4], xs[2:-2], xs[4:], strict=True):  # two bins on either side in d = 2
        slope = np.log(eps[high] / eps[low]) / np.log(high / low)
        assert found["ratio_slope", x] == pytest.approx(slope, rel=1e-9)
        if ("collapse", x) in found:
            assert found["collapse", x] == pytest.approx(slope**2 / (eps[x] - rho), rel=1e-9)


@pytest.mark.parametrize("quantity", FLOW)
def test_estimates_agree_with_the_exact_values_on_the_line(line, quantity):
    """At six volumes, an octave and a half apart, each within 3.5 standard errors; they are of the same tori."""
    rows = line[(line["quantity"] == quantity) & (line["x"] > 0.5) & (line["x"] < 100)][::9]
    assert len(rows) >= 5
    assert (abs(rows["value"] - rows["exact"]) <= 3.5 * rows["standard_error"]).all()
    assert (rows["standard_error"] < 0.1 * abs(rows["value"])).all() and rows["below_cutoff"].all()


@pytest.mark.slow
def test_errors_are_those_that_repetition_shows():
    """The scatter of 48 studies of 12 tori each is what one of them says of itself, to 40 %, for each quantity."""
    values, errors = [], []
    for seed in range(48):
        keys = "process: binomial, rule: fussy, dims: 1, sizes: 1000, ratios: 0.5, replicates: 12, observables: flow"
        rows = swept(keys, seed=seed).estimates.set_index("quantity")
        at = rows.loc[list(FLOW)].loc[lambda r: abs(np.log(r["x"] / 4)) < 0.02]
        values.append(at["value"].to_numpy())
        errors.append(at["standard_error"].to_numpy())
    assert np.shape(values) == (48, 5)
    shown, said = np.std(values, axis=0, ddof=1), np.sqrt(np.mean(np.square(errors), axis=0))
    assert (abs(np.log(shown / said)) < np.log(1.4)).all()


def test_surplus_and_tail_of_the_reds_enclose_u(line):
    """(R - G) / rho rises to u and R / rho falls to it; both are exact on the line."""
    low = line[line["quantity"] == "red_surplus"].sort_values("x")["exact"]
    high = line[(line["quantity"] == "tail") & (line["color"] == 1)].sort_values("x")["exact"]
    u = pm.theory.fussy_line(0.3).u
    assert (
        (np.diff(low) > 0).all() and (np.diff(high) < 0).all() and low.iloc[0] < 0 < low.iloc[-1] <= u <= high.iloc[-1]
    )


def test_nothing_is_said_beyond_the_cutoff_nor_without_reds(line):
    assert line[line["quantity"].isin(FLOW)]["x"].max() <= 2 * 19500 / 1.3 / 5 / 1.3 * (1 + 1e-9)
    keys = "process: two_color, rule: fussy, ratios: 0.0, dims: 2, sizes: 200, replicates: 2, observables: flow"
    alone = swept(keys).estimates
    assert not set(alone["quantity"]) & set(FLOW)


def test_exact_values_of_the_mean_field():
    """G' = -G (G + R) and R' = -G R give (ln eps)' = R: at first rho."""
    keys = "process: binomial, rule: fussy, dims: inf, sizes: 20000, ratios: 0.5, replicates: 2, observables: flow"
    found = swept(keys).estimates
    first = found[found["quantity"] == "red_green_ratio"].iloc[0]
    assert first["exact"] == pytest.approx(0.5 * np.exp(0.5 * first["x"]), rel=0.005)
    slope = found[found["quantity"] == "ratio_slope"].iloc[0]
    assert slope["exact"] == pytest.approx(0.5 * slope["x"], rel=0.2)
