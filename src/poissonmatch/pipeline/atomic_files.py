"""Atomic writing of files, and manifests that list the SHA-256 of each."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import secrets
import shutil
from pathlib import Path
from typing import Any

from ..utils.errors import IntegrityError, Problem

MANIFEST = "manifest.json"  # in the folder of tables: the SHA-256 of each


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file completely or not at all.

    A process that is killed leaves at most a hidden file that ends in .tmp.

    Raises
    ------
    OSError
        If there is no permission, or the disk is full (with the number of bytes needed and free).
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
    """Return the SHA-256 of bytes, as listed in manifests."""
    return hashlib.sha256(data).hexdigest()


def to_json(value: Any) -> bytes:
    """Return a value as the JSON of a manifest."""
    return (json.dumps(value, indent=1, sort_keys=True) + "\n").encode()


def read_json(path: Path) -> dict[str, Any]:
    """Return what to_json wrote. Raises IntegrityError if the file is missing or holds other bytes."""
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
