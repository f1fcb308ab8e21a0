"""Files that are moved aside, never deleted: those that do not belong to the results, and results in the layout of an older version."""

from __future__ import annotations

import shutil
from pathlib import Path

from ..tables.estimate_tables import TABLES
from ..utils.errors import IntegrityError, Problem
from .atomic_files import MANIFEST, read_json

QUARANTINE = "quarantine"  # folder in the results folder
OLD_NAMES = (
    "shards",
    "frogs.parquet",
    "realisations.parquet",
)  # of the folder of blocks and of tables, until version 2.0


def set_aside(path: Path, folder: Path) -> Path:
    """Move a file or folder of a results folder to the quarantine; return its new path."""
    place = folder / QUARANTINE / path.relative_to(folder)
    target, number = place, 0
    while target.exists() or target.is_symlink():
        number += 1
        target = place.with_name(f"{place.name}.{number}")
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(path, target)
    return target


def old_files(folder: Path) -> list[Path]:
    """Return the files and folders of results in the layout of an older version: its folder of blocks, and tables with old names."""
    old = [folder / name for name in OLD_NAMES if (folder / name).exists()]
    try:
        listed = read_json(folder / MANIFEST).get("sha256")
    except IntegrityError:
        listed = None
    if isinstance(listed, dict) and set(listed) & set(OLD_NAMES):
        tables = [MANIFEST, *(f"{name}.parquet" for name in TABLES)]
        old += [path for path in (folder / name for name in tables) if path.exists() and path not in old]
    return old


def old_problems(folder: Path) -> list[Problem]:
    """Return a problem for each file or folder of an older version."""
    detail = "results of an older version of poissonmatch"
    return [Problem(path, "made by other code", detail) for path in old_files(folder)]


def set_old_aside(folder: Path) -> list[tuple[Path, Path]]:
    """Move results in the layout of an older version to the quarantine; return the old and the new path of each."""
    return [(path, set_aside(path, folder)) for path in old_files(folder)]
