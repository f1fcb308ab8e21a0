"""Reading positions from users, and refusing tables that would not fit in memory."""

from collections.abc import Iterable
from typing import Any

from ...utils.errors import quoted
from ...utils.validation import as_int

MEMORY = 2 * 1024**3
"""Default bound in bytes for one table."""


def as_count(value: Any, name: str, least: int = 0) -> int:
    """`value` as an int that is at least `least`: TypeError for anything that is not an integer, ValueError below `least`."""
    count = as_int(value)
    if count is None:
        raise TypeError(f"{name} must be an integer, not {quoted(value)}")
    if count < least:
        raise ValueError(f"{name} must be at least {least}, not {quoted(count)}")
    return count


def as_heaps(position: Any, count: int | None = None, least: int = 0) -> tuple[int, ...]:
    """`position` as a tuple of heap sizes; a lone integer is one heap.

    Raises TypeError for heaps that are not integers (see `as_count`), ValueError for a heap below `least` or for
    a number of heaps other than `count`, where `count` is given.
    """
    if isinstance(position, str | bytes):
        raise TypeError(f"a position is a tuple of integers, not {quoted(position)}")
    if not isinstance(position, Iterable):
        position = (position,)
    heaps = tuple(as_count(heap, "a heap", least) for heap in position)
    if count is not None and len(heaps) != count:
        raise ValueError(f"this game has {count} heaps; the position has {len(heaps)}: {quoted(heaps)}")
    return heaps


def require_memory(needed: int, what: str, limit: int = MEMORY) -> None:
    """Raise MemoryError, with the estimate, when `needed` bytes are more than `limit`; allocates nothing."""
    if needed > limit:
        raise MemoryError(f"{what} needs about {needed / 1e6:,.0f} MB; the bound is {limit / 1e6:,.0f} MB")
