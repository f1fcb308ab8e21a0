"""The canonical engine: the printed tables, slower truths, a foreign engine, and its bounds; what it means to agree with print."""

import numpy as np
import pytest

from helpers.strips_of_toads import CELLS, all_strips, value
from helpers.tables import tables
from poissonmatch_games.cost_bounds import MemoryBound
from poissonmatch_games.partisan import parse
from poissonmatch_games.partisan.values import ZERO, Game, game
from poissonmatch_games.toads.canonical import CanonicalEngine
from poissonmatch_games.toads.published_values import TABLES as PRINTED
from poissonmatch_games.toads.published_values import Published, published

TABLES = tables(__file__, "values.toml")


# ---- the tables ----
def cases():
    for k, a, b, printed in CELLS:
        size = 2 * a + k + b
        if size <= 16:
            yield pytest.param(f"T^{a + k} .^{b} F^{a}", printed, marks=[pytest.mark.slow] * (size > 13))


@pytest.mark.parametrize("strip, printed", list(cases()))
def test_tables_3_1_to_3_4(strip, printed):
    """The printed forms are read: the source writes braces where the program writes two bars."""
    assert value(strip) is parse(printed)


def test_no_table_is_empty():
    assert len(CELLS) == 261
    assert {k: max(rows) for k, rows in PRINTED.items()} == {0: 10, 1: 8, 2: 8, 3: 6}


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


# ---- what it means to agree with a printed cell ----
@pytest.mark.parametrize("text, value, agreement", TABLES["agreement"])
def test_agreement(text, value, agreement):
    assert Published(text, "").agreement(parse(value) if value else None) == (agreement or None)


def test_blank_cells_are_not_published():
    assert published(1, 4, 7) is None and published(1, 9, 1) is None and published(7, 1, 1) is None
