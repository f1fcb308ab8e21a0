"""Desire, and the numbers for studies, against counts over all pairs."""

import numpy as np
import pytest

import poissonmatch as pm
from helpers import oracles
from helpers.measured import numbers as measured
from poissonmatch.frogs.retrograde import Analysis
from poissonmatch.matching.desire import desires, mutually_nearest, undesired
from poissonmatch.rules.catalogue import rule_named


def desire_by_definition(pattern, rule):
    """(n, n): does x desire y? By definition: would x take y before its worst partner, or as well?"""
    return oracles.desires(pattern, rule_named(rule), pm.match(pattern, rule).partners)


@pytest.mark.parametrize(
    "rule", ["one-color", "two-color", "fussy", "misere", "multi(2)", "multi(5)", "custom(11/10; 1,3)"]
)
@pytest.mark.parametrize(
    "geometry",
    [pm.Torus(1.0, 1), pm.Torus(1.0, 2), pm.Torus(1.0, 3), pm.Euclidean(1), pm.Euclidean(2), pm.MeanField(1.0)],
)
def test_desires_are_counted(rule, geometry):
    rng = np.random.default_rng(len(rule))
    for n in (0, 1, 2, 3, 30, 60):
        for grid in (0, 5):  # 5: many ties and coinciding points
            shape = (n, geometry.dim if geometry.has_coordinates else n)
            points = rng.random(shape) if not grid else rng.integers(0, grid, shape) / grid
            points = points if geometry.has_coordinates else np.triu(points, 1) + np.triu(points, 1).T
            pattern = pm.Pattern(points, rng.integers(0, 2, n), geometry)
            wants, matching = desire_by_definition(pattern, rule), pm.match(pattern, rule)
            gap = pattern.distance(np.arange(n)[:, None], np.arange(n)[None, :]) if n else np.zeros((0, 0))
            for radius in (0.0, 0.2, 0.45, np.inf):
                desired, desirers = desires(matching, radius)
                assert desired.tolist() == (wants & (gap <= radius)).sum(axis=1).tolist()
                assert desirers.tolist() == (wants & (gap <= radius)).sum(axis=0).tolist()
                assert desired.sum() == desirers.sum()  # mass transport, definitions-and-exact-values.md 6


@pytest.mark.parametrize("c", [0.0, 0.05, 0.2, 0.6, 2.0])
def test_points_that_nobody_far_away_desires(c):
    for n in (0, 1, 2, 40, 41):
        for geometry in (pm.Torus(1.0, 2), pm.Euclidean(2)):
            pattern = pm.Pattern(np.random.default_rng(n).random((n, 2)), geometry=geometry)
            gap = pattern.distance(np.arange(n)[:, None], np.arange(n)[None, :]) if n else np.zeros((0, 0))
            expected = ~(desire_by_definition(pattern, "one-color") & (gap > c)).any(axis=0)
            assert undesired(pm.match(pattern), beyond=c).tolist() == expected.tolist()


def test_mutually_nearest_pairs():
    pattern = pm.Pattern(np.random.default_rng(2).random((80, 2)), geometry=pm.Torus(1.0, 2))
    assert set(map(tuple, mutually_nearest(pattern).tolist())) == oracles.first_pairs(oracles.pair_list(pattern))


# ---- numbers for studies ----


def value(numbers, quantity, x=None):
    numerator, denominator = numbers[quantity, x]
    return numerator / denominator


def test_desirers_by_definition():
    rng = np.random.default_rng(6)
    for dim, side in ((1, 60.0), (2, 8.0)):
        pattern = pm.Pattern(rng.random((60, dim)) * side, rng.integers(0, 2, 60), pm.Torus(side, dim))
        gap = pattern.distance(np.arange(60)[:, None], np.arange(60)[None, :])
        for rule in ("one-color", "two-color", "fussy", "multi(2)"):
            numbers = measured("desirers", pm.match(pattern, rule))
            radii = [r for _, r in numbers]
            assert radii[-1] == side / (5 if dim == 1 else 8) and len(radii) == 51
            wants = desire_by_definition(pattern, rule)
            for r in radii:
                assert value(numbers, "desirers", r) == pytest.approx((wants & (gap <= r)).sum() / 60)


def test_components():
    pattern = pm.Pattern(np.array([[0.0], [1.0], [2.5], [10.0], [11.0]]), geometry=pm.Euclidean(1))
    numbers = measured("components", pm.match(pattern, "multi(2)"))
    assert [value(numbers, f"{which}_component") for which in ("largest", "second")] == [0.6, 0.4]
    assert numbers["components", None] == (2, 5)
    assert value(numbers, "component_squares") == pytest.approx(0.6**2 + 0.4**2)
    one = pm.Pattern(np.zeros((1, 1)), geometry=pm.Euclidean(1))
    assert list(measured("components", pm.match(one)).values()) == [(1, 1), (0, 1), (1, 1), (1, 1)]
    none = pm.Pattern(np.zeros((0, 1)), geometry=pm.Euclidean(1))
    assert list(measured("components", pm.match(none)).values()) == [(0, 0), (0, 0), (0, 0), (0, 0)]


GAMES = [
    ("friendly", "one-color", {}),
    ("misere", "misere", {}),
    ("fussy", "fussy", {}),
    ("colored-points", "two-color", {"missing": True}),
    ("stones", "multi(2)", {"k": 1}),
]


@pytest.mark.parametrize("variant, rule, extra", GAMES)
def test_winners_are_those_of_the_rules_of_the_game(variant, rule, extra):
    """The measure looks at the matching; the other side plays out the game."""
    rng = np.random.default_rng(7)
    for n in list(range(8)) * (1 if variant == "stones" else 4):
        if variant == "stones" and n > 6:
            continue
        pattern = pm.Pattern(rng.random((n, 2)), rng.integers(0, 2, n), pm.Torus(1.0, 2))
        numbers = measured("winner", pm.match(pattern, rule))
        assert value(numbers, "alice_wins") == (Analysis(pattern, variant, **extra).winner == "Alice")
        solution = pm.frogs.solve(pattern, variant, **extra)
        assert value(numbers, "alice_wins") == (solution.winner == "Alice")
        if n and variant != "colored-points" and variant != "stones":
            assert value(numbers, "incomplete_fraction") == len(solution.placements) / n
        left = [value(numbers, "n_unmatched", float(x)) for x in (0, 1, 2)]
        if variant == "misere":
            assert left == [float(len(solution.placements) == x) for x in (0, 1, 2)] and sum(left) == 1
