"""How kernels are compiled, where they are kept between processes, and what to do when that place is not to be trusted.

Kernels of one file are inlined into those of another, so all of a wing are kept in a folder that is named by all of its
files: an edit of any compiles them all anew.
A cache entry is a pickle: whoever can write one can run code here. And numba looks at the time stamp of the kernel's
own file only. Hence a private folder named by a digest of the sources and of the compiler; no such folder, no cache.
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

from ..utils import permissions

config: Any = numba.config  # which has its settings at run time only


def places() -> Iterator[Path]:
    """Where kernels may be kept, best first: where NUMBA_CACHE_DIR says, the user's folder for caches, the machine's own disk.

    In a Slurm job that disk comes before the user's folder: there the first job compiles for all on its node.
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
    """The cache folder for these source files and compiler, made if need be, in the first of places() where one can be; else None.

    A place is passed over, with a warning, where it cannot be made or written, belongs to somebody else, or others may write to it.
    """
    texts = [*(word.encode() for word in compiler), *(source.read_bytes() for source in sources)]
    digest = hashlib.sha256(b"\0".join(texts)).hexdigest()[:16]
    folder, refused = None, []
    for place in places():
        try:
            folder = _made(place / f"kernels-{digest}")
            break
        except OSError as error:
            refused.append(str(error))
    if refused:
        where = f"kept in {folder.parent}" if folder else "not kept"
        warnings.warn(f"compiled kernels are {where}: {'; '.join(refused)}", RuntimeWarning, stacklevel=2)
    return folder


def _made(folder: Path) -> Path:
    """The folder, without links in its path, made if need be. Raises OSError if it is not private or cannot be written."""
    permissions.check_writable(folder)
    folder = folder.resolve(strict=True)
    permissions.check_private(folder)
    return folder


class CheckedCache:
    """numba's cache of one function, for which a broken file is a file that is not there.

    What it writes ends in a checksum, and a file without the right one is not loaded: broken machine code would not raise.
    """

    def __init__(self, cache: Any) -> None:
        self._cache, self._file = cache, cache._cache_file
        load_index, load_data, open_for_write = (
            self._file._load_index,
            self._file._load_data,
            self._file._open_for_write,
        )

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


def _check(path: str) -> None:
    data = Path(path).read_bytes()
    if hashlib.sha256(data[:-32]).digest() != data[-32:]:
        raise ValueError(f"{path} is damaged")


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
        except RuntimeError:  # the disk has just become full, say
            return njit(**options)(function)
        finally:
            config.CACHE_DIR = before
        if folder not in Path(compiled._cache.cache_path).parents:  # the same: numba has found itself another place
            return njit(**options)(function)
        compiled._cache = CheckedCache(compiled._cache)
        return compiled

    return jit, njit(**options, forceinline=True)


# _nrt=False: the kernels of the engine allocate nothing, and references to arrays are not counted. Counting them,
# atomically, in every function that is inlined took up to half of the time.
jit, inlined = compiler(Path(__file__).parent.glob("*.py"), nogil=True, error_model="numpy", _nrt=False)
