"""The outcome engine against the canonical one wherever both run, and certified bounds; the printed tables are in tests/statements."""

import random
from itertools import product

import pytest

from poissonmatch_games.partisan.value_notation import parse
from poissonmatch_games.partisan.values import ups
from poissonmatch_games.toads.bounds import Bounds, bracket
from poissonmatch_games.toads.outcome import OutcomeEngine
from poissonmatch_games.toads.ruleset import ToadsAndFrogs

VALUES = "0 1 -2 1/2 -3/4 * ^ v2 ^* *2 3* +-1 {2|0} {1/2|0} {1*|v} {{2|1}|0} {3|{1|-1}}".split()


@pytest.fixture(scope="module")
def engine():
    return OutcomeEngine(memory=2**28, longest=55)


@pytest.fixture(scope="module")
def wide():
    return OutcomeEngine(memory=2**28, longest=118)


@pytest.mark.slow
@pytest.mark.parametrize("a, b, value", [(3, 59, "*"), (3, 68, "0"), (4, 21, "0"), (5, 11, "*")])
def test_rows_beyond_print(a, b, value):
    """Cells of docs/partisan-games.md that nobody has printed."""
    assert OutcomeEngine(2**30, longest=118).compare(f"T^{a} .^{b} F^{a}", parse(value)) == "="


@pytest.mark.parametrize("length", range(1, 7))
def test_both_engines_on_all_strips(engine, wide, length):
    """Every strip of this length against its own value, that value + *, and one more value in turn."""
    for i, squares in enumerate(product("TF.", repeat=length)):
        strip = "".join(squares)
        value = ToadsAndFrogs(strip).value
        used = (engine, wide)[i % 2]
        assert used.compare(strip, value) == "=", strip
        assert used.compare(strip, value + ups(0, 1)) == "|", strip
        other = parse(VALUES[i % len(VALUES)])
        assert used.compare(strip, other) == value.compare(other), (strip, other)


def test_both_engines_on_longer_strips(engine, wide):
    rng = random.Random(5)
    for i in range(300):
        strip = "".join(rng.choice("TTFF...") for _ in range(rng.randint(8, 13)))
        value = ToadsAndFrogs(strip).value
        other = parse(rng.choice(VALUES))
        assert (engine, wide)[i % 2].compare(strip, other) == value.compare(other), (strip, other)


def test_a_tiny_table_still_gives_right_answers():
    """16 entries: everything is forgotten at once, and searched again."""
    tiny = OutcomeEngine(memory=512)
    for strip, value in (("TT..FF", "*"), ("TTT.FF", "*"), ("TT....F", "3"), ("TT...FF", "*")):
        assert tiny.compare(strip, parse(value)) == "="
        assert tiny.compare(strip, 5) == "<"


def test_budget_gives_none_and_goes_on():
    engine = OutcomeEngine(memory=2**24)
    assert engine.compare("T^4 .^7 F^4", 0, budget=100) is None
    assert engine.positions <= 202
    steps = 1
    while engine.compare("T^4 .^7 F^4", 0, budget=20_000) is None:
        steps += 1
        assert steps < 100
    assert engine.compare("T^4 .^7 F^4", 0) == "="


def test_values_with_many_options(engine):
    """A nimber brings as many options as its size."""
    assert engine.compare("T..F", ups(0, 30)) == "|"
    assert engine.compare("TT..FF", ups(2, 21)) == ToadsAndFrogs("TT..FF").value.compare(ups(2, 21))


def test_an_error_leaves_the_engine_as_it_was(engine):
    with pytest.raises(ValueError, match="too many positions"):
        engine.compare("T.F", ups(300))
    assert engine.compare("T.F", ups(0, 1)) == "="


# ---- certified bounds ----
@pytest.mark.parametrize("strip", "TTT..FF TT..FFF TTTT..FFF TTT....FF TTT...F.F T.T...FF. TTTT....FF".split())
def test_bounds_are_true(strip):
    value = ToadsAndFrogs(strip).value
    answer = bracket(OutcomeEngine(2**24), strip, float("inf"))
    if isinstance(answer, Bounds):
        assert answer.below is not None and answer.above is not None
        assert answer.below < value < answer.above
        assert all(value.confused(x) for x in answer.confused)
    else:
        assert answer is value


def test_bounds_are_printed():
    bounds = Bounds()
    assert str(bounds) == "V not bounded"
    bounds.add(2, ">")
    bounds.add(3, "|")
    assert str(bounds) == "2 < V, V confused with 3"
    bounds.add(4, "<")
    bounds.add(1, ">")
    assert str(bounds) == "2 < V < 4, V confused with 3"
