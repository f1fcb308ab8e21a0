"""Stones on digraphs in the spirit of the Triangle Game: values against recursion, and what their P-positions do."""

import itertools

import pytest

import poissonmatch_games as g
from helpers.slow_games import both_plays, slow
from poissonmatch_games.impartial import digraphs


def moves_along(edges):
    """The moves, on lists of stones taken and put back one by one."""

    def moves(stones):
        for u, v in edges:
            for taken in range(1, stones[u] + 1):
                for back in range(taken):
                    yield tuple(n - taken * (w == u) + back * (w == v) for w, n in enumerate(stones))

    return moves


def ring(count):
    return [(v, (v + 1) % count) for v in range(count)]


def positions(count, total):
    return [p for p in itertools.product(range(total + 1), repeat=count) if sum(p) <= total]


DIGRAPHS = [
    edges
    for count in range(1, 7)
    for edges in itertools.combinations([(u, v) for u in range(3) for v in range(3) if u != v], count)
]


STONES = {"ring(4)": ring(4), "path(3)": [(0, 1), (1, 2)], "digraph(0-1,1-0,2-0)": [(0, 1), (1, 0), (2, 0)]}


@both_plays
@pytest.mark.parametrize("name", STONES)
def test_values_against_recursion(name, misere):
    game, moves = g.game_named(name).game, moves_along(STONES[name])
    value = slow(moves)
    for position in positions(game.count, 7):
        assert game.grundy(position, misere=misere) == value(position, misere)
        assert set(game.options(position)) == set(moves(position))


def test_one_vertex_that_stones_can_leave():
    """All digraphs on three vertices: P exactly when it is empty."""
    for edges in DIGRAPHS:
        if len({u for u, _ in edges}) == 1:
            game, (u,) = g.impartial.StonesOnDigraph(edges, 3), {u for u, _ in edges}
            assert all(game.is_p(p) == (p[u] == 0) for p in positions(3, 8))


def test_two_vertices_that_stones_can_leave():
    """P exactly when the two are equal: take the difference, and return nothing."""
    for edges in DIGRAPHS:
        if len(sources := {u for u, _ in edges}) == 2:
            game, (u, v) = g.impartial.StonesOnDigraph(edges, 3), sources
            assert all(game.is_p(p) == (p[u] == p[v]) for p in positions(3, 8))
    assert digraphs.StonesOnRing(2).p_positions(positions(2, 12)) == [(n, n) for n in range(7)]


@pytest.mark.parametrize("count, total", [(2, 16), (4, 10), (6, 6)])
def test_even_rings(count, total):
    """Where each vertex holds as many stones as the one opposite, the position is P: play the same move on the other side."""
    game, half = digraphs.StonesOnRing(count), count // 2
    for half_of_it in positions(half, total // 2):
        assert game.is_p(half_of_it * 2)
        if max(half_of_it, default=0) > 1:
            assert game.is_p(half_of_it * 2, misere=True)


def test_misere_play_where_stones_can_leave_every_vertex():
    """As theorem 2.7 for all such digraphs on three vertices, rings of 2 to 5, and what is counted are stones that can move:
    the outcome changes exactly where no vertex holds more than one."""
    games = [(g.impartial.StonesOnDigraph(e, 3), 8) for e in DIGRAPHS] + [
        (digraphs.StonesOnRing(n), t) for n, t in ((2, 14), (4, 8), (5, 6))
    ]
    for game, total in games:
        moving = sorted({u for u, _ in game.edges})
        for position in positions(game.count, total):
            small = max(position[u] for u in moving) <= 1
            assert (game.is_p(position) != game.is_p(position, misere=True)) == small
            if small:
                assert game.is_p(position) == (sum(position[u] for u in moving) % 2 == 0)
