"""The fussy matching octave by octave: delayed colors are exact without copies, windows keep what is in them, and u on the line."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import curve_fit

import poissonmatch as pm
from helpers.checkout import ROOT
from poissonmatch.studies.study_files import yamlfile
from poissonmatch.survival import octaves as module
from poissonmatch.survival.octaves import Pool


def pool_of(rng, n=500, side=40.0, dim=2, known=0.2):
    return Pool(rng.random((n, dim)) * side, rng.random(n) < known, side, 3.0)


@pytest.mark.parametrize("dim", [1, 2, 3])
def test_windows_keep_what_is_in_them(dim):
    """Each copy has all points; in a window of side 10 the distances are those of the pool."""
    rng = np.random.default_rng(dim)
    pool = pool_of(rng, dim=dim)
    filled = module._filled(pool, 10.0, rng)
    assert filled.side == 80 and filled.volume == 3 and len(filled.points) == 500 * 2**dim
    assert filled.known.sum() == pool.known.sum() * 2**dim
    assert (filled.points >= 0).all() and (filled.points <= 80).all()
    torus, before = pm.Torus(40.0, dim), []
    for k in range(2**dim):
        part = filled.points[500 * k : 500 * (k + 1)]
        assert (filled.known[500 * k : 500 * (k + 1)] == pool.known).all()
        window = np.floor(part / 10).astype(int)
        same = (window[:-1] == window[1:]).all(axis=1)
        before.append(same.sum())
        distance = np.linalg.norm(part[:-1] - part[1:], axis=1)
        assert np.allclose(distance[same], torus.distance(pool.points[:-1], pool.points[1:])[same])
    assert sum(before) > 0
    slots = np.bincount(
        np.ravel_multi_index(tuple(np.floor(filled.points / 10).astype(int).T), (8,) * dim), minlength=8**dim
    )
    assert (slots > 0).mean() > 0.5


def test_an_octave_with_one_color_is_its_matching():
    """Without reds the survivors are the points with X > 2; if all are known to be red, no point is matched."""
    rng = np.random.default_rng(1)
    pool = pool_of(rng, known=0.0)
    found = module._next(pool, 0.0, rng)
    distance = pm.match(pm.Pattern(pool.points, np.zeros(500, int), pm.Torus(40.0, 2)), "fussy").distance
    assert found.side == 20 and found.volume == 12 and not found.known.any()
    assert np.allclose(found.points, pool.points[distance > 2] / 2)
    reds = module._next(pool._replace(known=np.ones(500, bool)), 0.3, rng)
    assert reds.known.all() and len(reds.points) == 500


@pytest.mark.slow
@pytest.mark.parametrize("dim, ratio", [(1, 0.5), (2, 0.5)])
def test_delayed_colors_have_the_law_of_drawn_ones(dim, ratio):
    """On tori of some 120 points, three octaves without copies: greens are 1 - q of the undrawn, and R - rho G are the known, in the mean."""
    tori, q, delayed, drawn = 400, ratio / (1 + ratio), [], []
    for rng in np.random.default_rng(dim).spawn(tori):
        pool = module._first(dim, ratio, 120, 120, rng)
        side = pool.side * (pool.volume / (2 if dim == 1 else np.pi)) ** (1 / dim)
        for _ in range(2):
            pool = module._next(pool, q, rng)
        known = pool.known.sum()
        delayed.append([(1 - q) * (len(pool.known) - known), q * (len(pool.known) - known) + known])
        pattern = pm.processes.two_color(pm.Torus(side, dim), (1.0, ratio), rng=rng)
        free = pm.match(pattern, "fussy").distance > side / pool.side
        drawn.append(np.bincount(pattern.colors[free], minlength=2))
    delayed, drawn = np.array(delayed, float), np.array(drawn, float)
    error = np.sqrt((delayed.var(axis=0) + drawn.var(axis=0)) / tori)
    assert (abs(delayed.mean(axis=0) - drawn.mean(axis=0)) < 3.5 * error).all()
    assert delayed[:, 0].var() < drawn[:, 0].var()  # nearly all reds are known here: their variances are nearly equal


@pytest.mark.long
def test_u_on_the_line():
    """Three errors, and 0.03 for the end at a green for 100 reds."""
    found = pm.octaves(1, 0.3, survivors=10000, points=100000, runs=6, seed=2)
    error = math.hypot(found.standard_error, found.systematic_error)
    assert abs(found.log_u - math.log(pm.theory.fussy_line(0.3).u)) < 3 * error + 0.03
    assert error < 0.1 and found.runs.shape == (6,)
    flow, line = found.flow, pm.theory.fussy_line(0.3)
    exact = 0.3 * (line.tail(flow["V"] / 2, 1) / line.tail(flow["V"] / 2, 0) - 1)
    first = flow["V"] < 60
    assert (
        first.sum() >= 3 and (abs(flow["ratio_excess"] - exact)[first] < 4 * flow["standard_error"][first] + 0.05).all()
    )


@pytest.mark.slow
def test_19_of_20_intervals_on_the_line_contain_the_exact_value():
    """At ratios from 0.2 to 0.01, with so few survivors that the biases at 0.01 are above 5. They are counted here."""
    inside, biased = 0, 0
    for ratio in (0.2, 0.1, 0.05, 0.02, 0.01):
        exact = math.log(pm.theory.fussy_line(ratio).u)
        for seed in range(4):
            found = pm.octaves(1, ratio, survivors=12000, runs=8, seed=seed)
            low, high = found.interval
            inside += low <= exact <= high
            biased += abs(found.runs.mean() - exact) > 2.4 * found.runs.std(ddof=1) / math.sqrt(8)
    assert inside >= 19 and biased >= 4


def test_errors_of_octaves():
    """The means are 10, 13 and 11.5: biases of 1 of the noise and -0.5 of the seams, which are removed."""
    spread = np.array([-1.0, 0.0, 1.0])
    found = module.Octaves(10 + spread, 13 + 5 * spread, 11.5 + 2 * spread, pd.DataFrame())
    assert [found.bias_of_noise, found.bias_of_seams] == pytest.approx([1, -0.5])
    assert found.log_u == pytest.approx(9.5) and found.systematic_error == pytest.approx(1.5)
    assert found.standard_error == pytest.approx(math.hypot(4, 2) / 3 / math.sqrt(3))
    width = math.hypot(4.302653 * found.standard_error, 1.5)
    assert found.interval == pytest.approx((9.5 - width, 9.5 + width))


def test_no_number_with_an_error_above_5():
    """The interval remains: it is wide, and as right as others."""
    spread = np.array([-1.0, 0.0, 1.0])
    for width, used in ((5, True), (8, False)):
        found = module.Octaves(10 + width * spread, 10 + spread, 10 + spread, pd.DataFrame())
        assert (found.error <= 5, not math.isnan(found.log_u)) == (used, used)
        assert sum(found.interval) == pytest.approx(20) and found.interval[1] > 10 + 4.3 * found.standard_error


def test_pools_that_are_too_small_say_so():
    with pytest.warns(
        RuntimeWarning, match="the pools are too small: the error of ln u is .*; start with more survivors"
    ):
        found = pm.octaves(1, 0.0065, survivors=400, points=1600, runs=3)
    assert math.isnan(found.log_u)


SETTING = ["name", "dim", "ratio", "survivors", "points", "window", "seed"]
SIMULATED = {
    (2, 0.05): (-9.695, 0.043),
    (2, 0.03): (-13.77, 0.31),
    (3, 0.05): (-11.121, 0.055),
}  # ln u of docs/data/openproblem


@pytest.mark.slow
def test_kept_runs_of_octaves_are_those_that_were_registered():
    """All settings of each entry, with no other runs than theirs, and complete in d = 1; the last entry at 0.01 has a small error."""
    registered = yamlfile.read(ROOT / "config/octave-runs.yaml").data
    keys = [*SETTING[1:], "runs"]
    settings = pd.concat(
        pd.DataFrame({key: np.broadcast_to(entry[key], len(entry["survivors"])) for key in keys}).assign(name=name)
        for name, entry in registered.items()
    )
    kept = pd.read_csv(ROOT / "docs/data/octaves/runs.csv")
    made = kept.groupby(SETTING)["run"].agg(["count", "max", "nunique"]).reset_index().merge(settings, on=SETTING)
    assert made["count"].sum() == len(kept) and len(made) == len(settings[settings["name"].isin(kept["name"])])
    assert (made["count"] == made["max"]).all() and (made["count"] == made["nunique"]).all()
    assert (made["count"] <= made["runs"]).all() and (made["count"] == made["runs"])[made["dim"] == 1].all()
    assert {name for name in registered if name.startswith("d1")} <= set(kept["name"])
    estimates = pd.read_csv(ROOT / "docs/data/octaves/estimates.csv", index_col="name")
    assert set(estimates.index) == set(kept["name"]) and estimates.loc["d1-rho0.01-third", "standard_error"] <= 0.15


@pytest.mark.slow
def test_kept_estimates_of_octaves_follow_from_the_runs_and_agree_with_known_values():
    """Linear in 1 / survivors from two pools, or scipy's fit of both biases; within 2.5 errors of exact and simulated values."""
    kept = pd.read_csv(ROOT / "docs/data/octaves/runs.csv")
    means = kept.groupby(SETTING)["log_u"].agg(["mean", "sem"]).reset_index()
    for name, found in pd.read_csv(ROOT / "docs/data/octaves/estimates.csv", index_col="name").iterrows():
        rows = means[means["name"] == name].sort_values("survivors")
        if name.endswith("separate"):
            inverse = np.array([rows[key].max() / rows[key] for key in ("window", "survivors")])
            (value, *biases), covariance = curve_fit(
                lambda x, *numbers: numbers[0] + numbers[1] * x[0] + numbers[2] * x[1],
                inverse, rows["mean"], p0=[-10, 0, 0], sigma=rows["sem"], absolute_sigma=True,
            )  # fmt: skip
            error, systematic = math.sqrt(covariance[0, 0] * max(1, found["chi2"] / 2)), sum(map(abs, biases))
            allowed = systematic
        else:
            few, many = rows["survivors"]
            weights = np.array([-few, many]) / (many - few)
            value, error = weights @ rows["mean"], math.hypot(*(weights * rows["sem"]))
            systematic, allowed = abs(value - rows["mean"].iloc[1]), 0.0
        expected = pytest.approx([value, error, systematic], rel=1e-4)
        assert found[["log_u", "standard_error", "systematic_error"]].tolist() == expected
        line = math.log(pm.theory.fussy_line(found["ratio"]).u) if found["dim"] == 1 else math.nan
        known, uncertain = SIMULATED.get((found["dim"], found["ratio"]), (line, 0.0))
        assert not abs(value - known) >= 2.5 * math.hypot(error, allowed, uncertain)


def test_a_pool_shrinks_as_greens_become_few():
    """To about a quarter of the survivors, on the way to the same u; at rho = 1 nothing changes, as eps is near rho to the end."""
    sizes = {}
    for share in (1.0, 0.25):
        sizes[share], filled = [], module._filled

        def record(pool, window, rng, share=share, filled=filled):
            sizes[share].append(len(pool.known))
            return filled(pool, window, rng)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "_filled", record)
            pm.octaves(1, 0.1, survivors=4000, points=20000, runs=1, share=share, seed=1)
    assert min(sizes[1.0]) > 2500 and sizes[0.25][-1] < 1600 < 2500 < sizes[0.25][0]


def test_results_depend_on_the_seed_only():
    words = dict(dim=2, ratio=0.5, survivors=500, points=2000, window=8)
    one, again, other = (pm.octaves(**words, runs=2, seed=seed) for seed in (2**127, 2**127, 2))
    assert one.runs.tolist() == again.runs.tolist() != other.runs.tolist() and one.flow.equals(again.flow)
    assert math.isnan(pm.octaves(**words, runs=1).standard_error)
