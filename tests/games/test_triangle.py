"""The Triangle Game: options, tameness, tables; the theorems are in tests/statements."""

import itertools

import numpy as np
import pytest

import poissonmatch_games as g
from helpers.slow_games import both_plays, slow, triangle_moves
from poissonmatch_games.impartial.triangle import golden, layer_index
from triangle_statements import triangle_patterns

slow_value = slow(triangle_moves)


def totals(top):
    return [p for p in itertools.product(range(top + 1), repeat=3) if sum(p) <= top]


@both_plays
def test_table_against_recursion(misere):
    """Every position with at most 18 stones, with no use of the symmetry."""
    game = g.TriangleGame(misere=misere)
    for position in totals(18):
        assert game.grundy(position) == slow_value(position, misere)


@both_plays
def test_large_values_are_the_mex_of_their_options(misere):
    """Random positions with up to 200 stones, where the bitsets of the kernel have several words."""
    values, rng = g.TriangleGame().values(200, misere=misere), np.random.default_rng(5)
    for total in rng.integers(55, 201, size=40).tolist():
        cut = sorted(rng.integers(0, total + 1, size=2).tolist())
        position = cut[0], cut[1] - cut[0], total - cut[1]
        after = {values[layer_index(sum(option), option[0], option[1])] for option in triangle_moves(position)}
        assert values[layer_index(total, *position[:2])] == next(k for k in itertools.count() if k not in after)


def test_options():
    game = g.TriangleGame()
    for position in totals(7):
        assert sorted(game.options(position)) == sorted(triangle_moves(position))


def test_golden_in_integers():
    fibonacci = [1, 1]
    while len(fibonacci) < 200:
        fibonacci.append(sum(fibonacci[-2:]))
    signs = [golden(z, x) for x, z in itertools.pairwise(fibonacci)]
    assert signs == [k % 2 == 1 for k in range(199)]  # the quotients 1, 2, 3/2, 5/3, ... lie around phi in turn


def test_tame():
    """Every position with at most 180 stones, hence (options have fewer stones) all sums of such positions."""
    game = g.TriangleGame()
    assert game.wild_positions(180) == []
    assert game.is_tame((60, 60, 60))
    assert str(game.genus((0, 2, 2))) == "0^02" and str(game.genus((1, 1, 1))) == "1^031"


@pytest.mark.slow
def test_everything_up_to_800():
    game = g.TriangleGame()
    assert all(pattern.last_failing_total <= 16 for pattern in triangle_patterns(game, 800))
    assert game.wild_positions(800) == [] and len(game.exceptions(800)) == 4
    assert game.closed_form_failures(800) == game.closed_form_failures(800, misere=True) == []


def test_columns():
    game = g.TriangleGame()
    columns = game.columns(12)
    assert list(columns) == list(g.impartial.TRIANGLE_COLUMNS)
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*(x.tolist() for x in columns.values()), strict=True)]
    for row in rows:
        position = row["x"], row["y"], row["z"]
        assert row["grundy"] == slow_value(position, False) and row["misere_grundy"] == slow_value(position, True)
        assert row["p"] == (row["grundy"] == 0) and row["misere_p"] == (row["misere_grundy"] == 0)
        assert row["total"] == sum(position) and row["excess"] == row["y"] - row["x"] - row["z"]
        assert all(type(value) in (int, bool) for value in row.values())
    assert columns["p"].dtype == bool and columns["grundy"].dtype == np.int64
