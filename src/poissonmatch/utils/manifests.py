"""Files of results, manifests that list the SHA-256 of each, and canonical JSON."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from io import BufferedReader
from pathlib import Path
from typing import Any

from .errors import IntegrityError, Problem
from .files import NOT_REGULAR, open_regular

MANIFEST = "manifest.json"  # in the folder of tables: the SHA-256 of each
_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"))
OWN_FILE = re.compile(r"(\w[\w-]*/)?\w[\w.-]*")  # a file that a manifest may list, in its folder or the next


def sha256(data: bytes) -> str:
    """Return the SHA-256 of bytes, as listed in manifests."""
    return hashlib.sha256(data).hexdigest()


def canonical(value: Any) -> str:
    """Return the canonical JSON text of a value made of dicts, lists, strings and numbers."""
    return _CANONICAL.encode(value)


def fingerprint(value: Any, length: int = 10) -> str:
    """Return the first hexadecimal digits of the SHA-256 of the value's canonical JSON."""
    return sha256(canonical(value).encode())[:length]


def to_json(value: Any) -> bytes:
    """Return a value as the JSON of a manifest."""
    return (json.dumps(value, indent=1, sort_keys=True) + "\n").encode()


def read_result(path: Path) -> bytes:
    """Return the bytes of a file of results.

    Raises IntegrityError if it is missing or not a regular file.
    """
    with open_result(path) as file:
        return file.read()


def open_result(path: Path) -> BufferedReader:
    """Open a file of results for reading.

    Raises IntegrityError if it is missing or not a regular file.
    """
    try:
        return open_regular(path)
    except (FileNotFoundError, NotADirectoryError):
        raise IntegrityError(Problem(path, "missing")) from None
    except OSError as error:
        if error.errno not in NOT_REGULAR:
            raise
        raise IntegrityError(Problem(path, "not ours", str(error.strerror))) from None


def read_json(path: Path) -> dict[str, Any]:
    """Return what to_json wrote.

    Raises IntegrityError if the file is missing, not a regular file, or holds other bytes.
    """
    data = read_result(path)
    about = parse_json(path, data)
    try:
        if to_json(about) == data:
            return about
    except RecursionError:
        pass
    raise IntegrityError(Problem(path, "damaged", "its bytes are not as poissonmatch writes them"))


def parse_json(path: Path, data: bytes) -> dict[str, Any]:
    """Return the JSON object in the bytes of a file, in any layout.

    Raises IntegrityError if they are none, or a key occurs twice.
    """
    try:
        about = json.loads(data.decode(), object_pairs_hook=unique)
    except (ValueError, RecursionError) as error:
        raise IntegrityError(Problem(path, "damaged", f"it is not a JSON object: {error}")) from None
    if not isinstance(about, dict):
        raise IntegrityError(Problem(path, "damaged", "it is not a JSON object"))
    return about


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of a file of JSON. Raises ValueError for a key that it has twice."""
    if twice := [key for key, count in Counter(key for key, _ in pairs).items() if count > 1]:
        raise ValueError(f"the key {twice[0]!r} occurs twice in one object")
    return dict(pairs)


def check_listed(manifest: Path, name: str, digest: str) -> Path:
    """Return the path of a file that a manifest lists.

    Raises IntegrityError if it is missing or has another SHA-256.
    """
    path = manifest.parent / name
    with open_result(path) as file:  # which may be larger than memory
        here = hashlib.file_digest(file, "sha256").hexdigest()
    if here != digest:
        detail = f"not the file that {manifest.name} lists (its SHA-256 differs)"
        raise IntegrityError(Problem(path, "damaged", detail))
    return path


def wrong_files(manifest: Path, listed: Any) -> list[Problem]:
    """Return the files of a manifest, among those it lists, that are missing or have other bytes.

    Raises IntegrityError if it names others than files below its folder.
    """
    if not isinstance(listed, dict) or not all(OWN_FILE.fullmatch(name) for name in listed):
        raise IntegrityError(Problem(manifest, "damaged", "it does not list exactly its own files"))
    problems: list[Problem] = []
    for name, digest in sorted(listed.items()):
        try:
            check_listed(manifest, name, digest)
        except IntegrityError as error:
            problems += error.problems
    return problems
