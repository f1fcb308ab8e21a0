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

from .finite_size import MAX_MEAN_IF_NONE

CONFIDENCE = 0.95  # of all intervals
Ends = tuple[Any, Any]


def student(value: Any, error: Any, n: int) -> Ends:
    """Return the interval of Student's t with n - 1 degrees of freedom; nan for one replicate."""
    width = _quantile(n - 1) * error
    return value - width, value + width


def of_positive(value: Any, error: Any, n: int) -> Ends:
    """Return the interval of a positive number, Student's t of its logarithm; 0 and 0 for the number 0 with error 0."""
    value = np.asarray(value)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        low, high = (np.exp(end) for end in student(np.log(value), error / value, n))
    zero = np.equal(value, 0) & np.equal(error, 0)
    return np.where(zero, 0.0, low), np.where(zero, 0.0, high)


def of_share(value: Any, error: Any, n: int) -> Ends:
    """Return the interval of a fraction from 0 to 1: Student's t of its logit.

    Near both ends it is therefore on the log scale.

    A share of exactly 0 or 1 has no error: both ends are the share.
    """
    value = np.asarray(value)
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = student(scipy.special.logit(value), error / (value * (1 - value)), n)
    low, high = (scipy.special.expit(end) for end in ends)
    certain = np.equal(value * (1 - value), 0) & (n > 1)
    return np.where(certain, value, low), np.where(certain, value, high)


def of_count(total: float, index: float, dof: float) -> Ends:
    """Return the interval of the mean of a count of points in clusters: index times the Poisson one for total / index.

    Without any point the upper end is index times 3, the rule of three for clusters.

    Parameters
    ----------
    total : float
        Number of points seen.
    index : float
        Index of dispersion, above 0.
    dof : float
        Degrees of freedom of the index; inf if it is known. The level is that of a normal variable
        at the quantile of Student's t.
    """
    if total == 0:
        return 0.0, MAX_MEAN_IF_NONE * index
    outside = scipy.special.ndtr(-_quantile(dof))
    clusters = total / index
    ends = scipy.special.gammaincinv(clusters, outside), scipy.special.gammainccinv(clusters + 1, outside)
    return index * float(ends[0]), index * float(ends[1])


def of_excess(total: float, excess: np.ndarray) -> Ends:
    """Return the interval of n E[D; D > 0] for a normal difference D of two numbers with mean 0, from |D| on n tori.

    The standard deviation of D has the interval of chi-square. The ends are moved so that the
    interval contains `total`, the sum of the positive D, which may be 0 on all tori.
    """
    n = len(excess)
    levels = np.array([1 + CONFIDENCE, 1 - CONFIDENCE]) / 2
    deviations = np.sqrt(np.square(excess).sum() / scipy.special.chdtri(n, 1 - levels))
    low, high = n * deviations / math.sqrt(2 * math.pi)
    return min(float(low), total), max(float(high), total)


def of_proportion(value: np.ndarray, n: int) -> Ends:
    """Return the intervals of Clopper and Pearson for the fractions (k,) of n replicates with a property."""
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
