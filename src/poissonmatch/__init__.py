"""Stable matchings of random points, and the games that they solve.

For example:

    import numpy as np, poissonmatch as pm
    torus = pm.Torus(side=100.0, dim=2)
    pattern = pm.processes.two_color(torus, intensities=(1.0, 0.5), rng=np.random.default_rng(7))
    matching = pm.match(pattern, "fussy")

The command line is `poissonmatch`; the README says where to begin.
"""

import importlib
from typing import Any

from .geometry import Euclidean, MeanField, Pattern, Torus
from .matching import RULES, LabeledPairs, Matching, Rule, match, sprague_grundy

__all__ = [
    "RULES",
    "Euclidean",
    "IntegrityError",
    "LabeledPairs",
    "Matching",
    "MeanField",
    "Pattern",
    "Rule",
    "Torus",
    "blocking_pairs",
    "frogs",
    "games",
    "gametables",
    "load",
    "match",
    "processes",
    "sprague_grundy",
]

_LATER = {
    "blocking_pairs": "stability",
    "IntegrityError": "statistics.tables",
    "load": "pipeline.game_tables",
}  # public names of rooms that take long to import
_ROOMS = {
    "desire": "desire",
    "frogs": "frogs",
    "games": "games",
    "gametables": "pipeline.game_tables",
    "measures": "statistics.measures",
    "processes": "processes",
    "retrograde": "frogs.retrograde",
}


def __getattr__(name: str) -> Any:
    """Rooms are imported when they are first asked for: a simulation job needs few of them."""
    if name in _LATER:
        return getattr(importlib.import_module(f".{_LATER[name]}", __name__), name)
    if name == "__version__":
        return importlib.import_module("importlib.metadata").version(__name__)
    if name in _ROOMS:
        return importlib.import_module(f".{_ROOMS[name]}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_ROOMS})
