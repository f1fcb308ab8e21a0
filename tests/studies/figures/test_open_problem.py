"""The figures of the open problem show what the tables say."""

import numpy as np
import pandas as pd
import pytest

import poissonmatch as pm
from helpers.checkout import ROOT
from helpers.drawn import dotted, labels, marked, unmarked
from poissonmatch.theory.fussy_line import fussy_line
from poissonmatch.theory.scaling_laws import FIRST_A, LAWS
from poissonmatch.utils.errors import BadInput

KEPT = ROOT / "docs/data/openproblem"  # of the run of config/openproblem.yaml


def lines(ax):
    """(x, y) of each line that has several points."""
    return [np.array(line.get_data(), float) for line in ax.get_lines() if len(line.get_xdata()) > 1]


def has(ax, x, y):
    """Is this curve drawn?"""
    return any(found.shape[1] == len(x) and np.allclose(found, [x, y], rtol=1e-9) for found in lines(ax))


def test_collapse_shows_the_square_of_the_slope_against_the_excess(problem):
    figure = pm.figures.collapse(problem.estimates)
    assert len(figure.axes) == 2 and "(a) d = 1; (b) d = 2" in pm.figures.caption(figure)
    rows = problem.estimates.query("dim == 1 and ratio == 0.5 and size == 3200")
    value = rows.pivot_table(index="x", columns="quantity", values=["value", "standard_error", "exact"])
    slope, excess = value["value", "ratio_slope"], value["value", "ratio_excess"]
    keep = (excess > 0) & (slope > 0) & (value["standard_error", "ratio_slope"] <= 0.5 * slope)
    order = np.argsort(excess[keep])
    assert keep.sum() > 20 and has(figure.axes[0], excess[keep].iloc[order], slope[keep].iloc[order] ** 2)
    assert value["value", "collapse"][keep].to_numpy() == pytest.approx((slope[keep] ** 2 / excess[keep]).to_numpy())
    assert len(dotted(figure.axes[0])) == 6 and not dotted(figure.axes[1])
    assert sum(np.allclose(y, 4 * FIRST_A * x) for x, y in lines(figure.axes[1])) == 1  # the guide


def test_laws_without_the_table_of_fits_shows_the_points_alone(problem):
    figure = pm.figures.laws(problem.estimates)
    assert len(dotted(figure.axes[0])) == 1
    caption = pm.figures.caption(figure)
    assert "fitted" not in caption and "Stars" not in caption


def test_what_cannot_be_trusted_is_not_in_it(problem):
    small = problem.estimates.query("size == 400")  # nothing of an eighth is beside it
    with pytest.raises(BadInput, match="nothing to draw"):
        pm.figures.laws(small)


def test_response_shows_both_with_their_exact_curves(problem):
    figure = pm.figures.response(problem.estimates)
    assert [len(dotted(ax)) for ax in figure.axes] == [2, 2]  # d = 1 and the mean field
    rows = problem.estimates.query("quantity == 'response' and dim == 2").sort_values("x")
    assert has(figure.axes[0], rows["x"], rows["value"])
    x, y = max((line.get_data() for line in dotted(figure.axes[0])), key=lambda xy: xy[1][-1])
    assert y == pytest.approx(pm.theory.one_color_response(x, 1))


def test_fussy_goes_down_to_where_rare_events_are(problem):
    rows = problem.estimates[problem.estimates["quantity"] == "unmatched_fraction"].copy()
    usual = pm.figures.fussy(rows).axes[1].get_ylim()[0]
    rows.loc[(rows["ratio"] == 0.2) & (rows["color"] == 1), ["value", "lower", "upper"]] = 1e-5
    assert pm.figures.fussy(rows).axes[1].get_ylim()[0] == 1e-8 < usual
    linear, log = pm.figures.fussy(rows[rows["dim"] == 2]).axes
    assert len(dotted(log)) == 2 and not dotted(linear)  # d = 1 and e^(-1/rho), beside which d = 2 lies


def test_laws_shows_the_points_the_fits_and_both_constants():
    """Every converged u of the kept run, on the largest torus of each ratio; the fit and both constants of each dimension, if the data constrain them."""
    estimates, laws = pm.load(KEPT / "estimates.parquet"), pm.load(KEPT / "laws.parquet")  # as the manifest has them
    estimates = estimates[estimates["study"].str.startswith("fussy")]
    rows = estimates[(estimates["quantity"] == "log_inverse_unmatched") & (estimates["color"] == 1)]
    converged = estimates.query("quantity == 'size_converged' and value == 1")["cell"]
    rows = rows[rows["cell"].isin(converged)].sort_values("size").groupby(["dim", "ratio"], as_index=False).tail(1)
    figure = pm.figures.laws(estimates, second=laws)
    (ax,) = figure.axes
    fits = laws.query("data == 'measured'").set_index(["dim", "fit", "window", "parameter"])["value"]
    law, at = LAWS["inverse root"], np.linspace(1e-4, ax.get_xlim()[1], 200)
    constants = [line.get_ydata()[0] for line in ax.get_lines() if len(line.get_xdata()) == 1]
    for dim, count in ((1, 9), (2, 9), (3, 7)):
        here = rows[rows["dim"] == dim].sort_values("ratio")
        root = np.sqrt(here["ratio"])
        assert len(here) == count and has(ax, root, root * here["value"])
        values = [fits[dim, "inverse root", "all rho", name] for name in law.parameters]
        assert has(ax, at, at * law.function(at**2, *values))
        assert {fits[dim, "inverse root", "all rho", "C_d"], fits[dim, "square", "V >= 16", "C_d"]} <= {*constants}
    (x, y), *_ = [line.get_data() for line in dotted(ax)]
    k = np.argmin(abs(x**2 - 0.3))
    assert y[k] == pytest.approx(x[k] * np.log(1 / fussy_line(float(x[k] ** 2)).u), rel=1e-5)
    text = pm.figures.caption(figure)
    assert "C / √ρ + a + b ln ρ + c √ρ fitted" in text and "a l^2 + b l + c, l = ln V, fitted where V ≥ 16" in text
    assert {"$C_d$ from $u$", "$C_d$ from $Y$"} <= {*labels(figure)} and unmarked(figure) == []
    vague = pm.figures.laws(estimates, second=laws.assign(upper=laws["lower"] + 2 * laws["value"]))
    assert "interval is longer than its value" in pm.figures.caption(vague)
    assert not [label for label in labels(vague) if "C_d" in label]


POINTS = pd.DataFrame(
    {"dim": [1, 1, 3], "ratio": [0.05, 0.01, 0.05], "log_u": [-8.3, -22.0, -11.0], "standard_error": 0.5}
)
SHOWN = {
    "fussy": (-1, lambda rho: rho, lambda log_u, rho: np.exp(log_u)),
    "fussy_log": (0, lambda rho: 1 / rho, lambda log_u, rho: -log_u),
    "laws": (0, np.sqrt, lambda log_u, rho: -np.sqrt(rho) * log_u),
}


@pytest.mark.parametrize("kind", SHOWN)
@pytest.mark.parametrize("source", ["frame", "file", "study"])
def test_octaves_have_their_own_mark(problem, tmp_path, kind, source):
    """With intervals of 1.96 standard errors, or those of the study; none in a dimension that the figure has not."""
    place, x, y = SHOWN[kind]
    rows = problem.estimates
    rho, log_u, low, high = [0.05, 0.01], [-8.3, -22.0], [-9.28, -22.98], [-7.32, -21.02]
    given = {"octaves": POINTS}
    if source == "file":
        given = {"octaves": str(tmp_path / "u.csv")}
        POINTS.assign(name="a").to_csv(tmp_path / "u.csv", index=False)
    elif source == "study":
        own = rows[(rows["quantity"] == "unmatched_density") & (rows["color"] == 1) & (rows["dim"] == 1)].iloc[:1]
        rows = pd.concat(
            [rows, own.assign(quantity="log_inverse_octaves", ratio=0.02, value=15.0, lower=14.0, upper=17.0)]
        )
        given, (rho, log_u, low, high) = {}, ([0.02], [-15.0], [-17.0], [-14.0])
    figure = getattr(pm.figures, kind)(rows, **given)
    ax, rho = figure.axes[place], np.array(rho)
    (stars,) = marked(ax, "*")
    assert np.allclose(stars.get_data(), [x(rho), y(np.array(log_u), rho)])
    ends = np.sort([y(np.array(low), rho), y(np.array(high), rho)], axis=0).T
    bars = [piece[:, 1] for drawn in ax.collections for piece in drawn.get_segments() if len(piece) == 2]
    assert all(any(np.allclose(bar, end) for bar in bars) for end in ends)
    assert ax.get_ylim()[0] < stars.get_ydata().min() <= stars.get_ydata().max() < ax.get_ylim()[1]
    assert "Stars: octave by octave" in pm.figures.caption(figure) and "octave by octave" in labels(figure)


@pytest.mark.parametrize(
    "source, said",
    [
        ("none.csv", "none.csv: No such file"),
        ("bad.csv", "bad.csv must have the columns dim, ratio, log_u, standard_error; missing: ratio"),
        (POINTS.assign(log_u=np.nan), "must have numbers up to"),
        (POINTS.assign(standard_error="x"), "must have numbers up to"),
        (POINTS.assign(ratio=-1.0), "ratios above 0"),
    ],
)
def test_files_of_octaves_that_are_refused(problem, tmp_path, source, said):
    POINTS.drop(columns="ratio").to_csv(tmp_path / "bad.csv", index=False)
    source = str(tmp_path / source) if isinstance(source, str) else source
    with pytest.raises(BadInput, match=said):
        pm.figures.fussy(problem.estimates, octaves=source)
    with pytest.raises(BadInput, match="octaves: a figure collapse does not show octaves; remove it"):
        pm.figures.collapse(problem.estimates, octaves=POINTS)
