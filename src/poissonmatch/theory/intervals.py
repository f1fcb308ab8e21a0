"""Confidence intervals of estimates from replicates: Student's t of logits or logarithms, and counts in clusters.

Unmatched points come in clusters: the index of dispersion of their number, its variance over its
mean, is up to 3.6 for fussy matchings. An interval for few of them is that of a Poisson count of
clusters.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import scipy  # which imports scipy.special when it is first used

from ..utils.validation import checked
from .finite_size import FEW_REPLICATES, MAX_MEAN_IF_NONE, MIN_COUNT, MIN_INDEX

__all__ = ["CONFIDENCE", "dispersion", "of_count", "of_excess", "of_positive", "of_proportion", "of_share", "student"]


def __dir__() -> list[str]:
    return sorted(__all__)


CONFIDENCE = 0.95  # of all intervals
REPLICATES = (1, 2**53)  # bounds
Ends = tuple[Any, Any]


@checked(n=REPLICATES)
def student(value: np.ndarray | float, error: np.ndarray | float, n: int) -> Ends:
    """Return the interval of Student's t with n - 1 degrees of freedom; nan for one replicate.

    Parameters
    ----------
    value, error : float or ndarray
        Estimate and standard error.
    n : int
        Number of replicates.

    Returns
    -------
    tuple of float or ndarray
        Lower and upper end.

    Examples
    --------
    >>> [float(end.round(3)) for end in pm.theory.intervals.student(1.0, 0.1, 16)]
    [0.787, 1.213]
    """
    width = _quantile(n - 1) * error
    return value - width, value + width


@checked(n=REPLICATES)
def of_positive(value: np.ndarray | float, error: np.ndarray | float, n: int) -> Ends:
    """Return the interval of a positive number, Student's t of its logarithm; 0 and 0 for the number 0 with error 0.

    Parameters
    ----------
    value, error : float or ndarray
        Estimate and standard error.
    n : int
        Number of replicates.

    Returns
    -------
    tuple of ndarray
        Lower and upper end.

    Examples
    --------
    >>> [float(end.round(3)) for end in pm.theory.intervals.of_positive(1.0, 0.1, 16)]
    [0.808, 1.238]
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        low, high = (np.exp(end) for end in student(np.log(value), error / value, n))
    zero = np.equal(value, 0) & np.equal(error, 0)
    return np.where(zero, 0.0, low), np.where(zero, 0.0, high)


@checked(n=REPLICATES)
def of_share(value: np.ndarray | float, error: np.ndarray | float, n: int) -> Ends:
    """Return the interval of a fraction from 0 to 1: Student's t of its logit.

    Near both ends it is therefore on the log scale.

    A share of exactly 0 or 1 has no error: both ends are the share.

    Parameters
    ----------
    value, error : float or ndarray
        Estimate and standard error.
    n : int
        Number of replicates.

    Returns
    -------
    tuple of ndarray
        Lower and upper end.

    Examples
    --------
    >>> [float(end.round(3)) for end in pm.theory.intervals.of_share(0.1, 0.02, 16)]
    [0.065, 0.151]
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = student(scipy.special.logit(value), error / (value * (1 - value)), n)
    low, high = (scipy.special.expit(end) for end in ends)
    certain = np.equal(value * (1 - value), 0) & (n > 1)
    return np.where(certain, value, low), np.where(certain, value, high)


@checked(n=(2, 2**53))
def dispersion(count: np.ndarray | float, error: np.ndarray | float, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the index of dispersion of a count of points in clusters, and its degrees of freedom.

    It is 1 at least. For a count of a few points (below 16) it is 2, and with few replicates (below
    10) at least 2, both as if it was known from 10 replicates.

    Parameters
    ----------
    count : float or ndarray
        Number of points in all replicates.
    error : float or ndarray
        Standard error of this number.
    n : int
        Number of replicates, from 2.

    Returns
    -------
    index : ndarray of float64
        Variance of the number of points of a replicate over its mean.
    dof : ndarray of int64
        Degrees of freedom.

    Examples
    --------
    >>> index, dof = pm.theory.intervals.dispersion([50.0, 10.0], [10.0, 10.0], 16)
    >>> index, dof
    (array([2., 2.]), array([15,  9]))
    """
    count, error = np.asarray(count, float), np.asarray(error, float)
    few = count < MIN_COUNT
    index = np.where(few, MIN_INDEX, error**2 / np.maximum(count, MIN_COUNT))
    few |= n < FEW_REPLICATES
    return np.maximum(index, np.where(few, MIN_INDEX, 1.0)), np.where(few, FEW_REPLICATES - 1, n - 1)


@checked()
def of_count(total: np.ndarray | float, index: np.ndarray | float, dof: np.ndarray | float) -> Ends:
    """Return the interval of the mean of a count of points in clusters: index times the Poisson one for total / index.

    Without any point the upper end is index times 3, the rule of three for clusters.

    Parameters
    ----------
    total : float or ndarray
        Number of points seen.
    index : float or ndarray
        Index of dispersion, above 0.
    dof : float or ndarray
        Degrees of freedom of the index; inf if it is known. The level is that of a normal variable
        at the quantile of Student's t.

    Returns
    -------
    tuple of ndarray
        Lower and upper end.

    Examples
    --------
    >>> [float(end.round(2)) for end in pm.theory.intervals.of_count(10, 2.0, np.inf)]
    [3.25, 23.34]
    >>> [float(end) for end in pm.theory.intervals.of_count(0, 1.0, np.inf)]
    [0.0, 3.0]
    """
    total, index = np.asarray(total, float), np.asarray(index, float)
    outside = scipy.special.ndtr(-scipy.special.stdtrit(dof, (1 + CONFIDENCE) / 2))
    clusters = np.where(total > 0, total / index, 1.0)
    low, high = scipy.special.gammaincinv(clusters, outside), scipy.special.gammainccinv(clusters + 1, outside)
    return index * np.where(total > 0, low, 0.0), index * np.where(total > 0, high, MAX_MEAN_IF_NONE)


@checked()
def of_excess(total: float, difference: np.ndarray, mean: float) -> Ends:
    """Return the interval of n E[D; D > 0] for a normal difference D of two numbers, from D on n tori.

    The mean of D is known, and the standard deviation of D has the interval of chi-square. The ends
    are moved so that the interval contains `total`, the sum of the positive D, which may be 0 on
    all tori.

    Parameters
    ----------
    total : float
        Sum of the positive D.
    difference : (n,) float64
        D on each torus.
    mean : float
        Expected value of D.

    Returns
    -------
    tuple of float
        Lower and upper end.

    Examples
    --------
    >>> [round(end, 1) for end in pm.theory.intervals.of_excess(3.0, np.array([3.0, -1.0, -2.0, 0.0]), 0.0)]
    [1.8, 8.6]
    """
    n = len(difference)
    levels = np.array([1 + CONFIDENCE, 1 - CONFIDENCE]) / 2
    deviations = np.sqrt(np.square(difference - mean).sum() / scipy.special.chdtri(n, 1 - levels))
    low, high = n * _positive_part(mean, deviations)
    return min(float(low), total), max(float(high), total)


def _positive_part(mean: float, deviation: np.ndarray) -> np.ndarray:
    """Return E[D; D > 0] for a normal D."""
    with np.errstate(divide="ignore", invalid="ignore"):
        z = mean / deviation
        value = deviation * np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi) + mean * scipy.special.ndtr(z)
    return np.where(deviation > 0, np.maximum(value, 0.0), max(mean, 0.0))


@checked(n=REPLICATES)
def of_proportion(value: np.ndarray, n: int) -> Ends:
    """Return the intervals of Clopper and Pearson for the fractions (k,) of n replicates with a property.

    Parameters
    ----------
    value : (k,) float64
        Fractions.
    n : int
        Number of replicates.

    Returns
    -------
    tuple of (k,) float64
        Lower and upper ends.

    Examples
    --------
    >>> [end.round(3).tolist() for end in pm.theory.intervals.of_proportion(np.array([0.0, 0.5]), 10)]
    [[0.0, 0.187], [0.308, 0.813]]
    """
    low, high = zip(*(_of_successes(round(share * n), n) for share in value), strict=True)
    return np.array(low), np.array(high)


@cache
def _of_successes(successes: int, n: int) -> Ends:
    """Return the interval of Clopper and Pearson, whose ends take a search of milliseconds."""
    ends = scipy.stats.binomtest(successes, n).proportion_ci(CONFIDENCE)
    return ends.low, ends.high


@cache
def _quantile(dof: float) -> float:
    """Return the quantile of Student's t that leaves half of 1 - CONFIDENCE above it; nan for dof = 0, normal for inf."""
    return float(scipy.special.stdtrit(dof, (1 + CONFIDENCE) / 2))
