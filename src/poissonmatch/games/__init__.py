"""Exact combinatorial games: impartial ones (Nim, the Triangle Game, ..) and partisan ones (Toads and Frogs, ..)."""

from .canonical import CanonicalEngine, MemoryBound
from .heaps import DawsonsKayles, Euclid, HeapGame, Kayles, Nim, OctalGame, SubtractionGame, TwentyOne, Wythoff
from .impartial import FunctionGame, Genus, ImpartialGame, SumGame, mex
from .notation import parse
from .outcome import OutcomeEngine
from .partisan import Game, game, nimber, number, ups
from .periods import Period, find_period
from .quotient import MisereQuotient, misere_quotient
from .rulesets import Domineering, Hackenbush, Ruleset, ToadsAndFrogs
from .triangle import TRIANGLE_COLUMNS, TriangleGame
from .triangle_patterns import Pattern, triangle_patterns

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
    "parse",
    "triangle_patterns",
    "ups",
]
