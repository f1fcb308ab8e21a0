"""Whom the cache of compiled kernels trusts: what somebody else may have written is never loaded, and there is always a result."""

import hashlib
import os
import pickle
import runpy
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest
from numba import float64, int64

from helpers.tables import tables
from poissonmatch.engine import jit

ROOT_ONLY = pytest.mark.skipif(getattr(os, "getuid", lambda: 1)() != 0, reason="only root gives files away")
PLACES = tables(__file__)


def folder(path: Path, mode: int = 0o700, owner: int = -1) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    path.chmod(mode)
    os.chown(path, owner, owner)
    return path


def kernels(home: Path) -> Path:
    """Where the kernels are kept below a folder for caches."""
    digest = hashlib.sha256(b"1" + bytes(1) + Path(__file__).read_bytes()).hexdigest()
    return home / "poissonmatch" / f"kernels-{digest[:16]}"


def prepare(space: Path, kind: str, name: str, *about) -> None:
    """Make what test_cache.toml lists, in a folder in which `home` is the one for caches."""
    path = kernels(space / "home") if name == "KERNELS" else space / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if kind == "folder":
        folder(path, *about)
    elif kind == "link":
        path.symlink_to(space / about[0])
    else:
        path.write_text("x")


@pytest.mark.parametrize(
    "place", [*PLACES["mine"], *(pytest.param(name, marks=ROOT_ONLY) for name in PLACES["theirs"])]
)
@pytest.mark.parametrize("variable", ["NUMBA_CACHE_DIR", "XDG_CACHE_HOME"])
def test_kernels_are_kept_where_nobody_else_can_put_any(tmp_path, monkeypatch, recwarn, place, variable):
    made, said = (PLACES["mine"] | PLACES["theirs"])[place].values()
    home, spare = tmp_path / "home", folder(tmp_path / "spare")
    for name in ("NUMBA_CACHE_DIR", *jit.BATCH_JOB):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(spare))
    monkeypatch.setenv(variable, str(home))
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(jit.tempfile, "gettempdir", lambda: str(spare))
    for one in made:
        prepare(tmp_path, *one)
    kept = jit.private_folder([Path(__file__)], "1")
    assert kept.stat().st_mode & 0o777 == 0o700 and kept.stat().st_uid == os.getuid()
    assert (kept == kernels(home).resolve()) == (said == "")
    assert kept.is_relative_to(spare) == (said != "")
    assert [said in str(warning.message) for warning in recwarn] == [True] * (said != "")


def test_no_place_at_all(tmp_path, monkeypatch):
    """Then every process compiles for itself."""
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(jit.tempfile, "gettempdir", lambda: str(tmp_path / "file"))
    with pytest.warns(RuntimeWarning, match="compiled kernels are not kept: .*file: File exists"):
        assert jit.private_folder([Path(__file__)], "1") is None


def test_what_is_made_on_the_way_is_private_whatever_the_umask(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "a" / "b"))
    before = os.umask(0o002)
    try:
        assert jit.private_folder([Path(__file__)], "1") == kernels(tmp_path / "a" / "b")
    finally:
        os.umask(before)


@pytest.mark.parametrize("variable", jit.BATCH_JOB)
def test_batch_jobs_keep_kernels_on_the_node(tmp_path, monkeypatch, variable):
    for name in ("NUMBA_CACHE_DIR", *jit.BATCH_JOB):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(jit.tempfile, "gettempdir", lambda: str(tmp_path))
    assert jit.private_folder([Path(__file__)], "1").is_relative_to(tmp_path / "home")
    monkeypatch.setenv(variable, "7")
    node = jit.private_folder([Path(__file__)], "1").parent
    assert node == tmp_path / f"poissonmatch-{os.getuid()}"
    node.chmod(0o777)
    with pytest.warns(RuntimeWarning, match="can be written by others"):
        assert jit.private_folder([Path(__file__)], "1").is_relative_to(tmp_path / "home")


# ---- a kernel, compiled as by a new process: from the file, with nothing but what is kept on the disk ----

TWICE = """
from pathlib import Path
from poissonmatch.engine.jit import compiler
jit, _ = compiler([Path(__file__)])

@jit
def twice(x):
    return 2 * x
"""


def call(script: Path) -> int:
    """Call the kernel, which must be right; how often it was found in the cache."""
    twice = runpy.run_path(str(script))["twice"]
    assert (twice(21), twice(1.5)) == (42, 3.0)
    return sum(twice.stats.cache_hits.values())


@pytest.fixture
def script(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "spare"))
    path = tmp_path / "twice.py"
    path.write_text(TWICE)
    return path


class Poison:
    """What makes a folder when it is unpickled. It is saved as the code of a kernel."""

    library = SimpleNamespace(has_dynamic_globals=False)

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def _reduce(self):
        return self

    def __reduce__(self):
        return os.mkdir, (str(self.marker),)


@pytest.mark.filterwarnings("ignore:compiled kernels are kept")
@pytest.mark.parametrize("mode", [0o777, 0o770])
def test_what_others_may_have_written_is_never_executed(script, tmp_path, mode):
    home, marker = tmp_path / "home", tmp_path / "executed"
    assert (call(script), call(script)) == (0, 2)
    twice = runpy.run_path(str(script))["twice"]
    for signature in (int64,), (float64,):
        twice._cache.save_overload(signature, Poison(marker))
    home.chmod(mode)
    assert call(script) == 0 and not marker.exists()
    home.chmod(0o700)
    assert call(script) == 0 and marker.exists()  # the poison is one


GARBAGE = {
    "empty": lambda data: b"",
    "one bit": lambda data: data[:50] + bytes([data[50] ^ 1]) + data[51:],
    "the same, with a checksum": lambda data: pickle.dumps({"x": 1}) + hashlib.sha256(pickle.dumps({"x": 1})).digest(),
}
INSTEAD = {"a pipe, which is not waited for": os.mkfifo, "a folder, which is no cache": os.mkdir}


@pytest.mark.parametrize("damage", [*GARBAGE, *INSTEAD])
def test_a_broken_file_is_compiled_anew(script, tmp_path, damage):
    assert call(script) == 0
    for path in (tmp_path / "home").rglob("*.nbc"):
        if damage in GARBAGE:
            path.write_bytes(GARBAGE[damage](path.read_bytes()))
        else:
            path.unlink()
            INSTEAD[damage](path)
    assert (call(script), call(script)) == (0, 0 if "folder" in damage else 2)


# A process that writes a line, and waits for one, before it puts a file in its place.
STEPPED = """
import os, sys
sys.path.insert(0, sys.argv[1])
from poissonmatch.engine import jit
from twice import twice
jit.ANNOUNCED = float(sys.argv[3])
replace = os.replace

def stepped(*paths):
    input("\\n")
    replace(*paths)

os.replace = stepped
print([twice(x) for x in eval(sys.argv[2])], sum(twice.stats.cache_hits.values()))
"""


def started(script: Path, numbers: str, announced: float = 60.0, **environment: str) -> subprocess.Popen:
    """A process that calls the kernel of the script; it has done all but to put its first file in place."""
    command, pipe = [sys.executable, "-c", STEPPED, script.parent, numbers, str(announced)], subprocess.PIPE
    environment = {**os.environ, **environment}
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=environment)
    process.first_line = process.stdout.readline()
    return process


def step(process: subprocess.Popen) -> None:
    """Let the process put one file in place, if it has any, and do all up to the next one."""
    with suppress(BrokenPipeError):
        process.stdin.write("\n")
        process.stdin.flush()
        process.stdout.readline()


def finished(process: subprocess.Popen) -> str:
    """What the process prints at last."""
    return (process.first_line + process.communicate("\n" * 9)[0]).split("\n")[-2]


@pytest.mark.slow  # for the processes
def test_processes_that_start_together_keep_their_files_apart(script):
    """An index of files that both of them write would lead from one signature to the code of the other."""
    one, other = started(script, "[21]"), started(script, "[1.5]")
    for process in (one, other, other, one):
        step(process)
    one.communicate()
    other.communicate()
    assert finished(started(script, "[21, 1.5]")) == "[42, 3.0] 2"


def test_a_file_of_another_signature_is_compiled_anew(script, tmp_path):
    assert call(script) == 0
    one, other = (tmp_path / "home").rglob("*.nbc")
    code = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(code)
    assert (call(script), call(script)) == (0, 2)


@pytest.mark.slow  # for the processes
@pytest.mark.parametrize("variable", ["NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES", "NUMBA_BOUNDSCHECK", "NUMBA_OPT"])
def test_each_processor_and_option_has_a_folder(script, tmp_path, variable):
    assert call(script) == 0
    value = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "+sse2"}.get(variable, "1")
    assert finished(started(script, "[21]", **{variable: value})) == "[42] 0"
    assert len({path.parent for path in (tmp_path / "home").rglob("*.nbc")}) == 2


@pytest.mark.slow  # for the processes
@pytest.mark.parametrize("seconds, line", [(0.0, "compiling the kernels of twice, once\n"), (60.0, "")])
def test_a_long_compilation_is_announced_once(script, seconds, line):
    """The test of a cold cache in test_jit.py sees the name of a rule."""
    assert started(script, "[21, 1.5]", seconds).communicate("\n" * 9)[1] == line
    assert started(script, "[21, 1.5]", 0.0).communicate()[1] == ""
