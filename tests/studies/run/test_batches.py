"""A job that ends before its batch is finished: what it keeps, and what it leaves."""

import errno
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from unittest.mock import Mock

import pytest

from helpers.command_line import call
from helpers.runs import (
    batch_bytes,
    blocks_in,
    blocks_of_study,
    load_study,
    manifests,
    missing,
    planned,
    problems,
    run_study,
    table_of,
    tables_in,
)
from helpers.sources import blocks as code_blocks
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.results import integrity
from poissonmatch.studies.results.batch_files import BatchWriter, read_manifest
from poissonmatch.studies.results.results import Results
from poissonmatch.studies.run import batches, stages
from poissonmatch.studies.sampling.cells import Block
from poissonmatch.studies.tables.parquet import TableWriter
from poissonmatch.utils.errors import BadInput, IntegrityError

STUDY = """
studies:
  a: {dims: [1, 2], sizes: 60, replicates: 4, block: 2, observables: [distances]}
"""


@pytest.fixture
def study(tmp_path):
    """A study file, the folder of its results, and its four blocks."""
    file = load_study(tmp_path, STUDY)
    return file, tmp_path / "r", blocks_of_study(file)


def at(wanted: Block, act):
    """A function that acts when the first replicate of a block is done."""

    def progress(block, replicate):
        if str(block) == str(wanted) and replicate == block.first:
            act()

    return progress


def kept(folder: Path) -> list[list[str]]:
    """The blocks of each batch."""
    return [[*map(str, blocks_in(manifest))] for manifest in manifests(folder)]


def send(number: int) -> None:
    os.kill(os.getpid(), number)


SIGNALS = [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, SystemExit)]


@pytest.mark.parametrize("number, error", SIGNALS)
@pytest.mark.parametrize("done", [0, 1, 3])
def test_a_signal_loses_at_most_one_block(study, number, error, done):
    """The blocks before it are a batch of their own, and the next plan asks for the others."""
    file, folder, blocks = study
    handlers = [signal.getsignal(one) for one, _ in SIGNALS]
    with pytest.raises(error):
        batches.make(blocks, folder, progress=at(blocks[done], lambda: send(number)))
    assert [signal.getsignal(one) for one, _ in SIGNALS] == handlers
    assert kept(folder) == [[*map(str, blocks[:done])]] * bool(done)
    assert not list(folder.rglob("*.tmp"))
    plan, wanted = planned(file, folder)
    assert sum(len(line["blocks"]) for line in batches.read_plan(plan).jobs.values()) == 4 - done
    for manifest in wanted:
        batches.work(manifest)
    stages.aggregate(file, folder)
    assert problems(folder, file) == []


def test_a_second_attempt_uses_what_the_first_has_kept(study, tmp_path):
    """It makes the other blocks only, and the same bytes."""
    file, folder, blocks = study
    plan, (manifest,) = planned(file, folder, minutes=1e9)
    with pytest.raises(SystemExit):
        batches.work(manifest, progress=at(blocks[2], lambda: send(signal.SIGTERM)))
    made = []
    batches.work(manifest, progress=lambda block, replicate: made.append(str(block)))
    assert [*dict.fromkeys(made)] == [*map(str, blocks[2:])]
    _, (again,) = planned(file, tmp_path / "undisturbed", minutes=1e9)
    batches.make(blocks, tmp_path / "undisturbed")
    assert manifest.name == again.name and manifest.read_bytes() == again.read_bytes()


def test_a_batch_that_exists_stays_as_it_is_and_a_damaged_one_is_named(study):
    file, folder, _ = study
    plan, (manifest,) = planned(file, folder, minutes=1e9)
    batches.work(manifest)
    before = batch_bytes(folder)
    made = []
    batches.work(manifest, progress=lambda block, replicate: made.append(block))
    assert made == [] and batch_bytes(folder) == before
    path = table_of(manifest, "distances")
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(IntegrityError, match="distances/.*damaged"):
        batches.work(manifest)
    path.unlink()
    batches.work(manifest)
    assert batch_bytes(folder) == before
    with pytest.raises(BadInput, match="no plan has the batch 0123456789abcdef"):
        batches.work(manifest.with_name("0123456789abcdef.json"))


def test_tables_are_made_from_the_batches_of_a_plan_whatever_a_listing_shows(study, monkeypatch):
    """A network file system may show a file minutes after it was written."""
    file, folder, _ = study
    plan, wanted = planned(file, folder)
    for manifest in wanted:
        batches.work(manifest)
    stages.aggregate(file, folder)
    expected = (folder / "estimates.parquet").read_bytes()
    monkeypatch.setattr(os, "listdir", lambda folder: [])
    with pytest.raises(IntegrityError, match="missing"):
        stages.aggregate(file, folder)
    stages.aggregate(file, folder, batches=[manifest.stem for manifest in wanted])
    assert (folder / "estimates.parquet").read_bytes() == expected


def test_a_signal_that_is_lost_in_a_callback_ends_the_job_after_the_block(study):
    """As Python ignores what is raised in a callback from compiled code."""
    file, folder, blocks = study

    def lose():
        with suppress(SystemExit):
            send(signal.SIGTERM)

    with pytest.raises(SystemExit):
        batches.make(blocks, folder, progress=at(blocks[1], lose))
    assert kept(folder) == [[*map(str, blocks[:2])]]


def test_a_signal_while_a_block_is_written_waits(study, monkeypatch):
    file, folder, blocks = study
    write = BatchWriter.add

    def add(self, block, tables):
        send(signal.SIGTERM)
        write(self, block, tables)

    monkeypatch.setattr(BatchWriter, "add", add)
    with pytest.raises(SystemExit):
        batches.make(blocks, folder)
    assert kept(folder) == [[str(blocks[0])]]


def test_an_error_keeps_the_blocks_before_it(study):
    file, folder, blocks = study

    with pytest.raises(MemoryError):
        batches.make(blocks, folder, progress=at(blocks[2], Mock(side_effect=MemoryError)))
    assert len(Results(folder).batches) == 1 and len(missing(file, folder)) == 2


def test_a_block_of_which_one_table_cannot_be_written_is_in_no_batch(study, monkeypatch):
    """The other table has its rows already; no manifest may list that file."""
    file, folder, blocks = study
    calls, write = [], TableWriter.write

    def fail(self, rows):
        calls.append(rows)
        if len(calls) == 4:
            raise OSError(errno.EIO, "Input/output error")
        write(self, rows)

    monkeypatch.setattr(TableWriter, "write", fail)
    with pytest.raises(OSError, match="Input/output error"):
        batches.make(blocks, folder)
    assert manifests(folder) == [] and not list(folder.rglob("*.*"))


def test_kill_leaves_temporary_files_that_the_next_plan_removes(study):
    file, folder, blocks = study
    child = os.fork()
    if child == 0:
        batches.make(blocks, folder, progress=at(blocks[2], lambda: send(signal.SIGKILL)))
    os.waitpid(child, 0)
    left = [path for path in folder.rglob("*") if path.is_file()]
    assert left and all(path.name.startswith(".") and path.suffix == ".tmp" for path in left)
    assert sorted(integrity.verify(folder).unfinished) == sorted(left)
    planned(file, folder)
    assert not [path for path in left if path.exists()]


PLANS = {
    "empty": lambda lines: b"",
    "cut": lambda lines: lines[0][:-20],
    "a list": lambda lines: b"[]\n" + lines[1],
    "minutes that are none": lambda lines: b"\n".join([lines[0].replace(b'"minutes":1.0', b'"minutes":0'), lines[1]]),
    "no UTF-8": lambda lines: b"\xff\xfe" + lines[0],
    "blocks of another study": lambda lines: b"\n".join([lines[0], lines[1].replace(b'["a",', b'["b",')]),
    "a cell that is not there": lambda lines: b"\n".join([lines[0], lines[1].replace(b'["a",0,', b'["a",99,')]),
    "other replicates": lambda lines: b"\n".join([lines[0], lines[1].replace(b",0,2]", b",0,3]")]),
}


@pytest.mark.parametrize("case", PLANS)
def test_a_plan_that_is_none(study, tmp_path, case):
    """A batch is not made from it; the tables are made from it if it lists their batches."""
    file, folder, _ = study
    plan, manifests_of_plan = planned(file, folder)
    lines = plan.read_bytes().splitlines()
    plan.write_bytes(PLANS[case](lines))
    code, text = call("batch", manifests_of_plan[0])
    assert (code, len(text.splitlines())) in ((2, 1), (4, 1)) and str(plan.parent) in text, text
    code, text = call("aggregate", tmp_path / "s.yaml", plan, "--results", tmp_path)
    assert code == 4 and "Traceback" not in text


def test_a_plan_says_what_is_done_and_how_long_its_jobs_may_take(study):
    """Two of the four blocks of two replicates exist; a job may take four times its expected time, and five minutes."""
    file, folder, blocks = study
    batches.make(blocks[1:3], folder)
    plan, _ = planned(file, folder)
    head, jobs = batches.read_plan(plan).head, batches.read_plan(plan).jobs
    assert (head["done"], head["replicates"], head["jobs"]) == (4, 4, len(jobs))
    assert [batches.Job([(0, blocks[0])], seconds=seconds).line["minutes"] for seconds in (0, 1, 150)] == [5, 6, 15]


@pytest.mark.parametrize("minutes", ["0", "-1", "nan", "inf", "1e-320"])
def test_minutes_that_are_none(study, tmp_path, minutes):
    code, text = call("plan-round", tmp_path / "s.yaml", "--results", tmp_path / "r", "--minutes", minutes)
    assert code == 2 and "minutes must be a number from 1e-9 to 1e9" in text


def test_a_plan_keeps_hidden_files_of_the_user(study):
    """Also a folder, or a file in a folder of the user, with a name that the program makes."""
    file, folder, _ = study
    for name in """.notes.tmp .x.0123.tmp blocks/.x.tmp blocks/mine/.x.0123456789abcdef.tmp
            mine/.x.0123456789abcdef.tmp""".split():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("mine")
    (folder / ".y.0123456789abcdef.tmp").mkdir()
    (folder / "blocks/.y.0123456789abcdef.tmp").symlink_to(folder / ".notes.tmp")
    before = sorted(folder.rglob("*"))
    planned(file, folder)
    assert [path for path in before if not os.path.lexists(path)] == []


def test_a_plan_is_written_to_the_folder_of_plans_only(study, tmp_path):
    """The plan of a first round replaces those before it."""
    (tmp_path / "data/runs").mkdir(parents=True)
    (tmp_path / "data/runs/mine.jsonl").write_text("mine")
    code, text = call("plan-round", tmp_path / "s.yaml", tmp_path / "data/runs/set-0.jsonl")
    assert code == 2 and "a plan must be RESULTS/.run/plan/NAME.jsonl" in text
    assert [path.name for path in tmp_path.rglob("*.jsonl")] == ["mine.jsonl"]


@pytest.mark.slow
@pytest.mark.workflow
@pytest.mark.parametrize("number, kept", [(signal.SIGTERM, 1), (signal.SIGINT, 1), (signal.SIGKILL, 0)])
def test_the_command_of_a_job_that_is_stopped(tmp_path, number, kept):
    """It names each block when its first replicate is done."""
    text = STUDY.replace("[1, 2], sizes: 60, replicates: 4", "2, sizes: 2.0e+5, replicates: 400")
    file, folder = load_study(tmp_path, text), tmp_path / "r/s"
    plan, (manifest,) = planned(file, folder, minutes=1e9)
    words = [sys.executable, "-m", "poissonmatch", "batch", manifest]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    for _ in range(2):
        assert process.stderr.readline().startswith("a/d2")
    process.send_signal(number)
    said = process.communicate(timeout=120)[1]
    assert process.returncode in (128 + number, -number) and "Traceback" not in said
    assert len(manifests(folder)) == kept and bool(list(folder.rglob(".*.tmp"))) != bool(kept)
    assert len(missing(file, folder)) in range(190, 201 - kept)


def test_two_studies_may_have_equal_cells(tmp_path):
    """Their cells have the same fingerprint, and are different cells of one batch."""
    same = "{dims: 1, sizes: 20, replicates: 2}"
    path = tmp_path / "s.yaml"
    path.write_text(f"studies: {{one: {same}, two: {same}}}")
    file = studies.load(path)
    blocks = missing(file, tmp_path / "r")
    manifest = batches.make(blocks, tmp_path / "r")
    assert [study for study, *_ in read_manifest(manifest).keys] == ["one", "two"]
    assert not missing(file, tmp_path / "r")


SBATCH = """#!/bin/sh
last=${2#--array=1-}
for SLURM_ARRAY_TASK_ID in $(seq "$last"); do export SLURM_ARRAY_TASK_ID; sh -c "${3#--wrap=}" || exit 1; done
"""


@pytest.mark.slow
@pytest.mark.parametrize("language", ["sh", "python"])
def test_the_loops_on_the_page_give_the_tables_of_a_run(study, tmp_path, monkeypatch, language):
    """With a program that does what sbatch does; through Slurm: tests/slurm."""
    expected = tables_in(run_study((tmp_path / "s.yaml").rename(tmp_path / "mine.yaml"), tmp_path / "run"))
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/sbatch").write_text(SBATCH)
    (tmp_path / "bin/sbatch").chmod(0o755)
    monkeypatch.setenv(
        "PATH", os.pathsep.join([str(tmp_path / "bin"), os.path.dirname(sys.executable), os.environ["PATH"]])
    )
    program = {"sh": ["sh", "-e", "-c"], "python": [sys.executable, "-c"]}[language]
    subprocess.run([*program, *code_blocks("docs/clusters.md", language)], cwd=tmp_path, check=True, timeout=300)
    folder = tmp_path / "results/mine"
    assert problems(folder, tmp_path / "mine.yaml") == []
    assert all(rows.equals(expected[name]) for name, rows in tables_in(folder).items()) and len(expected) > 1
    again = ["poissonmatch", "plan-round", "mine.yaml"]
    assert subprocess.run(again, cwd=tmp_path, check=True, capture_output=True).stdout == b""
