"""docs/statements.md: each call gives the result on the page, each control gives another one, and each test exists."""

import functools
import re
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import poissonmatch as pm
import poissonmatch_games as games
from poissonmatch_games.checkers import certificates

ROOT = Path(__file__).parents[1]
LINES = (ROOT / "docs/statements.md").read_text(encoding="utf-8").splitlines()
TABLES = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in LINES if line.startswith("| ")]
GLANCE = [
    row[:1] + row[2:] for row in TABLES if " → " in row[2] and not row[1].startswith("`")
]  # theorem, call, picture
ROWS = [row for row in TABLES if row[0] not in ("statement", "theorem") and row[:1] + row[2:] not in GLANCE]
LONG = ("certificates.load('E4')", "certificates.load('T4-zero')", "range(21, 104)", "range(21, 54)")  # seconds or more


def rows(chosen):
    """Return the rows as parameters of a test: with a name, and marked if their calls take long."""
    marks = {True: [pytest.mark.slow], False: []}
    return [pytest.param(row, id=row[0][:50], marks=marks[any(part in row[1] for part in LONG)]) for row in chosen]


CALLS = [row for row in ROWS if row[1].startswith("`")]


def test_every_row_has_a_call_and_a_test_or_a_reason():
    assert len(CALLS) > 300 and len(GLANCE) == 15
    for row in ROWS:
        assert len(row) == 4 and bool(row[3]) == (row in CALLS) and (row in CALLS or len(row[1]) > 15), row


@pytest.fixture(scope="module")
def names():
    """The names of the calls: the modules, and the definitions on the page."""
    known = {"functools": functools, "np": np, "stats": stats, "pm": pm, "games": games, "certificates": certificates}
    exec("\n".join(line.strip() for line in LINES if re.match(r"    \w+ = ", line)), known)
    return known


@pytest.mark.parametrize("row", rows([*GLANCE, *CALLS]))
def test_the_call(row, names):
    call, arrow, result = (part.strip("`") for part in row[1].partition(" → "))
    found = eval(call, names)
    assert found is not None and (not arrow or found == eval(result, names))


@pytest.mark.parametrize("row", rows([row for row in CALLS if row[2]]))
def test_the_control_has_another_result(row, names):
    """Of the same call, with a wrong rule, process or claim; a certificate with a wrong claim is rejected."""
    call, _, result = (part.strip("`") for part in row[1].partition(" → "))
    right, _, wrong = (part.strip("`") for part in row[2].partition(" → "))
    assert right in call
    changed = call.replace(right, wrong)
    if "{**certificates.load(" in wrong:
        with pytest.raises(ValueError):
            eval(changed, names)
    else:
        assert eval(changed, names) != eval(result, names)


def test_the_tests_are_there():
    named = [row[3].strip("`").partition("::") for row in CALLS]
    texts = {path: (ROOT / path).read_text(encoding="utf-8") for path, _, _ in named}
    assert [(path, name) for path, _, name in named if f"def {name or 'test_'}" not in texts[path]] == []
