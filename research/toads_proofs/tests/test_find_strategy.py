"""Strategies that are found win, and with one losing move in them they are refused."""

from __future__ import annotations

import base64
import hashlib
import lzma
import random
import sys
from functools import cache

import numpy as np
import pytest

from poissonmatch_games import parse
from poissonmatch_games.checkers import certificates, check_strategy
from poissonmatch_games.checkers.check_strategy import left_moves, right_moves
from poissonmatch_games.toads import OutcomeEngine
from toads_proofs.find_strategy import find_strategy
from toads_proofs.retrograde import Table


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


def quickly_packed(choices):
    moves = base64.b64encode(lzma.compress(choices, preset=0)).decode()
    return {"moves": moves, "sha256": hashlib.sha256(choices).hexdigest()}


def refused(certificate):
    try:
        check_strategy.check_strategy(certificate)
    except ValueError:
        return True
    return False


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


def test_a_second_search_agrees_about_row_3():
    """T^3 .^14 F^3 is not 0, and T^3 .^8 F^3 is: the first player loses it."""
    sys.setrecursionlimit(10_000)
    assert not wins((tuple("TTT........FFF"), 0, 0), True)
    assert wins((tuple("TTT......FFF"), 0, 0), True)


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


def test_strategies_with_one_bad_move_are_refused():
    """Check that a bad move is refused without the digest.

    The new move is none, or one that loses, as the second search says.
    """
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
        ("row-3-14", 150),
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
