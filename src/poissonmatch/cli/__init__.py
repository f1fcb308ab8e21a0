"""The command line: words and paths in, one clear message and an exit code out."""

import gc  # what Python has imported before it comes here, and nothing else yet
import os
import sys

BUG, BAD_INPUT, ENVIRONMENT, INTEGRITY, INTERRUPTED = 1, 2, 3, 4, 130  # exit codes

# Modules, syntax trees and figures stay: to look for garbage in them took a fifth of a job.
gc.set_threshold(200_000, 100, 100)

# Nothing is imported from the current folder, which `python -m` and an empty entry of PYTHONPATH put before the libraries.
_named = [
    os.path.normpath(entry) for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if os.path.isabs(entry)
]
try:
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != os.getcwd() or entry in _named]
except OSError:  # the folder has been removed: nothing is in it
    pass


def not_loaded(error: Exception) -> str:
    """A line about a library that cannot be imported; none if it is a module of ours."""
    if str(getattr(error, "name", None)).startswith("poissonmatch"):
        return ""
    why = str(error).strip().splitlines() or [type(error).__name__]
    return f"a library cannot be loaded: {why[-1]} (make install installs them all; ulimit -v says what memory there is for them)"


try:
    from . import libraries as libraries  # first: it says how some others are imported
    from . import main as main
except KeyboardInterrupt:
    sys.exit(INTERRUPTED)
except (ImportError, MemoryError) as _error:
    if not (_line := not_loaded(_error)):
        raise
    print(_line, file=sys.stderr)
    sys.exit(ENVIRONMENT)
