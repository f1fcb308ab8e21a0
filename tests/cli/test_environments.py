"""Runs under other settings of the system, many of them, and at once: the results are the same, and nothing is left behind."""

import gc
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import poissonmatch as pm
from helpers.command_line import call
from helpers.runs import run_study, table_bytes
from helpers.tables import tables
from poissonmatch.cli.main import INTEGRITY
from poissonmatch.utils import atomic_writer

pytestmark = pytest.mark.slow
PROCESS = Path("/proc/self")
STUDY = """
seed: 3
studies:
  a: {process: two_color, rule: two-color, dims: [1, 2], sizes: 20, ratios: 0.5, replicates: 4}
figures:
  tail: {kind: tail, studies: a}
"""


SETTINGS = tables(__file__)


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    path = tmp_path_factory.mktemp("study") / "s.yaml"
    path.write_text(STUDY)
    return path


@pytest.fixture(scope="module")
def expected(study, tmp_path_factory):
    return table_bytes(run_study(study, tmp_path_factory.mktemp("expected")))


def start(study: Path, results: Path, setting: str = ":") -> subprocess.Popen:
    """Start a run after a line of the shell. Kernels are not compiled: what is tested is the rest."""
    command = f'"{sys.executable}" -m poissonmatch run s.yaml --results "{results}" --cores 1'
    return subprocess.Popen(
        ["bash", "-c", f"{setting}; {command}"], cwd=study.parent, env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
    )  # fmt: skip


@pytest.mark.workflow
@pytest.mark.parametrize("name", SETTINGS)
def test_results_do_not_depend_on_settings_of_the_system(study, expected, tmp_path, name):
    run = start(study, tmp_path, SETTINGS[name])
    output = run.communicate(timeout=300)[0]
    assert run.returncode == 0 and "Traceback" not in output, output
    assert table_bytes(tmp_path / "s") == expected
    assert (tmp_path / "s/figures/tail.png").stat().st_size > 1000
    for path in tmp_path.rglob("*"):
        assert path.is_symlink() or not path.stat().st_mode & 0o002, path


def test_letters_that_the_locale_has_not_are_named(study, tmp_path):
    results = tmp_path / "Zürich"
    run = start(study, results, "export LC_ALL=C PYTHONUTF8=0 PYTHONCOERCECLOCALE=0")
    output = run.communicate(timeout=300)[0]
    assert run.returncode == 2 and "Traceback" not in output and not results.exists(), output
    assert "names are read as ascii: set PYTHONUTF8=1 if they are UTF-8" in output
    run = start(study, results, "export LC_ALL=C PYTHONUTF8=1")
    assert run.communicate(timeout=300) and run.returncode == 0


@pytest.mark.workflow
def test_a_full_temporary_folder(study, tmp_path, disk):
    (disk / "filler").write_bytes(bytes(os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize))
    run = start(study, tmp_path, f"export TMPDIR={disk}")
    output = run.communicate(timeout=300)[0]
    assert run.returncode in (0, 3) and "Traceback" not in output, output


@pytest.mark.workflow
def test_five_runs_at_once(study, expected, tmp_path):
    runs = [start(study, tmp_path / str(number)) for number in range(5)]
    outputs = [run.communicate(timeout=600)[0] for run in runs]
    assert [run.returncode for run in runs] == [0] * 5, outputs
    assert all(table_bytes(tmp_path / str(number) / "s") == expected for number in range(5))


@pytest.mark.workflow
def test_a_run_that_is_suspended_goes_on(study, expected, tmp_path):
    run = start(study, tmp_path)
    for _ in range(4):
        time.sleep(1.5)
        if run.poll() is None:
            os.killpg(run.pid, signal.SIGSTOP)
            time.sleep(1)
            os.killpg(run.pid, signal.SIGCONT)
    output = run.communicate(timeout=300)[0]
    assert run.returncode == 0, output
    assert table_bytes(tmp_path / "s") == expected


def test_a_slow_disk_changes_nothing(study, expected, tmp_path, monkeypatch):
    real = os.replace
    monkeypatch.setattr(atomic_writer.os, "replace", lambda *paths: (time.sleep(0.1), real(*paths)))
    assert table_bytes(run_study(study, tmp_path)) == expected


def test_1000_studies_in_a_folder(study, tmp_path):
    """Each is verified by itself; a message about all names a few."""
    folder = run_study(study, tmp_path / "one")
    for number in range(1000):
        shutil.copytree(folder, tmp_path / f"results/s{number:03}", copy_function=os.link)
    assert call("verify", tmp_path / "results/s500")[0] == 0
    code, answer = call("verify", tmp_path / "results")
    assert code == INTEGRITY and "s000, s001, s002, s003, s004, " in answer and len(answer) < 1000


@pytest.mark.skipif(not PROCESS.exists(), reason="open files and memory are read from /proc")
def test_1000_sweeps_leave_nothing_behind():
    """Memory, open files and processes are those after the first 100."""
    after = {}
    for number in range(1, 1001):
        pm.sweep(rule="fussy", process="two_color", ratios=0.5, dims=1, sizes=20, replicates=2, progress=False)
        if number in (100, 1000):
            gc.collect()
            after[number] = (resident_memory(), len(os.listdir(PROCESS / "fd")), children())
    (early, files, processes), (late, *rest) = after[100], after[1000]
    assert rest == [files, processes]
    assert late - early < 2**20 * 20  # a kilobyte kept by each sweep would be 1 MB; fragmentation is about 5 MB


def resident_memory() -> int:
    return int((PROCESS / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def children() -> list[str]:
    return (PROCESS / f"task/{os.getpid()}/children").read_text().split()


@pytest.mark.skipif(not PROCESS.exists(), reason="open files are read from /proc")
def test_200_runs_leave_no_open_files_and_no_processes(study, tmp_path):
    before = None
    for number in range(200):
        run_study(study, tmp_path / str(number))
        shutil.rmtree(tmp_path / str(number))
        before = before or (len(os.listdir(PROCESS / "fd")), children())
    assert (len(os.listdir(PROCESS / "fd")), children()) == before


def test_ten_million_points_of_an_array():
    points = np.random.default_rng(1).random((10**7, 2)) * 3162
    matching = pm.match(pm.Pattern(points, None, pm.Euclidean(2)))
    partner = matching.partner
    assert (partner[partner] == np.arange(len(points))).all()
