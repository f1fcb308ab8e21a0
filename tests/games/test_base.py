"""What every impartial game answers: sums, genus, tameness, rulesets of one's own."""

import itertools
from dataclasses import dataclass

import pytest

import poissonmatch_games as g
from helpers.slow_games import both_plays, bowling, nim_moves, one_heap, slow, slow_win, sum_moves, wythoff_moves


@both_plays
def test_sums_against_brute_force(misere):
    """Sprague-Grundy for normal play; in misere play the sum is compared with a search that knows no theory."""
    whole = sum_moves(one_heap((1, 3, 4)), wythoff_moves, bowling((1, 2)))
    value, wins = slow(whole), slow_win(whole)
    game = g.game_named("subtraction(1,3,4) + wythoff + kayles", misere=misere).game
    for n, pair, row in itertools.product(range(6), [(0, 0), (1, 1), (1, 2), (2, 2), (3, 1)], range(7)):
        plain = (n, pair, (row,) if row else ())
        assert game.grundy((n, pair, row)) == value(plain, misere)
        assert game.is_p((n, pair, row)) != wins(plain, misere)


def test_sum_by_plus_and_its_winning_moves():
    game = g.Nim() + g.game_named("twenty-one").game
    assert game.grundy(((3, 4), 21)) == 3 ^ 4 ^ 1
    for move in game.winning_moves(((3, 4), 21)):
        assert game.grundy(move) == 0
    assert game.winning_moves(((1,), 1)) == []


def test_wild_sums_are_searched():
    """Kayles 5 has genus 4^146: not like Nim."""
    game, value = g.impartial.Kayles(), slow(bowling((1, 2)))
    assert not game.is_tame(5) and game.is_tame(4)
    for rows in itertools.combinations_with_replacement(range(1, 8), 2):
        assert game.grundy(rows, misere=True) == value(rows, True)


def test_genus_by_its_definition():
    """Misere nim-values of G + *2 + ... + *2, by recursion on the sum."""
    value = slow(sum_moves(bowling((1, 2)), nim_moves))
    for n in range(8):
        genus = g.impartial.Kayles().genus(n)
        for copies in range(5):
            assert genus.term(copies) == value(((n,) if n else (), (2,) * copies), True)


def test_a_ruleset_may_be_a_dataclass():
    @dataclass
    class Take(g.impartial.ImpartialGame):
        most: int

        def options(self, position):
            return range(max(0, position - self.most), position)

    assert [Take(2).outcome(n) for n in range(7)] == list("PNNPNNP")
    assert Take(2).outcome(1, misere=True) == "P"


def test_a_long_play_needs_no_recursion():
    assert g.impartial.FunctionGame(lambda n: [n - 1] if n else []).grundy(50_001) == 1


def test_too_many_positions():
    game = g.impartial.FunctionGame(lambda n: [n - 1] if n else [])
    game.max_positions = 100
    assert game.grundy(99) == 1
    with pytest.raises(MemoryError, match="max_positions = 100"):
        game.grundy(101)
    assert game.grundy(98) == 0  # what was found is kept
