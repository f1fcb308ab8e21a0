"""Toads and Frogs as a ruleset: its moves, and its values from the canonical engine."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ..partisan.rulesets import Ruleset
from ..partisan.values import Game
from .boards import board
from .canonical import CanonicalEngine
from .notation import latex, parse_strip

__all__ = ["ToadsAndFrogs", "engine"]


class ToadsAndFrogs(Ruleset):
    """A strip of T (Left's toads, moving right), F (Right's frogs, moving left) and '.'; "T^2 .^3 (TF)^2" is read, too.

    A piece moves one square into an empty square, or jumps over exactly one opposing piece into an empty square
    [Winning Ways, ch. 1]. `value` comes from the compiled engine, `plain_value` from the moves alone.
    """

    @classmethod
    def read(cls, position: Any) -> str:
        return parse_strip(position)

    @staticmethod
    def left_moves(strip: str) -> list[str]:
        steps = [strip[:i] + ".T" + strip[i + 2 :] for i in range(len(strip)) if strip.startswith("T.", i)]
        return steps + [strip[:i] + ".FT" + strip[i + 3 :] for i in range(len(strip)) if strip.startswith("TF.", i)]

    @staticmethod
    def right_moves(strip: str) -> list[str]:
        steps = [strip[:i] + "F." + strip[i + 2 :] for i in range(len(strip)) if strip.startswith(".F", i)]
        return steps + [strip[:i] + "FT." + strip[i + 3 :] for i in range(len(strip)) if strip.startswith(".TF", i)]

    @property
    def latex(self) -> str:
        """The position and its value, for a formula."""
        return f"{latex(str(self.position))} = {self.value.latex}"

    def to_svg(self, title: str = "") -> str:
        """The strip as a picture. Raises ValueError for more than 200 squares."""
        return board(str(self.position), title)

    @property
    def plain_value(self) -> Game:
        """The value without reductions and without compiled code: slow, for checks."""
        return super()._evaluate(self.position)

    @classmethod
    def _evaluate(cls, start: Any) -> Game:
        return engine().value(start)


@lru_cache(maxsize=1)
def engine() -> CanonicalEngine:
    """The canonical engine that all strips of this process share."""
    return CanonicalEngine()
