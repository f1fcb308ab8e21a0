"""Checks of file ownership, and environments in which no file of the current folder is imported.

A user who can write a file that is executed or unpickled has the rights of the user who runs it.
"""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from collections.abc import Collection, Iterable
from pathlib import Path

OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
SYSTEM = {0, os.stat("/").st_uid}  # root, and the owner of / in a container


def cache_home() -> Path:
    """Return the user's cache folder on this platform.

    Raises RuntimeError if there is no home folder.
    """
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    xdg = os.environ.get("XDG_CACHE_HOME", "")
    return Path(xdg) if os.path.isabs(xdg) else Path.home() / ".cache"


def check_owner(paths: Iterable[Path], other_users: Collection[int] = ()) -> None:
    """Raise PermissionError if a path, or the target of a link, belongs neither to this user nor to `other_users`."""
    for path in paths:
        for about in os.lstat(path), os.stat(path) if path.exists() else os.lstat(path):
            if about.st_uid not in {os.getuid(), *other_users}:
                raise PermissionError(f"{path} belongs to user {about.st_uid}")


def check_writable(folder: Path, *, mode: int = 0o700) -> None:
    """Make the folder and its parents if necessary, private to this user unless the mode says otherwise.

    Raises OSError if it cannot be made or written to, for example on a full disk.
    """
    path = folder
    try:
        for path in (*reversed(folder.parents), folder):  # one by one: `parents=True` ignores the mode for parents
            path.mkdir(exist_ok=True, mode=mode)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise OSError(f"{path}: {error.strerror or error}") from None


def private_folder(folder: Path) -> Path:
    """Return the folder, without links in its path, created if necessary.

    Raises OSError if it is not private or cannot be written.
    """
    check_writable(folder)
    folder = folder.resolve(strict=True)
    check_owner([folder])
    check_owner(folder.parents, SYSTEM)
    for path in folder, *folder.parents:
        mode = os.stat(path).st_mode
        sticky = path != folder and mode & stat.S_ISVTX  # as /tmp: only the owner can replace an entry
        if mode & OTHERS_WRITE and not sticky:
            raise PermissionError(f"{path} can be written by others")
    return folder


def python(*words: str) -> list[str]:
    """Return the command line of a Python that imports nothing from its current folder."""
    return [sys.executable, "-P", *words]


def environment() -> dict[str, str]:
    """Return the environment for a child process, in which no file of the current folder is imported or executed."""
    modules = map(os.path.abspath, _entries("PYTHONPATH"))  # absolute: the child may start in another folder
    paths = {"PYTHONPATH": os.pathsep.join(modules), "PATH": os.pathsep.join(_entries("PATH")) or os.defpath}
    return {**os.environ, **paths, "PYTHONSAFEPATH": "1"}


def _entries(name: str) -> list[str]:
    """Return the folders in a path variable without the current one, which is also meant by an empty entry ("/opt/bin:")."""
    return [entry for entry in os.environ.get(name, "").split(os.pathsep) if entry not in ("", ".")]
