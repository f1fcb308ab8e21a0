"""Impartial games against the statements of the literature and against slow twins that share no code with them."""

import functools
import itertools
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poissonmatch import games as g

PHI = (1 + 5**0.5) / 2


# Slow twins: plain recursion on a function of options.


def slow_mex(values):
    return next(k for k in itertools.count() if k not in values)


def slow(options):
    """value(position, misere) by recursion."""

    @functools.cache
    def value(position, misere=False):
        after = {value(option, misere) for option in options(position)}
        return slow_mex(after) if after else int(misere)

    return value


def slow_win(options):
    """Whether the next player wins, by recursion on wins alone (no mex)."""

    @functools.cache
    def wins(position, misere):
        after = list(options(position))
        return misere if not after else any(not wins(option, misere) for option in after)

    return wins


def one_heap(take):
    return lambda n: [n - s for s in take if s <= n]


def nim_moves(position):
    return [position[:i] + (k,) + position[i + 1 :] for i, heap in enumerate(position) for k in range(heap)]


def wythoff_moves(position):
    x, y = position
    return nim_moves(position) + [(x - s, y - s) for s in range(1, min(x, y) + 1)]


def euclid_moves(position):
    small, large = sorted(position)
    return [tuple(sorted((small, rest))) for rest in range(large - small, 0, -small)]


def bowling(knocks):
    """Rows of pins: knock down `n` neighbors for n in `knocks`, anywhere; a row is a set of places."""

    def moves(rows):
        for i, row in enumerate(rows):
            for knock in knocks:
                for left in range(row - knock + 1):
                    yield tuple(sorted(rows[:i] + rows[i + 1 :] + tuple(r for r in (left, row - knock - left) if r)))

    return moves


def sum_moves(*rules):
    def moves(position):
        for i, rule in enumerate(rules):
            for option in rule(position[i]):
                yield position[:i] + (option,) + position[i + 1 :]

    return moves


# Nim [M]


def test_nim_is_xor():
    value = slow(nim_moves)
    for position in itertools.product(range(5), repeat=3):
        assert g.Nim().grundy(position) == value(position) == position[0] ^ position[1] ^ position[2]
        assert g.Nim(misere=True).grundy(position) == value(position, True)


def test_nim_misere_p_positions():
    """The same once a heap has 2 or more, else P exactly when the number of 1-heaps is odd."""
    for position in itertools.product(range(4), repeat=4):
        normal, misere = g.Nim().is_p(position), g.Nim().is_p(position, misere=True)
        assert misere == (normal if max(position) >= 2 else sum(position) % 2 == 1)


@pytest.mark.parametrize("misere", [False, True])
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


# Subtraction games and the 21 game [M]


def test_subtraction_1_3_4():
    game = g.SubtractionGame((1, 3, 4))
    assert game.values(20).tolist() == ([0, 1, 0, 1, 2, 3, 2] * 3)[:21]
    assert "".join(game.outcome(n) for n in range(15)) == "PNPNNNNPNPNNNNP"
    assert game.period() == g.Period(0, 7, 0, 257, True)


def test_the_lectures_table_is_normal_play():
    """It says that the last chip loses; in that play 0 is N and 1 is P."""
    game = g.SubtractionGame((1, 3, 4), misere=True)
    assert game.outcome(0) == "N" and game.outcome(1) == "P"


def test_twenty_one():
    game = g.TwentyOne()
    assert game.values(40).tolist() == [n % 4 for n in range(41)]
    assert game.winning_moves(game.start) == [(20,)]


@settings(max_examples=40, deadline=None)
@given(st.sets(st.integers(1, 9), min_size=1, max_size=4), st.integers(0, 40))
def test_subtraction_games_against_recursion(take, n):
    value = slow(one_heap(take))
    game = g.SubtractionGame(take)
    assert game.grundy(n) == value(n)
    assert game.grundy(n, misere=True) == game.values(n, misere=True)[n] == value(n, True)
    assert game.is_tame(n)  # Gurvich and Ho: all subtraction games are pet, hence tame
    period = game.period()
    assert period is not None and period.proved
    tail = np.array([value(k) for k in range(period.preperiod + 3 * period.period + 30)])
    later, earlier = tail[period.preperiod + period.period :], tail[period.preperiod : -period.period]
    assert (later == earlier).all()


# Wythoff and Euclid


def test_wythoff_cold_positions():
    cold = {(int(k * PHI), int(k * PHI) + k) for k in range(60)}
    game = g.Wythoff()
    found = game.p_positions((x, y) for x in range(60) for y in range(x, 60))
    assert set(found) == {position for position in cold if position[1] < 60}
    assert game.is_p((161803398874989484820, 261803398874989484820)) == game.is_p(
        (261803398874989484820, 161803398874989484820)
    )


@pytest.mark.parametrize("misere", [False, True])
def test_wythoff_against_recursion(misere):
    value = slow(wythoff_moves)
    table = g.Wythoff().values(24, misere=misere)
    game = g.Wythoff(misere=misere)
    for position in itertools.product(range(25), repeat=2):
        assert table[position] == game.grundy(position) == value(position, misere)
        assert game.is_p(position) == (value(position, misere) == 0)


def test_wythoff_misere_changes_two_positions():
    game = g.Wythoff()
    positions = [(x, y) for x in range(60) for y in range(x, 60)]
    values = game.values(60, misere=True)
    changed = [p for p in positions if game.is_p(p) != (values[p] == 0)]
    assert changed == [(0, 0), (0, 1), (1, 2), (2, 2)]


@pytest.mark.parametrize("misere", [False, True])
def test_euclid(misere):
    value, game = slow(euclid_moves), g.Euclid()
    for x, y in itertools.product(range(1, 40), repeat=2):
        expected = value(tuple(sorted((x, y))), misere)
        assert game.grundy((x, y), misere=misere) == expected
        if not misere:
            assert game.is_p((x, y)) == (1 / PHI < x / y < PHI)
            assert expected == int(abs(y / x - x / y))
    assert game.is_tame((34, 21)) and game.is_tame((35, 3))


def test_euclid_may_not_empty_a_heap():
    assert list(g.Euclid().options((6, 2))) == [(4, 2), (2, 2)]
    with pytest.raises(ValueError, match="at least 1"):
        g.Euclid().grundy((3, 0))


# Kayles, Dawson's Kayles, octal games


@pytest.mark.parametrize(("game", "knocks"), [(g.Kayles(), (1, 2)), (g.DawsonsKayles(), (2,))])
def test_bowling_against_recursion(game, knocks):
    value = slow(bowling(knocks))
    for n in range(15):
        row = (n,) if n else ()
        assert game.grundy(n) == value(row)
        assert game.grundy(n, misere=True) == game.values(n, misere=True)[n] == value(row, True)
    for rows in itertools.combinations_with_replacement(range(1, 6), 3):
        assert game.grundy(rows) == value(rows)
        assert game.grundy(rows, misere=True) == value(rows, True)


def test_kayles_period_12():
    """Guy and Smith 1956: period 12 from heap 71 on, and the exceptions before it."""
    game = g.Kayles()
    period = game.period()
    assert (period.preperiod, period.period, period.saltus, period.proved) == (71, 12, 0, True)
    cycle = [4, 1, 2, 8, 1, 4, 7, 2, 1, 8, 2, 7]
    exceptions = {n: v for n, v in enumerate(game.values(2000).tolist()) if v != cycle[n % 12]}
    assert exceptions == {
        0: 0, 3: 3, 6: 3, 9: 4, 11: 6, 15: 7, 18: 3, 21: 4, 22: 6, 28: 5, 34: 6, 39: 3, 57: 4, 70: 6,
    }  # fmt: skip


def test_dawsons_kayles_period_34():
    kayles, chess = g.DawsonsKayles(), g.OctalGame(".137")
    period = kayles.period()
    assert (period.preperiod, period.period, period.saltus, period.proved) == (53, 34, 0, True)
    values = kayles.values(2001).tolist()
    assert [n for n in range(2001) if values[n] != values[n % 34 + 34 * 4]] == [0, 1, 15, 17, 18, 32, 35, 52]
    assert chess.values(2000).tolist() == values[1:]
    assert chess.period().preperiod == 52


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

    value, game = slow(moves), g.OctalGame(code)
    row = (n,) if n else ()
    assert game.grundy(n) == value(row)
    assert game.grundy(n, misere=True) == value(row, True)


@pytest.mark.parametrize("code", ["77", "8.1", "0.", "0.78", "1.7", "0.a", "0.7.7", ""])
def test_illegal_octal_codes(code):
    with pytest.raises(ValueError, match="octal code"):
        g.OctalGame(code)
    with pytest.raises(TypeError, match="text"):
        g.OctalGame(0.77)


def test_the_proof_needs_the_whole_range():
    game = g.Kayles()
    needed = 2 * (71 + 12) + 2  # values of the heaps 0..167
    assert g.find_period(game.values(needed - 1), game._proof_length).proved
    short = g.find_period(game.values(needed - 2), game._proof_length)
    assert short is None or not short.proved


def test_find_period():
    assert g.find_period(range(10)) == g.Period(0, 1, 1, 10, False)
    assert g.find_period([5, 0, 1, 0, 1, 0, 1, 0]) == g.Period(1, 2, 0, 8, False)
    assert g.find_period([7, 0, 0, 1, 2, 2, 3, 4, 4, 5, 6, 6]) == g.Period(1, 3, 2, 12, False)
    assert g.find_period([0, 1, 3, 7, 2]) is None and g.find_period([]) is None
    with pytest.raises(TypeError):
        g.find_period([0.5, 0.5])


# Sums, genus, tameness


@pytest.mark.parametrize("misere", [False, True])
def test_sums_against_brute_force(misere):
    """Sprague-Grundy for normal play; in misere play the sum is compared with a search that knows no theory."""
    take, rows = (1, 3, 4), bowling((1, 2))
    whole = sum_moves(one_heap(take), wythoff_moves, rows)
    value, wins = slow(whole), slow_win(whole)
    game = g.SumGame(g.SubtractionGame(take), g.Wythoff(), g.Kayles(), misere=misere)
    for n, pair, row in itertools.product(range(6), [(0, 0), (1, 1), (1, 2), (2, 2), (3, 1)], range(7)):
        plain = (n, pair, (row,) if row else ())
        assert game.grundy((n, pair, row)) == value(plain, misere)
        assert game.is_p((n, pair, row)) != wins(plain, misere)


def test_sum_by_plus_and_its_winning_moves():
    game = g.Nim() + g.TwentyOne()
    assert game.grundy(((3, 4), 21)) == 3 ^ 4 ^ 1
    for move in game.winning_moves(((3, 4), 21)):
        assert game.grundy(move) == 0
    assert game.winning_moves(((1,), 1)) == []
    with pytest.raises(ValueError, match="misere"):
        g.Nim() + g.Nim(misere=True)
    with pytest.raises(ValueError, match="2 games"):
        game.grundy(((3, 4), 21, 1))


def test_wild_sums_are_searched():
    """Kayles 5 has genus 4^146: not like Nim."""
    game, value = g.Kayles(), slow(bowling((1, 2)))
    assert not game.is_tame(5) and game.is_tame(4)
    for rows in itertools.combinations_with_replacement(range(1, 8), 2):
        assert game.grundy(rows, misere=True) == value(rows, True)


def test_genus_of_kayles():
    """[WW] chapter 13."""
    genera = ["0^120", "1^031", "2^20", "3^31", "1^031", "4^146", "3^31", "2^20", "1^13", "4^046"]
    assert [str(g.Kayles().genus(n)) for n in range(10)] == genera


def test_genus_by_its_definition():
    """Misere nim-values of G + *2 + ... + *2, by recursion on the sum."""
    value = slow(sum_moves(bowling((1, 2)), nim_moves))
    for n in range(8):
        genus = g.Kayles().genus(n)
        for copies in range(5):
            assert genus.term(copies) == value(((n,) if n else (), (2,) * copies), True)


def test_a_ruleset_in_three_lines():
    class Divisors(g.ImpartialGame):
        def options(self, position):
            return [position - d for d in range(1, position) if position % d == 0]

    assert [Divisors().grundy(n) for n in range(1, 9)] == [0, 1, 0, 2, 0, 1, 0, 3]
    assert Divisors(misere=True).grundy(1) == 1
    assert g.FunctionGame(lambda n: range(max(0, n - 3), n)).grundy(21) == 1


def test_a_ruleset_may_be_a_dataclass():
    @dataclass
    class Take(g.ImpartialGame):
        most: int

        def options(self, position):
            return range(max(0, position - self.most), position)

    assert [Take(2).outcome(n) for n in range(7)] == list("PNNPNNP")
    assert Take(2).outcome(1, misere=True) == "P"


def test_a_heap_ruleset_of_ones_own():
    """Grundy's game: split a heap into two unequal ones ([WW] ch. 4)."""

    class Grundy(g.HeapGame):
        def replacements(self, heap):
            return [(a, heap - a) for a in range(1, (heap + 1) // 2)]

    assert Grundy().values(20).tolist() == [0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 3, 2, 1, 3, 2, 4, 3, 0]
    value = slow(lambda heaps: [tuple(sorted(option)) for option in Grundy().options(heaps)])
    for heap in range(12):
        assert Grundy().grundy(heap) == value((heap,))
        assert Grundy().grundy((heap, 5), misere=True) == value(tuple(sorted((heap, 5))), True)


def test_a_long_play_needs_no_recursion():
    assert g.FunctionGame(lambda n: [n - 1] if n else []).grundy(50_001) == 1


def test_a_play_that_need_not_end():
    with pytest.raises(ValueError, match="need not end"):
        g.FunctionGame(lambda n: [1 - n]).grundy(0)


def test_too_many_positions():
    game = g.FunctionGame(lambda n: [n - 1] if n else [])
    game.max_positions = 100
    assert game.grundy(99) == 1
    with pytest.raises(MemoryError, match="max_positions = 100"):
        game.grundy(101)
    assert game.grundy(98) == 0  # what was found is kept


# Misere quotients


@pytest.mark.parametrize(
    ("code", "largest", "order"),
    [
        ("0.3", 1, 2),
        ("0.33", 2, 6),
        ("0.333", 3, 6),
        ("0.3333333", 7, 10),
        ("0.123", 5, 6),
        ("0.123", 9, 20),
        ("0.77", 4, 6),
    ],
)
def test_misere_quotients(code, largest, order):
    """Nim with heaps below 2^n has order 2^n + 2 for n >= 2 (Plambeck and Siegel); 0.123 has order 20."""
    game = g.OctalGame(code)
    quotient = g.misere_quotient(game, largest)
    assert quotient.order == order and quotient.proved
    if largest > 5:
        return
    wins = slow_win(game.options)
    for heaps in itertools.combinations_with_replacement(range(1, largest + 1), 4):
        assert quotient.is_p(heaps) != wins(heaps, True)


def test_a_quotient_that_is_too_large():
    with pytest.raises(ValueError, match="more than 5 classes"):
        g.misere_quotient(g.OctalGame("0.77"), 6, max_order=5)


# Errors


ALL = [g.Nim(), g.Kayles(), g.SubtractionGame((1, 2)), g.Wythoff(), g.Euclid(), g.TriangleGame()]


@pytest.mark.parametrize("game", ALL, ids=lambda game: type(game).__name__)
def test_positions_are_checked(game):
    legal = {g.Wythoff: (1, 2), g.Euclid: (1, 2), g.TriangleGame: (1, 3, 2)}.get(type(game), (1, 2, 3, 4))
    game.grundy(np.array(legal))
    for method in (
        game.grundy,
        game.outcome,
        game.winning_moves,
        game.genus,
        game.is_tame,
        lambda p: list(game.options(p)),
    ):
        with pytest.raises(ValueError, match="at least"):
            method((*legal[:-1], -1))
        for wrong in (1.0, True, np.bool_(True), None, "2"):
            with pytest.raises(TypeError, match="must be an integer"):
                method((*legal[:-1], wrong))
        with pytest.raises(TypeError):
            method("12")


@pytest.mark.parametrize("game", [g.Wythoff(), g.Euclid(), g.TriangleGame()], ids=lambda game: type(game).__name__)
def test_the_number_of_heaps_is_checked(game):
    with pytest.raises(ValueError, match="heaps"):
        game.grundy((1, 1, 1, 1))


def test_subtraction_sets_are_checked():
    with pytest.raises(ValueError, match="empty"):
        g.SubtractionGame(())
    with pytest.raises(ValueError, match="at least 1"):
        g.SubtractionGame((0, 1))
    with pytest.raises(TypeError):
        g.SubtractionGame((1.0, 2))


def test_tables_over_the_memory_bound():
    with pytest.raises(MemoryError, match="MB"):
        g.Wythoff().values(10**6)
    with pytest.raises(MemoryError, match="MB"):
        g.Kayles().values(10**12)
    with pytest.raises(MemoryError, match="the bound is 1 MB"):
        g.TriangleGame(memory=10**6).values(180)
    with pytest.raises(MemoryError, match="columns"):
        g.TriangleGame(memory=2 * 10**6).columns(80)
    with pytest.raises(MemoryError):
        g.TriangleGame().grundy((10**6, 1, 1))
