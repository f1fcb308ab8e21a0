"""Toads and Frogs.

Exact values, outcomes by search, positions with one empty square, claims of the literature.
"""

import lazy_loader

from .conjectures import CLAIMS
from .dyadic_positions import dyadic
from .lucas_puzzle import lucas_plays
from .motion import motion
from .one_blank_lemmas import one_blank
from .published_values import published
from .ruleset import ToadsAndFrogs

__all__ = ["CLAIMS", "OutcomeEngine", "ToadsAndFrogs", "dyadic", "lucas_plays", "motion", "one_blank", "published"]
__getattr__, _, _ = lazy_loader.attach(__name__, submod_attrs={"outcome": ["OutcomeEngine"]})  # which imports numba


def __dir__() -> list[str]:
    return sorted(__all__)
