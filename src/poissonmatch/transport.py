"""The mass transport principle on cubes (Deijfen, Holroyd, Martin 2016, the proof of Theorem 8)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .errors import BadInput
from .geometry import Torus
from .given import array_of, whole
from .pattern import Pattern, as_pattern


class Transport(NamedTuple):
    """Mass that leaves each cube, and mass that comes to it: (parts,) * d arrays."""

    sent: np.ndarray
    received: np.ndarray


def mass_transport(pattern: Pattern, source: Any, target: Any, mass: Any = 1.0, *, parts: int) -> Transport:
    """Both sides of the mass transport principle, where points send mass to points: whatever rule one likes, as long as it looks the
    same after a translation.

    The torus is cut into parts^d equal cubes. source, target: indices of points, (k,); mass: what each source sends, (k,) or one for
    all. For such a rule and a stationary process the two have the same mean on every cube: f(s, t) being what cube s sends to cube t in
    the mean, the sum of f(0, t) over t is that of f(s, 0) over s. On one torus their means over the cubes are equal.

        m = match(pattern, "two-color")
        amber = np.flatnonzero((pattern.colors == 0) & (m.partner >= 0))
        mass_transport(pattern, amber, m.partner[amber], parts=4)    # matched amber points, and matched blue ones, in each cube

    Raises ValueError unless the pattern is on a torus and the arrays fit.
    """
    torus, n = as_pattern(pattern).geometry, len(pattern)
    if not isinstance(torus, Torus):
        raise BadInput(f"mass is transported on a torus, not on {torus}")
    parts = whole("parts", parts, 1, 10**6)
    ends = [
        np.atleast_1d(array_of(name, ends, "iu", "indices of points"))
        for name, ends in (("source", source), ("target", target))
    ]
    amount = array_of("mass", mass, "fiub", "numbers").astype(float)
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
