"""Hostile and clumsy input: exit 2, 3 or 4, one clear message, no traceback, nothing executed, nothing written elsewhere."""

import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.bad_files import FILES, GOOD
from poissonmatch.cells import Block
from poissonmatch.cli import main as cli
from poissonmatch.pipeline import blocks, files

ROOT = Path(__file__).parents[2]
COMMANDS = ("validate", "plan", "run", "status", "aggregate", "draw", "repair")


def call(*words: str) -> tuple[int, str]:
    """Exit code and output of the command line, in this process (as main() does it)."""
    out = io.StringIO()
    before, mask = sys.argv, os.umask(0o022)
    sys.argv = ["poissonmatch", *words]
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            cli.main()
        return 0, out.getvalue()
    except SystemExit as stop:
        return int(stop.code or 0), out.getvalue()
    finally:
        sys.argv = before
        os.umask(mask)


@pytest.fixture
def home(tmp_path, monkeypatch):
    """An empty folder to work in, where nothing may appear; the Snakefile is that of the project."""
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    return work


def refused(home: Path, words: tuple[str, ...], code: int, *said: str) -> str:
    before = sorted(home.parent.rglob("*"))
    got, text = call(*words)
    assert got == code, (got, text)
    assert "Traceback" not in text and 0 < len(text) < 3000, text
    for word in said:
        assert word in text, text
    assert sorted(home.parent.rglob("*")) == before, "something was written"
    return text


@pytest.mark.parametrize("case", [pytest.param(c, marks=[pytest.mark.long] * (c == "many figures")) for c in FILES])
def test_bad_study_files(home, case):
    text, said = FILES[case]
    path = home.parent / "s.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    refused(home, ("validate", str(path)), cli.BAD_INPUT, "s.yaml", *said)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_refuses_a_bad_study(home, command):
    (home.parent / "s.yaml").write_text(FILES["python tag"][0])
    refused(home, (command, str(home.parent / "s.yaml")), cli.BAD_INPUT, "tag")


def test_things_that_are_no_study_file(home):
    big, fifo = home.parent / "big.yaml", home.parent / "fifo.yaml"
    with big.open("wb") as file:
        file.truncate(2 * 1024**3)
    os.mkfifo(fifo)
    (home.parent / "folder.yaml").mkdir()
    (home.parent / "loop.yaml").symlink_to("loop.yaml")
    for name, said in (
        ("big", "too much"),
        ("fifo", "not a regular file"),
        ("folder", "not a regular file"),
        ("loop", "loop.yaml"),
        ("none", "no such file"),
    ):
        refused(home, ("validate", str(home.parent / f"{name}.yaml")), cli.BAD_INPUT, said)
    refused(home, ("validate", "/dev/zero"), cli.BAD_INPUT, "not a regular file")
    refused(home, ("validate", ""), cli.BAD_INPUT)


@pytest.mark.parametrize("name", ["a; touch x #.yaml", "{x}.yaml", "a b.yaml", "-a.yaml", "x" * 200 + ".yaml", ".yaml"])
def test_names_of_study_files(home, name):
    (home.parent / name).write_text(GOOD)
    refused(home, ("validate", str(home.parent / name)), cli.BAD_INPUT, "not a name")


@pytest.mark.parametrize("results", ["{x}", "a\nb", "r/{study}"])
def test_results_folders_that_are_patterns(home, results):
    (home.parent / "s.yaml").write_text(GOOD)
    for command in ("aggregate", "status", "draw", "repair"):
        refused(home, (command, str(home.parent / "s.yaml"), "--results", results), cli.BAD_INPUT, "braces")


@pytest.mark.parametrize(
    "block",
    ["x", "r/shards/a/b/0-2.json", "r/shards/../../x/000000-000002.json", "r/shards/a/{cell}/000002-000001.json",
     "r/shards/a/{cell}/000000-000003.json", "r/shards/a/{cell}/000000-99999999999999999999.json",
     "r/shards/b/{cell}/000000-000002.json", "r/shards/a/{cell}/000000-000002.json; touch x"],
)  # fmt: skip
def test_blocks_that_a_study_does_not_have(home, block):
    from poissonmatch import studies

    (home.parent / "s.yaml").write_text(GOOD)
    cell = studies.cells(studies.load(home.parent / "s.yaml"))[0].id
    refused(home, ("simulate", str(home.parent / "s.yaml"), block.replace("{cell}", cell)), cli.BAD_INPUT)


def test_words_of_the_command_line(home):
    (home.parent / "s.yaml").write_text(GOOD)
    study = str(home.parent / "s.yaml")
    for words in (("fly",), ("plan", study, "--cores", "x"), ("run", study, "--profile", "../../etc"), ("run", study)):
        refused(home, words, cli.BAD_INPUT)
    for words in (("plan", study, "--cores", "0"), ("reproduce", "/"), ("reproduce", ".")):
        refused(home, words, cli.BAD_INPUT)
    refused(home, ("validate", "a" * 5000 + ".yaml"), cli.BAD_INPUT, "not a name")
    refused(home, ("verify", "nowhere"), cli.BAD_INPUT, "no such folder")
    refused(home, ("reproduce", "nowhere.json"), cli.INTEGRITY, "missing")
    refused(home, ("aggregate", study), cli.INTEGRITY, "missing")
    refused(home, ("draw", study), cli.INTEGRITY)


IMPOSSIBLE = {
    "tiny torus": (GOOD.replace("50", "1.0e-300"), "side"),
    "thin torus": (GOOD.replace("sizes: 50", "sizes: 50, intensities: 1.0e-300"), "side"),
    "matern": (GOOD.replace("dims", "process: {name: matern, distance: 1.0e+9}, dims"), "intensity"),
    "parents": (GOOD.replace("dims", "process: {name: thomas, offspring: 1.0e-14}, dims"), "of memory"),
    "endless parents": (GOOD.replace("dims", "process: {name: thomas, offspring: 1.0e-300}, dims"), "of memory"),
}


@pytest.mark.long
@pytest.mark.parametrize("case", IMPOSSIBLE)
def test_parameters_that_no_process_can_have(home, case):
    from poissonmatch import studies

    (home.parent / "s.yaml").write_text(IMPOSSIBLE[case][0])
    cell = studies.cells(studies.load(home.parent / "s.yaml"))[0]
    refused(home, ("plan", str(home.parent / "s.yaml")), cli.BAD_INPUT, IMPOSSIBLE[case][1])
    block = str(blocks.manifest_path(home.parent / "r" / "s", Block(cell, 0, 2)))
    refused(home, ("simulate", str(home.parent / "s.yaml"), block), cli.BAD_INPUT, IMPOSSIBLE[case][1])


@pytest.mark.parametrize(
    "words",
    [
        ("value", "T^99999999999999999999999"),
        ("value", "T^999999999 . F"),
        ("value", "TxF"),
        ("toads-and-frogs", "--k", "99999999999999999999"),
        ("toads-and-frogs", "--memory", "9" * 400),
        ("toads-and-frogs", "--time", "soon"),
        ("triangle", "--output", "/"),
        ("puzzle", "--output", "."),
        ("claims", "--output", ""),
    ],
    ids=" ".join,
)
def test_words_for_the_exact_games(home, words):
    refused(home, ("games", *words), cli.BAD_INPUT)


@pytest.mark.parametrize("mistake", [ValueError("a bug"), KeyError("x"), AttributeError("y"), ZeroDivisionError()])
def test_a_mistake_of_ours_does_not_look_like_bad_input(home, monkeypatch, mistake):
    """Exit 1, one line, and where the traceback was written."""
    (home.parent / "s.yaml").write_text(GOOD)

    def broken(*words):
        raise mistake

    monkeypatch.setattr(cli.plan, "count", broken)
    monkeypatch.setattr("tempfile.tempdir", str(home))
    code, text = call("validate", str(home.parent / "s.yaml"))
    assert code == cli.BUG == 1 and len(text.splitlines()) == 1 and type(mistake).__name__ in text
    (log,) = home.iterdir()
    assert str(log) in text and "Traceback" in log.read_text() and "def broken" not in text
    log.unlink()
    monkeypatch.setattr("tempfile.tempdir", str(home / "gone"))
    code, text = call("validate", str(home.parent / "s.yaml"))
    assert code == cli.BUG and "could not be written" in text and len(text.splitlines()) == 1


def test_a_manifest_may_be_hostile_too(home):
    cell = home.parent / "r/s/shards/a/b"
    cell.mkdir(parents=True)
    manifest = cell / "000000-000002.json"
    for text in (
        "[" * 100_000,
        "{}",
        "[]",
        "null",
        '{"format": 1, "sha256": {"../../../../../etc/passwd": ""}}',
    ):
        manifest.write_text(text)
        for words in (("verify", str(home.parent / "r/s")), ("reproduce", str(manifest))):
            refused(home, words, cli.INTEGRITY, "000000-000002.json")


@pytest.mark.parametrize(
    "metadata", [b"[]", b"null", b"3", b"{", b"[" * 100_000, b"\xff", b'{"table": {}}', b'{"table": "replicates"}']
)
def test_a_table_may_be_hostile_too(home, metadata):
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder = home.parent / "r/s"
    folder.mkdir(parents=True)
    table = pa.table({"x": [1]}).replace_schema_metadata({b"poissonmatch": metadata})
    pq.write_table(table, folder / "estimates.parquet")
    digest = files.sha256((folder / "estimates.parquet").read_bytes())
    (folder / "manifest.json").write_bytes(files.to_json({"sha256": {"estimates.parquet": digest}}))
    (home.parent / "s.yaml").write_text(GOOD)
    refused(home, ("verify", str(folder)), cli.INTEGRITY, "estimates.parquet")
    refused(home, ("draw", str(home.parent / "s.yaml"), "--results", str(folder.parent)), cli.INTEGRITY, "out of date")


def test_a_folder_that_cannot_be_written(home):
    (home.parent / "s.yaml").write_text(GOOD)
    (home.parent / "r").write_text("a file where the folder should be")
    from poissonmatch import studies

    cell = studies.cells(studies.load(home.parent / "s.yaml"))[0]
    manifest = str(blocks.manifest_path(home.parent / "r" / "s", Block(cell, 0, 2)))
    refused(home, ("simulate", str(home.parent / "s.yaml"), manifest), cli.ENVIRONMENT, "r")
    assert (home.parent / "r").read_text() == "a file where the folder should be"


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


@pytest.mark.xdist_group("snakemake here")
@pytest.mark.workflow
@pytest.mark.parametrize("results", ["{tmp}/{x}", pytest.param("{x}", marks=pytest.mark.slow)])
def test_plain_snakemake_and_odd_results(tmp_path, results):
    (tmp_path / "s.yaml").write_text(GOOD)
    done = snakemake("--config", f"study={tmp_path / 's.yaml'}", f"results={results.replace('{tmp}', str(tmp_path))}")
    assert done.returncode != 0 and "braces" in done.stderr and os.listdir(tmp_path) == ["s.yaml"]


@pytest.mark.xdist_group("snakemake here")
@pytest.mark.slow
def test_a_results_folder_with_blanks_quotes_and_a_command(tmp_path):
    """Odd but lawful: it works, nothing is executed, and under umask 0 nothing is writable for others."""
    (tmp_path / "s.yaml").write_text(GOOD)
    results = tmp_path / "it's a; touch pwned $(touch pwned)#"
    before = os.umask(0)
    try:
        done = snakemake("--config", f"study={tmp_path / 's.yaml'}", f"results={results}")
    finally:
        os.umask(before)
    assert done.returncode == 0, done.stderr
    assert (results / "s" / "estimates.parquet").exists() and sorted(os.listdir(tmp_path)) == [results.name, "s.yaml"]
    assert not (ROOT / "pwned").exists()
    for path in (results, *results.rglob("*")):
        assert not path.stat().st_mode & 0o022, path


def test_no_shell_no_pickle_no_eval():
    """Over the sources: none of the doors by which input becomes code."""
    import ast

    for path in sorted((ROOT / "src" / "poissonmatch").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = {a.name for a in node.names} | {getattr(node, "module", None)}
                assert not names & {"pickle", "cloudpickle", "marshal", "shelve", "dill"}, path
            if isinstance(node, ast.Call):
                assert getattr(node.func, "id", "") not in ("eval", "exec", "compile", "__import__"), path
                assert not any(k.arg == "shell" for k in node.keywords), path
                assert getattr(node.func, "attr", "") not in ("system", "popen"), path
