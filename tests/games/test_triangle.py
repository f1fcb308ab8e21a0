"""The Triangle Game: options, tameness, tables, patterns of the nim-values; the theorems are in tests/statements."""

import itertools

import numpy as np
import pytest

import poissonmatch_games as g
from helpers.slow_games import both_plays, slow, triangle_moves
from helpers.tables import tables
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
    columns = g.TriangleGame().columns(12)
    assert list(columns) == list(g.impartial.TRIANGLE_COLUMNS)
    x, y, z = (columns[name] for name in "xyz")
    for name, misere in (("", False), ("misere_", True)):
        values = [slow_value(position, misere) for position in zip(x.tolist(), y.tolist(), z.tolist(), strict=True)]
        assert columns[f"{name}grundy"].tolist() == values
        assert columns[f"{name}p"].tolist() == [value == 0 for value in values]
    assert (columns["total"] == x + y + z).all() and (columns["excess"] == y - x - z).all()
    assert columns["p"].dtype == bool and columns["grundy"].dtype == np.int64


def test_patterns_up_to_180():
    """Verified up to 180 here (docs/impartial-games.md: further); exceptions listed by the program."""
    patterns = {pattern.statement: pattern for pattern in triangle_patterns(g.TriangleGame(), 180)}
    failing = {name: [*map(list, pattern.first_failures)] for name, pattern in patterns.items() if pattern.failures}
    assert failing == tables(__file__, "impartial.toml")["failing_patterns"]
    assert all(
        pattern.checked > 700 and pattern.failures == len(pattern.first_failures) for pattern in patterns.values()
    )
