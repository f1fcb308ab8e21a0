"""Spaces of points with coordinates: tori, boxes, slabs and Euclidean space."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..utils.errors import BadInput, quoted
from ..utils.immutable import as_immutable, cached_property
from ..utils.validation import check_array, check_int
from .coordinates import bounds, check_extent, check_scale, refuse
from .geometry import Geometry
from .uniform import PIECE, uniform_sets

MAX_DIMENSIONS = 64


def _checked_side(side: Any) -> float:
    """Return a finite side. Raises BadInput with the remedy for an infinite one."""
    try:
        return check_extent("side", side)
    except BadInput as error:
        infinite = isinstance(side, float | np.floating) and side == math.inf
        more = "; pm.Slab has walls, which do not change distances, and pm.Euclidean no boundary" if infinite else ""
        raise BadInput(f"{error}{more}") from None


@dataclass(frozen=True)
class Cuboid(Geometry):
    """A space with d finite sides; `side` is one number if all are equal."""

    side: float | tuple[float, ...]
    dim: int = 0

    def __post_init__(self) -> None:
        each = isinstance(self.side, tuple | list | np.ndarray) and getattr(self.side, "ndim", 1) == 1
        sides = tuple(map(_checked_side, self.side if each else [self.side]))  # type: ignore[arg-type]
        if each and self.dim in (0, len(sides)):
            object.__setattr__(self, "dim", len(sides))
        if self.dim == 0 and not isinstance(self.dim, bool):
            kind = type(self).__name__
            raise BadInput(f"dim must be a whole number from 1 to {MAX_DIMENSIONS}, as in {kind}({self.side}, dim=2)")
        object.__setattr__(self, "dim", check_int("dim", self.dim, 1, MAX_DIMENSIONS))
        if each and len(sides) != self.dim:
            raise BadInput(
                f"a {self.name} of dim={self.dim} has {self.dim} sides, or one for all; these are {len(sides)}"
            )
        object.__setattr__(self, "side", sides[0] if len(set(sides)) == 1 else sides)

    @cached_property
    def volume(self) -> float:
        """The product of the sides. Raises ValueError if it is beyond float64."""
        power = float(np.log10(self.sides).sum())
        if abs(power) > 300:
            raise BadInput(f"the volume of {self} is 1e{power:+.0f}, beyond float64: give lengths in another unit")
        return math.prod(self.side) if isinstance(self.side, tuple) else self.side**self.dim

    @property
    def in_studies(self) -> bool:
        """Whether a cell of a study may have this space: its corner is 0."""
        return not self.low.any()

    def uniform_sets(self, counts: np.ndarray, rngs: Sequence[np.random.Generator]) -> np.ndarray:
        """Return the points as Geometry does, with fewer calls if the sets are small and the corner is 0."""
        if counts.max() > PIECE or self.low.any():
            return super().uniform_sets(counts, rngs)
        return uniform_sets(self.sides, counts, rngs)

    def wrap(self, points: np.ndarray) -> np.ndarray:
        """Return points with coordinates modulo the sides.

        Parameters
        ----------
        points : (n, d) array_like of float
            Coordinates.

        Returns
        -------
        (n, d) float64
            Coordinates in [0, L), a new array.

        Raises
        ------
        ValueError
            If a coordinate is not a finite number.
        """
        wrapped = np.mod(check_array("points", points, "fiu", "coordinates"), self.side)
        wrapped[wrapped >= self.side] = 0.0  # np.mod(-1e-18, L) is L
        return wrapped

    def _check_inside(self, array: np.ndarray, wrap: bool) -> np.ndarray:
        low, high, walls = self.low, self.low + self.sides, self.periods != self.sides
        least, largest = bounds(array)
        if low.max() <= least and largest < high.min():
            return check_scale(array)
        if wrap:
            array = as_immutable(np.where(walls, array, self.wrap(array)))
        outside = (array < low) | np.where(walls, array > high, array >= high)
        if outside.any():
            axis = np.argwhere(outside)[0][1]
            end = "]" if walls[axis] else "); wrap=True moves it inside"
            refuse(array, outside, f"is outside [{low[axis]:g}, {high[axis]:g}{end}")
        return check_scale(array)


@dataclass(frozen=True)
class Torus(Cuboid):
    r"""The torus :math:`[0, L_1) \times \dots \times [0, L_d)`, with distances measured the short way round.

    Parameters
    ----------
    side : float or sequence of float
        Length of every edge, or the d lengths, in the user's unit of length; stored as one number
        if all are equal.
    dim : int, optional
        Number of coordinates d; by default the number of lengths in `side`.

    Raises
    ------
    ValueError
        If a side is not a number between 1e-150 and 1e150, or dim is below 1 or not the number of
        sides.

    Examples
    --------
    >>> torus = pm.Torus(side=10.0, dim=2)
    >>> torus.volume, torus.cutoff
    (100.0, 1.25)
    >>> float(torus.distance([0.5, 0.0], [9.5, 0.0]))
    1.0
    """

    name = "torus"

    @property
    def periods(self) -> np.ndarray:
        """The sides, (d,)."""
        return self.sides

    @property
    def seams(self) -> tuple[float, ...]:
        """The sides."""
        return tuple(self.sides.tolist())


@dataclass(frozen=True, repr=False)
class Box(Cuboid):
    r"""The box :math:`[c_1, c_1 + L_1] \times \dots \times [c_d, c_d + L_d]` with walls and the distances of R^d.

    Point processes are drawn as on the torus with these sides, which is then cut open. The cutoff
    is that of the torus. It does not account for points near a wall, which have no neighbors beyond
    it; this shifts an estimate by about the fraction of the volume near the walls.

    Parameters
    ----------
    side : float or sequence of float
        See Torus.
    dim : int, optional
        Number of coordinates d; by default the number of lengths in `side`.
    corner : float or sequence of float, optional
        The lower corner c, a number for all axes or one for each; by default 0.

    Raises
    ------
    ValueError
        See Torus; or if the corner is not finite or has another number of coordinates.

    Examples
    --------
    >>> box = pm.Box(side=10.0, dim=2)
    >>> box.volume, float(box.distance([0.5, 0.0], [9.5, 0.0]))
    (100.0, 9.0)
    >>> points = [[0.5], [9.5], [3.0]]
    >>> pm.match(pm.Pattern(points, None, pm.Box(10.0, 1))).pairs
    array([[0, 2]])
    >>> pm.match(pm.Pattern(points, None, pm.Torus(10.0, 1))).pairs
    array([[0, 1]])
    """

    corner: float | tuple[float, ...] = 0.0
    name = "box"

    def __post_init__(self) -> None:
        super().__post_init__()
        each = check_array("corner", self.corner, "fiu", "numbers").astype(float).reshape(-1)
        if len(each) not in (1, self.dim) or not np.isfinite(each).all():
            raise BadInput(f"corner must be one number or {self.dim}, got {quoted(self.corner)}")
        corner = tuple(each.tolist())
        object.__setattr__(self, "corner", corner[0] if len(set(corner)) == 1 else corner)

    def __repr__(self) -> str:
        corner = "" if self.corner == 0 else f", corner={self.corner}"
        return f"Box(side={self.side}, dim={self.dim}{corner})"

    @property
    def low(self) -> np.ndarray:
        """The lower corner, (d,)."""
        return np.full(self.dim, self.corner, dtype=float)

    def wrap(self, points: np.ndarray) -> np.ndarray:
        """Return points moved into the box by multiples of the sides; a new array."""
        return super().wrap(points - self.low) + self.low

    def uniform_points(self, counts: Sequence[int], rng: np.random.Generator) -> np.ndarray:
        """Return independent uniform points, counts[k] of color k, one color after the other."""
        return np.minimum(super().uniform_points(counts, rng) + self.low, self.low + self.sides)

    def _check_inside(self, array: np.ndarray, wrap: bool) -> np.ndarray:
        if wrap:
            raise BadInput("wrap=True moves points on a torus; a box has walls")
        return super()._check_inside(array, wrap)


@dataclass(frozen=True)
class Slab(Cuboid):
    """A space with walls at both ends of some axes, and periodic along the others.

    Parameters
    ----------
    side : float or sequence of float
        Length of every edge, or the d lengths.
    dim : int, optional
        Number of coordinates d; by default the number of lengths in `side`.
    walls : sequence of int, optional
        The axes that have walls, by default the last.

    Raises
    ------
    ValueError
        If a side is not a number between 1e-150 and 1e150, or `walls` is not a list of axes.

    Examples
    --------
    >>> slab = pm.Slab(side=(10.0, 10.0, 2.0))
    >>> slab.distance([0.5, 5.0, 0.0], [9.5, 5.0, 2.0]).item()  # 1 across the seam, 2 from wall to wall
    2.23606797749979
    """

    walls: Sequence[int] = (-1,)
    name = "slab"

    def __post_init__(self) -> None:
        super().__post_init__()
        walls = self.walls if isinstance(self.walls, tuple | list) else (self.walls,)
        if not all(type(axis) is int and -self.dim <= axis < self.dim for axis in walls):
            raise BadInput(f"walls must be axes from 0 to {self.dim - 1}, got {quoted(self.walls)}")
        object.__setattr__(self, "walls", tuple(sorted({axis % self.dim for axis in walls})))

    @property
    def in_studies(self) -> bool:
        """Whether a cell of a study may have this space."""
        return False

    @property
    def periods(self) -> np.ndarray:
        """The sides, (d,), twice as long along axes with walls: the way round is then never shorter."""
        periods = self.sides
        periods[list(self.walls)] *= 2
        return periods


@dataclass(frozen=True)
class Euclidean(Geometry):
    r""":math:`\mathbb{R}^d` without boundary, for finite sets of points.

    Parameters
    ----------
    dim : int
        Number of coordinates d, from 1.

    Raises
    ------
    ValueError
        If dim is below 1.

    Examples
    --------
    >>> float(pm.Euclidean(2).distance([0, 0], [3, 4]))
    5.0
    """

    dim: int
    side: float = field(default=math.inf, init=False, repr=False)
    name = "euclidean"
    volume = math.inf
    finite = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "dim", check_int("dim", self.dim, 1, MAX_DIMENSIONS))
