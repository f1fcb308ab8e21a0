"""Values of short games: the axioms, the order, canonical forms, numbers, thermographs."""

import copy
import pickle
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.small_values import games, small
from helpers.tables import tables
from poissonmatch_games.partisan.thermograph import value_at
from poissonmatch_games.partisan.value_notation import parse
from poissonmatch_games.partisan.values import STAR, UP, ZERO, Game, game, number, simplify

TABLES = tables(__file__, "values.toml")


def textbook_leq(g, h) -> bool:
    """g <= h on plain (left, right) tuples, straight from the definition."""
    return not any(textbook_leq(h, x) for x in g[0]) and not any(textbook_leq(y, g) for y in h[1])


def plain(g: Game):
    return tuple(plain(x) for x in g.left), tuple(plain(x) for x in g.right)


# ---- axioms ----
@small
@given(games, games, games)
def test_group_laws(g, h, k):
    assert g + ZERO is g
    assert g - g is ZERO
    assert g + h is h + g
    assert (g + h) + k is g + (h + k)
    assert -(g + h) is -g - h
    negative = -g
    assert -negative is g


@small
@given(games, games, games)
def test_order(g, h, k):
    assert g <= g
    assert (g <= h and h <= g) == (g == h)
    if g <= h and h <= k:
        assert g <= k
    assert (g <= h) == (g + k <= h + k) == (-h <= -g)
    assert (g <= h) == (g - h <= 0)
    assert [g < h, g > h, g == h, g.confused(h)].count(True) == 1
    assert g.compare(h) == {"<": ">", ">": "<"}.get(h.compare(g), h.compare(g))


@small
@given(games, games)
def test_order_is_the_definition(g, h):
    if g.birthday + h.birthday <= 9:
        assert (g <= h) == textbook_leq(plain(g), plain(h))


@small
@given(st.lists(games, max_size=3), st.lists(games, max_size=3))
def test_canonical_form_is_unique(left, right):
    g = game(left, right)
    if sum(x.birthday for x in left + right) <= 12:
        raw = tuple(map(plain, left)), tuple(map(plain, right))
        assert textbook_leq(raw, plain(g)) and textbook_leq(plain(g), raw)
    assert game(g.left, g.right) is g
    for x in g.left:
        assert not any(x <= y for y in g.left if y is not x), "dominated"
        assert not any(y <= g for y in x.right), "reversible"
    for x in g.right:
        assert not any(y <= x for y in g.right if y is not x), "dominated"
        assert not any(y >= g for y in x.left), "reversible"


@small
@given(games)
def test_a_copy_is_the_value_itself(g):
    assert copy.copy(g) is g and copy.deepcopy([g])[0] is g
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(g, protocol)) is g


@small
@given(games, st.integers(-5, 5))
def test_multiples(g, n):
    total = ZERO
    for _ in range(abs(n)):
        total = total + (g if n > 0 else -g)
    assert n * g is total


@small
@given(st.fractions(-4, 4, max_denominator=1).flatmap(lambda n: st.integers(0, 4).map(lambda e: n + Fraction(1, 2**e))))
def test_numbers(x):
    assert number(x).number == x
    assert number(x) == x
    assert number(x) + 1 == x + 1
    assert hash(number(x)) == hash(x)
    assert game([x], [x + 1]) == min(
        (Fraction(p, q) for q in (1, 2, 4, 8, 16, 32) for p in range(-6 * q, 7 * q) if x < Fraction(p, q) < x + 1),
        key=lambda y: (y.denominator, abs(y)),
    )


def test_order_of_small_values():
    assert UP > 0 and STAR.confused(0) and UP.confused(STAR) and 2 * UP > STAR
    assert parse("+-1").confused(0) and parse("+-1") < 2 and parse("+-1").confused(1)
    assert [parse(s).outcome for s in ("0", "^", "-1", "{1|0}")] == ["P", "L", "R", "N"]
    assert UP * 10**4 < Fraction(1, 1024)


def test_simplify_says_what_went_away():
    trace = []
    assert simplify([ZERO, number(-1)], [STAR], trace) is UP
    assert [str(step) for step in trace] == ["Left's option -1 is dominated by 0"]
    trace = []
    assert simplify([STAR], [number(1)], trace) is ZERO
    assert str(trace[0]) == "Left's option * is reversible through 0, replaced by nothing"


# ---- thermographs, stops, means and temperatures ----
@small
@given(games)
def test_stops_and_temperature(g):
    assert g.left_stop >= g.right_stop
    assert g.right_stop <= g.mean <= g.left_stop
    wall = g.thermograph
    assert wall.mean == value_at(wall.left, wall.temperature) == value_at(wall.right, wall.temperature)
    assert value_at(wall.left, 0) == g.left_stop
    assert value_at(wall.right, 0) == g.right_stop
    assert g.is_hot == (g.temperature > 0)
    assert g.is_number == (g.temperature < 0)
    assert (g + g).mean == 2 * g.mean
    assert (g + g).temperature <= max(g.temperature, Fraction(0))
    assert (-g).thermograph.left == tuple((t, -v) for t, v in wall.right)


@pytest.mark.parametrize("text, mean, temperature, birthday, kind", TABLES["temperatures"])
def test_temperatures(text, mean, temperature, birthday, kind):
    g = parse(text)
    assert (g.mean, g.temperature, g.birthday, g.kind) == (Fraction(mean), Fraction(temperature), birthday, kind)


def test_thermograph_of_a_switch_and_of_a_threat():
    assert parse("+-1").thermograph.left == ((-1, 2), (1, 0))
    assert parse("+-1").thermograph.right == ((-1, -2), (1, 0))
    wall = parse("{{4|2}|-1}").thermograph  # the left wall stands upright up to 1, then leans
    assert [(t, v) for t, v in wall.left if t >= 0] == [(1, 2), (2, 1)]
