"""The pair order: by distance, then by the smaller index of the two points, then by the larger.

It is total, so stable matchings are unique even if distances tie. Keys are the values of
`Pattern.squared_distance`. The engine has a compiled implementation, and the reference
implementation of the tests is a third.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def pair_key(key: Any, x: Any, y: Any) -> tuple:
    """Return a tuple that orders the pair x, y.

    x and y are indices or other values with an order.
    """
    return (key, *sorted((x, y)))


def pair_before(key: Any, i: Any, j: Any, other_key: Any, other_i: Any, other_j: Any) -> Any:
    """Return whether each pair i, j is before the pair other_i, other_j."""
    low, high = np.minimum(i, j), np.maximum(i, j)
    other_low, other_high = np.minimum(other_i, other_j), np.maximum(other_i, other_j)
    tie = (low < other_low) | ((low == other_low) & (high < other_high))
    return (key < other_key) | ((key == other_key) & tie)


def nearer(key: Any, point: Any, other_key: Any, other: Any) -> Any:
    """Return whether the pair of some point x with `point` is before the pair of x with `other`."""
    return (key < other_key) | ((key == other_key) & (point < other))


def sort_pairs(key: np.ndarray, i: np.ndarray, j: np.ndarray) -> np.ndarray:
    """Return the indices that sort pairs."""
    return np.lexsort((np.maximum(i, j), np.minimum(i, j), key))


def nearest_first(key: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return the indices that sort, along the last axis, the pairs of one point with others."""
    return np.lexsort((points, key))


def all_pairs(n: int, key_of: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return all n (n - 1) / 2 pairs i < j of n points in order, as two index arrays."""
    i, j = np.triu_indices(n, 1)  # ties are in order already
    order = np.argsort(key_of(i, j), kind="stable")
    return i[order], j[order]
