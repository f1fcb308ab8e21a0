"""Compilation of kernels, and a cache of compiled kernels that only the user can write.

Kernels of one file are inlined into those of another, but numba checks the time stamp of the
kernel's own file only. So the cache is a folder named by a digest of all source files of the
subpackage, and of the compiler: an edit of any compiles all of them again. A cache entry is a
pickle, which can run any code when it is loaded: the folder must be private, or there is no cache.
"""

from __future__ import annotations

import hashlib
import io
import os
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba import njit
from numba.core import event

from ..utils import permissions

config: Any = numba.config  # its settings are known at run time only


def places() -> Iterator[Path]:
    """Yield folders for the cache, best first.

    They are that of NUMBA_CACHE_DIR, the user's cache folder, and the machine's local disk.

    In a Slurm job the local disk comes before the user's folder: there the first job compiles for
    all on its node.
    """
    user = os.getuid() if hasattr(os, "getuid") else "kernels"
    disk = Path(tempfile.gettempdir()) / f"poissonmatch-{user}"
    if named := os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(named) / "poissonmatch"
    if "SLURM_JOB_ID" in os.environ:
        yield disk
    with suppress(RuntimeError):  # no home folder
        yield permissions.cache_home() / "poissonmatch"
    yield disk


def private_folder(sources: Sequence[Path], *compiler: str) -> Path | None:
    """Return the cache folder for these source files and compiler, or None.

    It is in the first usable place, and is created if necessary.

    A place is skipped, with a warning, if the folder cannot be created or written, belongs to
    another user, or can be written by others.
    """
    texts = [*(word.encode() for word in compiler), *(source.read_bytes() for source in sources)]
    digest = hashlib.sha256(b"\0".join(texts)).hexdigest()[:16]
    folder, refused = None, []
    for place in places():
        try:
            folder = _created(place / f"kernels-{digest}")
            break
        except OSError as error:
            refused.append(str(error))
    if refused:
        where = f"kept in {folder.parent}" if folder else "not kept"
        warnings.warn(f"compiled kernels are {where}: {'; '.join(refused)}", RuntimeWarning, stacklevel=2)
    return folder


def _created(folder: Path) -> Path:
    """Return the folder, without links in its path, created if necessary.

    Raises OSError if it is not private or cannot be written.
    """
    permissions.check_writable(folder)
    folder = folder.resolve(strict=True)
    permissions.check_private(folder)
    return folder


class CheckedCache:
    """numba's cache of one function, in which a damaged file counts as missing.

    Each file ends in a checksum, and is loaded only if that is right: damaged machine code would
    not raise an error.
    """

    def __init__(self, cache: Any) -> None:
        self._cache, self._file = cache, cache._cache_file
        load_index, load_data = self._file._load_index, self._file._load_data
        open_for_write = self._file._open_for_write

        @contextmanager
        def open_with_checksum(path: str) -> Iterator[io.BytesIO]:
            data = io.BytesIO()
            yield data
            with open_for_write(path) as file:
                file.write(data.getvalue() + hashlib.sha256(data.getvalue()).digest())

        def load_checked_index() -> Any:
            if os.path.exists(self._file._index_path):
                _check(self._file._index_path)
            return load_index()

        def load_checked_data(name: str) -> Any:
            _check(self._file._data_path(name))
            return load_data(name)

        self._file._open_for_write = open_with_checksum
        self._file._load_index, self._file._load_data = load_checked_index, load_checked_data

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cache, name)

    def load_overload(self, *args: Any) -> Any:
        """Load a compiled function; None if there is none, or it is damaged."""
        try:
            return self._cache.load_overload(*args)
        except Exception:  # whatever unpickling garbage may raise
            self._forget()
            return None

    def save_overload(self, *args: Any) -> None:
        """Save a compiled function, if possible."""
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


def _check(path: str) -> None:
    data = Path(path).read_bytes()
    if hashlib.sha256(data[:-32]).digest() != data[-32:]:
        raise ValueError(f"{path} is damaged")


@contextmanager
def compilations() -> Iterator[list[Any]]:
    """Collect the events of the compilation of kernels within the context.

    A kernel that is loaded from the cache has none.
    """
    with event.install_recorder("numba:compile") as recorder:
        yield recorder.buffer


def compiler(sources: Iterable[Path], **options: Any) -> tuple[Callable, Callable]:
    """Return two decorators (jit, inlined) for the kernels of these source files.

    options: those of numba.

    jit compiles on first call, and writes the result to the cache, if there is one; inlined makes a
    function part of the kernels that call it.
    """
    folder = None if config.DISABLE_JIT else private_folder(sorted(sources), numba.__version__, llvmlite.__version__)

    def jit(function: Callable) -> Any:
        if folder is None:
            return njit(**options)(function)
        before, config.CACHE_DIR = config.CACHE_DIR, str(folder)  # for this function, not for the user's own
        try:
            compiled = njit(**options, cache=True)(function)
        except RuntimeError:  # the disk has just become full, say
            return njit(**options)(function)
        finally:
            config.CACHE_DIR = before
        if folder not in Path(compiled._cache.cache_path).parents:  # the same: numba has chosen another folder
            return njit(**options)(function)
        compiled._cache = CheckedCache(compiled._cache)
        return compiled

    return jit, njit(**options, forceinline=True)


# _nrt=False: the kernels of the engine allocate nothing, and references to arrays are not counted.
# Counting them, atomically, in every inlined function took up to half of the time.
jit, inlined = compiler(Path(__file__).parent.glob("*.py"), nogil=True, error_model="numpy", _nrt=False)
