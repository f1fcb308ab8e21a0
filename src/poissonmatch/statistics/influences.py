"""What each replicate contributes to a ratio of sums over replicates, and the standard error that follows."""

from __future__ import annotations

import numpy as np


def ratio(top: np.ndarray, bottom: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """sum(top) / sum(bottom) over replicates (axis 0), and the influence of each replicate on it. bottom: as top, or (n,)."""
    bottom = np.asarray(bottom, dtype=float)
    bottom = np.broadcast_to(bottom.reshape(*bottom.shape, *[1] * (top.ndim - bottom.ndim)), top.shape)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = top.sum(axis=0) / bottom.sum(axis=0)
        return value, (top - value * bottom) / bottom.mean(axis=0)


def standard_error(influence: np.ndarray) -> np.ndarray:
    """Standard error from the influences of the replicates (axis 0); nan for a single one."""
    n = len(influence)
    if n < 2:
        return np.full(influence.shape[1:], np.nan)
    return np.sqrt((influence**2).sum(axis=0) / (n * (n - 1)))
