"""Stable matchings of random points, and the games that they solve.

For example:

    import numpy as np, poissonmatch as pm
    torus = pm.Torus(side=100.0, dim=2)
    pattern = pm.processes.two_color(torus, intensities=(1.0, 0.5), rng=np.random.default_rng(7))
    matching = pm.match(pattern, "fussy")

The command line is `poissonmatch`; the README says where to begin.
"""

from . import frogs, games, gametables, processes
from .geometry import Euclidean, MeanField, Pattern, Torus
from .matching import RULES, LabeledPairs, Matching, Rule, match, sprague_grundy
from .tables import IntegrityError, load

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
    "frogs",
    "games",
    "gametables",
    "load",
    "match",
    "processes",
    "sprague_grundy",
]
