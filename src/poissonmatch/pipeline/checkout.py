"""Checks of the folders of Snakemake: whether their files may be executed, and whether its records can be written."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ..utils import permissions

SOURCES = ("Snakefile", "workflow", "profiles")  # what Snakemake executes
RECORDS = ".snakemake"  # where it remembers what it did; it imports modules from there, and reads pickles
DATA = ("metadata", "incomplete", "log", "locks", "auxiliary")  # parts of that, of many files: text


def check(sources: Path, home: Path) -> None:
    """Raise OSError, with a remedy, unless Snakemake may be started with these sources in this folder."""
    author = os.stat(__file__).st_uid  # of this package, whose code is executed already
    records = home.absolute() / RECORDS
    try:
        permissions.check_owner(_sources(sources.absolute()), {author, *permissions.SYSTEM})
    except PermissionError as error:
        raise PermissionError(f"{error}, and would be executed: run this in sources that belong to you") from None
    try:
        permissions.check_owner([path for path in (home.parent, home) if os.path.lexists(path)])
        for found in (records, Path.cwd() / RECORDS):  # where a plain `snakemake` has them
            permissions.check_owner(_records(found))
    except PermissionError as error:
        raise PermissionError(f"{error}, and might be executed: move it away, or work in another folder") from None
    try:
        permissions.check_writable(records)
    except OSError as error:
        raise OSError(f"{error}; Snakemake keeps its records there: choose --results that you can write to") from None


def _sources(folder: Path) -> Iterator[Path]:
    for name in SOURCES:
        yield from (path for path in (folder / name, *(folder / name).rglob("*")) if os.path.lexists(path))


def _records(records: Path) -> Iterator[Path]:
    if os.path.lexists(records):
        yield records
        for part in records.glob("*"):
            yield part
            yield from part.glob("*") if part.name not in DATA else ()


def environment(folder: Path) -> dict[str, str]:
    """Return the environment of Snakemake, with its cache among its records if there is no home folder."""
    try:
        permissions.check_writable(permissions.cache_home() / "snakemake")
        return permissions.environment()
    except (OSError, RuntimeError):
        return {**permissions.environment(), "XDG_CACHE_HOME": str(folder.absolute() / RECORDS / "cache")}
