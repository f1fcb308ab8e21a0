"""The checker of tables plays every position itself; it agrees with the search, with the compiled table, and needs no library."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from poissonmatch_games import parse
from poissonmatch_games.checkers import certificates, check_table
from poissonmatch_games.toads import OutcomeEngine
from poissonmatch_games.toads.claims import claimed
from poissonmatch_games.toads.strips import starting

STDLIB = ("math", "collections.abc", "contextlib", "contextvars", "fractions", "itertools", "typing")
TABLES = [name for name in certificates.stored() if certificates.load(name)["kind"] == "table"]


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
    for toads, blanks, frogs in (
        (1, 1, 1),
        (2, 1, 2),
        (3, 2, 3),
        (3, 3, 2),
        (2, 5, 2),
        (4, 2, 3),
        (3, 4, 4),
        (4, 3, 1),
    ):
        strip, value = starting(toads, blanks, frogs), parse("*" if star else "0") - free
        for first in ("Left", "Right"):
            expected = engine.left_wins(strip, value, first == "Left")
            assert says(strip, star, free, first) == expected, (strip, first)
            wins += expected
    assert 0 < wins


@pytest.mark.parametrize(
    "blanks, star, wins", [(13, 0, False), (13, 1, True), (14, 0, True), (14, 1, False), (15, 0, False)]
)
def test_row_3_at_its_exception(blanks, star, wins):
    """T^3 .^14 F^3 is *, its neighbors 0."""
    assert says(starting(3, blanks, 3), star, 0, "Left") == wins


def test_the_stored_tables():
    found = {name: certificates.load(name) for name in TABLES}
    assert {name: (c["strip"], c["star"], c["free"], c["first"]) for name, c in found.items()} == {
        "E4": (starting(7, 7, 6), 0, -2, "Right"),
        "T4-star": (starting(6, 12, 6), 1, 0, "Left"),
        "T4-zero": (starting(6, 12, 6), 0, 0, "Left"),
        **{f"row-3-{blanks}": (starting(3, blanks, 3), 0, 0, "Left") for blanks in (14, 29, 59)},
    }


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in ("row-3-14", "row-3-29") else pytest.mark.slow) for name in TABLES],
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


@pytest.mark.parametrize(
    "change, words",
    [
        ({}, "the first player wins T^3 .^14 F^3"),
        ({"star": 1}, "the first player wins T^3 .^14 F^3 + *"),
        ({"first": "Right"}, "the first player loses T^3 .^14 F^3"),
        ({"free": -2}, "Left wins T^3 .^14 F^3 - 2 if Left starts"),
        ({"strip": "TT.F", "first": "Right", "statement": "T4 is true"}, "Left wins T^2 . F if Right starts"),
    ],
)
def test_what_a_certificate_is_of_is_told_from_what_is_checked(change, words):
    assert claimed({**certificates.load("row-3-14"), **change}) == words
