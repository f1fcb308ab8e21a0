"""The mass transport principle on cubes (Deijfen, Holroyd, Martin 2016, the proof of Theorem 8)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..utils.errors import BadInput
from ..utils.validation import check_array, check_int
from .geometry import Torus
from .pattern import Pattern, as_pattern

__all__ = ["mass_transport"]


class Transport(NamedTuple):
    """Mass that leaves each cube, and mass that comes to it.

    Parameters
    ----------
    sent, received : float array
        Of d axes, each of length parts.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.5], [3.5]], None, pm.Torus(4.0, 1))
    >>> pm.mass_transport.mass_transport(pattern, [0], [1], parts=4).received
    array([0., 0., 0., 1.])
    """

    sent: np.ndarray
    received: np.ndarray


def mass_transport(pattern: Pattern, source: Any, target: Any, mass: Any = 1.0, *, parts: int) -> Transport:
    r"""Both sides of the mass transport principle, where points send mass to points by a rule that looks the same after a translation.

    The torus is cut into parts^d equal cubes. In a stationary process both have the same mean on every cube: :math:`f(s, t)` being
    what s sends to t in the mean, :math:`\sum_t f(0, t) = \sum_s f(s, 0)`. On one torus their means over the cubes are equal.

    Parameters
    ----------
    pattern : Pattern
        On a torus, or ValueError is raised, as it is for arrays that do not fit.
    source, target : (k,) array_like of int
        Indices of points.
    mass : (k,) array_like or float, optional
        What each source sends.
    parts : int

    Returns
    -------
    Transport

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
    if not isinstance(torus, Torus):
        raise BadInput(f"mass is transported on a torus, not on {torus}")
    parts = check_int("parts", parts, 1, 10**6)
    ends = [
        np.atleast_1d(check_array(name, ends, "iu", "indices of points"))
        for name, ends in (("source", source), ("target", target))
    ]
    amount = check_array("mass", mass, "fiub", "numbers").astype(float)
    if ends[0].shape != ends[1].shape or ends[0].ndim != 1 or amount.shape not in ((), ends[0].shape):
        raise BadInput(f"source, target and mass must be as many: {ends[0].shape}, {ends[1].shape}, {amount.shape}")
    for name, end in zip(("source", "target"), ends, strict=True):
        if len(bad := end[(end < 0) | (end >= n)]):
            raise BadInput(f"{name}: {bad[0]} is none of the {n} points")
    if not (amount >= 0).all():
        raise BadInput(f"mass must be numbers from 0, not {amount[~(amount >= 0)].flat[0]}")
    shape = (parts,) * torus.dim
    cube = np.minimum((pattern.points / torus.sides * parts).astype(np.int64), parts - 1)
    number = np.ravel_multi_index(tuple(cube.T), shape)
    weights = np.broadcast_to(amount, ends[0].shape)
    return Transport(*(np.bincount(number[end], weights, minlength=parts**torus.dim).reshape(shape) for end in ends))
