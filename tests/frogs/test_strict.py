"""Frog games in which no jump to an equal distance is legal, compared with the rules alone."""

import numpy as np
import pytest

import poissonmatch as pm
from helpers.agreement import disagreements, positions, small
from poissonmatch.frogs import retrograde

STRICT = {
    "friendly": {}, "colored": {}, "shy": {"c": 1.0}, "shy-colored": {"c": 1.0}, "confined": {"reach": 1.0},
    "colored-points": {"missing": True}, "fussy": {}, "misere": {}, "misere-colored": {},
}  # fmt: skip


def tied_patterns():
    rng = np.random.default_rng(4)
    yield pm.Pattern([[0.0], [1.0], [2.0]], [0, 1, 0], pm.Euclidean(1))
    for n, dim in ((0, 1), (1, 1), (2, 1), (5, 1), (7, 2), (8, 2), (9, 1)):
        for _ in range(4):
            yield pm.Pattern(rng.integers(0, 4, (n, dim)), rng.integers(0, 2, n), pm.Euclidean(dim))


@pytest.mark.parametrize("variant", STRICT)
def test_the_solution_is_that_of_the_rules(variant):
    parameters = {**STRICT[variant], "strict": True}
    for pattern in tied_patterns():
        analysis = retrograde.Analysis(pattern, variant, **parameters)
        solution = pm.frogs.solve(pattern, variant, **parameters)
        assert solution.winner == analysis.winner
        for position in positions(solution.rules):
            assert solution.is_p_position(position) == analysis.is_p_position(position), (position, pattern.points)
            expected = sorted(analysis.winning_moves(position), key=lambda m: (m.frog is not None and m.frog, m.to))
            assert solution.winning_moves(position) == expected


@pytest.mark.parametrize("variant", STRICT)
def test_without_ties_it_is_the_solution_through_the_matching(variant):
    pattern = pm.Pattern(np.random.default_rng(2).random((40, 2)) * 3, np.arange(40) % 2, pm.Euclidean(2))
    strict = pm.frogs.solve(pattern, variant, **STRICT[variant], strict=True)
    usual = pm.frogs.solve(pattern, variant, **STRICT[variant])
    assert strict.winner == usual.winner
    np.testing.assert_array_equal(strict.placements, usual.placements)


@pytest.mark.parametrize("variant", ("stones", "fussy-stones"))
@pytest.mark.parametrize("k", (0, 1, 2))
def test_stones_are_those_of_the_rules(k, variant):
    rng = np.random.default_rng(k)
    for _ in range(16):
        assert disagreements(small(rng, 6 - k, ties=True), variant, k=k, strict=True) == []


def test_equal_steps():
    equal = pm.Pattern([[0.0], [1.0], [2.0]], None, pm.Euclidean(1))
    assert pm.frogs.solve(equal).winner == "Alice" and pm.frogs.solve(equal, strict=True).winner == "Bob"
    rules = pm.frogs.rules_of(equal, "friendly", strict=True)
    assert rules.objection(rules.position((0, 1)), pm.frogs.Move(0, 2))
    assert not pm.frogs.rules_of(equal, "friendly").objection(rules.position((2, 1)), pm.frogs.Move(2, 0))
    assert "Of equal distances the one between pads with lower numbers counts as closer" in rules.about()
    assert pm.frogs.check(equal, "friendly", [(0, 1), (1, 2)], strict=True) is None
