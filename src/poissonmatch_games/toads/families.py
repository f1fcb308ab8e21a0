"""Values of the family T^(a+k) .^b F^a for ranges of k, a and b, with limits of memory and time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import product
from time import monotonic
from typing import Any

from poissonmatch.utils.errors import quoted

from ..cost_bounds import MemoryBound
from ..impartial.position_checks import as_count
from ..partisan.values import Game, clear_memos, memo_size
from .bounds import Bounds, bracket
from .canonical import BYTES_PER_MEMO, CanonicalEngine
from .outcome import OutcomeEngine
from .published_values import AGREEMENT, published
from .strips import QUICK, Strip, estimated_positions, starting

ENGINES = ("canonical", "outcome")
# column -> (type, unit, meaning)
COLUMNS: dict[str, tuple[str, str, str]] = {
    "k": ("int", "", "number of toads minus number of frogs"),
    "a": ("int", "", "number of frogs"),
    "b": ("int", "squares", "empty squares between toads and frogs"),
    "value": (
        "str | None",
        "",
        "value of T^(a+k) .^b F^a in the notation of the package; None if only bounds are known",
    ),
    "bounds": ("str | None", "", "certified relations of the value V to numbers, if the value is not known"),
    "kind": ("str | None", "", "0, *, infinitesimal, number, number + infinitesimal, or hot; None if not known"),
    "engine": ("str", "", " or ".join(f'"{name}"' for name in ENGINES)),
    "positions": ("int", "positions", "positions valued (canonical) or searched (outcome) for this cell"),
    "seconds": ("float", "s", "wall-clock time for this cell"),
    "published": ("str | None", "", "published entry: a value, a bound such as 2<V<3, or N for an infinitesimal"),
    "source": ("str | None", "", "source of the published entry"),
    "agrees": (
        "str | None",
        "",
        f"comparison of the value with the published entry: {', '.join(AGREEMENT)}; None if one is not known",
    ),
}


Row = dict[str, Any]  # with the keys of COLUMNS


def toads_and_frogs(
    k: Iterable[int] = range(4),
    a: Iterable[int] = range(1, 9),
    b: Iterable[int] = range(1, 21),
    memory: int = 4 * 10**9,
    seconds: float = 600.0,
    done: Iterable[Row] = (),
) -> Iterator[Row]:
    """Yield the cells of T^(a+k) .^b F^a, smallest strips first, one row each.

    Cells of `done` are skipped. A cell that does not fit into `memory` (in bytes; at least 512 MB)
    gets certified bounds instead of a value. After `seconds`, the current cell and the remaining
    ones are left for the next call; but the first cell of a call then gets the bounds so far.
    Raises ValueError or TypeError if a range has other entries than non-negative ints.
    """
    k, a, b = ({as_count(n, "a number of toads, blanks or frogs") for n in counts} for counts in (k, a, b))
    skipped = {(row["k"], row["a"], row["b"]) for row in done}
    cells = sorted(product(k, a, b), key=lambda cell: (2 * cell[1] + cell[0] + cell[2], cell))
    deadline = monotonic() + seconds
    longest = max((2 * (2 * a + k) + b for k, a, b in cells), default=1)
    solver = Solver(memory, longest)
    for index, cell in enumerate(cell for cell in cells if cell not in skipped):
        if monotonic() >= deadline:
            return
        row = _row(solver, *cell, deadline)
        if row["value"] is None and index > 0 and monotonic() >= deadline:
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
    """Both engines within one memory limit: the canonical one for small strips, search for large ones."""

    def __init__(self, memory: int = 4 * 10**9, longest: int = 55) -> None:
        if memory < 512 * 10**6:
            raise MemoryBound(f"memory must be at least 512 MB, got {memory} bytes")
        self._memory = memory - 250 * 10**6  # the rest is for the interpreter and the compiled code
        self._longest = longest
        self._canonical: CanonicalEngine | None = None
        self._outcome: OutcomeEngine | None = None
        clear_memos()
        self._outside = memo_size()  # of others in this process, whose games are kept

    def solve(self, strip: Strip, seconds: float) -> tuple[Game | Bounds, str, int]:
        """Return (value or certified bounds, engine, positions) of a strip."""
        deadline = monotonic() + seconds
        size = estimated_positions(strip)
        if self.is_quick(strip):
            exact = self._value(strip, deadline)
            if exact is not None:
                return exact[0], "canonical", exact[1]
        before = self.search.positions
        answer = bracket(self.search, strip, deadline)
        searched = self.search.positions - before
        # one position takes about 200 bytes and 30 microseconds in the canonical engine
        affordable = size * 200 < self._memory // 2 and size * 3e-5 < deadline - monotonic()
        if isinstance(answer, Bounds) and size > QUICK and affordable:
            exact = self._value(strip, deadline)
            if exact is not None:
                return exact[0], "canonical", exact[1]
        return answer, "outcome", searched

    def _value(self, strip: Strip, deadline: float) -> tuple[Game, int] | None:
        if self._canonical is None:
            kept = BYTES_PER_MEMO * (memo_size() - self._outside)
            self._canonical = CanonicalEngine(max(self._memory // 2 - kept, 0))
        before = self._canonical.positions
        try:
            value = self._canonical.value(strip, deadline - monotonic())
        except MemoryBound:
            if before:  # free the memory of earlier strips
                self._canonical = None
                clear_memos()
                return self._value(strip, deadline)
            return None
        except TimeoutError:
            return None
        return value, self._canonical.positions - before

    def is_quick(self, strip: Strip) -> bool:
        """Return whether the canonical engine needs a few seconds at most."""
        return estimated_positions(strip) <= QUICK

    @property
    def search(self) -> OutcomeEngine:
        """Outcome engine, made when first used."""
        if self._outcome is None:
            self._outcome = OutcomeEngine(self._memory // 2, self._longest)
        return self._outcome


# ---- ranges and limits of the command line ----
_UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KIB": 2**10, "MIB": 2**20, "GIB": 2**30}
_TIMES = {"": 1, "S": 1, "MIN": 60, "H": 3600}


def read_range(text: str) -> range:
    """Return the range given as "0..3" (with both ends) or "5".

    Raises ValueError for other text.
    """
    match = re.fullmatch(r"\s*(\d{1,4})(?:\.\.(\d{1,4}))?\s*", text)
    if match is None or int(match[2] or match[1]) < int(match[1]):
        raise ValueError(f'a range must be "first..last" or one number, of at most four digits, got {quoted(text)}')
    return range(int(match[1]), int(match[2] or match[1]) + 1)


def read_bytes(text: str) -> int:
    """Return the bytes of a size such as "4GB", "512MB", "2GiB".

    Raises ValueError for other text.
    """
    return int(_with_unit(text, _UNITS, "a size must be written like 4GB or 512MB"))


def read_seconds(text: str) -> float:
    """Return the seconds of a time such as "10min", "90s", "1h".

    Raises ValueError for other text.
    """
    return _with_unit(text, _TIMES, "a time must be written like 90s, 10min or 1h")


def _with_unit(text: str, units: dict[str, int], rule: str) -> float:
    match = re.fullmatch(r"\s*(\d{1,18}(?:\.\d{1,18})?)\s*([A-Za-z]*)\s*", text)
    if match is None or match[2].upper() not in units:
        raise ValueError(f"{rule}, got {quoted(text)}")
    return float(match[1]) * units[match[2].upper()]
