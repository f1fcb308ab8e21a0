"""Frog games of Deijfen, Holroyd and Martin (2016) on point sets: rules, two solvers, and records.

`solve` uses the stable matching and takes any number of points; `retrograde.Analysis` uses the
rules only and takes about 10 points.
"""

from ..matching.rounds import play_length
from . import retrograde
from .labels import all_labels
from .moves import Move, Position
from .p_positions import check
from .ponds import is_p_position, reply
from .record import options, record
from .solutions import Strategy, solve
from .variants import VARIANTS, rules_of

__all__ = [
    "VARIANTS",
    "Move",
    "Position",
    "Strategy",
    "all_labels",
    "check",
    "is_p_position",
    "options",
    "play_length",
    "record",
    "reply",
    "retrograde",
    "rules_of",
    "solve",
]


def __dir__() -> list[str]:
    return sorted(__all__)
