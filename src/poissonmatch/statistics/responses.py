"""The response of the one-color matching: the new partner of a point if its pair, and no other, is forbidden.

Y(r) = P(X <= r < X') / P(X > r), X the partner distance, X' the partner distance after the pair of the point is forbidden. By the flip
identity it is the first order in rho of the fussy matching: eps(r) / rho = 1 + rho Y(r) + ..., eps the ratio of reds to greens with
X > r.
"""

from __future__ import annotations

import math

import numpy as np

from ..matching.matching import Matching
from ..matching.response import MAX_DIM, new_distances
from ..points.geometry import Geometry
from ..points.pattern import Pattern
from ..rules.catalogue import ONE_COLOR
from ..rules.rule import Rule
from ..theory.volumes import unit_ball_volume
from .measures import Numbers

HALF_OCTAVES = 70  # range of volumes below the cutoff
BYTES = 120.0  # of memory for each point
# For each point, by dimension, without the matching.
MICROSECONDS = {1: 1.2, 2: 2.0, 3: 5.0, 4: 14.0, 5: 45.0, 6: 150.0}


def microseconds(dim: float) -> float:
    """Return the approximate time for each point; 0 if the response is not defined."""
    return MICROSECONDS.get(int(dim), 0.0) if dim < math.inf else 0.0


def volumes_of(space: Geometry) -> np.ndarray:
    """Return the volumes 2^(k / 2) of the balls, up to the ball whose radius is the cutoff."""
    largest = float(space.ball_volume(space.cutoff))
    power = math.floor(2 * math.log2(largest) + 1e-9)
    powers = np.arange(power - HALF_OCTAVES, power + 1)
    return np.ldexp(np.where(powers % 2, math.sqrt(2), 1.0), powers // 2)


def radii_of(volumes: np.ndarray, dim: float) -> np.ndarray:
    """Return the radii of balls of these volumes."""
    return np.asarray((volumes / unit_ball_volume(dim)) ** (1 / dim))


def measure(pattern: Pattern, matching: Matching) -> Numbers:
    """Return `response` for balls of volume x = 2^(k / 2) (unit: side^d): points with X <= r < X', and points with X > r."""
    torus = pattern.geometry
    torus.check_torus("response")
    volumes = volumes_of(torus)
    radii = radii_of(volumes, torus.dim)
    old, new = (
        np.bincount(np.searchsorted(radii, distance), minlength=len(radii) + 1)[:-1].cumsum()  # at most r
        for distance in (matching.distance, new_distances(pattern, matching, float(radii[-1])))
    )
    n, rows = len(pattern), zip(volumes, old, new, strict=True)
    return {("response", float(v)): (float(x - y), float(n - x)) for v, x, y in rows}


def incompatible(rule: Rule, dim: float) -> str:
    """Return the reason why the response is not defined for a rule and dimension, "" if it is."""
    if rule != ONE_COLOR:
        return "is defined for the rule one-color"
    return f"is measured in d = 1 to {MAX_DIM}" if MAX_DIM < dim < math.inf else ""
