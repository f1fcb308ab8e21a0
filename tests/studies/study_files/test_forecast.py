"""What is said of a study whose tori are too small to trust the share of unmatched reds: in plan, in status, in the report; and odd numbers."""

import pandas as pd
import pytest
import yaml

import poissonmatch as pm
from helpers.command_line import call, run
from helpers.refusals import rows
from helpers.runs import finished
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.report import caveats
from poissonmatch.studies.results import cell_records
from poissonmatch.studies.study_files import forecast, stopping
from poissonmatch.theory.fussy_line import fussy_line

FUSSY = {"process": "binomial", "rule": "fussy", "replicates": 8, "observables": ["unmatched"]}


def file_of(**more):
    return studies.of_data({"studies": {"a": {**FUSSY, **more}}}, "s")


def of_keys(keys):
    return file_of(**yaml.safe_load(f"{{{keys}}}"))


# Keys of a study, and the lines about it.
UNTRUSTED = """
dims: 1, sizes: [1000, 8000], ratios: [0.4, 0.5]
dims: [1, 2], sizes: [50, 400], ratios: [1.0, 0.1] \
→ d = 1, ratio 0.1: finite-size warning: 0.19 unmatched red points per torus, at least 15 needed; about 3.2e+04 points are needed \
→ d = 2, ratio 0.1: finite-size warning: 0.19 unmatched red points per torus or fewer, at least 15 needed; about 3.2e+04 points or more are needed
dims: 1, sizes: 8000, ratios: 0.5
dims: inf, sizes: 400, ratios: 0.1
rule: two-color, dims: 1, sizes: 400, ratios: 0.1
dims: 1, sizes: 400, ratios: 0.0
"""
# Sizes that are compared with no other one.
ALONE = """
dims: [1, 2], sizes: [1000, 8000], ratios: [0.4, 0.5]
dims: [1, 2], sizes: [500, 2000, 8000], ratios: 0.5 → a in d = 1, 2 for 2,000 points (add a size of at most 250)
dims: [1, inf], sizes: [1000, 4000], ratios: 0.5 → a in d = 1 for 1,000 and 4,000 points (add a size of at most 500)
rule: two-color, dims: 1, sizes: 400, ratios: 0.1
dims: 1, sizes: 400, ratios: 0.0
"""
# What will have no error or no row.
FEW = """
dims: 1, sizes: 400, ratios: 0.5
dims: 1, sizes: 400, ratios: 0.5, replicates: 1 → a: one replicate, no error; at least 2 are needed
dims: 1, sizes: 400, ratios: 0.5, replicates: 1, observables: [realization]
rule: one-color, process: poisson, dims: 2, sizes: 4, replicates: 7, observables: [distances] \
→ a: 28 points in all, so no tail, exponent or quantile has a row; at least 32 are needed
rule: one-color, process: poisson, dims: 2, sizes: 4, replicates: 8, observables: [distances]
rule: one-color, process: poisson, dims: [1, 2], sizes: 400, target_rel_se: 0.1, max_replicates: 50 \
→ a, d = 1: target_rel_se has no meaning, since the mean partner distance is infinite in infinite volume
"""
ODD = """
dims: 1, sizes: [400, 401], ratios: 0.5 → 401
dims: 1, sizes: [400, 402], ratios: [0.1, 0.3, 1.0]
dims: 1, sizes: 401, ratios: 0.5, process: two_color
dims: 1, sizes: 401, ratios: 0.5, rule: two-color
"""


@pytest.mark.parametrize("row", rows(UNTRUSTED))
def test_a_plan_says_what_cannot_be_trusted(row):
    keys, *said = row
    assert [*forecast.finite_size_warnings(of_keys(keys))] == [f"a, {line}" for line in said]


@pytest.mark.parametrize("row", rows(ALONE))
def test_sizes_that_cannot_be_tested_are_named_in_one_line(row):
    keys, *said = row
    text = "size_converged will be null, since no size is small enough to compare with: "
    found = [remark for remark in studies.remarks(of_keys(keys)) if "size_converged" in remark]
    assert found == [text + line for line in said]


@pytest.mark.parametrize("row", rows(FEW))
def test_a_plan_says_what_will_have_no_error_or_no_row(row):
    keys, *said = row
    assert [*forecast.few_data(of_keys(keys))] == said


@pytest.mark.parametrize("row", rows(ODD))
def test_odd_numbers_are_noted(row):
    keys, *odd = row
    found = [words for words in studies.remarks(of_keys(keys)) if "odd" in words]
    assert len(found) == len(odd)
    assert all(f"studies.a.sizes: {odd[0]} is an odd number of points" in words for words in found)


def test_a_line_about_a_cell_has_no_error_of_one_torus_and_of_an_infinite_mean():
    def line(n, **more):
        (cell,) = studies.cells(file_of(sizes=400, **more))
        columns = {"points": 50, "unmatched": [5, 10][:n], "sum_distance": [40.0, 50.0][:n]}
        rows = pd.DataFrame(
            {f"{name}_{color}": values for color in range(2) for name, values in columns.items()}, index=range(n)
        )
        return stopping.line(cell, rows).partition(": ")[2]

    assert line(2, dims=1, ratios=0.5) == "unmatched_fraction[1] = 0.15(5) (33.33%)"
    assert line(1, dims=1, ratios=0.5) == "unmatched_fraction[1] = 0.1 (one replicate, no error)"
    assert (
        line(2, dims=1, rule="one-color", process="poisson")
        == "mean_distance[0] = 1.0588 (infinite in infinite volume)"
    )
    assert line(2, dims=2, rule="one-color", process="poisson").startswith("mean_distance[0] = 1.06(18) (")


def test_long_replicates_are_announced():
    file = file_of(rule="one-color", process="poisson", dims=[2, 12], sizes=[1000, 10**6])
    (line,) = forecast.long_replicates(file)
    assert line == "a, d = 12: one replicate of 1000000 points takes about 1.5 hours on a core of 2.5 GHz"
    assert [*forecast.long_replicates(file_of(dims=[1, 7], sizes=1000))] == []


def test_the_number_that_it_would_take_has_that_many_reds():
    takes = 3.2e4
    assert 15 <= takes * 0.1 / 1.1 * fussy_line(0.1).u < 15.5


STUDY = """
studies:
  a: {process: binomial, rule: fussy, dims: 1, sizes: [300, 2400], ratios: [0.1, 0.5], replicates: 8, observables: [unmatched]}
figures: {}
"""


@pytest.mark.slow
def test_status_the_report_and_plan_say_it(tmp_path):
    path, folder = finished(tmp_path, STUDY)
    file = studies.load(path)
    records = [*cell_records.records(file, folder)]
    assert len(records) == 4
    warned = {(r["points"], r["ratio"]): r["finite_size_warning"] for r in records if r["finite_size_warning"]}
    assert len(warned) == 3 and (2400, 0.5) not in warned
    assert all("are needed" in warning for (_, ratio), warning in warned.items() if ratio == 0.1)
    lines = run("status", path, "--results", folder.parent).stdout.splitlines()
    assert len(lines) == 1 + 4 + 2 and lines[-2].startswith("a, d = 1, ")  # the largest tori only
    assert lines[-1].startswith("missing: report; ")
    tables = [pm.load(folder / f"{name}.parquet") for name in ("estimates", "replicates")]
    items = [
        item for caveat in caveats.caveats(file, *tables) for item in caveat.items if "finite-size warning" in item
    ]
    assert len(items) == 1 and items[0].startswith("a, d = 1, 2,400 points, ratio 0.1: ")
    code, text = call("plan", path)
    assert code == 0 and "a, d = 1, ratio 0.1: finite-size warning: 1.1 unmatched red points" in text


@pytest.mark.slow
@pytest.mark.parametrize(
    "process",
    ["{name: points, files: p.csv, coords: [x], color: kind}", "{import: own_module_of_odd.draw}"],
)
def test_points_from_elsewhere_have_no_known_number(tmp_path, process):
    """Of neither can be told before whether they are odd."""
    (tmp_path / "p.csv").write_text("x,kind\n0.1,a\n0.5,b\n1.2,a\n")
    (tmp_path / "own_module_of_odd.py").write_text(
        "def draw(torus, intensity, *, rng):\n    return rng.random((3, 1))\n"
    )
    text = STUDY.replace("process: binomial", f"process: {process}").replace("ratios: [0.1, 0.5]", "ratios: 0.5")
    path = tmp_path / "s.yaml"
    path.write_text(text.replace("replicates: 8", "replicates: 1").replace("[300, 2400]", "3"))
    for command in ("validate", "plan"):
        code, text = call(command, path, "--allow-import")
        assert code == 0 and "odd number" not in text, text
