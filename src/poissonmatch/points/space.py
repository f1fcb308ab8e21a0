"""The base class of spaces in which points live.

A new space is a subclass of Geometry; no other module asks which one a pattern has.
"""

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
    """Squared distances between the points of a and b, (..., d) each, broadcast to (...); periods (d,) are inf without a seam.

    The float64 sum over coordinates, in order, of min(|dx|, L - |dx|)^2: the number by which pairs are ordered.
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
        In studies and in the column `geometry` of tables.
    dim : float
        Number of coordinates; inf for the mean-field model.
    side : float or tuple of float
        Length of every edge, or of each; inf without bound. Only if points have coordinates.
    finite : bool
        The volume is finite, so that points of a given intensity can be drawn and a cutoff exists.
    has_coordinates : bool
        Points are (n, d) coordinates; otherwise an (n, n) table of distances, or (n, 0).
    has_distances : bool
        The points determine their distances; otherwise `match` draws them.
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
        """Whether distances go the short way round, for each axis."""
        return tuple(np.isfinite(self.periods).tolist())

    @property
    def sides(self) -> np.ndarray:
        """Lengths of the axes, (d,); inf without bound."""
        return np.broadcast_to(np.asarray(self.side, dtype=float), self.dim).copy()

    @property
    def periods(self) -> np.ndarray:
        """Lengths after which the axes repeat, (d,); inf where there is no seam."""
        return np.full(self.dim, math.inf)

    @property
    def cutoff(self) -> float:
        """Largest distance at which finite-size effects are negligible: by the shortest side."""
        return cutoff(self.dim, float(self.sides.min()), math.nan)

    @property
    def ball_power(self) -> int:
        """The power of the radius in the volume of a ball."""
        return int(self.dim)

    def ball_volume(self, radius: Any) -> Any:
        """Volume of a ball of R^d with this radius."""
        return unit_ball_volume(self.dim) * np.asarray(radius, dtype=float) ** self.ball_power

    def squared_distance(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Squared distances between the points of a and b, (..., d) each, as (...)."""
        return squared_distance(a, b, self.periods)

    def distance(self, a: Any, b: Any) -> np.ndarray:
        """Distances between the points of a and b, (..., d) each, as (...); the short way round on a torus."""
        return np.sqrt(self.squared_distance(np.asarray(a, dtype=float), np.asarray(b, dtype=float)))

    def pair_key(self, points: np.ndarray, i: Any, j: Any) -> np.ndarray:
        """The numbers by which pairs i, j of points are ordered: their squared distances."""
        return self.squared_distance(points[i], points[j])

    def length(self, key: np.ndarray) -> np.ndarray:
        """Distances of pairs with these keys."""
        return np.sqrt(key)

    def take(self, points: np.ndarray, which: np.ndarray) -> np.ndarray:
        """The points with these indices."""
        return points[which]

    def tree(self, points: np.ndarray) -> cKDTree:
        """A k-d tree of SciPy that takes the short way round, too."""
        from scipy.spatial import cKDTree  # takes as long to import as the rest of the package

        return cKDTree(points, boxsize=self.periods if any(self.periodic) else None)

    def uniform_points(self, counts: Sequence[int], rng: np.random.Generator) -> np.ndarray:
        """Independent uniform points, counts[k] of the color k, one color after the other."""
        return uniform_points(self.sides, list(counts), rng)

    def numbers_per_point(self, n: float) -> float:
        """Numbers that each of n points takes in memory."""
        return float(self.dim)

    def check_points(self, points: np.ndarray, wrap: bool = False) -> np.ndarray:
        """Return points as an immutable float64 array. Raises BadInput naming the row and the value.

        wrap: move points outside into the space, if it is a torus.
        """
        return self._check_inside(check_coordinates(points, self.dim), wrap)

    def _check_inside(self, array: np.ndarray, wrap: bool) -> np.ndarray:
        """Return finite coordinates if they are inside the space."""
        return check_scale(array)
