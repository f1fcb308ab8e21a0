"""Rounds of the matching, against the procedure as it is defined: round by round, over all pairs."""

import numpy as np
import pytest

import poissonmatch as pm
from helpers.rules import FORBIDDEN, RULES, recolored, rule_for
from helpers.slow_locality import rounds_of_pairs
from helpers.strategies import table_pattern

NAMES = [name for name in (*RULES, *FORBIDDEN) if "labels" not in name]


def by_pairs(matching):
    table = pm.rounds(matching).reshape(matching.partners.shape)
    found = {}
    for x, k in zip(*np.nonzero(matching.partners >= 0), strict=True):
        pair = tuple(sorted((int(x), int(matching.partners[x, k]))))
        assert found.setdefault(pair, table[x, k]) == table[x, k]  # as its other end says
    assert ((table == -1) == (matching.partners < 0)).all() and table.dtype == np.int64
    return found


def patterns(dim):
    rng = np.random.default_rng(dim)
    for n in (0, 1, 2, 3, 4, 5, 6, 25):
        for points in (rng.random((n, dim)), rng.integers(0, 4, (n, dim)) / 4):  # the second has ties
            for geometry in (pm.Torus(1.0, dim), pm.Euclidean(dim)):
                yield pm.Pattern(points, rng.integers(0, 3, n), geometry)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("dim", [1, 2])
def test_rounds_against_the_definition(name, dim):
    for pattern in patterns(dim):
        rule = rule_for(name, pattern)
        pattern = recolored(pattern, rule)
        assert by_pairs(pm.match(pattern, rule)) == rounds_of_pairs(pattern, rule)


def test_rounds_in_the_mean_field_model_and_of_tiny_lengths():
    rng = np.random.default_rng(3)
    few = table_pattern(rng.exponential(size=(30, 30)), volume=30.0)
    tiny = pm.Pattern(rng.random((30, 2)) * 1e-100, geometry=pm.Torus(1e-100, 2))
    for pattern in (few, tiny):
        plain = pm.Pattern(pattern.points * 1e100, geometry=pm.Torus(1.0, 2)) if pattern is tiny else pattern
        assert by_pairs(pm.match(pattern)) == rounds_of_pairs(plain, pm.RULES["one-color"])
