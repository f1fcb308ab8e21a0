"""Second moments of points on a torus: the structure factor and the number variance.

Points are hyperuniform if both tend to 0: at small wave vectors, and for large balls (Torquato and
Stillinger 2003; Klatt, Last and Yogeshwaran 2020 for matchings).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ..utils.errors import BadInput, quoted
from ..utils.validation import check_array, check_int
from .pattern import Pattern, as_pattern
from .spaces import Torus

ACCURACY = 1e-8  # of the sums over the points, relative to the number of points
MAX_MODES = 2**26  # wave vectors
CENTERS = 1_000  # of balls


class StructureFactor(NamedTuple):
    """The structure factor, averaged over wave vectors of nearly equal length.

    Parameters
    ----------
    k : (shells,) float64
        Root of the mean of :math:`|k|^2` in each shell.
    s : (shells,) float64
        Mean of S(k).
    vectors : (shells,) int64
        Number of wave vectors; k and -k are one.

    Examples
    --------
    >>> pattern = pm.processes.lattice(pm.Torus(6.0, 2), rng=1)
    >>> pm.structure_factor(pattern, max_n=2)._replace(k=None)
    StructureFactor(k=None, s=array([0., 0.]), vectors=array([4, 6]))
    """

    k: np.ndarray
    s: np.ndarray
    vectors: np.ndarray


class Shells(NamedTuple):
    """The wave vectors 2 pi (n_1 / L_1, ..., n_d / L_d) of a torus by the shell to which their lengths belong.

    sides: of the torus. modes: number of integers along each axis. shell: of each wave vector, 0 for
    none. k, vectors: see StructureFactor.
    """

    sides: np.ndarray
    modes: tuple[int, ...]
    shell: np.ndarray
    k: np.ndarray
    vectors: np.ndarray

    @staticmethod
    @lru_cache(8)
    def between(sides: tuple[float, ...], ends: tuple[float, ...]) -> Shells:
        """Return shells between these lengths, in units of 2 pi over the longest side."""
        longest = max(sides)
        most = [int(ends[-1] * side / longest) for side in sides]
        axes = [np.arange(-m, m + 1) * (longest / side) for m, side in zip(most, sides, strict=True)]
        squares = sum(axis**2 for axis in np.meshgrid(*axes, indexing="ij", sparse=True)).ravel()
        place = np.searchsorted(ends, np.sqrt(squares), side="right")
        place[place == len(ends)] = 0
        count = np.bincount(place, minlength=len(ends))
        some = np.flatnonzero(count[1:]) + 1
        number = np.zeros(len(ends), np.int64)
        number[some] = np.arange(1, len(some) + 1)
        k = np.sqrt(np.bincount(place, squares)[some] / count[some]) * 2 * math.pi / longest
        return Shells(np.array(sides), tuple(2 * m + 1 for m in most), number[place], k, count[some] // 2)

    def sums(self, points: np.ndarray) -> np.ndarray:
        """Return the sum of exp(i k x) over the points for each wave vector, an array of shape `modes`."""
        import finufft  # here, because few need it

        if not len(points):
            return np.zeros(self.modes, complex)
        angles = np.ascontiguousarray((points * (2 * math.pi / self.sides)).T)
        transform = getattr(finufft, f"nufft{len(self.sides)}d1")
        return transform(*angles, np.ones(len(points), complex), self.modes, eps=ACCURACY, nthreads=1)

    def mean_squares(self, sums: np.ndarray, n: int) -> np.ndarray:
        """Return the mean of the squared absolute values of sums over n points in each shell.

        Those that are rounding errors are 0.
        """
        squares = (sums.real**2 + sums.imag**2).ravel()
        squares[squares < (10 * ACCURACY * n) ** 2] = 0.0
        return np.bincount(self.shell, squares, len(self.k) + 1)[1:] / (2 * self.vectors)


def structure_factor(pattern: Any, max_n: int = 16) -> StructureFactor:
    r"""Compute the structure factor :math:`S(k) = |\sum_x e^{-i k x}|^2 / n` of n points on a torus.

    The wave vectors are :math:`2 \pi (n_1 / L_1, \dots, n_d / L_d)`. Shell m = 1, ..., max_n has those
    with :math:`m - 1/2 \le |k| L / (2 \pi) < m + 1/2`, where L is the longest side; S is averaged over each.

    Parameters
    ----------
    pattern : Pattern
        Points on a Torus in d = 1, 2 or 3, of any colors; ``pattern[matching.partner >= 0]`` are those
        with a partner.
    max_n : int, default 16
        Number of shells.

    Returns
    -------
    StructureFactor
        `k`, `s` and the number of `vectors` of each shell.

    Raises
    ------
    ValueError
        If there is no point, the space is not such a torus, or max_n is not positive.

    Examples
    --------
    >>> pattern = pm.processes.poisson(pm.Torus(100.0, 2), rng=1)
    >>> pm.structure_factor(pattern, max_n=3).s.round(1)
    array([0.8, 1.1, 0.7])
    """
    pattern, sides = _on_torus(pattern, "structure factor")
    most = int((MAX_MODES ** (1 / len(sides)) - 2) / 2)
    ends = np.arange(check_int("max_n", max_n, 1, most) + 1) + 0.5
    shells = Shells.between(tuple(sides.tolist()), tuple(ends.tolist()))
    n = len(pattern)
    if not n:
        raise BadInput("the structure factor needs at least one point")
    return StructureFactor(shells.k, shells.mean_squares(shells.sums(pattern.points), n) / n, shells.vectors)


def number_variance(pattern: Any, radii: float | Sequence[float], centers: int = CENTERS) -> np.ndarray:
    """Compute the variance of the number of points in a ball over its mean, for a ball with a uniform center.

    Parameters
    ----------
    pattern : Pattern
        Points on a Torus in d = 1, 2 or 3, of any colors.
    radii : float or sequence of float
        Radii of the balls, at most half the shortest side.
    centers : int, default 1,000
        Number of balls over which the variance is taken. Their centers are uniform, and the same for
        all patterns.

    Returns
    -------
    (len(radii),) float64
        Variance over mean at each radius, nan without points.

    Raises
    ------
    ValueError
        If a radius is not positive or too large, or the space is not such a torus.

    Examples
    --------
    >>> lattice = pm.processes.lattice(pm.Torus(100.0, 2), rng=1)
    >>> pm.number_variance(lattice, [1.0, 10.0]).round(2)
    array([0.15, 0.01])
    """
    pattern, sides = _on_torus(pattern, "number variance")
    given = np.atleast_1d(check_array("radii", radii, "fiu", "numbers")).astype(float)
    if given.ndim != 1 or not (given > 0).all() or not (given <= sides.min() / 2).all():
        raise BadInput(f"radii must be positive and at most half the side, {sides.min() / 2:g}, got {quoted(radii)}")
    torus = pattern.geometry
    mean = len(pattern) * torus.ball_volume(given) / torus.volume
    counts = ball_counts(pattern.points, torus, given, np.full(len(given), check_int("centers", centers, 1, 2**31)))
    with np.errstate(invalid="ignore"):
        return np.array([((number - m) ** 2).mean() for number, m in zip(counts, mean, strict=True)]) / mean


def ball_counts(points: np.ndarray, torus: Torus, radii: np.ndarray, centers: np.ndarray) -> list[np.ndarray]:
    """Return the numbers of points in balls of each radius. centers: number of uniform centers for each, the same for all patterns."""
    from scipy.spatial import cKDTree

    places = np.random.default_rng(0).random((centers.max(), int(torus.dim))) * torus.sides
    tree = cKDTree(points, boxsize=torus.sides, balanced_tree=False, compact_nodes=False)  # made in a third of the time
    return [
        tree.query_ball_point(places[:number], radius, return_length=True)
        for radius, number in zip(radii.tolist(), centers.tolist(), strict=True)
    ]


def _on_torus(pattern: Any, what: str) -> tuple[Pattern, np.ndarray]:
    """Return points on a torus in d = 1, 2 or 3, and its sides. Raises BadInput for others."""
    pattern = as_pattern(pattern)
    space = pattern.geometry
    if not isinstance(space, Torus) or space.dim > 3:
        raise BadInput(f"the {what} is computed on a torus in d = 1, 2 or 3, not on {space}")
    return pattern, np.asarray(space.sides, float)
