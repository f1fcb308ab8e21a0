"""Finds a strategy for Left by asking the outcome engine in every position, and writes it as `check_strategy` reads it."""

from __future__ import annotations

import base64
import hashlib
import lzma
from collections.abc import Callable
from typing import Any

from ..checkers.check_strategy import Position, left_moves, right_moves
from ..partisan.values import STAR, ZERO
from ..toads.notation import parse_strip
from ..toads.outcome import OutcomeEngine

__all__ = ["find_strategy", "packed"]


def find_strategy(
    strip: str,
    star: int = 0,
    free: int = 0,
    first: str = "Left",
    engine: OutcomeEngine | None = None,
    progress: Callable[[int, int], None] = lambda moves, positions: None,
) -> dict[str, Any]:
    """A certificate that Left wins strip + free + star when `first` starts; ValueError if she does not. An `engine` brings
    its memory, and what it knows already.

    Positions in which she is to move are answered, as far as possible, by positions that stand there already, else by
    those with her toads close together: that keeps the strategy small.
    """
    strip = parse_strip(strip)
    size = len(strip) + sum(c != "." for c in strip)
    engine = engine or OutcomeEngine(2**30, size)
    waiting = {(strip, star, free)} if first == "Left" else set(right_moves((strip, star, free)))
    choices, moves = bytearray(), 0
    while waiting:
        answered: set[Position] = set()
        for position in sorted(waiting):
            options = left_moves(position)
            number = next((n for n, new in enumerate(options) if new in answered), -1)
            if number < 0:
                order = sorted(range(len(options)), key=lambda n: _spread(options[n][0]))
                number = next((n for n in order if _wins(engine, options[n])), -1)
            if number < 0:
                raise ValueError(f"Left does not win {position}")
            answered.add(options[number])
            choices.append(number)
        waiting = {new for position in answered for new in right_moves(position)}
        moves += 1
        progress(moves, len(choices))
    return {"kind": "strategy", "strip": strip, "star": star, "free": free, "first": first, **packed(bytes(choices))}


def packed(choices: bytes) -> dict[str, str]:
    """The moves as a certificate holds them."""
    text = base64.b64encode(lzma.compress(choices, preset=9 | lzma.PRESET_EXTREME)).decode()
    return {"moves": text, "sha256": hashlib.sha256(choices).hexdigest()}


def _spread(strip: str) -> int:
    return strip.rfind("T") - strip.find("T")


def _wins(engine: OutcomeEngine, position: Position) -> bool:
    """Does Left win, Right to move?"""
    strip, star, free = position
    return bool(engine.left_wins(strip, (STAR if star else ZERO) - free, False))
