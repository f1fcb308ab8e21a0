"""Files of a results folder, classified by name, and its quarantine: files are moved aside, never deleted."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ...utils.files import is_file, is_folder
from ...utils.manifests import MANIFEST
from ..tables.tables import BLOCK_TABLES
from .batch_files import BLOCKS, MANIFEST_NAME

QUARANTINE = "quarantine"  # folder in the results folder


@dataclass
class Files:
    """The files of a results folder.

    manifests: of batches. others: further files and folders among the batches. unfinished:
    temporary files of a killed process. tables: the manifest of the tables, and all Parquet files in
    its folder.
    """

    manifests: list[Path] = field(default_factory=list)
    others: list[Path] = field(default_factory=list)
    unfinished: list[Path] = field(default_factory=list)
    tables: list[Path] = field(default_factory=list)


def scan(folder: Path) -> Files:
    """Return the files of a results folder. Raises OSError for a folder that cannot be read."""
    files, batches = Files(), folder / BLOCKS
    places = [folder, batches, *(batches / table for table in BLOCK_TABLES)]
    for place in places:
        if not is_folder(place):
            files.others += [place] * os.path.lexists(place)
            continue
        for path in _inside(place):
            if _is_leftover(path):
                files.unfinished.append(path)
            elif place == folder:
                files.tables += [path] * (path.name == MANIFEST or path.suffix == ".parquet")
            elif place == batches and is_file(path) and MANIFEST_NAME.fullmatch(path.name):
                files.manifests.append(path)
            elif path not in places:
                files.others.append(path)
    return files


def results_below(folder: Path) -> list[str]:
    """Return the names of subfolders that look like results."""
    return [
        path.name
        for path in _inside(folder)
        if is_folder(path) and (is_folder(path / BLOCKS) or is_file(path / MANIFEST))
    ]


def _inside(folder: Path) -> Iterator[Path]:
    yield from (folder / name for name in sorted(os.listdir(folder)))


def _is_leftover(path: Path) -> bool:
    """Return whether this is a temporary file of AtomicFile."""
    return path.name.startswith(".") and path.suffix == ".tmp" and is_file(path)


def set_aside(path: Path, folder: Path) -> Path:
    """Move a file or folder of a results folder to the quarantine; return its new path."""
    wanted = folder / QUARANTINE / path.relative_to(folder)
    target, number = wanted, 0
    while os.path.lexists(target):
        number += 1
        target = wanted.with_name(f"{wanted.name}.{number}")
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(path, target)
    return target
