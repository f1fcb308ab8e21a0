"""The observable `chains`: steps of the longest descending chain from each point.

The first step is within a ball that contains V points on average.
"""

from __future__ import annotations

import numpy as np

from ....matching.matching import Matching
from ....points.descending_chains import chains_within
from ....theory.volumes import unit_ball_volume
from .. import exact_values
from .interface import Columns, MatchingObservable, Quantity, ratio_columns

VOLUMES = tuple(2.0**k for k in range(-3, 4))  # mean number of points within the longest first step
STEPS = range(1, 21)  # numbers of steps at which the tail is measured


class Chains(MatchingObservable):
    """The sum of steps for each V.

    For V = 1 also the points whose longest chain has at least k steps.
    """

    name = "chains"
    table_of_pairs = True
    memory_per_point = 450.0
    microseconds_on_line, growth = 2.5, 1.8
    quantities = (
        Quantity("chain_steps",
                 "mean number of steps of the longest descending chain from a point whose first step is within a ball that contains $V$ "
                 "points on average", "mean", x="V", curve=True, exact=exact_values.chain_steps, at=lambda space: VOLUMES),
        Quantity("chain_tail",
                 "fraction of the points whose longest descending chain, with first step within $V = 1$, has at least $k$ steps",
                 "share", x="k", curve=True, exact=exact_values.chain_tail, at=lambda space: STEPS),
    )  # fmt: skip

    def measure(self, matching: Matching) -> Columns:
        """Return sums of steps and numbers of points. V is for the intensity on this torus."""
        pattern = matching.known_pattern
        space, n = pattern.geometry, len(pattern)
        power = 1 / space.ball_power
        radii = [(v * space.volume / max(n, 1) / unit_ball_volume(space.dim)) ** power for v in VOLUMES]
        steps = dict(zip(VOLUMES, chains_within(pattern, radii), strict=True))
        return ratio_columns({
            **{("chain_steps", v): (int(of_points.sum()), n) for v, of_points in steps.items()},
            **{("chain_tail", float(k)): (int(np.count_nonzero(steps[1.0] >= k)), n) for k in STEPS},
        })  # fmt: skip
