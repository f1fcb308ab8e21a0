"""Stable matchings of random points, and the games that they solve.

import numpy as np, poissonmatch as pm
torus = pm.Torus(side=100.0, dim=2)
pattern = pm.processes.two_color(torus, intensities=(1.0, 0.5), rng=np.random.default_rng(7))
matching = pm.match(pattern, "fussy")
"""

from .blocking import blocking_pairs
from .geometry import Euclidean, MeanField, Pattern, Torus
from .matching import RULES, LabeledPairs, Matching, Rule, match, sprague_grundy

__all__ = [
    "RULES",
    "Euclidean",
    "LabeledPairs",
    "Matching",
    "MeanField",
    "Pattern",
    "Rule",
    "Torus",
    "blocking_pairs",
    "match",
    "sprague_grundy",
]
