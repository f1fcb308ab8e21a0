"""Output of the command line: printable text only, with colors for games in a terminal."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import sys
import textwrap
import threading
import warnings
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

from ..utils.display import POINTS
from ..utils.errors import printable
from ..utils.memory import address_space


class NobodyReads(Exception):
    """The reader of the output has ended, as `head` does."""


class Plain:
    """A stream of printable lines: no text can move the cursor, change colors or reverse the direction of text."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write text with unprintable and unencodable characters escaped."""
        self._call(self._stream.write, self._fit(text))
        return len(text)

    def write_colored(self, text: str, styles: dict[str, str]) -> None:
        """Write a line, with matches of the patterns in their styles if the stream is a terminal."""
        if not self._stream.isatty():
            self.write(f"{text}\n")
            return
        from rich.console import Console
        from rich.text import Text

        fit = wrapped(self._fit(text), shutil.get_terminal_size().columns)
        line, console = Text(fit), Console(file=self._stream, highlight=False)
        for pattern, style in styles.items():
            line.highlight_regex(pattern, style)
        with console.capture() as captured:
            console.print(line, soft_wrap=True)
        self._call(self._stream.write, captured.get())

    def _fit(self, text: str) -> str:
        encoding = self._stream.encoding or "utf-8"
        return "\n".join(map(printable, text.split("\n"))).encode(encoding, "backslashreplace").decode(encoding)

    def flush(self) -> None:
        """Flush the stream."""
        self._call(self._stream.flush)

    def isatty(self) -> bool:
        """Return False, so that libraries do not write colors."""
        return False

    def __getattr__(self, name: str) -> Any:
        """Return the attribute of the stream."""
        return getattr(self._stream, name)

    @staticmethod
    def _call(method: Callable[..., Any], *texts: str) -> None:
        try:
            method(*texts)
        except BrokenPipeError:
            raise NobodyReads from None


# Highlighted in games: frogs in their colors, pads by their letter, toads and frogs of a strip, the
# winner.
_DARK, _LIGHT = "white on {}", "black on {}"
_PADS = {name: (_LIGHT if name in ("amber", "green") else _DARK).format(POINTS[name]) for name in POINTS}
STYLES = {
    **{rf"(?<![\w.\[])\d+{name[0]}\b": style for name, style in _PADS.items()},
    r"\[\d+\w? A\]": f"bold {_PADS['amber']}",
    r"\[\d+\w? B\]": f"bold {_PADS['blue']}",
    r"\[\d+\w? \*\]": f"bold {_PADS['green']}",
    r"T(?=[TF.]*\])": f"bold {_PADS['amber']}",
    r"F(?=[TF.]*\])": f"bold {_PADS['blue']}",
    r"(?<=[\s|])x(?=\[?\d)": "bold",
    r"^[+-][+-]+$|^\||\|$": "dim",
    r"(Alice|Bob|nobody) wins\.|a draw\.|solved\.": "bold",
    r"^Not legal:": "bold",
}


def echo(text: object, err: bool = False) -> None:
    """Print one line, with a line break in a file name escaped as well."""
    print(printable(str(text)), file=sys.stderr if err else sys.stdout, flush=True)


def note(text: str) -> None:
    """Print a note to standard error."""
    echo(f"note: {text}", err=True)


LONG = 120.0  # seconds of processor time of a computation that is not expected to be long


@contextmanager
def at_work(what: str, **bounds: float) -> Iterator[None]:
    """Print a line to standard error if the work within the context takes more than two seconds. bounds: as of `bounded`."""
    timer = threading.Timer(2.0, echo, [f"{what}: still at work after 2 seconds; Ctrl-C stops it", True])
    timer.daemon = True
    timer.start()
    try:
        with bounded(what, **bounds):
            yield
    finally:
        timer.cancel()


@contextmanager
def bounded(what: str, *, seconds: float = 0.0, memory: float = 0.0) -> Iterator[None]:
    """Raise TimeoutError or MemoryError if the work within takes more processor time or memory; 0 for no bound."""

    def stop(number: int, frame: object) -> None:
        raise TimeoutError(f"{what} takes more than {seconds:g} seconds of processor time")

    before, limits = signal.signal(signal.SIGPROF, stop), resource.getrlimit(resource.RLIMIT_AS)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    if memory:
        bound = address_space() + int(memory)
        resource.setrlimit(resource.RLIMIT_AS, (bound if limits[0] < 0 else min(bound, limits[0]), limits[1]))
    try:
        yield
    except MemoryError as error:
        raise error if str(error) else MemoryError(f"{what}: out of memory") from None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        resource.setrlimit(resource.RLIMIT_AS, limits)


def more_time() -> None:
    """Let the work within `bounded` take LONG seconds from now, since a person answered."""
    signal.setitimer(signal.ITIMER_PROF, LONG)


def say(text: str) -> None:
    """Write a line of a game to standard output, in color if it is a terminal."""
    if isinstance(sys.stdout, Plain):
        sys.stdout.write_colored(text, STYLES)
    else:
        print(text)


def wrapped(text: str, width: int) -> str:
    """Return text with its long lines, except of maps and tables, broken between words or items of a list."""
    return "\n".join(
        line if len(line) <= width or "  " in line or line[:1] in "|+" else _filled(line, width)
        for line in text.split("\n")
    )


def _filled(line: str, width: int) -> str:
    items = line.split("; ")
    if len(items) > 2 and max(map(len, items)) < width / 2:
        line = "; ".join(item.replace(" ", "\0") for item in items)
    return textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False).replace("\0", " ")


def aligned(rows: Sequence[Sequence[str]], left: Collection[str] = ()) -> Iterator[str]:
    """Yield the lines of a table whose first row is its head.

    left: the columns that are aligned to the left.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = zip(rows[0], row, widths, strict=True)
        yield "  ".join(text.ljust(w) if head in left else text.rjust(w) for head, text, w in cells).rstrip()


@contextmanager
def plain_streams() -> Iterator[None]:
    """Replace standard output and error by Plain streams, and print warnings on one line."""
    for number in range(3):  # a closed descriptor would be reused by the next file that is opened
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    before = sys.stdout, sys.stderr, warnings.showwarning
    sys.stdout, sys.stderr = (cast(Any, Plain(stream or open(os.devnull, "w"))) for stream in before[:2])
    warnings.showwarning = lambda message, *_: print(f"note: {str(message).splitlines()[0]}", file=sys.stderr)
    try:
        yield
    finally:
        sys.stdout, sys.stderr, warnings.showwarning = before
        for stream in before[:2]:
            _empty(stream)


def _empty(stream: Any) -> None:
    """Discard output that cannot be written, which Python would otherwise report at exit."""
    try:
        if stream:
            stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
