"""Short partisan games: their values, and rulesets whose positions have such values."""

from .boards import Domineering, Hackenbush
from .rulesets import ImpartialPosition, Ruleset
from .value_notation import parse
from .values import Game, game

__all__ = ["Domineering", "Game", "Hackenbush", "ImpartialPosition", "Ruleset", "game", "parse"]


def __dir__() -> list[str]:
    return sorted(__all__)
