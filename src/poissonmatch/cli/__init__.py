"""The command line: words and paths in, one clear message and an exit code out."""

import os  # what Python has imported before it comes here, and nothing else yet
import sys

# Nothing is imported from the current folder, which `python -m` and an empty entry of PYTHONPATH put before the libraries.
_named = [entry for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if os.path.isabs(entry)]
try:
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != os.getcwd() or entry in _named]
except OSError:  # the folder has been removed: nothing is in it
    pass

from . import settings  # noqa: E402, F401
