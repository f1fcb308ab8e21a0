"""Logger plugin of Snakemake: a progress bar in a terminal, elsewhere a line when jobs end, and the reason if one fails."""

from __future__ import annotations

import re
import shutil
import sys
from logging import WARNING, LogRecord
from pathlib import Path
from typing import Any

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

from ..utils.errors import lines
from ..utils.progress_bar import ProgressBar

LAST_LINES = 12  # of the log of a job that failed
MIN_FREE, FULL = 1 << 16, 3  # with fewer bytes free, the disk is full, which explains a job without a message
ENDED = re.compile(r"exit code (\d+)")
# Lines that Snakemake prints about a failed job, and that repeat the message of the job.
ECHOES = re.compile(
    r"CalledProcessError|^Exiting because a job|At least one job did not complete|^Cannot restore .* no backup found"
)
KILLED = {137: "it was killed, as the system does when memory runs out", 143: "it received a signal to stop"}


class LogHandler(LogHandlerBase):
    """Handler that writes to stderr. codes: exit codes of the failed jobs, in order; done, total: numbers of jobs.

    interrupted: set at a signal to stop, whose jobs did not fail. bar: to be closed at the end.
    """

    codes: list[int] = []
    bar: ProgressBar | None = None
    done = total = 0
    interrupted = False

    def __post_init__(self) -> None:
        LogHandler.bar = self.shown = ProgressBar("jobs", sys.stderr)
        self.asked: dict[int, Any] = {}  # resources by job
        self.rules: dict[int, str] = {}  # by job
        self.last = ""  # rule of the job that ended last

    writes_to_stream = True
    writes_to_file = False
    has_filter = True
    has_formatter = True
    needs_rulegraph = False

    def emit(self, record: LogRecord) -> None:
        """Write a line about an event if it matters."""
        said = vars(record)
        event = said.get("event")
        if event == LogEvent.JOB_INFO:
            self.asked[said["jobid"]] = said["resources"]
            self.rules[said["jobid"]] = said["rule_name"]
            self._show(said["rule_name"])
        elif event == LogEvent.JOB_FINISHED:
            self.last = self.rules.get(said["job_id"], "")
        elif event == LogEvent.RUN_INFO:
            LogHandler.total = said["stats"]["total"] - 1  # without the rule `all`, which does nothing
        elif event == LogEvent.PROGRESS:
            LogHandler.done, LogHandler.total = said["done"], said["total"] - 1
            self._show(self.last)
            if said["done"] < said["total"] and not self.shown.is_bar:
                self._say(f"{self.last}: {self.shown.line}")
        elif self.interrupted:
            pass
        elif event == LogEvent.JOB_ERROR:
            self._say(self._failure(said))
        elif record.levelno >= WARNING and event in (None, LogEvent.ERROR) and not ECHOES.search(str(record.msg)):
            self._say(str(record.msg).strip())

    def _failure(self, said: dict[str, Any]) -> str:
        """Return which job failed, how it ended, and the last lines that it wrote."""
        words: list[str] = []
        for path in said["log"]:
            try:
                words += Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
            except OSError as error:
                words.append(f"{path}: {error.strerror}")
            if not words and shutil.disk_usage(Path(path).parent).free < MIN_FREE:
                words += [f"{path}: the disk is full, so that its output is lost", f"exit code {FULL}"]
        code = None
        if words and (ended := ENDED.fullmatch(words[-1])):
            code = int(ended[1])
            words.pop()
        self.codes.append(code or 1)
        head = f"a job of the rule {said['rule_name']} failed"
        if code is not None:
            head += f" (exit code {code})"
        if code in KILLED:
            asked = self.asked.get(said["jobid"], {}) or {}
            memory = dict(asked.items()).get("mem_mb")
            head += f": {KILLED[code]}" + (f"; it had asked for {memory} MB" if memory else "")
        aux = [str(value) for value in said["aux"].values()] if said.get("aux") else []
        return "\n".join([head + ":", *aux, *(f"    {line}" for line in words[-LAST_LINES:])])

    def _show(self, rule: str) -> None:
        """Update the progress; rule: the stage."""
        self.shown.done, self.shown.total = self.done, self.total
        if self.shown.is_bar and rule != "all":
            self.shown.update(self.done, self.total, rule)

    def _say(self, text: str) -> None:
        self.shown.say(lines(text))
