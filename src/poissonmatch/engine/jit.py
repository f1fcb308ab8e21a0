"""Compilation of kernels, and a cache of compiled kernels that only the user can write.

Kernels of one file are inlined into those of another, but numba checks the time stamp of the
kernel's own file only. So the cache is a folder named by a digest of all source files of the
subpackage, of the compiler with its options, and of the processor: an edit of any source file
compiles all of them again. A cache entry is a pickle, which can run any code when it is loaded: the
folder must be private, or there is no cache.

numba keeps an index of the signatures of a function, which processes read and write without a lock:
two that start together can leave an index that leads from one signature to the code of another. So
there is no index here. Each signature has a file, whose name and checksum depend on all that
determines the code.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol, TypeVar

import llvmlite
import numba
from llvmlite import binding
from numba import njit
from numba.core import event

from ..utils import permissions
from ..utils.atomic_writer import write_atomically
from ..utils.files import read_regular

# Variables of the jobs of Slurm, LSF, PBS, Grid Engine and Kubernetes.
BATCH_JOB = ("SLURM_JOB_ID", "LSB_JOBID", "PBS_JOBID", "SGE_O_WORKDIR", "KUBERNETES_SERVICE_HOST")
SETTINGS = (
    *("OPT", "BOUNDSCHECK", "DEBUGINFO_DEFAULT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DISABLE_INTEL_SVML"),
    *("CPU_NAME", "CPU_FEATURES", "ENABLE_AVX"),
)
ANNOUNCED = 2.0  # seconds from which a compilation is announced
Kernel = TypeVar("Kernel", bound=Callable[..., Any])
config: Any = numba.config  # its settings are known at run time only
Int = Any  # an int or a NumPy integer: for numba they are the same, for type checkers not

# ---- private interfaces, tested with numba 0.60, 0.62 and 0.68 ----

try:
    from numba.core.compiler import CompileResult
    from numba.core.serialize import dumps

    _can_keep = hasattr(CompileResult, "_reduce") and hasattr(CompileResult, "_rebuild")
except ImportError:
    _can_keep = False  # without them, or if the attribute `_cache` is not used, kernels are compiled in each process
LOCKS: list[Any] = []  # without them a process that is forked while another thread compiles may hang
with suppress(ImportError):
    from numba.core.compiler_lock import global_compiler_lock

    LOCKS.append(global_compiler_lock)
if (llvm_lock := getattr(binding.ffi.lib, "_lock", None)) is not None:
    LOCKS.append(llvm_lock)
# The kernels of the engine allocate nothing, and references to arrays are not counted. Counting them,
# atomically, in every inlined function takes up to half of the time: so it is without this option.
UNCOUNTED = {"_nrt": False} if hasattr(getattr(numba.core.options, "DefaultOptions", None), "_nrt") else {}

# ---- the cache ----


def cache_folders() -> Iterator[Path]:
    """Yield folders for the cache, best first: in NUMBA_CACHE_DIR, the user's cache folder, and on the local disk.

    In a batch job the local disk comes before the user's folder: there the first job compiles for
    all on its node.
    """
    disk = Path(tempfile.gettempdir()) / f"poissonmatch-{os.getuid()}"
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(chosen) / "poissonmatch"
    if any(name in os.environ for name in BATCH_JOB):
        yield disk
    with suppress(RuntimeError):  # no home folder
        yield permissions.cache_home() / "poissonmatch"
    yield disk


def private_folder(sources: Sequence[Path], *compiler: str) -> Path | None:
    """Return the cache folder for these files and compiler, in the first usable one of cache_folders; None without one.

    One is skipped, with a warning, if the folder cannot be created or written, belongs to
    another user, or can be written by others.
    """
    texts = [*(word.encode() for word in compiler), *(source.read_bytes() for source in sources)]
    digest = hashlib.sha256(b"\0".join(texts)).hexdigest()[:16]
    folder, refused = None, []
    for parent in cache_folders():
        try:
            folder = permissions.private_folder(parent / f"kernels-{digest}")
            break
        except OSError as error:
            refused.append(str(error))
    if refused:
        where = f"kept in {folder.parent}" if folder else "not kept"
        warnings.warn(f"compiled kernels are {where}: {'; '.join(refused)}", RuntimeWarning, stacklevel=2)
    return folder


class Announcement:
    """A line on standard error, once a process, about a compilation that takes long.

    rule: name of the rule for which the kernels of the engine are compiled.
    """

    def __init__(self) -> None:
        self.rule, self._printed = "the engine", False

    def timer(self, module: str) -> threading.Timer:
        """Return a timer, started, that prints the line unless it is canceled in time."""
        timer = threading.Timer(ANNOUNCED, self._print, [module])
        timer.daemon = True
        timer.start()
        return timer

    def _print(self, module: str) -> None:
        subject = self.rule if module.startswith("poissonmatch.") else module.partition(".")[0]
        if not self._printed:
            print(f"compiling the kernels of {subject}, once", file=sys.stderr, flush=True)
        self._printed = True


announcement = Announcement()


class KernelCache:
    """Cache of one function: a file for each signature, read only if its checksum is right.

    The checksum covers the key as well, so a file that was written for another key counts as
    missing, as a damaged one does. In a key, a signature is represented by its text, which
    determines it: the arguments of kernels are numbers, arrays and tuples of them. Its methods are
    those that numba calls.
    """

    def __init__(self, folder: Path, function: Callable) -> None:
        self._timer: threading.Timer | None = None
        source = Path(function.__code__.co_filename)
        self._folder, self._name, self._module = folder, function.__qualname__, function.__module__
        digest = hashlib.sha256(source.read_bytes()).hexdigest()
        self._function = (folder.name, str(source), digest, function.__qualname__, function.__code__.co_firstlineno)

    @property
    def cache_path(self) -> str:
        """Return the folder, for numba's statistics."""
        return str(self._folder)

    def load_overload(self, signature: Any, context: Any) -> Any:
        """Return a compiled function, or None if there is no right file; then it is compiled and saved."""
        context.refresh()
        path, key = self._file(signature)
        try:
            data = read_regular(path)
            if hashlib.sha256(key + data[32:]).digest() == data[:32]:
                return CompileResult._rebuild(context, *pickle.loads(data[32:]))
        except Exception:  # no file; or one of a module that has been moved, say
            pass
        self._timer = announcement.timer(self._module)
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Save a compiled function, if possible."""
        if self._timer is not None:
            self._timer.cancel()
        if result.library.has_dynamic_globals:  # addresses, which are of this process only
            return
        path, key = self._file(signature)
        data = dumps(result._reduce())
        with suppress(OSError):  # a full or vanished disk: go on without cache
            write_atomically(path, hashlib.sha256(key + data).digest() + data)

    def enable(self) -> None:
        """Do nothing."""

    disable = flush = enable

    def _file(self, signature: Any) -> tuple[Path, bytes]:
        key = repr((*self._function, signature)).encode()
        return self._folder / f"{self._name}-{hashlib.sha256(key).hexdigest()[:16]}.nbc", key


@contextmanager
def compilations() -> Iterator[list[Any]]:
    """Collect the events of the compilation of kernels within the context.

    A kernel that is loaded from the cache has none.
    """
    with event.install_recorder("numba:compile") as recorder:
        yield recorder.buffer


def _acquire() -> None:
    for lock in LOCKS:
        lock.__enter__()


def _release() -> None:
    for lock in reversed(LOCKS):
        lock.__exit__(None, None, None)


# `os.fork` waits for the compilations of other threads: in a child process their locks would never be released.
os.register_at_fork(before=_acquire, after_in_parent=_release, after_in_child=_release)


class Decorator(Protocol):
    """A decorator that keeps the type of a function."""

    def __call__(self, function: Kernel, /) -> Kernel:
        """Return the compiled function."""


def compiler(sources: Iterable[Path], **options: Any) -> tuple[Decorator, Decorator]:
    """Return two decorators (jit, inlined) for the kernels of these source files.

    options: those of numba.

    jit compiles on first call, and writes the result to the cache, if there is one; inlined makes a
    function part of the kernels that call it.
    """
    folder = None
    if not config.DISABLE_JIT and not _can_keep:
        text = f"compiled kernels are not kept: they cannot be saved by numba {numba.__version__}"
        warnings.warn(text, RuntimeWarning, stacklevel=2)
    elif not config.DISABLE_JIT:
        features = binding.get_host_cpu_features().flatten()
        processor = binding.get_process_triple(), binding.get_host_cpu_name(), features
        settings = [getattr(config, name, None) for name in SETTINGS]
        versions = numba.__version__, llvmlite.__version__, sys.implementation.cache_tag
        folder = private_folder(sorted(sources), *versions, repr((processor, settings, options)))

    def jit(function: Kernel) -> Kernel:
        compiled = njit(**options)(function)
        if folder is not None:
            compiled._cache = KernelCache(folder, function)
        return compiled

    return jit, njit(**options, forceinline=True)


jit, inlined = compiler(Path(__file__).parent.glob("*.py"), nogil=True, error_model="numpy", **UNCOUNTED)
