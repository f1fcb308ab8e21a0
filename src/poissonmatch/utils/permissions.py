"""What of the machine around may be trusted: folders in which nobody else can put anything, and no file of the current folder.

Whoever can write a file that is executed or unpickled can do what this user can.
"""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from collections.abc import Collection, Iterable
from pathlib import Path

OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
SYSTEM = {0, os.stat("/").st_uid}  # root, and who seems to be root in a container


def cache_home() -> Path:
    """The user's folder for caches on this platform. Raises RuntimeError if there is no home folder."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    given = os.environ.get("XDG_CACHE_HOME", "")
    return Path(given) if os.path.isabs(given) else Path.home() / ".cache"


def check_owner(paths: Iterable[Path], others: Collection[int] = ()) -> None:
    """Raises PermissionError for a path that belongs neither to this user nor to these others, or is a link to one."""
    for path in paths if hasattr(os, "getuid") else ():
        for about in os.lstat(path), os.stat(path) if path.exists() else os.lstat(path):
            if about.st_uid not in {os.getuid(), *others}:
                raise PermissionError(f"{path} belongs to user {about.st_uid}")


def check_private(folder: Path) -> None:
    """Raises PermissionError unless the folder is this user's own, and nobody else may write to it, or put another in its place.

    folder: a resolved path, since whoever owns a link may let it lead elsewhere.
    """
    if not hasattr(os, "getuid"):
        return
    check_owner([folder])
    check_owner(folder.parents, SYSTEM)
    for place in folder, *folder.parents:
        mode = os.stat(place).st_mode
        kept = place != folder and mode & stat.S_ISVTX  # in a sticky folder, as /tmp is, everybody's own stays as it is
        if mode & OTHERS_WRITE and not kept:
            raise PermissionError(f"{place} can be written by others")


def check_writable(folder: Path) -> None:
    """Makes a folder if need be, for this user alone. Raises OSError if it cannot be made or written to, as on a full disk."""
    place = folder
    try:
        for place in (*reversed(folder.parents), folder):  # each, as `parents=True` would let others write to some
            place.mkdir(exist_ok=True, mode=0o700)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise OSError(f"{place}: {error.strerror or error}") from None


def python(*words: str) -> list[str]:
    """The command of another Python, which imports nothing from the folder that it is started in."""
    return [sys.executable, "-P", *words]


def environment() -> dict[str, str]:
    """This process's environment for another one, without what would have files of the current folder imported or executed."""
    modules = map(os.path.abspath, _entries("PYTHONPATH"))  # wherever the other is started
    paths = {"PYTHONPATH": os.pathsep.join(modules), "PATH": os.pathsep.join(_entries("PATH")) or os.defpath}
    return {**os.environ, **paths, "PYTHONSAFEPATH": "1"}


def _entries(name: str) -> list[str]:
    """The folders in such a variable; an empty entry, as in "/opt/bin:", is the current one, and left out."""
    return [entry for entry in os.environ.get(name, "").split(os.pathsep) if entry not in ("", ".")]
