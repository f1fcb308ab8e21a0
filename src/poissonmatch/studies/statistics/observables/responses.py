"""The observable `response`: the new partner of a point if its pair is forbidden, for one color.

Y(r) = P(X <= r < X') / P(X > r), X the partner distance, X' the partner distance if the pair of the
point, and no other, is forbidden. By the flip identity it is the first order in rho of the fussy
matching: eps(r) / rho = 1 + rho Y(r) + ..., eps the ratio of reds to greens with X > r.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from ....matching.matching import Matching
from ....points.geometry import Geometry
from ....rules.catalogue import RULES
from ....rules.rule import Rule
from ....theory.volumes import unit_ball_volume
from ..estimators import CellSample, Estimate, curve
from .interface import Columns, MatchingObservable, Quantity, counts_within, curve_columns, needs_torus

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


def exact_response(sample: CellSample, estimate: Estimate) -> np.ndarray | float:
    """Return Y(V)."""
    return sample.rule.law.response(estimate.x, sample.dim) if sample.process.uniform else math.nan


def exact_slope(sample: CellSample, estimate: Estimate) -> np.ndarray | float:
    """Return the slope of Y over the factor of the estimate."""
    low, high = (exact_response(sample, estimate.of(x=estimate.x * factor)) for factor in (0.5, 2))
    return slope(low, high)


def slope(low: Any, high: Any) -> Any:
    """Return (Y(2 V) - Y(V / 2)) / ln 4."""
    return (high - low) / math.log(4)


class Response(MatchingObservable):
    """Points with X <= r < X', and points with X > r, for balls of volume x = 2^(k / 2)."""

    name = "response"
    bytes = 1500.0
    memory_per_point = 120.0
    quantities = (
        Quantity("response",
                 r"$Y(V) = P(X \le r < X') / P(X > r)$, where $X$ is the partner distance of a point and $X'$ its partner distance if its own "
                 "pair, and no other, is forbidden; $V$ is the expected number of points within $r$", "mean", x="V", curve=True, exact=exact_response),
        Quantity("response_slope", r"$d Y / d \ln V$, computed as $(Y(2 V) - Y(V / 2)) / \ln 4$", "real", x="V", curve=True,
                 exact=exact_slope),
    )  # fmt: skip

    def incompatible(self, rule: Rule, space: Geometry) -> str:
        """Return why the response is not defined, "" if it is."""
        return "is defined for the rule one-color" if rule != RULES["one-color"] else needs_torus(space, max_dim=6)

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
