"""How the one-color matching answers when the pair of a point is forbidden: the partner that the point has then."""

from __future__ import annotations

import numpy as np

from ..points.pattern import Pattern
from ..rules.catalogue import ONE_COLOR
from ..utils.errors import BadInput
from .matching import Matching, check_fit

MOST_DIM = 6  # a search looks at 3^d cells


def new_distances(pattern: Pattern, matching: Matching, most: float) -> np.ndarray:
    """For each point, the distance of its partner in the one-color matching in which its own pair, and no other, is forbidden: (n,).

    inf where that is more than `most`, or the point is unmatched; nan where its pair is longer. Raises ValueError unless the matching is the
    one-color matching of a pattern on a torus in d = 1 to 6, and most below a third of each side.
    """
    from ..engine.response import new_squares  # here, because few need it

    check_fit(pattern, matching)
    torus = pattern.geometry
    if matching.rule != ONE_COLOR or not torus.is_torus or torus.dim > MOST_DIM:
        raise BadInput(f"new distances are those of a one-color matching on a torus, in d = 1 to {MOST_DIM}")
    shortest = float(torus.sides.min())
    if not 0 < 3 * most < shortest:
        raise BadInput(f"most must be above 0 and below a third of the side {shortest:g}, not {most!r}")
    return pattern.length(new_squares(pattern.points, matching.partner, torus.sides, float(most)))
