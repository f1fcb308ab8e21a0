"""The laws that are fitted: they give back what made the data, with errors that are right, and say of each how well it fits."""

import numpy as np
import pandas as pd
import pytest
import yaml

import poissonmatch as pm
from helpers.refusals import refusal, rows
from helpers.tables import tables
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.statistics import fitting
from poissonmatch.studies.tables.estimate_tables import COVARIANCES, LAW_TABLE
from poissonmatch.studies.tables.invariants import columns_of, impossible
from poissonmatch.theory.fussy_line import fussy_curve
from poissonmatch.theory.scaling_laws import LAWS

FIRST_C = 2.7118071  # C_1, from the exact equations on the line
TABLES = tables(__file__)
RHO, ERRORS = map(np.array, TABLES["data"].values())
LN_V = np.log(2.0 ** np.arange(3, 15))
TRUE = TABLES["true"]


def draw(law, seed):
    """Data of a law, and the inverse of their covariance; those of Y are correlated, as Y at larger V is of the same points."""
    rng = np.random.default_rng(seed)
    if law.of == "u":
        x, covariance = RHO, np.diag(ERRORS**2)
    else:
        x, error = LN_V, 0.002 * LN_V
        covariance = np.outer(error, error) * 0.6 ** abs(np.subtract.outer(range(len(x)), range(len(x))))
    y = law.function(x, *TRUE[law.name]) + np.linalg.cholesky(covariance) @ rng.standard_normal(len(x))
    return x, y, np.linalg.inv(covariance)


@pytest.mark.parametrize("name", LAWS)
def test_a_law_gives_back_its_parameters(name):
    """Exact data: to 10^-5. With noise: within 4 standard errors, chi2 within what 9 or 12 data have."""
    law = LAWS[name]
    x, _, weight = draw(law, 1)
    exact = fitting.fit(law, x, law.function(x, *TRUE[name]), weight)
    assert exact.values == pytest.approx(TRUE[name], rel=1e-5) and exact.chi2 < 1e-6
    found = fitting.fit(law, *draw(law, 2))
    assert (abs(found.values - TRUE[name]) <= 4 * np.sqrt(np.diag(found.covariance))).all()
    assert found.dof == len(x) - len(law.parameters) and 0.05 * found.dof < found.chi2 < 3.5 * found.dof
    assert found.aic == found.chi2 + 2 * len(law.parameters)


@pytest.mark.parametrize("name", ["inverse root", "square"])
def test_the_interval_of_the_constant_covers_it(name):
    """Of 200 draws 90 to 98 % of the 95 % intervals of C_d hold the true one."""
    law = LAWS[name]
    true = law.constant(*TRUE[name])[0]
    held = 0
    for seed in range(200):
        found = fitting.fit(law, *draw(law, 1000 + seed))
        row = next(row for row in fitting._of_fit(found) if row["parameter"] == "C_d")
        held += row["lower"] <= true <= row["upper"]
    assert 0.90 <= held / 200 <= 0.98


def test_errors_of_a_bent_law_are_those_that_repetition_shows():
    law = LAWS["threshold, root"]
    found = [fitting.fit(law, *draw(law, seed)) for seed in range(60)]
    shown = np.std([one.values for one in found], axis=0, ddof=1)
    said = np.sqrt(np.mean([np.diag(one.covariance) for one in found], axis=0))
    assert (abs(np.log(shown / said)) < np.log(1.35)).all()


@pytest.mark.parametrize("name", ["threshold, root", "threshold, logarithm"])
def test_a_threshold_that_is_not_there_is_at_the_end_of_its_range(name):
    """Data of rc = -0.02: found is rc = 0, without an error; the other parameters have theirs."""
    law = LAWS[name]
    y = law.function(RHO, *[-0.02 if p == "rc" else value for p, value in zip(law.parameters, TRUE[name], strict=True)])
    found = fitting.fit(law, RHO, y, np.diag(ERRORS**-2.0))
    place = law.parameters.index("rc")
    assert found.values[place] == 0 and np.isnan(found.covariance[place]).all()
    others = np.delete(np.diag(found.covariance), place)
    assert (others > 0).all()


def test_too_few_data_are_not_fitted():
    law = LAWS["inverse root"]
    assert (
        fitting.fit(law, RHO[:4], RHO[:4], np.eye(4)) is None and fitting.fit(law, RHO[:5], RHO[:5], np.eye(5)).dof == 1
    )


@pytest.mark.parametrize("replicates, is_fitted", [(8, False), (9, True)])
def test_a_response_of_few_tori_has_no_covariance(replicates, is_fitted):
    """Six octaves of V: the covariance over n tori, from which its inverse is estimated, needs more than 6 + 2 of them."""
    rng = np.random.default_rng(1)
    tori = [
        {"study": "r", "cell": "c", "dim": 2, "size": 1e4, "intensity_0": 1.0, "intensity_1": np.nan, "quantity": "response",
         "x": 8.0 * 2 ** (k / 2), "replicate": n, "numerator": rng.random(), "denominator": 1.0}
        for k in range(12) for n in range(replicates)
    ]  # fmt: skip
    assert len([*fitting.of_y(pd.DataFrame(tori), ["r"])]) == is_fitted


# ---- the table ----


def rows_of_u(dim, u, rho=RHO, error=ERRORS, study="f", size=1e6, converged=1.0):
    """Rows of `estimates` as fitting reads them."""
    common = dict(study=study, dim=dim, size=size, rule="fussy", color=1)
    rows = []
    for r, value, e in zip(rho, u, error, strict=True):
        cell = f"d{dim}-{r}-{size}"
        rows.append(
            dict(common, cell=cell, ratio=r, quantity="log_inverse_unmatched", value=-np.log(value), standard_error=e)
        )
        rows.append(dict(common, cell=cell, ratio=r, quantity="size_converged", value=converged, standard_error=0.0))
    return pd.DataFrame(rows)


def no_tori():
    names = "study cell dim size quantity x replicate numerator denominator".split()
    return pd.DataFrame({name: [] for name in names})


def test_the_largest_torus_that_can_be_trusted_is_fitted():
    exact = fussy_curve(RHO)
    estimates = pd.concat([
        rows_of_u(2.0, exact), rows_of_u(2.0, exact * 2, size=1e5), rows_of_u(2.0, exact * 3, size=1e7, converged=0.0),
        rows_of_u(3.0, exact[:2], RHO[:2], ERRORS[:2]), rows_of_u(2.0, exact * 4, study="other", size=1e8),
    ])  # fmt: skip
    found = fitting.table(estimates, no_tori(), ["f"])
    in_order = found.sort_values(LAW_TABLE.keys, ignore_index=True)[LAW_TABLE.names]
    assert impossible(LAW_TABLE, columns_of(in_order)) == ""
    some = found[found["standard_error"].notna()]
    assert (some["lower"] <= some["value"]).all() and (some["value"] <= some["upper"]).all()
    assert (found["points"] > found["dof"]).all() and (found["aic"] >= found["chi2"] + 2).all()
    assert (found["above"] > 10)[found["excluded"]].all()
    assert set(found["study"]) == {"f"} and set(found["of"]) == {"u"}
    kinds = {*zip(found["dim"], found["data"], strict=True)}
    assert kinds == {(2.0, "measured"), (1.0, "exact")}  # two rho are too few in d = 3
    both = found.pivot_table(index=["fit", "window", "parameter"], columns="data", values="value")
    assert np.allclose(both["measured"], both["exact"], rtol=1e-4, atol=1e-6)  # the same u in both
    best = found[(found["above"] == 0)].groupby("window")["fit"].unique()
    assert list(best["all rho"]) == ["inverse root"] and "rho <= 0.3" in best
    assert found.groupby("window")["points"].unique().map(list).to_dict() == {"all rho": [9], "rho <= 0.3": [7]}
    constant = found.query("parameter == 'C_d' and window == 'all rho' and data == 'exact'").iloc[0]
    assert constant["lower"] < FIRST_C < constant["upper"]
    variances = found[found["parameter"] == "C"]["standard_error"] ** 2
    assert np.allclose(found[found["parameter"] == "C"]["covariance_0"], variances)
    assert found[found["parameter"] == "C_d"][list(COVARIANCES)].isna().all(axis=None)


def test_a_law_is_excluded_only_where_it_is_so_in_every_window():
    law, other = LAWS["line"], LAWS["square"]
    fits = lambda *above: [  # noqa: E731
        {"line": fitting.Fit(law, np.zeros(2), np.eye(2), 2.0 + a, 9), "square": fitting.Fit(other, np.zeros(3), np.eye(3), 0.0, 9)}
        for a in above
    ]  # fmt: skip
    assert fitting.is_excluded("line", fits(20.0, 15.0)) and not fitting.is_excluded("line", fits(20.0, 5.0))
    assert fitting.is_excluded("line", fits(10.1)) and not fitting.is_excluded("line", fits(9.9))
    assert not fitting.is_excluded("square", fits(20.0))
    lacking = [*fits(20.0), {"square": fits(20.0)[0]["square"]}]
    assert not fitting.is_excluded("line", lacking)


@pytest.mark.slow
def test_the_response_is_fitted_with_the_covariance_of_its_tori():
    """d = 1, 96 tori: the line is excluded, C_1 from Y is that of the equations to 3 standard errors."""
    keys = "{process: binomial, dims: 1, sizes: 20000, replicates: 96, observables: response}"
    found = pm.sweep(yaml.safe_load(f"{{laws: r, studies: {{r: {keys}}}}}"))
    rows = found.laws
    assert set(rows["of"]) == {"Y"} and set(rows["data"]) == {"measured"} and set(rows["dim"]) == {1.0}
    assert set(rows["window"]) == {"V >= 8", "V >= 16", "V >= 32", "V >= 64"}
    line = rows[rows["fit"] == "line"]
    assert line["excluded"].all() and not rows[rows["fit"] == "square"]["excluded"].any()
    square = rows[(rows["fit"] == "square") & (rows["window"] == "V >= 16")].set_index("parameter")
    assert abs(square["value"]["C_d"] - FIRST_C) < 3 * square["standard_error"]["C_d"] < 0.5
    assert (rows["chi2"][rows["fit"] == "square"] < 4 * rows["dof"][rows["fit"] == "square"]).all()


STUDY = {
    "process": "two_color", "rule": "fussy", "dims": 2, "sizes": 20, "ratios": 0.5, "replicates": 1, "observables": ["unmatched"]
}  # fmt: skip


# The studies that are listed under laws, keys of the study a, and words of the message.
NO_LAWS = """
b → replicates: 1 → laws[0]: there is no study 'b'
a a → replicates: 1 → laws[1]: 'a' occurs twice
a → rule: two-color → laws[0]: study a has no law to fit: it needs unmatched red points or a response
a → ratios: 0.0 → laws[0]: study a has no law to fit
a → dims: inf → laws[0]: study a has no law to fit
"""


@pytest.mark.parametrize("laws, keys, said", rows(NO_LAWS))
def test_laws_of_studies_that_have_none_are_refused(laws, keys, said):
    study = STUDY | yaml.safe_load(f"{{{keys}}}")
    assert said in refusal(studies.of_data, {"laws": laws.split(), "studies": {"a": study}}, "s")


def test_no_laws_are_fitted_where_none_are_asked_for():
    found = pm.sweep({"studies": {"a": {**STUDY, "replicates": 2}}})
    assert found.laws.empty and list(found.laws.columns) == LAW_TABLE.names
