"""Atomic writing of files, and manifests that list the SHA-256 of each."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import secrets
import shutil
from pathlib import Path
from typing import Any

from ..utils.errors import IntegrityError, Problem
from ..utils.files import NOT_REGULAR, read_regular

MANIFEST = "manifest.json"  # in the folder of tables: the SHA-256 of each
OWN_FILE = re.compile(r"(\w[\w-]*/)?\w[\w.-]*")  # a file that a manifest may list, in its folder or the next


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


def read_result(path: Path) -> bytes:
    """Return the bytes of a file of results. Raises IntegrityError if it is missing or not a regular file."""
    try:
        return read_regular(path)
    except (FileNotFoundError, NotADirectoryError):
        raise IntegrityError(Problem(path, "missing")) from None
    except OSError as error:
        if error.errno not in NOT_REGULAR:
            raise
        raise IntegrityError(Problem(path, "not ours", str(error.strerror))) from None


def read_json(path: Path) -> dict[str, Any]:
    """Return what to_json wrote. Raises IntegrityError if the file is missing, not a regular file, or holds other bytes."""
    data = read_result(path)
    about = parse_json(path, data)
    try:
        if to_json(about) == data:
            return about
    except RecursionError:
        pass
    raise IntegrityError(Problem(path, "damaged", "its bytes are not as poissonmatch writes them"))


def parse_json(path: Path, data: bytes) -> dict[str, Any]:
    """Return the JSON object in the bytes of a file, in any layout. Raises IntegrityError if they are none."""
    try:
        about = json.loads(data)
    except (ValueError, RecursionError):
        about = None
    if not isinstance(about, dict):
        raise IntegrityError(Problem(path, "damaged", "it is not a JSON object"))
    return about


def read_listed(manifest: Path, name: str, digest: str) -> bytes:
    """Return the bytes of a file that a manifest lists. Raises IntegrityError if it is missing or has another SHA-256."""
    path = manifest.parent / name
    data = read_result(path)
    if sha256(data) != digest:
        detail = f"not the file that {manifest.name} lists (its SHA-256 differs)"
        raise IntegrityError(Problem(path, "damaged", detail))
    return data


def wrong_files(manifest: Path, listed: Any) -> list[Problem]:
    """Return the files of a manifest, among those it lists, that are missing or have other bytes.

    Raises IntegrityError if it names others than files below its folder.
    """
    if not isinstance(listed, dict) or not all(OWN_FILE.fullmatch(name) for name in listed):
        raise IntegrityError(Problem(manifest, "damaged", "it does not list exactly its own files"))
    problems: list[Problem] = []
    for name, digest in sorted(listed.items()):
        try:
            read_listed(manifest, name, digest)
        except IntegrityError as error:
            problems += error.problems
    return problems
