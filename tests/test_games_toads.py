"""Toads and Frogs: the printed tables, the lemmas, and the canonical engine against slower truths."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from poissonmatch.games.limits import MemoryBound, TimeBound
from poissonmatch.games.partisan.notation import parse
from poissonmatch.games.partisan.values import STAR, ZERO, Game, game
from poissonmatch.games.toads import strips
from poissonmatch.games.toads.canonical import CanonicalEngine
from poissonmatch.games.toads.published import TABLES
from poissonmatch.games.toads.ruleset import ToadsAndFrogs
from poissonmatch.games.toads.strip_kernels import REDUCIBLE, mobility_of

CELLS = [
    (k, a, b, value)
    for k, rows in TABLES.items()
    for a, row in rows.items()
    for b, value in enumerate(row, start=1)
    if value != "?"
]


def value(strip: str) -> Game:
    return ToadsAndFrogs(strip).value


def all_strips(length: int):
    return ("".join(squares) for n in range(length + 1) for squares in product("TF.", repeat=n))


# ---- the tables ----
def table(squares: range):
    cells = [cell for cell in CELLS if 2 * cell[1] + cell[0] + cell[2] in squares]
    return pytest.mark.parametrize(("k", "a", "b", "printed"), cells, ids=lambda x: str(x))


@table(range(0, 14))
def test_tables_3_1_to_3_4(k, a, b, printed):
    assert str(value(f"T^{a + k} .^{b} F^{a}")) == printed


@pytest.mark.slow
@table(range(14, 17))
def test_tables_3_1_to_3_4_larger(k, a, b, printed):
    assert str(value(f"T^{a + k} .^{b} F^{a}")) == printed


def test_no_table_is_empty():
    assert len(CELLS) == 264
    assert {k: max(rows) for k, rows in TABLES.items()} == {0: 10, 1: 8, 2: 8, 3: 6}


@pytest.mark.parametrize(
    ("strip", "printed"), [("T..F", "0"), ("TF..", "1"), ("T.F.", "1/2"), ("TFT.F", "*"), ("T.TFF", "^")]
)
def test_winning_ways(strip, printed):
    assert str(value(strip)) == printed


# ---- the lemmas: [T] sec. 4; L is empty or ends in F, R is empty or begins with T ----
LEFTS = ("", "F", "TF", "TTFTF", "FF")
RIGHTS = ("", "T", "TF", "TFTT")
around = pytest.mark.parametrize(("left", "right"), list(product(LEFTS, RIGHTS)))


def o(x: Game, times: int = 1) -> Game:
    for _ in range(times):
        x = game([0], [x])
    return x


@pytest.mark.parametrize("left", LEFTS)
@pytest.mark.parametrize("a", range(1, 6))
def test_lemma_4_2_toads_alone(left, a):
    assert value(left + "T" * a + ".") == a


@pytest.mark.parametrize("p1", ["", "T.", "T.F", "TT.F.", "T..F", "TFT.F"])
@pytest.mark.parametrize("p2", ["", ".F", "T.F", "T.F.", ".T.FF"])
def test_lemma_4_2_wall(p1, p2):
    assert value(p1 + "TTFF" + p2) is ToadsAndFrogs(p1 + "TTFF" + p2).plain_value is value(p1) + value(p2)


def test_lemma_4_3_death_leap():
    strips_ = [s for s in all_strips(7) if s.count(".") == 1 and "T." not in s and ".F" not in s]
    assert len(strips_) > 200
    for s in strips_:
        assert value(s) == 0 == ToadsAndFrogs(s).plain_value, s


def test_lemma_4_1_one_sided_death_leap():
    strips_ = [s for s in all_strips(7) if ".." not in s and "T." not in s]
    assert len(strips_) > 500
    for s in strips_:
        assert value(s) <= 0, s


@around
def test_lemma_4_4(left, right):
    assert value(left + "T.F" + right) is STAR


@around
@pytest.mark.parametrize("a", (2, 3, 4))
@pytest.mark.parametrize("b", (2, 3))
def test_lemma_4_5(left, right, a, b):
    assert value(left + "T" * a + "." + "F" * b + right) is STAR


@pytest.mark.parametrize("left", LEFTS)
@pytest.mark.parametrize("a", range(1, 5))
@pytest.mark.parametrize("b", range(1, 5))
def test_lemma_4_6(left, a, b):
    assert value(left + "T" * a + "." + "TF" * b) is game([a - 1], [parse(f"1/{2 ** (b - 1)}" if b > 1 else "1")])


@pytest.mark.parametrize("left", LEFTS)
@pytest.mark.parametrize("a", range(2, 6))
@pytest.mark.parametrize("b", range(0, 4))
def test_lemma_4_7(left, a, b):
    half = parse(f"1/{2**b}" if b else "1")
    assert value(left + "T" * a + ".F" + "TF" * b) is game([game([a - 2], [half])], [0])


@around
@pytest.mark.parametrize(("a", "b", "c"), [(1, 0, 2), (2, 0, 3), (1, 1, 2), (2, 1, 3), (3, 2, 2)])
def test_lemma_4_8(left, right, a, b, c):
    whole = left + "T" * a + "." + "TF" * b + "T" + "F" * c + right
    inner = left + "T" * a + "F" + "TF" * b + "T." + "F" * (c - 1) + right
    assert value(whole) is game([a - 1], [o(value(inner), b)])


@around
@pytest.mark.parametrize(("a", "b", "c"), [(2, 0, 2), (3, 0, 3), (2, 1, 2), (4, 1, 2), (2, 2, 2)])
def test_lemma_4_9(left, right, a, b, c):
    whole = left + "T" * a + ".F" + "TF" * b + "T" + "F" * c + right
    inner = left + "T" * (a - 1) + "F" + "TF" * (b + 1) + "T." + "F" * (c - 1) + right
    assert value(whole) is game([game([a - 2], [o(value(inner), b + 1)])], [0])


# ---- the engine against the moves alone ----
def test_reductions_change_no_value():
    """Every strip of length <= 8, reduced, against the plain recursion without reductions."""
    count = changed = 0
    for s in all_strips(8):
        core, free = strips.reduce(s)
        plain = ToadsAndFrogs(s).plain_value
        assert ToadsAndFrogs(core).plain_value + free is plain, s
        assert value(s) is plain, s
        count += 1
        changed += core != s
    assert count == 9841 and changed > 6000


def test_a_free_move_in_the_way_costs_nothing():
    """Frogs without a toad on their left may stand in the way of a jump; beyond length 8, too, they count as free
    moves."""
    for rest in all_strips(6):
        s = ".FT" + rest
        assert ToadsAndFrogs(s).plain_value is ToadsAndFrogs(".T" + rest).plain_value - 1, s


def test_mirror_images_are_negatives():
    for s in all_strips(6):
        assert value(strips.mirror(s)) is -value(s) is -ToadsAndFrogs(s).plain_value, s


@pytest.mark.parametrize("strip", ["TT...FF", "TTT..FF", "TT.T..F.FF", "TTT...FFF", "T.T..F..F"])
def test_unreduced_starting_positions(strip):
    assert value(strip) is ToadsAndFrogs(strip).plain_value


def textbook_geq_zero(s: str, memo: dict[str, bool]) -> bool:
    """Left wins s when Right starts: shares no code with the package."""
    if s not in memo:
        memo[s] = True
        for i in range(len(s)):
            for old, new in ((".F", "F."), (".TF", "FT.")):
                if s[i : i + len(old)] == old:
                    t = s[:i] + new + s[i + len(old) :]
                    replies = [
                        t[:j] + n + t[j + len(m) :]
                        for j in range(len(t))
                        for m, n in (("T.", ".T"), ("TF.", ".FT"))
                        if t[j : j + len(m)] == m
                    ]
                    memo[s] = memo[s] and any(textbook_geq_zero(r, memo) for r in replies)
    return memo[s]


def test_order_on_all_strips_of_length_7():
    memo: dict[str, bool] = {}
    for s in all_strips(7):
        assert (value(s) >= 0) == textbook_geq_zero(s, memo), s


def test_differences_of_short_strips_against_the_definition():
    """g >= h on all pairs of strips of length <= 3, and some longer ones, as the sum of one strip and a mirror image.

    A toad and frog that never meet separate the two: the definition is played on the pair.
    """

    def moves(s, left):
        pairs = (("T.", ".T"), ("TF.", ".FT")) if left else ((".F", "F."), (".TF", "FT."))
        return [s[:i] + n + s[i + len(m) :] for i in range(len(s)) for m, n in pairs if s[i : i + len(m)] == m]

    memo = {}

    def right_loses(g, h):  # g - h >= 0: Right starts; he moves in g, or as Left in h
        if (g, h) not in memo:
            memo[g, h] = all(left_wins(x, h) for x in moves(g, False)) and all(left_wins(g, y) for y in moves(h, True))
        return memo[g, h]

    def left_wins(g, h):
        return any(right_loses(x, h) for x in moves(g, True)) or any(right_loses(g, y) for y in moves(h, False))

    chosen = [*all_strips(3), "TT.FF", "TFT.F", "T.TFF", "T..F", "TT..FF", "T.T.F", "TT..F"]
    for g in chosen:
        for h in chosen:
            assert (value(g) >= value(h)) == right_loses(g, h), (g, h)


def test_pycgt_agrees():
    """A foreign engine on every strip of length <= 6 and some longer ones."""
    pytest.importorskip("pycgt")
    from pycgt.rulesets import toads_and_frogs as foreign

    def structure(g) -> Game:
        return game(map(structure, g.left), map(structure, g.right))

    for s in [*all_strips(6), "TT..FF", "TTT..FF", "TT...FF", "TTT.FFF", "TT.T.FF"]:
        theirs = foreign.value(s.lower().replace("t", foreign.TOAD).replace("f", foreign.FROG))
        assert structure(theirs) is value(s), s


# ---- errors ----
@pytest.mark.parametrize("strip", ["TX", "T^", "T^-1", "T^2.5 F", "tf", "T^a", "^2"])
def test_illegal_strips(strip):
    with pytest.raises(ValueError):
        ToadsAndFrogs(strip)


@pytest.mark.parametrize("strip", [5, None, ["T"]])
def test_a_strip_is_a_string(strip):
    with pytest.raises(TypeError):
        ToadsAndFrogs(strip)


def test_starting_positions_need_counts():
    assert strips.starting(2, 3, 1) == "TT...F"
    with pytest.raises(ValueError):
        strips.starting(-1, 2, 3)
    with pytest.raises(TypeError):
        strips.starting(1.0, 2, 3)


def test_memory_bound_loses_nothing():
    engine = CanonicalEngine(memory=6_000_000)
    known = engine.value("TTT...FFF")
    positions = engine.positions
    with pytest.raises(MemoryBound, match="bound of 6000000 bytes"):
        engine.value("TTTTT.....FFFFF")
    assert engine.positions == positions
    assert engine.value("TTT...FFF") is known is ZERO
    assert str(engine.value("TT....F")) == "3"


def test_time_bound_loses_nothing():
    engine = CanonicalEngine()
    with pytest.raises(TimeBound):
        engine.value("TTTTT......FFFFF", seconds=0.0)
    assert str(engine.value("TTTT..FFF", seconds=60)) == "{1*|v}"


def test_the_quick_look_misses_no_reduction():
    """What may be reduced is told in one pass; only walls, which join parts that are reduced, are false alarms."""
    for strip in all_strips(9):
        kind, gap, n = strips.to_arrays(strip)
        told = bool(mobility_of(kind, gap, n)[REDUCIBLE])
        if strips.reduce(strip) != (strip if n else "", 0):
            assert told, strip
        elif told:
            assert "TTFF" in strip, strip


def test_options_beyond_the_scratch_space_are_simplified_in_python():
    engine, small = CanonicalEngine(), CanonicalEngine()
    small._values._sides = np.zeros((2, 4), np.int32)
    for strip in all_strips(7):
        assert small.value(strip) is engine.value(strip)
    assert small.value("TTT....FFF") is engine.value("TTT....FFF")


def test_strips_beyond_the_codes():
    with pytest.raises(MemoryBound):
        value("T^20 .^30 F^20")
    assert str(value("T^30 .^20 T^9 F^30")) == str(value("T^30 .^20")) == "600"


def test_explain():
    lines = ToadsAndFrogs("TT.F").explain()
    assert lines[0] == "Left moves to T.TF = 0" or "Left moves to" in lines[0]
    assert lines[-1] == "TT.F = {1/2|0}"
    assert any("dominated" in line or "reversible" in line for line in ToadsAndFrogs("T.T.FF").explain())
