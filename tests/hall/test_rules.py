"""Rules are values: equal if they make the same matchings, hashable, and each says what others ask of it."""

import itertools

import numpy as np
import pytest

import poissonmatch as pm
from helpers.rules import RULES
from poissonmatch.rules import MUTUALLY_NEAREST, rule_name, rule_named


def test_rules_that_differ_are_unequal():
    for (a, one), (b, two) in itertools.combinations(RULES.items(), 2):
        assert one != two, (a, b)
    assert len({*RULES.values()}) == len(RULES)


PAIRS = np.array([[0, 1], [4, 2]])


@pytest.mark.parametrize(
    ("one", "two", "equal"),
    [
        (pm.Rule(exclude=PAIRS), pm.Rule(exclude=[(2, 4), (1, 0), (0, 1)]), True),
        (pm.Rule(exclude=PAIRS), pm.Rule(exclude=PAIRS + 1), False),
        (pm.Rule(exclude=PAIRS), pm.Rule(), False),
        (pm.Rule(exclude=MUTUALLY_NEAREST), pm.Rule(), False),
        (pm.Rule(exclude=[]), pm.Rule(), True),
        (pm.Rule(capacity=(1,)), rule_named("multi(1)"), True),
        (pm.Rule(compatible=((1, 1), (1, 0))), pm.RULES["fussy"], True),
        (pm.Rule(labels=3), rule_named("labels(3)"), True),
        (pm.Rule(), "one-color", False),
    ],
)
def test_equality_is_of_what_makes_the_matching(one, two, equal):
    assert (one == two) == equal and (one != two) != equal
    assert not equal or hash(one) == hash(two)


def test_a_rule_keeps_its_pairs():
    """The user's array may change afterwards; the rule does not."""
    pairs = PAIRS.copy()
    rule = pm.Rule(exclude=pairs)
    pairs[:] = 0
    assert rule == pm.Rule(exclude=PAIRS)
    with pytest.raises(ValueError, match="read-only"):
        rule.exclude[0, 0] = 5


def test_misere_and_one_color_are_different_rules_and_one_color_wins_nothing_for_it():
    assert pm.RULES["misere"] != pm.RULES["one-color"]
    assert not pm.RULES["one-color"].across and pm.RULES["two-color"].across and not pm.RULES["fussy"].across


def test_matchings_and_patterns_are_values():
    torus, rng = pm.Torus(5.0, 2), np.random.default_rng(3)
    pattern = pm.processes.two_color(torus, (1.0, 0.5), rng=rng)
    twin = pm.Pattern(pattern.points.copy(), pattern.colors.copy(), torus)
    assert pattern == twin and hash(pattern) == hash(twin)
    assert pattern != pm.Pattern(pattern.points, None, torus)
    assert pattern != pm.Pattern(pattern.points, pattern.colors, pm.Euclidean(2))
    assert pattern != pm.Pattern(pattern.points[::-1].copy(), pattern.colors[::-1].copy(), torus) and pattern != "x"
    one, two = pm.match(pattern, "fussy"), pm.match(twin, pm.RULES["fussy"], threads=2)
    assert one == two and hash(one) == hash(two)
    assert one != pm.match(pattern, "two-color") and one != pattern
    assert one == pm.Matching.from_partners(pattern, one.partner, "fussy")
    table = pm.processes.poisson(pm.MeanField(9.0), rng=rng)
    assert table == pm.Pattern(table.points, None, table.geometry)
    assert pm.sprague_grundy(pattern, 2) == pm.sprague_grundy(twin, 2) != pm.sprague_grundy(pattern, 3)


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
