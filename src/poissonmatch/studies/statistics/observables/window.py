"""The observable `window`: the radius within which all points must be known to decide a partner."""

from __future__ import annotations

import math

import numpy as np

from ....matching.lazy import LazyMatching
from ....matching.matching import Matching, pattern_of
from ....points.geometry import Geometry
from ....points.infinite import Periodic
from ....rules.rule import Rule
from .desirers import radii_of
from .interface import Columns, MatchingObservable, Quantity, counts_within, curve_columns, needs_torus

EVERY = 100  # one in EVERY points is measured


class DecisionWindow(MatchingObservable):
    """The points whose partner is not decided within r, at the radii of desirers."""

    name = "window"
    max_points = 2**18
    memory_per_point = 1200.0
    quantities = (
        Quantity("window_tail",
                 "fraction of the points whose partner is not determined by the points within $r$ (one point in a hundred is measured)", "share",
                 x="r", cut="x", curve=True),
    )  # fmt: skip

    def incompatible(self, rule: Rule, space: Geometry) -> str:
        """Return why a window is not measured, "" if it is."""
        if not rule.plain:
            return "needs a rule with one partner for every point and without excluded pairs"
        return needs_torus(space, max_dim=4)

    def measure(self, matching: Matching) -> Columns:
        """Return the number of measured points with a larger window than r."""
        pattern = pattern_of(matching)
        radii, n = radii_of(pattern.geometry), len(pattern)
        chosen = range(0, n, EVERY)
        lazy = LazyMatching(periodic := Periodic(pattern), matching.rule, float(radii[-1])) if n else None
        results = [lazy.partner(periodic.point(index)) for index in chosen] if lazy else []
        windows = np.array([result.window if result.answer is not None else math.inf for result in results])
        return curve_columns("window_tail", radii, len(chosen) - counts_within(radii, windows), len(chosen))
