"""Exact combinatorial games."""

from .heaps import (
    DawsonsKayles,
    Euclid,
    HeapGame,
    Kayles,
    Nim,
    OctalGame,
    SubtractionGame,
    TwentyOne,
    Wythoff,
)
from .impartial import FunctionGame, Genus, ImpartialGame, SumGame, mex
from .periods import Period, find_period
from .quotient import MisereQuotient, misere_quotient
from .triangle import TRIANGLE_COLUMNS, TriangleGame
from .triangle_patterns import Pattern, triangle_patterns

__all__ = [
    "TRIANGLE_COLUMNS",
    "DawsonsKayles",
    "Euclid",
    "FunctionGame",
    "Genus",
    "HeapGame",
    "ImpartialGame",
    "Kayles",
    "MisereQuotient",
    "Nim",
    "OctalGame",
    "Pattern",
    "Period",
    "SubtractionGame",
    "SumGame",
    "TriangleGame",
    "TwentyOne",
    "Wythoff",
    "find_period",
    "mex",
    "misere_quotient",
    "triangle_patterns",
]
