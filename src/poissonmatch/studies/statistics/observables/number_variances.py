"""The observable `number_variance`: the variance of the number of points in a ball over its mean."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....points.second_moments import ball_counts
from ....theory.volumes import ball_volume
from ...sampling.cells import Cell
from ..estimators import CellSample, Estimate, ratio
from .desirers import radii_of
from .interface import Quantity
from .structure_factors import ByPartner

RADII = slice(-21, None, 2)  # of `radii_of`: two decades up to the cutoff, five a decade
CENTERS_PER_BALL = 4  # as many times as disjoint balls would fill the torus,
CENTERS = 200  # at most, so that counting takes no longer than matching


def exact_number_variance(sample: CellSample, estimate: Estimate) -> np.ndarray | float:
    """Return 1 for independent uniform points, nan for others."""
    return 1.0 if sample.process.uniform else math.nan


def exact_number_variance_on_torus(sample: CellSample, estimate: Estimate) -> Any:
    """Return the value for independent uniform points, of which a fixed number is on the torus."""
    if not sample.process.uniform or sample.process.poisson:
        return math.nan
    return 1 - ball_volume(sample.dim, estimate.x) / sample.volume


class NumberVariance(ByPartner):
    """Variances of numbers of points in balls, over mean numbers."""

    name = "number_variance"
    memory_per_point = 150.0
    min_points = 0.1  # in a ball
    quantities = (
        Quantity("number_variance", "variance of the number of points of the color in a ball of radius $r$, over its mean", "mean", x="r",
                 cut="x", curve=True, exact=exact_number_variance, exact_torus=exact_number_variance_on_torus),
        Quantity("number_variance_matched", "variance of the number of those with a partner, over its mean", "mean", x="r", cut="x", curve=True),
        Quantity("number_variance_unmatched", "variance of the number of those without a partner, over its mean", "mean", x="r", cut="x", curve=True),
    )  # fmt: skip

    def sums(self, points: np.ndarray, cell: Cell) -> list[np.ndarray]:
        """Return the numbers of points in balls of each radius."""
        torus = cell.space()
        radii = radii_of(torus)[RADII]
        fill = CENTERS_PER_BALL * torus.volume / torus.ball_volume(radii)
        return ball_counts(points, torus, radii, np.ceil(np.minimum(fill, CENTERS)).astype(int))  # type: ignore[arg-type]

    def ratios(self, sums: list[np.ndarray], n: int, cell: Cell) -> tuple[np.ndarray, Any, Any]:
        """Return radii, the variances over the centers, and the mean number of points."""
        torus = cell.space()
        radii = radii_of(torus)[RADII]
        mean = n * torus.ball_volume(radii) / torus.volume
        squares = [((counts - each) ** 2).mean() for counts, each in zip(sums, mean, strict=True)]
        return radii, np.array(squares), mean

    def values(self, numerator: np.ndarray, denominator: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the variance over the mean: that over the centers, and that of the mean number among tori."""
        tori, mean = len(denominator), denominator.mean(axis=0)
        among = (denominator - mean) ** 2 * tori / max(tori - 1, 1)
        return ratio(numerator + among, denominator)
