"""The observables `response` and `survivor_pairs`, at the volumes of balls.

The response is the new partner of a point if its pair is forbidden, for one color: Y(r) = P(X <= r < X') / P(X > r), X the
partner distance, X' the partner distance if the pair of the point, and no other, is forbidden. By the flip identity it is
the first order in rho of the fussy matching: eps(r) / rho = 1 + rho Y(r) + ..., eps the ratio of reds to greens with X > r.

Survivor pairs: N(r) is the number of reds with X > r within r of a red with X > r; red is a color that may not be matched to
itself. A proof that reds are unmatched in d >= 2 needs a bound: whether N(r) can grow faster than ln(1 / (V P(X > r))) in a
perfect matching is not known.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from ....matching.matching import Matching
from ....points.geometry import Geometry
from ....rules.rule import Rule
from ....theory.finite_size import FEW_COUNTS
from ....theory.volumes import unit_ball_volume
from ..estimators import CellSample, Estimate, Exact, curve
from .interface import Columns, GreenCurve, MatchingObservable, Quantity, counts_within, curve_columns

HALF_OCTAVES = 70  # range of volumes below the cutoff


def volumes_of(space: Geometry) -> np.ndarray:
    """Return the volumes 2^(k / 2) of the balls, up to the ball whose radius is the cutoff."""
    largest = float(space.ball_volume(space.cutoff))
    power = math.floor(2 * math.log2(largest) + 1e-9)
    powers = np.arange(power - HALF_OCTAVES, power + 1)
    return np.ldexp(np.where(powers % 2, math.sqrt(2), 1.0), powers // 2)


def radii_of(volumes: np.ndarray, dim: float) -> np.ndarray:
    """Return the radii of balls of these volumes."""
    return np.asarray((volumes / unit_ball_volume(dim)) ** (1 / dim))


def new_distances(matching: Matching, max_distance: float) -> np.ndarray:
    """Return the partner distance of each point if its own pair is forbidden: (n,).

    inf if it is more than `max_distance`, below a third of each side, or the point is unmatched;
    nan if its pair is longer.
    """
    from ....engine.octave_kernels import new_squares  # here, because few need it

    pattern = matching.known_pattern
    metric = pattern.metric
    squares = new_squares(pattern.embedded, matching.partner, metric.periods, metric.chord(max_distance))
    return pattern.length(squares)


def exact_response(sample: CellSample, estimate: Estimate) -> Exact:
    """Return Y(V)."""
    return sample.rule.law.response(estimate.x, sample.dim) if sample.process.uniform else math.nan


def exact_slope(sample: CellSample, estimate: Estimate) -> Exact:
    """Return the slope of Y over the factor of the estimate."""
    low, high = (exact_response(sample, estimate.of(x=estimate.x * factor)) for factor in (0.5, 2))
    return slope(low, high)


def slope(low: Any, high: Any) -> Any:
    """Return (Y(2 V) - Y(V / 2)) / ln 4."""
    return (high - low) / math.log(4)


class Response(MatchingObservable):
    """Points with X <= r < X', and points with X > r, for balls of volume x = 2^(k / 2)."""

    name = "response"
    only_rule = "one-color"
    max_dim = 6
    bytes = 1500.0
    memory_per_point = 120.0
    quantities = (
        Quantity("response",
                 r"$Y(V) = P(X \le r < X') / P(X > r)$, where $X$ is the partner distance of a point and $X'$ its partner distance if its own "
                 "pair, and no other, is forbidden; $V$ is the expected number of points within $r$", "mean", x="V", exact=exact_response),
        Quantity("response_slope", r"$d Y / d \ln V$, computed as $(Y(2 V) - Y(V / 2)) / \ln 4$", "real", x="V",
                 exact=exact_slope),
    )  # fmt: skip

    def measure(self, matching: Matching) -> Columns:
        """Return numbers of points for each volume."""
        torus = matching.known_pattern.geometry
        volumes = volumes_of(torus)
        radii = radii_of(volumes, torus.dim)
        distances = matching.distance, new_distances(matching, float(radii[-1]))
        old, new = (counts_within(radii, distance) for distance in distances)
        return curve_columns("response", volumes, old - new, len(matching.partners) - old)

    def estimate(self, sample: CellSample, rows: Columns) -> Iterator[Estimate]:
        """Yield the response and its slope at each expected number V of points within r."""
        response = curve(sample, rows, sum(sample.intensities), "response")
        yield response
        value, influence = response.value, response.influence
        if len(value) > 4:
            slopes = slope(value[:-4], value[4:]), slope(influence[:, :-4], influence[:, 4:])
            yield Estimate("response_slope", *slopes, x=response.x[2:-2])


RED = 1  # color
PAIR_HALF_OCTAVES = 48  # range of volumes below the cutoff


class SurvivorPairs(GreenCurve):
    """Ordered pairs of reds with X > r at most r apart, and reds with X > r, for balls of volume x = 2^(k / 2)."""

    name = "survivor_pairs"
    needs_all_pairs = False
    max_dim = 6
    max_points = 2**18  # the number of pairs grows with the square of that of unmatched points
    min_count = FEW_COUNTS
    bytes = 1000.0
    memory_per_point = 60.0
    quantities = (
        Quantity("survivor_pairs",
                 "$N(r)$, the mean number of other red points with $X > r$ within $r$ of a red point with $X > r$. Red points have color 1, and "
                 "may not be matched to each other. $V$ is the expected number of green points within $r$", "count", x="V"),
    )  # fmt: skip

    def undefined(self, rule: Rule) -> str:
        """Return why survivor pairs are not defined, "" if they are."""
        if rule.n_colors < 2 or rule.width > 1 or rule.matrix()[RED, RED]:
            return "needs a rule under which points of color 1 may not be matched to each other (fussy, two-color)"
        return ""

    def measure(self, matching: Matching) -> Columns:
        """Return numbers of pairs and of points for each volume."""
        from ....engine.octave_kernels import count_pairs  # here, because few need it

        pattern = matching.known_pattern
        torus, red = pattern.geometry, pattern.colors == RED
        volumes = volumes_of(torus)[-PAIR_HALF_OCTAVES:]  # the larger ones of the response
        volumes = volumes[radii_of(volumes, torus.dim) <= matching.max_distance]
        radii = radii_of(volumes, torus.dim)
        distance = matching.distances[red, 0]
        pairs = count_pairs(pattern.points[red], distance, torus.sides, radii) if len(radii) else np.zeros(0)
        return curve_columns("survivor_pairs", volumes, 2 * pairs, len(distance) - counts_within(radii, distance))
