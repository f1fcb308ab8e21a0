"""The observable `balls`: partners of the points of a ball.

Deijfen, Holroyd, Martin (2016), sec. 3.2, Theorem 8, and sec. 2.1. The points are those that Alice
may begin on: all, or those of the first color (amber) if partners have different colors.
"""

from __future__ import annotations

import math

import numpy as np

from ....matching.matching import Matching
from ....points.geometry import Geometry
from ....points.mass_transport import partners_outside
from ....rules.rule import Rule
from ..estimators import CellSample, Estimate, Exact
from .interface import FIRST_COLOR, Columns, MatchingObservable, at_distance, ratio_columns

HALVINGS = 10  # radii are the cutoff over 2^k for k = 1 to HALVINGS
TIMES = (2, 4)  # farther_than_2r, farther_than_4r
NODES = np.polynomial.legendre.leggauss(8)  # of an integral, on each of PANELS
PANELS = tuple(k / 2 for k in range(81))


def radii_of(space: Geometry) -> np.ndarray:
    """Return the radii of the balls, increasing; 4 of the largest fit into half the side."""
    return np.asarray(space.cutoff / 2.0 ** np.arange(HALVINGS, 0, -1))


def exact_outside(sample: CellSample, estimate: Estimate) -> Exact:
    """Return the fraction of points of a ball with partners outside, in d = 1: the mean of P(X > s), s < 2 r."""
    if sample.dim != 1:
        return math.nan
    nodes, weights = NODES
    start, half = np.array(PANELS)[:-1, None], np.diff(PANELS)[:, None] / 2
    share = np.exp(-(start + half * (nodes + 1))).ravel()  # s / 2r, many of them near 0
    weight = (half * weights).ravel() * share
    s = 2 * np.atleast_1d(estimate.x)[:, None] * share
    colors = [FIRST_COLOR] if sample.rule.across else range(len(sample.intensities))
    tail = sample.exact_tail(s.ravel(), colors)
    return np.asarray(np.broadcast_to(tail, s.size).reshape(s.shape) @ weight)


class Balls(MatchingObservable):
    """Points of a ball with a partner outside, and balls with a point whose partner is far away."""

    name = "balls"
    max_dim = 4
    bytes = 1500.0
    memory_per_point = 400.0
    quantities = (
        at_distance("outside",
                    "fraction of the points of a ball of radius $r$ (two-color: of the first color) that have no partner in the ball",
                    "share", exact=exact_outside),
        *(at_distance(f"farther_than_{k}r",
                      f"fraction of the balls of radius $r$ that contain a point (two-color: of the first color) without a partner within ${k} r$ of "
                      "the center. It shows how far Bob must go if Alice is confined to the ball",
                      "share") for k in TIMES),
    )  # fmt: skip

    def undefined(self, rule: Rule) -> str:
        """Return why balls are not measured, "" if they are."""
        return "needs a rule with one partner for every point" if rule.width > 1 else ""

    def measure(self, matching: Matching) -> Columns:
        """Return numbers of points and of balls.

        outside: the points of a ball whose partner is outside or that have none, in the mean over
        all balls of the radius. farther_than_kr: of disjoint balls in a grid, those with a point
        whose partner is more than k r from the center, or that has none.
        """
        pattern = matching.known_pattern
        torus, partner = pattern.geometry, matching.partners[:, 0]
        own = np.flatnonzero(pattern.colors == FIRST_COLOR) if matching.rule.across else np.arange(len(pattern))
        radii = radii_of(torus)
        fractions = partners_outside(pattern, partner, radii, own) if len(own) else np.zeros(len(radii))
        points, partner = pattern.points[own], partner[own]
        partner_points = pattern.points[partner] if len(own) else points
        numbers: dict[tuple[str, float], tuple[float, float]] = {}
        for r, fraction in zip(radii.tolist(), fractions.tolist(), strict=True):
            numbers["outside", r] = (fraction * len(own), len(own))
            parts = np.floor(torus.sides / (2 * r)).astype(np.int64)
            width = torus.sides / parts
            cell = np.minimum((points / width).astype(np.int64), parts - 1)
            center = (cell + 0.5) * width
            inside = torus.distance(points, center) <= r
            distance = np.where(partner < 0, np.inf, torus.distance(partner_points, center))
            ball = np.ravel_multi_index(tuple(cell.T), tuple(parts.tolist()))
            for k in TIMES:
                balls = len(np.unique(ball[inside & (distance > k * r)]))
                numbers[f"farther_than_{k}r", r] = (balls, float(parts.prod()))
        return ratio_columns(numbers)
