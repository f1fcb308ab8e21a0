"""Winning moves of the Triangle Game by the proofs: the cases of [G], all winning moves, huge heaps."""

import itertools

import pytest

import poissonmatch_games as g
from games.test_triangle import totals
from helpers.slow_games import both_plays, triangle_moves
from poissonmatch_games.impartial.triangle import layer_index
from poissonmatch_games.impartial.triangle_moves import case, move_of_the_proof, moves_to_p, rotations, share

PHI = (1 + 5**0.5) / 2


def legal(position, after):
    """Stones leave one vertex, fewer come to the next, the third stays."""
    for k in range(3):
        (a, b, c), (x, y, z) = rotations(position)[k], rotations(after)[k]
        if z == c and 0 <= x < a and y >= b and x + y < a + b:
            return True
    return False


@both_plays
def test_a_winning_move_wherever_there_is_one(misere):
    """Theorems 2.4 (iii) and 2.7 (iii): every position with at most 60 stones, against the table of nim-values."""
    table = g.TriangleGame().values(60, misere=misere)

    def is_p(position):
        return table[layer_index(sum(position), position[0], position[1])] == 0

    for position in totals(60):
        move = move_of_the_proof(position, misere)
        if is_p(position) or not any(position):
            assert move is None
        else:
            assert legal(position, move) and is_p(move)


@pytest.mark.slow
@both_plays
def test_all_winning_moves(misere):
    game = g.TriangleGame(misere=misere)
    for position in totals(24):
        wins = {after for after in triangle_moves(position) if game.is_p(after)}
        moves = game.winning_moves(position)
        assert set(moves) == wins == set(moves_to_p(position, misere)) and len(moves) == len(wins)
        assert game.winning_move(position) == (moves[0] if moves else None)


def test_shares_in_integers():
    for x, z in itertools.product(range(1, 150), repeat=2):
        assert share(z) == int(z / PHI) and (share(z) < x) == (z < PHI * x)


def test_the_cases_of_the_proof_of_theorem_2_4():
    """y the largest heap: the cases exclude each other, leave out the P-positions only, and each has its move."""
    met = set()
    for x, y, z in totals(40):
        if y >= max(x, z):
            which = case((x, y, z))
            truth = [z <= x, x < z < PHI * x, z > PHI * x and y > x + z, z > PHI * x and y < x + z]
            p = (z == 0 and x == y) or (z > PHI * x and y == x + z) or not (x or y or z)
            assert which == (0 if p else truth.index(True) + 1)
            if which:
                move = {1: (x, 0, x), 2: (x, z - x, z), 3: (x, x + z, z), 4: (y - z, y, z)}[which]
                assert legal((x, y, z), move) and g.TriangleGame().is_p(move)
            met.add(which)
    assert met == {0, 1, 2, 3, 4}


@both_plays
def test_huge_heaps(misere):
    """Around P-positions near 10^15, where one stone decides."""
    game, x = g.TriangleGame(misere=misere), 10**15
    z = x * 2 - share(x) - 1  # about 1.38 x, less than phi x
    for dx, dy, dz in itertools.product((-1, 0, 1), repeat=3):
        for position in ((x + dx, 3 * x + dy, 2 * x + dz), (x + dx, x + z + dy, z + dz), (dx + 1, x + dy, x + dz)):
            move = game.winning_move(position)
            assert (move is None) == game.is_p(position)
            assert move is None or (legal(position, move) and game.is_p(move))
    game.max_positions = 1000
    with pytest.raises(MemoryError, match="max_positions = 1000 moves"):
        game.winning_moves((x, 2 * x + 7, x + 3))
