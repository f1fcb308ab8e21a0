"""The notation of values, read and printed."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given

from helpers.small_values import games, small
from poissonmatch.games.partisan.notation import parse
from poissonmatch.games.partisan.values import game


@small
@given(games)
def test_parse_print(g):
    assert parse(str(g)) is g
    assert pickle.loads(pickle.dumps(g)) is g


@pytest.mark.parametrize("text", "2v4 11^ 8v3 3^* -1* ^* {1*|v} {8,8v*|{15/2|7}} {{2|1}|{*|-1}} {1/8|-1/8}".split())
def test_printed_as_read(text):
    assert str(parse(text)) == text


def test_notation_reads_more_than_it_prints():
    assert parse("+-1") is game([1], [-1])
    assert parse(" { 2 | 1 } - 1/2 ") is parse("{3/2|1/2}")
    assert parse("-(^*)") is parse("v*")
    assert parse("1 + +-{2|1}") is 1 + game([parse("{2|1}")], [parse("{-1|-2}")])
    assert parse("{1,0|}") == 2
    assert parse("{|}") == 0


@pytest.mark.parametrize("text", ["", "1/3", "1/0", "{1|2", "1|2", "x", "{1,|2}", "+", "1 2", "--", "{0|0}}"])
def test_what_is_no_game(text):
    with pytest.raises(ValueError):
        parse(text)
