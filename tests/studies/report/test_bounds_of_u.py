"""Bounds of the unmatched fraction of red points at the cutoff, in `status` and in the figure `fussy`."""

import numpy as np

import poissonmatch as pm
from helpers.command_line import run
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.results import cell_records
from poissonmatch.utils.display import with_error

STUDY = """
studies:
  a: {process: two_color, rule: fussy, dims: [1, inf], sizes: 1000, ratios: 0.2, replicates: 16, observables: [distances, flow]}
  b: {process: two_color, rule: two-color, dims: 1, sizes: 40, ratios: 0.5, replicates: 2}
  c: {process: two_color, rule: fussy, dims: 1, sizes: 40, ratios: 0.5, replicates: 1, observables: [unmatched]}
"""


def test_status_shows_bounds_of_fussy_matchings_on_tori(made):
    path, folder = made
    records = [*cell_records.records(studies.load(path), folder)]
    assert [record["bounds"] is not None for record in records] == [True, False, False, False]
    bounds = records[0]["bounds"]
    assert bounds["lower"] <= records[0]["value"] <= bounds["upper"] and 100 < bounds["r"] <= 1000 / 1.2 / 5
    assert 0 < bounds["lower_error"] < 0.05 and 0 < bounds["upper_error"] < 0.05
    said = run("status", path, "--results", folder.parent).stdout
    low, high = (with_error(bounds[name], bounds[f"{name}_error"]) for name in ("lower", "upper"))
    words = (
        f"the unmatched fraction of reds is from (R - G) / R(0) = {low} to R / R(0) = {high}, at r = {bounds['r']:.4g}"
    )
    assert words in said


def test_the_figure_shows_the_same_bounds(made):
    estimates = pm.load(made[1] / "estimates.parquet")
    rows = estimates.query("study == 'a' and dim == 1")
    figure = pm.figures.fussy(rows)
    assert "Pale bars: the bounds (R - G)/" in pm.figures.caption(figure)
    low = rows.query("quantity == 'red_surplus'").sort_values("x")["value"].iloc[-1]
    high = rows.query("quantity == 'tail' and color == 1 and below_cutoff").sort_values("x")["value"].iloc[-1]
    bars = [c.get_segments() for c in figure.axes[0].collections if getattr(c, "get_segments", None)]
    assert any(np.allclose(segments, [[[0.2, low], [0.2, high]]]) for segments in bars if len(segments) == 1)
    assert "Pale bars" not in pm.figures.caption(pm.figures.fussy(rows[rows["quantity"] != "red_surplus"]))
