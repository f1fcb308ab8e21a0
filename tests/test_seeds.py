"""docs/statements.md: every call gives what stands there, every test is there."""

import re
from pathlib import Path

import pytest

import poissonmatch as pm
import poissonmatch_games as games

ROOT = Path(__file__).parents[1]
LINES = (ROOT / "docs/statements.md").read_text(encoding="utf-8").splitlines()
ROWS = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in LINES if line.startswith("| ")]
ROWS = [row for row in ROWS if row != ["statement", "call", "test"]]
CALLS = [row for row in ROWS if row[1].startswith("`")]


def test_every_row_has_a_call_and_a_test_or_says_why_not():
    assert len(ROWS) > 288  # the statements of the five documents
    for row in ROWS:
        assert len(row) == 3 and (row in CALLS) == bool(row[2]) and (row in CALLS or "not here" in row[1]), row


@pytest.fixture(scope="module")
def names():
    """What the calls may say: the package, and the names that the page gives to patterns."""
    known = {"pm": pm, "games": games}
    exec("\n".join(line.strip() for line in LINES if re.match(r"    \w+ = ", line)), known)
    return known


@pytest.mark.parametrize("row", CALLS, ids=lambda row: row[0][:50])
def test_the_call(row, names):
    call, arrow, result = row[1].partition(" → ")
    found = eval(call.strip("`"), names)
    assert found is not None and (not arrow or found == eval(result.strip("`")))


def test_the_tests_are_there():
    named = [row[2].strip("`").partition("::") for row in CALLS]
    texts = {path: (ROOT / path).read_text(encoding="utf-8") for path, _, _ in named}
    assert [(path, name) for path, _, name in named if f"def {name or 'test_'}" not in texts[path]] == []
