"""The module os, of which one call fails."""

import errno
import io
import os
import signal
from collections.abc import Callable
from pathlib import Path

from helpers.runs import manifests, planned
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.results.batch_files import read_manifest
from poissonmatch.studies.results.results import Results
from poissonmatch.studies.run import batches, stages
from poissonmatch.utils import atomic_writer

WATCHED = ("open", "fsync", "close", "replace")  # the calls of atomic_writer; `write` is that of its files
FAULTS = {
    "ENOSPC": errno.ENOSPC,
    "EIO": errno.EIO,
    "EINTR": errno.EINTR,
    "half a write, then ENOSPC": errno.ENOSPC,
    "kill -9": None,
}


class Faulty:
    """The module os, of which the n-th watched call fails, writes to its files included."""

    def __init__(self, at: int, fault: str) -> None:
        self.at, self.fault, self.calls = at, fault, 0

    def __getattr__(self, name: str):
        real = getattr(os, name)
        if name not in WATCHED:
            return real

        def call(*args, **keywords):
            self.count(str(args[0]))
            return real(*args, **keywords)

        return call

    def fdopen(self, handle: int, mode: str) -> "FaultyFile":
        return FaultyFile(handle, self)

    def count(self, name: str, before: Callable[[], object] = lambda: None) -> None:
        """Count a call, and fail if it is the n-th. before: done first if half of it is to be done."""
        self.calls += 1
        if self.calls != self.at:
            return
        if self.fault == "kill -9":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.fault.startswith("half"):
            before()
        raise OSError(FAULTS[self.fault], os.strerror(FAULTS[self.fault]), name)


class FaultyFile(io.BufferedRandom):
    """A file whose writes are counted by a Faulty."""

    def __init__(self, handle: int, faulty: Faulty) -> None:
        super().__init__(io.FileIO(handle, "r+"))
        self.faulty = faulty

    def write(self, data) -> int:
        write = super().write
        self.faulty.count("a file", lambda: write(bytes(data)[: len(data) // 2]))
        return write(data)


def killed(work: Callable[[], object], n: int) -> bool:
    """Whether a process that works, and is killed at its n-th call, has as many calls."""
    child = os.fork()
    if child == 0:
        atomic_writer.os = Faulty(n, "kill -9")
        try:
            work()
        finally:
            os._exit(0)
    return os.waitpid(child, 0)[1] != 0


def failed(work: Callable[[], object], n: int, fault: str) -> bool:
    """Whether work whose n-th call fails has as many calls."""
    faulty = Faulty(n, fault)
    atomic_writer.os = faulty
    try:
        work()
    except OSError:
        return True
    finally:
        atomic_writer.os = os
    assert faulty.calls < n, "a fault that nobody noticed"
    return False


TEXT = """
studies:
  red: {process: two_color, rule: fussy, dims: 2, sizes: 60, replicates: 6, block: 2, observables: [unmatched, realization]}
figures:
  fussy: {kind: fussy, studies: red}
"""


def work(file: studies.StudyFile, folder: Path) -> None:
    """What Snakemake's jobs do: a plan, its batches of two blocks and of one, then the tables."""
    planned(file, folder)
    missing = [block for _, block in batches.missing(file, Results(folder))]
    for batch in (missing[:2], missing[2:]):
        if batch:
            batches.make(batch, folder)
    stages.aggregate(file, folder)


def finished(folder: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in [*folder.glob("*.parquet"), folder / "manifest.json"]}


def check_batches(folder: Path) -> None:
    """Every batch is whole."""
    for manifest in manifests(folder):
        batch = read_manifest(manifest)
        for number in range(len(batch.keys)):
            batch.read(number)
