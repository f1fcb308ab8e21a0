"""Checks of positions given by users, and of the memory of tables."""

import re
from collections.abc import Iterable
from itertools import islice
from typing import Any

from poissonmatch.utils.errors import BadInput, quoted
from poissonmatch.utils.validation import as_int

MEMORY = 2 * 1024**3  # default limit for one table, in bytes


MAX_TABLE = 2**53  # entries of a table, whose cost is predicted in float64
MAX_HEAPS = 5000  # of a position: the time of all winning moves is quadratic


def as_count(value: Any, name: str, minimum: int = 0, maximum: int | None = None) -> int:
    """Return `value` as an int.

    Raises TypeError if it is not an integer, ValueError if it is below `minimum` or above
    `maximum`.
    """
    count = as_int(value)
    if count is None:
        raise TypeError(f"{name} must be an integer, got {quoted(value)}")
    if count < minimum:
        raise BadInput(f"{name} must be at least {minimum}, got {quoted(count)}")
    if maximum is not None and count > maximum:
        raise BadInput(f"{name} must be at most {maximum}, got {quoted(count)}")
    return count


def as_heaps(position: Any, count: int | None = None, minimum: int = 0) -> tuple[int, ...]:
    """Return `position` as a tuple of heap sizes; an integer is one heap.

    Raises TypeError for heaps that are not integers, ValueError for a heap below `minimum` or a
    number of heaps other than `count`.
    """
    if isinstance(position, str | bytes):
        raise TypeError(f"a position must be a tuple of integers, got {quoted(position)}")
    if not isinstance(position, Iterable):
        position = (position,)
    heaps = tuple(as_count(heap, "a heap", minimum) for heap in islice(position, MAX_HEAPS + 1))
    if len(heaps) > MAX_HEAPS:
        raise BadInput(f"a position must have at most {MAX_HEAPS} heaps")
    if count is not None and len(heaps) != count:
        text = quoted(" ".join(map(str, heaps)))
        raise BadInput(f"a position of this game must have {count} heaps, got {len(heaps)}: {text}")
    return heaps


def require_memory(needed: int, what: str, max_bytes: int = MEMORY) -> None:
    """Raise MemoryError, with the estimate, if `needed` exceeds `max_bytes`."""
    if needed > max_bytes:
        raise MemoryError(f"{what} needs about {needed / 1e6:,.0f} MB; the limit is {max_bytes / 1e6:,.0f} MB")


def read_heap(part: str, text: str) -> int:
    """Return the whole number of a part of a text, binary with 0b in front. Raises ValueError."""
    if not re.fullmatch(r"\d{1,300}|0b[01]{1,1000}", part):
        raise BadInput(f"a position must be whole numbers, as in '3 4 5', got {quoted(text)}")
    if re.fullmatch(r"0\d+", part):
        binary = f" or, in binary, 0b{part}" if set(part) <= {"0", "1"} else ""
        raise BadInput(f"{quoted(part)} begins with 0: write {int(part)}{binary}")
    return int(part, 2) if part.startswith("0b") else int(part)
