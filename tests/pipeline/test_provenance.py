"""The digest of code: nothing that a result depends on is left out, and nothing else makes it out of date."""

import json
import os
import shutil
import subprocess
import sys
import types
from pathlib import Path

import pytest

from helpers.runs import batch_bytes, write_study
from poissonmatch import studies
from poissonmatch.figures.kinds import KINDS
from poissonmatch.pipeline import batches, provenance

ROOT = Path(__file__).parents[2]
STUDY = """
studies:
  a: {process: two_color, rule: fussy, dims: 1, sizes: 60, replicates: 2,
      observables: [distances, realization, winner, desirers, components, rounds, chains, window, balls]}
"""


# What `poissonmatch simulate` loads apart from the modules of the digest, and why no number of a block depends on it.
def relative(module: str) -> str:
    """The name of a module relative to poissonmatch; the full name in another package."""
    return module.removeprefix("poissonmatch").lstrip(".") if module.split(".")[0] == "poissonmatch" else module


BESIDE = {
    "cli": "text of the command line",
    "frogs": "the command `play` is in the same command line",
    "games": "the games of that command, and their terminal",
    "studies": "makes cells of a study file; all of a cell is in its fingerprint",
    "utils.players": "names of players",
    "utils.plugins": "commands, tables and figures of other packages",
    "utils.palette": "colors of figures, and of the games in a terminal",
    "utils.progress_bar": "what a terminal shows of a run",
    "figures": "the schema of studies knows the kinds of figures, which are data",
    "theory": "exact values, compared with estimates",
    "tables.estimate_tables": "tables made from those of blocks",
    "pipeline": "plans, writes and reads blocks, and makes other results of them",
    **{
        f"statistics.{module}": "estimates, which are made from blocks"
        for module in (
            "estimators", "influences", "flow", "exact_values", "convergence", "intervals", "context",
        )
    },
    **{relative(name): why for name, why in provenance.NOT_COUNTED.items()},
    **{relative(name): why for name, why in provenance.NOT_COUNTED_IN["simulate"].items()},
}  # fmt: skip


def counted_in(stage: str) -> set[str]:
    """The modules of a stage; those of poissonmatch relative to it."""
    return {relative(name) for name in provenance.modules(stage)}


def loaded(code: str, *words: object) -> list[str]:
    """The modules of the package that a process has loaded after some code."""
    code += "\nimport sys, json; print(json.dumps([m for m in sys.modules if m.split('.')[0] == 'poissonmatch']))"
    done = subprocess.run([sys.executable, "-c", code, *map(str, words)], capture_output=True, text=True, check=True)
    return [relative(name) for name in json.loads(done.stdout.splitlines()[-1])]


@pytest.mark.slow
def test_every_module_that_makes_a_block_counts(tmp_path):
    path = write_study(tmp_path, STUDY, "s")
    code = "import sys; from poissonmatch.cli import main\ntry: main.main()\nexcept SystemExit: pass"
    modules = loaded(code, "simulate", path, "--results", tmp_path / "r")
    assert "engine.chains" in modules and "sampling.cells" in modules
    counted = counted_in("simulate")
    for module in modules:
        package = module.partition(".")[0]
        assert module in counted or module in BESIDE or package in BESIDE, module
    assert not set(counted) & set(BESIDE)


ESTIMATES = [
    f"statistics.{name}"
    for name in (
        "estimates",
        "estimators",
        "flow",
        "exact_values",
        "convergence",
        "intervals",
        "context",
    )
]


def test_a_block_is_made_without_what_is_said_not_to_count(tmp_path, monkeypatch):
    """Every function of those modules is broken; the rows are the same."""
    import importlib

    block = next(studies.cells(studies.load(write_study(tmp_path, STUDY, "s")))[0].blocks())
    right = batch_bytes(batches.make([block], tmp_path / "right").parents[1])

    def broken(*words, **named):
        raise AssertionError("a module that is said not to count was used")

    names = ("rules.laws", "theory.formulas", "theory.fussy_line", "theory.finite_size", *ESTIMATES)
    loaded = [importlib.import_module(f"poissonmatch.{name}") for name in names]  # before any is broken
    for loaded_module in loaded:
        for name, value in vars(loaded_module).items():
            if isinstance(value, types.FunctionType) and value.__module__ == loaded_module.__name__:
                monkeypatch.setattr(loaded_module, name, broken)
            if isinstance(value, type) and value.__module__ == loaded_module.__name__:
                for method in [m for m, f in vars(value).items() if isinstance(f, types.FunctionType)]:
                    if not method.startswith("__"):
                        monkeypatch.setattr(value, method, broken)
    made = batch_bytes(batches.make([block], tmp_path / "made").parents[1])
    assert [*made.values()] == [*right.values()] and len(made) == 5


def test_code_digests_follow_the_imports():
    counted = counted_in("simulate")
    assert {"engine.chains", "engine.phases", "matching.match", "points.spaces", "points.processes"} <= counted
    assert {"sampling.cells", "rules.catalogue", "theory.volumes"} <= counted
    assert {
        "tables.tables",
        "statistics.observables.distances",
        "statistics.observables",
        "tables.parquet",
    } <= counted
    assert not {"figures.matchings", "pipeline.stages", "cli.main", "tables.estimate_tables", *ESTIMATES} & counted
    drawn = counted_in("draw")
    assert "engine.chains" not in drawn and "figures.matchings" in drawn
    assert {f"figures.{kind.draws.partition(':')[0]}" for kind in KINDS.values()} <= drawn
    games = counted_in("games")
    assert {"poissonmatch_games.toads.canonical", "poissonmatch_games.impartial.heaps", "engine.jit"} <= games
    assert "sampling.cells" not in games
    assert {"tables.tables", "figures.canvas", "poissonmatch_games.toads.canonical"} <= counted_in("game-tables")
    assert len({provenance.code_digest(stage) for stage in provenance.STAGES}) == len(provenance.STAGES)


EDITS = {  # file, old text, new text, whether blocks are out of date
    "a number": ("sampling/cells.py", "self.size / sum(self.intensities)", "2 * self.size / sum(self.intensities)", True),
    "a kernel": ("engine/chains.py", "top = 0  #", "top = 1  #", True),
    "a string": ("tables/tables.py", '"number of points"', '"number of  points"', True),
    "a measure": ("statistics/observables/desirers.py", "STEPS_PER_DECADE, DECADES = 10, 5", "STEPS_PER_DECADE, DECADES = 10, 4", True),
    "the cutoff": ("theory/volumes.py", "side / 8", "side / 9", True),
    "a comment": ("sampling/cells.py", "    @property\n    def volume", "    # a remark\n\n    @property\n    def volume", False),
    "the end of a line": ("sampling/cells.py", "sum(self.intensities)\n", "sum(self.intensities)   \n", False),
    "a docstring": ("statistics/point_sums.py", '"""', '"""In other words: ', False),
    "a remark behind code": ("engine/chains.py", "top = 0  # it", "top = 0  # It", False),
    "a confidence level": ("statistics/intervals.py", "CONFIDENCE = 0.95", "CONFIDENCE = 0.99", False),
    "an estimator": ("statistics/estimators.py", "-np.log(of_red.value)", "-2 * np.log(of_red.value)", False),
    "estimates of many cells": ("statistics/observables/distances.py", "rows, strict=True", "rows, strict=False", False),
    "an estimator of one observable": ("statistics/observables/flips.py", "[green], MIN_COUNT", "[green], 1", False),
    "a meaning": ("statistics/observables/components.py", "number of components per point", "components per point", False),
    "an exact value": ("statistics/exact_values.py", "return -np.log(exact)", "return np.log(exact)", False),
    "an exact law": ("rules/laws.py", "poisson_only = False", "poisson_only = True", False),
    "a threshold of convergence": ("theory/finite_size.py", "MIN_UNMATCHED = 15.0", "MIN_UNMATCHED = 16.0", False),
    "a consistency check": ("statistics/completeness.py", "which is not valid in a study", "which is not valid", False),
    "a column of estimates": ("tables/estimate_tables.py", '"number of replicates"', '"replicates"', False),
    "an error message of verify": ("pipeline/integrity.py", "unfinished files", "unfinished  files", False),
}  # fmt: skip


FAST = ("a number", "a kernel", "a comment", "a docstring", "an estimator", "an exact law")


@pytest.mark.parametrize("edit", [pytest.param(edit, marks=[pytest.mark.slow] * (edit not in FAST)) for edit in EDITS])
def test_what_makes_a_block_out_of_date(tmp_path, edit):
    file, old, new, expected = EDITS[edit]
    package = tmp_path / "poissonmatch"
    shutil.copytree(provenance.HERE / "poissonmatch", package, ignore=shutil.ignore_patterns("__pycache__"))
    text = (package / file).read_text(encoding="utf-8")
    assert text.count(old) >= 1
    (package / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    code = "from poissonmatch.pipeline.provenance import code_digest; print(code_digest('simulate'))"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert (done.stdout.strip() != provenance.code_digest("simulate")) == expected


KEPT = {  # what the file of a digest holds, and whether it is believed
    "the same": (lambda text: text.replace(text.split()[1], "0" * 16), True),
    "other sources": (lambda text: f"{'0' * 64} {'0' * 16}", False),
    "nothing": (lambda text: "", False),
    "one word": (lambda text: text.split()[0], False),
    "other bytes": (lambda text: "\xff\xfe", False),
}


@pytest.mark.parametrize("kept", KEPT)
def test_a_digest_is_kept_as_long_as_no_byte_of_the_sources_changes(tmp_path, monkeypatch, kept):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    digest = provenance.code_digest.__wrapped__
    right = digest("certify")
    path = tmp_path / "poissonmatch" / "code-certify.txt"
    written, believed = KEPT[kept]
    assert path.read_text().split()[1] == right and digest("certify") == right
    path.write_text(written(path.read_text()), encoding="latin-1")
    assert digest("certify") == ("0" * 16 if believed else right)
    tmp_path.chmod(0o777)  # others may have written it
    assert digest("certify") == right


SOURCE = '''"""A module."""
import math  # for pi


def f(x):  # a remark
    """A docstring
    of two lines: # no remark.
    """
    # a remark
    text = """a string

    with a blank line   
    # and no remark"""
    return f"{x:{'>'}3} # no remark", text, {**x, None: ()}


class A: """ä"""; b = "ö"
'''
SHORT = r'''import math
def f(x):
  text = "a string\n\n    with a blank line   \n    # and no remark"
  return (f"{x:{'>'}3} " f"# no remark"), text, {**x, None: ()}
class A: b = "ö"'''


def test_only_code_is_in_the_bare_source():
    bare = provenance.bare(SOURCE)
    assert provenance.bare(SHORT) == bare
    for old, new in (("line   ", "line"), ('"ö"', '"o"'), ("**x, ", ""), ("x:{", "x!r:{"), ("class A", "class B")):
        assert SHORT.count(old) == 1 and provenance.bare(SHORT.replace(old, new)) != bare


def test_imports_are_resolved_in_every_form(tmp_path, monkeypatch):
    package = tmp_path / "p"
    for name in ("__init__", "a", "f", "g", "w/v/e", "w/__init__", "w/b", "w/c", "w/v/__init__", "w/v/d"):
        (package / f"{name}.py").parent.mkdir(parents=True, exist_ok=True)
        (package / f"{name}.py").write_text("x = 1\n")
    (package / "w/v/d.py").write_text(
        "from typing import TYPE_CHECKING\n"
        "from ... import a\nfrom .. import b as other\nfrom ..c import x\nimport os\n"
        "if TYPE_CHECKING:\n    from . import e\n    import p.a.no\nelse:\n    from ... import f\n"
        "if not TYPE_CHECKING:\n    import p.g\n"
    )
    (package / "a.py").write_text("def f():\n    import p.w.b\n    from .w.v.d import x, nothing\n")
    monkeypatch.setattr(provenance, "HERE", tmp_path)
    monkeypatch.setattr(provenance, "PACKAGES", ("p",))
    provenance.imports.cache_clear()
    try:
        assert provenance.imports("p.w.v.d") == {"p", "p.a", "p.f", "p.g", "p.w", "p.w.b", "p.w.c"}
        assert provenance.imports("p.a") == {"p", "p.w", "p.w.b", "p.w.v", "p.w.v.d"}
    finally:
        provenance.imports.cache_clear()


def git(folder, *words):
    identity = ("-c", "user.name=a", "-c", "user.email=a@b")
    return subprocess.run(
        ["git", "-C", folder, *identity, *words], capture_output=True, text=True, check=True
    ).stdout.strip()


def test_the_commit_of_the_checkout(tmp_path, monkeypatch):
    """On a branch, in another worktree, and "" if there is none, if git is missing or if it refuses."""
    repository, other = tmp_path / "a", tmp_path / "b"
    repository.mkdir()
    monkeypatch.setattr(provenance, "HERE", repository / "src")
    assert provenance.commit() == ""
    git(repository, "init", "--initial-branch", "x/y")
    assert provenance.commit() == ""
    git(repository, "commit", "--allow-empty", "-m", "one")
    head = git(repository, "rev-parse", "HEAD")
    git(repository, "worktree", "add", other, "-b", "z")
    for folder in (repository, other):
        monkeypatch.setattr(provenance, "HERE", folder / "src")
        assert provenance.commit() == head
    with monkeypatch.context() as patch:
        patch.setenv("PATH", "")
        assert provenance.commit() == ""
    (repository / ".git" / "HEAD").write_bytes(b"\xff\xfe")
    monkeypatch.setattr(provenance, "HERE", repository / "src")
    assert provenance.commit() == ""
