"""The observable `survivor_pairs`: N(r), the number of reds with X > r within r of a red with X > r.

X is the partner distance; red is a color that may not be matched to itself. A proof that reds are
unmatched in d >= 2 needs a bound: whether N(r) can grow faster than ln(1 / (V P(X > r))) in a
perfect matching is not known.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ....matching.matching import Matching
from ....points.geometry import Geometry
from ....rules.rule import Rule
from ....theory.finite_size import FEW_COUNTS
from ..estimators import CellSample, Estimate, curve
from .interface import Columns, MatchingObservable, Quantity, counts_within, curve_columns, needs_torus
from .responses import radii_of, volumes_of

RED = 1  # color
HALF_OCTAVES = 48  # range of volumes below the cutoff


class SurvivorPairs(MatchingObservable):
    """Ordered pairs of reds with X > r at most r apart, and reds with X > r, for balls of volume x = 2^(k / 2)."""

    name = "survivor_pairs"
    needs_all_pairs = False
    max_points = 2**18  # the number of pairs grows with the square of that of unmatched points
    bytes = 1000.0
    memory_per_point = 60.0
    quantities = (
        Quantity("survivor_pairs",
                 "$N(r)$, the mean number of other red points with $X > r$ within $r$ of a red point with $X > r$. Red points have color 1, and "
                 "may not be matched to each other. $V$ is the expected number of green points within $r$", "count", x="V", curve=True),
    )  # fmt: skip

    def incompatible(self, rule: Rule, space: Geometry) -> str:
        """Return why survivor pairs are not defined, "" if they are."""
        if rule.n_colors < 2 or rule.width > 1 or rule.matrix()[RED, RED]:
            return "needs a rule under which points of color 1 may not be matched to each other (fussy, two-color)"
        return needs_torus(space, max_dim=6)

    def measure(self, matching: Matching) -> Columns:
        """Return numbers of pairs and of points for each volume."""
        from ....engine.octave_kernels import count_pairs  # here, because few need it

        pattern = matching.known_pattern
        torus, red = pattern.geometry, pattern.colors == RED
        volumes = volumes_of(torus)[-HALF_OCTAVES:]  # the larger ones of the response
        volumes = volumes[radii_of(volumes, torus.dim) <= matching.max_distance]
        radii = radii_of(volumes, torus.dim)
        distance = matching.distances[red, 0]
        pairs = count_pairs(pattern.points[red], distance, torus.sides, radii) if len(radii) else np.zeros(0)
        return curve_columns("survivor_pairs", volumes, 2 * pairs, len(distance) - counts_within(radii, distance))

    def estimate(self, sample: CellSample, rows: Columns) -> Iterator[Estimate]:
        """Yield N(r) at each expected number V of greens within r, if FEW_COUNTS reds have X > r."""
        green, _ = sample.green_and_red
        yield curve(sample, rows, sample.intensities[green], "survivor_pairs", FEW_COUNTS)
