"""Stored strategies: the checker plays them against every defense, and refuses them when they are changed."""

from __future__ import annotations

import ast
import base64
import hashlib
import lzma
import random
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from poissonmatch_games import parse
from poissonmatch_games.checkers import certificate_text as show
from poissonmatch_games.checkers import certificates, check_strategy
from poissonmatch_games.checkers.check_strategy import left_moves, right_moves
from poissonmatch_games.toads import OutcomeEngine
from poissonmatch_games.toads.retrograde import Table
from poissonmatch_games.toads.ruleset import ToadsAndFrogs
from toads_proofs.find_strategy import find_strategy

STDLIB = ("collections.abc", "contextlib", "contextvars", "fractions", "itertools", "typing")
STRATEGIES = [name for name in certificates.stored() if certificates.load(name)["kind"] == "strategy"]


@cache
def wins(position, left_to_move):
    """The second search: from the definition, with moves of its own, on strips as tuples."""
    strip, star, free = position
    step = 1 if left_to_move else -1
    mine, theirs = ("T", "F") if left_to_move else ("F", "T")
    options = []
    for i, square in enumerate(strip):
        if square != mine:
            continue
        for distance in (1, 2):
            j = i + step * distance
            if 0 <= j < len(strip) and strip[j] == "." and (distance == 1 or strip[i + step] == theirs):
                new = list(strip)
                new[i], new[j] = ".", mine
                options.append((tuple(new), star, free))
    if star:
        options.append((strip, 0, free))
    if free * step > 0:
        options.append((strip, star, free - step))
    return any(not wins(option, not left_to_move) for option in options)


def moves_of(certificate):
    return lzma.decompress(base64.b64decode(certificate["moves"]))


@pytest.mark.parametrize("name", STRATEGIES)
def test_the_stored_strategies_win(name):
    if len(certificates.load(name)["moves"]) > 10_000:
        pytest.skip("in the next test")
    assert certificates.check(certificates.load(name))["positions"] > 1000


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in STRATEGIES if len(certificates.load(name)["moves"]) > 10_000])
def test_the_large_stored_strategies_win(name):
    assert certificates.check(certificates.load(name))["positions"] > 1000


ENGINE = OutcomeEngine(2**24)


def by_search(rows):
    """The oracle of the outcome engine, which knows no table."""
    return np.array(
        [
            ENGINE.left_wins(
                "".join(".FT"[n] for n in row[:-2]), parse("*" if row[-2] else "0") - (int(row[-1]) - 128), False
            )
            for row in rows
        ]
    )


@pytest.mark.parametrize(
    ("strip", "star", "free", "first"),
    [
        ("TT.FF", 0, 0, "Left"),
        ("T^2 .^5 F^2", 1, 0, "Left"),
        ("T^3 .^3 F^2", 0, -1, "Left"),
        ("T^3 .^4 F^2", 0, -1, "Right"),
    ],
)
def test_a_second_search_agrees_that_left_wins(strip, star, free, first):
    """The strategy is the same, whether search or a table of all positions tells who wins."""
    certificate = find_strategy(strip, star, free, first, by_search)
    assert certificate == find_strategy(strip, star, free, first)
    certificates.check({"name": "x", **certificate})
    position = (tuple(certificate["strip"]), star, free)
    assert wins(position, first == "Left") == (first == "Left")


@pytest.mark.parametrize(
    ("strip", "star", "first"), [("TT.FF", 1, "Left"), ("T..F", 0, "Left"), ("T^2 .^3 F^2", 0, "Right")]
)
def test_no_strategy_where_left_does_not_win(strip, star, first):
    with pytest.raises(ValueError, match="Left does not win"):
        find_strategy(strip, star, 0, first)


@pytest.mark.long
def test_a_second_search_agrees_about_row_3():
    """T^3 .^14 F^3 is not 0, and T^3 .^8 F^3 is: the first player loses it."""
    sys.setrecursionlimit(10_000)
    assert not wins((tuple("TTT........FFF"), 0, 0), True)
    assert wins((tuple("TTT......FFF"), 0, 0), True)


def test_the_moves_of_the_checker_are_those_of_the_game():
    for strip in ("TT.FF", "T.TF.F", "TF.TF.", "..F.T.", "TFF.TTF.F"):
        assert {s for s, _, _ in left_moves((strip, 0, 0))} == set(ToadsAndFrogs.left_moves(strip))
        assert {s for s, _, _ in right_moves((strip, 0, 0))} == set(ToadsAndFrogs.right_moves(strip))
    assert left_moves(("", 1, 2)) == [("", 0, 2), ("", 1, 1)] and right_moves(("", 1, 2)) == [("", 0, 2)]
    assert right_moves(("", 0, -2)) == [("", 0, -1)] and left_moves(("", 0, -2)) == []


def quickly_packed(choices):
    moves = base64.b64encode(lzma.compress(choices, preset=0)).decode()
    return {"moves": moves, "sha256": hashlib.sha256(choices).hexdigest()}


def refused(certificate):
    try:
        check_strategy.check_strategy(certificate)
    except ValueError:
        return True
    return False


def mutations(certificate, count, seed):
    """Moves changed into other numbers, left out, put in, exchanged."""
    rng, choices = random.Random(seed), moves_of(certificate)
    for made in range(count):
        new, at = bytearray(choices), rng.randrange(len(choices))
        if made % 3 == 0:
            new[at] ^= rng.randrange(1, 8)
        elif made % 3 == 1:
            del new[at]
        else:
            new.insert(at, rng.randrange(4))
        yield bytes(new)


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.long if name == "row-3-14" else pytest.mark.slow) for name in STRATEGIES],
)
def test_mutations_are_refused(name):
    certificate = certificates.load(name)
    for new in mutations(certificate, 300, 1):
        assert refused({**certificate, "moves": quickly_packed(new)["moves"]})


def played(certificate):
    """(number, position, options) of each move of Left, as the checker comes to them."""
    choices = moves_of(certificate)
    waiting, at = {(certificate["strip"], certificate["star"], certificate["free"])}, 0
    while waiting:
        answered = set()
        for position in sorted(waiting):
            options = left_moves(position)
            yield at, position, options
            answered.add(options[choices[at]])
            at += 1
        waiting = {new for position in answered for new in right_moves(position)}


@pytest.mark.long
def test_strategies_with_one_bad_move_are_refused():
    """Without a look at the digest: the new move is none, or one that loses, as the second search says."""
    certificate = find_strategy("T^3 .^4 F^3")
    choices, rng = moves_of(certificate), random.Random(2)
    bad = []
    for at, _, options in played(certificate):
        losing = [n for n, (strip, star, free) in enumerate(options) if wins((tuple(strip), star, free), False)]
        bad += [(at, n) for n in [*losing, len(options), 255]]
    for at, n in rng.choices(bad, k=300):
        new = choices[:at] + bytes([n]) + choices[at + 1 :]
        assert refused({**certificate, **quickly_packed(new)}), (at, n)


@pytest.mark.parametrize(
    ("name", "count"),
    [
        pytest.param("row-3-14", 150, marks=pytest.mark.long),
        pytest.param("row-3-14", 890, marks=pytest.mark.slow),
        pytest.param("row-3-29", 30, marks=pytest.mark.slow),
    ],
)
def test_stored_strategies_with_one_losing_move_are_refused(name, count):
    """The digest is right; that the new move loses, a table of all positions says."""
    certificate, rng, bad = certificates.load(name), random.Random(3), []
    strip, choices = certificate["strip"], moves_of(certificate)
    table = Table(*(strip.count(square) for square in "T.F"), keep=True)
    for at, _, options in played(certificate):
        squares = np.array([list(new) for new, _, _ in options])
        wins = table.left_wins(squares == "T", squares == "F", np.zeros(len(options), int))
        assert wins[choices[at]]
        bad += [(at, n) for n in np.flatnonzero(~wins)]
    assert len(bad) >= count
    for at, n in rng.sample(bad, k=count):
        assert refused({**certificate, **quickly_packed(choices[:at] + bytes([n]) + choices[at + 1 :])}), (at, n)


@pytest.mark.parametrize(
    "change",
    [
        {"strip": "TTT.............FFF"},
        {"strip": "TXF"},
        {"star": 1},
        {"star": 2},
        {"free": -1},
        {"free": 0.5},
        {"first": "Right"},
        {"first": "Nobody"},
        {"moves": "AAAA"},
        {"moves": "é"},
        {"moves": 5},
        {"sha256": ""},
    ],
)
def test_a_strategy_for_something_else_is_refused(change):
    with pytest.raises(ValueError):
        certificates.check({**certificates.load("row-3-14"), **change})


def test_the_checker_is_short_and_stands_alone():
    path = Path(check_strategy.__file__)
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") < 100
    imports = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {alias.name for node in imports if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in imports if isinstance(node, ast.ImportFrom)}
    assert names <= set(sys.stdlib_module_names) | {"__future__"}
    data = path.with_name("data") / "row-3-14.json"
    done = subprocess.run([sys.executable, "-S", "-E", path, data], capture_output=True, text=True, check=True)
    assert done.stdout == "{'positions': 6190, 'moves': 47}\n"


def test_checkers_import_nothing_of_the_provers():
    folder = Path(check_strategy.__file__).parent
    checkers = {"check_families", "check_cases", "case_bounds", "cones", "trees", "runs", "steps"}
    assert {path.stem for path in folder.glob("*.py")} == checkers | {
        "__init__", "certificates", "check_strategy", "check_table", "conclusions",
    }  # fmt: skip
    for name in checkers:
        for node in ast.walk(ast.parse((folder / f"{name}.py").read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                assert (node.level == 1 and node.module in checkers) or node.module in ("__future__", *STDLIB), name


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({}, "the first player wins T^3 .^14 F^3"),
        ({"star": 1}, "the first player wins T^3 .^14 F^3 + *"),
        ({"first": "Right"}, "the first player loses T^3 .^14 F^3"),
        ({"free": -2}, "Left wins T^3 .^14 F^3 - 2 if Left starts"),
        ({"strip": "TT.F", "first": "Right", "statement": "T4 is true"}, "Left wins T^2 . F if Right starts"),
    ],
)
def test_what_a_certificate_is_of_is_told_from_what_is_checked(change, words):
    assert show.claimed({**certificates.load("row-3-14"), **change}) == words
