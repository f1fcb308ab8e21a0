"""Frog games on point sets (Deijfen, Holroyd, Martin 2016): the rules, two solvers, a player, and two boards to play on.

`solve` answers on any number of points, through the matching; retrograde.Analysis from the rules alone, on few.
"""

from .labels import LabelTable, all_labels
from .moves import Move, Parameter, Position, Variant
from .ponds import PondSolution
from .record import deletion, options, record
from .solutions import (
    FAMILIES,
    DesireSolution,
    PairSolution,
    Solution,
    StoneSolution,
    Strategy,
    is_p_position,
    solve,
    winning_moves,
)
from .variants import VARIANTS, rules_of, variant_named

__all__ = [
    "FAMILIES",
    "VARIANTS",
    "DesireSolution",
    "LabelTable",
    "Move",
    "PairSolution",
    "Parameter",
    "PondSolution",
    "Position",
    "Solution",
    "StoneSolution",
    "Strategy",
    "Variant",
    "all_labels",
    "deletion",
    "is_p_position",
    "options",
    "record",
    "rules_of",
    "solve",
    "variant_named",
    "winning_moves",
]
