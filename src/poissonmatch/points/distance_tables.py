"""Points without coordinates: tables of distances, and the mean-field model."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..theory.volumes import cutoff
from ..utils.errors import BadInput
from .coordinates import check_extent, check_no_columns, check_table, refuse
from .geometry import Geometry


@dataclass(frozen=True)
class DistanceTable(Geometry):
    """Points without coordinates, given by the table of their distances.

    The distances may be those along roads or in any other metric space; the triangle inequality is
    not required. The points of a pattern are the (n, n) symmetric table, with zeros on the diagonal and
    positive numbers elsewhere.

    Examples
    --------
    >>> roads = [[0, 3, 9], [3, 0, 2], [9, 2, 0]]
    >>> pm.match(pm.Pattern(roads, None, pm.DistanceTable())).pairs
    array([[1, 2]])
    """

    dim: float = field(default=math.inf, init=False, repr=False)
    name = "distance-table"
    volume = math.inf
    finite = False
    has_coordinates = False
    is_flat = False

    @property
    def periods(self) -> np.ndarray:
        """The period of the axis on which the engine puts points with a table of distances."""
        return np.array([math.inf])

    def key(self, embedded: np.ndarray, i: Any, j: Any) -> np.ndarray:
        """Return the keys by which pairs i, j of points are ordered: their distances."""
        return np.asarray(embedded[i, j])

    def length(self, key: np.ndarray) -> np.ndarray:
        """Return the distances of pairs with these keys, which are the keys."""
        return key

    def take(self, points: np.ndarray, which: np.ndarray) -> np.ndarray:
        """Return the table of the points with these indices."""
        return points[np.ix_(which, which)]

    def numbers_per_point(self, n: float) -> float:
        """Return the numbers that each of n points takes in memory."""
        return n

    def check_points(self, points: np.ndarray, wrap: bool = False) -> np.ndarray:
        """Return the table as an immutable float64 array.

        Raises BadInput naming the row, the column and the value.
        """
        array = check_table(points, "a distance table", "column")
        itself = np.eye(len(array), dtype=bool)
        refuse(array, itself & (array != 0), "is the distance of a point from itself, not 0", "column")
        refuse(array, ~itself & (array == 0), "is not positive, the distance between two points", "column")
        return array


@dataclass(frozen=True)
class MeanField(DistanceTable):
    """The mean-field model, the limit d = infinity: each pair of points has an independent exponential distance.

    Parameters
    ----------
    volume : float, default inf
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
    name = "mean-field"
    finite = True
    in_studies = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "volume", check_extent("volume", self.volume))

    @property
    def has_distances(self) -> bool:
        """Whether the points are the table of distances."""
        return self.table

    @property
    def cutoff(self) -> float:
        """Largest distance at which finite-size effects are negligible."""
        return cutoff(self.dim, math.nan, self.volume)

    def key(self, embedded: np.ndarray, i: Any, j: Any) -> np.ndarray:
        """Return the keys by which pairs i, j of points are ordered: their distances."""
        if not self.table:
            raise BadInput("the distances of this mean-field pattern have not been drawn: it has no table")
        return super().key(embedded, i, j)

    def take(self, points: np.ndarray, which: np.ndarray) -> np.ndarray:
        """Return the points with these indices."""
        return super().take(points, which) if self.table else points[which]

    def uniform_points(self, counts: Sequence[int], rng: np.random.Generator) -> np.ndarray:
        """Return the distances of sum(counts) points, or an (n, 0) array without a table."""
        n = sum(counts)
        if not self.table:
            return np.zeros((n, 0))
        points = np.zeros((n, n))
        for i in range(n):
            points[i, i + 1 :] = rng.exponential(self.volume, n - 1 - i)
        points += points.T
        return points

    def numbers_per_point(self, n: float) -> float:
        """Return the numbers that each of n points takes in memory, without a table those of the matching."""
        return n if self.table else 4

    def check_points(self, points: np.ndarray, wrap: bool = False) -> np.ndarray:
        """Return points as an immutable float64 array.

        Raises BadInput naming the row and the value.
        """
        return check_table(points) if self.table else check_no_columns(points)
