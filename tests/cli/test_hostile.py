"""Hostile and clumsy input: exit 2, 3 or 4, one clear message, no traceback, nothing executed, nothing written elsewhere."""

import ast
import os
import subprocess
from pathlib import Path
from unittest.mock import Mock

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from helpers.bad_files import FILES, FINE, GOOD
from helpers.checkout import ROOT
from helpers.command_line import call
from helpers.hostile import Case, cases, check_case, damaged, nothing, refused, text
from helpers.processes import poissonmatch, python
from helpers.refusals import refusal, rows
from helpers.runs import cells_of
from poissonmatch.cli import main as cli
from poissonmatch.cli.main import ENVIRONMENT
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.run import batches
from poissonmatch.studies.run.workflow import Workflow
from poissonmatch.studies.sampling.cells import Block
from poissonmatch.studies.tables.estimate_tables import TABLES
from poissonmatch.utils.manifests import sha256, to_json

COMMANDS = "validate plan run status aggregate draw repair".split()


def hostile_tables(metadata: bytes):
    """Write tables of another program, with right checksums."""

    def write(home: Path) -> None:
        folder, digests = home / "r/s", {}
        folder.mkdir(parents=True)
        table = pa.table({"x": [1]}).replace_schema_metadata({b"poissonmatch": b"", b"PANDAS_ATTRS": metadata})
        for name in TABLES:
            pq.write_table(table, folder / f"{name}.parquet")
            digests[f"{name}.parquet"] = sha256((folder / f"{name}.parquet").read_bytes())
        (folder / "manifest.json").write_bytes(to_json({"commit": "", "sha256": digests}))

    return write


MANIFEST = f"r/s/blocks/{'0' * 16}.json"
STUDY_FILES = {
    **{f"bad: {case}": refused("validate ../s.yaml", "s.yaml", *said, given=text("s.yaml", content)) for case, (content, said) in FILES.items()},
    **{f"odd: {case}": Case(text("s.yaml", content), "validate ../s.yaml", 0, ("s.yaml", "1 study", *said)) for case, (content, said) in FINE.items()},
    **{f"{command} of a bad one": refused(f"{command} ../s.yaml", "tag", given=text("s.yaml", FILES["python tag"][0])) for command in COMMANDS},
}  # fmt: skip
RESULTS = {
    **{f"{command[:9]} {content[:9]}": damaged(text(MANIFEST, content), f"{'0' * 16}.json", command=command)
       for command in ("verify ../r/s", f"reproduce ../{MANIFEST}", "aggregate ../s.yaml --results ../r")
       for content in ("[" * 100_000, "{}", "[]", "null", '{"format": 1, "sha256": {"../../../../../etc/passwd": ""}}')},
    **{f"{command[:9]} {metadata[:12]}": damaged(hostile_tables(metadata), said, command=command)
       for command, said in (("verify ../r/s", "estimates.parquet"), ("draw ../s.yaml --results ../r", "out of date"))  # of another study
       for metadata in (b"[]", b"null", b"3", b"{", b"[" * 100_000, b"\xff", b'{"table": {}}', b'{"table": "replicates"}')},
    "a file in their place": Case(text("r", "a file"), "simulate ../s.yaml --results ../r", ENVIRONMENT, ("r",)),
}  # fmt: skip
CASES = STUDY_FILES | RESULTS | cases(__file__)


@pytest.mark.parametrize("case", CASES)
def test_hostile_input(work, case):
    check_case(work, CASES[case])


@pytest.mark.parametrize(
    "block", ["x", "a/{cell}/2-1", "a/{cell}/0-3", f"a/{{cell}}/0-{'9' * 99}", "b/{cell}/0-2", "a/{cell}/0-2; touch x"]
)
def test_blocks_that_a_batch_does_not_have(work, block):
    (cell,) = cells_of("../s.yaml")
    command = f"reproduce {batches.make([Block(cell, 0, 2)], work / 'r/s')} --block"
    check_case(work, Case(nothing, f"{command} a/{cell.id}/0-2", 0, ("the same rows",)))
    check_case(work, refused(f"{command} '{block.replace('{cell}', cell.id)}'", "has no block"))


@pytest.mark.parametrize("mistake", [ValueError("a bug"), KeyError("x"), AttributeError("y"), ZeroDivisionError()])
def test_a_mistake_of_ours_does_not_look_like_bad_input(work, monkeypatch, mistake):
    """Exit 1, one line, and where the traceback was written."""
    monkeypatch.setattr(studies.plan, "count", Mock(side_effect=mistake))
    monkeypatch.setattr("tempfile.tempdir", str(work / "work"))
    code, text = call("validate", "../s.yaml")
    assert code == cli.BUG == 1 and len(text.splitlines()) == 1 and type(mistake).__name__ in text
    (log,) = (work / "work").iterdir()
    assert str(log) in text and "Traceback" in log.read_text()
    monkeypatch.setattr("tempfile.tempdir", str(work / "gone"))
    code, text = call("validate", "../s.yaml")
    assert code == cli.BUG and "could not be written" in text and len(text.splitlines()) == 1


# A word of --config, and words of the message.
CONFIG = """
stduy=mine.yaml → unknown key 'stduy'; did you mean 'study'?
results=[1,2] → results=['1', '2']: must be text, and Snakemake reads it as list
results=17 → results=17: must be text, and Snakemake reads it as int
studies={a: 1} → --configfile: this is a study file; use it as `snakemake --config study=FILE`
study={a: 1} → must be text, and Snakemake reads it as dict
results= → must be text, and Snakemake reads it as NoneType
allow_large=maybe → allow_large=maybe: must be true or false
"""


@pytest.mark.parametrize("said, words", rows(CONFIG))
def test_slips_in_the_config_of_snakemake(said, words):
    """A slip does not plan the quick study in silence."""
    from snakemake.cli import parse_config

    assert words in refusal(Workflow, parse_config([said]))


def snakemake(*words: str) -> subprocess.CompletedProcess:
    return python("-m", "snakemake", "--cores", "1", *words, cwd=ROOT, timeout=300)


@pytest.mark.xdist_group("snakemake here")
@pytest.mark.workflow
@pytest.mark.parametrize("case", ["yte", pytest.param("name with a command", marks=pytest.mark.slow)])
def test_plain_snakemake_refuses_as_well(tmp_path, case):
    path = tmp_path / "s.yaml"
    path.write_text(FILES[case][0])
    done = snakemake("--config", f"study={path}", f"results={tmp_path / 'r'}")
    assert done.returncode != 0
    assert FILES[case][1][0] in done.stderr and "Traceback" not in done.stderr
    assert os.listdir(tmp_path) == ["s.yaml"] and not (ROOT / "pwned").exists() and not (ROOT / "x").exists()


@pytest.mark.slow
@pytest.mark.xdist_group("snakemake here")
@pytest.mark.workflow
@pytest.mark.parametrize(
    "results, words",
    [("{tmp}/{x}", "braces"), ("{x}", "Snakemake reads it as dict")],
)
def test_plain_snakemake_and_odd_results(tmp_path, results, words):
    (tmp_path / "s.yaml").write_text(GOOD)
    done = snakemake("--config", f"study={tmp_path / 's.yaml'}", f"results={results.replace('{tmp}', str(tmp_path))}")
    assert done.returncode != 0 and words in done.stderr and os.listdir(tmp_path) == ["s.yaml"]


@pytest.mark.slow
@pytest.mark.xdist_group("snakemake here")
@pytest.mark.workflow
def test_plain_snakemake_and_a_slip():
    done = snakemake("--dry-run", "--config", "stduy=mine.yaml")
    said = done.stdout + done.stderr  # of a dry run the one, else the other
    assert done.returncode != 0 and rows(CONFIG)[0][1] in said and "Traceback" not in said


@pytest.mark.xdist_group("snakemake here")
@pytest.mark.slow
def test_a_results_folder_with_blanks_quotes_and_a_command(tmp_path):
    """Odd but lawful: it works, nothing is executed, and under umask 0 nothing is writable for others."""
    (tmp_path / "s.yaml").write_text(GOOD)
    results = tmp_path / "it's a; touch pwned $(touch pwned)#"
    before = os.umask(0)
    try:
        done = poissonmatch("run", tmp_path / "s.yaml", "--results", results, cwd=ROOT)
    finally:
        os.umask(before)
    assert done.returncode == 0, done.stderr
    assert (results / "s/estimates.parquet").exists() and sorted(os.listdir(tmp_path)) == [results.name, "s.yaml"]
    assert not (ROOT / "pwned").exists()
    for path in (results, *results.rglob("*")):
        others = 0o002 if "metadata" in path.parts else 0o022  # Snakemake lets the group write its records
        assert not path.stat().st_mode & others, path


def test_no_shell_no_pickle_no_eval():
    """Over the sources: none of the doors by which input becomes code."""
    for path in sorted((ROOT / "src/poissonmatch").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = {a.name for a in node.names} | {getattr(node, "module", None)}
                pickles = names & {"pickle", "cloudpickle", "marshal", "shelve", "dill"}
                assert not pickles or path.name == "jit.py", path  # compiled code in a private folder, as in Numba
            if isinstance(node, ast.Call):
                assert getattr(node.func, "id", "") not in ("eval", "exec", "compile", "__import__"), path
                assert not any(k.arg == "shell" for k in node.keywords), path
                doors = ("exec_module", "spec_from_file_location")  # to a user's own module, if he says so
                assert getattr(node.func, "attr", "") not in doors or path.name == "user_functions.py", path
                assert getattr(node.func, "attr", "") not in ("system", "popen"), path
