"""Descending chains: points with each step shorter than the one before (Deijfen, Holroyd and Martin 2016, sec. 2).

*Shorter* means earlier in the pair order. As in the paper, a point may occur several times; a pair
cannot.

The longest chain from a point with a first step of at most r is found exactly. No later step is
longer, so only pairs within r count. They are visited in the pair order: at the pair x, y a chain
from x may begin with the step to y and continue with the longest chain from y so far, and vice
versa. So the time is that of sorting the pairs.

There is no bound without r. Each pair lengthens the two chains by at least 2 in all, so the mean
length is at least the mean number of points within r (Graham and Kleitman 1973). A Poisson process
has no *infinite* chain: with V the expected number of points within r, the expected number of
chains of k steps through different points, the first at most r, is V^k / k!, which tends to 0.
Without its loops, an infinite chain that repeats points is an infinite chain through different
points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.polynomial import Chebyshev

from ..utils.errors import BadInput
from ..utils.memory import require_memory
from ..utils.validation import check_int, check_real
from .neighbors import Neighbors
from .pattern import Pattern, as_pattern

PAIR_BYTES = 100.0  # memory for a pair while pairs are sorted and visited
DEGREE = 100  # of the polynomials of mean_field_tail
MAX_STEPS = 10_000  # of mean_field_tail, which takes seconds


__all__ = ["chains_within", "longest_chain", "longest_chains", "mean_field_tail"]


def __dir__() -> list[str]:
    return sorted(__all__)


def longest_chains(pattern: Pattern, radius: float) -> np.ndarray:
    """Return the number of steps of the longest descending chain, first step at most `radius`, from each point.

    Parameters
    ----------
    pattern : Pattern
        Points, of any colors.
    radius : float
        Largest length of the first step, in the unit of the side.

    Returns
    -------
    (n,) int64
        0 for a point with no other point within the radius.

    Raises
    ------
    ValueError
        If the radius is not a number from 0.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [4.0], [7.0], [9.0]], None, pm.Euclidean(1))
    >>> pm.descending_chains.longest_chains(pattern, 3.5)
    array([0, 2, 1, 1])
    """
    return next(chains_within(pattern, [radius]))


def chains_within(pattern: Pattern, radii: Sequence[float]) -> Iterator[np.ndarray]:
    """Yield longest_chains for each of several ascending radii, in one pass.

    Parameters
    ----------
    pattern : Pattern
        Points, of any colors.
    radii : sequence of float
        Largest lengths of the first step, ascending.

    Yields
    ------
    (n,) int64
        Numbers of steps, as of longest_chains.

    Raises
    ------
    ValueError
        If the radii do not ascend, or one is not a number from 0.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [4.0], [7.0], [9.0]], None, pm.Euclidean(1))
    >>> [steps.tolist() for steps in pm.descending_chains.chains_within(pattern, [2.5, 3.5])]
    [[0, 0, 1, 1], [0, 2, 1, 1]]
    """
    as_pattern(pattern)
    radii = [check_real("radius", radius, "a nonnegative number") for radius in radii]
    if sorted(radii) != radii or not radii:
        raise BadInput("radii must ascend and not be empty")
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
    """Return a longest descending chain from a point as a list of indices, the start first.

    Of several chains it is the one with the shortest first step, then the shortest second step, and
    so on.

    Parameters
    ----------
    pattern : Pattern
        Points, of any colors.
    start : int
        Index of the point.
    radius : float, optional
        Largest length of the first step, by default unbounded.

    Returns
    -------
    list of int
        Indices of the points of the chain.

    Raises
    ------
    ValueError
        If the radius is not a number from 0, or there is no such point.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [4.0], [7.0], [9.0]], None, pm.Euclidean(1))
    >>> pm.descending_chains.longest_chain(pattern, 0)
    [0, 3, 1, 2, 3]
    """
    as_pattern(pattern)
    start = check_int("start", start, 0, len(pattern) - 1, what="the index of a point,")
    i, j, _ = _pairs(pattern, check_real("radius", radius, "a nonnegative number"))
    best: list[tuple] = [(0, x, None) for x in range(len(pattern))]  # steps, point, chain from the next point
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


def mean_field_tail(volume: float, max_steps: int) -> np.ndarray:
    """Return the distribution of the longest chain from a point in the mean-field model.

    On the Poisson-weighted infinite tree the chains from the neighbors of a point are independent
    and continue with shorter steps, so
    :math:`q_k(v)` = P(at most k steps within v) solves :math:`q_k' = -q_k (1 - q_{k-1})`,
    :math:`q_k(0) = 1`, :math:`q_{-1} = 0`. Exact to 1e-12 for volumes to 10.

    Parameters
    ----------
    volume : float
        Expected number of points within the largest length of the first step, from 0 to 100.
    max_steps : int
        Largest number of steps, at most 10,000.

    Returns
    -------
    (max_steps + 1,) float64
        P(at least k steps) for k = 0, ..., max_steps.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> pm.descending_chains.mean_field_tail(1.0, 3).round(6)
    array([1.      , 0.632121, 0.307799, 0.111663])
    """
    ends, tails = [0.0, check_real("volume", volume, "a number from 0 to 100", 0.0, 100.0)], [1.0]
    max_steps = check_int("max_steps", max_steps, 0, MAX_STEPS)
    if not volume:
        return np.array([1.0] + [0.0] * max_steps)
    at_most = Chebyshev([0.0], domain=ends)
    for _ in range(max_steps):
        rate = (1 - at_most).integ(lbnd=0)
        at_most = Chebyshev.interpolate(lambda v: np.exp(-rate(v)), DEGREE, domain=ends)  # noqa: B023 (called at once)
        tails.append(1 - float(at_most(volume)))
    return np.array(tails)


def _pairs(pattern: Pattern, radius: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the pairs i < j within the radius in the pair order, and their distances."""
    n = len(pattern)
    if radius == np.inf or n < 2:
        require_memory(PAIR_BYTES * n * n / 2, f"the chains of all pairs of {n} points")
        i, j = pattern.pair_order()
        return i, j, pattern.distance(i, j)
    neighbors = Neighbors(pattern)
    count = neighbors.count_pairs(radius)
    require_memory(PAIR_BYTES * count, f"the chains of {count} pairs")
    i, j = neighbors.pairs(radius)
    order = np.lexsort((j, i, pattern.squared_distance(i, j)))
    i, j = i[order], j[order]
    length = pattern.distance(i, j)
    within = length <= radius
    return i[within], j[within], length[within]
