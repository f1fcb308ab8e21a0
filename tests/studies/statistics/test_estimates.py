"""Estimates against raw data, and standard errors against what they claim."""

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import poissonmatch as pm
from helpers.runs import cells_of, run_study, tables_in, write_study
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.statistics import estimates, estimators
from poissonmatch.studies.statistics.estimators import CellSample
from poissonmatch.studies.statistics.observables import quantities
from poissonmatch.studies.tables.estimate_tables import ESTIMATES, INFINITE
from poissonmatch.studies.tables.invariants import columns_of
from poissonmatch.studies.tables.tables import stacked


@pytest.fixture(scope="module")
def frames(tiny):
    return tables_in(tiny[1])


def raw(tiny, study, **wanted):
    """(cell, patterns, matchings) of a cell of a study."""
    for cell in cells_of(tiny[0]):
        if cell.study == study and all(getattr(cell, k) == v for k, v in wanted.items()):
            patterns = [cell.pattern(k) for k in range(cell.replicates)]
            return cell, patterns, [pm.match(p, cell.rule) for p in patterns]
    raise LookupError(study)


def value(frames, cell, quantity, color=0, x=np.nan):
    rows = frames["estimates"]
    rows = rows[(rows["cell"] == cell.id) & (rows["study"] == cell.study)]
    rows = rows[(rows["quantity"] == quantity) & (rows["color"] == color) & np.isclose(rows["x"], x, equal_nan=True)]
    assert len(rows) == 1
    return rows.iloc[0]


@pytest.mark.parametrize("study, wanted", [("one-color", {"dim": 2}), ("fussy", {"dim": 1, "intensities": (1.0, 1.0)})])
def test_tail_is_the_share_of_points_farther_than_r(tiny, frames, study, wanted):
    cell, patterns, matchings = raw(tiny, study, **wanted)
    for color in range(len(cell.intensities)):
        for r in (0.1, 10**-0.5, 1.0):
            far = [(m.distance[p.colors == color] >= r).sum() for p, m in zip(patterns, matchings, strict=True)]
            n = [(p.colors == color).sum() for p in patterns]
            row = value(frames, cell, "tail", color, r)
            assert row["value"] == pytest.approx(sum(far) / sum(n), rel=1e-12)
            # the standard error of a ratio, by the jackknife
            leave = [(sum(far) - f) / (sum(n) - k) for f, k in zip(far, n, strict=True)]
            jackknife = np.sqrt((len(n) - 1) / len(n) * ((np.array(leave) - np.mean(leave)) ** 2).sum())
            assert row["standard_error"] == pytest.approx(jackknife, rel=0.05)
            assert row["n_replicates"] == 16 and row["lower"] <= row["value"] <= row["upper"]


EXACT = """
studies:
  fussy: {process: two_color, rule: fussy, dims: [1, 2, inf], sizes: 40, intensities: [[2, 6]], replicates: 12}
  counted: {process: binomial, rule: fussy, dims: 1, sizes: 40, ratios: 3, replicates: 2}
  rare: {process: two_color, rule: fussy, dims: 1, sizes: 4000, ratios: 0.0005, replicates: 2}
  two-color: {process: binomial, rule: two-color, dims: [1, 2], sizes: 39, ratios: 0.3, replicates: 16}
  multi: {rule: multi(2), dims: [1, inf], sizes: 40, replicates: 2}
  labels: {rule: labels(2), dims: [1, inf], sizes: 40, replicates: 2}
  matern: {process: matern, dims: 1, sizes: 40, replicates: 2}
"""
KNOWN = {  # study, dim, color, order: share unmatched and P(X > r); None is unknown
    ("fussy", 1, 1, 0): (0.728779649, lambda r: pm.theory.fussy_line(3).tail(2 * r, 1)),
    ("fussy", 2, 1, 0): (None, None),
    ("fussy", np.inf, 1, 0): (np.exp(-1 / 3), lambda r: pm.RULES["fussy"].law.tail(r, np.inf, (2.0, 6.0), 1)),
    ("counted", 1, 1, 0): (0.728779649, lambda r: pm.theory.fussy_line(3).tail(r, 1)),
    ("rare", 1, 1, 0): (None, None),
    ("two-color", 1, 0, 0): (0.7, lambda r: pm.theory.two_color_tail(r, 1, 0.3)),
    ("two-color", 2, 0, 0): (0.7, None),
    ("multi", np.inf, 0, 1): (None, lambda r: pm.theory.multi_tail(r, 2, 1)),
    ("labels", 1, 0, 0): (None, lambda r: pm.theory.one_color_tail(r, 1)),
    ("labels", np.inf, 0, 1): (None, lambda r: pm.theory.label_tail(r, 1)),
    ("matern", 1, 0, 0): (0, None),
}


@pytest.fixture(scope="module")
def exact(tmp_path_factory):
    folder = tmp_path_factory.mktemp("exact")
    return run_study(write_study(folder, EXACT, "exact"), folder / "results")


@pytest.mark.parametrize("case", KNOWN, ids=str)
def test_exact_values_stand_beside_estimates(exact, case):
    """In infinite volume: of the intensities 2 and 6, whose r is twice that of 1 and 3, of fixed counts that are not rounded as of Poisson ones."""
    study, dim, color, order = case
    rows = pm.load(exact / "estimates.parquet")
    unmatched, tail = KNOWN[case]
    mine = rows[(rows["study"] == study) & (rows["dim"] == dim) & (rows["color"] == color)]
    if order == 0:
        known = mine.set_index("quantity")["exact"]
        share = np.nan if unmatched is None else unmatched
        own = mine[f"intensity_{color}"].iloc[0]
        assert known["unmatched_fraction"] == pytest.approx(share, nan_ok=True)
        assert known["unmatched_density"] == pytest.approx(share * own, nan_ok=True)
        if "log_inverse_unmatched" in known:
            assert known["log_inverse_unmatched"] == pytest.approx(-np.log(share or np.nan), nan_ok=True)
    rows = mine[(mine["quantity"] == "tail") & (mine["order"] == order)]
    levelled = mine[(mine["quantity"] == "scaled_tail") & (mine["order"] == order)]
    assert len(rows) > 0 or study == "rare"  # which has no tail of its few red points
    expected = np.full(len(rows), np.nan) if tail is None else tail(rows["x"].to_numpy())
    np.testing.assert_allclose(rows["exact"], expected, rtol=1e-12)
    assert (levelled["exact"].isna() == (tail is None)).all()


def by_cell(tables):
    """The rows of each cell, by the names of their tables."""
    cells = {}
    for name, frame in tables.items():
        for key, rows in frame.groupby(["study", "cell"], sort=False):
            cells.setdefault(key, {})[name] = rows
    return cells


def estimated(tables, wanted=None):
    """The tables `transitions` and `estimates` of the cells of these rows."""
    cells = by_cell(tables)
    context = estimates.Context(CellSample(rows["replicates"]).summary for rows in cells.values())
    made = estimates.columns_of_cells(cells.values(), context, wanted)
    return {name: pd.DataFrame(columns) for name, columns in made.items()}


def test_what_holds_of_poisson_processes_is_not_said_of_others(exact, monkeypatch):
    """Of colored points of another kind, it is not known how many reds a fussy matching leaves; two-color leaves the excess."""
    monkeypatch.setitem(pm.processes.PROCESSES, "other", pm.processes.Process(pm.processes.two_color, colored=True))
    tables = {name: pm.load(exact / f"{name}.parquet").assign(process="other") for name in ("replicates", "distances")}
    again = estimated(tables)["estimates"]
    known = again[again["exact"].notna()]
    assert set(known["study"]) == {"two-color", "matern"} and set(known["order"]) == {0}
    assert set(known["quantity"]) == {"unmatched_fraction", "unmatched_density"}


def test_only_tails_and_quantiles_have_a_cutoff(frames):
    rows = frames["estimates"]
    plain = rows[~rows["quantity"].isin(["tail", "scaled_tail", "tail_exponent", "quantile"])]
    assert plain["cutoff"].isna().all() and (plain["below_cutoff"] == (plain["note"] != INFINITE)).all()
    for quantity, distance in (("tail", "x"), ("quantile", "value")):
        mine = rows[rows["quantity"] == quantity]
        share = np.select([mine["dim"] == 1, mine["dim"] == 2], [mine["side"] / 5, mine["side"] / 8])
        np.testing.assert_array_equal(mine["cutoff"], np.where(np.isinf(mine["dim"]), mine["volume"] / 20, share))
        assert (mine["below_cutoff"] == (mine[distance] <= mine["cutoff"])).all()
        assert not mine["below_cutoff"].all() and mine["below_cutoff"].any()


@pytest.mark.parametrize("study", ["tiny", "frogs"])
def test_an_interval_contains_its_value_and_is_missing_with_the_error(request, study):
    """It is missing for one replicate, and for what is infinite in infinite volume."""
    rows = pm.load(request.getfixturevalue(study)[1] / "estimates.parquet")
    absent = (rows["n_replicates"] == 1) | (rows["note"] == INFINITE) | rows["value"].isna()
    assert (rows["quantity"][rows["value"].isna()] == "size_converged").all()
    assert all((rows[name].isna() == absent).all() for name in ("standard_error", "lower", "upper"))
    value, slack = rows["value"][~absent], 1e-9 * rows["value"][~absent].abs()
    assert (rows["lower"][~absent] <= value + slack).all() and (rows["upper"][~absent] >= value - slack).all()
    assert not rows["below_cutoff"][rows["note"] == INFINITE].any()


def by_recipe(row):
    """Return the interval of a row from its other columns, as docs/error-bars.md describes, None if it needs other tables."""
    intervals, (value, error, n) = pm.theory.intervals, (row["value"], row["standard_error"], row["n_replicates"])
    if row["quantity"] == "tail_exponent":
        return tuple(-end for end in reversed(intervals.of_positive(-value, error, n)))
    if row["interval"] == "count":
        rest = row["quantity"] in SHARES and value > 0.5
        count = (1 - value if rest else value) * row["total"]
        _, dof = intervals.dispersion(count, error * row["total"], n)
        low, high = (end / row["total"] for end in intervals.of_count(count, row["dispersion"], dof))
        return (1 - high, 1 - low) if rest else (low, high)
    if row["interval"] == "proportion":
        return tuple(float(end[0]) for end in intervals.of_proportion(np.array([value]), n))
    of_kind = {"student": intervals.student, "log": intervals.of_positive, "logit": intervals.of_share}
    return of_kind[row["interval"]](value, error, n) if row["interval"] in of_kind else None


SHARES = {name for name, quantity in quantities().items() if quantity.kind == "share"}
INDIRECT = ["log_inverse_unmatched", "scaled_tail"]  # whose intervals are those of other rows


@pytest.mark.parametrize("study", ["tiny", "frogs"])
def test_intervals_follow_from_the_columns_of_their_rows(request, study):
    rows = pm.load(request.getfixturevalue(study)[1] / "estimates.parquet")
    rows = rows[rows["interval"].notna() & ~rows["quantity"].isin(INDIRECT) & (rows["standard_error"] > 0)]
    kinds = set()
    for _, row in rows.drop_duplicates(["quantity", "cell", "interval"]).iterrows():
        if (ends := by_recipe(row)) is not None:
            expected = np.clip(np.array(ends, float), *quantities()[row["quantity"]].bounds)
            np.testing.assert_allclose(row[["lower", "upper"]].astype(float), expected, rtol=1e-9, atol=1e-12)
            kinds.add(row["interval"])
    assert {"logit", "log", "count"} <= kinds


def test_what_is_zero_in_infinite_volume_says_so_and_has_the_exact_value_of_the_torus(tiny, frames):
    cell, patterns, _ = raw(tiny, "two-color", dim=1, size=60, intensities=(1.0, 1.0))
    row = value(frames, cell, "unmatched_fraction")
    assert row["exact"] == 0 < row["value"] and row["note"] == "0 in infinite volume"
    assert row["exact_torus"] == pytest.approx(cell_imbalance(30) / 30)
    assert abs(row["value"] - row["exact_torus"]) < 4 * row["standard_error"]


def cell_imbalance(mean):
    """E max(0, A - B) for independent Poisson numbers with this mean, by their sum."""
    a, b = np.meshgrid(np.arange(100), np.arange(100), indexing="ij")
    return (np.maximum(0, a - b) * stats.poisson.pmf(a, mean) * stats.poisson.pmf(b, mean)).sum()


def test_colors_with_the_same_law_have_the_same_rows(tiny, frames):
    cell, _, _ = raw(tiny, "two-color", dim=2, size=240, intensities=(1.0, 1.0))
    rows = frames["estimates"].query("cell == @cell.id and quantity in ('tail', 'quantile', 'tail_exponent')")
    (_, amber), (_, blue) = rows.drop(columns="color_name").groupby("color")
    assert len(amber) > 10
    pd.testing.assert_frame_equal(amber.reset_index(drop=True).assign(color=1), blue.reset_index(drop=True))


@pytest.mark.parametrize("arrays", [False, True])
@pytest.mark.parametrize("study", ["tiny", "frogs"])
def test_a_cell_is_estimated_from_its_rows_and_the_summaries_of_all_cells(request, study, arrays):
    """Cell by cell, in another order, with summaries that went to another process, from frames as from arrays."""
    path, folder = request.getfixturevalue(study)
    tables = tables_in(folder)
    expected = tables["estimates"]
    measured = [name for name in ("replicates", "distances", "ratios", "color_ratios") if name in tables]
    cells = by_cell({name: tables[name] for name in measured})
    if arrays:
        cells = {key: {name: columns_of(rows) for name, rows in cell.items()} for key, cell in cells.items()}
    summaries = pickle.loads(pickle.dumps([CellSample(rows["replicates"]).summary for rows in cells.values()]))
    context, wanted = estimates.Context(summaries), studies.load(path).estimated
    made = [estimates.columns_of_cells([cells[key]], context, wanted).get("estimates", {}) for key in reversed(cells)]
    made = stacked(ESTIMATES, map(pd.DataFrame, made))
    made = made.sort_values(ESTIMATES.keys, kind="stable", ignore_index=True)
    assert list(made.columns) == list(expected.columns)
    new, old = columns_of(made), columns_of(expected)
    assert len(made) == len(expected)
    size = np.abs(old["value"])  # the sum for the index of dispersion has another order
    for name, values in new.items():
        same = (values == old[name]) | (pd.isna(values) & pd.isna(old[name]))
        if values.dtype.kind == "f":
            with np.errstate(invalid="ignore"):
                same |= np.abs(values - old[name]) <= 1e-13 * (np.abs(old[name]) + size)
        assert same.all(), name


def test_cells_have_the_same_estimates_together_as_one_by_one(tiny, frames, monkeypatch):
    """Of different numbers of replicates and colors, to the last bit."""
    names = ("replicates", "distances", "ratios")
    rows = {name: frames[name].query("replicate < 5 or dim != 2") for name in names}
    wanted = studies.load(tiny[0]).estimated
    together = estimated(rows, wanted)
    assert together["estimates"]["n_replicates"].nunique() > 1
    monkeypatch.setattr(estimators, "MAX_REPLICATES", 1)
    for name, alone in estimated(rows, wanted).items():
        pd.testing.assert_frame_equal(together[name], alone, check_exact=True)


@pytest.mark.long
def test_estimates_do_not_depend_on_the_order_of_rows(tiny, frames):
    names = ("replicates", "distances", "ratios")
    wanted = studies.load(tiny[0]).estimated
    again = estimated({n: frames[n].sample(frac=1, random_state=2) for n in names}, wanted)["estimates"]
    keys = ["study", "cell", "quantity", "color", "order", "x"]
    expected = frames["estimates"].sort_values(keys, ignore_index=True)
    again = again.sort_values(keys, ignore_index=True).astype(expected.dtypes)
    pd.testing.assert_frame_equal(again, expected, check_exact=True)


@pytest.mark.slow
def test_numbers_of_the_frog_games(frogs):
    estimates = pm.load(frogs[1] / "estimates.parquet")
    fixed = estimates.query("study == 'misere' and quantity == 'n_unmatched'").set_index(["size", "x"])["value"]
    assert fixed[7, 1] == 1 and fixed[4, 1] == 0 and fixed[4, 0] + fixed[4, 2] == 1
    exact = estimates.query("quantity == 'alice_wins'").groupby("study")["exact"].first()
    assert exact["frogs"] == pytest.approx((1 - np.exp(-20)) / 2) and np.isnan(exact["misere"])
