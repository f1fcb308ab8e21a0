"""Hostile and clumsy input, fourth round: what is there, the command, and the answer. The cases are in test_hostile_fourth.toml."""

import importlib
import resource
import signal
import sys
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import pytest

from helpers.bad_files import GOOD
from helpers.checkout import ROOT
from helpers.command_line import call
from helpers.hostile import PATIENCE, Case, cases, check_case, each, nothing, refused, text
from helpers.processes import poissonmatch, python
from poissonmatch.cli import terminal
from poissonmatch.cli.main import BAD_INPUT, BUG, ENVIRONMENT, INTERRUPTED
from poissonmatch.studies.sampling import point_files
from poissonmatch_games.cli import play_command

MANY = "studies: {a: {ratios: {from: 0.1, to: 0.9, steps: 500}, dims: 1, sizes: {from: 100, to: 1000, steps: 10}, replicates: 1000000, block: 1}}\n"
CERTIFICATE = ROOT / "docs/data/certificates/d3-rho0.3.json"
POINTS = "studies: {a: {process: {name: points, files: '%s', coords: [x]}, dims: 1, sizes: 2, replicates: 1}}\n"


def circles(files: str):
    """Write a study of points in files, in folders with links to themselves."""

    def write(home: Path) -> None:
        text("s.yaml", POINTS % files)(home)
        text("data/far/p.csv", "x\n0.5\n1\n")(home)
        for name in ("data/loop", "data/far/up", "data/far/there"):
            (home / name).symlink_to(home / "data")
        (home / "data/self").symlink_to("self")

    return write


CASES = cases(__file__, circles)


@pytest.fixture
def a_second(monkeypatch):
    """A second for work that is not expected to be long, and 5000 files for a glob."""
    monkeypatch.setattr(point_files, "MAX_FILES", 5000)
    monkeypatch.setattr(terminal, "LONG", 1.0)
    monkeypatch.setattr(play_command, "LONG", 1.0)


@pytest.mark.parametrize("case", CASES)
def test_a_case(work, a_second, case):
    check_case(work, CASES[case])


def test_a_search_has_a_bound(work, monkeypatch):
    monkeypatch.setattr("poissonmatch_games.toads.ruleset.SEARCHED", 100)
    check_case(work, refused("games strip 'T^5 .^5 F^4'", "more than 100 positions are searched"))


# ---- little memory ----


@pytest.mark.skipif(sys.platform != "linux", reason="the limit is that of Linux")
@pytest.mark.parametrize("command", ["validate s.yaml", "simulate s.yaml", "play --human nobody", "games check E4"])
@pytest.mark.parametrize("megabytes", [200, 400, 1400])
def test_little_memory(tmp_path, megabytes, command):
    """Libraries would hang while they are imported, or call a true proof damaged."""
    (tmp_path / "s.yaml").write_text(MANY)
    size = megabytes * 10**6
    limit = partial(resource.setrlimit, resource.RLIMIT_AS, (size, size))  # ulimit -v
    done = poissonmatch(*command.split(), cwd=tmp_path, timeout=PATIENCE, preexec_fn=limit)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (ENVIRONMENT, "", 1), done
    assert f"ulimit -v allows {megabytes} MB; 1500 MB are needed" in done.stderr


class PartOfNumpy(MemoryError):
    """As `numpy` raises, with a text."""


@pytest.mark.parametrize("error", [MemoryError(), PartOfNumpy("Unable to allocate 3 GiB")])
@pytest.mark.parametrize(
    "function, command",
    [
        ("poissonmatch.studies.study_files.plan.count", "validate ../s.yaml"),
        ("poissonmatch_games.checkers.certificates.check", "games check E4"),
        ("poissonmatch.survival.certificates.check", f"certify --check {CERTIFICATE}"),
    ],
)
def test_memory_that_runs_out_is_no_damage(work, monkeypatch, function, command, error):
    importlib.import_module(function.rpartition(".")[0])
    monkeypatch.setattr(function, Mock(side_effect=error))
    check_case(work, Case(nothing, command, ENVIRONMENT, (str(error) or "out of memory",)))


@pytest.mark.parametrize("short, code", [(True, ENVIRONMENT), (False, BUG)])
def test_a_library_that_is_imported_in_part(work, monkeypatch, short, code):
    error = AttributeError("module 'pandas' has no attribute 'DataFrame'")
    monkeypatch.setattr("poissonmatch.studies.study_files.plan.count", Mock(side_effect=error))
    monkeypatch.setattr("poissonmatch.cli.main.SHORT_OF_MEMORY", short)
    said = "out of memory, or an internal error" if short else "internal error (a bug in poissonmatch)"
    check_case(work, Case(nothing, "validate ../s.yaml", code, (said, "has no attribute")))


# ---- signals while modules are imported ----

SIGNALED = """
import os, signal, sys
signal.signal({number}, signal.default_int_handler if {number} == signal.SIGINT else signal.SIG_DFL)  # not ignored, as in a job
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "{module}":
            os.kill(os.getpid(), {number})
sys.meta_path.insert(0, Finder())
sys.argv = ["poissonmatch", "run", "s.yaml"]
from poissonmatch.cli.main import main
main()
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(
    "module", ["typer", "poissonmatch.cli.main", "poissonmatch.studies.study_files.read", "pydantic"]
)
def test_a_signal_while_modules_are_imported(tmp_path, module, number):
    (tmp_path / "s.yaml").write_text(GOOD)
    code = SIGNALED.format(module=module, number=int(number))
    done = python("-c", code, cwd=tmp_path, timeout=PATIENCE)
    assert (done.returncode, done.stdout, done.stderr) == (INTERRUPTED, "", "interrupted\n")


# ---- the surroundings ----


def test_a_date_of_the_environment_is_not_read():
    code = "import os, poissonmatch.cli; assert 'SOURCE_DATE_EPOCH' not in os.environ"
    for value in ("x", "9" * 40, ""):
        assert python("-c", code, variables={"SOURCE_DATE_EPOCH": value}).returncode == 0


def test_the_recursion_limit_of_a_module_is_its_own(work):
    module = "import sys\nsys.setrecursionlimit(90)\ndef one(torus, intensity=1.0, *, rng):\n    return [[0.5]]\n"
    study = "studies: {a: {process: {import: own.one}, dims: 1, sizes: 2, replicates: 1}}\n"
    limit = sys.getrecursionlimit()
    try:
        given = each(text("own.py", module), text("s.yaml", study))
        check_case(work, Case(given, "simulate ../s.yaml --allow-import --results ../r", 0, ()))
        assert sys.getrecursionlimit() == limit
    finally:
        sys.setrecursionlimit(limit)


@pytest.mark.parametrize("game", ["grundys-game", "officers", "poker-nim", "dawsons-kayles"])
def test_heaps_of_twenty_digits(work, game):
    for command in ("solve", "trace"):
        code, answer = call("games", command, game, "9" * 20)
        assert code in (0, BAD_INPUT) and "internal error" not in answer, answer
