"""The base class of spaces. A new space is a subclass of Geometry; no other module distinguishes spaces."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ..theory.volumes import cutoff, unit_ball_volume
from ..utils.immutable import Rebuilt
from .coordinates import check_coordinates, check_scale
from .uniform import uniform_points

if TYPE_CHECKING:
    from scipy.spatial import cKDTree


def squared_distance(a: np.ndarray, b: np.ndarray, periods: np.ndarray) -> np.ndarray:
    """Return the squared distances between the points of a and b, (..., d) each, broadcast to (...); periods (d,) are inf if not periodic.

    Pairs are ordered by this float64 sum over coordinates, in order, of min(|dx|, L - |dx|)^2.
    """
    total = 0.0
    for axis in range(a.shape[-1]):
        gap = np.abs(a[..., axis] - b[..., axis])
        gap = np.minimum(gap, periods[axis] - gap)
        total = total + gap * gap
    return np.asarray(total)


class Geometry(Rebuilt):
    """A space of points: its volume, its distances, and uniform points in it.

    Attributes
    ----------
    name : str
        Name in studies and in the column `geometry` of tables.
    dim : float
        Number of coordinates; inf for the mean-field model.
    side : float or tuple of float
        Length of every edge, or of each; inf if unbounded. Only if points have coordinates.
    finite : bool
        Whether the volume is finite, so that points of a given intensity can be drawn and a cutoff exists.
    has_coordinates : bool
        Whether points are (n, d) coordinates; otherwise they are an (n, n) table of distances, or (n, 0).
    has_distances : bool
        Whether the points determine their distances; otherwise `match` draws them.
    """

    name: ClassVar[str]
    finite: ClassVar[bool] = True
    has_coordinates: ClassVar[bool] = True
    has_distances: Any = True
    dim: Any
    side: Any
    volume: Any

    @property
    def is_cube(self) -> bool:
        """Whether all sides are equal."""
        return not isinstance(getattr(self, "side", math.nan), tuple)

    @property
    def is_torus(self) -> bool:
        """Whether every axis is periodic."""
        return self.has_coordinates and all(self.periodic)

    @property
    def periodic(self) -> tuple[bool, ...]:
        """Whether each axis is periodic."""
        return tuple(np.isfinite(self.periods).tolist())

    @property
    def sides(self) -> np.ndarray:
        """Lengths of the axes, (d,); inf if unbounded."""
        return np.broadcast_to(np.asarray(self.side, dtype=float), self.dim).copy()

    @property
    def periods(self) -> np.ndarray:
        """Periods of the axes, (d,); inf for an axis that is not periodic."""
        return np.full(self.dim, math.inf)

    @property
    def cutoff(self) -> float:
        """Largest distance at which finite-size effects are negligible, for the shortest side."""
        return cutoff(self.dim, float(self.sides.min()), math.nan)

    @property
    def ball_power(self) -> int:
        """The power of the radius in the volume of a ball."""
        return int(self.dim)

    def ball_volume(self, radius: Any) -> Any:
        """Return the volume of a ball of R^d with this radius."""
        return unit_ball_volume(self.dim) * np.asarray(radius, dtype=float) ** self.ball_power

    def squared_distance(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Return the squared distances between the points of a and b, (..., d) each, as (...)."""
        return squared_distance(a, b, self.periods)

    def distance(self, a: Any, b: Any) -> np.ndarray:
        """Return the distances between the points of a and b, (..., d) each, as (...); the short way round on a torus."""
        return np.sqrt(self.squared_distance(np.asarray(a, dtype=float), np.asarray(b, dtype=float)))

    def pair_key(self, points: np.ndarray, i: Any, j: Any) -> np.ndarray:
        """Return the keys by which pairs i, j of points are ordered: their squared distances."""
        return self.squared_distance(points[i], points[j])

    def length(self, key: np.ndarray) -> np.ndarray:
        """Return the distances of pairs with these keys."""
        return np.sqrt(key)

    def take(self, points: np.ndarray, which: np.ndarray) -> np.ndarray:
        """Return the points with these indices."""
        return points[which]

    def tree(self, points: np.ndarray) -> cKDTree:
        """Return a periodic k-d tree of SciPy."""
        from scipy.spatial import cKDTree  # takes as long to import as the rest of the package

        return cKDTree(points, boxsize=self.periods if any(self.periodic) else None)

    def uniform_points(self, counts: Sequence[int], rng: np.random.Generator) -> np.ndarray:
        """Return independent uniform points, counts[k] of color k, one color after the other."""
        return uniform_points(self.sides, list(counts), rng)

    def numbers_per_point(self, n: float) -> float:
        """Return the numbers that each of n points takes in memory."""
        return float(self.dim)

    def check_points(self, points: np.ndarray, wrap: bool = False) -> np.ndarray:
        """Return points as an immutable float64 array. Raises BadInput naming the row and the value.

        wrap: whether points outside are moved into the space, if it is a torus.
        """
        return self._check_inside(check_coordinates(points, self.dim), wrap)

    def _check_inside(self, array: np.ndarray, wrap: bool) -> np.ndarray:
        """Return finite coordinates if they are inside the space."""
        return check_scale(array)
