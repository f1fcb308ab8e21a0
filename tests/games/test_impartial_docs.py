"""docs/impartial.md: its code runs, line by line, and gives what stands behind the arrows."""

import ast
import re
import shlex
from pathlib import Path

import pytest

from helpers.command_line import call

TEXT = (Path(__file__).parents[2] / "docs/impartial.md").read_text(encoding="utf-8")
CODE = "\n".join(re.findall(r"^(?:    (.*))?$", TEXT, re.M))
COMMANDS = re.findall(r"^poissonmatch (.*?)(?:  +#.*)?$", TEXT, re.M)


def statements():
    lines = CODE.splitlines()
    for node in ast.parse(CODE).body:
        yield "\n".join(lines[node.lineno - 1 : node.end_lineno])


def test_the_code():
    space, shown = {}, 0
    for text in statements():
        code, arrow, result = text.partition("  # -> ")
        if arrow:
            assert eval(code, space) == eval(result, space), code
            shown += 1
        else:
            exec(code, space)
    assert shown > 20


@pytest.mark.parametrize("words", COMMANDS)
def test_the_commands(tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.txt").write_text("start: a b\na: b\nb:\n")
    code, text = call(*shlex.split(words.replace("sprouts 4", "sprouts 2").replace("--human Bob", "--human nobody")))
    assert code == 0 and text
