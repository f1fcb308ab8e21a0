"""The response of the one-color matching to forbidding one pair: the new partner distances."""

from __future__ import annotations

import numpy as np

from ..points.pattern import Pattern
from ..rules.catalogue import ONE_COLOR
from ..utils.errors import BadInput
from .matching import Matching, check_fit

MAX_DIM = 6  # a search looks at 3^d cells


def new_distances(pattern: Pattern, matching: Matching, max_distance: float) -> np.ndarray:
    """Return the partner distance of each point in the one-color matching in which its own pair, and no other, is forbidden: (n,).

    inf if it is more than `max_distance`, or the point is unmatched; nan if its pair is longer. Raises ValueError unless the matching is the
    one-color matching of a pattern on a torus in d = 1 to 6, and max_distance below a third of each side.
    """
    from ..engine.response import new_squares  # here, because few need it

    check_fit(pattern, matching)
    torus = pattern.geometry
    torus.check_torus("the response")
    if matching.rule != ONE_COLOR or torus.dim > MAX_DIM:
        raise BadInput(f"the response needs a one-color matching in d = 1 to {MAX_DIM}")
    shortest = float(torus.sides.min())
    if not 0 < 3 * max_distance < shortest:
        raise BadInput(f"max_distance must be above 0 and below a third of the side {shortest:g}, got {max_distance!r}")
    return pattern.length(new_squares(pattern.points, matching.partner, torus.sides, float(max_distance)))
