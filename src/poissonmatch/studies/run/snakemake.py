"""The progress display of a run, a logger plugin of Snakemake (`snakemake --logger poissonmatch`), and the process of a run.

Snakemake imports the package `snakemake_logger_plugin_poissonmatch` in each of its processes, so that this module imports
little.
"""

from __future__ import annotations

import atexit
import gc
import io
import math
import os
import re
import shutil
import signal
import sys
import threading
import time
from contextlib import redirect_stderr, suppress
from logging import WARNING, LogRecord
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

from ...utils.errors import lines

if TYPE_CHECKING:
    from .progress import RunProgress

ENVIRONMENT, INTERRUPTED = 3, 130  # exit codes
LAST_LINES = 12  # of the log of a job that failed
MIN_FREE, FULL = 1 << 16, 3  # with fewer bytes free, the disk is full, which explains a job without a message
ENDED = re.compile(r"exit code (\d+)")
# Lines that Snakemake prints about a failed job, and that repeat the message of the job.
ECHOES = re.compile(
    r"CalledProcessError|^Exiting because a job|At least one job did not complete|^Cannot restore .* no backup found"
)
NOTES = re.compile(r"^(?:compiling the kernels of|note: figure) .*$", re.MULTILINE)  # in the log of a job, to be shown
FOLLOW_SECONDS = 0.5  # between two looks at the progress of the jobs
SIGNAL_SECONDS = 0.3  # after a job ended, in which the signal that ended it is handled here
LONGER = 6.5  # rough time of a job that makes tables, a figure or the report, over that of the job which plans
QUEUED = re.compile(r"SLURM status is: '(\w+)'")  # in the message of the executor plugin
IN_MEMORY, IN_TIME = ("mem_mb", "MB"), ("runtime", "minutes")
KILLED: dict[Any, tuple[str, tuple[str, str] | None]] = {  # exit codes and states of Slurm, with what would help
    137: ("it was killed, as the system does when memory runs out", IN_MEMORY),
    143: ("it received a signal to stop, as at the time limit of a queue", IN_TIME),
    "OUT_OF_MEMORY": ("it ran out of memory", IN_MEMORY),
    "TIMEOUT": ("it reached its time limit", IN_TIME),
    "NODE_FAIL": ("its node failed", None),
    "PREEMPTED": ("the queue stopped it for another job", None),
    "CANCELLED": ("it was canceled in the queue", None),
}


class LogHandler(LogHandlerBase):
    """Handler that writes to stderr.

    codes: exit codes of the failed jobs, in order. interrupted: set at a signal to stop, whose jobs did not fail.
    """

    codes: list[int] = []
    interrupted = threading.Event()

    def __post_init__(self) -> None:
        from .progress import ProgressBar

        self.shown = ProgressBar("replicates", sys.stderr)
        self.jobs: dict[int, dict[str, Any]] = {}  # started and not finished, with the times of their starts
        self.seconds: list[float] = []  # that jobs of the other stages took
        self.done = self.total = 0  # numbers of jobs
        self.parallel = 1  # jobs at the same time, at most
        self.stage = ""  # rule of the job that started last
        self.noted: set[str] = set()  # notes in logs, which are shown once each
        self.progress: RunProgress | None = None  # of the study whose batches are made
        self.aggregated = False  # whether tables are finished
        self.display_lock = threading.Lock()
        self.ended = threading.Event()
        threading.Thread(target=self._follow, daemon=True).start()

    writes_to_stream = True
    writes_to_file = False
    has_filter = True
    has_formatter = True
    needs_rulegraph = False

    def emit(self, record: LogRecord) -> None:
        """Write a line about an event if it matters."""
        event_data = vars(record)
        event = event_data.get("event")
        if event == LogEvent.JOB_INFO:
            self.jobs[event_data["jobid"]] = {**event_data, "start": time.monotonic()}
            self.parallel = max(self.parallel, len(self.jobs))
            if event_data["rule_name"].startswith("simulate"):
                self._read_progress(event_data)
            if event_data["rule_name"] != "all":
                self.stage = event_data["rule_name"]
        elif event == LogEvent.JOB_FINISHED:
            if job := self.jobs.pop(event_data["job_id"], None):
                self._ended(job)
        elif event == LogEvent.RUN_INFO:
            self.total = event_data["stats"]["total"] - 1  # without the rule `all`, which does nothing
        elif event == LogEvent.PROGRESS:
            self.done, self.total = event_data["done"], event_data["total"] - 1
        elif self.interrupted.is_set():
            pass
        elif event == LogEvent.JOB_ERROR:
            if not self.interrupted.wait(SIGNAL_SECONDS):  # the signal that ended the job comes here at the same time
                self._say(self._failure(event_data))
        elif record.levelno >= WARNING and event in (None, LogEvent.ERROR) and not ECHOES.search(str(record.msg)):
            self._say(str(record.msg).strip())

    def _read_progress(self, job: dict[str, Any]) -> None:
        """Follow the progress of the study of a job that simulates, whose log is in the state of the run."""
        from .progress import RunProgress

        for log in job.get("log") or []:
            if self.progress is None or self.progress.state != Path(log).parents[1]:
                self.progress = RunProgress(Path(log).parents[1])

    def _failure(self, event_data: dict[str, Any]) -> str:
        """Return which job failed, how it ended, and the last lines that it wrote."""
        log: list[str] = []
        for path in event_data["log"]:
            try:
                log += Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
            except OSError as error:
                log.append(f"{path}: {error.strerror}")
            if not log and shutil.disk_usage(Path(path).parent).free < MIN_FREE:
                log += [f"{path}: the disk is full, so that its output is lost", f"exit code {FULL}"]
        code = None
        if log and (ended := ENDED.fullmatch(log[-1])):
            code = int(ended[1])
            log.pop()
        elif not log:
            log = ["its log is empty, as after its folder was removed or replaced"]
        self.codes.append(ENVIRONMENT if code is None else code)  # its log or its outputs are gone
        head = f"a job of the rule {event_data['rule_name']} failed"
        if code is not None:
            head += f" (exit code {code})"
        queued = QUEUED.search(str(event_data.get("rule_msg")))
        for end in (queued and queued[1], code):
            if end in KILLED:
                reason, resource = KILLED[end]
                return f"{head}: {reason}{self._raise(event_data['jobid'], *resource) if resource else ''}"
        if code is not None and code > 128 and code - 128 in {*signal.Signals}:
            return f"{head}: the signal {signal.Signals(code - 128).name} ended it"
        aux = [str(value) for value in event_data["aux"].values()] if event_data.get("aux") else []
        return "\n".join([head + ":", *aux, *(f"    {line}" for line in log[-LAST_LINES:])])

    def _raise(self, job: int, resource: str, unit: str) -> str:
        """Return which resource a job had asked for, "" if that is not known."""
        asked = dict((self.jobs.get(job, {}).get("resources") or {}).items()).get(resource)
        return f"; it had asked for {asked} {unit}, raise `{resource}`" if asked else ""

    def _ended(self, job: dict[str, Any]) -> None:
        """Show the notes of a job that has ended, and keep how long it took if it does not simulate."""
        took = time.monotonic() - job["start"]
        self._notes(job)
        if job["rule_name"].startswith("plan_round"):
            self.seconds = self.seconds or [LONGER * took]
        elif job["rule_name"].startswith("aggregate"):
            self.aggregated = True  # its time depends on the cells, and says little of the next jobs
        elif not job["rule_name"].startswith("simulate"):
            self.seconds.append(took)

    def _follow(self) -> None:
        """Show the progress until the end."""
        pause = FOLLOW_SECONDS
        while not self.ended.wait(pause):
            start = time.monotonic()
            for job in [*self.jobs.values()]:
                self._notes(job)
            self.show()
            pause = max(FOLLOW_SECONDS, 20 * (time.monotonic() - start))  # with files of many jobs

    def show(self) -> None:
        """Show the progress of the replicates while jobs simulate, otherwise that of all jobs."""
        unit, done, planned, text, left = "jobs", self.done, self.total, self.stage, None
        if progress := self.progress:
            progress.read()
            progress.parallel = self.parallel
            simulating = progress.planned["jobs"] - progress.done["jobs"]
            unfinished = max(0, self.total - self.done - simulating)
            seconds = fmean(self.seconds or [math.nan])
            left = progress.left(unfinished, seconds, aggregated=self.aggregated)
            if simulating > 0:
                unit, text = "replicates", progress.text
                done, planned = progress.done[unit], progress.planned[unit]
        with self.display_lock:
            self.shown.unit = unit
            self.shown.update(done, planned, text, left)

    def _notes(self, job: dict[str, Any]) -> None:
        """Show the notes in the log of a job."""
        for path in job.get("log") or []:
            with suppress(OSError):
                for line in NOTES.findall(Path(path).read_text(encoding="utf-8", errors="replace")):
                    if line not in self.noted:
                        self.noted.add(line)
                        self._say(line)

    def close(self) -> None:
        """End the display."""
        self.ended.set()
        self.shown.close()
        super().close()

    def _say(self, text: str) -> None:
        with self.display_lock:
            self.shown.say(lines(text))


def main(arguments: list[str]) -> int:
    """Run Snakemake; return 0, the exit code of this package from the first failed job, ENVIRONMENT or INTERRUPTED.

    `cli.parse_args` and `cli.args_to_api` are what `snakemake` calls, and are not documented: Snakemake 9.16.3 to 9.27.1.
    """
    from snakemake import cli

    gc.set_threshold(200_000, 100, 100)  # as the command line does
    atexit.register(gc.freeze)
    output = io.StringIO()  # that it uses a profile, or what is wrong with the arguments
    try:
        with redirect_stderr(output):
            parser, parsed = cli.parse_args([*arguments, "--logger", "poissonmatch"])
    except BaseException:
        sys.stderr.write(output.getvalue())
        raise

    def interrupt(number: int, frame: object) -> None:
        LogHandler.interrupted.set()
        raise KeyboardInterrupt

    def end_with_parent() -> None:
        os.read(sys.stdin.fileno(), 1)  # until `poissonmatch run` ends, which holds the other end, and however it ends
        os.killpg(0, signal.SIGINT)

    signal.signal(signal.SIGINT, interrupt)
    threading.Thread(target=end_with_parent, daemon=True).start()
    with suppress(KeyboardInterrupt):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])  # blocked by `runs.snakemake`
        if cli.args_to_api(parsed, parser):
            return 0
    if LogHandler.interrupted.is_set():
        return INTERRUPTED
    return next((code for code in LogHandler.codes if code < 5), ENVIRONMENT)
