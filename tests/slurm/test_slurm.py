"""A real Slurm on this machine (tests/slurm/up.sh; root): sweeps through it give the tables of the local run (make test-slurm)."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from helpers import traps
from helpers.checkout import copy
from helpers.runs import batch_bytes, manifests, simulate_all, table_bytes
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.results import integrity
from poissonmatch.studies.run import stages

pytestmark = pytest.mark.slurm
HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CELLS = "process: two_color, rule: fussy, sizes: 100, replicates: 2, block: 2, observables: [unmatched]"
SWEEPS = {
    "21 cells": f"studies:\n  a: {{{CELLS}, dims: [1, 2, 3], ratios: {{from: 0.2, to: 1, steps: 7}}}}\n",
    "4 cells": f"studies:\n  a: {{{CELLS}, dims: [1, 2], ratios: [0.5, 1]}}\n",
}


@pytest.fixture(scope="module", autouse=True)
def cluster():
    if os.geteuid() or not shutil.which("apt-get"):
        pytest.skip("needs root on Debian or Ubuntu")
    subprocess.run([HERE / "up.sh"], check=True)
    yield
    subprocess.run([HERE / "down.sh"], check=True)


@pytest.fixture
def sweep(request, tmp_path):
    """A study file, and the tables of its local run."""
    path = tmp_path / "s.yaml"
    path.write_text(SWEEPS[getattr(request, "param", "4 cells")])
    file = studies.load(path)
    simulate_all(file, tmp_path / "local")
    stages.aggregate(file, tmp_path / "local")
    return path, table_bytes(tmp_path / "local")


SHIPPED = ROOT / "profiles" / "slurm"
QUICKLY = ("--slurm-status-command", "squeue", "--slurm-no-account", "--slurm-init-seconds-before-status-checks", "5",
           "--seconds-between-status-checks", "5", "--latency-wait", "5")  # fmt: skip


def head(path: Path, *options: str, profile: Path = HERE / "profile") -> subprocess.Popen:
    words = ["--workflow-profile", str(profile), *options]
    return subprocess.Popen(
        [sys.executable, "-m", "snakemake", *words, "--config", f"study={path}", f"results={path.parent / 'r'}"],
        cwd=ROOT, start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip


def wrong_at_the_end(process: subprocess.Popen, sweep) -> list:
    """What is not as it must be when a run has ended: its exit code and words, tables, problems; nothing if all is well."""
    path, expected = sweep
    said = process.communicate(timeout=1500)[0]
    if process.returncode:
        return [process.returncode, said]
    found = table_bytes(path.parent / "r" / "s")
    other = [name for name in found | expected if found.get(name) != expected.get(name)]
    return other + integrity.verify(path.parent / "r" / "s", studies.load(path)).problems


def queue(states: str = "RUNNING,PENDING") -> list[str]:
    """Ids of the jobs in these states."""
    words = ["squeue", "--noheader", f"--states={states}", "--format=%A"]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()


def running(seconds: float = 240, but: Sequence[str] = ()) -> list[str]:
    """Ids of the jobs that run, as soon as there is one, but for these."""
    for _ in range(int(seconds * 5)):
        if found := [job for job in queue("RUNNING") if job not in but]:
            return found
        time.sleep(0.2)
    raise AssertionError("no job started")


def node(state: str) -> None:
    name = subprocess.run(["hostname", "-s"], capture_output=True, text=True, check=True).stdout.strip()
    subprocess.run(["scontrol", "update", f"NodeName={name}", f"State={state}", "Reason=test"], check=True)


@pytest.mark.parametrize("sweep", ["21 cells"], indirect=True)
@pytest.mark.parametrize("options", [(), ("--slurm-array-jobs", "simulate")], ids=["jobs", "arrays"])
def test_a_sweep_of_21_cells(sweep, options):
    assert wrong_at_the_end(head(sweep[0], *options), sweep) == []
    print(f"\nPASS 21 cells through Slurm {' '.join(options)}: tables byte-identical to the local run")


@pytest.mark.parametrize("sweep", ["21 cells"], indirect=True)
def test_the_shipped_profile(sweep):
    """As it is, but for what a cluster without accounts needs: ten minutes of work make a job."""
    assert wrong_at_the_end(head(sweep[0], *QUICKLY, profile=SHIPPED), sweep) == []
    assert len(manifests(sweep[0].parent / "r" / "s")) == 1
    cache = Path(tempfile.gettempdir()) / f"poissonmatch-{os.getuid()}"
    assert list(cache.glob("kernels-*")) and cache.stat().st_mode & 0o777 == 0o700
    print("\nPASS 21 cells through Slurm, profiles/slurm: tables byte-identical to the local run")


def test_a_killed_batch_leaves_the_finished_ones(sweep):
    """It is made again by the next attempt."""
    process, folder = head(sweep[0]), sweep[0].parent / "r" / "s"
    while not manifests(folder) and process.poll() is None:
        time.sleep(0.1)
    before, early = {path: path.stat().st_ino for path in batch_bytes(folder)}, running()
    subprocess.run(["scancel", "--full", "--signal=KILL", running(but=early)[0]], check=True)
    assert wrong_at_the_end(process, sweep) == []
    assert before and before == {path: path.stat().st_ino for path in before}
    print("\nPASS batch killed: it is made again, and those that were finished are kept")


@pytest.mark.parametrize("together", [False, True])
def test_head_killed_while_jobs_run(sweep, together):
    """The rerun may submit again what still runs: both write the same bytes, each in one step."""
    process = head(sweep[0])
    jobs = running()
    os.killpg(process.pid, signal.SIGKILL)
    if together:
        subprocess.run(["scancel", "--full", "--signal=KILL", *jobs], check=True)
    process.wait()
    assert wrong_at_the_end(head(sweep[0]), sweep) == []
    print(f"\nPASS head killed while jobs run{', and they' if together else ''}")


def test_scancel(sweep):
    process = head(sweep[0])
    job = int(running()[0])
    subprocess.run(["scancel", str(job)], check=True)
    assert wrong_at_the_end(process, sweep) == []
    words = ["squeue", "--noheader", "--states=all", "--Format=JobID,MinMemory,TimeLimit"]
    said = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    asked = {}  # (MB, minutes) of each job
    for number, memory, limit in map(str.split, said.splitlines()):
        asked[int(number)] = (int(memory.rstrip("M")), int(limit.split(":")[0]))
    first = asked[job]
    assert [ask for number, ask in asked.items() if number > job].count((2 * first[0], 2 * first[1])) == 1, asked
    print("\nPASS scancel of a running job: tried again, with more memory and time")


def test_sigterm_as_at_the_time_limit(sweep):
    process = head(sweep[0])
    subprocess.run(["scancel", "--full", "--signal=TERM", running()[0]], check=True)
    assert wrong_at_the_end(process, sweep) == []
    print("\nPASS SIGTERM to a running job: tried again")


def test_no_module_beside_the_sources_is_executed(sweep, tmp_path):
    """On no node either: what lies in the folder of a run does not stand in for a library."""
    (tmp_path / "house").mkdir()
    house = copy(tmp_path / "house")
    shutil.copytree(HERE / "profile", sweep[0].parent / "profiles" / "lab")
    for folder in (house, house / "workflow" / "rules"):
        traps.lay(folder, tmp_path / "mark")
    done = subprocess.run(
        [Path(sys.executable).parent / "poissonmatch", "run", sweep[0], "--results", tmp_path / "r", "--profile", "lab"],
        cwd=house, capture_output=True, text=True, timeout=1500, env={**os.environ, "PYTHONPATH": str(house / "src")},
    )  # fmt: skip
    assert done.returncode == 0 and not (tmp_path / "mark").exists(), done.stderr
    assert table_bytes(tmp_path / "r" / "s") == sweep[1]
    print("\nPASS no module beside the sources is executed")


def test_node_drained(sweep):
    process = head(sweep[0])
    running()
    node("DRAIN")
    time.sleep(20)
    node("RESUME")
    assert wrong_at_the_end(process, sweep) == []
    print("\nPASS node drained and resumed")


def test_the_loop_without_snakemake(sweep):
    """The commands on the page about clusters; batches of the least work, so that there are several."""
    path, expected = sweep
    page = (ROOT / "docs" / "clusters.md").read_text(encoding="utf-8")
    (commands,) = re.findall(r"^```sh\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    path.rename(path.with_name("mine.yaml"))
    commands = commands.replace("--minutes 10", "--minutes 1e-9 --cores 4")
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    subprocess.run(["sh", "-e", "-c", commands], cwd=path.parent, env=environment, check=True, timeout=1500)
    assert table_bytes(path.parent / "results" / "mine") == expected
    print("\nPASS a loop without Snakemake: tables byte-identical to the local run")
