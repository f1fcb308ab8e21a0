"""Exact combinatorial games."""

from poissonmatch.games.canonical import CanonicalEngine, MemoryBound
from poissonmatch.games.notation import parse
from poissonmatch.games.outcome import OutcomeEngine
from poissonmatch.games.partisan import Game, game, nimber, number, ups
from poissonmatch.games.rulesets import Domineering, Hackenbush, Ruleset, ToadsAndFrogs

__all__ = [
    "CanonicalEngine",
    "Domineering",
    "Game",
    "Hackenbush",
    "MemoryBound",
    "OutcomeEngine",
    "Ruleset",
    "ToadsAndFrogs",
    "game",
    "nimber",
    "number",
    "parse",
    "ups",
]
