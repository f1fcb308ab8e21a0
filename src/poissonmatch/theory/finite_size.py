"""Thresholds of few data and of finite-size effects, below which results on tori are close to those in infinite volume."""

from __future__ import annotations

import math
from typing import Any

MIN_UNMATCHED = 15.0  # mean unmatched red points per torus above which finite-size effects in u are negligible
MAX_GREEN = 0.01  # unmatched green points for each unmatched red one: u is biased by at most this share
SIZE_FACTOR = 8.0  # ratio of the sizes of two tori that are compared
SIZE_TOLERANCE = 0.01  # relative tolerance of that ratio
MAX_SHIFT = 0.75  # standard deviations of u of one torus by which both may differ: 3 standard errors of 16 tori each
MIN_COUNT = 16  # points in all on either side of a threshold below which a tail, slope or quantile has no row
FEW_COUNTS = 100  # points in all below which an index of dispersion is not taken from them alone
FEW_REPLICATES = 10  # replicates below which it is pooled over cells, and an excess of a color is taken as normal
MIN_INDEX = 2.0  # index of dispersion of few unmatched points if nothing else is known
MAX_MEAN_IF_NONE = 3.0  # upper end of the 95 % interval of a Poisson mean if no event was seen, the rule of three


def share_of_side(dim: float) -> float:
    """Return the fraction of the side below which the longest pair of a green point, averaged over the tori, must be."""
    return 1 / 5 if dim == 1 else 1 / 4


def rounded(points: float) -> float:
    """Return a number of points rounded up to two digits."""
    power = 10.0 ** (math.floor(math.log10(points)) - 1)
    return math.ceil(points / power - 1e-9) * power


def is_smaller_size(small: Any, large: float) -> Any:
    """Return whether `small`, a number or an array, is 1/8 of `large`, to 1 %."""
    return abs(small * SIZE_FACTOR - large) <= SIZE_TOLERANCE * large
