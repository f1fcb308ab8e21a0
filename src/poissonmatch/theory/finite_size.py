"""Thresholds of finite-size effects: when a finite torus stands for infinite volume."""

from __future__ import annotations

import math

from .volumes import cutoff as cutoff

MIN_UNMATCHED = 15.0  # unmatched reds on a torus, on average, for u to be that of infinite volume
SIZE_FACTOR = 8.0  # the points of a torus over those of the torus beside it


NEAR = 0.01  # relative, by which that may be missed


SIGMAS = 3.0  # by which both may differ


MAX_MEAN_IF_NONE = 3.0  # of a mean, if none were seen in all: the upper end of its 95 % interval


def share_of_side(dim: float) -> float:
    """The longest pair of a green may be below this share of the side."""
    return 1 / 5 if dim == 1 else 1 / 4


def rounded(points: float) -> float:
    """A number of points, rounded up to two digits."""
    power = 10.0 ** (math.floor(math.log10(points)) - 1)
    return math.ceil(points / power - 1e-9) * power


def is_smaller_size(small: float, large: float) -> bool:
    """Is a size an eighth of another?"""
    return abs(small * SIZE_FACTOR - large) <= NEAR * large
