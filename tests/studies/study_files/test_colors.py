"""Colors in studies: any process by thinning, custom rules, three colors and more; and exact laws."""

import json
import re

import numpy as np
import pandas as pd
import pytest

import poissonmatch as pm
from helpers.measured import assert_complete
from helpers.refusals import rows
from helpers.runs import one_study, simulate_all, tables_in, write_study
from helpers.sweeps import swept
from poissonmatch.rules.catalogue import rule_named
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.report.reports import report
from poissonmatch.studies.results import integrity
from poissonmatch.studies.run import stages
from poissonmatch.studies.tables import invariants
from poissonmatch.studies.tables.estimate_tables import TABLES
from poissonmatch.utils.manifests import canonical

BODY = "dims: 2, sizes: 64, replicates: 4"


# What a study says of colors, and the intensities of its cells.
SAME = """
process: thomas, ratios: [0.5, 2] → [(1, 0.5), (1, 2)]
process: thomas, intensities: [[1, 0.5]] → [(1, 0.5)]
process: {name: thomas}, intensities: [[1, 0.5]] → [(1, 0.5)]
process: two_color, intensities: [[1, 0.5]] → [(1, 0.5)]
process: thomas, rule: fussy → [(1, 1)]
process: lattice, rule: two-color → [(1, 1)]
rule: {compatible: [[0, 1, 1], [1, 0, 1], [1, 1, 0]]} → [(1, 1, 1)]
process: binomial, intensities: [[3, 2, 1]] → [(3, 2, 1)]
process: thomas, intensities: 4 → [(4,)]
process: thomas → [(1,)]
intensities: [[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]] → [(1,) * 16]
"""


@pytest.mark.parametrize(("body", "intensities"), rows(SAME))
def test_intensities_of_cells(tmp_path, body, intensities):
    file = one_study(tmp_path, f"{BODY}, {body}")
    assert [cell.intensities for cell in studies.cells(file)] == eval(intensities)
    again = studies.of_data(json.loads(canonical(file.model_dump(mode="json", by_alias=True))), "s")
    assert again == file and [c.id for c in studies.cells(again)] == [c.id for c in studies.cells(file)]


def test_the_ways_to_write_colors_are_one_cell(tmp_path):
    ids = {
        studies.cells(one_study(tmp_path, f"{BODY}, {body}"))[0].id
        for body in ("process: thomas, ratios: 0.5", *(body for body, _ in rows(SAME)[1:3]))
    }
    assert len(ids) == 1


def test_cells_without_thinning_keep_their_streams_and_ids(tmp_path):
    """As they were before there was any: the ids, and the points that the process draws from the stream of the cell."""
    for body, name, draw in (
        ("process: thomas", "d2-n64-f3e0f858f2", pm.processes.thomas),
        (
            "process: two_color, rule: fussy, ratios: 0.5",
            "d2-n64-r0.5-abba2a09da",
            lambda torus, rng: pm.processes.two_color(torus, (1.0, 0.5), rng=rng),
        ),
    ):
        (cell,) = studies.cells(one_study(tmp_path, f"{BODY}, {body}"))
        assert cell.id == name and cell.pattern(0) == draw(cell.space(), rng=cell.stream(0))


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        (pm.Rule(((1, 1), (1, 0)), (1, 2)), "custom(11/10; 1,2)"),
        ({"compatible": [[1, 1], [1, 0]], "capacity": [1, 2]}, "custom(11/10; 1,2)"),
        ({"compatible": np.array([[True, True], [True, False]])}, "fussy"),
        ("custom( 11/10;1,2)", "custom(11/10; 1,2)"),
        ({"exclude": "mutually nearest"}, "misere"),
        ({"labels": 2}, "labels(2)"),
    ],
)
def test_a_rule_of_ones_own_in_a_sweep(tmp_path, asked, name):
    sweep = pm.sweep(rule=asked, dims=1, sizes=20, replicates=2, seed=4)
    assert set(sweep.estimates["rule"]) == {name}
    process = sweep.file.studies["sweep"].process.name
    assert process == ("two_color" if rule_named(name).n_colors > 1 else "poisson")
    assert studies.load(sweep.to_yaml(tmp_path / "s.yaml")) == sweep.file
    pd.testing.assert_frame_equal(pm.sweep(tmp_path / "s.yaml").estimates, sweep.estimates)


# ---- against exact laws ----


@pytest.mark.slow
def test_thinned_poisson_points_have_the_exact_laws():
    """Of independent Poisson processes; 4 standard errors, and a twentieth of them for the torus."""
    keys = "process: poisson, rule: fussy, dims: [1, inf], sizes: 1000, ratios: 0.5, replicates: 200, seed: 2"
    found = swept(f"{keys}, observables: distances").estimates
    red = found.query("quantity == 'unmatched_fraction' and color == 1")
    tail = found.query("quantity == 'tail' and below_cutoff and 0.1 < x < 10")
    assert len(red) == 2 and red["exact"].notna().all() and len(tail) > 80 and tail["exact"].notna().all()
    for part in (red, tail):
        assert ((part["value"] - part["exact"]).abs() < 4 * part["standard_error"] + 1e-3).all()


# ---- through the pipeline ----

COLORED = """
studies:
  three: {process: thomas, rule: {compatible: [[0, 1, 1], [1, 0, 1], [1, 1, 0]]}, dims: [1, 2], sizes: 60, intensities: [[1, 0.5, 0.25]],
          replicates: 8, observables: [distances, winner, realization]}
  two: {process: perturbed_lattice, rule: fussy, dims: 2, sizes: 64, ratios: [0.5, 1], replicates: 8}
  one: {dims: 1, sizes: 30, replicates: 8, observables: [distances]}
  target: {process: thomas, rule: "custom(011/101/110)", dims: 1, sizes: 40, intensities: [[1, 1, 3]], replicates: 8,
           target_rel_se: 0.1, max_replicates: 32}
figures:
  tails: {kind: tail, studies: [three, one]}
  picture: {kind: realization, studies: three}
  red: {kind: fussy, studies: two}
"""  # fmt: skip


@pytest.mark.slow
def test_files_of_cells_with_one_two_and_three_colors(tmp_path):
    path = write_study(tmp_path, COLORED, "s")
    file, folder = studies.load(path), tmp_path / "r" / "s"
    simulate_all(file, folder, size=2)
    stages.aggregate(file, folder)
    assert integrity.verify(folder, file).problems == []
    frames = tables_in(folder)
    rows = frames["replicates"].set_index("study")
    assert (rows.loc["three", "points_2"] > 0).any() and (rows.loc["two", "points_2"] == 0).all()
    assert rows.loc["two", "intensity_2"].isna().all() and (rows.loc["three", "intensity_2"] == 0.25).all()
    assert {cell.reference_color for cell in studies.cells(file) if cell.study == "target"} == {2}
    sweep = pm.sweep(path)
    for name in frames:
        pd.testing.assert_frame_equal(sweep.frames[name], frames[name], check_exact=True)
    drawn = [p for p in stages.draw(file, folder) if p.suffix == ".png"]
    assert [p.stem for p in drawn] == ["tails", "picture", "red"] and all(p.stat().st_size > 1000 for p in drawn)
    legend = sweep.plot("tail", studies=["three"]).legends[0]
    assert {"color 0", "color 1", "color 2"} < {text.get_text() for text in legend.get_texts()}
    page = report(path, file, folder).read_text()
    assert "<td>1 and 0.5 and 0.25</td>" in page and "<td>1 and 0.5, 1</td>" in page


@pytest.mark.parametrize("observables", [["unmatched", "distances"], ["response", "winner", "desirers"]])
def test_one_color_matching_of_points_of_three_colors(observables):
    found = swept("dims: 2, sizes: 200, intensities: [[1, 2, 3]], replicates: 3", observables=observables)
    (cell,) = studies.cells(found.file)
    assert_complete(cell, range(3), found.frames)
    assert (found.replicates[["points_0", "points_1", "points_2"]].to_numpy() > 0).all()
    if "distances" in observables:
        rows = found.distances.assign(color=found.distances["color"] + 1)
        words = invariants.impossible(TABLES["distances"].wide(3), invariants.columns_of(rows))
        assert re.search("color.* 3.*; expected: finite from 0 to 2", words)


def test_a_figure_against_a_ratio_is_not_for_three_colors(tmp_path):
    file = one_study(tmp_path, f"{BODY}, rule: custom(011/101/110), replicates: 8".replace("replicates: 4, ", ""))
    from poissonmatch.studies.figures.kinds import KINDS

    reason = studies.figure_checks.incompatible(KINDS["transition"], file.studies["a"])
    assert reason == "has more than two colors, and a figure transition is drawn against the ratio of two"


def test_matchings_of_a_process_with_colors():
    torus = pm.Torus(6.0, 2)
    (one,), (two,) = (pm.replicates("thomas", torus, "fussy", seed=3, intensities=[1, 0.5]) for _ in range(2))
    assert one == two and one.pattern.colors.max() == 1
