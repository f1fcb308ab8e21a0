"""The command line, with the exit codes and the protection against modules of the current folder."""

import gc  # only modules that Python has imported already
import os
import sys

BUG, BAD_INPUT, ENVIRONMENT, INTEGRITY, INTERRUPTED = 1, 2, 3, 4, 130  # exit codes

# Modules, syntax trees and figures stay alive: searching them for garbage took a fifth of a job.
gc.set_threshold(200_000, 100, 100)

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # it takes 40 MB for each; nothing here uses several
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")  # it would read the metadata of all libraries
os.environ.pop("SOURCE_DATE_EPOCH", None)  # matplotlib reads it as a number; figures have no date
os.environ["MPLBACKEND"] = "agg"  # figures are drawn into files; the user's choice may need a display, or be none

# No module of the current folder is imported, which `python -m` and an empty entry of PYTHONPATH
# put before the libraries.
_named = [
    os.path.normpath(entry) for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if os.path.isabs(entry)
]
try:
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != os.getcwd() or entry in _named]
except OSError:  # the folder has been removed
    pass

import resource  # noqa: E402 (only now, as they are files)
import signal  # noqa: E402
import threading  # noqa: E402


def not_loaded(error: Exception) -> str:
    """Return a message about a library that cannot be imported; "" for a module of this package."""
    if str(getattr(error, "name", None)).startswith("poissonmatch"):
        return ""
    why = str(error).strip().splitlines() or [type(error).__name__]
    hint = "make install installs all libraries; ulimit -v shows the memory limit"
    return f"a library cannot be loaded: {why[-1]} ({hint})"


# With less, libraries hang while they are imported, and the compiler of the kernels ends the process.
NEEDED = 1_500_000_000  # bytes
_limit = resource.getrlimit(resource.RLIMIT_AS)[0]  # -1: none
SHORT_OF_MEMORY = 0 <= _limit < 2 * NEEDED
if 0 <= _limit < NEEDED:
    print(f"out of memory: ulimit -v allows {_limit // 10**6} MB; {NEEDED // 10**6} MB are needed", file=sys.stderr)
    sys.exit(ENVIRONMENT)


def _interrupted(number: int, frame: object) -> None:
    """End without a traceback of imports."""
    os.write(2, b"interrupted\n")
    os._exit(INTERRUPTED)


_before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
for _number, _handler in _before.items() if threading.current_thread() is threading.main_thread() else ():
    if _handler in (signal.SIG_DFL, signal.default_int_handler):
        signal.signal(_number, _interrupted)
try:
    from . import main as main
except (ImportError, MemoryError) as _error:
    if not (_line := not_loaded(_error)):
        raise
    print(_line, file=sys.stderr)
    sys.exit(ENVIRONMENT)
finally:
    _ends_here = () if sys.argv[1:2] == ["run"] else _before.items()  # run imports until Snakemake starts
    for _number, _handler in _ends_here:
        if signal.getsignal(_number) is _interrupted:
            signal.signal(_number, _handler)
