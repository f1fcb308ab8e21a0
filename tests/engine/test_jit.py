"""How kernels are compiled and kept: no compiler, bounds checks, and a warm start. The cache: test_cache.py."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from poissonmatch.engine import jit

ROOT = Path(__file__).parents[2]
SMALL = """
import itertools, poissonmatch as pm
from helpers import oracles
from poissonmatch.engine import phases
from poissonmatch.utils import thread_pool
from helpers.strategies import make_pattern
from helpers.rules import RULES, FORBIDDEN, rule_for, wrong
thread_pool.PARALLEL, phases.ROWS = 1, 3
KINDS = ("uniform", "lattice", "coincident", "seam", "diagonal")
for kind, n, dim in itertools.product(KINDS, (0, 1, 2, 30, 80), DIMS):
    pattern = make_pattern(kind, n, dim, seed=0, euclidean=n == 30)
    pairs = oracles.pair_list(pattern)
    for name in NAMES:
        assert wrong(pattern, rule_for(name, pattern), pairs, (1, 2) if n == 80 else (1,)) == []
for dim, n in HIGH:
    pattern = make_pattern("uniform", n, dim, seed=3)
    assert wrong(pattern, RULES["one-color"], oracles.pair_list(pattern)) == []
print("same")
"""
FIRST = """
import numpy as np, poissonmatch as pm
from numba.core import event
pattern = pm.Pattern(np.arange(10.0)[:, None] ** 2, None, pm.Torus(200.0, 1))
with event.install_recorder("numba:compile") as compiled:
    print(pm.match(pattern).pairs.tolist(), len(compiled.buffer))
"""


def python(code, **environment):
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([*(str(ROOT / name) for name in ("tests", "src"))]),
        **environment,
    }
    return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=1800)


def succeeds(code, **environment):
    done = python(code, **environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip(), done.stderr


@pytest.mark.slow
@pytest.mark.workflow
def test_without_the_compiler():
    """No read out of bounds is hidden by compiled code."""
    names = '("one-color", "fussy", "misere", "multi(3)", "labels(3)")'
    code = SMALL.replace("DIMS", "(1, 2, 3)").replace("NAMES", names).replace("HIGH", "((6, 30), (64, 40))")
    assert succeeds(code.replace("30, 80", "17, 40").replace("== 30", "== 17"), NUMBA_DISABLE_JIT="1")[0] == "same"


EXACT = """
import numpy as np, poissonmatch as pm
from poissonmatch.engine import nearest
exact, calls = nearest.nearest_exactly, []
nearest.nearest_exactly = lambda *arguments: calls.append(arguments) or exact(*arguments)
rng = np.random.default_rng(0)
lattice = np.indices((12, 12)).reshape(2, -1).T / 12
for points in (rng.random((60, 2)), lattice):  # a cluster in one cell is looked at point by point as well
    for rule in ("one-color", "two-color", "multi(3)", "labels(3)", "misere"):
        calls.clear()
        pm.match(pm.Pattern(points, rng.integers(0, 2, len(points)), pm.Torus(1.0, 2)), rule)
        print(rule, len(calls) > 0)
"""


@pytest.mark.workflow
def test_only_ties_are_looked_at_point_by_point():
    """Coarse squares of eight points decide among random points; searches among ties are made again."""
    rules = ("one-color", "two-color", "multi(3)", "labels(3)", "misere")
    expected = [f"{rule} {again}" for again in (False, True) for rule in rules]
    assert succeeds(EXACT, NUMBA_DISABLE_JIT="1")[0].splitlines() == expected


@pytest.mark.slow
def test_bounds_checked(tmp_path):
    code = SMALL.replace("DIMS", "(1, 2, 3)").replace("NAMES", "(*RULES, *FORBIDDEN)").replace("HIGH", "((64, 40),)")
    assert succeeds(code, NUMBA_BOUNDSCHECK="1", NUMBA_CACHE_DIR=str(tmp_path))[0] == "same"


@pytest.mark.slow  # for the compiler
def test_private_folder(tmp_path):
    cold, announced = succeeds(FIRST, NUMBA_CACHE_DIR=str(tmp_path))
    folders = list((tmp_path / "poissonmatch").iterdir())
    assert len(folders) == 1 and folders[0].stat().st_mode & 0o777 == 0o700
    assert list(folders[0].glob("*.nbc"))
    warm, _ = succeeds(FIRST, NUMBA_CACHE_DIR=str(tmp_path))
    (pairs, compiled), (pairs_then, compiled_then) = cold.rsplit(" ", 1), warm.rsplit(" ", 1)
    assert announced == "compiling the kernels of one-color, once\n"
    assert pairs_then == pairs and int(compiled) > 0 and int(compiled_then) == 0


def test_the_name_follows_source_and_compiler(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    source = tmp_path / "kernels.py"
    folders = set()
    for text, compiler in (("a", "1"), ("b", "1"), ("a", "2")):
        source.write_text(text)
        folders.add(jit.private_folder([source], compiler))
    assert len(folders) == 3


@pytest.mark.workflow
def test_users_own_functions_are_cached_elsewhere():
    """The cache folder is set for the kernels only, not for the process."""
    code = "import poissonmatch, numba; print(numba.config.CACHE_DIR == '')"
    environment = {"NUMBA_CACHE_DIR": ""}
    assert succeeds(code, **environment)[0] == "True"


FORKS = """
import os, sys, threading, time, warnings
warnings.simplefilter("ignore")
import numba
import poissonmatch as pm

pattern = pm.processes.poisson(pm.Torus(10.0, 2), rng=1)
pm.match(pattern)


def compile_without_end():
    while True:
        numba.njit(lambda x: x + 1)(1)


for _ in range(3):
    threading.Thread(target=compile_without_end, daemon=True).start()
for _ in range(4):
    time.sleep(0.05)
    child = os.fork()
    if child == 0:
        numba.njit(lambda x: x + 2)(1)
        pm.match(pattern, threads=2)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
print("all ended", flush=True)
os._exit(0)
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_waits_for_the_compilations_of_other_threads():
    """Otherwise the lock of the compiler stays locked in the child process."""
    done = subprocess.run([sys.executable, "-c", FORKS], capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stdout) == (0, "all ended\n"), done.stderr
