"""Short partisan games: their values, and rulesets whose positions have such values."""

from .notation import parse
from .rulesets import Domineering, Hackenbush, Ruleset
from .values import Game, game

__all__ = ["Domineering", "Game", "Hackenbush", "Ruleset", "game", "parse"]
