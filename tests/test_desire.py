"""Desire, and the numbers for studies, against counts over all pairs."""

import numpy as np
import pytest

import poissonmatch as pm
from poissonmatch import measures
from poissonmatch.desire import desires, mutually_nearest, undesired
from poissonmatch.labels import all_labels
from poissonmatch.retrograde import Analysis


def desire_by_definition(pattern, rule):
    """(n, n): does x desire y? By definition: would x take y before its worst partner, or as well?"""
    n, matching, rule = len(pattern), pm.match(pattern, rule), pm.matching.rule_named(rule)
    partners = [[] for _ in range(n)]
    for i, j in matching.pairs.tolist():
        partners[i].append(j)
        partners[j].append(i)
    points, squared = pattern.points, pattern.geometry.squared_distance
    key = [[(float(squared(points[x], points[y])), min(x, y), max(x, y)) for y in range(n)] for x in range(n)]
    nearest = [min((y for y in range(n) if y != x), key=lambda y: key[x][y], default=None) for x in range(n)]
    wants = np.zeros((n, n), bool)
    for x in range(n):
        for y in range(n):
            allowed = rule.matrix()[pattern.colors[x], pattern.colors[y]] if rule.n_colors > 1 else True
            if isinstance(rule.exclude, str) and nearest[x] == y and nearest[y] == x:
                allowed = False
            if x != y and allowed:
                capacity = rule.capacity[pattern.colors[x] if len(rule.capacity) > 1 else 0]
                room = len(partners[x]) < capacity
                wants[x, y] = room or key[x][y] <= max(key[x][p] for p in partners[x])
    return wants


@pytest.mark.parametrize("rule", ["one-color", "two-color", "fussy", "misere", "multi(2)", "multi(5)"])
@pytest.mark.parametrize(
    "geometry", [pm.Torus(1.0, 1), pm.Torus(1.0, 2), pm.Torus(1.0, 3), pm.Euclidean(1), pm.Euclidean(2)]
)
def test_desires_are_counted(rule, geometry):
    rng = np.random.default_rng([geometry.dim, len(rule)])
    for n in (0, 1, 2, 3, 30, 60):
        for grid in (0, 5):  # 5: many ties and coinciding points
            points = rng.random((n, geometry.dim)) if not grid else rng.integers(0, grid, (n, geometry.dim)) / grid
            pattern = pm.Pattern(points, rng.integers(0, 2, n), geometry)
            wants, matching = desire_by_definition(pattern, rule), pm.match(pattern, rule)
            gap = pattern.distance(np.arange(n)[:, None], np.arange(n)[None, :]) if n else np.zeros((0, 0))
            for radius in (0.0, 0.2, 0.45, np.inf):
                desired, desirers = desires(pattern, matching, radius)
                assert desired.tolist() == (wants & (gap <= radius)).sum(axis=1).tolist()
                assert desirers.tolist() == (wants & (gap <= radius)).sum(axis=0).tolist()
                assert desired.sum() == desirers.sum()  # mass transport, theory.md 6


def test_a_capacity_for_each_color():
    rng = np.random.default_rng(5)
    pattern = pm.Pattern(rng.random((40, 2)), rng.integers(0, 2, 40), pm.Torus(1.0, 2))
    rule = pm.Rule(compatible=((True, True), (True, False)), capacity=(1, 3))
    wants = desire_by_definition(pattern, rule)
    desired, desirers = desires(pattern, pm.match(pattern, rule), np.inf)
    assert desired.tolist() == wants.sum(axis=1).tolist()
    assert desirers.tolist() == wants.sum(axis=0).tolist()


def test_partners_desire_each_other_and_unmatched_points_desire_all():
    pattern = pm.Pattern(np.random.default_rng(1).random((101, 2)), geometry=pm.Torus(1.0, 2))
    matching = pm.match(pattern)
    desired, desirers = desires(pattern, matching, np.inf)
    alone = matching.unmatched[0]
    assert desired[alone] == 100 and desirers[alone] == 0
    assert (np.delete(desired, alone) >= 1).all() and (np.delete(desirers, alone) >= 2).all()


@pytest.mark.parametrize("c", [0.0, 0.05, 0.2, 0.6, 2.0])
def test_points_that_nobody_far_away_desires(c):
    for n in (0, 1, 2, 40, 41):
        for geometry in (pm.Torus(1.0, 2), pm.Euclidean(2)):
            pattern = pm.Pattern(np.random.default_rng(n).random((n, 2)), geometry=geometry)
            gap = pattern.distance(np.arange(n)[:, None], np.arange(n)[None, :]) if n else np.zeros((0, 0))
            expected = ~(desire_by_definition(pattern, "one-color") & (gap > c)).any(axis=0)
            assert undesired(pattern, pm.match(pattern), beyond=c).tolist() == expected.tolist()


def test_mutually_nearest_pairs():
    pattern = pm.Pattern(np.random.default_rng(2).random((80, 2)), geometry=pm.Torus(1.0, 2))
    gap = pattern.distance(np.arange(80)[:, None], np.arange(80)[None, :]) + np.diag([9.0] * 80)
    nearest = gap.argmin(axis=1)
    expected = [[i, j] for i, j in enumerate(nearest.tolist()) if i < j and nearest[j] == i]
    assert mutually_nearest(pattern).tolist() == expected


def test_desire_in_the_mean_field_model():
    rng = np.random.default_rng(3)
    table = np.triu(rng.exponential(size=(30, 30)), 1)
    pattern = pm.Pattern(table + table.T, geometry=pm.MeanField(30.0))
    limit = pm.match(pattern).distance
    wants = (pattern.points <= limit[:, None]) & ~np.eye(30, dtype=bool)
    for radius in (0.3, np.inf):
        desired, desirers = desires(pattern, pm.match(pattern), radius)
        assert desired.tolist() == (wants & (pattern.points <= radius)).sum(axis=1).tolist()
        assert desirers.tolist() == (wants & (pattern.points <= radius)).sum(axis=0).tolist()


def test_bad_input():
    pattern = pm.Pattern(np.zeros((3, 1)), geometry=pm.Euclidean(1))
    with pytest.raises(ValueError, match="radius must be at least 0, not -1"):
        desires(pattern, pm.match(pattern), -1)
    with pytest.raises(ValueError, match="radius must be at least 0, not nan"):
        desires(pattern, pm.match(pattern), np.nan)
    with pytest.raises(ValueError, match="not by one with Sprague-Grundy labels"):
        desires(pattern, pm.match(pattern, "labels(2)"), 1)
    with pytest.raises(ValueError, match="the matching is of 3 points, the pattern has 2"):
        desires(pm.Pattern(np.zeros((2, 1)), geometry=pm.Euclidean(1)), pm.match(pattern), 1)
    with pytest.raises(ValueError, match="needs a matching with Sprague-Grundy labels"):
        measures.label_partners(pm.match(pattern), 1.0)


# ---- numbers for studies --------------------------------------------------------------------------------


def test_numbers_of_one_replicate():
    rng = np.random.default_rng(6)
    pattern = pm.Pattern(rng.random((60, 2)) * 8, rng.integers(0, 2, 60), pm.Torus(8.0, 2))
    matching, gap = pm.match(pattern), pattern.distance(np.arange(60)[:, None], np.arange(60)[None, :])
    wants = desire_by_definition(pattern, "one-color")
    beyond = measures.share_beyond(matching, [0.5, 1.0])
    assert beyond == {f"beyond_{c:g}": np.mean(matching.distance > c) for c in (0.5, 1.0)}
    assert 1 - beyond["beyond_0.5"] == len(pm.frogs.solve(pattern, "shy", c=0.5).placements) / 60
    numbers = measures.desirers_within(pattern, matching, [2.0, 0.5])
    assert numbers["desirers_2"] == pytest.approx((wants & (gap <= 2)).sum() / 60)
    assert numbers["desirers_0.5"] == pytest.approx((wants & (gap <= 0.5)).sum() / 60)
    assert numbers["undesired_0.5"] == pytest.approx((~(wants & (gap > 0.5) & (gap <= 2)).any(axis=0)).mean())
    left = measures.misere_leftovers(pattern)
    assert left["leftovers"] in (0, 2) and left["alice"] == (left["leftovers"] > 0)
    multi = pm.match(pattern, "multi(3)")
    short = measures.incomplete(multi)
    assert short["incomplete"] == sum((row < 0).any() for row in multi.partner) <= 3
    assert short["alice"] == measures.alice_wins(pattern, "stones", k=2)["alice"]
    labels = measures.label_partners(pm.match(pattern, "labels(4)"), radius=1.0)
    label = all_labels(pattern)
    for k in range(4):
        assert labels[f"missing_{k}"] == pytest.approx(1 - ((label == k) & (gap <= 1)).any(axis=1).mean())
        assert labels[f"distance_{k}"] == pytest.approx(gap[label == k].mean())
    counts = pattern.count(2)
    assert measures.alice_wins(pattern, "colored-points")["placements"] == max(counts[0] - counts[1], 0)


def test_components():
    pattern = pm.Pattern(np.array([[0.0], [1.0], [2.5], [10.0], [11.0]]), geometry=pm.Euclidean(1))
    assert measures.components(pm.match(pattern)).tolist() == [2, 2, 1]
    assert measures.components(pm.match(pattern, "multi(2)")).tolist() == [3, 2]
    assert measures.component_fractions(pm.match(pattern, "multi(2)")) == {
        "largest": 0.6,
        "second": 0.4,
        "components": 2,
    }
    one = pm.Pattern(np.zeros((1, 1)), geometry=pm.Euclidean(1))
    assert measures.component_fractions(pm.match(one)) == {"largest": 1.0, "second": 0.0, "components": 1}
    none = pm.Pattern(np.zeros((0, 1)), geometry=pm.Euclidean(1))
    assert measures.component_fractions(pm.match(none)) == {"largest": 0.0, "second": 0.0, "components": 0}
    assert np.isnan(measures.share_beyond(pm.match(none), [1.0])["beyond_1"])
    assert np.isnan(measures.desirers_within(none, pm.match(none), [1.0, 2.0])["undesired_1"])


def test_winners_of_one_replicate():
    rng = np.random.default_rng(7)
    for n in range(8):
        pattern = pm.Pattern(rng.random((n, 2)), rng.integers(0, 2, n), pm.Torus(1.0, 2))
        for variant, extra in [("friendly", {}), ("misere", {}), ("fussy", {}), ("shy-colored", {"c": 0.3})]:
            assert measures.alice_wins(pattern, variant, **extra)["alice"] == (
                Analysis(pattern, variant, **extra).winner == "Alice"
            )
        alice = Analysis(pattern, "colored-points", missing=True).winner == "Alice"
        assert measures.alice_wins(pattern, "colored-points")["alice"] == alice


@pytest.mark.slow
def test_a_million_points():
    rng = np.random.default_rng(8)
    pattern = pm.Pattern(rng.random((1_000_000, 2)) * 1000, rng.integers(0, 2, 1_000_000), pm.Torus(1000.0, 2))
    for variant, extra in [("friendly", {}), ("shy-colored", {"c": 1.0}), ("colored-points", {}), ("stones", {"k": 2})]:
        solution = pm.frogs.solve(pattern, variant, **extra)
        assert solution.winner == ("Alice" if len(solution.placements) else "Bob")
    desired, desirers = desires(pattern, pm.match(pattern), 20.0)
    assert desired.sum() == desirers.sum() and desired.min() >= 1
