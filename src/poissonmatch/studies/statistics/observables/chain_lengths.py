"""The observable `chains`: steps of the longest descending chain from each point.

Its first step is within a ball that contains V points on average.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from ....matching.matching import Matching, pattern_of
from ....points.descending_chains import chains_within, mean_field_tail
from ....theory.volumes import is_mean_field, unit_ball_volume
from ..estimators import CellSample, Estimate
from .interface import Columns, MatchingObservable, Quantity, ratio_columns

VOLUMES = tuple(2.0**k for k in range(-3, 4))  # mean number of points within the longest first step
STEPS = range(1, 21)  # numbers of steps at which the tail is measured
solution = cache(mean_field_tail)  # of as many equations as steps, the same for every cell


def exact_tail(sample: CellSample, estimate: Estimate) -> np.ndarray | float:
    """Return P(at least k steps) for V = 1: for k = 1 in every dimension, and for all k in the mean-field model."""
    if not sample.process.uniform:
        return math.nan
    known = solution(1.0, int(np.max(estimate.x)))[np.asarray(estimate.x, int)]
    return known if is_mean_field(sample.dim) else np.where(estimate.x == 1, known, math.nan)


def exact_steps(sample: CellSample, estimate: Estimate) -> np.ndarray | float:
    """Return the mean number of steps, known in the mean-field model."""
    if not sample.process.uniform or sample.dim < math.inf:
        return math.nan
    return np.array([solution(float(v), 60)[1:].sum() for v in np.atleast_1d(estimate.x)])


class Chains(MatchingObservable):
    """The sum of steps for each V, and for V = 1 the points whose longest chain has at least k steps."""

    name = "chains"
    table_of_pairs = True
    memory_per_point = 450.0
    quantities = (
        Quantity("chain_steps",
                 "mean number of steps of the longest descending chain from a point whose first step is within a ball that contains $V$ "
                 "points on average", "mean", x="V", curve=True, exact=exact_steps),
        Quantity("chain_tail",
                 "fraction of the points whose longest descending chain, with first step within $V = 1$, has at least $k$ steps",
                 "share", x="k", curve=True, exact=exact_tail),
    )  # fmt: skip

    def measure(self, matching: Matching) -> Columns:
        """Return sums of steps and numbers of points. V is for the intensity on this torus."""
        pattern = pattern_of(matching)
        space, n = pattern.geometry, len(pattern)
        power = 1 / space.ball_power
        radii = [(v * space.volume / max(n, 1) / unit_ball_volume(space.dim)) ** power for v in VOLUMES]
        steps = dict(zip(VOLUMES, chains_within(pattern, radii), strict=True))
        return ratio_columns({
            **{("chain_steps", v): (int(of_points.sum()), n) for v, of_points in steps.items()},
            **{("chain_tail", float(k)): (int(np.count_nonzero(steps[1.0] >= k)), n) for k in STEPS},
        })  # fmt: skip
