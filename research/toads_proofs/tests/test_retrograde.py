"""The table of all positions: a second opinion on who wins, that shares no code with the search."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from poissonmatch_games import parse
from poissonmatch_games.cost_bounds import MemoryBound
from poissonmatch_games.toads import OutcomeEngine
from poissonmatch_games.toads.strips import starting
from toads_proofs import retrograde, retrograde_kernels
from toads_proofs.retrograde import Table, bytes_needed, relations_to

LEVELS = {"*": ["0", "*"], 2: ["0", "1", "2"], -2: ["0", "-1", "-2"]}


@pytest.mark.parametrize("last", LEVELS)
def test_the_search_says_the_same(last):
    engine = OutcomeEngine(2**22)
    for toads in (1, 2, 3, 4):
        for frogs in (1, 2, 3):
            for blanks in (1, 2, 3, 5):
                strip = starting(toads, blanks, frogs)
                expected = [engine.compare(strip, parse(value)) for value in LEVELS[last]]
                assert Table(toads, blanks, frogs, last).relations == expected, strip


def test_the_search_says_the_same_of_small_values():
    engine = OutcomeEngine(2**22)
    values = [parse(text) for text in ("0", "*", "*2", "*3", "^", "^*", "v2", "^2*", "1/2", "{1|-1}", "{2|0,*}")]
    for start in ((1, 3, 1), (2, 2, 2), (2, 5, 2), (3, 2, 3), (3, 4, 3), (3, 3, 2), (2, 4, 3), (4, 2, 3), (3, 3, 3)):
        expected = {value: engine.compare(starting(*start), value) for value in values}
        assert relations_to(*start, values) == expected, start


def test_options_of_a_level_are_before_it():
    with pytest.raises(ValueError, match="levels before it"):
        Table(2, 2, 2, [([], []), ([1], [])])


@cache
def left_wins(strip, star, left_to_move):
    """From the definition."""
    moves = (("T.", ".T"), ("TF.", ".FT")) if left_to_move else ((".F", "F."), (".TF", "FT."))
    options = [(strip, 0)] if star else []
    for i in range(len(strip)):
        options += [(strip[:i] + new + strip[i + len(old) :], star) for old, new in moves if strip.startswith(old, i)]
    outcomes = [left_wins(*option, not left_to_move) for option in options]
    return any(outcomes) if left_to_move else all(outcomes)


def test_every_position_is_looked_up_as_it_is_played():
    seen: set[str] = set()
    todo = [starting(3, 3, 2)]
    while todo:
        strip = todo.pop()
        if strip in seen:
            continue
        seen.add(strip)
        for i in range(len(strip)):
            for old, new in (("T.", ".T"), ("TF.", ".FT"), (".F", "F."), (".TF", "FT.")):
                if strip.startswith(old, i):
                    todo.append(strip[:i] + new + strip[i + len(old) :])
    assert len(seen) > 200
    table, strips = Table(3, 3, 2, "*", keep=True), np.array([list(strip) for strip in seen])
    for star in (0, 1):
        wins = table.left_wins(strips == "T", strips == "F", np.full(len(strips), star))
        assert wins.tolist() == [left_wins(strip, star, False) for strip in seen]


@pytest.mark.parametrize(
    ("strip", "last", "expected"), [((3, 14, 3), "*", "|="), ((3, 13, 3), "*", "=|"), ((4, 9, 4), "*", "|=")]
)
def test_cells_of_the_printed_table(strip, last, expected):
    assert Table(*strip, last).relations == list(expected)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("strip", "last", "expected"),
    [((6, 12, 6), "*", "||"), ((7, 7, 6), 3, ">>>|"), ((3, 29, 3), "*", "|="), ((3, 59, 3), "*", "|=")],
)
def test_the_refutations_hold_in_the_table_too(strip, last, expected):
    """T4: neither 0 nor *; E4: more than 2; T5: not 0 at b = 29 and 59."""
    assert Table(*strip, last).relations == list(expected)


def test_what_is_refused():
    with pytest.raises(ValueError, match="at least one toad"):
        Table(0, 3, 2)
    with pytest.raises(MemoryBound, match=r"T\^6 \.\^12 F\^6 needs \d+ bytes"):
        Table(6, 12, 6, "*", memory=10**8)
    assert bytes_needed(6, 12, 6, 2) < 10**9 < bytes_needed(6, 12, 6, 2, keep=True)


def test_no_code_of_the_search_is_shared():
    for module in (retrograde, retrograde_kernels):
        for node in ast.walk(ast.parse(Path(module.__file__).read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                assert not (node.module or "").startswith("poissonmatch_games.toads")
