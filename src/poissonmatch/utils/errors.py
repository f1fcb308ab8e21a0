"""What can go wrong, as values: input that cannot be used, results that are not what they say, a folder that is in use."""

from __future__ import annotations

import difflib
import reprlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

MOST_WORDS = 100  # that are looked at for the nearest one
MOST_QUOTED = 80  # characters of a user's word in a message
MOST_OF_LINE = 800  # characters of a line of a message


def shorten(text: str, most: int = MOST_QUOTED) -> str:
    """The text, or its beginning and end if it has more than `most` characters."""
    if len(text) <= most:
        return text
    kept = max(most - 5, 2)
    return f"{text[: (kept + 1) // 2]} ... {text[-(kept // 2) :]}"


def printable(text: str) -> str:
    """The text with what is not printable as Python writes it: \\x1b, \\n. Such characters move the cursor of a terminal, or add lines."""
    return text if text.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


_Repr = reprlib.Repr()  # which does not write out a list of 10^7 numbers to show six of them
_Repr.maxstring = _Repr.maxlong = _Repr.maxother = MOST_QUOTED


def quoted(value: object) -> str:
    """A user's value as a message shows it: as Python writes it, on one line, shortened in the middle."""
    try:
        text = _Repr.repr(value)
    except Exception:  # a number of 5000 digits, or an object that fails to describe itself
        text = f"<{type(value).__name__} that cannot be shown>"
    return shorten(printable(" ".join(line.strip() for line in text.splitlines())))


def lines(text: str) -> str:
    """The lines of a message, printable and none of them long."""
    return "\n".join(shorten(printable(line), MOST_OF_LINE) for line in text.split("\n"))


class BadInput(ValueError):
    """What a user wrote cannot be used; the text says where, what, and how to mend it. One problem a line."""

    def __init__(self, text: str) -> None:
        super().__init__(lines(text))


class Busy(Exception):
    """Another run is at work in the same results folder."""


Trouble = Literal[
    "damaged", "missing", "unfinished", "foreign", "duplicated", "impossible", "made by other code", "out of date"
]


@dataclass(frozen=True)
class Problem:
    """Something is wrong with the results: the file or folder that it is about, what kind of wrong it is, and more words.

    damaged: not the bytes that were written. missing: not there. unfinished: a table without its manifest. foreign: another
    block's or study's, or nothing of ours. duplicated: two blocks hold the same replicate and differ. made by other code:
    by that of another version. impossible: the bytes that were written, and numbers that no run makes. out of date: of another
    study file or code than the one at hand, or not what the blocks beside it give.
    """

    path: Path
    kind: Trouble
    detail: str = ""

    def __str__(self) -> str:
        return printable(f"{self.path}: {self.kind}" + (f": {self.detail}" if self.detail else ""))


class IntegrityError(Exception):
    """A file is damaged, missing, or not what it says it is: one or more problems, a line for each, and what to do.

    Parameters
    ----------
    *problems : Problem
        Path, kind of trouble and more words, kept as the attribute `problems`.
    remedy : str, optional
        What to do: the last line.

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
        super().__init__("\n".join([*map(str, problems), *([remedy] if remedy else [])]))


# Names of earlier versions: keys, observables and figure kinds of study files.
RENAMED = {
    "clumps": "survivor_pairs",
    "colors": "intensities",
    "leftovers": "n-unmatched",
    "levelled-tail": "scaled-tail",
    "order": "color_names",
    "realisation": "realization",
}


def renamed(word: str, words: Iterable[str]) -> str:
    """Return the end of a message about a name of an earlier version: "; renamed to ..."; "" for any other word."""
    return f"; renamed to {RENAMED[word]!r}" if RENAMED.get(word) in words else ""


def nearest(word: str, words: Iterable[str], *, cutoff: float = 0.5) -> str:
    """Return the end of a message about an unknown word: "; renamed to ...", "; did you mean ...?", or the words there are."""
    known: Sequence[str] = list(words)[:MOST_WORDS]
    if new := renamed(word, known):
        return new
    close = difflib.get_close_matches(word[:80], known, n=1, cutoff=cutoff)
    return f"; did you mean {close[0]!r}?" if close else f"; there are {', '.join(known)}"
