"""The checker of tables plays every position itself; it agrees with the search, with the compiled table, and needs no library."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.tables import tables
from poissonmatch_games import parse
from poissonmatch_games.checkers import certificates, check_table
from poissonmatch_games.toads import OutcomeEngine
from poissonmatch_games.toads.claims import claimed
from poissonmatch_games.toads.strips import parse_strip, starting

TABLES = tables(__file__)

STDLIB = ("math", "collections.abc", "contextlib", "contextvars", "fractions", "itertools", "typing")
STORED = [name for name in certificates.stored() if certificates.load(name)["kind"] == "table"]


def says(strip, star, free, first):
    claim = {"name": "x", "kind": "table", "strip": strip, "star": star, "free": free, "first": first}
    try:
        return certificates.check(claim)["positions"] > 0
    except ValueError as refusal:
        assert str(refusal) == f"Left does not win {strip}, free {free}, star {star}, when {first} starts"
        return False


@pytest.mark.parametrize("star", [0, 1])
@pytest.mark.parametrize("free", [-2, -1, 0, 1])
def test_the_search_says_the_same(star, free):
    engine, wins = OutcomeEngine(2**22), 0
    for strip in map(parse_strip, "T.F TT.FF T^3..F^3 T^3.^3FF TT.^5FF T^4..F^3 T^3.^4F^4 T^4.^3F".split()):
        value = parse("*" if star else "0") - free
        for first in ("Left", "Right"):
            expected = engine.left_wins(strip, value, first == "Left")
            assert says(strip, star, free, first) == expected, (strip, first)
            wins += expected
    assert 0 < wins


@pytest.mark.parametrize("blanks, star, wins", TABLES["row_3"])
def test_row_3_at_its_exception(blanks, star, wins):
    """T^3 .^14 F^3 is *, its neighbors 0."""
    assert says(starting(3, blanks, 3), star, 0, "Left") == wins


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in ("row-3-14", "row-3-29") else pytest.mark.slow) for name in STORED],
)
def test_the_stored_tables_hold(name):
    assert certificates.check(certificates.load(name))["positions"] > 10**6


def test_the_checker_is_short_and_stands_alone(tmp_path):
    path, file = Path(check_table.__file__), tmp_path / "certificate.json"
    assert path.read_text(encoding="utf-8").count("\n") < 100
    file.write_text(json.dumps({"strip": "TT.FF", "star": 0, "free": 0, "first": "Left"}), encoding="utf-8")
    done = subprocess.run([sys.executable, "-S", "-E", path, file], capture_output=True, text=True, check=True)
    assert done.stdout == "{'positions': 60}\n"


def test_checkers_import_nothing_of_the_provers():
    folder = Path(check_table.__file__).parent
    checkers = {path.stem for path in folder.glob("*.py")} - {"__init__", "certificates"}
    assert {"check_cases", "check_families"} < checkers
    for name in checkers:
        for node in ast.walk(ast.parse((folder / f"{name}.py").read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                modules = {node.module} if node.module else {alias.name for alias in node.names}
                assert modules <= (checkers if node.level else {"__future__", *STDLIB}), name


@pytest.mark.parametrize("name, change, words", TABLES["told"])
def test_what_a_certificate_is_of_is_told_from_what_is_checked(name, change, words):
    assert claimed({**certificates.load(name), **change}) == words
