"""`poissonmatch status`: one aligned line for each cell, a summary of many cells, JSON for programs."""

import json

import pytest

from helpers.command_line import run
from helpers.runs import cells_of, write_study
from poissonmatch.cli import status
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.results import cell_records
from poissonmatch.studies.results.results import Results
from poissonmatch.studies.run import batches, stages
from poissonmatch.studies.sampling.cells import Block
from poissonmatch.studies.tables.estimate_tables import INFINITE
from poissonmatch.utils.manifests import to_json

STUDY = """
studies:
  a-longer-name: {process: two_color, rule: fussy, dims: [1, inf], sizes: [60, 1000], ratios: 0.5, replicates: 4, block: 2, observables: [unmatched]}
  b: {dims: 1, sizes: 50, replicates: 2, observables: [unmatched]}
"""


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    """A study with two of four replicates of its first cell, and all of its last one."""
    home = tmp_path_factory.mktemp("status")
    path = write_study(home, STUDY, "s")
    cells = cells_of(path)
    batches.make([Block(cells[0], 0, 2), Block(cells[-1], 0, 2)], home / "out/s")
    return path


def shown(path, *options):
    done = run("status", path, "--results", path.parent / "out", *options)
    assert done.returncode == 0, done.stderr
    return done.stdout  # standard error may say that the command is still at work


def test_a_line_for_each_cell(begun):
    head, *lines, note = shown(begun).splitlines()
    assert head.split() == list(status.HEAD) and len(lines) == 5 and note == f"* {INFINITE}"
    assert [head.index(word) for word in ("study", "quantity")] == [0, lines[0].index("unmatched_fraction red")]
    assert {line[: head.index("left") + 4] for line in lines} == set(lines)  # nothing beyond the last column
    first, other = lines[0].split(), lines[1].split()
    assert first[:5] == "a-longer-name 1 60 0.5 unmatched_fraction".split()
    assert first[-4:] == "2 of 4 2".split() and "(" in first[-5]
    assert other[-5:] == "red 0 of 4 4".split() and lines[2].split()[1] == "inf"
    assert lines[-1].split()[-4:] == "2 of 2 -".split()


def test_many_cells_are_summarized_by_study(begun, monkeypatch):
    lines = shown(begun, "--cells").splitlines()
    monkeypatch.setattr(status, "MAX_CELLS", 4)
    assert shown(begun, "--cells").splitlines() == lines
    head, first, second, note = shown(begun).splitlines()
    assert [head.index(word) for word in status.SUMMARY] and note == "5 cells; --cells prints a line for each"
    words = first.split()
    assert words[:10] == "a-longer-name 1, inf 60 to 1000 0.5 0 of 4".split()
    assert words[10].endswith("%") and words[11:] == "2 of 16 14".split()
    assert second.split() == "b 1 50 1 of 1 2 of 2 -".split()


def test_json(begun):
    found = json.loads(shown(begun, "--json"))
    assert len(found) == 5
    first, second, *_, last = found
    assert (first["study"], first["dim"], first["points"], first["ratio"]) == ("a-longer-name", 1, 60.0, 0.5)
    assert (first["quantity"], first["color"], first["infinite"]) == ("unmatched_fraction", "red", False)
    assert 0 <= first["value"] <= 1 and first["standard_error"] >= 0
    assert (first["replicates"], first["replicates_needed"], first["replicates_left"]) == (2, 4, 2)
    assert (second["value"], second["standard_error"], found[2]["dim"]) == (None, None, "inf")
    assert (last["quantity"], last["color"], last["infinite"], last["ratio"]) == ("mean_distance", "", True, None)


def test_warnings_are_about_the_largest_tori():
    """Smaller ones are there to be compared with."""
    key = {"study": "s", "dim": 1, "intensities": [1.0, 0.5]}
    records = [key | {"points": points} for points in (1000, 60, 300)] + [key | {"dim": 2, "points": 60}]
    assert status._largest(records) == [records[0], records[3]]


def test_replicates_that_are_kept(begun, tmp_path):
    file = studies.load(begun)
    assert cell_records.n_replicates(file, Results(begun.parent / "out/s")) == (4, 18)
    assert cell_records.n_replicates(file, Results(tmp_path)) == (0, 18)


def test_what_is_missing_when_all_replicates_are_done(tmp_path):
    text = (
        STUDY
        + "figures:\n  f: {kind: finite-size, studies: a-longer-name}\n  g: {kind: finite-size, studies: a-longer-name}\n"
    )
    path = write_study(tmp_path, text, "s")
    file, folder = studies.load(path), tmp_path / "out/s"
    cells = studies.cells(file)
    batches.make([Block(cell, 0, 4) for cell in cells[:-1]], folder)
    assert "missing:" not in shown(path)
    batches.make([Block(cells[-1], 0, 2)], folder)
    words = f"poissonmatch run {path} --results {tmp_path / 'out'} makes them"
    assert shown(path).splitlines()[-1] == f"missing: tables, 2 figures, report; {words}"
    stages.aggregate(file, folder)
    stages.draw(file, folder, ["f"])
    (folder / "report.html").write_text("a page")
    assert shown(path).splitlines()[-1] == f"missing: 1 figure; {words}"
    stages.draw(file, folder, ["g"])
    assert "missing:" not in shown(path)


def test_one_replicate_has_no_error(tmp_path):
    path = write_study(
        tmp_path, "\nstudies:\n  a: {dims: 1, sizes: 50, replicates: 1, observables: [unmatched]}\n", "s"
    )
    assert shown(path).splitlines()[-1] == "a: one replicate, no error; at least 2 are needed"


STATES = {
    "empty": lambda state: b"",
    "cut": lambda state: state[:-30],
    "a list": lambda state: b"[]",
    "no records": lambda state: to_json({}),
    "records that are a number": lambda state: to_json(json.loads(state) | {"records": 1}),
    "an edited value": lambda state: state.replace(b'"value": 0', b'"value": 1'),
    "a number of 400 digits": lambda state: state.replace(b'"points": 60', b'"points": ' + b"9" * 400),
}


@pytest.mark.parametrize("case", STATES)
def test_stored_records_that_are_none(begun, case):
    """They are made anew."""
    expected, path = json.loads(shown(begun, "--json")), begun.parent / "out/s/.run" / cell_records.STATUS
    state = path.read_bytes()
    path.write_bytes(STATES[case](state))
    assert json.loads(shown(begun, "--json")) == expected and path.read_bytes() == state
