"""Strips as they are written: what is read, what is refused, LaTeX."""

from __future__ import annotations

import pytest

from helpers.strips_of_toads import all_strips
from poissonmatch_games.partisan.value_notation import parse
from poissonmatch_games.toads.ruleset import ToadsAndFrogs
from poissonmatch_games.toads.strip_notation import latex, parse_strip, shape


@pytest.mark.parametrize(
    ("source", "strip"),
    [
        ("", ""),
        ("TT.FF", "TT.FF"),
        ("T^2 .^3 F", "TT...F"),
        ("T^4 .. F^3", "TTTT..FFF"),
        ("(TF)^2", "TFTF"),
        ("TT.(TF)^2F", "TT.TFTFF"),
        ("T^2 . (TF)^2 F^2", "TT.TFTFFF"),
        ("((T.)^2F)^2", "T.T.FT.T.F"),
        ("T□_oF", "T...F"),
        ("T^2□^2F^2", "TT..FF"),
        ("T . F", "T.F"),
        (" T.F ", "T.F"),
        ("T^0.", "."),
        ("()^5 T", "T"),
        ("T^1F", "TF"),
    ],
)
def test_read(source, strip):
    assert parse_strip(source) == strip


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("T F", "character 1 of the strip 'T F' is a space between two pieces: write T.F"),
        ("TT  FF", "space between two pieces"),
        ("T\tF", "space between two pieces"),
        ("T^2 F F", "space between two pieces"),
        ("TX", "character 1 of the strip 'TX'"),
        ("T^", "character 1"),
        ("T^-1", "character 1"),
        ("T^2.5 F", "character 4"),
        ("tf", "character 0"),
        ("^2", "an exponent without a base"),
        ("(^2)", "an exponent without a base"),
        ("T^2^3", "an exponent without a base"),
        ("T)", "an unmatched parenthesis"),
        ("(TF", "an unclosed parenthesis"),
        ("(" * 30 + ")" * 30, "nested parentheses"),
        ("T^99999999999999999999", "at most 10000 squares"),
        ("((T^99)^99)^99", "at most 10000 squares"),
        ("T^9999 F^9999", "19998 squares"),
    ],
)
def test_refused(source, words):
    with pytest.raises(ValueError) as error:
        parse_strip(source)
    assert words in str(error.value) and "\n" not in str(error.value)


def test_shapes_are_read_back():
    assert [shape(s) for s in ("TT.F", "TF.", "T..FF")] == ["T^2 . F", "TF .", "T .^2 F^2"]
    for strip in all_strips(7):
        assert parse_strip(shape(strip)) == strip


@pytest.mark.parametrize(
    ("strip", "formula"), [("", ""), ("TT..F", r"T^{2}\square^{2}F"), ("T.F.", r"T\square F\square"), ("TFF", "TF^{2}")]
)
def test_latex_of_strips(strip, formula):
    assert latex(strip) == formula


@pytest.mark.parametrize(
    ("value", "formula"),
    [
        ("0", "0"),
        ("-3/4", r"-\tfrac{3}{4}"),
        ("2*", "2{*}"),
        ("*3", "{*3}"),
        ("^*", r"{\uparrow}{*}"),
        ("2v4", r"2 + 4\cdot{\downarrow}"),
        ("{1*|v}", r"\left\{1{*}\,\middle|\,{\downarrow}\right\}"),
        ("{1,1*|0}", r"\left\{1, 1{*}\,\middle|\,0\right\}"),
        ("{3,3^*|}", "4"),
    ],
)
def test_latex_of_values(value, formula):
    assert parse(value).latex == formula


def test_latex_of_a_position_is_an_equation():
    assert ToadsAndFrogs("T^4 .. F^3").latex == r"T^{4}\square^{2}F^{3} = \left\{1{*}\,\middle|\,{\downarrow}\right\}"
