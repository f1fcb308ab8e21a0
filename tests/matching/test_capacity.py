"""A capacity for each point, against greedy matching in the order of all pairs."""

import pickle

import numpy as np
import pytest

import poissonmatch as pm
from helpers import oracles
from helpers.rules import FORBIDDEN, RULES, recolored, rule_for
from helpers.strategies import make_pattern, table_pattern

NAMES = [name for name in (*RULES, *FORBIDDEN) if "labels" not in name]


def greedy(pattern, rule, capacity):
    """The pairs of the stable matching, by walking through all pairs from the shortest to the longest."""
    remaining, pairs = list(capacity), []
    for _, i, j in oracles.allowed_pairs(pattern, rule, oracles.pair_list(pattern)):
        if remaining[i] and remaining[j]:
            remaining[i], remaining[j] = remaining[i] - 1, remaining[j] - 1
            pairs.append([i, j])
    return sorted(pairs)


def capacities(n, seed):
    """Random capacities; all at most 1; one point with more than it can use."""
    rng = np.random.default_rng(seed)
    yield rng.integers(0, 4, n)
    yield rng.integers(0, 2, n)
    yield np.where(np.arange(n) == n // 2, 10**9 - 1, 1)


def check(pattern, rule, capacity, threads=1):
    matching = pm.match(pattern, rule, capacity=capacity, threads=threads)
    assert sorted(matching.pairs.tolist()) == greedy(pattern, rule, capacity.tolist())
    assert matching.capacity.tolist() == capacity.tolist()
    assert ((matching.partners >= 0).sum(axis=1) <= capacity).all()
    assert (matching.distances[:, :-1] <= matching.distances[:, 1:]).all()  # nearest first
    assert len(pm.blocking_pairs(pattern, matching)) == 0
    assert matching == pm.Matching.from_partners(pattern, matching.partners, rule, capacity=capacity)
    return matching


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("dim", (1, 2, 3))
def test_each_point_has_a_capacity(name, dim):
    rng = np.random.default_rng(1)
    for n in (0, 1, 2, 3, 40):
        table = table_pattern(rng.exponential(size=(n, n)), rng.integers(0, 3, n))
        for made in (
            make_pattern("uniform", n, dim, seed=n),
            make_pattern("lattice", n, dim, n, euclidean=True),
            table,
        ):
            rule = rule_for(name, made)
            for capacity in capacities(n, seed=dim):
                assert check(recolored(made, rule), rule, capacity, threads=1 + (n == 40)).rule == rule


@pytest.mark.parametrize("name", ("one-color", "fussy", "misere"))
def test_without_a_table(name):
    """Capacities that depend on the color give the same matching as the rule with these, from the same random numbers."""
    colors = np.arange(300) % 2
    pattern = pm.Pattern(np.zeros((300, 0)), colors, pm.MeanField(100.0, table=False))
    rule = RULES[name]
    by_color = pm.Rule(rule.compatible, (1, 3), rule.exclude)
    given = pm.match(pattern, pm.Rule(by_color.matrix(), exclude=rule.exclude), capacity=1 + 2 * colors, rng=5)
    assert np.array_equal(given.partners, pm.match(pattern, by_color, rng=5).partners)
    some = pm.match(pattern, rule, capacity=colors, rng=5)
    assert (some.partners[colors == 0] < 0).all() and ((some.partners >= 0).sum(axis=1) <= colors).all()


def test_rounds_and_desires_are_those_of_the_rule_with_these_capacities():
    pattern = make_pattern("uniform", 60, 2, seed=3)
    rule = RULES["capacity by color"]
    by_rule = pm.match(pattern, rule)
    given = pm.match(pattern, pm.Rule(rule.matrix()), capacity=by_rule.capacity)
    assert np.array_equal(given.partners, by_rule.partners) and given != by_rule
    assert np.array_equal(pm.rounds(given), pm.rounds(by_rule))
    assert np.array_equal(pm.desire.desires(given, 0.3), pm.desire.desires(by_rule, 0.3))


def test_points_of_capacity_0_play_no_part():
    """Rounds and desires of the others are those without them."""
    pattern = make_pattern("uniform", 60, 2, seed=4)
    active = np.arange(60) % 3 > 0
    matching = pm.match(pattern, capacity=active.astype(int))
    rest = pm.match(pm.Pattern(pattern.points[active], geometry=pattern.geometry))
    assert np.array_equal(pm.rounds(matching)[active], pm.rounds(rest))
    assert np.array_equal(np.array(pm.desire.desires(matching, np.inf))[:, active], pm.desire.desires(rest, np.inf))
    assert not np.array(pm.desire.desires(matching, np.inf))[:, ~active].any()
    assert (pm.rounds(matching)[~active] == -1).all()


def test_a_matching_remembers_its_capacities():
    pattern = make_pattern("uniform", 9, 2, seed=5)
    capacity = np.arange(9) % 3
    matching = pm.match(pattern, capacity=capacity)
    capacity[:] = 7
    copy = pickle.loads(pickle.dumps(matching))
    assert copy == matching and copy.capacity.tolist() == [0, 1, 2] * 3
    assert len(pm.blocking_pairs(pattern, matching, "one-color")) > 0
    with pytest.raises(ValueError, match="read-only"):
        matching.capacity[0] = 1
    assert pm.match(pattern, "multi(2)").capacity.tolist() == [2] * 9
    assert pm.match(pattern, "labels(3)").capacity.tolist() == [3] * 9
