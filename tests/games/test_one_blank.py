"""Theorem 1 of [T]: every strip with one empty square is settled by the lemmas."""

from itertools import product

import pytest

from helpers.tables import tables
from poissonmatch_games import one_blank
from poissonmatch_games.partisan.value_notation import parse
from poissonmatch_games.toads.canonical import CanonicalEngine
from poissonmatch_games.toads.ruleset import ToadsAndFrogs
from poissonmatch_games.toads.strips import mirror, parse_strip

TABLES = tables(__file__, "strips.toml")


def strips(length):
    for pieces in product("TF", repeat=length - 1):
        for at in range(length):
            yield "".join(pieces[:at]) + "." + "".join(pieces[at:])


def test_all_strips_of_up_to_10_squares():
    """None is left unclassified, and each has its canonical form; the moves alone say so up to 7 squares."""
    engine, lemmas = CanonicalEngine(), set()
    for length in range(1, 11):
        for strip in strips(length):
            chain = []
            assert one_blank(strip, chain) is engine.value(strip), strip
            lemmas |= {step.lemma for step in chain}
            if length <= 7:
                assert ToadsAndFrogs(strip).plain_value is one_blank(strip), strip
    assert lemmas == {"mirror image", *(f"Lemma 4.{n}" for n in range(2, 10)), "Lemma 4.2+", "Lemma 4.6+", "Lemma 4.7+"}


@pytest.mark.slow
@pytest.mark.parametrize("length", range(11, 15))
def test_all_strips_of_up_to_14_squares(length):
    engine = CanonicalEngine()
    for strip in strips(length):
        assert one_blank(strip) is engine.value(strip), strip


@pytest.mark.parametrize("strip, value, chain", TABLES["chains"])
def test_the_chain_of_lemmas(strip, value, chain):
    found = []
    assert one_blank(strip, found) == parse(value) and [str(step) for step in found] == chain


@pytest.mark.parametrize("strip", TABLES["one_blank"])
def test_long_strips(strip):
    """200 squares: far beyond any engine; the value of the mirror image is the negative."""
    assert one_blank(strip) is -one_blank(mirror(parse_strip(strip)))
