"""docs/play.md: every command runs, every game is named, every test that it names is there."""

import re
import shlex
from pathlib import Path

import pytest

from games.test_play_terminal import CSV
from helpers.command_line import call
from poissonmatch.frogs import VARIANTS
from poissonmatch_games.toads.strip_games import TOADS

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/play.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^poissonmatch (.*?)(?:  +#.*)?$", TEXT, re.M)


@pytest.mark.parametrize("words", COMMANDS)
def test_the_commands(tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.csv").write_text(CSV)
    code, text = call(*shlex.split(words.replace(" --human Bob", "")), "--human", "nobody")
    assert code == 0 and ("wins." in text or "solved." in text or "--rules" in words or "wrote games.html" in text)


def test_what_is_named_is_there():
    assert all(f"`{name}`" in TEXT for name in (*VARIANTS, *TOADS))
    assert all((ROOT / path).exists() for path in re.findall(r"`(tests/[\w/]+\.py)`", TEXT))
    assert all((ROOT / "docs" / path).exists() for path in re.findall(r"\]\((\w+\.md)\)", TEXT))
