"""The mass transport principle on cubes (Deijfen, Holroyd, Martin 2016, proof of Theorem 8)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..utils.errors import BadInput
from ..utils.validation import check_array, check_int
from .pattern import Pattern, as_pattern

__all__ = ["mass_transport", "partners_outside"]


def __dir__() -> list[str]:
    return sorted(__all__)


MAX_CUBES = 10**8


class Transport(NamedTuple):
    """The mass sent from each cube, and the mass received in each cube.

    Parameters
    ----------
    sent, received : float array
        With d axes of length `parts`.
    """

    sent: np.ndarray
    received: np.ndarray


def mass_transport(pattern: Pattern, source: Any, target: Any, mass: Any = 1.0, *, parts: int) -> Transport:
    r"""Return both sides of the mass transport principle: the mass that points in equal cubes send, and receive.

    The torus is divided into parts^d equal cubes. In a stationary process both sides have the same
    mean on every cube: if :math:`f(s, t)` is the expected mass from s to t, then :math:`\sum_t f(0,
    t) = \sum_s f(s, 0)`. On one torus their means over the cubes are equal.

    Parameters
    ----------
    pattern : Pattern
        On a torus.
    source, target : (k,) array_like of int
        Indices of points.
    mass : (k,) array_like or float, optional
        Mass sent by each source, by default 1.
    parts : int
        Cubes along each axis; at most 10^8 in all.

    Returns
    -------
    Transport
        The mass `sent` and `received` by each cube.

    Raises
    ------
    ValueError
        If the pattern is not on a torus, the arrays do not fit, or there are too many cubes.

    Examples
    --------
    Matched amber points, and matched blue ones, in each cube:

    >>> pattern = pm.processes.two_color(pm.Torus(10.0, 2), (1.0, 0.5), rng=1)
    >>> partner = pm.match(pattern, "two-color").partner
    >>> amber = np.flatnonzero((pattern.colors == 0) & (partner >= 0))
    >>> pm.mass_transport.mass_transport(pattern, amber, partner[amber], parts=2)
    Transport(sent=array([[14., 11.],
           [11., 10.]]), received=array([[15., 10.],
           [10., 11.]]))
    """
    torus, n = as_pattern(pattern).geometry, len(pattern)
    torus.check_torus("mass transport")
    parts = check_int("parts", parts, 1, max(1, int(MAX_CUBES ** (1 / torus.dim) + 1e-9)))
    ends = [
        np.atleast_1d(check_array(name, ends, "iu", "indices of points"))
        for name, ends in (("source", source), ("target", target))
    ]
    amount = check_array("mass", mass, "fiub", "numbers").astype(float)
    if ends[0].shape != ends[1].shape or ends[0].ndim != 1 or amount.shape not in ((), ends[0].shape):
        raise BadInput(
            f"source, target and mass must have the same shape, got {ends[0].shape}, {ends[1].shape}, {amount.shape}"
        )
    for name, end in zip(("source", "target"), ends, strict=True):
        if len(bad := end[(end < 0) | (end >= n)]):
            raise BadInput(f"{name}: {bad[0]} is not one of the {n} points")
    if not (amount >= 0).all():
        raise BadInput(f"mass must be nonnegative numbers, got {amount[~(amount >= 0)].flat[0]}")
    shape = (parts,) * torus.dim
    cube = np.minimum((pattern.points / torus.sides * parts).astype(np.int64), parts - 1)
    number = np.ravel_multi_index(tuple(cube.T), shape)
    weights = np.broadcast_to(amount, ends[0].shape)
    return Transport(*(np.bincount(number[end], weights, minlength=parts**torus.dim).reshape(shape) for end in ends))


def partners_outside(pattern: Pattern, partner: Any, radii: Any, points: Any = None) -> np.ndarray:
    """Return the fraction of points of a ball with a partner outside it or none, for each radius.

    It is the mean over all balls of the radius: a point at distance s from its partner counts with
    the part of a ball of radius r around it that is farther than r from the partner. In the proof
    of Theorem 8 the numbers of matched amber and of matched blue points of a large ball differ by
    at most the number of points with partners outside it. The fraction of these points tends to 0
    if all points have partners.

    Parameters
    ----------
    pattern : Pattern
        With coordinates.
    partner : (n,) array_like of int
        Index of the partner of each point, -1 for none.
    radii : (k,) array_like of float
        Positive; on a torus up to a quarter of the side.
    points : (m,) array_like of int, optional
        The points that count, such as those of one color; by default all.

    Returns
    -------
    (k,) float array

    Raises
    ------
    ValueError
        If an argument does not fit, or no point counts.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [1.0], [5.0]], None, pm.Euclidean(1))
    >>> pm.mass_transport.partners_outside(pattern, [1, 0, -1], [0.5, 1.0], points=[0, 1])
    array([1. , 0.5])
    """
    from scipy.special import betainc

    pattern = as_pattern(pattern)
    space, n = pattern.geometry, len(pattern)
    space.check_flat("a ball")
    mates = check_array("partner", partner, "iu", "indices of points")
    own = np.arange(n) if points is None else np.atleast_1d(check_array("points", points, "iu", "indices of points"))
    if mates.shape != (n,) or not ((mates >= -1) & (mates < n)).all():
        raise BadInput(f"partner must be an index from -1 to {n - 1} for each of the {n} points")
    if own.ndim != 1 or not len(own) or not ((own >= 0) & (own < n)).all():
        raise BadInput(f"points must be indices from 0 to {n - 1}, at least one")
    sizes = np.atleast_1d(check_array("radii", radii, "fiu", "positive lengths")).astype(float)
    max_radius = min(space.seams or (np.inf,)) / 4
    if sizes.ndim != 1 or not ((sizes > 0) & (sizes <= max_radius) & np.isfinite(sizes)).all():
        raise BadInput(
            "radii must be positive lengths" + (f" up to {max_radius:g}, a quarter of the side" if space.seams else "")
        )
    apart = np.full(len(own), np.inf)
    matched = mates[own] >= 0
    apart[matched] = pattern.distance(own[matched], mates[own][matched])
    half = np.minimum(
        apart / 2 / sizes[:, None], 1.0
    )  # two balls at this distance over the radius share the part of betainc
    return 1 - betainc((space.dim + 1) / 2, 0.5, 1 - half**2).mean(axis=1)
