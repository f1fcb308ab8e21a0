"""Fault injection: the write path fails at its n-th call, for every n until it passes; processes and disks die (make test-faults).

After each fault the results folder holds complete, verified batches only, and a rerun gives the bytes of an undisturbed run.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from helpers.faulty import FAULTS, Faulty, failed, killed
from helpers.runs import batch_bytes, blocks_in, manifests, planned
from poissonmatch import studies
from poissonmatch.cli import main as cli
from poissonmatch.pipeline import batches, integrity, progress, runs, stages, table_files
from poissonmatch.pipeline.batch_files import read_manifest
from poissonmatch.pipeline.results import Results
from poissonmatch.statistics import observables
from poissonmatch.tables.estimate_tables import TABLES
from poissonmatch.utils import atomic_writer
from poissonmatch.utils.errors import IntegrityError

pytestmark = pytest.mark.faults
ROOT = Path(__file__).parents[2]
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


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("study") / "s.yaml"
    path.write_text(TEXT)
    return studies.load(path)


@pytest.fixture(scope="module")
def undisturbed(file, tmp_path_factory):
    folder = tmp_path_factory.mktemp("undisturbed")
    work(file, folder)
    return finished(folder)


@pytest.fixture
def speedy(monkeypatch):
    """Blocks are simulated once; it is the writing that is tested."""
    made = {}
    real = observables.measure_block

    def measure_block(block, *options):
        if str(block) not in made:
            made[str(block)] = real(block, *options)
        return made[str(block)]

    monkeypatch.setattr(observables, "measure_block", measure_block)


def check_batches(folder: Path) -> None:
    """Every batch is whole."""
    for manifest in manifests(folder):
        batch = read_manifest(manifest)
        for number in range(len(batch.entries)):
            batch.read(number)


def check(file, folder: Path, undisturbed: dict[str, bytes]) -> None:
    """Only complete, verified batches; then a rerun ends with the right bytes."""
    check_batches(folder)
    for name in TABLES:  # a table is right, or refused, never quietly wrong
        path = folder / f"{name}.parquet"
        if path.exists():
            try:
                table_files.load(path, listed=True)
                assert path.read_bytes() == undisturbed[path.name]
            except IntegrityError:
                pass
    work(file, folder)
    assert finished(folder) == undisturbed
    assert integrity.verify(folder, file).problems == []


def calls_without_effect(file, folder: Path, monkeypatch) -> list[int]:
    """The numbers of the calls that keep the records of `status`: if one of them fails, the tables are made all the same."""
    counter, numbers = Faulty(0, "ENOSPC"), []

    def write(path, data):
        first = counter.calls + 1
        atomic_writer.write_atomically(path, data)
        numbers.extend(range(first, counter.calls + 1))

    with monkeypatch.context() as patched:
        patched.setattr(atomic_writer, "os", counter)
        patched.setattr(progress, "write_atomically", write)
        work(file, folder)
    return numbers


@pytest.mark.parametrize("fault", FAULTS)
def test_every_call_of_the_write_path_fails_once(file, undisturbed, speedy, tmp_path, monkeypatch, fault):
    injected = survived = 0
    without_effect = calls_without_effect(file, tmp_path / "counted", monkeypatch)
    for n in range(1, 10_000):
        folder = tmp_path / str(n)
        work_there = partial(work, file, folder)
        if not (killed(work_there, n) if fault == "kill -9" else failed(work_there, n, fault, without_effect)):
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


# ---- whole processes -----------------------------------------------------------------------------------


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


@pytest.fixture
def study(tmp_path):
    path = tmp_path / "s.yaml"
    path.write_text(TEXT)
    return path


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
    words = [sys.executable, "-m", "poissonmatch", "run", study, "--results", tmp_path / "r"]
    done = subprocess.run([str(w) for w in words], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == cli.ENVIRONMENT and "another run is at work" in done.stderr
    assert os.listdir(tmp_path / "r" / "s") == [".lock"]
    lock.release()
    print("\nPASS two runs at once: the second is refused")


@pytest.fixture
def disk(tmp_path):
    """A disk of 256 kB."""
    mount = tmp_path / "disk"
    mount.mkdir()
    if os.geteuid() or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", mount]).returncode:
        pytest.skip("needs root to mount a small disk")
    yield mount
    subprocess.run(["umount", "--lazy", mount], check=True)


def command(*words: object) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-m", "poissonmatch", *map(str, words)], capture_output=True, text=True)


def test_a_full_disk(study, file, undisturbed, disk):
    folder = disk / "s"
    ballast = disk / "ballast"
    ballast.write_bytes(bytes(245_000))
    with pytest.raises(OSError):
        work(file, folder)
    done = command("simulate", study, "--results", disk)
    assert done.returncode in (0, cli.ENVIRONMENT) and "Traceback" not in done.stderr
    check_batches(folder)
    ballast.unlink()
    subprocess.run(["mount", "-o", "remount,size=8m", disk], check=True)
    work(file, folder)
    assert finished(folder) == undisturbed
    print("\nPASS full disk")


MANY = """
studies:
  one: {dims: 2, sizes: 3000, replicates: 8, block: 1, observables: [realization]}
  two: {dims: 1, sizes: 9, replicates: 400, block: 1, observables: [unmatched]}
"""


def test_a_disk_that_is_full_in_the_middle_of_a_batch(tmp_path, disk):
    """One line, exit 3, no batch that is not whole; with more space the same command goes on."""
    study = tmp_path / "many.yaml"
    study.write_text(MANY)
    done = command("simulate", study, "--results", disk)
    assert done.returncode == cli.ENVIRONMENT and "No space left on device" in done.stderr, done.stderr
    lines = [line for line in done.stderr.splitlines() if "replicates done after" not in line]  # on a slow machine
    assert len(lines) == 1 and "are free" in lines[0], done.stderr
    check_batches(disk / "many")
    subprocess.run(["mount", "-o", "remount,size=16m", disk], check=True)
    assert command("simulate", study, "--results", disk).returncode == 0
    report = integrity.verify(disk / "many", studies.load(study))
    assert [problem.path.name for problem in report.problems] == ["manifest.json"] and report.unfinished == []
    print("\nPASS full disk in the middle of a batch")


def test_a_disk_that_cannot_be_written(study, file, disk):
    subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
    for words in (("simulate", study, "--results", disk), ("run", study, "--results", disk)):
        done = subprocess.run(
            [sys.executable, "-m", "poissonmatch", *map(str, words)], cwd=ROOT, capture_output=True, text=True
        )
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


def test_a_truncated_numba_cache(file, tmp_path):
    """A cache of compiled code that is cut short means compiling again, not a crash and not another result."""
    cache = tmp_path / "cache"
    code = (
        "import sys; from pathlib import Path\n"
        "from poissonmatch import studies\nfrom poissonmatch.pipeline import batches\n"
        "block = next(studies.cells(studies.load(sys.argv[1]))[0].blocks())\n"
        "print(batches.make([block], Path(sys.argv[2])))"
    )
    (tmp_path / "s.yaml").write_text(TEXT)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    bytes_of = []
    for cut in (None, 0, 100):
        found = [p for p in cache.rglob("*.nbc")]
        assert found or cut is None
        for path in found:
            path.write_bytes(path.read_bytes()[:cut])
        done = subprocess.run(
            [sys.executable, "-c", code, tmp_path / "s.yaml", tmp_path / f"r{cut}"],
            env=environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        bytes_of.append([p.read_bytes() for p in sorted((tmp_path / f"r{cut}").rglob("*.parquet"))])
    assert bytes_of[0] == bytes_of[1] == bytes_of[2]
    print("\nPASS truncated numba cache")


def test_a_foreign_owned_cache_folder(file, tmp_path):
    """Compiled code is a pickle: from a folder of somebody else's it is neither loaded nor written there; the result is the same."""
    if os.geteuid():
        pytest.skip("needs root to make a folder of another user's")
    (tmp_path / "s.yaml").write_text(TEXT)
    cache = tmp_path / "cache"
    made = []
    for owner in (0, 65534):
        results = tmp_path / str(owner)
        (cache / "poissonmatch").mkdir(parents=True, exist_ok=True, mode=0o700)
        for path in (*cache.rglob("*"), cache):
            os.chown(path, owner, owner)
        before = {path: path.read_bytes() for path in cache.rglob("*") if path.is_file()}
        done = subprocess.run(
            [sys.executable, "-m", "poissonmatch", "simulate", tmp_path / "s.yaml", "--results", results],
            env={**os.environ, "NUMBA_CACHE_DIR": str(cache)}, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        if owner:
            assert f"belongs to user {owner}" in done.stderr
            assert before == {path: path.read_bytes() for path in cache.rglob("*") if path.is_file()}
        made.append([*batch_bytes(results).values()])
    assert len(before) > 1 and made[0] == made[1]
    print("\nPASS foreign-owned cache folder: refused")
