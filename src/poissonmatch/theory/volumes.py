"""Volumes of balls, and the cutoff of finite-size effects, on which measured numbers depend."""

from __future__ import annotations

import math

import numpy as np

from ..utils.validation import checked

__all__ = ["ball_power", "ball_volume", "cutoff", "is_mean_field", "unit_ball_volume"]


def __dir__() -> list[str]:
    return sorted(__all__)


DIMENSION = (1.0, math.inf)  # bounds


def is_mean_field(dim: float) -> bool:
    """Return whether a dimension is that of the mean-field model, inf.

    Parameters
    ----------
    dim : float
        Dimension.

    Returns
    -------
    bool

    Examples
    --------
    >>> pm.theory.volumes.is_mean_field(np.inf), pm.theory.volumes.is_mean_field(2)
    (True, False)
    """
    return dim == math.inf


@checked(dim=DIMENSION)
def unit_ball_volume(dim: float) -> float:
    """Return the volume of the unit ball of R^dim; 1 in the mean-field model.

    Parameters
    ----------
    dim : float
        Dimension.

    Returns
    -------
    float

    Examples
    --------
    >>> [round(pm.theory.volumes.unit_ball_volume(dim), 4) for dim in (1, 2, 3)]
    [2.0, 3.1416, 4.1888]
    """
    if is_mean_field(dim):
        return 1.0
    if dim > 300:  # where the gamma function may be too large
        half = min(dim, 1e9) / 2  # beyond it the volume is 0 too
        return math.exp(half * math.log(math.pi) - math.lgamma(half + 1))
    return math.pi ** (dim / 2) / math.gamma(dim / 2 + 1)


def ball_power(dim: float) -> float:
    """Return the power of the radius in the volume of a ball: dim; 1 in the mean-field model.

    Parameters
    ----------
    dim : float
        Dimension.

    Returns
    -------
    float

    Examples
    --------
    >>> pm.theory.volumes.ball_power(3), pm.theory.volumes.ball_power(np.inf)
    (3, 1)
    """
    return 1 if is_mean_field(dim) else dim


@checked(dim=DIMENSION)
def ball_volume(dim: float, radius: np.ndarray | float) -> np.ndarray:
    """Return the volume of a ball of this radius.

    Parameters
    ----------
    dim : float
        Dimension.
    radius : float or ndarray
        Radius.

    Returns
    -------
    ndarray of float64
        Volumes, of the same shape.

    Examples
    --------
    >>> pm.theory.volumes.ball_volume(1, [3.0, 4.0])
    array([6., 8.])
    """
    return np.asarray(unit_ball_volume(dim) * np.asarray(radius) ** ball_power(dim))


@checked(dim=DIMENSION)
def cutoff(dim: float, side: float, volume: float) -> float:
    """Return the largest distance at which finite-size effects are negligible.

    It is L/5 in d = 1 and L/8 in d >= 2 for a torus of side L, and a twentieth of the volume in the
    mean-field model (dim = inf), so that a ball holds a twentieth of the points.

    Parameters
    ----------
    dim : float
        Dimension.
    side, volume : float
        Side of the torus; volume of the mean-field model.

    Returns
    -------
    float

    Examples
    --------
    >>> pm.theory.volumes.cutoff(2, 100.0, np.nan), pm.theory.volumes.cutoff(np.inf, np.nan, 100.0)
    (12.5, 5.0)
    """
    if is_mean_field(dim):
        return volume / 20
    return side / 5 if dim == 1 else side / 8
