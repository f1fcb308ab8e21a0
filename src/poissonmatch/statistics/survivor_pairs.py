"""Clumps: how many points of the color that may not be matched among itself survive near one of them, to the scale r.

N(r) is the expected number of reds with X > r within r of a red with X > r, X the partner distance. Whether it can grow faster than
ln(1 / (V P(X > r))) in a perfect matching is what a proof that reds are left in d >= 2 lacks.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ..matching.matching import Matching
from ..matching.survivors import MOST_DIM, surviving_pairs
from ..points.geometry import MeanField, Torus
from ..points.pattern import Pattern
from ..rules.rule import Rule
from ..sampling.cells import Cell
from ..tables.tables import REPLICATES
from ..utils.errors import BadInput
from .measures import Numbers
from .observable_checks import SLACK, Found, Tables, Tops, bottoms_of
from .responses import radii_of, volumes_of

RED = 1  # the color that is counted
HALF_OCTAVES = 48  # of the volumes that are counted, below the cut-off
MOST_POINTS = 2**18  # of a torus: where a share of them stays unmatched, pairs grow with the square
BYTES = 60.0  # of memory, a point
MICROSECONDS = {1: 0.5, 2: 0.5, 3: 1.0, 4: 3.0, 5: 10.0, 6: 30.0}  # a point, by dimension, beside the matching


def microseconds(dim: float) -> float:
    """Rough time that a point takes; nothing where it is not defined."""
    return MICROSECONDS.get(int(dim), 0.0) if dim < math.inf else 0.0


def grid(space: Torus | MeanField) -> np.ndarray:
    """The volumes of the balls: the larger ones of the response."""
    return volumes_of(space)[-HALF_OCTAVES:]


def measure(pattern: Pattern, matching: Matching) -> Numbers:
    """clumps, for balls of volume x = 2^(k / 2) in the unit of the side, up to the cut-off: ordered pairs of reds with X > r at most r
    apart, and reds with X > r."""
    torus = pattern.geometry
    if not isinstance(torus, Torus):
        raise BadInput("clumps need a torus, which says how far to look")
    volumes = grid(torus)
    radii = radii_of(volumes, torus.dim)
    pairs, distance = surviving_pairs(pattern, matching, radii, RED), matching.distance[pattern.colors == RED]
    return {
        ("clumps", float(v)): (2.0 * p, float(np.count_nonzero(distance > r)))
        for v, p, r in zip(volumes, pairs, radii, strict=True)
    }


def laws(cell: Cell, tops: Tops, tables: Tables) -> Iterator[Found]:
    """bottom, the number of reds with X > r, falls to that of the unmatched; top counts pairs of these, twice."""
    tori = tables.get(REPLICATES.name)
    volumes, bottoms = bottoms_of(tables, "clumps")
    before: np.ndarray | float = np.inf
    for x, r, bottom in zip(volumes.tolist(), radii_of(volumes, cell.dim), bottoms, strict=True):
        key = "clumps", x
        top = tops[key]
        yield "a whole number of points, and of pairs counted twice", key, (bottom % 1 == 0) & (top % 2 == 0)
        yield "no more pairs than the points with X > r have", key, top <= bottom * np.maximum(bottom - 1, 0)
        yield "no more points with X > r than within a smaller r", key, bottom <= before
        before = bottom
        if tori is None:
            continue
        points, alone, longest = (tori[f"{name}_{RED}"] for name in ("points", "unmatched", "longest"))
        beyond, within = longest > r * (1 + SLACK), longest < r * (1 - SLACK)
        fits = (bottom <= points) & (bottom >= alone) & (~beyond | (bottom > alone)) & (~within | (bottom == alone))
        yield "bottom is that of the unmatched from the longest distance on, and more before", key, fits


def unfit(rule: Rule, dim: float) -> str:
    """Why clumps are not defined for a rule and dimension; "" if they are."""
    if rule.n_colors < 2 or rule.width > 1 or rule.matrix()[RED, RED]:
        return "are those of points of color 1 that may not be matched to each other (fussy, two-color)"
    return f"are counted in d = 1 to {MOST_DIM}" if MOST_DIM < dim < math.inf else ""
