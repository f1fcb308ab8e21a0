"""Wythoff's game and the two games of Euclid beside each other: all pairs to a total of 60, winning moves of huge heaps."""

import itertools

import pytest

import poissonmatch_games as g
from helpers.slow_games import both_plays, euclid_moves, slow, slow_win, wythoff_moves

EUCLID, COLE_DAVIE = g.impartial.Euclid(), g.impartial.two_heaps.ColeDavieEuclid()
GAMES = {
    "Wythoff": (g.impartial.Wythoff(), wythoff_moves, 0),
    "Grossman's Euclid": (EUCLID, euclid_moves(1), 1),
    "Cole and Davie's Euclid": (COLE_DAVIE, euclid_moves(0), 0),
}


@both_plays
@pytest.mark.parametrize("name", GAMES)
def test_against_recursion(name, misere):
    """Outcomes and winning moves to a total of 60, values of heaps below 25."""
    game, moves, least = GAMES[name]
    value, wins = slow(moves), slow_win(moves)
    for pair in itertools.product(range(least, 61), repeat=2):
        if sum(pair) <= 60:
            assert game.is_p(pair, misere=misere) != wins(pair, misere), pair
            found = game.winning_moves(pair, misere=misere)
            assert set(found) == {option for option in moves(pair) if not wins(option, misere)}
            assert len(found) == len(set(found)) and set(game.options(pair)) == set(moves(pair))
        if max(pair) < 25:
            assert game.grundy(pair, misere=misere) == value(pair, misere), pair
    assert name == "Wythoff" or game.is_tame((34, 21))


def test_huge_heaps():
    game = g.impartial.Wythoff()
    for x, y in itertools.product((10**30, 10**30 + 1, 6180339887498948482 * 10**11, 7), repeat=2):
        for misere in (False, True):
            moves = game.winning_moves((x, y), misere=misere)
            assert bool(moves) != game.is_p((x, y), misere=misere)
            for a, b in moves:
                assert game.is_p((a, b), misere=misere) and (a == x or b == y or x - a == y - b) and a + b < x + y
    for euclid in (EUCLID, COLE_DAVIE):
        assert euclid.winning_move((10**40, 3)) in ((1, 3), (4, 3)) and euclid.is_p(euclid.winning_move((10**40, 3)))
