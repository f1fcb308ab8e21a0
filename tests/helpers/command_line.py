"""The command line in this process, as main() runs it."""

import io
import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import NamedTuple
from unittest import mock

from poissonmatch.cli import main as cli


class Done(NamedTuple):
    """How a command ended: the exit code and both streams."""

    returncode: int
    stdout: str
    stderr: str


def run(*words: object, together: bool = False) -> Done:
    """Run a command; `together` writes both streams into the first."""
    out, mask, code = io.StringIO(), os.umask(0o022), 0
    err = out if together else io.StringIO()
    try:
        with (
            mock.patch.object(sys, "argv", ["poissonmatch", *map(str, words)]),
            redirect_stdout(out),
            redirect_stderr(err),
        ):
            cli.main()
    except SystemExit as stop:
        code = int(stop.code or 0)
    finally:
        os.umask(mask)
    return Done(code, out.getvalue(), "" if together else err.getvalue())


def call(*words: object) -> tuple[int, str]:
    """Return the exit code and all output of a command."""
    return run(*words, together=True)[:2]
