"""The notation of values, read and printed."""

import random
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given

from helpers.born import born
from helpers.small_values import games, small
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


@pytest.mark.parametrize("text, plain", TABLES["read"])
def test_the_notation_of_cgsuite_is_read(text, plain):
    assert parse(text) is parse(plain) and parse(str(parse(text))) is parse(text)


@pytest.mark.parametrize("text", TABLES["no_values"])
def test_what_is_no_game(text):
    with pytest.raises(ValueError):
        parse(text)


@pytest.mark.parametrize("value, formula", TABLES["latex"])
def test_latex_of_values(value, formula):
    assert parse(value).latex == formula
