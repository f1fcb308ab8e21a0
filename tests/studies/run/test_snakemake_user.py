"""What a user of Snakemake tries: each command, the jobs that it runs, and the words that it prints."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import pytest

from helpers.checkout import ALL, PLANNED, RESULTS, STUDY, jobs, run, snakemake
from helpers.runs import batch_bytes, batch_with, table_of, write_study
from poissonmatch.studies.run import runs

pytestmark = [pytest.mark.workflow, pytest.mark.slow]
TABLES = {"plan_round": 1, "simulate": 1, "aggregate": 1}
AGAIN = {rule: number for rule, number in ALL.items() if rule != "plan_round"}


def edited(old: str, new: str) -> Callable[[Path], object]:
    assert old in STUDY
    return lambda checkout: write_study(checkout, STUDY.replace(old, new), "study")


def without(*names: str) -> Callable[[Path], object]:
    return lambda checkout: [(checkout / RESULTS / name).unlink() for name in names]


def damaged(checkout: Path) -> None:
    path = table_of(batch_with(checkout / RESULTS, "a"), "replicates")
    path.write_bytes(path.read_bytes()[:-1])


def everything(checkout: Path) -> dict[Path, bytes]:
    """All files of the results."""
    return {path: path.read_bytes() for path in (checkout / RESULTS).rglob("*") if path.is_file()}


def source(file: str) -> Callable[[Path], object]:
    return lambda checkout: (checkout / "src/poissonmatch" / file).open("a").write("\nEDITED = True\n")


class Case(NamedTuple):
    change: Callable[[Path], object] | None
    words: str  # the command
    jobs: dict[str, int]
    said: tuple[str, ...] = ()
    code: int = 0


COMMENT = edited("studies:\n", "# a comment\nstudies:\n")
TITLE = edited("kind: tail, studies: a", "kind: tail, studies: a, title: Tails")
MORE = edited("replicates: 4, block: 2", "replicates: 5, block: 2")
CASES = {
    "again": Case(None, "", {}, ("Nothing to be done",)),
    "a comment": Case(COMMENT, "", {}, ("Nothing to be done",)),
    "a table": Case(without("estimates.parquet"), f"{RESULTS}/estimates.parquet", {"aggregate": 1}),
    "a table that is there": Case(MORE, f"{RESULTS}/distances.parquet", TABLES),
    "a figure as PDF": Case(without("figures/fussy.pdf", "report.html"), f"{RESULTS}/figures/fussy.pdf", {"draw": 1}),
    "a figure as PNG": Case(without("figures/tail.png"), f"{RESULTS}/figures/tail.png", {"draw": 1}),
    "the report": Case(without("report.html"), f"{RESULTS}/report.html", {"report": 1}),
    "all": Case(without("report.html"), "all", {"report": 1}),
    "an entry of a figure": Case(TITLE, "", {"draw": 1, "report": 1}),
    "why it is drawn": Case(TITLE, "-n", {"draw": 1, "report": 1}, ("draw tail: other entry",)),
    "more replicates": Case(MORE, "", ALL),
    "code of the simulation": Case(source("engine/chains.py"), "-n", PLANNED),
    "code of the estimates": Case(source("studies/statistics/estimates.py"), "-n", PLANNED),
    "code of the figures": Case(source("studies/figures/panel_elements.py"), "", {"draw": 2, "report": 1}),
    "code of the report": Case(source("studies/report/pages.py"), "", {"report": 1}),
    "--forcerun draw_tail": Case(None, "--forcerun draw_tail", {"draw": 1, "report": 1}),
    "-R simulate": Case(None, "-R simulate", AGAIN),  # the job returns, since its batch is right
    "-F": Case(None, "-F", ALL),
    "--touch": Case(None, "-R draw_tail --touch", {"draw": 1, "report": 1}),
    "--rerun-triggers": Case(TITLE, "-n --rerun-triggers mtime params code input", {"draw": 1, "report": 1}),
    "--batch": Case(MORE, "--batch aggregate=1/1", ALL),
    "--workflow-profile": Case(None, "--workflow-profile none --cores 1", {}, ("Nothing to be done",)),
    "--jobs without --cores": Case(
        MORE, "-n --executor cluster-generic --cluster-generic-submit-cmd false --jobs 5", PLANNED),
    "--until aggregate": Case(MORE, "--until aggregate", TABLES),
    "--omit-from report": Case(MORE, "--omit-from report", {**TABLES, "draw": 2}),
    "--summary": Case(None, "--summary", {}, (f"{RESULTS}/estimates.parquet\t", f"{RESULTS}/figures/tail.pdf\t", "\tok\tno update")),
    "--rulegraph": Case(None, "--rulegraph", {}, ("digraph", *(f'label = "{rule}' for rule in PLANNED))),
    "--dag": Case(None, "--dag", {}, ("digraph", 'label = "aggregate"')),
    "--list-rules": Case(None, "--list-rules", {}, ("aggregate (Combine all blocks into the tables, with estimates.)",)),
    "--lint": Case(None, "--lint", {}, ("Congratulations",)),
    "--unlock": Case(None, "--unlock", {}, ("Unlocked",)),
    "--rerun-incomplete": Case(None, "--rerun-incomplete --cores 1", {}, ("Nothing to be done",)),
    "--delete-all-output": Case(None, "--delete-all-output --dry-run", {}, (f"Would delete {RESULTS}/estimates.parquet",)),
    "a file that is none": Case(None, f"{RESULTS}/estimate.parquet", {}, (
        "No rule to produce", f"did you mean '{RESULTS}/estimates.parquet'?"), 1),
    "a bad study": Case(edited("sizes: 60", "sizes: 1:30"), "", {}, ("write a plain decimal number",), 1),
    "a damaged block": Case(lambda c: (damaged(c), MORE(c)), "", TABLES, ("parquet: damaged",), 1),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_command_runs_what_it_says(checkout, case):
    change, words, expected, said, code = CASES[case]
    if change:
        change(checkout)
    before = batch_bytes(checkout / RESULTS)
    files = everything(checkout)
    done = snakemake(checkout, *words.split())
    text = done.stdout + done.stderr
    assert done.returncode == code, text
    assert jobs(text) == expected, text
    if not expected or "-n" in words:
        assert everything(checkout) == files and "Traceback" not in text
    for word in said:
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
    caption = (finished / RESULTS / "figures" / "fussy.txt").read_text(encoding="utf-8")
    assert "fussy.png" in page and json.dumps(caption.split(". ")[0][:40])[1:-1] in page  # the report has it as JSON


MODULE = """
module poissonmatch:
    snakefile: "{checkout}/Snakefile"
    config: {{"study": "{checkout}/study.yaml", "results": "scratch"}}

use rule * from poissonmatch as pm_*

rule mine:
    default_target: True
    input: "scratch/study/estimates.parquet"
    output: "mine.txt"
    run:
        import pandas as pd
        table = pd.read_parquet(input[0])
        with open(output[0], "w") as file:
            file.write(str(len(table)))
"""


def test_the_workflow_is_a_module_of_another(finished, tmp_path):
    (tmp_path / "Snakefile").write_text(MODULE.format(checkout=finished))
    done = snakemake(tmp_path, "--cores", "2", config="", source=finished / "src")
    text = done.stdout + done.stderr
    assert done.returncode == 0 and jobs(text) == TABLES, text
    rows = len(pd.read_parquet(tmp_path / "scratch/study/estimates.parquet"))
    assert (tmp_path / "mine.txt").read_text() == str(rows)
    again = snakemake(tmp_path, "--cores", "2", config="", source=finished / "src")
    assert "Nothing to be done" in again.stdout + again.stderr


def test_results_go_where_the_config_says(finished, tmp_path):
    done = snakemake(
        finished, f"{tmp_path}/study/estimates.parquet", "-n", config=f"study=study.yaml results={tmp_path}"
    )
    assert jobs(done.stdout + done.stderr) == {"plan_round": 1, "aggregate": 1}, done.stderr
