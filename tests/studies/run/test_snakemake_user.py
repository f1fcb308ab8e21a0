"""What a user of Snakemake tries: each command, the jobs that it runs, and the words that it prints."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from helpers.checkout import ALL, PLANNED, RESULTS, STUDY, jobs, run, snakemake
from helpers.hostile import Change, changes
from helpers.runs import batch_bytes, batch_with, table_of, write_study
from helpers.tables import tables
from poissonmatch.studies.run import runs

pytestmark = [pytest.mark.workflow, pytest.mark.slow]
TABLES = {"plan_round": 1, "simulate": 1, "aggregate": 1}
AGAIN = {rule: number for rule, number in ALL.items() if rule != "plan_round"}


def edited(old: str, new: str) -> Change:
    assert old in STUDY
    return lambda checkout: write_study(checkout, STUDY.replace(old, new), "study")


def without(*names: str) -> Change:
    return lambda checkout: [(checkout / RESULTS / name).unlink() for name in names]


def damaged(checkout: Path) -> None:
    path = table_of(batch_with(checkout / RESULTS, "a"), "replicates")
    path.write_bytes(path.read_bytes()[:-1])


def everything(checkout: Path) -> dict[Path, bytes]:
    """All files of the results."""
    return {path: path.read_bytes() for path in (checkout / RESULTS).rglob("*") if path.is_file()}


def source(file: str) -> Change:
    return lambda checkout: (checkout / "src/poissonmatch" / file).open("a").write("\nEDITED = True\n")


MORE = edited("replicates: 4, block: 2", "replicates: 5, block: 2")
JOBS = {"all": ALL, "planned": PLANNED, "tables": TABLES, "again": AGAIN}
CASES = tables(__file__)


@pytest.mark.parametrize("case", CASES)
def test_a_command_runs_what_it_says(checkout, case):
    row = CASES[case]
    words, code = row["words"], row.get("code", 0)
    expected = JOBS[row["jobs"]] if isinstance(row["jobs"], str) else row["jobs"]
    changes(row.get("given", []), edited, without, source, damaged)(checkout)
    before = batch_bytes(checkout / RESULTS)
    files = everything(checkout)
    done = snakemake(checkout, *words.split())
    text = done.stdout + done.stderr
    assert done.returncode == code, text
    assert jobs(text) == expected, text
    if not expected or "-n" in words:
        assert everything(checkout) == files and "Traceback" not in text
    for word in row.get("says", ()):
        assert word in text, text
    after = batch_bytes(checkout / RESULTS)
    assert {name: after[name] for name in before} == before  # no command removes or changes a block
    if not code and expected and "-n" not in words and not set(words.split()) & {"--until", "--omit-from"}:
        targets = [word for word in words.split() if word.startswith(RESULTS)]
        assert jobs(snakemake(checkout, *targets, "-n").stdout) == {}


APPTAINER = """#!/bin/sh
[ "$1" = exec ] || { echo apptainer version 1.3.4; exit; }
echo "$*" >> "$0.log"
until [ "${1%.sif}" != "$1" ]; do shift; done
shift
exec "$@"
"""


def test_every_job_runs_in_the_container(checkout, tmp_path, monkeypatch):
    """In the place of Apptainer stands a program that lists its calls and runs their commands without an image."""
    program = tmp_path / "apptainer"
    program.write_text(APPTAINER)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    (checkout / "poissonmatch.sif").touch()
    MORE(checkout)
    assert run(checkout, "--sdm", "apptainer") == ALL
    calls = (tmp_path / "apptainer.log").read_text().splitlines()
    assert sum("poissonmatch.sif" in call for call in calls) == sum(ALL.values())


def test_while_another_run_is_at_work_its_plan_is_shown_and_nothing_is_run(finished):
    with runs.locked(finished / RESULTS):
        shown, refused = snakemake(finished, "--summary"), snakemake(finished, "--forcerun", "draw")
    assert shown.returncode == 0 and f"{RESULTS}/estimates.parquet\t" in shown.stdout
    assert refused.returncode == 1 and "another run is at work" in refused.stdout + refused.stderr


READING = ("-n", "--summary", "--list-rules", "--rulegraph", "--delete-all-output --dry-run")


@pytest.mark.parametrize("words", READING)
def test_what_only_reads_works_where_nothing_can_be_written(checkout, words):
    """On results that are mounted to be read only; unless Snakemake would say that it cannot replace them, not finished."""
    results = checkout / "results"
    if os.geteuid() or subprocess.run(["mount", "--bind", results, results]).returncode:
        pytest.skip("needs root to mount a folder")
    try:
        if words != "-n":
            MORE(checkout)
        shutil.rmtree(checkout / ".snakemake")
        subprocess.run(["mount", "-o", "remount,ro,bind", results], check=True)
        done = snakemake(checkout, *words.split())
        assert done.returncode == 0, done.stderr
        assert jobs(done.stdout + done.stderr) == {}
    finally:
        subprocess.run(["umount", "--lazy", results], check=True)


def test_the_report_of_snakemake_has_the_figures_with_their_captions(finished, tmp_path):
    done = snakemake(finished, "--report", str(tmp_path / "report.html"))
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    caption = (finished / RESULTS / "figures/fussy.txt").read_text(encoding="utf-8")
    assert "fussy.png" in page and json.dumps(caption.split(". ")[0][:40])[1:-1] in page  # the report has it as JSON


def test_results_go_where_the_config_says(finished, tmp_path):
    done = snakemake(
        finished, f"{tmp_path}/study/estimates.parquet", "-n", config=f"study=study.yaml results={tmp_path}"
    )
    assert jobs(done.stdout + done.stderr) == {"plan_round": 1, "aggregate": 1}, done.stderr
