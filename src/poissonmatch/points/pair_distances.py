"""Distances between the points of a pattern, and the order of its pairs.

The order is by distance, then by the smaller index of the two points, then by the larger. It is
total, so stable matchings are unique even if distances tie. Keys are the values of
`Pattern.squared_distance`. The engine has a compiled implementation, and the reference
implementation of the tests is a third.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..utils.errors import BadInput, quoted
from ..utils.validation import check_array, check_real
from .geometry import Geometry

MAX_TIES = 2000  # points among which equal distances are looked for


def pair_key(key: Any, x: Any, y: Any) -> tuple:
    """Return a tuple that orders the pair x, y of indices or other values with an order."""
    return (key, *sorted((x, y)))


def nearer(key: Any, point: Any, other_key: Any, other: Any) -> Any:
    """Return whether the pair of some point x with `point` is before the pair of x with `other`."""
    return (key < other_key) | ((key == other_key) & (point < other))


class TieCounts(NamedTuple):
    """Numbers of points and of pairs whose distance another pair has."""

    points: int
    pairs: int


class PairOrder:
    """Base class of Pattern: its distances, from the points in which they are Euclidean."""

    __slots__ = ()
    _embedded: np.ndarray
    _metric: Geometry

    def distance(self, i: Any, j: Any) -> np.ndarray:
        """Return the distances between points i and j.

        Parameters
        ----------
        i, j : int or ndarray of int
            Indices, broadcast against each other.

        Returns
        -------
        float64
            Distances in the unit of the side.

        Raises
        ------
        ValueError
            For a mean-field pattern without a table of distances.
        """
        return self.length(self.squared_distance(i, j))

    def length(self, squared: np.ndarray) -> np.ndarray:
        """Return the distances with these squares (mean-field: with these values).

        Parameters
        ----------
        squared : ndarray of float
            Keys, see `squared_distance`.

        Returns
        -------
        ndarray of float
            Distances in the unit of the side.
        """
        return self._metric.length(squared)

    def squared_distance(self, i: Any, j: Any) -> np.ndarray:
        """Return the keys that order the pairs of points i and j: squared distances; in the mean-field model distances.

        Parameters
        ----------
        i, j : int or ndarray of int
            Indices, broadcast against each other.

        Returns
        -------
        float64
            One key for each pair.
        """
        return self._metric.key(self._embedded, self._indices("i", i), self._indices("j", j))

    def _indices(self, name: str, value: Any) -> np.ndarray:
        """Return indices of points, which count from the end if they are negative. Raises BadInput."""
        n, array = len(self._embedded), check_array(name, value, "iu", "indices of points")
        if ((array >= n) | (array < -n)).any():
            raise BadInput(f"{name} must be indices of the {n} points, got {quoted(value)}")
        return array.astype(np.intp, copy=False)

    def closer(self, x: int, z: Any, y: int) -> Any:
        """Return whether the pair x, z is before the pair x, y, by squared distance, then by the index z or y.

        Parameters
        ----------
        x, y : int
            Indices of points.
        z : int or ndarray of int
            Indices of points.

        Returns
        -------
        bool or ndarray of bool
            One value for each z.
        """
        return nearer(self.squared_distance(x, z), np.asarray(z), self.squared_distance(x, y), y)

    def pair_order(self) -> tuple[np.ndarray, np.ndarray]:
        """Return all n (n - 1) / 2 pairs i < j in the order (squared distance, i, j).

        Returns
        -------
        tuple of two (n (n - 1) / 2,) int64
            Indices i and j.
        """
        i, j = np.triu_indices(len(self._embedded), 1)  # ties are in order already
        order = np.argsort(self.squared_distance(i, j), kind="stable")
        return i[order], j[order]

    def ties(self, tolerance: float = 0.0) -> np.ndarray:
        """Return the equal distances between points, which the papers exclude, and the pair order breaks by index.

        Parameters
        ----------
        tolerance : float, default 0.0
            Relative difference up to which distances are taken as equal. With 1e-12 the pairs whose
            order rounding may have decided are included; a pattern with a grid has no such pairs.

        Returns
        -------
        (k, 4) int64
            Rows i, j, k, l: the pairs i, j and k, l have the same distance, and follow each other
            in the pair order.

        Raises
        ------
        ValueError
            If there are more than 2000 points.

        Examples
        --------
        >>> pm.Pattern([[0.0], [1.0], [2.0]], None, pm.Euclidean(1)).ties()
        array([[0, 1, 1, 2]])
        >>> pm.Pattern([[0.1], [0.2], [0.3]], None, pm.Euclidean(1)).ties(tolerance=1e-12)
        array([[1, 2, 0, 1]])
        """
        i, j, first = self._tied(tolerance)
        return np.column_stack([i[first], j[first], i[first + 1], j[first + 1]]).astype(np.int64)

    def count_ties(self, tolerance: float = 0.0) -> TieCounts:
        """Return how many points and pairs have a distance that another pair has.

        Parameters
        ----------
        tolerance : float, default 0.0
            See `ties`.

        Returns
        -------
        named tuple
            Numbers of `points` and of `pairs`.

        Raises
        ------
        ValueError
            If there are more than 2000 points.

        Examples
        --------
        >>> equator = [[longitude, 0.0] for longitude in range(0, 360, 90)]
        >>> pm.Pattern(equator, None, pm.Sphere(1.0)).count_ties(tolerance=1e-12)
        TieCounts(points=4, pairs=6)
        """
        i, j, first = self._tied(tolerance)
        pairs = np.union1d(first, first + 1)
        return TieCounts(len(np.union1d(i[pairs], j[pairs])), len(pairs))

    def _tied(self, tolerance: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return all pairs i, j in their order, and the positions of those as far apart as the next pair."""
        check_real("tolerance", tolerance, "a number from 0 to 1", 0.0, 1.0)
        if len(self._embedded) > MAX_TIES:
            raise BadInput(f"ties are found among at most {MAX_TIES} points, got {len(self._embedded)}")
        i, j = self.pair_order()
        key = self.squared_distance(i, j)
        length = self.length(key) if tolerance else key
        (first,) = np.nonzero((key[1:] == key[:-1]) | (length[1:] - length[:-1] <= tolerance * length[1:]))
        return i, j, first
