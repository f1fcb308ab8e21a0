"""Runs of a study with Snakemake: one at a time in a results folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

LOCK = ".lock"
_held: list[FileLock] = []  # for the life of the process


class Busy(Exception):
    """Another run is at work in the same results folder."""


def take(folder: str | Path) -> FileLock:
    """Take the lock of a results folder until the process ends, however it ends. Raises Busy if another process has it."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / LOCK, mode=0o644)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise Busy(f"{folder}: another run is at work there; wait until it ends, or stop it first") from None
    _held.append(lock)
    return lock


@contextmanager
def hold(folder: str | Path) -> Iterator[None]:
    """take, for a while."""
    lock = take(folder)
    try:
        yield
    finally:
        lock.release()
