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
    """Return a tuple that orders the pair x, y of indices or other values with an order."""
    return (key, *sorted((x, y)))


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
