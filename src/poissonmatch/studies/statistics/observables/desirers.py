"""The observable `desirers`: how many points within r desire a typical point.

On a Poisson process every point has infinitely many (Deijfen, Holroyd, Martin 2016, Theorem 7
(ii)): the mean grows without bound, like log r where :math:`r^d P(X > r)` levels off. By mass
transport it equals the mean number of points that a point desires.
"""

from __future__ import annotations

import numpy as np

from ....matching.desire import desiring_pairs
from ....matching.matching import Matching
from ....points.geometry import Geometry
from ....rules.rule import Rule
from .distances import powers_of_ten
from .interface import Columns, MatchingObservable, Quantity, counts_within, curve_columns, needs_capacity

STEPS_PER_DECADE, DECADES = 10, 5  # of the radii


def radii_of(space: Geometry) -> np.ndarray:
    """Return the radii: DECADES below the cutoff, and the cutoff itself."""
    return np.asarray(space.cutoff * powers_of_ten(range(-DECADES * STEPS_PER_DECADE, 1), STEPS_PER_DECADE))


class Desirers(MatchingObservable):
    """The number of pairs within r of which one point desires the other."""

    name = "desirers"
    table_of_pairs = True
    quantities = (
        Quantity("desirers",
                 "mean number of points within $r$ that desire a given point. A point desires another point if the two may be matched and "
                 "it is at least as close to the other point as to its partner", "count", x="r", curve=True),
    )  # fmt: skip

    def incompatible(self, rule: Rule, space: Geometry) -> str:
        """Return why desire is not defined, "" if it is."""
        return needs_capacity(rule)

    def measure(self, matching: Matching) -> Columns:
        """Return the number of pairs and of points for each radius."""
        pattern = matching.known_pattern
        n, radii = len(pattern), radii_of(pattern.geometry)
        counts = np.zeros(len(radii), np.int64)
        for x, y in desiring_pairs(matching, float(radii[-1]), np.arange(n)):
            counts += counts_within(radii, pattern.distance(x, y))
        return curve_columns("desirers", radii, counts, n)
