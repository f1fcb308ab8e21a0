"""The memory guard: refuse what cannot fit before anything is allocated."""

from __future__ import annotations

from pathlib import Path

import psutil


def available_memory() -> int:
    """Bytes that this process may still take, as far as the system and its control group tell."""
    free = psutil.virtual_memory().available
    try:
        group = Path("/sys/fs/cgroup")
        limit, used = (int((group / f"memory.{what}").read_text()) for what in ("max", "current"))
        return max(0, min(free, limit - used))
    except (OSError, ValueError):  # no control group, or no limit
        return free


def require_memory(size: float, what: str) -> None:
    """Raises MemoryError, with the estimate, if `what` needs more bytes than are available."""
    if size > 1 << 24 and size > (free := available_memory()):
        raise MemoryError(f"{what} needs about {_human(size)} of memory; {_human(free)} are available")


def _human(size: float) -> str:
    units = iter(("bytes", "kB", "MB", "GB", "TB", "PB"))
    unit = next(units)
    while size >= 1000 and unit != "PB":
        size, unit = size / 1000, next(units)
    return f"{size:.3g} {unit}"
