"""Snakemake in a separate process, with the log lines of this package: `python -P -m poissonmatch.pipeline.snakemake EXECUTOR ARGUMENTS`."""

from __future__ import annotations

import atexit
import gc
import io
import pkgutil
import re
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, suppress
from logging import WARNING, LogRecord
from pathlib import Path
from typing import Any

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

from ..utils.errors import lines
from ..utils.progress_bar import ProgressBar

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
KILLED = {137: "it was killed, as the system does when memory runs out", 143: "it received a signal to stop"}


class LogHandler(LogHandlerBase):
    """Handler that writes to stderr.

    codes: exit codes of the failed jobs, in order; done, total: numbers of jobs.

    interrupted: set at a signal to stop, whose jobs did not fail. bar: to be closed at the end.
    """

    codes: list[int] = []
    bar: ProgressBar | None = None
    done = total = 0
    interrupted = False

    def __post_init__(self) -> None:
        LogHandler.bar = self.shown = ProgressBar("jobs", sys.stderr)
        self.resources: dict[int, Any] = {}  # by job
        self.rules: dict[int, str] = {}  # by job
        self.last = ""  # rule of the job that ended last

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
            self.resources[event_data["jobid"]] = event_data["resources"]
            self.rules[event_data["jobid"]] = event_data["rule_name"]
            self._show(event_data["rule_name"])
        elif event == LogEvent.JOB_FINISHED:
            self.last = self.rules.get(event_data["job_id"], "")
        elif event == LogEvent.RUN_INFO:
            LogHandler.total = event_data["stats"]["total"] - 1  # without the rule `all`, which does nothing
        elif event == LogEvent.PROGRESS:
            LogHandler.done, LogHandler.total = event_data["done"], event_data["total"] - 1
            self._show(self.last)
            if event_data["done"] < event_data["total"] and not self.shown.is_bar:
                self._say(f"{self.last}: {self.shown.line}")
        elif self.interrupted:
            pass
        elif event == LogEvent.JOB_ERROR:
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
            resources = self.resources.get(event_data["jobid"], {}) or {}
            memory = dict(resources.items()).get("mem_mb")
            head += f": {KILLED[code]}" + (f"; it had asked for {memory} MB" if memory else "")
        aux = [str(value) for value in event_data["aux"].values()] if event_data.get("aux") else []
        return "\n".join([head + ":", *aux, *(f"    {line}" for line in log[-LAST_LINES:])])

    def _show(self, rule: str) -> None:
        """Update the progress; rule: the stage."""
        self.shown.done, self.shown.total = self.done, self.total
        if self.shown.is_bar and rule != "all":
            self.shown.update(self.done, self.total, rule)

    def _say(self, text: str) -> None:
        self.shown.say(lines(text))


@contextmanager
def only(executor: str) -> Iterator[None]:
    """Hide the executors of Snakemake that are not used.

    Snakemake imports every executor that is installed, and that of Slurm waits ten seconds if no
    controller answers.
    """
    before = pkgutil.iter_modules

    def fewer() -> Iterator[pkgutil.ModuleInfo]:
        return (found for found in before() if not found.name.startswith(EXECUTORS) or executor in found.name)

    pkgutil.iter_modules = fewer  # type: ignore[assignment]
    try:
        yield
    finally:
        pkgutil.iter_modules = before


def main(executor: str, arguments: list[str]) -> int:
    """Run Snakemake; return 0, the exit code of the first failed job if it is one of this package, 3 (environment), or 130 (interrupted)."""
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

    def interrupt(number: int, frame: object) -> None:
        LogHandler.interrupted = True
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupt)
    try:
        with suppress(KeyboardInterrupt):
            if cli.args_to_api(parsed, parser):
                return 0
    finally:
        if LogHandler.bar:
            LogHandler.bar.close()
    if LogHandler.interrupted:
        return INTERRUPTED
    return next((code for code in LogHandler.codes if code < 5), ENVIRONMENT)


if __name__ == "__main__":
    gc.set_threshold(200_000, 100, 100)  # as the command line does
    atexit.register(gc.freeze)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
