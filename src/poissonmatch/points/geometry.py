"""The base class of spaces, a metric with an embedding; no other module distinguishes its subclasses.

Points are matched in the embedding, in the order of its squared distances; each further method
answers one question about the space.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ..theory.volumes import ball_power, ball_volume, cutoff
from ..utils.errors import BadInput
from ..utils.immutable import Rebuilt
from ..utils.validation import check_array
from .coordinates import axis_names, check_coordinates, check_scale
from .uniform import uniform_points

if TYPE_CHECKING:
    from scipy.spatial import cKDTree


def squared_distance(a: np.ndarray, b: np.ndarray, periods: np.ndarray) -> np.ndarray:
    """Return the squared distances (...) between points of a and b, (..., d) each, with periods (d,), inf for none.

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
        Whether the volume is finite, so that points of a given intensity can be drawn and a cutoff
        exists.
    has_coordinates : bool
        Whether points are (n, d) coordinates; otherwise they are an (n, n) table of distances, or
        (n, 0).
    is_flat : bool
        Whether distances are those of R^d in the coordinates, also across the seams of a torus.
    has_distances : bool
        Whether the points determine their distances; otherwise `match` draws them.
    """

    name: ClassVar[str]
    finite: ClassVar[bool] = True
    has_coordinates: ClassVar[bool] = True
    is_flat: ClassVar[bool] = True
    has_distances: Any = True
    dim: Any
    side: Any
    volume: Any

    @property
    def is_cube(self) -> bool:
        """Whether all sides of a flat space are equal."""
        return not isinstance(self.side, tuple)

    @property
    def in_studies(self) -> bool:
        """Whether a cell of a study may have this space."""
        return False

    @property
    def seams(self) -> tuple[float, ...] | None:
        """The sides of a torus, whose opposite faces are identified; None for any other space."""
        return None

    @property
    def parameters(self) -> dict[str, Any]:
        """The name, and the arguments of the constructor, of a space that is a dataclass."""
        if not is_dataclass(self):
            raise BadInput(f"a space is saved if it is a dataclass, got {self}")
        return {"name": self.name} | {part.name: getattr(self, part.name) for part in fields(self) if part.init}

    def check_torus(self, purpose: str) -> None:
        """Raise BadInput, which names the purpose, unless the space is a torus.

        Parameters
        ----------
        purpose : str
            Beginning of the message.

        Raises
        ------
        ValueError
            If the space is not a torus.
        """
        if self.seams is None:
            raise BadInput(f"{purpose} needs a torus, got {self}")

    def check_flat(self, purpose: str) -> None:
        """Raise BadInput, which names the purpose, unless the space is flat.

        Parameters
        ----------
        purpose : str
            Beginning of the message.

        Raises
        ------
        ValueError
            If the space is not flat.
        """
        if not self.is_flat:
            raise BadInput(f"{purpose} needs points in a torus, a box or Euclidean space, got {self}")

    def embed(self, points: np.ndarray) -> np.ndarray:
        """Return the points as they are matched: the same array if the space is flat.

        Parameters
        ----------
        points : (..., d) float64
            Coordinates.

        Returns
        -------
        (..., k) float64
            Coordinates in the embedding.
        """
        return points

    @property
    def sides(self) -> np.ndarray:
        """Lengths of the axes, (d,); inf if unbounded."""
        return np.full(self.dim, self.side, dtype=float)

    @property
    def low(self) -> np.ndarray:
        """The lower corner of a bounded space, (d,)."""
        return np.zeros(self.dim)

    @property
    def periods(self) -> np.ndarray:
        """Periods of the axes of the embedding, (k,); inf for an axis that is not periodic."""
        return np.full(self.dim, math.inf)

    @property
    def axis_names(self) -> list[str]:
        """Names of the coordinates as columns of a frame."""
        return axis_names(self.dim)

    @property
    def cutoff(self) -> float:
        """Largest distance at which finite-size effects are negligible, for the shortest side."""
        return cutoff(self.dim, float(self.sides.min()), math.nan)

    @property
    def ball_power(self) -> float:
        """The power of the radius in the volume of a ball."""
        return ball_power(self.dim)

    def ball_volume(self, radius: Any) -> Any:
        """Return the volume of a ball of R^d with this radius.

        Parameters
        ----------
        radius : float or ndarray
            Radius in the unit of the side.

        Returns
        -------
        float or ndarray
            Volume, of the same shape.
        """
        return ball_volume(self.dim, np.asarray(radius, dtype=float))

    def squared_distance(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Return the squared distances of the embedding between a and b.

        Parameters
        ----------
        a, b : (..., d) float64
            Coordinates, broadcast against each other.

        Returns
        -------
        (...) float64
            Squared distances.
        """
        return squared_distance(self.embed(a), self.embed(b), self.periods)

    def distance(self, a: Any, b: Any) -> np.ndarray:
        """Return the distances between the points of a and b, on a torus the short way round.

        Parameters
        ----------
        a, b : (..., d) array_like of float
            Coordinates, broadcast against each other.

        Returns
        -------
        (...) float64
            Distances in the unit of the side.

        Raises
        ------
        ValueError
            If a coordinate is not a finite number.
        """
        ends = [check_array(name, end, "fiu", "coordinates").astype(float) for name, end in (("a", a), ("b", b))]
        if any(end.shape[-1:] != (self.dim,) for end in ends):
            raise BadInput(f"points must have {self.dim} coordinates, got shapes {ends[0].shape} and {ends[1].shape}")
        return self.length(self.squared_distance(*ends))

    def key(self, embedded: np.ndarray, i: Any, j: Any) -> np.ndarray:
        """Return the squared distances that order the pairs i, j of embedded points.

        Parameters
        ----------
        embedded : (n, k) float64
            Embedded points.
        i, j : int or ndarray of int
            Indices, broadcast against each other.

        Returns
        -------
        float64
            Squared distances in the embedding.
        """
        return squared_distance(embedded[i], embedded[j], self.periods)

    def length(self, key: np.ndarray) -> np.ndarray:
        """Return the distances of pairs with these keys.

        Parameters
        ----------
        key : ndarray of float
            Keys, see `key`.

        Returns
        -------
        ndarray of float
            Distances in the unit of the side.
        """
        return self.arc(np.sqrt(key))

    def arc(self, chord: np.ndarray) -> np.ndarray:
        """Return the distances of pairs with these distances in the embedding; inf for inf.

        Parameters
        ----------
        chord : array_like of float
            Distances in the embedding.

        Returns
        -------
        ndarray of float
            Distances in the space, of the same shape.
        """
        return chord

    def chord(self, arc: Any) -> Any:
        """Return the distances in the embedding of pairs with these distances.

        Parameters
        ----------
        arc : array_like of float
            Distances in the space.

        Returns
        -------
        ndarray of float
            Distances in the embedding, of the same shape.
        """
        return arc

    def take(self, points: np.ndarray, which: np.ndarray) -> np.ndarray:
        """Return the points with these indices.

        Parameters
        ----------
        points : (n, d) float64
            Coordinates.
        which : ndarray of int or bool
            Indices, or a mask.

        Returns
        -------
        (k, d) float64
            Coordinates of these points.
        """
        return points[which]

    def tree(self, points: np.ndarray) -> cKDTree:
        """Return a periodic k-d tree of SciPy with these embedded points.

        Parameters
        ----------
        points : (n, k) float64
            Embedded points.

        Returns
        -------
        scipy.spatial.cKDTree
            Tree of the points.
        """
        from scipy.spatial import cKDTree  # takes as long to import as the rest of the package

        periods = np.where(self.periods < math.inf, self.periods, 0.0)
        return cKDTree(points, boxsize=periods if periods.any() else None)

    def uniform_points(self, counts: Sequence[int], rng: np.random.Generator) -> np.ndarray:
        """Return independent uniform points, counts[k] of color k, one color after the other.

        Parameters
        ----------
        counts : sequence of int
            Number of points of each color.
        rng : numpy.random.Generator
            Source of the random numbers.

        Returns
        -------
        (n, d) float64
            Coordinates.
        """
        return uniform_points(self.sides, list(counts), rng)

    def uniform_sets(self, counts: np.ndarray, rngs: Sequence[np.random.Generator]) -> np.ndarray:
        """Return the uniform points for counts[s] and rngs[s], one set s after the other.

        Parameters
        ----------
        counts : (S, C) int
            Number of points of each set and color.
        rngs : sequence of numpy.random.Generator
            Source of the random numbers of each set.

        Returns
        -------
        (n, d) float64
            Coordinates, one set after the other.
        """
        return np.concatenate([self.uniform_points(n, rng) for n, rng in zip(counts.tolist(), rngs, strict=True)])

    def numbers_per_point(self, n: float) -> float:
        """Return the numbers that each of n points takes in memory.

        Parameters
        ----------
        n : float
            Number of points.

        Returns
        -------
        float
            Number of 8-byte numbers for each point.
        """
        return float(self.dim)

    def check_points(self, points: np.ndarray, wrap: bool = False) -> np.ndarray:
        """Return points as an immutable float64 array.

        Parameters
        ----------
        points : (n, d) array_like of float
            Coordinates.
        wrap : bool, default False
            Whether points outside are moved into the space, if it is a torus.

        Returns
        -------
        (n, d) float64
            Read-only coordinates.

        Raises
        ------
        ValueError
            If a coordinate is invalid; the message names the row and the value.
        """
        return self._check_inside(check_coordinates(points, self.dim), wrap)

    def _check_inside(self, array: np.ndarray, wrap: bool) -> np.ndarray:
        """Return finite coordinates if they are inside the space."""
        return check_scale(array)
