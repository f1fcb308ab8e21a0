"""Runs of a study with Snakemake: one at a time in a results folder, taken up again after any crash."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from .. import trust
from ..errors import BadInput, Busy
from ..studies.yamlfile import is_word
from . import checkout

LOCK = ".lock"
_held: list[FileLock] = []  # for the life of the process


def lock(folder: str | Path) -> FileLock:
    """Take the lock of a results folder until the process ends, however it ends. Raises Busy if another process has it."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    held = FileLock(folder / LOCK, mode=0o644)
    try:
        held.acquire(timeout=0)
    except Timeout:
        raise Busy(f"{folder}: another run is at work there; wait until it ends, or stop it first") from None
    _held.append(held)
    return held


@contextmanager
def locked(folder: str | Path) -> Iterator[None]:
    """lock, for a while."""
    held = lock(folder)
    try:
        yield
    finally:
        held.release()


STEPS = re.compile(r"(\d+) of (\d+) steps \(\d+(?:\.\d+)?%\) done")


def snakemake(study_file: Path, results: Path, options: list[str], *, large: bool) -> int:
    """Call Snakemake for a study file, showing what it says and when it may end; its exit code.

    Plain `snakemake --config study=...` does the same work. Raises BadInput for a path that Snakemake, which reads these
    values as YAML, would take for another.
    """
    for path in (str(study_file), str(results)):
        if not is_word(path):
            raise BadInput(f"{path!r}: Snakemake would read this name as a number or as YAML; choose another")
    checkout.check(Path())
    command = trust.python("-m", "snakemake", "--profile", "none", *options)
    command += ["--config", f"study={study_file}", f"results={results}"]
    if large:
        command.append("allow_large=true")
    start = time.monotonic()
    environment = checkout.environment(Path())
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, errors="replace", env=environment) as process:
        assert process.stderr is not None
        try:
            for text in process.stderr:
                sys.stderr.write(with_eta(text, time.monotonic() - start))
                sys.stderr.flush()
        except KeyboardInterrupt:  # Snakemake has it as well: let it end its jobs
            process.wait()
            raise
    return process.returncode


def with_eta(text: str, elapsed: float) -> str:
    """A line of Snakemake; one that counts the steps also says how long the rest will take, if it goes on like this."""
    found = STEPS.search(text)
    if not found:
        return text
    done, total = int(found[1]), int(found[2])
    left = elapsed * (total - done) / max(1, done)
    return f"{done} of {total} jobs done after {duration(elapsed)}, about {duration(left)} left\n"


def duration(seconds: float) -> str:
    """A time for people: 45 s, 12 min, 3.2 h."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
