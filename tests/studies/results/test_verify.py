"""`verify` of nothing is no success."""

import os
import shutil
import tempfile
from functools import partial
from pathlib import Path

import pytest

from helpers.command_line import run
from helpers.forge import forge
from helpers.hostile import cases
from helpers.runs import batch_with, blocks_in, load_study, problems
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.results import integrity
from poissonmatch.studies.run import batches
from poissonmatch.studies.sampling.cells import Block
from poissonmatch_games import tables as game_tables

verify = partial(run, "verify")

NOTHING = cases(__file__)  # whose commands are the paths that are verified


@pytest.mark.parametrize("case", NOTHING)
def test_verify_of_nothing_is_no_success(tiny, tmp_path, case):
    given, path, expected, (words,) = NOTHING[case]
    home = tmp_path / "home"
    home.mkdir()
    (home / "s.yaml").write_text("studies: {}")
    (home / "s").symlink_to(tiny[1])
    given(home)
    code, out, complaint = verify(home / path)
    assert code == expected and words in complaint and out == "", (code, complaint)
    assert "Traceback" not in complaint and len(complaint.splitlines()) <= 3


@pytest.mark.slow
def test_verify_of_results_says_how_many_files(tiny):
    """The same files whether the folder or the study file is named."""
    code, out, _ = verify(tiny[1])
    assert code == 0 and "files verified" in out
    assert verify(tiny[0], "--results", tiny[1].parent) == (0, out, "")


def test_verify_of_a_study_reports_missing_blocks(tiny, tmp_path):
    """Of a study file without results, of one with a block less, and of a study file that is named twice."""
    run = f"poissonmatch run {tiny[0]} --results {tmp_path}"
    code, _, complaint = verify(tiny[0], "--results", tmp_path)
    assert code == 2 and complaint.endswith(f"there is no such folder; {run} makes the results\n")
    shutil.copytree(tiny[1], tmp_path / tiny[1].name)
    manifest = batch_with(tmp_path / tiny[1].name, "fussy")
    (block, *_) = blocks_in(manifest)
    shutil.rmtree(manifest.parent)
    code, _, complaint = verify(tiny[0], "--results", tmp_path)
    assert code == 4 and str(block) in complaint and complaint.endswith(f"\n{run} makes what is missing\n"), complaint
    assert verify(tiny[0], "--study", tiny[0])[0] == 2


@pytest.mark.skipif(os.geteuid() != 0, reason="becomes another user")
@pytest.mark.parametrize("where", ["", "blocks", "blocks/distances", "figures"])
def test_what_cannot_be_read_is_no_success(tiny, where):
    """As another user, who may not read a folder: never fewer verified files and exit 0."""
    with tempfile.TemporaryDirectory() as home:  # pytest's own are closed to others
        os.chmod(home, 0o755)
        folder = Path(home) / "s"
        shutil.copytree(tiny[1], folder)
        (folder / where).mkdir(exist_ok=True)
        (folder / where).chmod(0o700)
        os.seteuid(65534)
        try:
            code, out, complaint = verify(folder)
        finally:
            os.seteuid(0)
    assert code == 3 and str(folder / where) in complaint and "Permission denied" in complaint and out == ""
    assert len(complaint.splitlines()) == 1


def test_tables_of_the_games_are_verified_without_a_manifest(tmp_path):
    game_tables.triangle(tmp_path / "triangle.parquet", 4)
    assert problems(tmp_path) == [] and integrity.verify(tmp_path).right == 1
    forge(tmp_path / "triangle.parquet", lambda f: f[::-1])
    assert [p.kind for p in problems(tmp_path)] == ["impossible"]


@pytest.mark.parametrize("kept, words", [(5, "1 batch does not belong"), (4, "2 batches do not belong"), (6, "")])
def test_verify_counts_the_batches_that_do_not_belong_to_the_study(tmp_path, kept, words):
    text = "studies: {a: {dims: 1, sizes: [%s], replicates: 1}}"
    sizes = ["10", "20", "30", "40", "50", "60"]
    for cell in studies.cells(load_study(tmp_path, text % ", ".join(sizes))):
        batches.make([*cell.blocks()], tmp_path / "r")
    fewer = load_study(tmp_path, text % ", ".join(sizes[:kept]))
    remarks = integrity.verify(tmp_path / "r", fewer).remarks
    assert [remark.startswith(words) for remark in remarks if "belong" in remark] == [True] * bool(words)


def test_verify_without_a_study_says_which_replicates_are_missing_before_and_between_blocks(tmp_path):
    cell = studies.cells(load_study(tmp_path, "studies: {a: {dims: 1, sizes: 10, replicates: 6}}"))[0]
    for first in (1, 4):
        batches.make([Block(cell, first, first + 1)], tmp_path / "r")
    found = [str(problem) for problem in problems(tmp_path / "r") if problem.kind == "missing"]
    assert [line.partition(": replicates ")[2] for line in found if "replicates" in line] == ["0 to 0", "2 to 3"]
