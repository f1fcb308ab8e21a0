"""Stored strategies: the checker plays them against every defense, and refuses them when they are changed."""

from __future__ import annotations

import ast
import base64
import hashlib
import json
import lzma
import random
import subprocess
import sys
from pathlib import Path

import pytest

from poissonmatch_games.checkers import certificates, check_strategy, check_table
from poissonmatch_games.checkers.check_strategy import left_moves, right_moves
from poissonmatch_games.toads.claims import claimed
from poissonmatch_games.toads.ruleset import ToadsAndFrogs

STDLIB = ("math", "collections.abc", "contextlib", "contextvars", "fractions", "itertools", "typing")
STRATEGIES = [name for name in certificates.stored() if certificates.load(name)["kind"] == "strategy"]


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


@pytest.mark.parametrize(
    "change",
    [
        {"strip": "TTT.............FFF"},
        {"star": 1},
        {"free": -1},
        {"first": "Right"},
        {"moves": "AAAA"},
        {"moves": "é"},
        {"moves": 5},
        {"sha256": ""},
    ],
)
def test_a_strategy_for_something_else_is_refused(change):
    with pytest.raises(ValueError):
        certificates.check({**certificates.load("row-3-14"), **change})


@pytest.mark.parametrize(
    ("checker", "certificate", "counts"),
    [
        (check_strategy, certificates.load("row-3-14"), {"positions": 6190, "moves": 47}),
        (check_table, {"strip": "TT.FF", "star": 0, "free": 0, "first": "Left"}, {"positions": 60}),
    ],
)
def test_the_checker_is_short_and_stands_alone(tmp_path, checker, certificate, counts):
    path, file = Path(checker.__file__), tmp_path / "certificate.json"
    assert path.read_text(encoding="utf-8").count("\n") < 100
    file.write_text(json.dumps(certificate), encoding="utf-8")
    done = subprocess.run([sys.executable, "-S", "-E", path, file], capture_output=True, text=True, check=True)
    assert done.stdout == f"{counts}\n"


def test_checkers_import_nothing_of_the_provers():
    folder = Path(check_strategy.__file__).parent
    checkers = {path.stem for path in folder.glob("*.py")} - {"__init__", "certificates"}
    assert {"check_cases", "check_families"} < checkers
    for name in checkers:
        for node in ast.walk(ast.parse((folder / f"{name}.py").read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                modules = {node.module} if node.module else {alias.name for alias in node.names}
                assert modules <= (checkers if node.level else {"__future__", *STDLIB}), name


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
    assert claimed({**certificates.load("row-3-14"), **change}) == words
