"""Survivor pairs: reds with X > r within r of a red with X > r; red is a color that may not be matched to itself.

N(r) is the expected number of reds with X > r within r of a red with X > r, X the partner distance. A proof that reds are unmatched
in d >= 2 needs a bound: whether N(r) can grow faster than ln(1 / (V P(X > r))) in a perfect matching is not known.
"""

from __future__ import annotations

import math

import numpy as np

from ..matching.matching import Matching
from ..matching.survivors import MAX_DIM, surviving_pairs
from ..points.geometry import Geometry
from ..points.pattern import Pattern
from ..rules.rule import Rule
from .measures import Numbers
from .responses import radii_of, volumes_of

RED = 1  # color
HALF_OCTAVES = 48  # range of volumes below the cutoff
MAX_POINTS = 2**18  # of a torus: the number of pairs grows with the square of that of unmatched points
BYTES = 60.0  # of memory for each point
MICROSECONDS = {1: 0.5, 2: 0.5, 3: 1.0, 4: 3.0, 5: 10.0, 6: 30.0}  # for each point, by dimension, without the matching


def microseconds(dim: float) -> float:
    """Return the approximate time for each point; 0 if survivor pairs are not defined."""
    return MICROSECONDS.get(int(dim), 0.0) if dim < math.inf else 0.0


def grid(space: Geometry) -> np.ndarray:
    """Return the volumes of the balls: the larger ones of the response."""
    return volumes_of(space)[-HALF_OCTAVES:]


def measure(pattern: Pattern, matching: Matching) -> Numbers:
    """Return `survivor_pairs` for balls of volume x = 2^(k / 2) (unit: side^d).

    The numerator is the number of ordered pairs of reds with X > r at most r apart, the denominator that of reds with X > r.
    """
    torus = pattern.geometry
    torus.check_torus("a count of survivor pairs")
    volumes = grid(torus)
    radii = radii_of(volumes, torus.dim)
    pairs, distance = surviving_pairs(pattern, matching, radii, RED), matching.distance[pattern.colors == RED]
    return {
        ("survivor_pairs", float(v)): (2.0 * p, float(np.count_nonzero(distance > r)))
        for v, p, r in zip(volumes, pairs, radii, strict=True)
    }


def incompatible(rule: Rule, dim: float) -> str:
    """Return the reason why survivor pairs are not defined for a rule and dimension, "" if they are."""
    if rule.n_colors < 2 or rule.width > 1 or rule.matrix()[RED, RED]:
        return "need a rule under which points of color 1 may not be matched to each other (fussy, two-color)"
    return f"are counted in d = 1 to {MAX_DIM}" if MAX_DIM < dim < math.inf else ""
