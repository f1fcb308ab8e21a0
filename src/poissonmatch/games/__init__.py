"""Exact combinatorial games: impartial ones (Nim, the Triangle Game, ..) and partisan ones (Toads and Frogs, ..)."""

from .impartial.base import FunctionGame, Genus, ImpartialGame, SumGame, mex
from .impartial.heaps import (
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
from .impartial.periods import Period, find_period
from .impartial.quotient import MisereQuotient, misere_quotient
from .impartial.triangle import TRIANGLE_COLUMNS, TriangleGame
from .impartial.triangle_patterns import Pattern, triangle_patterns
from .limits import MemoryBound
from .partisan.notation import parse
from .partisan.rulesets import Domineering, Hackenbush, Ruleset
from .partisan.values import Game, game, nimber, number, ups
from .toads.canonical import CanonicalEngine
from .toads.one_blank import one_blank
from .toads.outcome import OutcomeEngine
from .toads.ruleset import ToadsAndFrogs

__all__ = [
    "TRIANGLE_COLUMNS",
    "CanonicalEngine",
    "DawsonsKayles",
    "Domineering",
    "Euclid",
    "FunctionGame",
    "Game",
    "Genus",
    "Hackenbush",
    "HeapGame",
    "ImpartialGame",
    "Kayles",
    "MemoryBound",
    "MisereQuotient",
    "Nim",
    "OctalGame",
    "OutcomeEngine",
    "Pattern",
    "Period",
    "Ruleset",
    "SubtractionGame",
    "SumGame",
    "ToadsAndFrogs",
    "TriangleGame",
    "TwentyOne",
    "Wythoff",
    "find_period",
    "game",
    "mex",
    "misere_quotient",
    "nimber",
    "number",
    "one_blank",
    "parse",
    "triangle_patterns",
    "ups",
]
