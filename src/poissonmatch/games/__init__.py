"""Exact combinatorial games: impartial ones (Nim, the Triangle Game, ..) and partisan ones (Toads and Frogs, ..)."""

from .impartial.base import FunctionGame, Genus, ImpartialGame, SumGame, mex
from .impartial.digraphs import StonesOnDigraph, StonesOnPath, StonesOnRing
from .impartial.entries import FAMILIES, GAMES, game_named
from .impartial.graphs import OptionGraph, option_graph
from .impartial.hackenbush import GreenHackenbush
from .impartial.heaps import (
    DawsonsChess,
    DawsonsKayles,
    HeapGame,
    Kayles,
    Nim,
    OctalGame,
    SubtractionGame,
    TwentyOne,
)
from .impartial.loopy import LoopyFunctionGame, LoopyGame, Northcott, PokerNim
from .impartial.periods import Period, find_period
from .impartial.quotient import MisereQuotient, misere_quotient
from .impartial.sprouts import Sprouts
from .impartial.triangle import TRIANGLE_COLUMNS, TriangleGame
from .impartial.triangle_patterns import Pattern, triangle_patterns
from .impartial.two_heaps import ColeDavieEuclid, Euclid, Wythoff
from .limits import MemoryBound
from .partisan.notation import parse
from .partisan.rulesets import Domineering, Hackenbush, Ruleset
from .partisan.values import Game, game, nimber, number, ups
from .toads.canonical import CanonicalEngine
from .toads.one_blank import one_blank
from .toads.outcome import OutcomeEngine
from .toads.ruleset import ToadsAndFrogs

__all__ = [
    "FAMILIES",
    "GAMES",
    "TRIANGLE_COLUMNS",
    "CanonicalEngine",
    "ColeDavieEuclid",
    "DawsonsChess",
    "DawsonsKayles",
    "Domineering",
    "Euclid",
    "FunctionGame",
    "Game",
    "Genus",
    "GreenHackenbush",
    "Hackenbush",
    "HeapGame",
    "ImpartialGame",
    "Kayles",
    "LoopyFunctionGame",
    "LoopyGame",
    "MemoryBound",
    "MisereQuotient",
    "Nim",
    "Northcott",
    "OctalGame",
    "OptionGraph",
    "OutcomeEngine",
    "Pattern",
    "Period",
    "PokerNim",
    "Ruleset",
    "Sprouts",
    "StonesOnDigraph",
    "StonesOnPath",
    "StonesOnRing",
    "SubtractionGame",
    "SumGame",
    "ToadsAndFrogs",
    "TriangleGame",
    "TwentyOne",
    "Wythoff",
    "find_period",
    "game",
    "game_named",
    "mex",
    "misere_quotient",
    "nimber",
    "number",
    "one_blank",
    "option_graph",
    "parse",
    "triangle_patterns",
    "ups",
]
