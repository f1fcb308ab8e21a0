"""Where points live: tori, Euclidean space, the mean-field model, and patterns of colored points in them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .errors import BadInput

LARGEST = 1e150  # beyond this (or below its inverse, for a side) squared distances leave the range of float64


def unit_ball_volume(dim: float) -> float:
    """Volume of the unit ball of R^dim; 1 for dim = inf (see MeanField)."""
    return 1.0 if dim == math.inf else math.pi ** (dim / 2) / math.gamma(dim / 2 + 1)


def cutoff(dim: float, side: float, volume: float) -> float:
    """Largest r at which a torus of this side says something about infinite volume: L/5 in d = 1, L/8 in d >= 2.

    For the mean-field model (dim inf) a twentieth of the volume, so that a ball holds a twentieth of the points.
    """
    if dim == math.inf:
        return volume / 20
    return side / 5 if dim == 1 else side / 8


class _Space:
    """What Torus and Euclidean share: coordinates, and distances that are exact to the bit."""

    dim: int
    side: float

    def squared_distance(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Squared distances between the points of a and b, (..., d) each, broadcast to (...).

        The float64 sum over coordinates, in order, of min(|dx|, L - |dx|)^2: the number by which pairs are ordered.
        """
        total = 0.0
        for axis in range(self.dim):
            gap = np.abs(a[..., axis] - b[..., axis])
            gap = np.minimum(gap, self.side - gap)
            total = total + gap * gap
        return np.asarray(total)

    def distance(self, a: Any, b: Any) -> np.ndarray:
        """Distances between the points of a and b, (..., d) each, as (...); the short way round on a torus."""
        return np.sqrt(self.squared_distance(np.asarray(a, dtype=float), np.asarray(b, dtype=float)))

    def ball_volume(self, radius: Any) -> Any:
        """Volume of a ball of R^d with this radius."""
        return unit_ball_volume(self.dim) * np.asarray(radius, dtype=float) ** self.dim


def _check_dim(dim: Any) -> None:
    if isinstance(dim, bool) or not isinstance(dim, int | np.integer) or not 1 <= dim <= 64:
        raise BadInput(f"dim must be a whole number from 1 to 64, not {dim!r}")


@dataclass(frozen=True)
class Torus(_Space):
    """The torus [0, side)^dim, opposite faces glued: distances go the short way round.

    side: length L of each edge, in the user's unit of length; dim: number of coordinates d.
    Raises ValueError for a side that is not a positive number between 1e-150 and 1e150, or a dim below 1.
    """

    side: float
    dim: int

    def __post_init__(self) -> None:
        _check_dim(self.dim)
        if not (isinstance(self.side, int | float | np.number) and 1 / LARGEST < self.side < LARGEST):
            raise BadInput(f"side must be a positive number between {1 / LARGEST:g} and {LARGEST:g}, not {self.side!r}")
        object.__setattr__(self, "side", float(self.side))

    @property
    def volume(self) -> float:
        """L^d."""
        return self.side**self.dim

    @property
    def cutoff(self) -> float:
        """Largest r at which the torus says something about infinite volume."""
        return cutoff(self.dim, self.side, self.volume)

    def wrap(self, points: np.ndarray) -> np.ndarray:
        """The same points of the torus with coordinates in [0, L); a new array."""
        wrapped = np.mod(points, self.side)
        wrapped[wrapped >= self.side] = 0.0  # np.mod(-1e-18, L) is L
        return wrapped


@dataclass(frozen=True)
class Euclidean(_Space):
    """R^dim without boundary, for finite sets of points. Raises ValueError for a dim below 1."""

    dim: int
    side: float = field(default=math.inf, init=False, repr=False)

    def __post_init__(self) -> None:
        _check_dim(self.dim)


@dataclass(frozen=True)
class MeanField:
    """The mean-field model, the limit d = infinity: every pair of points has an independent exponential distance.

    volume: the distances have this mean, so that with intensity 1 a point sees a Poisson process of intensity 1 on
    [0, inf), the Poisson-weighted infinite tree of Holroyd, Martin and Peres (2018), sec. 2; a ball of radius r has
    volume r. The points of a pattern are the (n, n) table of distances. Raises ValueError unless volume is positive
    and finite.
    """

    volume: float
    dim: float = field(default=math.inf, init=False, repr=False)

    def __post_init__(self) -> None:
        if not (isinstance(self.volume, int | float | np.number) and 0 < self.volume < LARGEST):
            raise BadInput(f"volume must be a positive number, not {self.volume!r}")

    @property
    def cutoff(self) -> float:
        """Largest r at which the model says something about infinitely many points."""
        return cutoff(self.dim, math.nan, self.volume)

    def ball_volume(self, radius: Any) -> Any:
        """The radius itself: the expected number of points within it, at intensity 1."""
        return np.asarray(radius, dtype=float)


Geometry = Torus | Euclidean | MeanField


class Pattern:
    """A finite set of colored points.

    points: (n, d) array of any real dtype and layout, or a pandas frame with a column for each coordinate; for
        MeanField the (n, n) symmetric table of distances. It is never changed; the pattern keeps a read-only float64 copy.
    colors: n small integers, 0 amber or green, 1 blue or red; None makes all points 0.
    geometry: Torus, Euclidean or MeanField.
    wrap: move points that lie outside [0, L) into the torus instead of refusing them.

    Two patterns are equal if geometry, points and colors are, in this order of the points.

    Raises ValueError, naming the row and the value, for coordinates that are NaN, infinite or outside [0, L), a wrong
    shape or dtype, and colors that are not integers from 0 to 254.
    """

    __slots__ = ("colors", "geometry", "points")

    def __init__(
        self, points: Any, colors: Any = None, geometry: Geometry | None = None, *, wrap: bool = False
    ) -> None:
        if not isinstance(geometry, Torus | Euclidean | MeanField):
            raise BadInput(f"geometry must be a Torus, Euclidean or MeanField, not {geometry!r}")
        self.geometry: Geometry = geometry
        array = _real_array(points)
        self.points: np.ndarray = (
            _check_table(array) if isinstance(geometry, MeanField) else _check(array, geometry, wrap)
        )
        self.colors: np.ndarray = _check_colors(colors, len(self.points))
        self.points.setflags(write=False)
        self.colors.setflags(write=False)

    def __len__(self) -> int:
        return len(self.points)

    def __repr__(self) -> str:
        counts = ", ".join(f"{c} of color {k}" for k, c in enumerate(self.count()))
        return f"Pattern({len(self)} points: {counts}; {self.geometry})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Pattern):
            return NotImplemented
        return (
            self.geometry == other.geometry
            and np.array_equal(self.colors, other.colors)
            and np.array_equal(self.points, other.points, equal_nan=True)  # nan: on the diagonal of a table
        )

    def __hash__(self) -> int:
        return hash((self.geometry, self.points.shape, self.colors.tobytes()))

    def count(self, n_colors: int = 1) -> np.ndarray:
        """Number of points of each color; at least n_colors entries."""
        return np.bincount(self.colors, minlength=n_colors)

    def distance(self, i: Any, j: Any) -> np.ndarray:
        """Distances between points i and j (integers or arrays of them, broadcast)."""
        if isinstance(self.geometry, MeanField):
            return self.points[i, j]
        return self.geometry.distance(self.points[i], self.points[j])

    def squared_distance(self, i: Any, j: Any) -> np.ndarray:
        """The numbers by which pairs are ordered: squared distances (mean-field: distances) of points i and j."""
        if isinstance(self.geometry, MeanField):
            return np.asarray(self.points[i, j])
        return self.geometry.squared_distance(self.points[i], self.points[j])

    def closer(self, x: int, z: Any, y: int) -> Any:
        """Is the pair x, z before the pair x, y? For one x pairs are ordered by (squared distance, other index)."""
        to_z, to_y = self.squared_distance(x, z), self.squared_distance(x, y)
        return (to_z < to_y) | ((to_z == to_y) & (np.asarray(z) < y))

    def pair_order(self) -> tuple[np.ndarray, np.ndarray]:
        """All pairs i < j, two index arrays, in the order (squared distance, i, j); the n^2 / 2 pairs are formed."""
        i, j = np.triu_indices(len(self), 1)
        order = np.argsort(self.squared_distance(i, j), kind="stable")
        return i[order], j[order]


def _real_array(points: Any) -> np.ndarray:
    array = points.to_numpy(dtype=float, na_value=np.nan) if hasattr(points, "to_numpy") else np.asarray(points)
    if array.dtype == object:
        raise BadInput("points must be numbers in an array of one shape; got an array of Python objects")
    if array.dtype.kind not in "fiu":
        raise BadInput(f"points must be real numbers, not {array.dtype}")
    shareable = array.dtype == np.float64 and array.flags.c_contiguous and not array.flags.writeable
    return array if shareable else np.array(array, dtype=np.float64, order="C")


def _refuse(array: np.ndarray, bad: np.ndarray, what: str) -> None:
    if bad.any():
        row, column = (int(k) for k in np.argwhere(bad)[0])
        more = int(bad.any(axis=1).sum()) - 1
        also = f" (and {more} more rows)" if more else ""
        raise BadInput(f"points, row {row}, coordinate {column}: {float(array[row, column])!r} {what}{also}")


def _check(array: np.ndarray, geometry: Torus | Euclidean, wrap: bool) -> np.ndarray:
    if array.size == 0 and array.ndim <= 1:
        array = array.reshape(0, geometry.dim)
    if array.ndim != 2 or array.shape[1] != geometry.dim:
        raise BadInput(f"points must have shape (n, {geometry.dim}) for dim={geometry.dim}, not {array.shape}")
    _refuse(array, ~np.isfinite(array), "is not finite")
    if isinstance(geometry, Torus):
        if wrap:
            return geometry.wrap(array)
        outside = (array < 0) | (array >= geometry.side)
        _refuse(array, outside, f"is outside [0, {geometry.side:g}); wrap=True moves it inside")
    else:
        _refuse(array, np.abs(array) > LARGEST, f"is beyond {LARGEST:g}, where squared distances overflow")
    return array


def _check_table(array: np.ndarray) -> np.ndarray:
    if array.size == 0:
        array = array.reshape(0, 0)
    if array.ndim != 2 or array.shape[0] != array.shape[1]:
        raise BadInput(f"a mean-field pattern is a square table of distances, not one of shape {array.shape}")
    apart = ~np.eye(len(array), dtype=bool)
    _refuse(array, apart & ~(np.isfinite(array) & (array >= 0)), "is not a distance")
    _refuse(array, apart & (array != array.T), "differs from its mirror image")
    return array


def _check_colors(colors: Any, n: int) -> np.ndarray:
    if colors is None:
        return np.zeros(n, np.uint8)
    array = np.asarray(colors)
    if array.size == 0:
        array = array.astype(np.uint8)
    if array.shape != (n,):
        raise BadInput(f"colors must have shape ({n},), one for each point, not {array.shape}")
    if array.dtype.kind not in "iub":
        raise BadInput(f"colors must be integers, not {array.dtype}")
    bad = (array < 0) | (array > 254)
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        raise BadInput(f"colors, row {row}: {array[row]} is not a color; colors are integers from 0 to 254")
    return array.astype(np.uint8)
