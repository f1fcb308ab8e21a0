"""Files as bytes: written whole or not at all, manifests that list the SHA-256 of each, and reading what they list."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..tables.estimate_tables import TABLES
from ..tables.parquet import read, table_name
from ..tables.tables import Table
from ..utils.errors import IntegrityError, Problem

if TYPE_CHECKING:
    import pandas as pd

MANIFEST = "manifest.json"  # beside the tables of a results folder: the SHA-256 of each


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file that is either there in full or not at all, whatever happens in between.

    Raises OSError (no permission; disk full: what is needed and what is free). A process that is killed leaves a hidden file
    that ends in .tmp, and nothing else.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name[:80]}.{secrets.token_hex(8)}.tmp")  # two machines may share the folder
    try:
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(handle, view) :]
            os.fsync(handle)
        finally:
            os.close(handle)
        os.replace(temporary, path)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        temporary.unlink(missing_ok=True)
        free = shutil.disk_usage(path.parent).free
        words = f"{error.strerror}: {len(data)} bytes are needed, {free} are free"
        raise OSError(error.errno, words, str(path)) from None
    finally:
        temporary.unlink(missing_ok=True)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def sha256(data: bytes) -> str:
    """The SHA-256 of some bytes, as manifests list it."""
    return hashlib.sha256(data).hexdigest()


def to_json(value: Any) -> bytes:
    """How manifests are written."""
    return (json.dumps(value, indent=1, sort_keys=True) + "\n").encode()


def read_json(path: Path) -> dict[str, Any]:
    """What to_json wrote. Raises IntegrityError if the file is missing or holds other bytes."""
    try:
        data = path.read_bytes()
        about = json.loads(data)
        if not isinstance(about, dict) or to_json(about) != data:
            raise ValueError
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        raise IntegrityError(Problem(path, "missing")) from None
    except (ValueError, RecursionError):
        raise IntegrityError(Problem(path, "damaged")) from None
    return about


def load(path: str | Path, *, listed: bool = False, find: Callable[[str], Table | None] = TABLES.get) -> pd.DataFrame:
    """A table as a DataFrame, verified: page checksums, schema, and the SHA-256 in the manifest beside it, and the rows by
    themselves.

    listed: refuse a table without a manifest; a copy elsewhere has none, and the checksums of its pages must do. find: the
    declaration of a table by its name. The provenance is in the frame's `attrs`. Raises FileNotFoundError, or IntegrityError if anything
    is not right.
    """
    path = Path(path)
    data = path.read_bytes()
    manifest = path.parent / MANIFEST
    if listed or manifest.exists():
        try:
            digest = json.loads(manifest.read_bytes())["sha256"][path.name]
        except FileNotFoundError:
            raise IntegrityError(Problem(manifest, "missing", f"{path.name} cannot be verified")) from None
        except (ValueError, KeyError, TypeError, RecursionError):
            raise IntegrityError(Problem(manifest, "damaged", f"or does not list {path.name}")) from None
        if digest != sha256(data):
            detail = f"not the file that {MANIFEST} lists (its SHA-256 differs)"
            raise IntegrityError(Problem(path, "damaged", detail))
    table = find(table_name(data, path))
    if table is None:
        raise IntegrityError(Problem(path, "foreign", "not a table of poissonmatch"))
    frame, metadata = read(table, data, path)
    frame.attrs.update(metadata)
    return frame
