"""Values of the canonical engine against the lemmas of [T], sec. 4."""

from __future__ import annotations

from itertools import product

import pytest

from helpers.strips_of_toads import all_strips, value
from poissonmatch_games.partisan.value_notation import parse
from poissonmatch_games.partisan.values import STAR, Game, game
from poissonmatch_games.toads.ruleset import ToadsAndFrogs

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
