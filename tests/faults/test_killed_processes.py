"""Processes and disks die, and caches are damaged: the same command goes on (make test-faults)."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from helpers.faulty import Faulty, check_batches, finished, work
from helpers.processes import poissonmatch, python
from helpers.runs import batch_bytes
from poissonmatch.cli import main as cli
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.results import integrity
from poissonmatch.studies.run import runs
from poissonmatch.utils import atomic_writer
from poissonmatch.utils.errors import IntegrityError

pytestmark = pytest.mark.faults
ROOT = Path(__file__).parents[2]


def snakemake(study: Path, results: Path, **options) -> subprocess.Popen:
    words = [sys.executable, "-m", "snakemake", "--cores", "2", "--config", f"study={study}", f"results={results}"]
    return subprocess.Popen(
        words, cwd=ROOT, start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options
    )


def rerun(study: Path, results: Path) -> dict[str, bytes]:
    process = snakemake(study, results)
    said = process.communicate(timeout=900)[0]
    assert process.returncode == 0, said
    return finished(results / study.stem)


def wait_for(results: Path, number: int, process: subprocess.Popen) -> None:
    """Wait until this number of batches is finished, or the process has ended."""
    for _ in range(3000):
        if len(list(results.glob("*/blocks/*.json"))) >= number or process.poll() is not None:
            return
        time.sleep(0.1)


def test_kill_of_the_whole_group(study, undisturbed, tmp_path):
    """kill -9 of Snakemake with all its jobs, while it works: the same command takes it up, no flag, no unlocking."""
    for number in (0, 1):
        process = snakemake(study, tmp_path / "r")
        wait_for(tmp_path / "r", number, process)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        check_batches(tmp_path / "r" / "s")
    assert rerun(study, tmp_path / "r") == undisturbed
    print("\nPASS kill -9 of the whole group, twice")


def test_kill_of_a_worker(study, undisturbed, tmp_path):
    process = snakemake(study, tmp_path / "r")
    workers: list[int] = []
    while not workers and process.poll() is None:
        time.sleep(0.1)
        words = ["pgrep", "-g", str(process.pid), "-f", "poissonmatch batch"]
        workers = [int(pid) for pid in subprocess.run(words, capture_output=True, text=True).stdout.split()]
    os.kill(workers[-1], signal.SIGKILL)
    process.communicate(timeout=900)
    assert process.returncode != 0
    assert rerun(study, tmp_path / "r") == undisturbed
    print("\nPASS kill -9 of a worker")


def test_two_runs_at_once(study, tmp_path):
    """The second is refused, with plain Snakemake and with `run`, and has written nothing."""
    lock = runs.lock(tmp_path / "r" / "s")
    process = snakemake(study, tmp_path / "r")
    said = process.communicate(timeout=900)[0]
    assert process.returncode != 0 and "another run is at work" in said, said
    done = poissonmatch("run", study, "--results", tmp_path / "r")
    assert done.returncode == cli.ENVIRONMENT and "another run is at work" in done.stderr
    assert os.listdir(tmp_path / "r" / "s") == [".lock"]
    lock.release()
    print("\nPASS two runs at once: the second is refused")


def test_a_full_disk(study, file, undisturbed, disk):
    folder = disk / "s"
    ballast = disk / "ballast"
    ballast.write_bytes(bytes(245_000))
    with pytest.raises(OSError):
        work(file, folder)
    done = poissonmatch("simulate", study, "--results", disk)
    assert done.returncode in (0, cli.ENVIRONMENT) and "Traceback" not in done.stderr
    check_batches(folder)
    ballast.unlink()
    subprocess.run(["mount", "-o", "remount,size=8m", disk], check=True)
    work(file, folder)
    assert finished(folder) == undisturbed
    print("\nPASS full disk")


MANY = """
studies:
  one: {dims: 2, sizes: 12000, replicates: 8, block: 1, observables: [realization]}
  two: {dims: 1, sizes: 9, replicates: 400, block: 1, observables: [unmatched]}
"""


def test_a_disk_that_is_full_in_the_middle_of_a_batch(tmp_path, disk):
    """One line, exit 3, no batch that is not whole; with more space the same command goes on."""
    study = tmp_path / "many.yaml"
    study.write_text(MANY)
    done = poissonmatch("simulate", study, "--results", disk)
    assert done.returncode == cli.ENVIRONMENT and "No space left on device" in done.stderr, done.stderr
    # On a slow machine there are lines about kernels and progress as well.
    lines = [line for line in done.stderr.splitlines() if "replicates done" not in line and "compiling" not in line]
    assert len(lines) == 1 and "are free" in lines[0], done.stderr
    check_batches(disk / "many")
    subprocess.run(["mount", "-o", "remount,size=16m", disk], check=True)
    assert poissonmatch("simulate", study, "--results", disk).returncode == 0
    report = integrity.verify(disk / "many", studies.load(study))
    assert [problem.path.name for problem in report.problems] == ["manifest.json"] and report.unfinished == []
    print("\nPASS full disk in the middle of a batch")


def test_a_disk_that_cannot_be_written(study, file, disk):
    subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
    for words in (("simulate", study, "--results", disk), ("run", study, "--results", disk)):
        done = poissonmatch(*words)
        assert done.returncode == cli.ENVIRONMENT and "Read-only" in done.stderr, done
        assert "Traceback" not in done.stderr
    print("\nPASS read-only results folder")


def test_a_results_folder_that_vanishes(file, undisturbed, speedy, tmp_path, monkeypatch):
    """Gone in the middle of a write: an error, and the next run begins again."""
    folder, real, calls = tmp_path / "r", os.fsync, []

    def fsync(handle):
        calls.append(handle)
        if len(calls) == 5:
            shutil.rmtree(folder)
        real(handle)

    monkeypatch.setattr(atomic_writer, "os", type("os", (Faulty,), {"fsync": staticmethod(fsync)})(0, "EIO"))
    with pytest.raises((OSError, IntegrityError)):
        work(file, folder)
    monkeypatch.setattr(atomic_writer, "os", os)
    work(file, folder)
    assert finished(folder) == undisturbed
    print("\nPASS vanished results folder")


def test_a_truncated_numba_cache(study, tmp_path):
    """A cache of compiled code that is cut short means compiling again, not a crash and not another result."""
    cache = tmp_path / "cache"
    code = (
        "import sys; from pathlib import Path\n"
        "from poissonmatch.studies import study_files as studies\nfrom poissonmatch.studies.run import batches\n"
        "block = next(studies.cells(studies.load(sys.argv[1]))[0].blocks())\n"
        "print(batches.make([block], Path(sys.argv[2])))"
    )
    bytes_of = []
    for cut in (None, 0, 100):
        found = [p for p in cache.rglob("*.nbc")]
        assert found or cut is None
        for path in found:
            path.write_bytes(path.read_bytes()[:cut])
        done = python("-c", code, study, tmp_path / f"r{cut}", variables={"NUMBA_CACHE_DIR": str(cache)})
        assert done.returncode == 0, done.stderr
        bytes_of.append([p.read_bytes() for p in sorted((tmp_path / f"r{cut}").rglob("*.parquet"))])
    assert bytes_of[0] == bytes_of[1] == bytes_of[2]
    print("\nPASS truncated numba cache")


def test_a_foreign_owned_cache_folder(study, tmp_path):
    """Compiled code is a pickle: from a folder of somebody else's it is neither loaded nor written there; the result is the same."""
    if os.geteuid():
        pytest.skip("needs root to make a folder of another user's")
    cache = tmp_path / "cache"
    made = []
    for owner in (0, 65534):
        results = tmp_path / str(owner)
        (cache / "poissonmatch").mkdir(parents=True, exist_ok=True, mode=0o700)
        for path in (*cache.rglob("*"), cache):
            os.chown(path, owner, owner)
        before = {path: path.read_bytes() for path in cache.rglob("*") if path.is_file()}
        variables = {"NUMBA_CACHE_DIR": str(cache)}
        done = poissonmatch("simulate", study, "--results", results, variables=variables)
        assert done.returncode == 0, done.stderr
        if owner:
            assert f"belongs to user {owner}" in done.stderr
            assert before == {path: path.read_bytes() for path in cache.rglob("*") if path.is_file()}
        made.append([*batch_bytes(results).values()])
    assert len(before) > 1 and made[0] == made[1]
    print("\nPASS foreign-owned cache folder: refused")
