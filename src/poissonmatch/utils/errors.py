"""Exceptions of the package, and helpers that shorten and quote user input in messages."""

from __future__ import annotations

import difflib
import reprlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

MAX_CHOICES = 100  # candidates compared with an unknown word
MAX_QUOTED = 80  # characters of a user's value in a message
MAX_PROBLEMS = 20  # that a message lists
MAX_LINE = 800  # characters of a line of a message


def shorten(text: str, max_length: int = MAX_QUOTED) -> str:
    """Return the text, or its beginning and end if it has more than `max_length` characters."""
    if len(text) <= max_length:
        return text
    n_shown = max(max_length - 5, 2)
    return f"{text[: (n_shown + 1) // 2]} ... {text[-(n_shown // 2) :]}"


def printable(text: str) -> str:
    r"""Return the text with unprintable characters, which could move a terminal's cursor, escaped as in Python source (\x1b, \n)."""
    return text if text.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


_Repr = reprlib.Repr()  # stops early on a list of 10^7 numbers
_Repr.maxstring = _Repr.maxlong = _Repr.maxother = MAX_QUOTED


def quoted(value: object) -> str:
    """Return the repr of a user's value for a message: on one line, shortened in the middle."""
    try:
        text = _Repr.repr(value)
    except Exception:  # a number of 5000 digits, or an object that fails to describe itself
        text = f"<{type(value).__name__} that cannot be displayed>"
    return shorten(printable(" ".join(line.strip() for line in text.splitlines())))


def lines(text: str) -> str:
    """Return a message with each line printable and shortened."""
    return "\n".join(shorten(printable(line), MAX_LINE) for line in text.split("\n"))


class BadInput(ValueError):
    """Invalid input of a user: where, what and how to correct it, one problem per line."""

    def __init__(self, text: str) -> None:
        super().__init__(lines(text))


class Busy(Exception):
    """Another run uses the same results folder."""


ProblemKind = Literal[
    "damaged", "missing", "unfinished", "not ours", "duplicated", "impossible", "made by other code", "out of date"
]


@dataclass(frozen=True)
class Problem:
    """A problem with a file or folder of results.

    damaged: the bytes differ from those that were written. missing: the file does not exist.
    unfinished: a table without its manifest. not ours: a file of another block or study, or not
    written by poissonmatch. duplicated: two blocks hold the same replicate and differ. made by
    other code: written by another version. impossible: intact bytes with values that no run makes.
    out of date: made from another study file or other code.
    """

    path: Path
    kind: ProblemKind
    detail: str = ""

    def __str__(self) -> str:
        return printable(f"{self.path}: {self.kind}" + (f": {self.detail}" if self.detail else ""))


class IntegrityError(Exception):
    """Damaged, missing or inconsistent results: one line per problem (at most 20, then their number), then the remedy.

    Parameters
    ----------
    *problems : Problem
        Each has a `path`, a `kind` ("damaged", "missing", ...) and a `detail`; kept as the
        attribute `problems`.
    remedy : str, optional
        The last line of the message. By default none.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = Path(folder, "estimates.parquet")
    ...     _ = table.write_bytes(b"no table")
    ...     try:
    ...         pm.load(table)
    ...     except pm.IntegrityError as error:
    ...         print([problem.kind for problem in error.problems])
    ['damaged']
    """

    def __init__(self, *problems: Problem, remedy: str = "") -> None:
        self.problems = problems
        lines = [str(problem) for problem in problems[:MAX_PROBLEMS]]
        if len(problems) > MAX_PROBLEMS:
            lines.append(f"... and {len(problems) - MAX_PROBLEMS} more, {len(problems)} in all")
        super().__init__("\n".join([*lines, *([remedy] if remedy else [])]))


def integrity_error(path: Path, kind: ProblemKind, detail: str = "") -> IntegrityError:
    """Return the error of one problem with a file or folder of results."""
    return IntegrityError(Problem(path, kind, detail))


def nearest(word: str, words: Iterable[str], *, cutoff: float = 0.5) -> str:
    """Return the end of a message about an unknown word: "; did you mean ...?", or the valid words."""
    choices = list(words)[:MAX_CHOICES]
    close = difflib.get_close_matches(word[:80], choices, n=1, cutoff=cutoff)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; there are {', '.join(shorten(printable(choice)) for choice in choices)}"
