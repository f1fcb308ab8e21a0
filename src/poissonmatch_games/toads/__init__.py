"""Toads and Frogs.

Exact values, outcomes by search, positions with one empty square, claims of the literature.
"""

from .conjectures import CLAIMS
from .dyadic_positions import dyadic
from .lucas_puzzle import lucas_plays
from .motion import motion
from .one_blank_lemmas import one_blank
from .outcome import OutcomeEngine
from .published_values import published
from .ruleset import ToadsAndFrogs

__all__ = ["CLAIMS", "OutcomeEngine", "ToadsAndFrogs", "dyadic", "lucas_plays", "motion", "one_blank", "published"]


def __dir__() -> list[str]:
    return sorted(__all__)
