"""The canonical engine: the printed tables, slower truths, a foreign engine, and its bounds."""

import numpy as np
import pytest

from helpers.strips_of_toads import CELLS, all_strips, value
from poissonmatch_games.cost_bounds import MemoryBound
from poissonmatch_games.partisan import parse
from poissonmatch_games.partisan.values import ZERO, Game, game
from poissonmatch_games.toads.canonical import CanonicalEngine
from poissonmatch_games.toads.published_values import TABLES


# ---- the tables ----
def table(squares: range):
    cells = [cell for cell in CELLS if 2 * cell[1] + cell[0] + cell[2] in squares]
    return pytest.mark.parametrize("k, a, b, printed", cells, ids=lambda x: str(x))


@table(range(0, 14))
def test_tables_3_1_to_3_4(k, a, b, printed):
    """The printed forms are read: the source writes braces where the program writes two bars."""
    assert value(f"T^{a + k} .^{b} F^{a}") is parse(printed)


@pytest.mark.slow
@table(range(14, 17))
def test_tables_3_1_to_3_4_larger(k, a, b, printed):
    assert value(f"T^{a + k} .^{b} F^{a}") is parse(printed)


def test_no_table_is_empty():
    assert len(CELLS) == 261
    assert {k: max(rows) for k, rows in TABLES.items()} == {0: 10, 1: 8, 2: 8, 3: 6}


def test_pycgt_agrees():
    """A foreign engine on every strip of length <= 6 and some longer ones."""
    pytest.importorskip("pycgt")
    from pycgt.rulesets import toads_and_frogs as foreign

    def structure(g) -> Game:
        return game(map(structure, g.left), map(structure, g.right))

    for s in [*all_strips(6), "TT..FF", "TTT..FF", "TT...FF", "TTT.FFF", "TT.T.FF"]:
        theirs = foreign.value(s.lower().replace("t", foreign.TOAD).replace("f", foreign.FROG))
        assert structure(theirs) is value(s), s


def test_memory_bound_loses_nothing():
    engine = CanonicalEngine(memory=6_000_000)
    known = engine.value("TTT...FFF")
    positions = engine.positions
    with pytest.raises(MemoryBound, match="more than 6000000 bytes are needed"):
        engine.value("TTTTT.....FFFFF")
    assert engine.positions == positions
    assert engine.value("TTT...FFF") is known is ZERO
    assert str(engine.value("TT....F")) == "3"


def test_time_bound_loses_nothing():
    engine = CanonicalEngine()
    with pytest.raises(TimeoutError):
        engine.value("TTTTT......FFFFF", seconds=0.0)
    assert str(engine.value("TTTT..FFF", seconds=60)) == "{1*|v}"


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
