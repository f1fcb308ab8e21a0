"""The command line, with the exit codes and the protection against modules of the current folder."""

import gc  # only modules that Python has imported already
import os
import sys

BUG, BAD_INPUT, ENVIRONMENT, INTEGRITY, INTERRUPTED = 1, 2, 3, 4, 130  # exit codes

# Modules, syntax trees and figures stay alive: searching them for garbage took a fifth of a job.
gc.set_threshold(200_000, 100, 100)

os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")  # it would read the metadata of all libraries
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


def not_loaded(error: Exception) -> str:
    """Return a message about a library that cannot be imported; "" for a module of this package."""
    if str(getattr(error, "name", None)).startswith("poissonmatch"):
        return ""
    why = str(error).strip().splitlines() or [type(error).__name__]
    hint = "make install installs all libraries; ulimit -v shows the memory limit"
    return f"a library cannot be loaded: {why[-1]} ({hint})"


try:
    from . import main as main
except KeyboardInterrupt:
    sys.exit(INTERRUPTED)
except (ImportError, MemoryError) as _error:
    if not (_line := not_loaded(_error)):
        raise
    print(_line, file=sys.stderr)
    sys.exit(ENVIRONMENT)
