"""Descending chains: points x0, x1, x2, ... such that each step is shorter than the one before (Deijfen, Holroyd, Martin 2016, sec. 2).

*Shorter* is earlier in the package's order of pairs. A point may come again, as in the paper's definition; a pair cannot.

The longest chain from a point whose first step is at most r is found exactly: no later step is longer, so no pair beyond r counts.
The pairs within r are taken from the shortest up; when x, y comes, a chain from x may begin with the step to y and go on with the
longest chain from y so far, all steps of which are shorter, and the other way round. So the time is that of sorting the pairs.

There is no bound without r. Each pair lengthens the two chains by at least 2 in all (the shorter of the two becomes the longer plus
1, the longer at least the shorter plus 1), so the mean over all points is at least the mean number of points within r (Graham and
Kleitman 1973): in an infinite pattern a point has chains as long as one likes, if their first step may be long. What a Poisson
process does not have is an *infinite* chain. Chains of k steps through different points, the first at most r, are V^k / k! in the
mean, V the expected number of points within r, because the volumes of their balls descend; that goes to 0. And an infinite chain
that comes back is an infinite one through different points when its loops are cut out: the steps still fall.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
from numpy.polynomial import Chebyshev

from ..utils.errors import BadInput
from ..utils.memory import require_memory
from ..utils.validation import check_int, check_real
from .geometry import MeanField
from .pattern import Pattern, as_pattern

PAIR_BYTES = 100.0  # of a pair, while they are sorted and walked through
WIDER = 1 + 1e-9  # times the radius, against rounding
DEGREE = 100  # of the polynomials of mean_field_tail


__all__ = ["longest_chain", "longest_chains", "mean_field_tail"]


def longest_chains(pattern: Pattern, radius: float) -> np.ndarray:
    """Steps of the longest descending chain from each point, the first of them at most radius.

    Parameters
    ----------
    pattern : Pattern
    radius : float
        In the unit of the side.

    Returns
    -------
    (n,) int64
        0 for a point with nobody within the radius.

    Raises
    ------
    ValueError
        For a radius that is no number from 0.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [4.0], [7.0], [9.0]], None, pm.Euclidean(1))
    >>> pm.descending_chains.longest_chains(pattern, 3.5)
    array([0, 2, 1, 1])
    """
    return next(chains_within(pattern, [radius]))


def chains_within(pattern: Pattern, radii: Sequence[float]) -> Iterator[np.ndarray]:
    """longest_chains for several radii, in one pass.

    Parameters
    ----------
    pattern : Pattern
    radii : sequence of float
        One or more, ascending.

    Yields
    ------
    (n,) int64
        For each radius.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [4.0], [7.0], [9.0]], None, pm.Euclidean(1))
    >>> [steps.tolist() for steps in pm.descending_chains.chains_within(pattern, [2.5, 3.5, 4.5])]
    [[0, 0, 1, 1], [0, 2, 1, 1], [3, 2, 1, 1]]
    """
    as_pattern(pattern)
    radii = [check_real("radius", radius, "a number from 0") for radius in radii]
    if sorted(radii) != radii or not radii:
        raise BadInput("radii must ascend, and be one at least")
    i, j, length = _pairs(pattern, radii[-1])
    ends = np.searchsorted(length, radii, side="right").tolist()
    steps, one, other, begin = [0] * len(pattern), i.tolist(), j.tolist(), 0
    for end in ends:
        for k in range(begin, end):
            x, y = one[k], other[k]
            a, b = steps[x], steps[y]
            if b >= a:
                steps[x] = b + 1
            if a >= b:
                steps[y] = a + 1
        begin = end
        yield np.array(steps, np.int64)


def longest_chain(pattern: Pattern, start: int, radius: float = np.inf) -> list[int]:
    """A longest descending chain from a point: its points, the start first.

    Of several the one whose first step is shortest, and so on from there.

    Parameters
    ----------
    pattern : Pattern
    start : int
        Index of the point.
    radius : float, optional
        The first step is at most this.

    Returns
    -------
    list of int

    Raises
    ------
    ValueError
        As longest_chains does, and for a point that there is not.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [4.0], [7.0], [9.0]], None, pm.Euclidean(1))
    >>> pm.descending_chains.longest_chain(pattern, 0)
    [0, 3, 1, 2, 3]
    """
    as_pattern(pattern)
    start = check_int("start", start, 0, len(pattern) - 1, what="the index of a point,")
    i, j, _ = _pairs(pattern, check_real("radius", radius, "a number from 0"))
    best: list[tuple] = [
        (0, x, None) for x in range(len(pattern))
    ]  # number of steps, point, the chain from the next point on
    for x, y in zip(i.tolist(), j.tolist(), strict=True):
        from_x, from_y = best[x], best[y]
        if from_y[0] >= from_x[0]:
            best[x] = (from_y[0] + 1, x, from_y)
        if from_x[0] >= from_y[0]:
            best[y] = (from_x[0] + 1, y, from_x)
    chain, rest = [], best[start]
    while rest is not None:
        chain.append(rest[1])
        rest = rest[2]
    return chain


def mean_field_tail(volume: float, most: int) -> np.ndarray:
    """P(the longest chain from a point has at least k steps), k = 0 ... most, in the mean-field model.

    On the Poisson-weighted infinite tree the points next to a point have chains that are independent and go on with shorter steps, so
    :math:`q_k(v)` = P(at most k steps within v) solves :math:`q_k' = -q_k (1 - q_{k-1})`, :math:`q_k(0) = 1`, :math:`q_{-1} = 0`.
    Exact to 1e-12 for volumes to 10.

    Parameters
    ----------
    volume : float
        The expected number of points as far as the first step may go, from 0 to 100.
    most : int

    Returns
    -------
    (most + 1,) float

    Examples
    --------
    >>> pm.descending_chains.mean_field_tail(1.0, 3).round(6)
    array([1.      , 0.632121, 0.307799, 0.111663])
    """
    ends, tails = [0.0, check_real("volume", volume, "a number from 0 to 100", 0.0, 100.0)], [1.0]
    if not volume:
        return np.array([1.0] + [0.0] * most)
    at_most = Chebyshev([0.0], domain=ends)
    for _ in range(most):
        rate = (1 - at_most).integ(lbnd=0)
        at_most = Chebyshev.interpolate(partial(_none, rate), DEGREE, domain=ends)
        tails.append(1 - float(at_most(volume)))
    return np.array(tails)


def _none(rate: Chebyshev, volume: np.ndarray) -> np.ndarray:
    """P(a Poisson process has no point), with this mean at each volume."""
    return np.exp(-rate(volume))


def _pairs(pattern: Pattern, radius: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The pairs i < j no farther apart than the radius, in their order, and their distances."""
    n = len(pattern)
    if radius == np.inf or n < 2:
        require_memory(PAIR_BYTES * n * n / 2, f"the chains of all pairs of {n} points")
        i, j = pattern.pair_order()
        return i, j, pattern.distance(i, j)
    if isinstance(pattern.geometry, MeanField):
        pattern.squared_distance(0, 1)  # or there is no table
        i, j = np.nonzero(np.triu(pattern.points <= radius, 1))
    else:
        from scipy.spatial import cKDTree  # takes as long to import as the rest of the package

        points, sides = pattern.scaled()
        tree = cKDTree(points, boxsize=sides if sides[0] < np.inf else None)
        ball = np.ldexp(radius, pattern.exponent) * WIDER  # then it is looked at exactly
        count = int(tree.query_ball_point(points, ball, return_length=True).sum()) // 2
        require_memory(PAIR_BYTES * count, f"the chains of {count} pairs")
        found = tree.query_pairs(ball, output_type="ndarray").reshape(-1, 2)
        i, j = found.min(axis=1), found.max(axis=1)
    order = np.lexsort((j, i, pattern.squared_distance(i, j)))
    i, j = i[order], j[order]
    length = pattern.distance(i, j)
    within = length <= radius
    return i[within], j[within], length[within]
