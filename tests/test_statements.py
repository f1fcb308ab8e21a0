"""The statements of the source documents hold, and wrong versions of them do not.

A row of tests/statements has a call, and its result by the statement. Its control replaces a part of the statement, in
the call or in the result, with that of a wrong statement; then the call must not give the result.
"""

import re
from collections import Counter

import pytest

from helpers import statement_names
from helpers.sources import text_of
from helpers.statements import DOCUMENTS, REASONS, evaluate

ROWS = [row for document in DOCUMENTS for row in document.statements]
RUN = [
    pytest.param(row, id=f"{row.document[:3]} {row.place} {row.text[:40]}", marks=[pytest.mark.slow] * row.slow)
    for row in ROWS
    if not row.not_run
]


@pytest.mark.parametrize("row", RUN)
def test_a_statement_holds_and_its_control_does_not(row):
    names = dict(vars(statement_names))
    value = evaluate(row.call, names)
    assert value == evaluate(row.result, names)
    right, wrong = row.control.split(" → ")
    assert (row.call + row.result).count(right) == 1
    if right in row.call:
        names = dict(vars(statement_names))
        value = evaluate(row.call.replace(right, wrong), names)
    assert value != evaluate(row.result.replace(right, wrong), names)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_each_row_has_its_place_and_what_it_needs(document):
    assert {row.place.rpartition(": ")[0] for row in document.statements} == set(document.sections)
    for row in document.statements:
        assert row.text and row.place.rpartition(": ")[2], row
        assert bool(row.call and row.result and row.control) != (row.not_run in REASONS), row
        assert not row.not_run or not (row.call or row.result or row.control or row.slow), row
    assert max(Counter((row.place, row.text) for row in document.statements).values()) == 1


def test_the_numbers_on_the_page():
    page = text_of("docs/statements.md")
    table = re.findall(r"^\| .* \| `(.+)` \| (\d+) \| (\d+) \| (\d+) \|$", page, re.M)
    assert [(name, int(rows), int(run), int(slow)) for name, rows, run, slow in table] == [
        (
            document.name,
            len(document.statements),
            sum(not row.not_run for row in document.statements),
            sum(row.slow for row in document.statements),
        )
        for document in DOCUMENTS
    ]
    reasons = {word: int(number) for word, number in re.findall(r"^\| `(\w+)` \| .* \| (\d+) \|$", page, re.M)}
    assert reasons == Counter(row.not_run for row in ROWS if row.not_run)
    assert set(reasons) == set(REASONS) and len(page.split()) <= 500
    cells = sum(int(row.result) for row in ROWS if "table, a = " in row.place)
    assert f"All {cells} legible cells" in page
