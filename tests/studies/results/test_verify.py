"""`verify` of nothing is no success."""

import os
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

from helpers.forge import forge
from helpers.runs import batch_with, blocks_in
from poissonmatch.cli import main as cli
from poissonmatch.studies.results import integrity
from poissonmatch_games import tables as game_tables


@pytest.fixture
def verify(monkeypatch, capsys):
    """`poissonmatch verify` in this process: exit code, what it printed, what it complained of."""

    def run(path: Path, *options: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["poissonmatch", "verify", str(path), *options])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        return (int(stop.value.code or 0), *capsys.readouterr())

    return run


def _parent(home: Path) -> Path:
    return home


def _leftover(home: Path) -> Path:
    (home / "x/blocks/replicates").mkdir(parents=True)
    (home / "x/blocks/replicates/.replicates.0123456789abcdef.tmp").write_bytes(b"half")
    return home / "x"


def _with(name: str, inside: bool = False):
    """A folder in which there is just this file, or folder if it ends with a slash; inside: the file itself."""

    def prepare(home: Path) -> Path:
        path = home / "x" / name
        (path if name.endswith("/") else path.parent).mkdir(parents=True)
        if not name.endswith("/"):
            path.write_text("mine")
        return path if inside else home / "x"

    return prepare


def _link(target: str):
    def prepare(home: Path) -> Path:
        (home / "x").symlink_to(target)
        return home / "x"

    return prepare


def _fifo(home: Path) -> Path:
    os.mkfifo(home / "x")
    return home / "x"


NOTHING = {  # what is verified, exit code, words
    "an empty folder": (_with("./"), 4, "missing: nothing to verify: neither blocks/BATCH.json nor"),
    "the folder around the results": (_parent, 4, "there are results in s, "),
    "the root": (lambda home: Path("/"), 4, "/: missing: nothing to verify"),
    "a folder of other files": (_with("notes.txt"), 4, "nothing to verify"),
    "empty blocks": (_with("blocks/replicates/"), 4, "nothing to verify"),
    "a run that was killed": (_leftover, 4, "1 unfinished files of a process that died"),
    "foreign files as blocks": (_with("blocks/replicates/notes.txt"), 4, "notes.txt: not ours: no manifest lists it"),
    "a file instead of blocks": (_with("blocks"), 4, "blocks: not ours: no manifest lists it"),
    "tables without their manifest": (_with("estimates.parquet"), 4, "manifest.json: missing"),
    "a foreign Parquet file": (_with("mine.parquet"), 4, "mine.parquet: damaged"),
    "a manifest of nothing": (_with("manifest.json"), 4, "manifest.json: damaged"),
    "a file": (
        _with("notes.txt", inside=True),
        4,
        "notes.txt: not ours: not a folder; give a study file or a results folder",
    ),
    "an empty study": (lambda home: home / "s.yaml", 2, "s.yaml, line 1: studies: "),
    "no study": (lambda home: home / "t.yaml", 2, "t.yaml: there is no such file"),
    "below a file": (lambda home: home / "s.yaml" / "x", 2, "there is no such folder"),
    "nowhere": (lambda home: home / "nowhere", 2, "nowhere: there is no such folder"),
    "a link to nowhere": (_link("nowhere"), 2, "there is no such folder"),
    "a link to itself": (_link("x"), 2, "there is no such folder"),
    "a pipe": (_fifo, 4, "not a folder"),
}


@pytest.mark.parametrize("case", NOTHING)
def test_verify_of_nothing_is_no_success(tiny, tmp_path, verify, case):
    prepare, expected, words = NOTHING[case]
    home = tmp_path / "home"
    home.mkdir()
    (home / "s.yaml").write_text("studies: {}")
    (home / "s").symlink_to(tiny[1])
    code, out, complaint = verify(prepare(home))
    assert code == expected and words in complaint and out == "", (code, complaint)
    assert "Traceback" not in complaint and len(complaint.splitlines()) <= 3


@pytest.mark.slow
def test_verify_of_results_says_how_many_files(tiny, verify):
    """The same files whether the folder or the study file is named."""
    code, out, _ = verify(tiny[1])
    assert code == 0 and "files verified" in out
    assert verify(tiny[0], "--results", str(tiny[1].parent)) == (0, out, "")


def test_verify_of_a_study_reports_missing_blocks(tiny, tmp_path, verify):
    """Of a study file without results, of one with a block less, and of a study file that is named twice."""
    run = f"poissonmatch run {tiny[0]} --results {tmp_path}"
    code, _, complaint = verify(tiny[0], "--results", str(tmp_path))
    assert code == 2 and complaint.endswith(f"there is no such folder; {run} makes the results\n")
    shutil.copytree(tiny[1], tmp_path / tiny[1].name)
    manifest = batch_with(tmp_path / tiny[1].name, "fussy")
    (block, *_) = blocks_in(manifest)
    shutil.rmtree(manifest.parent)
    code, _, complaint = verify(tiny[0], "--results", str(tmp_path))
    assert code == 4 and str(block) in complaint and complaint.endswith(f"\n{run} makes what is missing\n"), complaint
    assert verify(tiny[0], "--study", str(tiny[0]))[0] == 2


@pytest.mark.skipif(os.geteuid() != 0, reason="becomes another user")
@pytest.mark.parametrize("where", ["", "blocks", "blocks/distances"])
def test_what_cannot_be_read_is_no_success(tiny, verify, where):
    with tempfile.TemporaryDirectory() as home:  # pytest's own are closed to others
        os.chmod(home, 0o755)
        folder = Path(home) / "s"
        shutil.copytree(tiny[1], folder)
        (folder / where).chmod(0o700)
        os.seteuid(65534)
        try:
            code, out, complaint = verify(folder)
        finally:
            os.seteuid(0)
    assert code == 3 and str(folder / where) in complaint and "Permission denied" in complaint and out == ""


def test_tables_of_the_games_are_verified_without_a_manifest(tmp_path):
    game_tables.triangle(tmp_path / "triangle.parquet", 4)
    assert integrity.verify(tmp_path).problems == [] and integrity.verify(tmp_path).right == 1
    forge(tmp_path / "triangle.parquet", lambda f: f[::-1])
    assert [p.kind for p in integrity.verify(tmp_path).problems] == ["impossible"]
