"""Checker of tables: `python check_table.py FILE` plays T^a .^b F^c backwards, from the end.

A certificate says: Left wins the strip, plus `free` moves for her (for Right if negative), plus *
if `star`, when `first` starts. It holds nothing else: this program needs no help. It knows the
moves, and imports nothing of this package.

For each set of toads, the sets of frogs with which Left wins are the bits of one integer. A frog
has a place among the squares without a toad: so a toad's step changes no place, its jump moves a
frog one place up, and a frog's own move, step or jump, is one place down.
"""

import json
import sys
from itertools import combinations
from math import comb
from typing import Any

MAX_OPERATIONS = 10**9  # with integers of up to 4096 bits, of about a tenth of a microsecond each
MAX_BYTES = 2 * 10**9
MAX_SQUARES = 200


class TooLarge(ValueError):
    """Table whose check takes more time or memory than it may."""


def check_table(certificate: dict[str, Any], max_operations: int = MAX_OPERATIONS) -> dict[str, int]:
    """Return the number of positions. Raises ValueError if Left does not win, or TooLarge."""
    strip, star, free, first = (certificate[word] for word in ("strip", "star", "free", "first"))
    toads, blanks, frogs = (strip.count(square) for square in "T.F")
    right = type(strip) is str and strip == "T" * toads + "." * blanks + "F" * frogs and toads and blanks and frogs
    if not right or len(strip) > MAX_SQUARES:
        raise ValueError(f"the strip of a table must be T^a .^b F^c with at most {MAX_SQUARES} squares")
    if (type(star), type(free)) != (int, int) or star not in (0, 1) or abs(free) > 9 or first not in ("Left", "Right"):
        raise ValueError("this is not a certificate of a table")
    squares, places, games = len(strip), blanks + frogs, (star + 1) * (abs(free) + 1)
    rows, row = comb(squares, toads), comb(places, frogs)
    n_words = 1 + row // 4096
    if rows * games * squares * frogs * n_words + row * places * (n_words + 4) > max_operations:
        raise TooLarge(f"T^{toads} .^{blanks} F^{frogs} has too many positions: more than {max_operations} operations")
    kept = sum(comb(squares - i, toads - 1) for i in (1, 2, 3)) * games
    if rows * (64 + 8 * toads) + kept * (200 + row // 8) + row * (200 + 8 * frogs + places * frogs // 2) > MAX_BYTES:
        raise TooLarge(f"T^{toads} .^{blanks} F^{frogs} has too many positions: more than {MAX_BYTES} bytes")
    count, absent, ups = frog_sets(places, frogs)
    beside = [(s, f if free > 0 else -f) for s in range(star + 1) for f in range(abs(free) + 1)]
    everywhere = (1 << count) - 1
    wins: dict[int, dict[Any, list[int]]] = {}  # first toad -> toads -> where Left wins as second, for each game added
    sets = list(combinations(range(squares), toads))
    firsts: list[int] = []
    seconds: list[int] = []
    for at in reversed(sets):
        wins.pop(at[0] + 3, None)
        firsts, seconds = [], wins.setdefault(at[0], {}).setdefault(at, [])
        between = [square - i for i, square in enumerate(at)]  # the place behind each toad
        for which, (s, f) in enumerate(beside):
            won = lost = 0  # where Left wins as first, and where Right does
            for i, square in enumerate(at):
                ahead = (at[i + 1] if i + 1 < toads else squares) - square - 1  # squares without a toad
                if ahead:
                    step = (*at[:i], square + 1, *at[i + 1 :])
                    won |= wins[step[0]][step][which] & absent[between[i]]
                if ahead > 1:
                    jump = (*at[:i], square + 2, *at[i + 1 :])
                    for up, where in ups[between[i]].items():
                        won |= wins[jump[0]][jump][which] >> up & where
            for to in [(0, f)] * s + [(s, f - 1)] * (f > 0):
                won |= seconds[beside.index(to)]
            for place in range(1, places):
                if between.count(place) < 2:  # no two toads in the frog's way
                    for up, where in ups[place - 1].items():
                        lost |= (where & ~won) << up
            for to in [(0, f)] * s + [(s, f + 1)] * (f < 0):
                lost |= everywhere & ~firsts[beside.index(to)]
            firsts.append(won)
            seconds.append(everywhere & ~lost)
    if not (firsts if first == "Left" else seconds)[-1] >> (count - 1):
        raise ValueError(f"Left does not win {strip}, free {free}, star {star}, when {first} starts")
    return {"positions": 2 * count * len(sets) * len(beside)}


def frog_sets(places: int, frogs: int) -> tuple[int, list[int], list[dict[int, int]]]:
    """Return the number of sets, the sets without a frog at each place, and the moves up."""
    sets = sorted(combinations(range(places), frogs), key=lambda chosen: chosen[::-1])
    number = {chosen: i for i, chosen in enumerate(sets)}
    absent, ups = [0] * places, [dict[int, int]() for _ in range(places)]
    for chosen, i in number.items():
        for place in range(places):
            if place not in chosen:
                absent[place] |= 1 << i
            elif place + 1 < places and place + 1 not in chosen:
                up = number[tuple(sorted({*chosen, place + 1} - {place}))] - i
                ups[place][up] = ups[place].get(up, 0) | 1 << i
    return len(sets), absent, ups


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        print(check_table(json.load(file)))
