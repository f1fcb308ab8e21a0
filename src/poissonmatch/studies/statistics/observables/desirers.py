"""The observables `desirers` and `window`, at radii up to the cutoff.

Desirers: how many points within r desire a typical point. On a Poisson process every point has infinitely many (Deijfen,
Holroyd, Martin 2016, Theorem 7 (ii)): the mean grows without bound, like log r where :math:`r^d P(X > r)` levels off. By
mass transport it equals the mean number of points that a point desires.

Window: the radius within which all points must be known to decide a partner.
"""

from __future__ import annotations

import math

import numpy as np

from ....matching.desire import desiring_pairs
from ....matching.lazy import LazyMatching
from ....matching.matching import Matching
from ....points.geometry import Geometry
from ....points.infinite import Periodic
from ....rules.rule import Rule
from .distances import powers_of_ten
from .interface import Columns, MatchingObservable, Quantity, at_distance, counts_within, curve_columns

STEPS_PER_DECADE, DECADES = 10, 5  # of the radii


def radii_of(space: Geometry) -> np.ndarray:
    """Return the radii: DECADES below the cutoff, and the cutoff itself."""
    return np.asarray(space.cutoff * powers_of_ten(range(-DECADES * STEPS_PER_DECADE, 1), STEPS_PER_DECADE))


class Desirers(MatchingObservable):
    """The number of pairs within r of which one point desires the other."""

    name = "desirers"
    needs_capacity = True
    table_of_pairs = True
    quantities = (
        Quantity("desirers",
                 "mean number of points within $r$ that desire a given point. A point desires another point if the two may be matched and "
                 "it is at least as close to the other point as to its partner", "count", x="r"),
    )  # fmt: skip

    def measure(self, matching: Matching) -> Columns:
        """Return the number of pairs and of points for each radius."""
        pattern = matching.known_pattern
        n, radii = len(pattern), radii_of(pattern.geometry)
        counts = np.zeros(len(radii), np.int64)
        for x, y in desiring_pairs(matching, float(radii[-1]), np.arange(n)):
            counts += counts_within(radii, pattern.distance(x, y))
        return curve_columns("desirers", radii, counts, n)


EVERY = 100  # one in EVERY points is measured


class DecisionWindow(MatchingObservable):
    """The points whose partner is not decided within r, at the radii of desirers."""

    name = "window"
    max_dim = 4
    max_points = 2**18
    memory_per_point = 1200.0
    quantities = (
        at_distance("window_tail",
                    "fraction of the points whose partner is not determined by the points within $r$ (one point in a hundred is measured)", "share"),
    )  # fmt: skip

    def undefined(self, rule: Rule) -> str:
        """Return why a window is not measured, "" if it is."""
        return "" if rule.plain else "needs a rule with one partner for every point and without excluded pairs"

    def measure(self, matching: Matching) -> Columns:
        """Return the number of measured points with a larger window than r."""
        pattern = matching.known_pattern
        radii, n = radii_of(pattern.geometry), len(pattern)
        chosen = range(0, n, EVERY)
        lazy = LazyMatching(periodic := Periodic(pattern), matching.rule, float(radii[-1])) if n else None
        results = [lazy.partner(periodic.point(index)) for index in chosen] if lazy else []
        windows = np.array([result.window if result.answer is not None else math.inf for result in results])
        return curve_columns("window_tail", radii, len(chosen) - counts_within(radii, windows), len(chosen))
