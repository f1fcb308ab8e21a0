"""Spaces of points: tori, boxes, Euclidean space, and the mean-field model."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from ..theory.volumes import cutoff
from ..utils.errors import BadInput
from ..utils.immutable import as_immutable
from ..utils.validation import check_array, check_int
from .coordinates import bounds, check_extent, check_no_columns, check_scale, check_table, refuse
from .geometry import Geometry

MAX_DIMENSIONS = 64


class Cuboid(Geometry):
    """A space with d finite sides; `side` is one number if all are equal."""

    side: float | tuple[float, ...]
    dim: int

    def __post_init__(self) -> None:
        each = isinstance(self.side, tuple | list | np.ndarray) and getattr(self.side, "ndim", 1) == 1
        sides = tuple(check_extent("side", side) for side in (self.side if each else [self.side]))  # type: ignore[union-attr]
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

    @property
    def volume(self) -> float:
        """The product of the sides. Raises ValueError if it is beyond float64."""
        power = float(np.log10(self.sides).sum())
        if abs(power) > 300:
            raise BadInput(f"the volume of {self} is 1e{power:+.0f}, beyond float64: give lengths in another unit")
        return math.prod(self.side) if isinstance(self.side, tuple) else self.side**self.dim

    @property
    def in_studies(self) -> bool:
        """Whether a cell of a study may have this space: all sides are equal."""
        return self.is_cube

    def wrap(self, points: np.ndarray) -> np.ndarray:
        """Return points with coordinates modulo the sides, in [0, L); a new array."""
        wrapped = np.mod(check_array("points", points, "fiu", "coordinates"), self.side)
        wrapped[wrapped >= self.side] = 0.0  # np.mod(-1e-18, L) is L
        return wrapped


@dataclass(frozen=True)
class Torus(Cuboid):
    r"""The torus :math:`[0, L_1) \times \dots \times [0, L_d)`: opposite faces are identified.

    Distances are those the short way round.

    Parameters
    ----------
    side : float or sequence of float
        Length of every edge, or the d lengths, in the user's unit of length; stored as one number
        if all are equal.
    dim : int, optional
        Number of coordinates d; may be omitted if d lengths are given.

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

    side: float | tuple[float, ...]
    dim: int = 0
    name: ClassVar[str] = "torus"

    @property
    def periods(self) -> np.ndarray:
        """The sides, (d,)."""
        return self.sides

    @property
    def seams(self) -> tuple[float, ...]:
        """The sides."""
        return tuple(self.sides.tolist())

    def _check_inside(self, array: np.ndarray, wrap: bool) -> np.ndarray:
        low, high = bounds(array)
        if not (0 <= low and high < self.sides.min()) and ((array < 0) | (array >= self.sides)).any():
            if wrap:
                return check_scale(as_immutable(self.wrap(array)))
            outside = (array < 0) | (array >= self.sides)
            side = self.sides[np.argwhere(outside)[0][1]]
            refuse(array, outside, f"is outside [0, {side:g}); wrap=True moves it inside")
        return check_scale(array)


@dataclass(frozen=True)
class Box(Cuboid):
    r"""The box :math:`[0, L_1] \times \dots \times [0, L_d]` with walls.

    Distances are those of :math:`\mathbb{R}^d`.

    Point processes are drawn as on the torus with these sides, which is then cut open. The cutoff
    is that of the torus. It does not account for points near a wall, which have no neighbors beyond
    it; this shifts an estimate by about the share of the volume near the walls.

    Parameters
    ----------
    side : float or sequence of float
        See Torus.
    dim : int, optional
        See Torus.

    Raises
    ------
    ValueError
        See Torus.

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

    side: float | tuple[float, ...]
    dim: int = 0
    name: ClassVar[str] = "box"

    def _check_inside(self, array: np.ndarray, wrap: bool) -> np.ndarray:
        if wrap:
            raise BadInput("wrap=True moves points on a torus; a box has walls")
        outside = (array < 0) | (array > self.sides)
        if outside.any():
            refuse(array, outside, f"is outside [0, {self.sides[np.argwhere(outside)[0][1]]:g}]")
        return check_scale(array)


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
    name: ClassVar[str] = "euclidean"
    volume: ClassVar[float] = math.inf  # type: ignore[misc]
    finite: ClassVar[bool] = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "dim", check_int("dim", self.dim, 1, MAX_DIMENSIONS))


@dataclass(frozen=True)
class MeanField(Geometry):
    """The mean-field model, the limit d = infinity.

    Each pair of points has an independent exponential distance.

    Parameters
    ----------
    volume : float
        Mean of the distances. With intensity 1 a point sees a Poisson process of intensity 1 on [0,
        inf), as in the Poisson-weighted infinite tree of Holroyd, Martin and Peres (2018), sec. 2;
        a ball of radius r has volume r.
    table : bool, optional
        Whether the points of a pattern are the (n, n) table of distances, the default. Otherwise
        they are an (n, 0) array, and `match`, which then requires rng, draws only the distances
        that it needs; n may be 10^7.

    Raises
    ------
    ValueError
        If the volume is not a number between 1e-150 and 1e150.

    Examples
    --------
    >>> pattern = pm.processes.binomial(pm.MeanField(100.0, table=False), 10_000, rng=1)
    >>> pm.match(pattern, rng=2)
    Matching(10000 points, 5000 pairs, 0 unmatched)
    """

    volume: float
    table: bool = True
    dim: float = field(default=math.inf, init=False, repr=False)
    name: ClassVar[str] = "mean-field"
    has_coordinates: ClassVar[bool] = False
    is_flat: ClassVar[bool] = False
    in_studies: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "volume", check_extent("volume", self.volume))

    @property
    def has_distances(self) -> bool:
        """Whether the points are the table of distances."""
        return self.table

    @property
    def periods(self) -> np.ndarray:
        """The period of the axis on which the engine puts points with a table of distances."""
        return np.array([math.inf])

    @property
    def cutoff(self) -> float:
        """Largest distance at which finite-size effects are negligible."""
        return cutoff(self.dim, math.nan, self.volume)

    def key(self, embedded: np.ndarray, i: Any, j: Any) -> np.ndarray:
        """Return the keys by which pairs i, j of points are ordered: their distances."""
        if not self.table:
            raise BadInput("the distances of this mean-field pattern have not been drawn: it has no table")
        return np.asarray(embedded[i, j])

    def length(self, key: np.ndarray) -> np.ndarray:
        """Return the distances of pairs with these keys, which are the keys."""
        return key

    def take(self, points: np.ndarray, which: np.ndarray) -> np.ndarray:
        """Return the points with these indices."""
        return points[np.ix_(which, which)] if self.table else points[which]

    def uniform_points(self, counts: Sequence[int], rng: np.random.Generator) -> np.ndarray:
        """Return the distances of sum(counts) points, or an (n, 0) array without a table."""
        n = sum(counts)
        points = np.zeros((n, n if self.table else 0))
        for i in range(n if self.table else 0):
            points[i, i + 1 :] = rng.exponential(self.volume, n - 1 - i)
        points += points.T if self.table else 0
        return points

    def numbers_per_point(self, n: float) -> float:
        """Return the numbers that each of n points takes in memory.

        Without a table of distances they are those of the matching.
        """
        return n if self.table else 4

    def check_points(self, points: np.ndarray, wrap: bool = False) -> np.ndarray:
        """Return points as an immutable float64 array.

        Raises BadInput naming the row and the value.
        """
        return check_table(points) if self.table else check_no_columns(points)


SPACES: dict[str, Callable[..., Cuboid]] = {kind.name: kind for kind in (Torus, Box)}  # in which studies put points
