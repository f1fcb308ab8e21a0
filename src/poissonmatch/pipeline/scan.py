"""Files of a results folder, classified by name, and its quarantine: files are moved aside, never deleted."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from .atomic_files import MANIFEST
from .blocks import MANIFEST_PATH

BLOCKS = "blocks"
QUARANTINE = "quarantine"  # folder in the results folder


@dataclass
class Found:
    """The files of a results folder.

    manifests: of blocks. others: further files and folders among the blocks. unfinished: temporary
    files of a killed process. tables: the manifest of the tables, and all Parquet files in its
    folder.
    """

    manifests: list[Path] = field(default_factory=list)
    others: list[Path] = field(default_factory=list)
    unfinished: list[Path] = field(default_factory=list)
    tables: list[Path] = field(default_factory=list)


def scan(folder: Path) -> Found:
    """Return the files of a results folder. Raises OSError for a folder that cannot be read."""
    found = Found()
    for path in _inside(folder):
        if _is_leftover(path):
            found.unfinished.append(path)
        elif path.name == MANIFEST or path.suffix == ".parquet":
            found.tables.append(path)
    level = [folder / BLOCKS] if os.path.lexists(folder / BLOCKS) else []
    for _ in ("blocks", "study", "cell"):  # each a folder, which may be a link to one elsewhere
        inside: list[Path] = []
        for path in level:
            if path.is_dir():
                inside += _inside(path)
            else:
                (found.unfinished if _is_leftover(path) else found.others).append(path)
        level = inside
    for path in level:
        if _is_leftover(path):
            found.unfinished.append(path)
        elif path.is_file() and MANIFEST_PATH.fullmatch(str(path.absolute())):
            found.manifests.append(path)
        else:
            found.others.append(path)
    return found


def results_below(folder: Path) -> list[str]:
    """Return the names of subfolders that look like results."""
    return [
        path.name
        for path in _inside(folder)
        if path.is_dir() and ((path / BLOCKS).is_dir() or (path / MANIFEST).is_file())
    ]


def _inside(folder: Path) -> Iterator[Path]:
    yield from (folder / name for name in sorted(os.listdir(folder)))


def _is_leftover(path: Path) -> bool:
    """Return whether this is a temporary file of write_atomically."""
    return path.name.startswith(".") and path.suffix == ".tmp" and path.is_file()


def set_aside(path: Path, folder: Path) -> Path:
    """Move a file or folder of a results folder to the quarantine; return its new path."""
    wanted = folder / QUARANTINE / path.relative_to(folder)
    target, number = wanted, 0
    while target.exists() or target.is_symlink():
        number += 1
        target = wanted.with_name(f"{wanted.name}.{number}")
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(path, target)
    return target
