"""Hostile and clumsy input: exit 2, 3 or 4, one clear message, no traceback, nothing executed, nothing written elsewhere."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pytest

from helpers.bad_files import FILES, FINE, GOOD
from helpers.command_line import call
from poissonmatch.cli import main as cli
from poissonmatch.cli.main import BAD_INPUT, ENVIRONMENT, INTEGRITY
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.run import batches
from poissonmatch.studies.run.workflow import Workflow
from poissonmatch.studies.sampling.cells import Block
from poissonmatch.studies.tables.estimate_tables import TABLES
from poissonmatch.utils.errors import BadInput
from poissonmatch.utils.manifests import sha256, to_json

ROOT = Path(__file__).parents[2]
COMMANDS = ("validate", "plan", "run", "status", "aggregate", "draw", "repair")


class Answer(NamedTuple):
    """Exit code; words that the answer should hold and does not; files that appeared or went; is it a message, and no traceback?"""

    code: int
    unsaid: tuple[str, ...] = ()
    changed: frozenset[Path] = frozenset()
    message: bool = True


def answer(folder: Path, words: Iterable[str], said: Iterable[str] = ()) -> Answer:
    """What the command line answers, and what it leaves on the disk."""
    before = set(folder.rglob("*"))
    code, text = call(*words)
    unsaid = tuple(word for word in said if word not in text)
    message = "Traceback" not in text and 0 < len(text) < 3000
    return Answer(code, unsaid, frozenset(before ^ set(folder.rglob("*"))), message)


@pytest.fixture
def home(tmp_path, monkeypatch):
    """An empty folder to work in, below one with a good study file, where nothing may appear."""
    work = tmp_path / "work"
    work.mkdir()
    (tmp_path / "s.yaml").write_text(GOOD)
    monkeypatch.chdir(work)
    return tmp_path


@pytest.mark.parametrize("case", FILES)
def test_bad_study_files(home, case):
    text, said = FILES[case]
    (home / "s.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())
    assert answer(home, ("validate", "../s.yaml"), ("s.yaml", *said)) == Answer(BAD_INPUT)


@pytest.mark.parametrize("case", FINE)
def test_study_files_that_look_odd(home, case):
    text, said = FINE[case]
    (home / "s.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())
    assert answer(home, ("validate", "../s.yaml"), ("s.yaml", "1 study", *said)) == Answer(0)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_refuses_a_bad_study(home, command):
    (home / "s.yaml").write_text(FILES["python tag"][0])
    assert answer(home, (command, "../s.yaml"), ("tag",)) == Answer(BAD_INPUT)


@pytest.mark.parametrize("name", ["a; touch x #.yaml", "{x}.yaml", "a b.yaml", "-a.yaml", "x" * 200 + ".yaml", ".yaml"])
def test_names_of_study_files(home, name):
    (home / name).write_text(GOOD)
    assert answer(home, ("validate", str(home / name)), ("not a name",)) == Answer(BAD_INPUT)


@pytest.fixture
def zoo(home):
    """Things that are no study file."""
    with (home / "big.yaml").open("wb") as file:
        file.truncate(2 * 1024**3)
    os.mkfifo(home / "fifo.yaml")
    (home / "folder.yaml").mkdir()
    (home / "loop.yaml").symlink_to("loop.yaml")
    return home


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("validate ../big.yaml", BAD_INPUT, "too large"),
        ("validate ../fifo.yaml", BAD_INPUT, "not a regular file"),
        ("validate ../folder.yaml", BAD_INPUT, "not a regular file"),
        ("validate ../loop.yaml", BAD_INPUT, "loop.yaml"),
        ("validate /dev/zero", BAD_INPUT, "not a regular file"),
        ("validate ''", BAD_INPUT, "not a name"),
        (f"validate {'a' * 5000}.yaml", BAD_INPUT, "not a name"),
        ("plan ../s.yaml --cores x", BAD_INPUT, "--cores"),
        ("plan ../s.yaml --cores 0", BAD_INPUT, "--cores"),
        ("plan ../s.yaml --cores 1000000000", BAD_INPUT, "4096"),
        ("run ../s.yaml --profile ../../etc", BAD_INPUT, ""),
        ("reproduce /", BAD_INPUT, "not a batch"),
        ("reproduce nowhere.json", INTEGRITY, "missing"),
        ("aggregate ../s.yaml", INTEGRITY, "missing"),
        ("draw ../s.yaml", INTEGRITY, ""),
        *((f"{command} ../s.yaml --results '{name}'", BAD_INPUT, "braces")
          for name in ("{x}", "a\nb", "r/{study}") for command in ("aggregate", "status", "draw", "repair")),
        ("games value T^99999999999999999999999", BAD_INPUT, ""),
        ("games toads-and-frogs --k 99999999999999999999", BAD_INPUT, ""),
        (f"games toads-and-frogs --memory {'9' * 400}", BAD_INPUT, ""),
        ("games triangle --output /", BAD_INPUT, ""),
        ("games claims --output ''", BAD_INPUT, ""),
    ],
    ids=lambda value: value[:60] if isinstance(value, str) else "",
)  # fmt: skip
def test_words_of_the_command_line(zoo, words, code, said):
    assert answer(zoo, shlex.split(words), (said,)) == Answer(code)


@pytest.mark.parametrize(
    "block", ["x", "a/{cell}/2-1", "a/{cell}/0-3", f"a/{{cell}}/0-{'9' * 99}", "b/{cell}/0-2", "a/{cell}/0-2; touch x"]
)
def test_blocks_that_a_batch_does_not_have(home, block):
    cell = studies.cells(studies.load("../s.yaml"))[0]
    manifest = batches.make([Block(cell, 0, 2)], home / "r/s")
    assert answer(home, ("reproduce", str(manifest), "--block", f"a/{cell.id}/0-2"), ("the same rows",)) == Answer(0)
    words = ("reproduce", str(manifest), "--block", block.replace("{cell}", cell.id))
    assert answer(home, words, ("has no block",)) == Answer(BAD_INPUT)


@pytest.mark.parametrize("mistake", [ValueError("a bug"), KeyError("x"), AttributeError("y"), ZeroDivisionError()])
def test_a_mistake_of_ours_does_not_look_like_bad_input(home, monkeypatch, mistake):
    """Exit 1, one line, and where the traceback was written."""

    def broken(*words):
        raise mistake

    monkeypatch.setattr(studies.plan, "count", broken)
    monkeypatch.setattr("tempfile.tempdir", str(home / "work"))
    code, text = call("validate", "../s.yaml")
    assert code == cli.BUG == 1 and len(text.splitlines()) == 1 and type(mistake).__name__ in text
    (log,) = (home / "work").iterdir()
    assert str(log) in text and "Traceback" in log.read_text() and "def broken" not in text
    monkeypatch.setattr("tempfile.tempdir", str(home / "gone"))
    code, text = call("validate", "../s.yaml")
    assert code == cli.BUG and "could not be written" in text and len(text.splitlines()) == 1


@pytest.mark.parametrize(
    "text", ["[" * 100_000, "{}", "[]", "null", '{"format": 1, "sha256": {"../../../../../etc/passwd": ""}}'], ids=len
)
@pytest.mark.parametrize(
    "command", ["verify ../r/s", f"reproduce ../r/s/blocks/{'0' * 16}.json", "aggregate ../s.yaml --results ../r"]
)
def test_a_manifest_may_be_hostile_too(home, command, text):
    manifest = home / f"r/s/blocks/{'0' * 16}.json"
    manifest.parent.mkdir(parents=True)
    manifest.write_text(text)
    assert answer(home, command.split(), (manifest.name,)) == Answer(INTEGRITY)


@pytest.mark.parametrize("command", ["verify ../r/s", "draw ../s.yaml --results ../r"])
@pytest.mark.parametrize(
    "metadata",
    [b"[]", b"null", b"3", b"{", b"[" * 100_000, b"\xff", b'{"table": {}}', b'{"table": "replicates"}'],
    ids=len,
)
def test_a_table_may_be_hostile_too(home, command, metadata):
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder = home / "r/s"
    folder.mkdir(parents=True)
    table = pa.table({"x": [1]}).replace_schema_metadata({b"poissonmatch": b"", b"PANDAS_ATTRS": metadata})
    digests = {}
    for name in TABLES:
        pq.write_table(table, folder / f"{name}.parquet")
        digests[f"{name}.parquet"] = sha256((folder / f"{name}.parquet").read_bytes())
    (folder / "manifest.json").write_bytes(to_json({"commit": "", "sha256": digests}))
    said = "estimates.parquet" if command.startswith("verify") else "out of date"  # of another study
    assert answer(home, command.split(), (said,)) == Answer(INTEGRITY)


def test_a_folder_that_cannot_be_written(home):
    (home / "r").write_text("a file where the folder should be")
    assert answer(home, ("simulate", "../s.yaml", "--results", "../r"), ("r",)) == Answer(ENVIRONMENT)
    assert (home / "r").read_text() == "a file where the folder should be"


CONFIG = [
    ("stduy=mine.yaml", "unknown key 'stduy'; did you mean 'study'?"),
    ("results=[1,2]", "results=['1', '2']: must be text, and Snakemake reads it as list"),
    ("results=17", "results=17: must be text, and Snakemake reads it as int"),
    ("studies={a: 1}", "--configfile: this is a study file; use it as `snakemake --config study=FILE`"),
    ("study={a: 1}", "must be text, and Snakemake reads it as dict"),
    ("results=", "must be text, and Snakemake reads it as NoneType"),
    ("allow_large=maybe", "allow_large=maybe: must be true or false"),
]


@pytest.mark.parametrize(("said", "words"), CONFIG)
def test_slips_in_the_config_of_snakemake(home, said, words):
    """A slip does not plan the quick study in silence."""
    from snakemake.cli import parse_config

    with pytest.raises(BadInput, match=re.escape(words)):
        Workflow(parse_config([said]))


def snakemake(*words: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "snakemake", "--cores", "1", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )


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
    ("results", "words"),
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
    assert done.returncode != 0 and CONFIG[0][1] in said and "Traceback" not in said


@pytest.mark.xdist_group("snakemake here")
@pytest.mark.slow
def test_a_results_folder_with_blanks_quotes_and_a_command(tmp_path):
    """Odd but lawful: it works, nothing is executed, and under umask 0 nothing is writable for others."""
    (tmp_path / "s.yaml").write_text(GOOD)
    results = tmp_path / "it's a; touch pwned $(touch pwned)#"
    before = os.umask(0)
    try:
        words = [sys.executable, "-m", "poissonmatch", "run", tmp_path / "s.yaml", "--results", results]
        done = subprocess.run([*map(str, words)], cwd=ROOT, capture_output=True, text=True)
    finally:
        os.umask(before)
    assert done.returncode == 0, done.stderr
    assert (results / "s" / "estimates.parquet").exists() and sorted(os.listdir(tmp_path)) == [results.name, "s.yaml"]
    assert not (ROOT / "pwned").exists()
    for path in (results, *results.rglob("*")):
        others = 0o002 if "metadata" in path.parts else 0o022  # Snakemake lets the group write its records
        assert not path.stat().st_mode & others, path


def test_no_shell_no_pickle_no_eval():
    """Over the sources: none of the doors by which input becomes code."""
    import ast

    for path in sorted((ROOT / "src" / "poissonmatch").rglob("*.py")):
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
