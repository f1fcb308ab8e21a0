"""Thresholds of finite-size effects: when results on a torus are close to those in infinite volume."""

from __future__ import annotations

import math

MIN_UNMATCHED = 15.0  # mean unmatched red points per torus above which finite-size effects in u are negligible
SIZE_FACTOR = 8.0  # ratio of the sizes of two tori that are compared
SIZE_TOLERANCE = 0.01  # relative tolerance of that ratio
SIGMAS = 3.0  # standard errors by which the estimates on both tori may differ
MAX_MEAN_IF_NONE = 3.0  # upper end of the 95 % interval of a Poisson mean if no event was seen


def share_of_side(dim: float) -> float:
    """Return the share of the side below which the longest pair of a green point must be."""
    return 1 / 5 if dim == 1 else 1 / 4


def rounded(points: float) -> float:
    """Return a number of points rounded up to two digits."""
    power = 10.0 ** (math.floor(math.log10(points)) - 1)
    return math.ceil(points / power - 1e-9) * power


def is_smaller_size(small: float, large: float) -> bool:
    """Return whether `small` is 1/8 of `large`, to 1 %."""
    return abs(small * SIZE_FACTOR - large) <= SIZE_TOLERANCE * large
