"""The notation of values, read and printed."""

from __future__ import annotations

import pickle
import random
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given

from helpers.born import born
from helpers.small_values import games, small
from poissonmatch_games import ToadsAndFrogs
from poissonmatch_games.partisan.value_notation import parse
from poissonmatch_games.partisan.values import UP, game, number, ups


@small
@given(games)
def test_parse_print(g):
    assert parse(str(g)) is g
    assert pickle.loads(pickle.dumps(g)) is g


NAMES = {
    "0": "{|}", "*": "{0|0}", "^": "{0|*}", "^*": "{0,*|0}", "^^": "{0|^*}", "^^*": "{0|^}", "^3": "{0|^2*}", "vv": "{v*|0}",
    "*2": "{0,*|0,*}", "^*2": "{0|*3}", "3*": "{3|3}", "1/2": "{0|1}", "-3/4": "{-1|-1/2}", "2^": "{2|2*}",
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_names(name):
    """*Winning Ways*, ch. 2 and 3."""
    assert str(parse(NAMES[name])) == name and parse(name) is parse(NAMES[name])


def test_number_ups_and_nimber():
    for k, m in product(range(-5, 6), range(5)):
        value = number(Fraction(3, 2)) + k * UP + ups(0, m)
        assert value is ups(k, m) + Fraction(3, 2) and value.name == (Fraction(3, 2), k, m)


@pytest.mark.parametrize("text", "2v4 11^ 8v3 3^* -1* ^* {1*|v} {8,8v*||15/2|7} {2|1||*|-1} +-1/8".split())
def test_printed_as_read(text):
    assert str(parse(text)) == text


PRINTED = (
    "{3||2|1} +-1 ^^ Tiny(3/2) Tiny({3|1}) Miny({5||3|1}) ^[4] v<4> ^[4]* {0|^<2>} {0||0|v3} {^3|vv} {1|^^||^} {1|^3||^} "
    "{3||2*|1*} {3/2*|1/2||{0|-3},{-1*,{-1/2|-1*}|-5/2}} +-(1*) {1||+-(1*)|-1,{-1|-3}} {7/2|||5/2|3/2||+-1/2} {2*|1*||0} "
    "{4|||3|1||0|-2} {0||0,*|0,{0,*|0,*2}} {3Tiny({3|1})|1Tiny({3|1}),{2,{3|1}|0}||0} 73/16v9*8 -1823437481924 "
    "{5Tiny({5||3|1})|{3,{3|1}|||3|1||0|-2,{-2|-4}},{{4|2},{5||3|1}|0}||0}"
)


@pytest.mark.parametrize("text", PRINTED.split())
def test_the_notation_of_cgsuite_is_printed(text):
    """The strings that the tests of CGSuite expect (GameTest.scala, CanonicalShortGameTestCase.scala)."""
    assert str(parse(text)) == text


@pytest.mark.parametrize(
    "text, same",
    [("↑*+⇑", "^3*"), ("±1", "+-1"), ("tiny(2)+miny(1)", "Tiny(2)+Miny(1)"), ("2⇓∗", "2vv*"), ("−1↓", "-1v")],
)
def test_symbols_and_small_letters_are_read(text, same):
    assert parse(text) is parse(same)


def test_what_is_printed_is_read():
    """All values of birthday 3, and sums of random ones with powers of up."""
    rng, values = random.Random(1), list(born(3))
    for value in values:
        assert parse(str(value)) is value
    more = [parse(text) for text in ("0", "^<3>*2", "1/4", "v[3]", "Tiny(2)")]
    for _ in range(300):
        value = game(rng.sample(values, rng.choice((1, 1, 2))), rng.sample(values, rng.choice((1, 2)))) + rng.choice(
            more
        )
        assert parse(str(value)) is value


@pytest.mark.slow
def test_what_is_printed_of_all_strips_and_many_values():
    """All strips to 9 squares, and 10,000 random values."""
    for squares in range(1, 10):
        for strip in map("".join, product("TF.", repeat=squares)):
            value = ToadsAndFrogs(strip).value
            assert parse(str(value)) is value
    rng, values = random.Random(2), list(born(3))
    for _ in range(10_000):
        value = game(rng.sample(values, rng.choice((1, 1, 2, 3))), rng.sample(values, rng.choice((1, 2))))
        assert parse(str(value)) is value
        values += [value] * (rng.random() < 0.05)


def test_notation_reads_more_than_it_prints():
    assert parse("+-1") is game([1], [-1])
    assert parse(" { 2 | 1 } - 1/2 ") is parse("{3/2|1/2}")
    assert parse("-(^*)") is parse("v*")
    assert parse("1 + +-{2|1}") is 1 + game([parse("{2|1}")], [parse("{-1|-2}")])
    assert parse("{1,0|}") == 2
    assert parse("{|}") == 0


@pytest.mark.parametrize(
    "text, plain",
    [
        ("{3||2|1}", "{3|{2|1}}"),
        ("{2|1||0}", "{{2|1}|0}"),
        ("{0||0|-3/2}", "{0|{0|-3/2}}"),
        ("{5||3|1|||0||||0}", "{{{5|{3|1}}|0}|0}"),
        ("{3/2*|1/2||{0|-3},{-1*,{-1/2|-1*}|-5/2}}", "{{3/2*|1/2}|{0|-3},{-1*,{-1/2|-1*}|-5/2}}"),
        ("{0||0,v*|v2}", "{0|{0,v*|v2}}"),
        ("{|||0||1|2}", "{|{0|{1|2}}}"),
        ("^^", "^+^"),
        ("^^*", "^2*"),
        ("vvv", "v3"),
        ("{1|^^||^}", "{{1|^2}|^}"),
        ("{0||0|vvv}", "{0|{0|v3}}"),
        ("^[1]", "^"),
        ("^[4]", "{0|*||*|||*||||*}"),
        ("v[2]", "-({^|*})"),
        ("{0||0|v*}", "{0|^<2>}"),
        ("^<2>", "{0|v*}"),
        ("^[3]*2", "^[2] + ^<3> + *2"),
        ("Tiny(3/2)", "{0|{0|-3/2}}"),
        ("Tiny({3|1})", "{0|||0||-1|-3}"),
        ("Miny({5||3|1})", "{5||3|1|||0||||0}"),
        ("Miny(1/2)", "-Tiny(1/2)"),
        ("2Tiny(2)", "{2||2|0}"),
        ("-1Miny(2)", "-1 - Tiny(2)"),
        ("+-{1,1*}", "{1,1*|-1,-1*}"),
        ("+-{2||1|0}", "{{2|{1|0}}|{{0|-1}|-2}}"),
    ],
)
def test_the_notation_of_cgsuite_is_read(text, plain):
    """Pairs of equal values from the tests and the manual of CGSuite, or by the definitions there."""
    assert parse(text) is parse(plain) and parse(str(parse(text))) is parse(text)


@pytest.mark.parametrize(
    "text", ["{1|2|3}", "{1||2||3}", "{1}", "^[0]", "^[101]", "^[2>", "v<", "Tiny", "Tiny(1", "Tiny 2", "^^2"]
)
def test_what_is_nearly_the_notation_of_cgsuite(text):
    with pytest.raises(ValueError):
        parse(text)


@pytest.mark.parametrize("text", ["", "1/3", "1/0", "{1|2", "1|2", "x", "{1,|2}", "+", "1 2", "--", "{0|0}}"])
def test_what_is_no_game(text):
    with pytest.raises(ValueError):
        parse(text)


@pytest.mark.parametrize(
    "value, formula",
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
        ("vv*", r"{\Downarrow}{*}"),
        ("{3||2|1}", r"\left\{3\,\middle|\middle|\,2\,\middle|\,1\right\}"),
        ("+-{1,1*}", r"\pm \left\{1, 1{*}\right\}"),
        ("+-(1*)", r"\pm (1{*})"),
        ("2Tiny(1/2)", r"2{+}_{\tfrac{1}{2}}"),
        ("Miny(2)", "{-}_{2}"),
        ("^[3]*", r"{\uparrow}^{[3]}{*}"),
        ("v<2>", r"{\downarrow}_{2}"),
    ],
)
def test_latex_of_values(value, formula):
    assert parse(value).latex == formula
