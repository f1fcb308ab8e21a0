"""Fault injection: the write path fails at its n-th call, for every n until it passes; processes and disks die (make test-faults).

After each fault the results folder holds complete, verified batches only, and a rerun gives the bytes of an undisturbed run.
"""

import os
import shutil
import signal
from functools import partial
from pathlib import Path

import pytest

import poissonmatch as pm
from helpers.faulty import FAULTS, Faulty, check_batches, failed, finished, killed, work
from helpers.runs import batch_bytes, blocks_in, manifests
from poissonmatch.studies.results import integrity
from poissonmatch.studies.results.batch_files import read_manifest
from poissonmatch.studies.results.results import Results
from poissonmatch.studies.run import batches, stages
from poissonmatch.studies.tables.estimate_tables import TABLES
from poissonmatch.utils import atomic_writer
from poissonmatch.utils.errors import IntegrityError

pytestmark = pytest.mark.faults


def check(file, folder: Path, undisturbed: dict[str, bytes]) -> None:
    """Only complete, verified batches; then a rerun ends with the right bytes."""
    check_batches(folder)
    for name in TABLES:  # a table is right, or refused, never quietly wrong
        path = folder / f"{name}.parquet"
        if path.exists():
            try:
                pm.load(path, listed=True)
                assert path.read_bytes() == undisturbed[path.name]
            except IntegrityError:
                pass
    work(file, folder)
    assert finished(folder) == undisturbed
    assert integrity.verify(folder, file).problems == []


@pytest.mark.parametrize("fault", FAULTS)
def test_every_call_of_the_write_path_fails_once(file, undisturbed, speedy, tmp_path, fault):
    injected = survived = 0
    for n in range(1, 10_000):
        folder = tmp_path / str(n)
        work_there = partial(work, file, folder)
        if not (killed(work_there, n) if fault == "kill -9" else failed(work_there, n, fault)):
            break
        injected += 1
        check(file, folder, undisturbed)
        survived += 1
        shutil.rmtree(folder)
    print(f"\nPASS {fault}: {injected} faults injected, {survived} survived, 0 results lost")
    assert injected == survived > 70


def test_rewriting_a_batch_that_is_there(file, undisturbed, speedy, tmp_path):
    """A fault while a finished batch is written anew never leaves old and new together."""
    folder = tmp_path / "r"
    work(file, folder)
    blocks = blocks_in(manifests(folder)[0])
    injected = 0
    for n in range(1, 1000):
        atomic_writer.os = faulty = Faulty(n, "EIO")
        try:
            batches.make(blocks, folder)
        except OSError:
            injected += 1
        finally:
            atomic_writer.os = os
        if faulty.calls < n:
            break
        check(file, folder, undisturbed)
    print(f"\nPASS rewriting: {injected} faults injected, {injected} survived, 0 results lost")


def test_a_job_killed_in_the_middle_of_a_batch(file, undisturbed, speedy, tmp_path):
    """It leaves temporary files only, and the blocks of other batches are kept."""
    folder = tmp_path / "r"
    blocks = [block for _, block in batches.missing(file, Results(folder))]
    batches.make(blocks[:1], folder)
    before = batch_bytes(folder)

    def kill(block, replicate):
        if block == blocks[2]:
            os.kill(os.getpid(), signal.SIGKILL)

    child = os.fork()
    if child == 0:
        batches.make(blocks[1:], folder, progress=kill)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
    left = batch_bytes(folder).keys() - before.keys()
    assert left and all(path.suffix == ".tmp" for path in left)
    assert {path: data for path, data in batch_bytes(folder).items() if path in before} == before
    check(file, folder, undisturbed)
    assert not [*folder.rglob("*.tmp")]
    print("\nPASS kill -9 in the middle of a batch")


def test_one_byte_flipped_in_each_part_of_a_batch_file(file, undisturbed, speedy, tmp_path):
    """In the first and last bytes, the footer and its length, and the pages: no table is made from it."""
    folder = tmp_path / "r"
    work(file, folder)
    batch = read_manifest(manifests(folder)[0])
    flipped = 0
    for path in (batch.manifest, *batch.files):
        data = path.read_bytes()
        for at in sorted({0, 3, 4, len(data) - 9, len(data) - 8, len(data) - 1, *range(5, len(data), len(data) // 20)}):
            path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
            with pytest.raises(IntegrityError):
                stages.aggregate(file, folder)
            flipped += 1
        path.write_bytes(data)
    assert finished(folder) == undisturbed
    work(file, folder)
    assert finished(folder) == undisturbed
    print(f"\nPASS {flipped} bytes flipped in the files of a batch, each was noticed")
