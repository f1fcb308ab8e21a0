"""Games on heaps against the statements of the literature and against slow twins; misere quotients."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import poissonmatch_games as g
from helpers.slow_games import HEAP_GAMES, both_plays, nim_moves, one_heap, slow, slow_win, splitting
from helpers.tables import tables

TABLES = tables(__file__, "impartial.toml")


@both_plays
def test_nim(misere):
    """Values, and all winning moves, which huge heaps have at once."""
    value, wins, game = slow(nim_moves), slow_win(nim_moves), g.Nim(misere=misere)
    for position in itertools.product(range(5), repeat=3):
        assert game.grundy(position) == value(position, misere)
        assert sorted(game.winning_moves(position)) == sorted(p for p in nim_moves(position) if not wins(p, misere))
    assert game.winning_moves((10**18, 10**18 + 1, 0)) == [(10**18, 10**18, 0)]


@both_plays
@pytest.mark.parametrize("name", HEAP_GAMES)
def test_games_on_heaps_against_recursion(name, misere):
    """Tables, and up to three heaps."""
    game, value = g.game_named(name, misere=misere).game, slow(HEAP_GAMES[name])
    assert game.values(14).tolist() == [value((n,) if n else (), misere) for n in range(15)]
    for count, largest in ((1, 14), (2, 6), (3, 5)):
        for heaps in itertools.combinations_with_replacement(range(1, largest + 1), count):
            assert game.grundy(heaps) == value(heaps, misere), heaps


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
    tail = [value(period.preperiod + k) for k in range(3 * period.period + 30)]
    assert tail[period.period :] == tail[: -period.period]


def test_kayles_period_12():
    """Guy and Smith 1956: period 12 from heap 71 on, and the exceptions before it; Guiles has period 10."""
    assert g.game_named("guiles").game.period().period == 10
    game = g.impartial.Kayles()
    period = game.period()
    assert (period.preperiod, period.period, period.saltus, period.proved) == (71, 12, 0, True)
    cycle = "412814721827"
    exceptions = {n: v for n, v in enumerate(game.values(2000).tolist()) if str(v) != cycle[n % 12]}
    assert exceptions == dict(TABLES["kayles"])


@settings(max_examples=30, deadline=None)
@given(st.text("01234567", min_size=1, max_size=3), st.sampled_from("04"), st.integers(0, 9))
def test_octal_games_against_recursion(digits, whole, n):
    code = f"{whole}.{digits}"

    def parts(row):
        heaps = range(1, row + 1)
        for removed, digit in enumerate(map(int, whole + digits)):
            for new in ((), *((heap,) for heap in heaps), *itertools.product(heaps, repeat=2)):
                if sum(new) == row - removed and digit >> len(new) & 1:
                    yield new

    value, game = slow(splitting(parts)), g.impartial.OctalGame(code)
    row = (n,) if n else ()
    assert game.grundy(n) == value(row)
    assert game.grundy(n, misere=True) == value(row, True)


# ---- misere quotients: printed orders, and outcomes against a slow twin ----
@pytest.mark.parametrize("code, largest, order", TABLES["quotients"])
def test_misere_quotients(code, largest, order):
    """Nim with heaps below 2^n has order 2^n + 2 for n >= 2 (Plambeck and Siegel); 0.123 has order 20."""
    game = g.impartial.OctalGame(code)
    quotient = g.impartial.misere_quotient(game, largest)
    assert quotient.order == order and quotient.proved
    if largest > 5:
        return
    wins = slow_win(game.options)
    for heaps in itertools.combinations_with_replacement(range(1, largest + 1), 4):
        assert quotient.is_p(heaps) != wins(heaps, True)
