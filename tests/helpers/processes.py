"""Python and the command line in processes of their own."""

import os
import subprocess
import sys
from typing import Any


def python(*words: object, variables: dict[str, str] | None = None, **options: Any) -> subprocess.CompletedProcess:
    """Run Python and return how it ended, with its output as text. variables: of the environment, beside those of this process."""
    options = {"capture_output": True, "text": True, "env": os.environ | (variables or {}), **options}
    return subprocess.run([sys.executable, *map(str, words)], **options)


def poissonmatch(*words: object, **options: Any) -> subprocess.CompletedProcess:
    """Run a command as `python` runs it."""
    return python("-m", "poissonmatch", *words, **options)
