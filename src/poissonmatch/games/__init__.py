"""Exact combinatorial games: impartial ones (Nim, the Triangle Game, ..) and partisan ones (Toads and Frogs, ..)."""

from .impartial.base import FunctionGame, Genus, ImpartialGame, SumGame, mex
from .impartial.digraphs import StonesOnDigraph, StonesOnPath, StonesOnRing
from .impartial.entries import FAMILIES, GAMES, game_named
from .impartial.graphs import OptionGraph
from .impartial.hackenbush import GreenHackenbush
from .impartial.heaps import DawsonsChess, DawsonsKayles, HeapGame, Kayles, Nim, OctalGame, SubtractionGame, TwentyOne
from .impartial.loopy import LoopyFunctionGame, LoopyGame, Northcott, PokerNim
from .impartial.periods import Period, find_period
from .impartial.quotient import MisereQuotient, misere_quotient
from .impartial.sprouts import Sprouts
from .impartial.triangle import TRIANGLE_COLUMNS, TriangleGame
from .impartial.triangle_patterns import Pattern, triangle_patterns
from .impartial.two_heaps import ColeDavieEuclid, Euclid, Wythoff
from .limits import MemoryBound
from .option_graphs import option_graph
from .partisan.graphs import PartisanGraph
from .partisan.notation import parse
from .partisan.rulesets import Domineering, Hackenbush, Ruleset
from .partisan.values import Game, game, nimber, number, ups
from .toads.canonical import CanonicalEngine
from .toads.conjectures import CLAIMS
from .toads.dyadic import dyadic
from .toads.motion import Motion, motion
from .toads.one_blank import one_blank
from .toads.outcome import OutcomeEngine
from .toads.plays import lucas_plays
from .toads.ruleset import ToadsAndFrogs

__all__ = [
    "CLAIMS",
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
    "Motion",
    "Nim",
    "Northcott",
    "OctalGame",
    "OptionGraph",
    "PartisanGraph",
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
    "dyadic",
    "find_period",
    "game",
    "game_named",
    "lucas_plays",
    "mex",
    "misere_quotient",
    "motion",
    "nimber",
    "number",
    "one_blank",
    "option_graph",
    "parse",
    "triangle_patterns",
    "ups",
]
