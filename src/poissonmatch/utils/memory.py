"""Available memory, within the limits of control groups and ulimit, and the check before a large allocation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import psutil
else:
    import lazy_loader

    psutil = lazy_loader.load("psutil")

ROOT = Path("/")  # contains proc and sys, where Linux reports limits
RLIMITS = {"Max address space": "VmSize", "Max data size": "VmData"}  # limit: the usage that counts towards it


def available_memory() -> int:
    """Return the bytes that this process can still allocate, given free memory, its control groups and its own limits."""
    margins = [limit - used for limit, used in (*_control_groups(), *_own_limits())]
    return max(0, min([psutil.virtual_memory().available, *margins]))


def total_memory() -> int:
    """Return the memory of the machine or of the smallest enclosing control group, in bytes."""
    return min([psutil.virtual_memory().total, *(limit for limit, _ in _control_groups())])


def address_space() -> int:
    """Return the size of the address space of this process, in bytes."""
    return psutil.Process().memory_info().vms


def require_memory(size: float, what: str) -> None:
    """Raise MemoryError, with the estimate, if `what` needs more bytes than are available."""
    if size > 1 << 24 and size > (free := available_memory()):
        raise MemoryError(f"{what} needs about {size_words(size)} of memory; {size_words(free)} are available")


def _control_groups() -> Iterator[tuple[int, int]]:
    """Yield (limit, used) of each enclosing control group, of version 2, of this process that has a limit."""
    for folder in _folders():
        limits = [int(text) for name in ("max", "high") if (text := _text(folder / f"memory.{name}").strip()).isdigit()]
        used = _text(folder / "memory.current").strip()
        if limits and used.isdigit():
            reclaimable = re.search(r"^inactive_file (\d+)$", _text(folder / "memory.stat"), re.M)
            yield min(limits), int(used) - (int(reclaimable[1]) if reclaimable else 0)


def _folders() -> Iterator[Path]:
    """Yield the folders of the control groups of this process."""
    group = re.search(r"^0::(/.*)$", _text(ROOT / "proc/self/cgroup"), re.M)
    if group is None:
        return
    own = PurePosixPath(group[1])
    for line in _text(ROOT / "proc/self/mountinfo").splitlines():
        # id, parent, device, root of the mount, mount point, options, optional fields, "-", type,
        # device, options
        mount = re.fullmatch(r"\S+ \S+ \S+ (\S+) (\S+) .*- cgroup2 \S+ \S+", line)
        if not mount:
            continue
        part, top = (re.sub(r"\\(\d{3})", lambda octal: chr(int(octal[1], 8)), word) for word in mount.groups())
        inside = own.is_relative_to(part) and ".." not in own.parts  # False: seen from another namespace
        steps = own.relative_to(part).parts if inside else ()
        for end in range(len(steps), -1, -1):
            yield (ROOT / top.lstrip("/")).joinpath(*steps[:end])


def _own_limits() -> Iterator[tuple[int, int]]:
    """Yield (limit, used) of each limit of this process alone, as set by `ulimit -v`."""
    limits, status = _text(ROOT / "proc/self/limits"), _text(ROOT / "proc/self/status")
    for name, what in RLIMITS.items():
        limit, used = re.search(rf"^{name} +(\d+)", limits, re.M), re.search(rf"^{what}:\s+(\d+) kB", status, re.M)
        if limit and used:
            yield int(limit[1]), 1024 * int(used[1])


def _text(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""


def size_words(size: float) -> str:
    """Return a number of bytes with a unit: 2.3 GB."""
    from humanize import naturalsize  # imported here, because few commands need it

    return naturalsize(size, format="%.3g")
