"""Volumes of balls, and the distance up to which finite-size effects are negligible: measured numbers depend on both."""

from __future__ import annotations

import math


def unit_ball_volume(dim: float) -> float:
    """Return the volume of the unit ball of R^dim; 1 for dim = inf (mean-field model)."""
    return 1.0 if dim == math.inf else math.pi ** (dim / 2) / math.gamma(dim / 2 + 1)


def cutoff(dim: float, side: float, volume: float) -> float:
    """Return the largest distance at which finite-size effects are negligible.

    It is L/5 in d = 1 and L/8 in d >= 2 for a torus of side L, and a twentieth of the volume in the mean-field model (dim = inf),
    so that a ball holds a twentieth of the points.
    """
    if dim == math.inf:
        return volume / 20
    return side / 5 if dim == 1 else side / 8
