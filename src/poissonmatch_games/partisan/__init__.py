"""Short partisan games: their values, and rulesets whose positions have such values."""

from .rulesets import Domineering, Hackenbush, Ruleset
from .value_notation import parse
from .values import Game, game

__all__ = ["Domineering", "Game", "Hackenbush", "Ruleset", "game", "parse"]


def __dir__() -> list[str]:
    return sorted(__all__)
