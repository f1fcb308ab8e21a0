"""Studies that are refused, by topic: keys, where the message stands if that is said, and words of it, a line each."""

import pytest

from helpers.refusals import refusal, rows
from helpers.runs import write_study
from helpers.tables import tables
from poissonmatch.studies import study_files as studies

TABLES = tables(__file__)
STUDIES = [(topic["usual"], row) for topic in TABLES["topics"].values() for row in rows(topic["rows"])]


def read(path):
    """Read a study and the points of its files."""
    file = studies.load(path)
    studies.cells(file)
    studies.read_points(file)


@pytest.mark.parametrize("usual, row", STUDIES)
def test_a_study_is_refused_in_a_line(tmp_path, usual, row):
    for name, text in TABLES["files"].items():
        (tmp_path / name).write_text(text)
    keys, *where, words = row
    more = [part for part in usual.split("; ") if f"{part.partition(':')[0]}:" not in keys]
    path = write_study(tmp_path, f"studies:\n  a: {{{', '.join([keys, *filter(None, more)])}}}\n", "s")
    line = refusal(read, path)
    assert words in f"{line}$"
    if where:
        assert line.startswith(f"{path}, line 2: {where[0]}")
