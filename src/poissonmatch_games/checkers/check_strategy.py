"""Checker of strategies: `python check_strategy.py FILE` plays one against every defense.

A certificate says: Left wins the strip, plus `free` moves for her (for Right if negative), plus *
if `star`, when `first` starts. It holds the number of one move for each position in which Left is
to move, in the order in which this program comes to them: move by move, the positions after the
same number of moves sorted. (No position comes up after different numbers of moves.) The program
knows the moves and nothing else, and imports nothing of this package.
"""

import base64
import hashlib
import json
import lzma
import sys
from typing import Any

MAX_MOVES = 4 * 10**6  # of Left
MAX_PLAYED = 10**9  # moves of both players that are tried
Position = tuple[str, int, int]  # the strip, is there a star, free moves of Left


class TooManyMoves(ValueError):
    """Strategy whose check takes more moves than it may."""


def left_moves(position: Position) -> list[Position]:
    """Return the positions after a step or jump of a toad, the star, or a free move."""
    strip, star, free = position
    options, i = [], strip.find("T")
    while i >= 0:
        if strip.startswith(".", i + 1):
            options.append((strip[:i] + ".T" + strip[i + 2 :], star, free))
        elif strip.startswith("F.", i + 1):
            options.append((strip[:i] + ".FT" + strip[i + 3 :], star, free))
        i = strip.find("T", i + 1)
    return options + [(strip, 0, free)] * star + [(strip, star, free - 1)] * (free > 0)


def right_moves(position: Position) -> list[Position]:
    """Return the positions after a step or jump of a frog, the star, or a free move."""
    strip, star, free = position
    options, i = [], strip.find("F", 1)
    while i >= 0:
        if strip[i - 1] == ".":
            options.append((strip[: i - 1] + "F." + strip[i + 1 :], star, free))
        elif strip.startswith(".T", i - 2) and i > 1:
            options.append((strip[: i - 2] + "FT." + strip[i + 1 :], star, free))
        i = strip.find("F", i + 1)
    return options + [(strip, 0, free)] * star + [(strip, star, free + 1)] * (free < 0)


def check_strategy(certificate: dict[str, Any], max_played: int = MAX_PLAYED) -> dict[str, int]:
    """Check a strategy against every defense.

    Returns the numbers of Left's positions and of moves of the longest play. Raises ValueError if
    the strategy is wrong. Raises TooManyMoves if `max_played` moves of both players do not suffice.
    """
    strip, star, free, first = (certificate[word] for word in ("strip", "star", "free", "first"))
    if (type(strip), type(star), type(free)) != (str, int, int) or set(strip) - set("TF.") or len(strip) > 99:
        raise ValueError("this is not a certificate of a strategy: the strip, star or free moves")
    if star not in (0, 1) or abs(free) > 9 or first not in ("Left", "Right"):
        raise ValueError("this is not a certificate of a strategy: the star, free moves or first player")
    unpacker = lzma.LZMADecompressor(memlimit=2**28)
    choices = unpacker.decompress(base64.b64decode(certificate["moves"]), MAX_MOVES)
    if not unpacker.eof:
        raise ValueError(f"it does not hold at most {MAX_MOVES} moves")
    if hashlib.sha256(choices).hexdigest() != certificate["sha256"]:
        raise ValueError("the moves do not match their SHA-256")
    start: Position = (strip, star, free)
    waiting = {start} if first == "Left" else set(right_moves(start))
    at = moves = played = 0
    while waiting:
        if at + len(waiting) > len(choices):
            raise ValueError(f"{len(choices)} moves are too few, after {moves} moves of Left")
        answered = set()
        for position in sorted(waiting):
            options = left_moves(position)
            if choices[at] >= len(options):
                raise ValueError(f"no move for Left in {position}, after {moves} moves of hers")
            answered.add(options[choices[at]])
            at, played = at + 1, played + len(options)
        waiting, moves = set(), moves + 1
        for position in answered:
            options = right_moves(position)
            waiting.update(options)
            played += len(options)
            if played > max_played:
                raise TooManyMoves(f"more than {max_played} moves of both players, after {moves} moves of Left")
    if at < len(choices):
        raise ValueError(f"{len(choices) - at} moves are not used")
    return {"positions": at, "moves": moves}


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        print(check_strategy(json.load(file)))
