"""Snakemake: what is rerun after which change, the same bytes however it is run, and clean rules."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.checkout import ROOT, STUDY, copy, run, snakemake
from helpers.runs import batch_bytes, write_study
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.results import integrity
from poissonmatch.studies.run.workflow import configured_files
from poissonmatch.utils.errors import BadInput

pytestmark = pytest.mark.workflow
ALL = {"plan_round": 1, "simulate": 1, "aggregate": 1, "draw": 2, "report": 1}
PLANNED = {rule: number for rule, number in ALL.items() if rule != "simulate"}  # before its jobs are known


def planned(house: Path) -> dict[str, int]:
    """Number of jobs of each rule that Snakemake would run now."""
    return run(house, "--dry-run")


def made(house: Path) -> list[str]:
    """Run Snakemake; the blocks that it made, as its jobs name them."""
    for path in house.glob("results/study/.run/**/*.log"):
        path.unlink()
    run(house)
    logs = "".join(path.read_text() for path in sorted(house.glob("results/study/.run/simulate/*.log")))
    return re.findall(r"^[ab]/\S+: replicates \d+ to \d+$", logs, re.M)


def blocks(house: Path) -> dict[Path, bytes]:
    return batch_bytes(house / "results/study")


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A copy of the project, with the study run in it."""
    folder = copy(tmp_path_factory.mktemp("house"))
    assert planned(folder) == PLANNED
    assert run(folder) == ALL
    return folder


@pytest.fixture
def edited(house, tmp_path):
    """The house as it was after the run, to edit. What is compiled is kept by its path: a copy would compile all anew."""
    shutil.copytree(house, tmp_path / "as it was")
    yield house
    shutil.rmtree(house)
    shutil.copytree(tmp_path / "as it was", house)


def test_everything_is_there_and_nothing_is_run_twice(house):
    assert planned(house) == {}
    folder = house / "results" / "study"
    assert all(
        (folder / f"{name}.parquet").exists() for name in ("transitions", "estimates", "replicates", "distances")
    )
    assert sorted(p.name for p in (folder / "figures").glob("*.png")) == ["fussy.png", "tail.png"]
    assert (folder / "report.html").exists()
    assert integrity.verify(folder, studies.load(house / "study.yaml")).problems == []


EDITS = {  # of a source file: what is planned, and what is drawn then
    "engine/chains.py": (PLANNED, []),
    "studies/figures/matchings.py": ({"draw": 2, "report": 1}, ["fussy", "tail"]),
    "studies/report/pages.py": ({"report": 1}, []),
    "studies/statistics/estimates.py": (PLANNED, []),
}


@pytest.mark.slow
@pytest.mark.parametrize("file", EDITS)
def test_an_edit_of_the_code_makes_anew_what_depends_on_it(edited, file):
    expected, drawn = EDITS[file]
    with open(edited / "src" / "poissonmatch" / file, "a") as source:
        source.write("\nEDITED = True\n")
    assert planned(edited) == expected
    if drawn or "report" in file:
        before = blocks(edited)
        assert made(edited) == []
        logs = "".join(path.read_text() for path in (edited / "results/study/.run/draw").glob("*.log"))
        assert [name for name in ("fussy", "tail") if f"{name}.pdf" in logs] == drawn
        assert blocks(edited) == before and planned(edited) == {}


@pytest.mark.slow
def test_more_replicates_and_cells_leave_old_blocks_alone(edited):
    """Without Snakemake's own memory as well."""
    shutil.rmtree(edited / ".snakemake")
    before = blocks(edited)
    more = STUDY.replace("replicates: 4, block: 2", "replicates: 5").replace("[0.5, 1.0]", "[0.5, 0.7, 1.0]")
    write_study(edited, more, "study")
    assert planned(edited) == PLANNED
    assert len(made(edited)) == 3
    after = blocks(edited)
    assert len(after) > len(before) and {name: after[name] for name in before} == before
    assert integrity.verify(edited / "results/study", studies.load(edited / "study.yaml")).problems == []


@pytest.mark.slow
def test_a_clock_that_was_set_back(edited):
    """All that lies there is of the year 2099: nothing finished is deleted or made anew, and what is missing is made."""
    for path in edited.rglob("results/**/*"):
        os.utime(path, (4.07e9, 4.07e9))
    assert planned(edited) == {}
    before = blocks(edited)
    (edited / "results/study/estimates.parquet").unlink()
    write_study(edited, STUDY.replace("replicates: 4, block: 2", "replicates: 5"), "study")
    assert len(made(edited)) == 2
    after = blocks(edited)
    assert {name: after[name] for name in before} == before
    assert integrity.verify(edited / "results/study", studies.load(edited / "study.yaml")).problems == []


@pytest.mark.slow
def test_a_bad_study_is_refused_in_a_users_words(edited):
    write_study(edited, "studies: {a: {dims: 2, sizes: 1:30, replicates: 1}}\n", "study")
    result = snakemake(edited)
    assert (
        result.returncode != 0 and "write a plain decimal number" in result.stderr and "Traceback" not in result.stderr
    )


@pytest.mark.slow
def test_lint_and_format(house):
    lint = snakemake(house, "--lint")
    assert lint.returncode == 0 and "Congratulations" in lint.stderr + lint.stdout, lint.stderr
    command = [sys.executable, "-m", "snakefmt", "--check", "Snakefile", "workflow"]
    result = subprocess.run(command, cwd=house, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr


@pytest.mark.slow
def test_two_study_files_in_one_run(tmp_path):
    """Each has its results, and the rules of each can be forced."""
    one, two = (write_study(tmp_path, STUDY, name) for name in ("one", "two"))
    words = [sys.executable, "-m", "poissonmatch", "run", str(one), str(two), "--results", str(tmp_path / "r")]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    for _ in range(2):
        done = subprocess.run(words, capture_output=True, text=True, env=environment)
        assert done.returncode == 0, done.stderr
        assert [line for line in done.stderr.splitlines() if "complete" in line] == [
            f"{tmp_path / 'r' / name}: complete; report.html shows all figures and tables" for name in ("one", "two")
        ]
    for path in (one, two):
        assert integrity.verify(tmp_path / "r" / path.stem, studies.load(path)).problems == []
    command = [sys.executable, "-m", "snakemake", "-n", "-R", "report_two"]
    config = ["--config", f"study={one} {two}", f"results={tmp_path / 'r'}"]
    done = subprocess.run([*command, *config], capture_output=True, text=True, env=environment, cwd=ROOT)
    assert set(re.findall(r"^(?:local)?rule (\w+):", done.stdout, re.M)) == {"report_two", "all"}, done.stdout


def test_study_files_of_one_name_have_the_same_results_folder():
    with pytest.raises(BadInput, match="two study files have the name a"):
        configured_files({"study": "a.yaml b/a.yaml"})
    assert (
        configured_files({"study": "a.yaml b.yaml"})
        == configured_files({"study": ["a.yaml", "b.yaml"]})
        == ["a.yaml", "b.yaml"]
    )


@pytest.mark.slow
@pytest.mark.parametrize("future", ["*.parquet", "blocks/**/*.*", "figures/*"])
def test_times_of_the_future_and_of_1970(edited, future):
    """Of tables beside blocks of 1970, of blocks, and of figures: a run that makes a figure ends well."""
    folder = edited / "results" / "study"
    for path in folder.rglob("*"):
        os.utime(path, (10**5, 10**5))
    for path in folder.glob(future):
        os.utime(path, (2**32, 2**32))
    (folder / "figures/tail.png").unlink()
    assert run(edited).get("draw", 0) >= 1
    assert integrity.verify(folder, studies.load(edited / "study.yaml")).problems == []
    assert max(path.stat().st_mtime for path in folder.rglob("*")) < 2**32
