"""The notation of values, read and printed."""

import random
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given

from helpers.born import born
from helpers.small_values import games, small
from helpers.strips_of_toads import all_strips
from helpers.tables import tables
from poissonmatch_games import ToadsAndFrogs
from poissonmatch_games.partisan.value_notation import parse
from poissonmatch_games.partisan.values import UP, game, number, ups

TABLES = tables(__file__, "values.toml")


@small
@given(games)
def test_parse_print(g):
    assert parse(str(g)) is g


@pytest.mark.parametrize("name, form", TABLES["names"])
def test_names(name, form):
    assert str(parse(form)) == name and parse(name) is parse(form)


def test_number_ups_and_nimber():
    for k, m in product(range(-5, 6), range(5)):
        value = number(Fraction(3, 2)) + k * UP + ups(0, m)
        assert value is ups(k, m) + Fraction(3, 2) and value.name == (Fraction(3, 2), k, m)


@pytest.mark.parametrize("text", TABLES["printed"].split())
def test_printed_as_read(text):
    assert str(parse(text)) == text


@pytest.mark.parametrize("text, same", TABLES["symbols"])
def test_symbols_and_small_letters_are_read(text, same):
    assert parse(text) is parse(same)


@pytest.mark.parametrize("count", [300, pytest.param(10_000, marks=pytest.mark.slow)])
def test_what_is_printed_of_random_values_is_read(count):
    """Of all values of birthday 3, of random ones, and of 300 sums with others."""
    rng, values = random.Random(1), list(born(3))
    assert all(parse(str(value)) is value for value in values)
    more = [parse(text) for text in ("0", "^<3>*2", "1/4", "v[3]", "Tiny(2)")]
    for place in range(count):
        left, right = rng.sample(values, rng.choice((1, 1, 2, 3))), rng.sample(values, rng.choice((1, 2)))
        value = game(left, right)
        if place < 300:
            value = value + rng.choice(more)
        assert parse(str(value)) is value
        values += [value] * (rng.random() < 0.05)


@pytest.mark.slow
def test_what_is_printed_of_all_strips_is_read():
    for strip in all_strips(9):
        value = ToadsAndFrogs(strip).value
        assert parse(str(value)) is value


@pytest.mark.parametrize("text, plain", TABLES["read"])
def test_the_notation_of_cgsuite_is_read(text, plain):
    assert parse(text) is parse(plain) and parse(str(parse(text))) is parse(text)


@pytest.mark.parametrize("value, formula", TABLES["latex"])
def test_latex_of_values(value, formula):
    assert parse(value).latex == formula
