"""Snakemake: what is rerun after which change, the same bytes however it is run, and clean rules."""

import os
import re
import shutil
from pathlib import Path

import pytest

from helpers.checkout import PLANNED, ROOT, STUDY, run
from helpers.processes import poissonmatch, python
from helpers.runs import batch_bytes, problems, write_study
from poissonmatch.studies.run.workflow import configured_files
from poissonmatch.utils.errors import BadInput

pytestmark = pytest.mark.workflow


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


def test_everything_is_there_and_nothing_is_run_twice(finished):
    assert planned(finished) == {}
    folder = finished / "results/study"
    tables = ("transitions", "estimates", "replicates", "distances")
    assert all((folder / f"{name}.parquet").exists() for name in tables)
    assert sorted(p.name for p in (folder / "figures").glob("*.png")) == ["fussy.png", "tail.png"]
    assert (folder / "report.html").exists()
    assert problems(folder, finished / "study.yaml") == []


@pytest.mark.slow
def test_more_replicates_and_cells_leave_old_blocks_alone(checkout):
    """Without Snakemake's own memory as well."""
    shutil.rmtree(checkout / ".snakemake")
    before = blocks(checkout)
    more = STUDY.replace("replicates: 4, block: 2", "replicates: 5").replace("[0.5, 1.0]", "[0.5, 0.7, 1.0]")
    write_study(checkout, more, "study")
    assert planned(checkout) == PLANNED
    assert len(made(checkout)) == 3
    after = blocks(checkout)
    assert len(after) > len(before) and {name: after[name] for name in before} == before
    assert problems(checkout / "results/study", checkout / "study.yaml") == []


@pytest.mark.slow
def test_a_clock_that_was_set_back(checkout):
    """All that lies there is of the year 2099: nothing finished is deleted or made anew, and what is missing is made."""
    for path in checkout.rglob("results/**/*"):
        os.utime(path, (4.07e9, 4.07e9))
    assert planned(checkout) == {}
    before = blocks(checkout)
    (checkout / "results/study/estimates.parquet").unlink()
    write_study(checkout, STUDY.replace("replicates: 4, block: 2", "replicates: 5"), "study")
    assert len(made(checkout)) == 2
    after = blocks(checkout)
    assert {name: after[name] for name in before} == before
    assert problems(checkout / "results/study", checkout / "study.yaml") == []


@pytest.mark.slow
def test_the_rules_are_formatted(finished):
    done = python("-m", "snakefmt", "--check", "Snakefile", "workflow", cwd=finished)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_two_study_files_in_one_run(tmp_path):
    """Each has its results, and the rules of each can be forced."""
    one, two = (write_study(tmp_path, STUDY, name) for name in ("one", "two"))
    without_jit = {"NUMBA_DISABLE_JIT": "1"}
    for _ in range(2):
        done = poissonmatch("run", one, two, "--results", tmp_path / "r", variables=without_jit)
        assert done.returncode == 0, done.stderr
        assert [line for line in done.stderr.splitlines() if "complete" in line] == [
            f"{tmp_path / 'r' / name}: complete; report.html shows all figures and tables" for name in ("one", "two")
        ]
    for path in (one, two):
        assert problems(tmp_path / "r" / path.stem, path) == []
    words = ("-n", "-R", "report_two", "--config", f"study={one} {two}", f"results={tmp_path / 'r'}")
    done = python("-m", "snakemake", *words, variables=without_jit, cwd=ROOT)
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
def test_times_of_the_future_and_of_1970(checkout, future):
    """Of tables beside blocks of 1970, of blocks, and of figures: a run that makes a figure ends well."""
    folder = checkout / "results/study"
    for path in folder.rglob("*"):
        os.utime(path, (10**5, 10**5))
    for path in folder.glob(future):
        os.utime(path, (2**32, 2**32))
    (folder / "figures/tail.png").unlink()
    assert run(checkout).get("draw", 0) >= 1
    assert problems(folder, checkout / "study.yaml") == []
    assert max(path.stat().st_mtime for path in folder.rglob("*")) < 2**32
