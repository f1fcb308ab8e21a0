"""The page of the theorems names places of statements that are tested: they are in the data."""

import re
from pathlib import Path

import pytest

from helpers.statements import DOCUMENTS

DOCS = Path(__file__).parents[1] / "docs"
PAGE = (DOCS / "frog-games.md").read_text(encoding="utf-8")
SECTIONS = re.findall(r"^## (.*?)$(.*?)(?=^## |\Z)", PAGE.partition("\n## Counterexamples\n")[0], re.M | re.S)
PLACES = {row.place for row in DOCUMENTS[0].statements}


@pytest.mark.parametrize(("title", "text"), SECTIONS, ids=[title for title, _ in SECTIONS])
def test_a_theorem_has_its_rows_and_its_lines(title, text):
    named = re.findall(r'"([^"]*)"', text.partition("*Rows*:")[2])
    assert named and set(named) <= PLACES
    assert "```{code-cell}" in text and "# -> " in text


def test_all_theorems_of_the_report_are_there_in_their_order():
    kinds = "Theorem|Proposition|Corollary"
    found = re.findall(rf"(?:{kinds}) (\d+)", " ".join(title for title, _ in SECTIONS))
    assert [*map(int, found)] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]
