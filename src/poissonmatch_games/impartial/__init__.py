"""Impartial games: nim-values, outcomes and winning moves in normal and misere play."""

from .base import FunctionGame, ImpartialGame
from .digraphs import StonesOnDigraph
from .entries import FAMILIES, GAMES, game_named
from .genus import mex
from .graph_files import GraphGame
from .hackenbush import GreenHackenbush
from .heaps import GrundysGame, HeapGame, Kayles, Nim, OctalGame, SubtractionGame
from .impartial_play import record
from .loopy import LoopyGame
from .nim_advice import binary_columns
from .periods import find_period
from .quotient import misere_quotient
from .sprouts import Sprouts
from .triangle import TRIANGLE_COLUMNS, TriangleGame
from .two_heaps import Euclid, Wythoff

__all__ = [
    "FAMILIES",
    "GAMES",
    "TRIANGLE_COLUMNS",
    "Euclid",
    "FunctionGame",
    "GraphGame",
    "GreenHackenbush",
    "GrundysGame",
    "HeapGame",
    "ImpartialGame",
    "Kayles",
    "LoopyGame",
    "Nim",
    "OctalGame",
    "Sprouts",
    "StonesOnDigraph",
    "SubtractionGame",
    "TriangleGame",
    "Wythoff",
    "binary_columns",
    "find_period",
    "game_named",
    "mex",
    "misere_quotient",
    "record",
]


def __dir__() -> list[str]:
    return sorted(__all__)
