"""The page of the theorems has all of them, and statements about each of them are tested."""

import re

import pytest

from helpers.sources import text_of
from helpers.statements import DOCUMENTS

PAGE = text_of("docs/frog-games.md")
SECTIONS = re.findall(r"^## (.*?)$(.*?)(?=^## |\Z)", PAGE.partition("\n## Counterexamples\n")[0], re.M | re.S)
KIND = r"(?:Theorem|Proposition|Corollary) \d+"
PLACES = {row.place for row in DOCUMENTS[0].statements}


@pytest.mark.parametrize("title, text", SECTIONS, ids=[title for title, _ in SECTIONS])
def test_a_theorem_has_statements_and_lines(title, text):
    named = re.findall(rf"{KIND}|open problem", title)
    assert named and all(any(re.search(rf"\b{name}\b", place) for place in PLACES) for name in named)
    assert "```{code-cell}" in text and "# -> " in text


def test_all_theorems_of_the_report_are_there_in_their_order():
    found = re.findall(KIND, " ".join(title for title, _ in SECTIONS))
    assert [int(name.split()[1]) for name in found] == [*range(1, 15)]
