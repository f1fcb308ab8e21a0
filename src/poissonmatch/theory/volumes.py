"""Volumes of balls, and the cutoff of finite-size effects, on which measured numbers depend."""

from __future__ import annotations

import math
from typing import Any


def is_mean_field(dim: float) -> bool:
    """Return whether a dimension is that of the mean-field model, inf."""
    return dim == math.inf


def unit_ball_volume(dim: float) -> float:
    """Return the volume of the unit ball of R^dim; 1 in the mean-field model."""
    return 1.0 if is_mean_field(dim) else math.pi ** (dim / 2) / math.gamma(dim / 2 + 1)


def ball_power(dim: float) -> float:
    """Return the power of the radius in the volume of a ball: dim; 1 in the mean-field model."""
    return 1 if is_mean_field(dim) else dim


def ball_volume(dim: float, radius: Any) -> Any:
    """Return the volume of a ball of this radius, a float or an array."""
    return unit_ball_volume(dim) * radius ** ball_power(dim)


def cutoff(dim: float, side: float, volume: float) -> float:
    """Return the largest distance at which finite-size effects are negligible.

    It is L/5 in d = 1 and L/8 in d >= 2 for a torus of side L, and a twentieth of the volume in the
    mean-field model (dim = inf), so that a ball holds a twentieth of the points.
    """
    if is_mean_field(dim):
        return volume / 20
    return side / 5 if dim == 1 else side / 8
