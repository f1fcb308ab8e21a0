"""Values from theorems and certified families: those of the engine, at any length."""

import random

import pytest

from helpers.strips_of_toads import all_strips
from helpers.tables import tables
from poissonmatch_games import ToadsAndFrogs, parse
from poissonmatch_games.toads import proved_values as module
from poissonmatch_games.toads.canonical import CanonicalEngine
from poissonmatch_games.toads.proved_values import proved
from poissonmatch_games.toads.strips import mirror, parse_strip, starting

TABLES = tables(__file__, "strips.toml")


@pytest.mark.parametrize("strip, value, source", TABLES["long"])
def test_long_strips(strip, value, source):
    position = ToadsAndFrogs(strip)
    assert (position.value, position.source) == (parse(value), source)
    assert ToadsAndFrogs(mirror(parse_strip(strip))).value == -parse(value)


def test_what_is_proved_is_what_the_engine_finds():
    """On all strips of up to 7 squares, and random longer ones with few empty squares or few pieces."""
    engine, rng, sources = CanonicalEngine(), random.Random(1), set()
    strips = [*all_strips(7)]
    for _ in range(300):
        letters = rng.choice(["..FF", "...FF", "..F", ".FF", ".F"]) + "T" * rng.randint(3, 12)
        strips.append("".join(rng.sample(letters, len(letters))))
    strips += [starting(a, 2, b) for a in range(1, 8) for b in range(3, 6)]
    strips += [starting(*start) for start in ((6, 6, 1), (8, 5, 1), (7, 7, 1), (1, 7, 7), (1, 6, 8))]
    for strip in strips:
        found = proved(strip)
        if found is not None:
            assert found.value is engine.value(strip), strip
            sources.add(found.source)
    assert {"Theorem 1", "A22", "A32", "A21", "B11", "B12", "B21", "E1", "Erickson (1996)"} <= sources


def test_short_strips_are_left_to_the_engine():
    assert ToadsAndFrogs("TT.FF").source == "engine" and module.proved_if_long("TT.FF") is None


@pytest.mark.parametrize("strip", TABLES["not_proved"])
def test_what_is_not_proved(strip):
    assert proved(parse_strip(strip)) is None


def test_a_strip_of_no_certified_family():
    position = ToadsAndFrogs("T^30 .^20 F^30")
    with pytest.raises(MemoryError, match=r"T\^30 \.\^20 F\^30: no certified family .* about 10\^35 positions"):
        _ = position.value
    with pytest.raises(MemoryError) as refused:
        _ = ToadsAndFrogs("(T.F.)^500").value
    assert len(str(refused.value)) < 400
