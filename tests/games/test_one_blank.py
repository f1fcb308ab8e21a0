"""Theorem 1 of [T]: every strip with one empty square is settled by the lemmas."""

from __future__ import annotations

from itertools import product

import pytest

from poissonmatch_games import one_blank
from poissonmatch_games.partisan.value_notation import parse
from poissonmatch_games.toads.canonical import CanonicalEngine
from poissonmatch_games.toads.ruleset import ToadsAndFrogs


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


@pytest.mark.parametrize(
    "strip, value, chain",
    [
        ("TT.FF", "*", ["T^2 . F^2 = * (Lemma 4.5)"]),
        ("TTT.", "3", ["T^3 . = 3 (Lemma 4.2)"]),
        ("TT.TT", "2", ["T^2 . T^2 = 2 (Lemma 4.2+)"]),
        ("TFTTF.TFTFF", "0", ["TFT^2 F . TFTF^2 = 0 (Lemma 4.3)"]),
        ("T^3 . (TF)^3", "{2|1/4}", ["T^3 . TFTFTF = {2|1/4} (Lemma 4.6)"]),
        ("T^3.F(TF)^2", "{{1|1/4}|0}", ["T^3 . FTFTF = {{1|1/4}|0} (Lemma 4.7)"]),
        (
            "T^2 . TFTF^2",
            "{1|^}",
            ["T^2 . TFTF^2 = {1|O(x)} (Lemma 4.8), x = T^2 FTFT . F", "T^2 FTFT . F = * (Lemma 4.4)"],
        ),
        ("T.FF", "{0|-1/2}", ["T . F^2 = -x (mirror image), x = T^2 . F", "T^2 . F = {{0|1}|0} (Lemma 4.7)"]),
    ],
)
def test_the_chain_of_lemmas(strip, value, chain):
    found = []
    assert one_blank(strip, found) == parse(value) and [str(step) for step in found] == chain


@pytest.mark.parametrize("strip", ["", "TF", "T..F", "T.F.", "T F"])
def test_other_strips_are_refused(strip):
    with pytest.raises(ValueError):
        one_blank(strip)


@pytest.mark.parametrize(
    "strip",
    [
        "T^100 . (TF)^49 F",
        "T^60 . F(TF)^20 TF^98",
        "(TF)^33 T^33 . (TF)^33 F^34",
        "T^199 .",
        "T^100 .F^99",
        "T^2 . FTF^195",
    ],
)
def test_long_strips(strip):
    """200 squares: far beyond any engine; the value of the mirror image is the negative."""
    from poissonmatch_games.toads.strips import mirror, parse_strip

    assert len(parse_strip(strip)) in (200, 201, 202)
    assert one_blank(strip) is -one_blank(mirror(parse_strip(strip)))
