"""The theorems on frog games, as far as finite sets obey them; large sets."""

import numpy as np
import pytest

import poissonmatch as pm
from helpers.agreement import SINGLE, disagreements
from helpers.strategies import table_pattern
from poissonmatch.frogs import Move, Position, all_labels, solve
from poissonmatch.frogs.retrograde import Analysis


def winner(*game, **parameters):
    """The winner by both solvers."""
    (name,) = {solver(*game, **parameters).winner for solver in (solve, Analysis)}
    return name


def test_players_without_a_pad():
    def pattern(n, colors=None):
        return pm.Pattern(np.arange(n, dtype=float)[:, None], colors, pm.Euclidean(1))

    for variant, extra in [("friendly", {}), ("shy", {"c": 1}), ("fussy", {}), ("misere", {}), ("stones", {"k": 1})]:
        assert [winner(pattern(n), variant, **extra) for n in (0, 1)] == ["Bob", "Alice"]
    for variant in ("shy", "shy-colored"):  # Bob has no pad far enough away
        assert [winner(pattern(n), variant, c=9) for n in range(5)] == ["Bob"] + ["Alice"] * 4
    for colors, expected in [([0, 0, 0], "Alice"), ([1, 1, 1], "Bob")]:
        assert winner(pattern(3, colors), "colored-points", missing=True) == expected
    for sizes, expected in [((0, 3), "Bob"), ((1, 4), "Bob"), ((2, 0), "Bob"), ((2, 1), "Alice")]:
        assert winner([pattern(n) for n in sizes], "ponds") == expected


def test_labels_of_large_sets_are_the_first_of_all_labels():
    pattern = pm.Pattern(np.random.default_rng(8).random((300, 2)), geometry=pm.Torus(1.0, 2))
    label, partner = all_labels(pattern), pm.match(pattern, "labels(20)").partner
    for x in range(300):
        for k in range(20):
            assert partner[x, k] == (np.flatnonzero(label[x] == k)[0] if k in label[x] else -1)


@pytest.mark.long
def test_large_ponds(monkeypatch):
    rng = np.random.default_rng(9)
    ponds = [pm.Pattern(rng.random((n, 2)), geometry=pm.Torus(1.0, 2)) for n in (101, 151)]
    exact = solve(ponds, "ponds")
    monkeypatch.setattr("poissonmatch.frogs.labels.MAX_POINTS", 50)
    rough = solve(ponds, "ponds")
    assert not rough.tables[0].complete and exact.tables[0].complete
    assert rough.winner == exact.winner == "Alice"  # an odd pond misses the label 0 somewhere
    unknown = 0
    for _ in range(300):
        position = tuple(tuple(rng.choice(len(p), 2, replace=False).tolist()) for p in ponds)
        labels = rough.labels(position)
        assert all(
            a in (None, b) and (a is not None or b >= 64) for a, b in zip(labels, exact.labels(position), strict=True)
        )
        if labels.count(None) == 2:
            with pytest.raises(ValueError, match="unknown labels"):
                rough.winning_moves(position)
            continue
        unknown += labels.count(None)
        winning = rough.winning_moves(position)
        assert set(winning) <= set(exact.winning_moves(position))
        assert rough.is_p_position(position) == exact.is_p_position(position) == (not winning)
    assert unknown > 20
    with pytest.raises(ValueError, match="at most 50 points"):
        all_labels(ponds[0])


@pytest.mark.parametrize("variant", [*SINGLE, "stones"])
def test_a_large_set_obeys_n_and_p(variant):
    rng = np.random.default_rng(10)
    n = 2_001 if variant == "misere-colored" else 20_001  # its solution visits all pairs
    side = n**0.5
    pattern = pm.Pattern(rng.random((n, 2)) * side, (rng.random(n) < 0.4).astype(int), pm.Torus(side, 2))
    extra = {"c": 1.0} if variant.startswith("shy") else {"k": 2} if variant == "stones" else {}
    solution = solve(pattern, variant, **extra)
    rules, lost = solution.rules, 0
    for _ in range(15):
        x, y = rng.choice(n, 2, replace=False).tolist()
        if rng.random() < 0.7:  # near each other, and often a P-position
            near = np.argsort(pattern.distance(x, np.arange(n)))[1:6]
            y = int(rng.choice(near))
        if rules.together(x, y):
            continue
        position = rules.position((x, y))
        winning = solution.winning_moves(position)
        for move in winning:
            assert rules.objection(position, move) == ""
            assert solution.is_p_position(rules.after(position, move))
        moves = [Move(frog, z) for frog in (x, y) for z in rng.choice(n, 40).tolist()]
        moves = [move for move in moves if not rules.objection(position, move)]
        if solution.is_p_position(position):
            lost += 1
            assert not winning
            assert not any(solution.is_p_position(rules.after(position, move)) for move in moves)
    for a in solution.placements[:3].tolist():
        assert solution.is_p_position(Position((a,), solution._stones(a)))
    assert lost


@pytest.mark.long
def test_distances_of_the_mean_field_model():
    rng = np.random.default_rng(11)
    pattern = table_pattern(rng.exponential(size=(8, 8)), volume=8.0)
    for variant, extra in [("friendly", {}), ("colored", {}), ("shy-colored", {"c": 0.5}), ("misere", {})]:
        assert disagreements(pattern, variant, **extra) == []
