"""How kernels are compiled, where they are kept between processes, and what to do when that place is not to be trusted.

Kernels of one file are inlined into those of another, so all of a wing are kept in a folder that is named by all of its
files: an edit of any compiles them all anew.
A cache entry is a pickle: whoever can write one can run code here. And numba looks at the time stamp of the kernel's
own file only. Hence a private folder named by a digest of the sources and of the compiler; no such folder, no cache.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba import njit

config: Any = numba.config  # which has its settings at run time only


def cache_home() -> Path:
    """The user's folder for caches: NUMBA_CACHE_DIR if that is set, else the platform's."""
    if given := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(given)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    given = os.environ.get("XDG_CACHE_HOME", "")
    return Path(given) if os.path.isabs(given) else Path.home() / ".cache"


def shared_folder() -> Path:
    """The folder below which all kernels are kept: in a Slurm job on the node's own disk, where the first job compiles for all."""
    if "SLURM_JOB_ID" in os.environ and not os.environ.get("NUMBA_CACHE_DIR") and hasattr(os, "getuid"):
        return Path(tempfile.gettempdir()) / f"poissonmatch-{os.getuid()}"
    return cache_home() / "poissonmatch"


def private_folder(sources: Sequence[Path], *compiler: str) -> Path | None:
    """The cache folder for these source files and compiler, made if need be; None, with a warning, if there can be none.

    None if it cannot be made or written, belongs to somebody else, or others may write to it.
    """
    try:
        texts = [*(word.encode() for word in compiler), *(source.read_bytes() for source in sources)]
        digest = hashlib.sha256(b"\0".join(texts)).hexdigest()[:16]
        folder = shared_folder() / f"kernels-{digest}"
        folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        folder.mkdir(exist_ok=True, mode=0o700)
        for place in (folder.parent, folder):
            check_private(place)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(f"{folder} cannot be written")
    except (OSError, RuntimeError) as error:  # RuntimeError: no home folder
        warnings.warn(f"compiled kernels are not kept: {error}", RuntimeWarning, stacklevel=2)
        return None
    return folder


def check_private(folder: Path) -> None:
    """Raises PermissionError unless the folder is this user's own and nobody else may write to it."""
    about = os.lstat(folder)
    if not stat.S_ISDIR(about.st_mode):
        raise PermissionError(f"{folder} is not a folder")
    if hasattr(os, "getuid"):
        if about.st_uid != os.getuid():
            raise PermissionError(f"{folder} belongs to user {about.st_uid}")
        if about.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            raise PermissionError(f"{folder} can be written by others")


class CheckedCache:
    """numba's cache of one function, for which a broken file is a file that is not there.

    What it writes ends in a checksum, and an entry without the right one is not loaded: broken machine code would not
    raise.
    """

    def __init__(self, cache: Any) -> None:
        self._cache, self._file = cache, cache._cache_file
        dump, load = self._file._dump, self._file._load_data

        def dump_with_checksum(data: Any) -> bytes:
            pickled = dump(data)
            return pickled + hashlib.sha256(pickled).digest()

        def load_checked(name: str) -> Any:
            data = Path(self._file._data_path(name)).read_bytes()
            if hashlib.sha256(data[:-32]).digest() != data[-32:]:
                raise ValueError(f"{name} is damaged")
            return load(name)

        self._file._dump, self._file._load_data = dump_with_checksum, load_checked

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cache, name)

    def load_overload(self, *args: Any) -> Any:
        try:
            return self._cache.load_overload(*args)
        except Exception:  # whatever unpickling garbage may raise
            self._forget()
            return None

    def save_overload(self, *args: Any) -> None:
        for _ in range(2):
            try:
                return self._cache.save_overload(*args)
            except Exception:  # a broken index is read before it is written
                self._forget()

    def _forget(self) -> None:
        try:
            self._cache.flush()
        except Exception:  # a full or vanished disk: go on without cache
            self._cache.disable()


def compiler(sources: Iterable[Path], **options: Any) -> tuple[Callable, Callable]:
    """(jit, inlined): two decorators for the kernels of these source files, with these options of numba.

    jit compiles on first call, and keeps the result for other processes where there is a place for it; inlined makes a
    part of the kernels that call it.
    """
    folder = None if config.DISABLE_JIT else private_folder(sorted(sources), numba.__version__, llvmlite.__version__)

    def jit(function: Callable) -> Any:
        if folder is None:
            return njit(**options)(function)
        before, config.CACHE_DIR = config.CACHE_DIR, str(folder)  # for this function, not for the user's own
        try:
            compiled = njit(**options, cache=True)(function)
        finally:
            config.CACHE_DIR = before
        compiled._cache = CheckedCache(compiled._cache)
        return compiled

    return jit, njit(**options, forceinline=True)


# _nrt=False: the kernels of the engine allocate nothing, and references to arrays are not counted. Counting them,
# atomically, in every function that is inlined took up to half of the time.
jit, inlined = compiler(Path(__file__).parent.glob("*.py"), nogil=True, error_model="numpy", _nrt=False)
