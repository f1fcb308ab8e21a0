"""The checker of tables plays every position itself; it agrees with the search, with the compiled table, and needs no library."""

from __future__ import annotations

import pytest

from poissonmatch_games import parse
from poissonmatch_games.checkers import certificates
from poissonmatch_games.toads import OutcomeEngine
from poissonmatch_games.toads.strips import starting

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
    ("blanks", "star", "wins"), [(13, 0, False), (13, 1, True), (14, 0, True), (14, 1, False), (15, 0, False)]
)
def test_row_3_at_its_exception(blanks, star, wins):
    """T^3 .^14 F^3 is *, its neighbors 0."""
    assert says(starting(3, blanks, 3), star, 0, "Left") == wins


def test_the_stored_tables_are_of_t4():
    found = {name: certificates.load(name) for name in TABLES}
    assert {name: (c["strip"], c["star"], c["free"], c["first"]) for name, c in found.items()} == {
        "T4-star": (starting(6, 12, 6), 1, 0, "Left"),
        "T4-zero": (starting(6, 12, 6), 0, 0, "Left"),
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_the_stored_tables_hold(name):
    assert certificates.check(certificates.load(name))["positions"] > 10**9
