"""Survivor pairs: points of one color near each other that are still unmatched at a radius."""

from __future__ import annotations

import numpy as np

from ..points.pattern import Pattern
from ..utils.errors import BadInput
from .matching import Matching, check_fit

MAX_DIM = 6  # a search looks at 3^d cells


def surviving_pairs(pattern: Pattern, matching: Matching, radii: np.ndarray, color: int = 1) -> np.ndarray:
    """Return for each radius r the number of pairs at most r apart of points of a color whose partner distance is more than r: (k,).

    radii: (k,), ascending. Raises ValueError unless points have at most one partner, the pattern is on a torus in d = 1 to 6, and the
    last radius is below a third of each side.
    """
    from ..engine.survivors import count_pairs  # here, because few need it

    check_fit(pattern, matching)
    torus = pattern.geometry
    torus.check_torus("a count of survivor pairs")
    if matching.rule.width > 1 or torus.dim > MAX_DIM:
        raise BadInput(f"pairs of survivors need a matching with one partner for each point, in d = 1 to {MAX_DIM}")
    shortest = float(torus.sides.min())
    if not (len(radii) and 0 < radii[0] and (np.diff(radii) > 0).all() and 3 * radii[-1] < shortest):
        raise BadInput(f"radii must ascend from above 0 to below a third of the side {shortest:g}")
    chosen = pattern.colors == color
    return count_pairs(pattern.points[chosen], matching.distance[chosen], torus.sides, radii)
