"""Thermographs, stops, means and temperatures."""

from fractions import Fraction

import pytest
from hypothesis import given

from helpers.small_values import games, small
from helpers.tables import tables
from poissonmatch_games.partisan.thermograph import value_at
from poissonmatch_games.partisan.value_notation import parse

TABLES = tables(__file__, "values.toml")


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
