"""Partners of the points of a ball: Theorem 8's proof and the confined game (Deijfen, Holroyd, Martin 2016, sec. 3.2 and 2.1).

The points are those that Alice may begin on: all, or those of the first color (amber) if partners have different colors.
"""

from __future__ import annotations

import math

import numpy as np

from ..matching.matching import Matching
from ..points.mass_transport import partners_outside
from ..points.pattern import Pattern
from ..rules.rule import Rule
from .measures import FIRST_COLOR, Numbers

HALVINGS = 10  # radii are the cutoff over 2^k for k = 1 to HALVINGS
TIMES = (2, 4)  # farther_than_2r, farther_than_4r
MAX_DIM = 4
BYTES = 400.0  # of memory for each point


def radii_of(cutoff: float) -> np.ndarray:
    """Return the radii of the balls, increasing; 4 of the largest fit into half the side."""
    return cutoff / 2.0 ** np.arange(HALVINGS, 0, -1)


def measure(pattern: Pattern, matching: Matching) -> Numbers:
    """Return `outside`, `farther_than_2r` and `farther_than_4r` for each radius r.

    outside: the points of a ball whose partner is outside or that have none, in the mean over all balls of the radius, over the points.
    farther_than_kr: of disjoint balls in a grid, those with a point whose partner is more than k r from the center, or that has none.
    """
    torus = pattern.geometry
    torus.check_torus("a grid of balls")
    radii = radii_of(torus.cutoff)
    own = np.flatnonzero(pattern.colors == FIRST_COLOR) if matching.rule.across else np.arange(len(pattern))
    partner = matching.partners[:, 0]
    shares = partners_outside(pattern, partner, radii, own) if len(own) else np.zeros(len(radii))
    places, partner = pattern.points[own], partner[own]
    mates = pattern.points[partner] if len(own) else places
    numbers: Numbers = {}
    for r, share in zip(radii.tolist(), shares.tolist(), strict=True):
        numbers["outside", r] = (share * len(own), len(own))
        parts = np.floor(torus.sides / (2 * r)).astype(np.int64)
        width = torus.sides / parts
        cell = np.minimum((places / width).astype(np.int64), parts - 1)
        center = (cell + 0.5) * width
        inside = torus.distance(places, center) <= r
        distance = np.where(partner < 0, np.inf, torus.distance(mates, center))
        ball = np.ravel_multi_index(tuple(cell.T), tuple(parts.tolist()))
        for k in TIMES:
            found = len(np.unique(ball[inside & (distance > k * r)]))
            numbers[f"farther_than_{k}r", r] = (found, float(parts.prod()))
    return numbers


def incompatible(rule: Rule, dim: float) -> str:
    """Return the reason why balls are not measured for a rule and dimension, "" if they are."""
    if rule.width > 1:
        return "need a rule with one partner for every point"
    return f"are measured in d = 1 to {MAX_DIM}" if MAX_DIM < dim < math.inf else ""
