"""Where points live: tori, Euclidean space, the mean-field model."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..theory.volumes import cutoff, unit_ball_volume
from ..utils.errors import BadInput
from ..utils.immutable import Rebuilt
from ..utils.validation import check_int, check_real

LARGEST = 1e150  # a length; beyond this squares overflow
MOST_DIMENSIONS = 64


def squared_distance(a: np.ndarray, b: np.ndarray, sides: np.ndarray) -> np.ndarray:
    """Squared distances between the points of a and b, (..., d) each, broadcast to (...); sides (d,) are inf without a seam.

    The float64 sum over coordinates, in order, of min(|dx|, L - |dx|)^2: the number by which pairs are ordered.
    """
    total = 0.0
    for axis in range(a.shape[-1]):
        gap = np.abs(a[..., axis] - b[..., axis])
        gap = np.minimum(gap, sides[axis] - gap)
        total = total + gap * gap
    return np.asarray(total)


class _Space(Rebuilt):
    """What Torus and Euclidean share: coordinates, and distances that are exact to the bit."""

    dim: int
    side: Any

    @property
    def sides(self) -> np.ndarray:
        """Lengths of the axes, (d,); inf where there is no seam."""
        return np.broadcast_to(np.asarray(self.side, dtype=float), self.dim).copy()

    def squared_distance(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Squared distances between the points of a and b, as squared_distance."""
        return squared_distance(a, b, self.sides)

    def distance(self, a: Any, b: Any) -> np.ndarray:
        """Distances between the points of a and b, (..., d) each, as (...); the short way round on a torus."""
        gap = np.abs(np.asarray(a, dtype=float) - np.asarray(b, dtype=float))
        gap = np.minimum(gap, self.sides - gap)
        _, exponent = np.frexp(gap.max(axis=-1, keepdims=True))
        near_one = np.ldexp(gap, -exponent)  # so that no square overflows, nor underflows if it counts
        return np.ldexp(
            np.sqrt(squared_distance(near_one, np.zeros(self.dim), np.full(self.dim, math.inf))), exponent[..., 0]
        )

    def ball_volume(self, radius: Any) -> Any:
        """Volume of a ball of R^d with this radius."""
        return unit_ball_volume(self.dim) * np.asarray(radius, dtype=float) ** self.dim


@dataclass(frozen=True)
class Torus(_Space):
    r"""The torus :math:`[0, L_1) \times \dots \times [0, L_d)`, opposite faces glued: distances go the short way round.

    Parameters
    ----------
    side : float or sequence of float
        Length of every edge, or the d lengths, in the user's unit of length; it is kept as one number if all are equal.
    dim : int, optional
        Number of coordinates d; it may be left out beside d lengths.

    Raises
    ------
    ValueError
        For sides that are not positive numbers between 1e-150 and 1e150, a dim below 1, or one that is not the number of sides.

    Examples
    --------
    >>> torus = pm.Torus(side=10.0, dim=2)
    >>> torus.volume, torus.cutoff
    (100.0, 1.25)
    >>> float(torus.distance([0.5, 0.0], [9.5, 0.0]))
    1.0
    """

    side: float | tuple[float, ...]
    dim: int = 0

    def __post_init__(self) -> None:
        each = isinstance(self.side, tuple | list | np.ndarray) and np.ndim(self.side) == 1
        sides = tuple(_extent("side", side) for side in (self.side if each else [self.side]))  # type: ignore[union-attr]
        if each and self.dim in (0, len(sides)):
            object.__setattr__(self, "dim", len(sides))
        if self.dim == 0 and not isinstance(self.dim, bool):
            raise BadInput(f"dim must be a whole number from 1 to {MOST_DIMENSIONS}, as in Torus({self.side}, dim=2)")
        object.__setattr__(self, "dim", check_int("dim", self.dim, 1, MOST_DIMENSIONS))
        if each and len(sides) != self.dim:
            raise BadInput(f"a torus of dim={self.dim} has {self.dim} sides, or one for all; these are {len(sides)}")
        object.__setattr__(self, "side", sides[0] if len(set(sides)) == 1 else sides)

    @property
    def volume(self) -> float:
        """Product of the sides. Raises ValueError where that is beyond float64."""
        power = float(np.log10(self.sides).sum())
        if abs(power) > 300:
            raise BadInput(f"the volume of {self} is 1e{power:+.0f}, beyond float64: give lengths in another unit")
        return math.prod(self.side) if isinstance(self.side, tuple) else self.side**self.dim

    @property
    def cutoff(self) -> float:
        """Largest r at which the torus says something about infinite volume: by its shortest side."""
        return cutoff(self.dim, float(self.sides.min()), math.nan)

    def wrap(self, points: np.ndarray) -> np.ndarray:
        """The same points of the torus with coordinates in [0, L); a new array."""
        wrapped = np.mod(points, self.side)
        wrapped[wrapped >= self.side] = 0.0  # np.mod(-1e-18, L) is L
        return wrapped


@dataclass(frozen=True)
class Euclidean(_Space):
    r""":math:`\mathbb{R}^d` without boundary, for finite sets of points.

    Parameters
    ----------
    dim : int
        Number of coordinates d. ValueError is raised if it is below 1.

    Examples
    --------
    >>> float(pm.Euclidean(2).distance([0, 0], [3, 4]))
    5.0
    """

    dim: int
    side: float = field(default=math.inf, init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "dim", check_int("dim", self.dim, 1, MOST_DIMENSIONS))


@dataclass(frozen=True)
class MeanField(Rebuilt):
    """The mean-field model, the limit d = infinity: every pair of points has an independent exponential distance.

    Parameters
    ----------
    volume : float
        The distances have this mean, so that with intensity 1 a point sees a Poisson process of intensity 1 on [0, inf), the
        Poisson-weighted infinite tree of Holroyd, Martin and Peres (2018), sec. 2; a ball of radius r has volume r.
    table : bool, optional
        The points of a pattern are the (n, n) table of distances. Without it they are (n, 0): the distances are not drawn until
        `match`, which then is given rng, finds those that it needs; so n may be 10^7.

    Raises
    ------
    ValueError
        Unless volume is a number between 1e-150 and 1e150.

    Examples
    --------
    >>> pattern = pm.processes.binomial(pm.MeanField(100.0, table=False), 10_000, rng=1)
    >>> pm.match(pattern, rng=2)
    Matching(10000 points, 5000 pairs, 0 unmatched)
    """

    volume: float
    table: bool = True
    dim: float = field(default=math.inf, init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "volume", _extent("volume", self.volume))

    @property
    def cutoff(self) -> float:
        """Largest r at which the model says something about infinitely many points."""
        return cutoff(self.dim, math.nan, self.volume)

    def ball_volume(self, radius: Any) -> Any:
        """The radius itself: the expected number of points within it, at intensity 1."""
        return np.asarray(radius, dtype=float)


Geometry = Torus | Euclidean | MeanField


def _extent(name: str, value: Any) -> float:
    words = f"a positive number between {1 / LARGEST:g} and {LARGEST:g}"
    return check_real(name, value, words, math.nextafter(1 / LARGEST, 1), math.nextafter(LARGEST, 0))
