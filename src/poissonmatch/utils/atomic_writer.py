"""The one writer of files: each appears completely or not at all."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import secrets
import shutil
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from .files import is_file

TEMPORARY = re.compile(r"\..*\.[0-9a-f]{16}\.tmp", re.DOTALL)  # name of the hidden file of an AtomicFile


class AtomicFile:
    """A file that appears completely or not at all: a hidden file that ends in .tmp, until `move_to` renames it.

    A process that is killed leaves at most the hidden file. `handle` is open for writing.
    """

    def __init__(self, folder: Path, stem: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f".{stem[:80]}.{secrets.token_hex(8)}.tmp"  # two machines may share the folder
        self.handle = os.fdopen(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o644), "w+b")

    def sha256(self) -> str:
        """Return the SHA-256 of what was written."""
        self.handle.seek(0)
        return hashlib.file_digest(self.handle, "sha256").hexdigest()

    def synchronize(self) -> None:
        """Write the end of the file to the disk. Raises OSError if it is full."""
        with self.handle as handle:
            handle.flush()
            os.fsync(handle.fileno())

    def move_to(self, target: Path) -> None:
        """Synchronize the file to the disk, unless that is done, and give it its name."""
        if not self.handle.closed:
            self.synchronize()
        os.replace(self.path, target)
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def discard(self) -> None:
        """Remove the file unless it has its name already."""
        with suppress(OSError):  # what is buffered cannot be written to a full disk
            self.handle.close()
        self.path.unlink(missing_ok=True)


def is_temporary(path: Path) -> bool:
    """Return whether a path is the hidden file of an AtomicFile."""
    return TEMPORARY.fullmatch(path.name) is not None and is_file(path) and not path.is_symlink()


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file completely or not at all.

    Raises
    ------
    OSError
        If there is no permission, or the disk is full (with the number of bytes needed and free).
    """
    file = AtomicFile(path.parent, path.name)
    try:
        file.handle.write(data)
        file.move_to(path)
    except OSError as error:
        raise with_space(error, path, len(data)) from None
    finally:
        file.discard()


def replace_together(
    files: Mapping[Path, AtomicFile], manifest: Path, data: bytes, others: Iterable[Path] = ()
) -> None:
    """Give files their names, remove others, and write the manifest, which lists the files.

    All is on the disk before anything is replaced. While there are old and new files there is no manifest.
    """
    last = AtomicFile(manifest.parent, manifest.name)
    try:
        last.handle.write(data)
        for file in (*files.values(), last):
            file.synchronize()
        for path in (manifest, *others):
            path.unlink(missing_ok=True)
        for path, file in files.items():
            file.move_to(path)
        last.move_to(manifest)
    finally:
        last.discard()


def with_space(error: OSError, path: Path, needed: int | None = None) -> OSError:
    """Return the error, for a full disk with the path and the number of bytes that are free, and needed."""
    if error.errno not in (errno.ENOSPC, errno.EDQUOT):
        return error
    free = shutil.disk_usage(path.parent).free
    space = f"{free} bytes are free" if needed is None else f"{needed} bytes are needed, {free} are free"
    return OSError(error.errno, f"{error.strerror}: {space}", str(path))
