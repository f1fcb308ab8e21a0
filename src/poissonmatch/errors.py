"""What can go wrong, as values: input that cannot be used, results that are not what they say, a folder that is in use."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

MOST_WORDS = 100  # that are looked at for the nearest one


class BadInput(ValueError):
    """What a user wrote cannot be used; the text says where, what, and how to mend it. One problem a line."""


class Busy(Exception):
    """Another run is at work in the same results folder."""


Trouble = Literal[
    "damaged", "missing", "unfinished", "foreign", "duplicated", "impossible", "out of date", "made by other code"
]


@dataclass(frozen=True)
class Problem:
    """Something is wrong with the results: the file or folder that it is about, what kind of wrong it is, and more words.

    damaged: not the bytes that were written. missing: not there. unfinished: a table without its manifest. foreign: another
    block's or study's, or nothing of ours. duplicated: two blocks hold the same replicate and differ. impossible: the bytes
    that were written, and numbers that no run makes. out of date: a table that is not what the blocks, or the tables, beside
    it give. made by other code: by that of another version.
    """

    path: Path
    kind: Trouble
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.path}: {self.kind}" + (f": {self.detail}" if self.detail else "")


class IntegrityError(Exception):
    """A file is damaged, missing, or not what it says it is: one or more problems, a line for each, and what to do."""

    def __init__(self, *problems: Problem, remedy: str = "") -> None:
        self.problems = problems
        super().__init__("\n".join([*map(str, problems), *([remedy] if remedy else [])]))


def nearest(word: str, words: Iterable[str], *, cutoff: float = 0.5) -> str:
    """The end of a message about an unknown word: "; did you mean ..?", or what there is."""
    known: Sequence[str] = list(words)[:MOST_WORDS]
    close = difflib.get_close_matches(word[:80], known, n=1, cutoff=cutoff)
    return f"; did you mean {close[0]!r}?" if close else f"; there are {', '.join(known)}"
