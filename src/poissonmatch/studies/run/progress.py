"""Progress of a run: its jobs write small files, and the process that shows the progress reads them.

It is shown as a bar in a terminal or a notebook, elsewhere as lines of text after 10 s, 30 s, and each minute.
"""

from __future__ import annotations

import json
import math
import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from html import escape
from itertools import chain, count
from pathlib import Path
from typing import Any

from ...utils.errors import IntegrityError
from ...utils.libraries import pa, pd
from ..results.json_files import Done, Planned, of_schema
from ..sampling.cells import Block, Cell
from ..study_files import cost, stopping

PLANS = "plan"  # folder of the plans, in the state of a run
FOLDER = "progress"  # of the files of the jobs, there
WRITE_SECONDS = 0.5  # between two writes of a job
BAR_SECONDS = 0.2  # between two changes of a bar


# ---- files of the jobs ----


class JobProgress:
    """The file with the progress of a batch; errors of writing it are ignored, since no result depends on it."""

    def __init__(self, state: Path, batch: str) -> None:
        self.path = state / FOLDER / f"{batch}.json"
        self.data: Done = {"replicates": 0, "seconds": 0.0, "jobs": 0, "text": ""}
        self.cell: Cell | None = None
        self.frames: list[pd.DataFrame] = []  # rows of `replicates` of the current cell
        self.written = 0.0

    def step(self, block: Block, replicate: int) -> None:
        """Count a replicate that is done."""
        self.data["replicates"] += 1
        self.data["seconds"] += cost.cell_seconds(block.cell)
        if self.cell is not block.cell:
            self.cell, self.frames, self.data["text"] = block.cell, [], stopping.line(block.cell, None)
        self._write()

    def estimate(self, block: Block, tables: Mapping[str, pa.Table]) -> None:
        """Estimate the main quantity of a cell from its finished blocks in this batch."""
        self.frames.append(tables["replicates"].to_pandas())
        self.data["text"] = stopping.line(block.cell, pd.concat(self.frames, ignore_index=True))
        self._write()

    def close(self) -> None:
        """Write that the job is finished."""
        self.data["jobs"], self.written = 1, -math.inf
        self._write()

    def _write(self) -> None:
        if (now := time.monotonic()) - self.written < WRITE_SECONDS:
            return
        self.written = now
        with suppress(OSError):
            self.path.parent.mkdir(exist_ok=True)
            new = self.path.with_suffix(f".{os.getpid()}.new")
            new.write_text(json.dumps(self.data), encoding="utf-8")
            os.replace(new, self.path)


class RunProgress:
    """Reader of the plans of a run, and of the files of its jobs.

    state: folder of both. parallel: largest number of jobs that run at the same time. done, planned: numbers of replicates and of jobs that simulate,
    and rough seconds of their work; text: the current cell with its estimate.
    """

    def __init__(self, state: Path, parallel: int = 1) -> None:
        self.state, self.parallel = state, parallel
        self.done = self.planned = dict.fromkeys(("replicates", "seconds", "jobs"), 0)
        self.text, self.aggregation = "", 0.0  # rough seconds for the cells of the tables
        self._first: tuple[float, float] | None = None  # time and work when the first work was seen

    def read(self) -> None:
        """Read what is planned and done."""
        rounds = _first_lines(self.state / PLANS, "*.jsonl", Planned)
        jobs = _first_lines(self.state / FOLDER, "*.json", Done)
        self.done, self.planned = ({key: sum(line[key] for line in of) for key in self.done} for of in (jobs, rounds))
        for head in rounds[:1]:
            self.done["replicates"] += head["done"]
            self.planned["replicates"] += head["done"]
            self.aggregation = head["aggregation"]
        self.text = jobs[-1]["text"] if jobs else ""

    def left(self, unfinished: int, seconds: float, *, aggregated: bool) -> float:
        """Return the predicted seconds until the end of the run, nan if they are unknown.

        Batches go on at the speed since the first replicate was seen, so that compilation does not count.

        unfinished: number of jobs that do not simulate: tables and the report, one after the other, and figures, which are drawn
        in parallel. seconds: time of such a job, apart from the cells of the tables. aggregated: whether the tables are finished.
        """
        now, done, work = time.monotonic(), self.done["seconds"], self.planned["seconds"] - self.done["seconds"]
        if self._first is None and done > 0:
            self._first = now, done
        rest = seconds * (min(unfinished, 2) + max(0, unfinished - 2) / self.parallel)
        rest += 0.0 if aggregated else self.aggregation
        if work <= 0:
            return rest
        if self._first is None or done <= self._first[1]:
            return math.nan
        return rest + work * (now - self._first[0]) / (done - self._first[1])


def _first_lines(folder: Path, pattern: str, schema: Any) -> list[Any]:
    """Return the first lines of the files of JSON in a folder, of the latest file at the end."""
    lines = []
    with suppress(OSError, IntegrityError):
        for path in sorted(folder.glob(pattern), key=os.path.getmtime):
            with path.open("rb") as file:
                lines.append(of_schema(path, file.readline(), schema))
    return lines


# ---- display ----


class ProgressBar:
    """Progress of `done` of `total` units, with the time left.

    A notebook shows it without ipywidgets. Use as a context manager, or call `close`.

    unit: what is counted, in the plural. stream: a terminal or a file, by default standard error. keep: whether the finished
    bar remains, or a last line of text is written.
    """

    def __init__(self, unit: str, stream: Any = None, *, keep: bool = False) -> None:
        self.unit, self.keep = unit, keep
        self.stream = sys.stderr if stream is None else stream
        self.start = time.monotonic()
        self.done, self.total, self.text = 0, 0, ""
        self.left: float | None = None  # seconds, if they are predicted otherwise than from `done`
        self._notebook, self._handle = _notebook(), None
        is_terminal = not self._notebook and bool(self.stream and self.stream.isatty())
        self._rich = _rich(self.stream, transient=not keep) if is_terminal else None
        self._due = 0.0 if self._notebook else 10.0  # seconds after the start
        self._later = chain([30.0], count(60.0, 60.0))  # when further lines of text are due

    def update(self, done: int, total: int, text: str = "", left: float | None = None) -> None:
        """Show that `done` of `total` units are done, with a text such as the current cell and its estimate.

        left: the remaining seconds, by default derived from `done`.
        """
        self.done, self.total, self.text, self.left = done, total, text, left
        elapsed = time.monotonic() - self.start
        if self._rich:
            self._rich.update(0, completed=done, total=total or None, text="\n".join(self._texts(short=True)))
        elif elapsed >= self._due:
            self._due = elapsed + BAR_SECONDS if self._notebook else next(t for t in self._later if t > elapsed)
            self._write()

    def step(self, *_: object) -> None:
        """Show that one more unit is done."""
        self.update(self.done + 1, self.total, self.text)

    def say(self, text: str) -> None:
        """Write a message, above the bar if there is one."""
        if self._rich:
            self._rich.console.print(text, markup=False, highlight=False, soft_wrap=True)
        else:
            print(text, file=self.stream, flush=True)

    def close(self) -> None:
        """End the display."""
        if self._rich:
            self._rich.stop()
        elif self.keep and self.total:
            self._write()

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _texts(self, short: bool = False) -> Iterator[str]:
        elapsed = time.monotonic() - self.start
        line = remaining(self.done, self.total, elapsed, self.unit, short=short, left=self.left)
        return filter(None, (line, self.text))

    def _write(self) -> None:
        line = "; ".join(self._texts())
        if not self._notebook:
            print(line, file=self.stream, flush=True)
            return
        html = f'<progress value="{self.done}" max="{self.total}"></progress> {escape(line)}'
        bundle = {"text/plain": line, "text/html": html}
        if self._handle:
            self._handle.update(bundle, raw=True)
        else:
            self._handle = self._notebook.display(bundle, raw=True, display_id=True)


def _notebook() -> Any:
    """Return the module IPython.display in a notebook, None elsewhere."""
    ipython = sys.modules.get("IPython")
    shell = ipython and ipython.get_ipython()
    return ipython.display if ipython and type(shell).__name__ == "ZMQInteractiveShell" else None


def _rich(stream: Any, transient: bool) -> Any:
    """Return a started bar of rich in a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn
    from rich.table import Column

    console = Console(file=stream, force_jupyter=False)
    cut = Column(no_wrap=True, overflow="ellipsis", ratio=1)  # two lines, each cut in a narrow terminal
    text = TextColumn("{task.fields[text]}", markup=False, table_column=cut)
    bar = Progress(BarColumn(15), text, console=console, transient=transient, expand=True)
    bar.add_task("", total=None, text="")  # number 0
    bar.start()
    return bar


def remaining(
    done: int, total: int, elapsed: float, unit: str, *, short: bool = False, left: float | None = None
) -> str:
    """Return the progress of work as text, with the time since the start and the remaining time.

    short: whether times are as on a clock. left: the remaining seconds, by default derived from `done`; nan if unknown.
    """
    if not total:
        return ""
    if left is None:
        left = elapsed * (total - done) / done if done else math.nan
    since = f", {clock(elapsed)} elapsed" if short else f" done after {duration(elapsed)}"
    what = " for tables, figures and the report" if done == total else ""
    more = f", about {clock(left) if short else duration(left)} left{what}" if left >= 0.5 else ""
    return f"{done} of {total} {unit}{since}{more}"


def clock(seconds: float) -> str:
    """Return a time as 0:05, 12:30 or 3:12:00."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def duration(seconds: float) -> str:
    """Return a time as text: 45 seconds, 12 minutes, 3 hours and 12 minutes."""
    from humanize import precisedelta

    if seconds < 0.5:
        return "less than a second"
    return precisedelta(round(seconds), minimum_unit="seconds" if seconds < 100 else "minutes", format="%.0f")
