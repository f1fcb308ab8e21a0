"""Influences of replicates on a ratio of sums, and its standard error."""

from __future__ import annotations

import numpy as np


def ratio(numerator: np.ndarray, denominator: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return sum(numerator) / sum(denominator) over replicates (axis 0) and the influence of each.

    denominator: as numerator, or (n,).
    """
    denominator = np.asarray(denominator)
    denominator = denominator.reshape(*denominator.shape, *[1] * (numerator.ndim - denominator.ndim))
    with np.errstate(invalid="ignore", divide="ignore"):
        value = numerator.sum(axis=0) / denominator.sum(axis=0)
        return value, (numerator - value * denominator) / denominator.mean(axis=0)


def jackknife_ratio(numerator: np.ndarray, denominator: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return as `ratio`, with influences that allow that few replicates have most of the denominator, both (n, k)."""
    value, influence = ratio(numerator, denominator)
    with np.errstate(divide="ignore", invalid="ignore"):  # if one replicate has all
        others = 1 - denominator / denominator.sum(axis=0)
        return value, influence * ((1 - 1 / len(influence)) / others)


def standard_error(influence: np.ndarray) -> np.ndarray:
    """Return the standard error from the influences of replicates (axis 0), nan for a single replicate."""
    n = len(influence)
    if n < 2:
        return np.full(influence.shape[1:], np.nan)
    return np.sqrt((influence**2).sum(axis=0) / (n * (n - 1)))
