"""Games on heaps against the statements of the literature and against slow twins."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import poissonmatch_games as g
from helpers.slow_games import both_plays, bowling, nim_moves, one_heap, slow, slow_win

# Nim [M]


def test_nim_is_xor():
    value = slow(nim_moves)
    for position in itertools.product(range(5), repeat=3):
        assert g.Nim().grundy(position) == value(position) == position[0] ^ position[1] ^ position[2]
        assert g.Nim(misere=True).grundy(position) == value(position, True)


@both_plays
def test_nim_winning_moves_are_all_of_them(misere):
    wins = slow_win(nim_moves)
    for position in itertools.product(range(5), repeat=3):
        expected = {move for move in nim_moves(position) if not wins(move, misere)}
        moves = g.Nim(misere=misere).winning_moves(position)
        assert set(moves) == expected and len(moves) == len(expected)


def test_the_lecture_plays_3_4_5():
    assert g.Nim().winning_moves((3, 4, 5)) == [(1, 4, 5)]
    assert g.Nim().outcome((0, 7, 7)) == "P" and g.Nim().outcome((0, 0, 9)) == "N"
    assert g.Nim().winning_moves((10**18, 10**18 + 1, 0)) == [(10**18, 10**18, 0)]


# Subtraction games [M]


def test_subtraction_1_3_4():
    game = g.impartial.SubtractionGame((1, 3, 4))
    assert game.values(20).tolist() == ([0, 1, 0, 1, 2, 3, 2] * 3)[:21]
    assert game.period() == g.impartial.periods.Period(0, 7, 0, 257, True)


@settings(max_examples=40, deadline=None)
@given(st.sets(st.integers(1, 9), min_size=1, max_size=4), st.integers(0, 40))
def test_subtraction_games_against_recursion(take, n):
    value = slow(one_heap(take))
    game = g.impartial.SubtractionGame(take)
    assert game.grundy(n) == value(n)
    assert game.grundy(n, misere=True) == game.values(n, misere=True)[n] == value(n, True)
    assert game.is_tame(n)  # Gurvich and Ho: all subtraction games are pet, hence tame
    period = game.period()
    assert period is not None and period.proved
    tail = np.array([value(k) for k in range(period.preperiod + 3 * period.period + 30)])
    later, earlier = tail[period.preperiod + period.period :], tail[period.preperiod : -period.period]
    assert (later == earlier).all()


# Kayles, Dawson's Kayles, octal games


@pytest.mark.parametrize(
    "game, knocks",
    [
        (g.impartial.Kayles(), (1, 2)),
        (g.game_named("dawsons-kayles").game, (2,)),
        (g.game_named("treblecross").game, (3,)),
    ],
)
def test_bowling_against_recursion(game, knocks):
    value = slow(bowling(knocks))
    for n in range(15):
        row = (n,) if n else ()
        assert game.grundy(n) == value(row)
        assert game.grundy(n, misere=True) == game.values(n, misere=True)[n] == value(row, True)
    for rows in itertools.combinations_with_replacement(range(1, 6), 3):
        assert game.grundy(rows) == value(rows)
        assert game.grundy(rows, misere=True) == value(rows, True)


def parts_of(heaps, split):
    """The positions after one move, which replaces a heap n by the tuples of split(n)."""
    for i, heap in enumerate(heaps):
        for parts in split(heap):
            yield tuple(sorted(heaps[:i] + heaps[i + 1 :] + parts))


SPLITS = {
    "grundys-game": lambda n: [(a, n - a) for a in range(1, n) if a < n - a],
    "guiles": lambda n: [()] * (n in (1, 2)) + [(a, n - 2 - a) for a in range(1, n - 2)],
    "officers": lambda n: [(n - 1,)] * (n > 1) + [(a, n - 1 - a) for a in range(1, n - 1)],
}


@pytest.mark.parametrize("name", SPLITS)
def test_documented_games_against_recursion(name):
    game, value = g.game_named(name).game, slow(lambda heaps: parts_of(heaps, SPLITS[name]))
    for heaps in [*((n,) for n in range(1, 14)), *itertools.combinations_with_replacement(range(1, 7), 2)]:
        assert game.grundy(heaps) == value(heaps) and game.grundy(heaps, misere=True) == value(heaps, True)


def test_the_period_of_guiles():
    assert g.game_named("guiles").game.period().period == 10


def test_kayles_period_12():
    """Guy and Smith 1956: period 12 from heap 71 on, and the exceptions before it."""
    game = g.impartial.Kayles()
    period = game.period()
    assert (period.preperiod, period.period, period.saltus, period.proved) == (71, 12, 0, True)
    cycle = [4, 1, 2, 8, 1, 4, 7, 2, 1, 8, 2, 7]
    exceptions = {n: v for n, v in enumerate(game.values(2000).tolist()) if v != cycle[n % 12]}
    assert exceptions == {
        0: 0, 3: 3, 6: 3, 9: 4, 11: 6, 15: 7, 18: 3, 21: 4, 22: 6, 28: 5, 34: 6, 39: 3, 57: 4, 70: 6,
    }  # fmt: skip


@settings(max_examples=30, deadline=None)
@given(st.text("01234567", min_size=1, max_size=3), st.sampled_from("04"), st.integers(0, 9))
def test_octal_games_against_recursion(digits, whole, n):
    code = f"{whole}.{digits}"

    def moves(rows):
        for i, row in enumerate(rows):
            others = rows[:i] + rows[i + 1 :]
            for removed, digit in enumerate(map(int, whole + digits)):
                for parts in ((), *((r,) for r in range(1, row + 1)), *itertools.product(range(1, row + 1), repeat=2)):
                    if sum(parts) == row - removed and digit >> len(parts) & 1 and row >= removed:
                        yield tuple(sorted(others + parts))

    value, game = slow(moves), g.impartial.OctalGame(code)
    row = (n,) if n else ()
    assert game.grundy(n) == value(row)
    assert game.grundy(n, misere=True) == value(row, True)


@pytest.mark.parametrize("code", ["77", "0.", "0.78", "1.7", "0.7.7"])
def test_illegal_octal_codes_and_subtraction_sets(code):
    with pytest.raises(ValueError, match="octal code"):
        g.impartial.OctalGame(code)
    with pytest.raises(TypeError, match="text"):
        g.impartial.OctalGame(0.77)
    with pytest.raises(ValueError, match="empty"):
        g.impartial.SubtractionGame(())
