"""The excess eps - rho of a fussy matching by the flip identity: R' / G, from reds that are near a red that is unmatched so far.

R' is the intensity of the reds with m <= r < X, m the distance to the nearest red y with X(y) > m, and G that of the greens with X > r. For
Poisson processes R' = R - rho G exactly, also on a torus; R' varies less than R and G do.
"""

from __future__ import annotations

import numpy as np

from ..matching.flips import MAX_DIM, RED, flip_distances
from ..matching.matching import Matching
from ..points.geometry import Geometry
from ..points.pattern import Pattern
from ..rules.catalogue import FUSSY
from ..rules.rule import Rule
from . import measures
from .measures import Numbers

DECADES = 8  # range of volumes below the cutoff
MAX_POINTS = 2**24
BYTES = 150.0  # of memory for each point
MICROSECONDS = 1.5  # for each point in d = 1, without the matching; times 1.5 for each further dimension


def microseconds(dim: float) -> float:
    """Return the approximate time for each point; 0 if flips are not defined."""
    return MICROSECONDS * 1.5 ** (dim - 1) if dim <= MAX_DIM else 0.0


def radii_of(space: Geometry) -> np.ndarray:
    """Return the lower ends of the bins of the table `distances` up to the cutoff."""
    r = measures.edges()
    return np.asarray(r[(r <= space.cutoff) & (r > space.cutoff * 10 ** (-DECADES / space.dim))])


def grid(space: Geometry) -> np.ndarray:
    """Return the volumes of the balls of these radii."""
    return np.asarray(space.ball_volume(radii_of(space)))


def measure(pattern: Pattern, matching: Matching) -> Numbers:
    """Return `flip_excess` for balls of volume x (unit: side^d): reds with m <= r < X, and greens with X > r."""
    torus = pattern.geometry
    torus.check_torus("a flip")
    radii = radii_of(torus)
    if not len(radii):
        return {}
    near = flip_distances(pattern, matching, float(radii[-1]))
    some = np.isfinite(near)
    red, green = (matching.distance[pattern.colors == color] for color in (RED, 1 - RED))
    begun, ended, gone = (
        np.bincount(np.searchsorted(radii, values), minlength=len(radii) + 1)[:-1].cumsum()  # at most r
        for values in (near[some], red[some], green)
    )
    rows = zip(grid(torus), begun - ended, len(green) - gone, strict=True)
    return {("flip_excess", float(v)): (float(flips), float(greens)) for v, flips, greens in rows}


def incompatible(rule: Rule, dim: float) -> str:
    """Return the reason why the flip is not defined for a rule and dimension, "" if it is."""
    if rule != FUSSY:
        return "is defined for the rule fussy"
    return f"is measured in d = 1 to {MAX_DIM}" if MAX_DIM < dim < np.inf else ""
