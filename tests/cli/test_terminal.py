"""What reaches the terminal: printable text, one line for each mistake, whatever the words, the files and the streams are."""

import os
import shlex
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from helpers.bad_files import GOOD
from helpers.command_line import call
from helpers.hostile import cases, refused
from helpers.processes import poissonmatch
from helpers.refusals import rows
from poissonmatch.cli import main as cli
from poissonmatch.cli import terminal

HOSTILE = cases(__file__) | {"bytes that are no text": refused("validate " + os.fsdecode(b"\xff\xfe.yaml"))}


@pytest.mark.parametrize("case", HOSTILE)
def test_nothing_but_printable_lines_is_written(tmp_path, monkeypatch, case):
    given, command, code, _ = HOSTILE[case]
    monkeypatch.chdir(tmp_path)
    given(tmp_path)
    got, answer = call(*shlex.split(command))
    assert got == code and answer, answer
    assert [line for line in answer.split("\n") if not line.isprintable()] == []
    assert "\nall is right" not in answer and len(answer.splitlines()) <= 2


LONG = "T" * 100_000
AT_LENGTH = """
LONG
validate LONG.yaml
verify LONG
draw s.yaml LONG
run s.yaml --profile LONG
plan s.yaml --LONG
play --human LONG
play --html LONG
games value 'T^1000000 . F'
games value 'T^9999 .^9999 FT^9999 .^9999 FT^9999 .^9999 F'
games value TF --thermograph LONG
games toads-and-frogs --k LONG
games triangle --output LONG
"""


@pytest.mark.parametrize("command", AT_LENGTH.strip().splitlines())
def test_every_message_is_one_short_line(tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    Path("s.yaml").write_text(GOOD)
    code, text = call(*shlex.split(command.replace("LONG", LONG)))
    assert code in (cli.BAD_INPUT, cli.ENVIRONMENT, cli.INTEGRITY) and "Traceback" not in text
    assert len(text.splitlines()) == 1 and len(text) < 1000, text[:2000]


def test_colors_are_never_asked_for(monkeypatch):
    """Not in a terminal, not where a variable says so: nothing but text is written, so colors would be seen as such."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    for words in ("--help", "run --help", "games --help", "fly"):
        assert "x1b" not in call(*words.split())[1]


def test_a_warning_is_a_line(capsys):
    with terminal.plain_streams():
        warnings.warn("kept\x1b[2J elsewhere\nTraceback", RuntimeWarning, stacklevel=1)
    assert capsys.readouterr().err == "note: kept\\x1b[2J elsewhere\n"


# ---- streams that are closed, full or elsewhere ----


def shell(words: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess:
    line = f'"{sys.executable}" -m poissonmatch {words}'
    return subprocess.run(
        ["bash", "-c", line], cwd=cwd, env={**os.environ, **environment}, capture_output=True, text=True, timeout=300
    )


# Exit code, number of lines on standard error, the command, words on standard output and on standard error.
STREAMS = r"""
0 → 0 → validate s.yaml >&-
0 → 0 → validate s.yaml >&- 2>&- <&-
2 → 0 → fly 2>&-
2 → 0 → fly 2>/dev/full
3 → 1 → validate s.yaml >/dev/full →  → No space left on device
3 → 0 → validate s.yaml | head -c 0; exit ${PIPESTATUS[0]}
2 → 1 → play --points 5 <&- → Alice> → standard input ended before the game
2 → 1 → play --points 5 </dev/null → Alice> → standard input ended before the game
2 → 1 → play --points 5 --dim 3 < <(echo moves) → places a frog on 3 → standard input ended before the game
0 → 0 → play --points 5 < <(echo quit) → Alice>
0 → 0 → play --points 5 < <(printf '\xff\x00\n\x1b[2J\nquit\n') → is not a move
0 → 0 → play --points 5 < <(head -c 100000 /dev/zero; echo; echo quit) → is not a move
0 → 0 → play --points 5 --human nobody <&- → wins
3 → 1 → play --points 5 0>sink → Alice>
"""


@pytest.mark.slow
@pytest.mark.workflow
@pytest.mark.parametrize("row", rows(STREAMS), ids=lambda row: row[2])
def test_streams(tmp_path, row):
    code, lines, words, *said = row
    out, err = [*said, "", ""][:2]
    (tmp_path / "s.yaml").write_text(GOOD)
    done = shell(words, tmp_path)
    assert (done.returncode, len(done.stderr.splitlines())) == (int(code), int(lines)), done
    assert out in done.stdout and err in done.stderr and "Traceback" not in done.stderr
    assert all(line.isprintable() for line in done.stdout.split("\n"))


@pytest.mark.slow
@pytest.mark.workflow
def test_an_encoding_without_the_letters(tmp_path):
    """A terminal of ASCII only: no letter stops a command."""
    done = shell("validate é∞.yaml", tmp_path, PYTHONIOENCODING="ascii:strict", PYTHONUTF8="1")
    assert done.returncode == cli.BAD_INPUT and done.stderr.startswith(r"\xe9\u221e.yaml: ")


# ---- libraries that cannot be loaded ----


@pytest.mark.workflow
@pytest.mark.parametrize("library", ["numpy", "pydantic", "typer"])
def test_a_library_that_is_not_there(tmp_path, library):
    """An installation that is broken is no mistake of ours, and told in a line."""
    (tmp_path / f"{library}.py").write_text("raise ImportError('shared object: cannot be mapped')")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    done = poissonmatch("validate", "s.yaml", variables={"PYTHONPATH": path}, cwd="/", timeout=300)
    assert done.returncode == cli.ENVIRONMENT and len(done.stderr.splitlines()) == 1
    assert "a library cannot be loaded: shared object: cannot be mapped" in done.stderr


def test_long_lines_are_wrapped_between_words_and_maps_are_not():
    text = "a few words that are longer than the edge\n| a map of 1  [2]  and so on |\nshort\n" + "x" * 30
    assert terminal.wrapped(text, 20).split("\n") == [
        "a few words that are",
        "longer than the edge",
        "| a map of 1  [2]  and so on |",
        "short",
        "x" * 30,
    ]
    assert terminal.wrapped("#1 0 4; #2 1 4; #3 2 4; #4 3 0", 20).split("\n") == ["#1 0 4; #2 1 4;", "#3 2 4; #4 3 0"]
