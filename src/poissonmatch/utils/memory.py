"""The memory guard: refuse what cannot fit before anything is allocated."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import psutil

ROOT = Path("/")  # below it are proc and sys, where Linux tells of limits


class Files(NamedTuple):
    """The files in which a control group tells its limits, what it uses, and what of that is kept only while nobody needs the room."""

    limits: tuple[str, ...]
    used: str
    idle: str  # a line of memory.stat


V1 = Files(("memory.limit_in_bytes",), "memory.usage_in_bytes", "total_inactive_file")
V2 = Files(("memory.max", "memory.high"), "memory.current", "inactive_file")
RLIMITS = {"Max address space": "VmSize", "Max data size": "VmData"}  # and what counts towards them


def available_memory() -> int:
    """Bytes that this process may still take: those that are free, within the limits of its control groups and its own."""
    rooms = [limit - used for limit, used in (*_control_groups(), *_own_limits())]
    return max(0, min([psutil.virtual_memory().available, *rooms]))


def total_memory() -> int:
    """Bytes that this process and those beside it may take together: those of the machine, or of a control group."""
    return min([psutil.virtual_memory().total, *(limit for limit, _ in _control_groups())])


def require_memory(size: float, what: str) -> None:
    """Raises MemoryError, with the estimate, if `what` needs more bytes than are available."""
    if size > 1 << 24 and size > (free := available_memory()):
        raise MemoryError(f"{what} needs about {size_words(size)} of memory; {size_words(free)} are available")


def _control_groups() -> Iterator[tuple[int, int]]:
    """(limit, used) of each control group of this process that has a limit: its own, and all around it, of both versions."""
    for folder, files in _folders():
        limits = [int(text) for name in files.limits if (text := _text(folder / name).strip()).isdigit()]
        used = _text(folder / files.used).strip()
        if limits and used.isdigit():
            idle = re.search(rf"^{files.idle} (\d+)$", _text(folder / "memory.stat"), re.M)
            yield min(limits), int(used) - (int(idle[1]) if idle else 0)


def _folders() -> Iterator[tuple[Path, Files]]:
    """The folders of the control groups of this process that count memory."""
    own = {}
    for line in _text(ROOT / "proc/self/cgroup").splitlines():
        if found := re.fullmatch(r"\d+:([^:]*):(/.*)", line):
            if found[1] == "" or "memory" in found[1].split(","):
                own[V1 if found[1] else V2] = PurePosixPath(found[2])
    for line in _text(ROOT / "proc/self/mountinfo").splitlines():
        # id, parent, device, the part that is mounted, where, options, more of them, "-", type, device, options
        found = re.fullmatch(r"\S+ \S+ \S+ (\S+) (\S+) .*- (cgroup2?) \S+ (\S+)", line)
        files = V2 if found and found[3] == "cgroup2" else V1
        if not found or files not in own or files is V1 and "memory" not in found[4].split(","):
            continue
        part, top = (re.sub(r"\\(\d{3})", lambda octal: chr(int(octal[1], 8)), word) for word in found.group(1, 2))
        inside = (
            own[files].is_relative_to(part) and ".." not in own[files].parts
        )  # else it is seen from another namespace
        steps = own[files].relative_to(part).parts if inside else ()
        for end in range(len(steps), -1, -1):
            yield (ROOT / top.lstrip("/")).joinpath(*steps[:end]), files


def _own_limits() -> Iterator[tuple[int, int]]:
    """(limit, used) of each limit of this process alone, as `ulimit -v` sets it."""
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
    """A number of bytes for people: 2.3 GB."""
    from humanize import naturalsize  # here, because few need it

    return naturalsize(size, format="%.3g")
