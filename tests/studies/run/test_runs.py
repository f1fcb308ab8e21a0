"""A run before and around Snakemake: profiles, a cluster that is silent, a full disk, signals, and what is said of a failed job."""

import errno
import fcntl
import io
import json
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import nullcontext
from logging import ERROR, INFO, LogRecord
from pathlib import Path
from unittest.mock import Mock

import pytest
from snakemake_interface_logger_plugins.common import LogEvent
from snakemake_interface_logger_plugins.registry import LoggerPluginRegistry

from helpers.checkout import ROOT
from helpers.processes import poissonmatch
from helpers.refusals import rows
from helpers.runs import cells_of, write_study
from helpers.tables import tables
from poissonmatch.studies.run import batches, progress, runs, snakemake
from poissonmatch.studies.run.progress import RunProgress
from poissonmatch.studies.sampling.cells import Block
from poissonmatch.utils.atomic_writer import write_atomically
from poissonmatch.utils.errors import BadInput


def profile(folder: Path, name: str, text: str = "cores: 1\n") -> Path:
    (folder / "profiles" / name).mkdir(parents=True)
    (folder / "profiles" / name / "config.yaml").write_text(text)
    return folder / "profiles" / name


@pytest.mark.parametrize("text, executor", [("cores: 1\n", "local"), ("executor: slurm # here\n", "slurm")])
def test_the_executor_of_a_profile(tmp_path, text, executor):
    assert (runs.setting_of(profile(tmp_path, "mine", text), "executor") or "local") == executor


def test_the_display_is_a_logger_plugin_that_snakemake_finds_by_its_name():
    plugin = LoggerPluginRegistry().get_plugin("poissonmatch")
    assert plugin.log_handler is snakemake.LogHandler and plugin.cli_prefix == "logger-poissonmatch"


def test_another_version_of_snakemake_is_refused_in_a_line(monkeypatch):
    assert f"snakemake{runs.VERSIONS}" in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for found, is_right in (("9.16.2", False), ("9.16.3", True), ("9.27.1", True), ("10.0.0", False)):
        monkeypatch.setattr(runs, "version", lambda name, found=found: found)
        with (
            nullcontext() if is_right else pytest.raises(ImportError, match=r"needs snakemake>=9.16.3,<10, got [^\n]*$")
        ):
            runs.require_snakemake()


def test_profiles_are_found_beside_the_study_then_of_the_user_then_of_the_package(tmp_path):
    study, own = tmp_path / "a/s.yaml", tmp_path / "own"
    package = runs.workflow_files() / "profiles"
    assert runs.find_profile("slurm", study, own) == package / "slurm"
    mine = profile(own, "slurm")
    assert runs.find_profile("slurm", study, own) == mine
    beside = profile(study.parent, "slurm")
    assert runs.find_profile("slurm", study, own) == beside
    profile(study.parent, "default")  # not asked for by its name: a study from elsewhere must start nothing
    assert runs.find_profile("default", study, own) == package / "default"
    for name in ("slrum", "../profiles/slurm", "", "/", "."):
        with pytest.raises(BadInput, match="there is no such profile"):
            runs.find_profile(name, study, own)


TABLES = tables(__file__)
SILENT = TABLES["silent"]


@pytest.mark.parametrize("case", SILENT)
def test_a_cluster_that_does_not_answer_is_said_at_once(tmp_path, monkeypatch, case):
    commands, words = SILENT[case]
    (tmp_path / "bin").mkdir()
    for name, text in commands.items():
        (tmp_path / "bin" / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / "bin" / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin" if commands else str(tmp_path / "bin"))
    monkeypatch.setattr(runs, "PATIENCE", 0.5)
    with pytest.raises(OSError, match=words):
        runs.refuse_if_silent(runs.workflow_files() / "profiles/slurm")
    runs.refuse_if_silent(runs.workflow_files() / "profiles/default")


def test_a_disk_with_too_little_room_is_said_before_the_start(tmp_path):
    runs.refuse_if_full(tmp_path, 1e3)
    with pytest.raises(OSError, match=r"the study takes about 1 PB more, and .* are free"):
        runs.refuse_if_full(tmp_path, 1e15)


def emit(handler: snakemake.LogHandler, level: int = INFO, **said: object) -> None:
    """Give the display an event of Snakemake."""
    record = LogRecord("snakemake", level, "", 0, "", (), None)
    vars(record).update(said)
    handler.emit(record)


@pytest.mark.parametrize("terminal", [True, False])
def test_the_progress_of_replicates_is_a_bar_in_a_terminal_and_lines_elsewhere(tmp_path, monkeypatch, terminal):
    stream = io.StringIO()
    stream.isatty = lambda: terminal
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    (tmp_path / "plan").mkdir()
    head = {"done": 10, "replicates": 18, "seconds": 40.0, "jobs": 2, "aggregation": 0.0}
    (tmp_path / "plan/0.jsonl").write_text(f'{json.dumps(head)}\n{{"batch": "a"}}\n{{"batch": "b"}}\n')
    log = tmp_path / "simulate/a.log"
    log.parent.mkdir()
    log.write_text("s/c0: replicates 0 to 7\ncompiling the kernels of fussy, once\n")
    handler = snakemake.LogHandler(common_settings=None, settings=None)
    handler.shown.start -= 20
    for said in (
        {"event": LogEvent.RUN_INFO, "stats": {"total": 5}},
        {"event": LogEvent.JOB_INFO, "rule_name": "plan_round", "jobid": 2, "resources": {}},
        {"event": LogEvent.JOB_FINISHED, "job_id": 2},
        {"event": LogEvent.JOB_INFO, "rule_name": "simulate", "jobid": 3, "resources": {}, "log": [str(log)]},
        {"event": LogEvent.JOB_FINISHED, "job_id": 3},
        {"event": LogEvent.PROGRESS, "done": 2, "total": 5},
    ):
        emit(handler, **said)
    (tmp_path / "progress").mkdir()
    for name, replicates, seconds in (("a", 8, 4.0), ("b", 10, 36.0)):
        data = {"replicates": replicates, "seconds": seconds, "jobs": 1, "text": f"s {name}: u = 0.2(1)"}
        (tmp_path / f"progress/{name}.json").write_text(json.dumps(data))
        handler.show()
        if terminal:
            handler.shown._rich.refresh()
        handler.shown.start -= 20
    handler.close()
    text = stream.getvalue()
    assert "compiling the kernels of fussy, once" in text and "18 of 28 replicates" in text
    assert "2 of 4 jobs" in text and "28 of 28" not in text  # tables are still to be made
    assert "s a: u = 0.2(1)" in text and ("\x1b" in text) == terminal


FACTORS = TABLES["factors"]  # real over predicted time of ten parts of the work
LATER = TABLES["later"]  # seconds after the batches, other jobs left


@pytest.mark.parametrize("scale", [0.3, 2.0, 20.0])
def test_the_time_left_is_right_to_a_factor_of_one_and_a_half(tmp_path, monkeypatch, scale):
    """After a tenth of the work, in a record of a run on two cores: compilation, ten parts, tables, six figures, the report."""
    clock, run = [0.0], RunProgress(tmp_path, parallel=2)
    monkeypatch.setattr(progress.time, "monotonic", lambda: clock[0])
    record = [(0.0, 0.0, 8), (40.0, 0.1, 8)]  # time, predicted seconds that are done, other jobs that are left
    for factor in FACTORS:
        before, work, _ = record[-1]
        record += [(before + scale * factor * step, work + step, 8) for step in (1.0, 2.0)]
    batches_end = record[-1][0]
    record += [(batches_end + seconds, record[-1][1], others) for seconds, others in LATER]
    total, end = record[-1][1], record[-1][0]
    for time_now, work, others in record:
        clock[0] = time_now
        run.done, run.planned, run.aggregation = {"seconds": work}, {"seconds": total}, 0.5
        left = run.left(others, 6.5, aggregated=others < 8)
        if work < 1:
            assert math.isnan(left)
        elif work > total / 10:
            assert left == pytest.approx(end - time_now, rel=0.5, abs=0.5) and (end - time_now) / 1.5 <= left + 0.5


def failure(log: Path, text: str, capsys, **more) -> str:
    """What the screen says of a job with this log."""
    log.write_text(text)
    handler = snakemake.LogHandler(common_settings=None, settings=None)
    for said in (
        {"event": LogEvent.JOB_INFO, "rule_name": "simulate", "jobid": 3, "resources": {"mem_mb": 512, "runtime": 7}},
        {"event": LogEvent.JOB_ERROR, "jobid": 3, "rule_name": "simulate", "log": [str(log)], "aux": {}, **more},
    ):
        emit(handler, ERROR, **said)
    handler.close()
    return capsys.readouterr().err


@pytest.fixture(autouse=True)
def no_codes(monkeypatch):
    monkeypatch.setattr(snakemake.LogHandler, "codes", [])


@pytest.mark.parametrize("log, words, code", TABLES["failed"])
def test_a_failed_job_is_said_with_its_reason(tmp_path, capsys, log, words, code):
    said = failure(tmp_path / "log", log.replace("LINES ", "x\n" * 100), capsys)
    assert all(word in said for word in words) and len(said.splitlines()) <= snakemake.LAST_LINES + 1
    assert snakemake.LogHandler.codes == [code]


ENDED = r"""
TIMEOUT → a → : it reached its time limit; it had asked for 7 minutes, raise `runtime`
OUT_OF_MEMORY → exit code 1 →  (exit code 1): it ran out of memory; it had asked for 512 MB, raise `mem_mb`
NODE_FAIL → a → : its node failed
FAILED → exit code 139 →  (exit code 139): the signal SIGSEGV ended it
"""


@pytest.mark.parametrize("state, log, words", rows(ENDED))
def test_what_ended_a_job_is_said_in_one_line(tmp_path, capsys, state, log, words):
    message = f"SLURM-job '1_2' failed, SLURM status is: '{state}'. Last 15 lines"
    assert (
        failure(tmp_path / "log", "a\n" * 30 + log, capsys, rule_msg=message)
        == f"a job of the rule simulate failed{words}\n"
    )


def test_a_job_that_could_not_write_its_reason(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(10**6, 10**6 - 4096, 4096))
    assert "the disk is full, so that its output is lost" in failure(tmp_path / "log", "", capsys)
    assert snakemake.LogHandler.codes == [3]


def test_a_job_is_not_said_to_have_failed_if_the_signal_to_stop_comes_a_moment_later(tmp_path, monkeypatch, capsys):
    stopped = threading.Event()
    monkeypatch.setattr(snakemake.LogHandler, "interrupted", stopped)
    monkeypatch.setattr(snakemake, "SIGNAL_SECONDS", 60)
    threading.Timer(0.05, stopped.set).start()
    assert failure(tmp_path / "log", "exit code 130\n", capsys) == ""


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_is_said_with_what_is_needed_and_free_and_the_old_file_stays(tmp_path, monkeypatch, number):
    path = tmp_path / "a.txt"
    write_atomically(path, b"old")
    monkeypatch.setattr(os, "fsync", Mock(side_effect=OSError(number, "No space left on device")))
    with pytest.raises(OSError, match=r"a.txt'?$") as caught:
        write_atomically(path, b"12345")
    assert "5 bytes are needed" in str(caught.value) and "are free" in str(caught.value)
    assert caught.value.errno == number and list(tmp_path.iterdir()) == [path]
    assert path.read_bytes() == b"old" and path.stat().st_mode & 0o777 == 0o644


LONG = """studies:
  a: {dims: 2, sizes: 1.0e+5, replicates: 900, block: 900, observables: [unmatched]}
  b: {dims: 1, sizes: 20, replicates: 5, block: 3}
"""


@pytest.mark.slow
@pytest.mark.workflow
def test_a_signal_ends_everything_that_was_started(tmp_path):
    """Two runs at once, since most of the time they are waiting: one for each signal. The second ignores Ctrl-C and hangups."""
    path, processes = write_study(tmp_path, LONG, "s"), {}
    for number in (signal.SIGINT, signal.SIGTERM):
        block = Block(cells_of(path)[1], 0, 3)
        batches.make([block], tmp_path / str(int(number)) / "s")
        words = [sys.executable, "-m", "poissonmatch", "run", path, "--results", tmp_path / str(int(number))]
        handler = signal.SIG_DFL if number == signal.SIGINT else signal.SIG_IGN
        before = {ignored: signal.signal(ignored, handler) for ignored in (signal.SIGINT, signal.SIGHUP)}
        processes[number] = subprocess.Popen(words, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
        for ignored, handler in before.items():
            signal.signal(ignored, handler)
    for number, process in processes.items():
        for _ in range(600):
            if any(tmp_path.glob(f"{int(number)}/s/.run/simulate/*.log")):
                break
            time.sleep(0.2)
        if number != signal.SIGINT:
            process.send_signal(signal.SIGHUP)
        process.send_signal(number)
    for number, process in processes.items():
        said = process.communicate(timeout=120)[1]
        assert process.returncode == 128 + number and re.search(
            r"^interrupted; [35] of 905 replicates are kept; run again to continue$", said, re.M
        ), said
        assert all(word not in said for word in ("failed", "exit code", "no result of")), said
    left = subprocess.run(["pgrep", "-f", str(tmp_path)], capture_output=True, text=True).stdout.split()
    assert [pid for pid in left if int(pid) != os.getpid()] == []


@pytest.mark.workflow
def test_run_ends_with_the_code_of_the_job_and_its_words(tmp_path):
    text = "studies: {a: {dims: 1, sizes: 100, replicates: 2}}\nfigures: {f: {kind: tail, studies: a}}\n"
    path = write_study(tmp_path, text, "s")
    words = ("run", path, "--results", tmp_path / "r")
    done = poissonmatch(*words)
    assert done.returncode == 0, done.stderr
    for table in (tmp_path / "r").glob("s/blocks/*/*.parquet"):
        table.write_bytes(b"PAR1")
    path.write_text(text.replace("replicates: 2", "replicates: 3"))
    done = poissonmatch(*words)
    assert done.returncode == 4 and "Traceback" not in done.stderr
    assert "a job of the rule aggregate failed (exit code 4)" in done.stderr and "SHA-256 differs" in done.stderr
    assert done.stderr.splitlines()[-1] == f"poissonmatch repair {path} --results {tmp_path / 'r'} makes them again"


def test_a_file_system_without_locks_is_refused(tmp_path, monkeypatch):
    """A soft lock would stay after a crash, and another machine may not see it."""

    absent = OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    monkeypatch.setattr(fcntl, "flock", Mock(side_effect=absent))
    with pytest.raises(OSError, match="this file system has no locks"):
        runs.lock(tmp_path / "r")


def test_results_may_be_read_by_a_group(tmp_path):
    runs.refuse_if_unsafe(tmp_path / "results/s")
    for folder in ("results", "results/s", "results/s/.run"):
        assert (tmp_path / folder).stat().st_mode & 0o777 == 0o755
