"""Snakemake in a separate process, with the log lines of this package.

Command: `python -P -m poissonmatch.studies.run.snakemake EXECUTOR ARGUMENTS`.
"""

from __future__ import annotations

import atexit
import gc
import io
import pkgutil
import re
import shutil
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, suppress
from logging import WARNING, LogRecord
from pathlib import Path
from typing import Any

import numpy as np
from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

from ...utils.errors import lines
from .batches import PLANS
from .progress import FOLDER, ProgressBar, RunProgress

LOGGER = "poissonmatch"
ENVIRONMENT, INTERRUPTED = 3, 130  # exit codes
EXECUTORS = "snakemake_executor_plugin_"
LAST_LINES = 12  # of the log of a job that failed
MIN_FREE, FULL = 1 << 16, 3  # with fewer bytes free, the disk is full, which explains a job without a message
ENDED = re.compile(r"exit code (\d+)")
# Lines that Snakemake prints about a failed job, and that repeat the message of the job.
ECHOES = re.compile(
    r"CalledProcessError|^Exiting because a job|At least one job did not complete|^Cannot restore .* no backup found"
)
COMPILING = re.compile(r"^compiling the kernels of .*$", re.MULTILINE)
FOLLOW_SECONDS = 0.5  # between two looks at the progress of the jobs
SIGNAL_SECONDS = 0.3  # after a job ended, in which the signal that ended it is handled here
LONGER = 6.5  # rough time of a job that makes tables, a figure or the report, over that of the job which plans
KILLED = {137: "it was killed, as the system does when memory runs out", 143: "it received a signal to stop"}


class LogHandler(LogHandlerBase):
    """Handler that writes to stderr.

    codes: exit codes of the failed jobs, in order; done, total: numbers of jobs.

    interrupted: set at a signal to stop, whose jobs did not fail. bar: to be closed at the end.
    """

    codes: list[int] = []
    state: Path | None = None  # folder of the plans and of the progress of the jobs
    parallel = 1  # jobs at the same time, at most
    bar: ProgressBar | None = None
    done = total = 0
    interrupted = threading.Event()
    ended = threading.Event()

    def __post_init__(self) -> None:
        LogHandler.bar = self.shown = ProgressBar("replicates", sys.stderr)
        self.jobs: dict[
            int, dict[str, Any]
        ] = {}  # that were started and are not finished, with the times of their starts
        self.seconds: list[float] = []  # that jobs of the other stages took
        self.stage = ""  # rule of the job that started last
        self.compiled: set[str] = set()  # lines about compilations, which are shown once each
        self.progress = RunProgress(self.state or Path(), PLANS, self.parallel)
        self.planned = False  # whether the plan of the first round is of this run
        self.aggregated = False  # whether tables are finished
        self.display_lock = threading.Lock()
        if self.state:
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
            if event_data["rule_name"] != "all":
                self.stage = event_data["rule_name"]
        elif event == LogEvent.JOB_FINISHED:
            if job := self.jobs.pop(event_data["job_id"], None):
                self._ended(job)
        elif event == LogEvent.RUN_INFO:
            LogHandler.total = event_data["stats"]["total"] - 1  # without the rule `all`, which does nothing
        elif event == LogEvent.PROGRESS:
            LogHandler.done, LogHandler.total = event_data["done"], event_data["total"] - 1
        elif self.interrupted.is_set():
            pass
        elif event == LogEvent.JOB_ERROR:
            if not self.interrupted.wait(SIGNAL_SECONDS):  # the signal that ended the job comes here at the same time
                self._say(self._failure(event_data))
        elif record.levelno >= WARNING and event in (None, LogEvent.ERROR) and not ECHOES.search(str(record.msg)):
            self._say(str(record.msg).strip())

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
        self.codes.append(code or 1)
        head = f"a job of the rule {event_data['rule_name']} failed"
        if code is not None:
            head += f" (exit code {code})"
        if code in KILLED:
            resources = self.jobs.get(event_data["jobid"], {}).get("resources") or {}
            memory = dict(resources.items()).get("mem_mb")
            head += f": {KILLED[code]}" + (f"; it had asked for {memory} MB" if memory else "")
        aux = [str(value) for value in event_data["aux"].values()] if event_data.get("aux") else []
        return "\n".join([head + ":", *aux, *(f"    {line}" for line in log[-LAST_LINES:])])

    def _ended(self, job: dict[str, Any]) -> None:
        """Measure how long a job took that does not simulate."""
        took = time.monotonic() - job["start"]
        if job["rule_name"].startswith("plan_round"):
            self.planned, self.seconds = True, self.seconds or [LONGER * took]
        elif job["rule_name"].startswith("simulate"):
            self._compilation(job)
        elif job["rule_name"].startswith("aggregate"):
            self.aggregated = True  # its time depends on the cells, and says little of the next jobs
        else:
            self.seconds.append(took)

    def _follow(self) -> None:
        """Show the progress until the end."""
        pause = FOLLOW_SECONDS
        while not self.ended.wait(pause):
            start = time.monotonic()
            for job in [*self.jobs.values()]:
                self._compilation(job)
            self.show()
            pause = max(FOLLOW_SECONDS, 20 * (time.monotonic() - start))  # with files of many jobs

    def show(self) -> None:
        """Show the progress of the replicates while jobs simulate, otherwise that of all jobs."""
        unit, done, planned, text, left = "jobs", self.done, self.total, self.stage, None
        if self.planned:
            progress = self.progress
            progress.read()
            simulating = progress.planned["jobs"] - progress.done["jobs"]
            unfinished = max(0, self.total - self.done - simulating)
            left = progress.left(unfinished, float(np.mean(self.seconds)), aggregated=self.aggregated)
            if simulating > 0:
                unit, text = "replicates", progress.text
                done, planned = progress.done[unit], progress.planned[unit]
        with self.display_lock:
            self.shown.unit = unit
            self.shown.update(done, planned, text, left)

    def _compilation(self, job: dict[str, Any]) -> None:
        """Show the lines about compilations in the log of a job."""
        for path in job.get("log") or []:
            with suppress(OSError):
                for line in COMPILING.findall(Path(path).read_text(encoding="utf-8", errors="replace")):
                    if line not in self.compiled:
                        self.compiled.add(line)
                        self._say(line)

    def _say(self, text: str) -> None:
        with self.display_lock:
            self.shown.say(lines(text))


@contextmanager
def only(executor: str) -> Iterator[None]:
    """Hide the executors of Snakemake that are not used.

    Snakemake imports every executor that is installed, and that of Slurm waits ten seconds if no
    controller answers. Its registry finds them by pkgutil.iter_modules, which is not documented:
    tested with snakemake-interface-common 1.23. If it looks elsewhere, all of them are imported.
    """
    before = pkgutil.iter_modules

    def fewer(*where: Any) -> Iterator[pkgutil.ModuleInfo]:
        return (found for found in before(*where) if not found.name.startswith(EXECUTORS) or executor in found.name)

    pkgutil.iter_modules = fewer  # type: ignore[assignment]
    try:
        yield
    finally:
        pkgutil.iter_modules = before


def main(executor: str, arguments: list[str]) -> int:
    """Run Snakemake; return 0, the exit code of this package from the first failed job, ENVIRONMENT or INTERRUPTED."""
    with only(executor):
        from snakemake import cli
    from snakemake_interface_logger_plugins.registry import LoggerPluginRegistry

    LoggerPluginRegistry().register_plugin(LOGGER, sys.modules[__name__])
    output = io.StringIO()  # that it uses a profile, or what is wrong with the arguments
    try:
        with redirect_stderr(output):
            parser, parsed = cli.parse_args([*arguments, "--logger", LOGGER])
    except BaseException:
        sys.stderr.write(output.getvalue())
        raise

    LogHandler.state, LogHandler.parallel = Path(parsed.directory or "."), max(1, parsed.cores or 1, parsed.jobs or 1)
    shutil.rmtree(LogHandler.state / FOLDER, ignore_errors=True)  # of an earlier run

    def interrupt(number: int, frame: object) -> None:
        LogHandler.interrupted.set()
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupt)
    try:
        with suppress(KeyboardInterrupt):
            if cli.args_to_api(parsed, parser):
                return 0
    finally:
        LogHandler.ended.set()
        if LogHandler.bar:
            LogHandler.bar.close()
    if LogHandler.interrupted.is_set():
        return INTERRUPTED
    return next((code for code in LogHandler.codes if code < 5), ENVIRONMENT)


if __name__ == "__main__":
    gc.set_threshold(200_000, 100, 100)  # as the command line does
    atexit.register(gc.freeze)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
