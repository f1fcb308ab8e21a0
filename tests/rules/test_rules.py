"""Rules are values: equal if they make the same matchings, hashable, and each says what others ask of it."""

import itertools

import numpy as np
import pytest

import poissonmatch as pm
from helpers.plain_calls import value_of
from helpers.rules import RULES
from helpers.tables import tables
from poissonmatch.rules.catalogue import rule_name, rule_named
from poissonmatch.utils.errors import BadInput


def test_rules_that_differ_are_unequal():
    for (a, one), (b, two) in itertools.combinations(RULES.items(), 2):
        assert one != two, (a, b)
    assert len({*RULES.values()}) == len(RULES)


TABLES = tables(__file__)


@pytest.mark.parametrize("one, two, equal", TABLES["equal"])
def test_equality_is_of_what_makes_the_matching(one, two, equal):
    one, two = value_of([one, two])
    assert (one == two) == equal and (one != two) != equal
    assert not equal or hash(one) == hash(two)


@pytest.mark.parametrize("arguments, name", TABLES["by_hand"])
def test_a_rule_by_hand_has_a_name_that_is_read_as_the_rule(arguments, name):
    rule = pm.Rule(**arguments)
    assert rule_name(rule) == name and rule_name(rule_named(name)) == name
    pattern = pm.processes.binomial(pm.Torus(4.0, 2), (9, 8, 7)[: max(2, rule.n_colors)], rng=1)
    by_name, by_hand = pm.match(pattern, name), pm.match(pattern, rule)
    assert np.array_equal(by_name.partners, by_hand.partners) and np.array_equal(by_name.distances, by_hand.distances)
    if not name.startswith("custom"):
        assert rule_named(name).law is not pm.Rule().law


@pytest.mark.parametrize("name, entry", TABLES["entries"])
def test_a_name_by_hand_of_an_entry_is_the_entry_with_its_colors_and_law(name, entry):
    found = rule_named(name)
    assert found == rule_named(entry) and found.color_names == rule_named(entry).color_names
    assert type(found.law) is type(rule_named(entry).law)


@pytest.mark.parametrize("name, names", TABLES["color_names"])
def test_the_colors_of_a_rule_with_the_matrix_of_an_entry_have_its_names(name, names):
    assert rule_named(name).color_names == tuple(names)


def test_a_rule_of_17_colors_has_no_name():
    with pytest.raises(BadInput, match="17 colors has no name; at most 16"):
        rule_name(pm.Rule(np.eye(17, dtype=int)))


def test_a_point_has_no_more_partners_than_there_are_other_points():
    """A table with a column for each would not fit into memory."""
    pattern = pm.processes.binomial(pm.Torus(4.0, 2), 52, rng=1)
    many, by_point = pm.match(pattern, "multi(999999999)"), pm.match(pattern, capacity=np.full(52, 10**6))
    assert many.partner.shape == (52, 51) and len(many) == 52 * 51 // 2
    assert np.array_equal(many.partner, by_point.partner) and np.array_equal(
        many.partner, pm.match(pattern, pm.Rule(capacity=10**6)).partner
    )
    assert pm.match(pattern[:2], "multi(3)").partner.tolist() == [[1, -1, -1], [0, -1, -1]]


def test_a_rule_keeps_its_pairs():
    """The user's array may change afterwards; the rule does not."""
    pairs = np.array([[0, 1], [4, 2]])
    rule, same = pm.Rule(exclude=pairs), pm.Rule(exclude=pairs.tolist())
    pairs[:] = 0
    assert rule == same


def test_rules_of_pairs_across_the_colors():
    assert not pm.RULES["one-color"].across and pm.RULES["two-color"].across and not pm.RULES["fussy"].across


def test_matchings_and_patterns_are_values():
    """Copies are equal: tests/points/test_pattern.py."""
    pattern = pm.processes.two_color(pm.Torus(5.0, 2), (1.0, 0.5), rng=3)
    points, colors, torus = pattern.points, pattern.colors, pattern.geometry
    for other in (pm.Pattern(points, None, torus), pm.Pattern(points, colors, pm.Euclidean(2)), pattern[::-1], "x"):
        assert pattern != other
    matching = pm.match(pattern, "fussy")
    assert matching == pm.match(pattern, pm.RULES["fussy"], threads=2)
    assert matching == pm.Matching.from_partners(pattern, matching.partner, "fussy")
    assert matching != pm.match(pattern, "two-color") and matching != pattern
    assert pm.sprague_grundy(pattern, 2) != pm.sprague_grundy(pattern, 3)


def test_partners_are_squeezed_in_the_public_property_only():
    pattern = pm.processes.poisson(pm.Torus(4.0, 2), rng=np.random.default_rng(1))
    n = len(pattern)
    shapes = {"one-color": (n,), "multi(1)": (n,), "multi(2)": (n, 2), "labels(1)": (n, 1), "labels(3)": (n, 3)}
    for rule, shape in shapes.items():
        matching = pm.match(pattern, rule)
        assert matching.partner.shape == matching.distance.shape == shape
        assert matching.partners.ndim == matching.distances.ndim == 2


@pytest.mark.parametrize("name", [*pm.RULES, "multi(2)", "multi(7)", "labels(1)", "labels(3)"])
def test_a_rule_has_a_name(name):
    assert rule_name(rule_named(name)) == name
