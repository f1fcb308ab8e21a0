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
from ..points.pattern import Pattern
from ..points.space import Geometry
from ..rules.rule import Rule
from ..sampling.cells import Cell
from ..tables.tables import REPLICATES
from ..utils.errors import BadInput
from .measures import Numbers
from .observable_checks import SLACK, Found, Numerators, Tables, denominators_of
from .responses import radii_of, volumes_of

RED = 1  # the color that is counted
HALF_OCTAVES = 48  # of the volumes that are counted, below the cut-off
MOST_POINTS = 2**18  # of a torus: where a share of them stays unmatched, pairs grow with the square
BYTES = 60.0  # of memory, a point
MICROSECONDS = {1: 0.5, 2: 0.5, 3: 1.0, 4: 3.0, 5: 10.0, 6: 30.0}  # a point, by dimension, beside the matching


def microseconds(dim: float) -> float:
    """Rough time that a point takes; nothing where it is not defined."""
    return MICROSECONDS.get(int(dim), 0.0) if dim < math.inf else 0.0


def grid(space: Geometry) -> np.ndarray:
    """The volumes of the balls: the larger ones of the response."""
    return volumes_of(space)[-HALF_OCTAVES:]


def measure(pattern: Pattern, matching: Matching) -> Numbers:
    """survivor_pairs, for balls of volume x = 2^(k / 2) in the unit of the side, up to the cut-off: ordered pairs of reds with X > r at most r
    apart, and reds with X > r."""
    torus = pattern.geometry
    if not torus.is_torus:
        raise BadInput("survivor pairs need a torus, which says how far to look")
    volumes = grid(torus)
    radii = radii_of(volumes, torus.dim)
    pairs, distance = surviving_pairs(pattern, matching, radii, RED), matching.distance[pattern.colors == RED]
    return {
        ("survivor_pairs", float(v)): (2.0 * p, float(np.count_nonzero(distance > r)))
        for v, p, r in zip(volumes, pairs, radii, strict=True)
    }


def laws(cell: Cell, numerators: Numerators, tables: Tables) -> Iterator[Found]:
    """denominator, the number of reds with X > r, falls to that of the unmatched; numerator counts pairs of these, twice."""
    tori = tables.get(REPLICATES.name)
    volumes, denominators = denominators_of(tables, "survivor_pairs")
    before: np.ndarray | float = np.inf
    for x, r, denominator in zip(volumes.tolist(), radii_of(volumes, cell.dim), denominators, strict=True):
        key = "survivor_pairs", x
        numerator = numerators[key]
        yield "a whole number of points, and of pairs counted twice", key, (denominator % 1 == 0) & (numerator % 2 == 0)
        yield (
            "no more pairs than the points with X > r have",
            key,
            numerator <= denominator * np.maximum(denominator - 1, 0),
        )
        yield "no more points with X > r than within a smaller r", key, denominator <= before
        before = denominator
        if tori is None:
            continue
        points, alone, longest = (tori[f"{name}_{RED}"] for name in ("points", "unmatched", "longest"))
        beyond, within = longest > r * (1 + SLACK), longest < r * (1 - SLACK)
        fits = (
            (denominator <= points)
            & (denominator >= alone)
            & (~beyond | (denominator > alone))
            & (~within | (denominator == alone))
        )
        yield "denominator is that of the unmatched from the longest distance on, and more before", key, fits


def unfit(rule: Rule, dim: float) -> str:
    """Why survivor pairs are not defined for a rule and dimension; "" if they are."""
    if rule.n_colors < 2 or rule.width > 1 or rule.matrix()[RED, RED]:
        return "are those of points of color 1 that may not be matched to each other (fussy, two-color)"
    return f"are counted in d = 1 to {MOST_DIM}" if MOST_DIM < dim < math.inf else ""
