"""Blocking pairs against the definition, walked through over all pairs."""

import numpy as np
import pytest

import poissonmatch as pm
from helpers import oracles
from helpers.rules import FORBIDDEN, RULES, recolored, rule_for
from helpers.strategies import make_pattern, table_pattern

NAMES = [name for name in (*RULES, *FORBIDDEN) if "labels" not in name]


def random_matching(pattern, rule, rng):
    """Pairs drawn at random, whether the rule allows them or not, while there is room."""
    n, width = len(pattern), max(rule.capacity)
    room, partner = oracles.capacities(pattern, rule), [[] for _ in range(n)]
    for i, j in rng.integers(0, max(n, 1), (n, 2)).tolist():
        if i != j and room[i] and room[j] and j not in partner[i]:
            partner[i].append(j)
            partner[j].append(i)
            room[i] -= 1
            room[j] -= 1
    table = np.array([row + [-1] * (width - len(row)) for row in partner], int).reshape(n, width)
    return pm.Matching.from_partners(pattern, table if width > 1 else table[:, 0], rule)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", ("uniform", "lattice", "seam", "coincident"))
def test_oracle(kind, name):
    rng = np.random.default_rng(0)
    sizes = ((0, 2, False), (1, 1, True), (2, 2, False), (9, 3, False), (40, 1, True), (70, 2, False))
    made = [make_pattern(kind, n, dim, seed=1, euclidean=euclidean) for n, dim, euclidean in sizes]
    for pattern in (*made, table_pattern(rng.integers(0, 9, (40, 40)).astype(float), rng.integers(0, 3, 40))):
        rule = rule_for(name, pattern)
        pattern = recolored(pattern, rule)
        pairs = oracles.pair_list(pattern)
        for matching in (random_matching(pattern, rule, rng), pm.match(pattern, rule), pm.match(pattern)):
            expected = oracles.blocking(pattern, rule, matching.partner, pairs)
            found = pm.blocking_pairs(pattern, matching, rule)
            assert found.dtype == np.int64 and found.shape[1] == 2
            assert found.tolist() == sorted(expected)
        assert len(pm.blocking_pairs(pattern, pm.match(pattern, rule))) == 0


@pytest.mark.parametrize("name", ("one-color", "two-color"))
def test_large_and_stable(name):
    """Not quadratic: 2 * 10^8 pairs could not be looked at."""
    pattern = recolored(make_pattern("uniform", 20_000, 2, seed=4), RULES["fussy"])
    assert len(pm.blocking_pairs(pattern, pm.match(pattern, name))) == 0
