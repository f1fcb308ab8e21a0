"""Progress of work: a bar in a terminal or a notebook, elsewhere lines of text: after 10 s, 30 s, and each minute."""

from __future__ import annotations

import math
import sys
import time
from html import escape
from typing import Any

BAR_SECONDS = 0.2  # between changes of a bar
TEXT_TIMES = (10.0, 30.0, 60.0)  # seconds after the start, of lines of text; then each minute


class ProgressBar:
    """Progress of `done` of `total` units, with the time left.

    A notebook shows it without ipywidgets. Use as a context manager, or call `close`.

    Parameters
    ----------
    unit : str
        What is counted, in the plural.
    stream : file, optional
        Where a terminal, or else the lines of text, are; by default standard error.
    keep : bool, optional
        Leave the finished bar, or a last line of text.
    """

    def __init__(self, unit: str, stream: Any = None, *, keep: bool = False) -> None:
        self.unit, self.keep = unit, keep
        self.stream = sys.stderr if stream is None else stream
        self.start = self.last = time.monotonic()
        self.done, self.total, self.text = 0, 0, ""
        self.left: float | None = None  # seconds, if they are predicted otherwise than from `done`
        self._lines = 0  # lines of text that were written
        self._notebook = _notebook()
        self._handle: Any = None
        self._rich = None if self._notebook or not self.is_bar else _rich(self.stream, transient=not keep)

    @property
    def is_bar(self) -> bool:
        """Whether a bar is shown, and not lines of text."""
        return self._notebook is not None or bool(self.stream is not None and self.stream.isatty())

    @property
    def line(self) -> str:
        """The progress as text."""
        return remaining(self.done, self.total, time.monotonic() - self.start, self.unit, left=self.left)

    def update(self, done: int, total: int, text: str = "", left: float | None = None) -> None:
        """Show that `done` of `total` units are done, with a text such as the current cell and its estimate.

        left: the remaining seconds, by default derived from `done`.
        """
        self.done, self.total, self.text, self.left = done, total, text, left
        now = time.monotonic()
        if self._rich:
            line = remaining(done, total, now - self.start, self.unit, short=True, left=left)
            self._rich.update(
                self._rich.task_ids[0], completed=done, total=total or None, text="\n".join(filter(None, (line, text)))
            )
        elif self._notebook and now - self.last > BAR_SECONDS:
            self.last = now
            self._write()
        elif not self._notebook and now - self.start >= self._due:
            while now - self.start >= self._due:
                self._lines += 1
            self._write()

    @property
    def _due(self) -> float:
        """Seconds after the start at which the next line of text is due."""
        later = self._lines - len(TEXT_TIMES) + 1
        return TEXT_TIMES[self._lines] if later <= 0 else TEXT_TIMES[-1] + 60.0 * later

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

    def _write(self) -> None:
        line = "; ".join(filter(None, (self.line, self.text)))
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
    bar.add_task("", total=None, text="")
    bar.start()
    return bar


def remaining(
    done: int, total: int, elapsed: float, unit: str, *, short: bool = False, left: float | None = None
) -> str:
    """Return the progress of work as text, with the time since the start and the remaining time.

    short: whether times are as on a clock. left: the remaining seconds, by default derived from
    `done`; nan if they are unknown.
    """
    if not total:
        return ""
    if left is None:
        left = elapsed * (total - done) / done if done else math.nan
    if short:
        more = f", about {clock(left)} left" if left >= 0.5 else ""
        return f"{done} of {total} {unit}, {clock(elapsed)} elapsed{more}"
    more = f", about {duration(left)} left" if left >= 0.5 else ""
    return f"{done} of {total} {unit} done after {duration(elapsed)}{more}"


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
