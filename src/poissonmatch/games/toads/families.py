"""Families of positions as tables: T^(a+k) .^b F^a over ranges of k, a and b, within a memory and a time bound."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from math import factorial
from time import monotonic
from typing import TypedDict

from ...utils.errors import quoted
from ..impartial.positions import as_count
from ..limits import MemoryBound, TimeBound
from ..partisan.values import Game, clear_memos, memo_size
from .bounds import Bounds, bracket
from .canonical import BYTES_PER_MEMO, CanonicalEngine
from .outcome import OutcomeEngine
from .published import AGREEMENT, published
from .strips import Strip, starting

__all__ = ["COLUMNS", "Row", "Solver", "read_bytes", "read_range", "read_seconds", "toads_and_frogs"]

ENGINES = ("canonical", "outcome")
# column -> (type, unit, meaning)
COLUMNS: dict[str, tuple[str, str, str]] = {
    "k": ("int", "", "toads more than frogs"),
    "a": ("int", "", "number of frogs"),
    "b": ("int", "squares", "empty squares between toads and frogs"),
    "value": ("str | None", "", "value of T^(a+k) .^b F^a in the package's notation; None if only bounds are known"),
    "bounds": ("str | None", "", "certified relations of the value V to numbers, where the value is not known"),
    "kind": ("str | None", "", "0, *, infinitesimal, number, number + infinitesimal, or hot; None if not known"),
    "engine": ("str", "", " or ".join(f'"{name}"' for name in ENGINES)),
    "positions": ("int", "positions", "positions valued (canonical) or searched (outcome) for this cell"),
    "seconds": ("float", "s", "wall-clock time for this cell"),
    "published": ("str | None", "", "what is printed: a value, a bound such as 2<V<3, or N for an infinitesimal"),
    "source": ("str | None", "", "where it is printed"),
    "agrees": ("str | None", "", f"the value and what is printed: {', '.join(AGREEMENT)}; None where one is not known"),
}


class Row(TypedDict):
    """One cell; see COLUMNS."""

    k: int
    a: int
    b: int
    value: str | None
    bounds: str | None
    kind: str | None
    engine: str
    positions: int
    seconds: float
    published: str | None
    source: str | None
    agrees: str | None


def toads_and_frogs(
    k: Iterable[int] = range(4),
    a: Iterable[int] = range(1, 9),
    b: Iterable[int] = range(1, 21),
    memory: int = 4 * 10**9,
    seconds: float = 600.0,
    done: Iterable[Row] = (),
    engine: str = "auto",
) -> Iterator[Row]:
    """The cells of T^(a+k) .^b F^a, smallest strips first, each as one row as soon as it is known.

    Cells of `done` are not computed again. A cell that does not fit into `memory` (bytes; at least 512 MB) gets
    certified bounds instead of a value. When `seconds` are over, the cell at work and those behind it are left for the
    next call; only a cell that had all the time of a call to itself gets the bounds found so far. `engine` is "auto",
    "canonical" or "outcome". Raises ValueError and TypeError for ranges of other than non-negative ints.
    """
    k, a, b = ({as_count(n, "a number of toads, blanks or frogs") for n in counts} for counts in (k, a, b))
    known = {(row["k"], row["a"], row["b"]) for row in done}
    cells = sorted(
        ((x, y, z) for x in k for y in a for z in b), key=lambda cell: (2 * cell[1] + cell[0] + cell[2], cell)
    )
    deadline = monotonic() + seconds
    longest = max((2 * (2 * a + k) + b for k, a, b in cells), default=1)
    solver = Solver(memory, engine, longest)
    for place, cell in enumerate(cell for cell in cells if cell not in known):
        if monotonic() >= deadline:
            return
        row = _row(solver, *cell, deadline)
        if row["value"] is None and place > 0 and monotonic() >= deadline:
            return
        yield row


def _row(solver: Solver, k: int, a: int, b: int, deadline: float) -> Row:
    start = monotonic()
    answer, engine, positions = solver.solve(starting(a + k, b, a), deadline - start)
    printed = published(k, a, b)
    value = answer if isinstance(answer, Game) else None
    return {
        "k": k,
        "a": a,
        "b": b,
        "value": None if value is None else str(value),
        "bounds": str(answer) if isinstance(answer, Bounds) else None,
        "kind": None if value is None else value.kind,
        "engine": engine,
        "positions": positions,
        "seconds": monotonic() - start,
        "published": printed and printed.text,
        "source": printed and printed.source,
        "agrees": printed and printed.agreement(value),
    }


class Solver:
    """Both engines within one memory bound: the canonical one for small strips, search for large ones."""

    quick = 150_000  # positions that the canonical engine values in a few seconds

    def __init__(self, memory: int = 4 * 10**9, engine: str = "auto", longest: int = 55) -> None:
        if engine not in ("auto", *ENGINES):
            raise ValueError(f'the engine is "auto", "canonical" or "outcome", not {quoted(engine)}')
        if memory < 512 * 10**6:
            raise MemoryBound(f"{memory} bytes are too few: 512 MB at least")
        self.engine = engine
        self._room = memory - 250 * 10**6  # the rest is for the interpreter and the compiled code
        self._longest = longest
        self._canonical: CanonicalEngine | None = None
        self._outcome: OutcomeEngine | None = None

    def solve(self, strip: Strip, seconds: float) -> tuple[Game | Bounds, str, int]:
        """(value or certified bounds, engine, positions) of a strip."""
        deadline = monotonic() + seconds
        size = _positions(strip)
        if self.engine == "canonical" or (self.engine == "auto" and self.is_quick(strip)):
            found = self._value(strip, deadline)
            if found is not None or self.engine == "canonical":
                return found[0] if found else Bounds(), "canonical", found[1] if found else 0
        before = self.search.positions
        answer = bracket(self.search, strip, deadline)
        searched = self.search.positions - before
        # one position takes about 200 bytes and 30 microseconds in the canonical engine
        affordable = size * 200 < self._room // 2 and size * 3e-5 < deadline - monotonic()
        if isinstance(answer, Bounds) and self.engine == "auto" and size > self.quick and affordable:
            found = self._value(strip, deadline)
            if found is not None:
                return found[0], "canonical", found[1]
        return answer, "outcome", searched

    def _value(self, strip: Strip, deadline: float) -> tuple[Game, int] | None:
        if self._canonical is None:
            # games and memos of this process count, whoever made them
            self._canonical = CanonicalEngine(max(self._room // 2 - BYTES_PER_MEMO * memo_size(), 0))
        before = self._canonical.positions
        try:
            value = self._canonical.value(strip, deadline - monotonic())
        except MemoryBound:
            if before:  # what earlier strips left behind may be in the way
                self._canonical = None
                clear_memos()
                return self._value(strip, deadline)
            return None
        except TimeBound:
            return None
        return value, self._canonical.positions - before

    def is_quick(self, strip: Strip) -> bool:
        """Small enough for a canonical form within seconds?"""
        return _positions(strip) <= self.quick

    @property
    def search(self) -> OutcomeEngine:
        """The outcome engine."""
        if self._outcome is None:
            self._outcome = OutcomeEngine(self._room // 2, self._longest)
        return self._outcome


def _positions(strip: Strip) -> int:
    """A guess at the number of reduced positions below a strip: a quarter of all arrangements of its pieces."""
    total = factorial(len(strip))
    for piece in "TF.":
        total //= factorial(strip.count(piece))
    return total // 4


# ---- ranges and bounds as they are written on a command line ----
_UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KIB": 2**10, "MIB": 2**20, "GIB": 2**30}
_TIMES = {"": 1, "S": 1, "MIN": 60, "H": 3600}


def read_range(text: str) -> range:
    """ "0..3" or "5": a range with both ends. ValueError if it is none."""
    match = re.fullmatch(r"\s*(\d{1,4})(?:\.\.(\d{1,4}))?\s*", text)
    if match is None or int(match[2] or match[1]) < int(match[1]):
        raise ValueError(
            f'a range is written "first..last", or as one number, of four digits at most, not {quoted(text)}'
        )
    return range(int(match[1]), int(match[2] or match[1]) + 1)


def read_bytes(text: str) -> int:
    """ "4GB", "512MB", "2GiB": bytes. ValueError if it is no size."""
    return int(_with_unit(text, _UNITS, "a size is written like 4GB or 512MB"))


def read_seconds(text: str) -> float:
    """ "10min", "90s", "1h": seconds. ValueError if it is no time."""
    return _with_unit(text, _TIMES, "a time is written like 90s, 10min or 1h")


def _with_unit(text: str, units: dict[str, int], rule: str) -> float:
    match = re.fullmatch(r"\s*(\d{1,18}(?:\.\d{1,18})?)\s*([A-Za-z]*)\s*", text)
    if match is None or match[2].upper() not in units:
        raise ValueError(f"{rule}, not {quoted(text)}")
    return float(match[1]) * units[match[2].upper()]
