"""The pair order: pairs come by squared distance, and ties by index. Kernels compare pairs only here."""

from __future__ import annotations

from typing import Any

import numpy as np

from .jit import Int, inlined, jit


@jit
def squared_distance(X: np.ndarray, x: Int, y: Int, sides: np.ndarray, dims: tuple[Int, ...]) -> float:
    """Return the squared distance of points x and y, a sum over coordinates in order.

    sides: (d,), inf along axes without a seam.
    """
    total, x, y = 0.0, np.uintp(x), np.uintp(y)
    for axis in range(len(dims)):
        gap = abs(X[axis, y] - X[axis, x])
        gap = min(gap, sides[axis] - gap)
        total += gap * gap
    return total


@inlined
def precedes(d2: float, i: Any, e2: float, j: Any) -> bool:
    """Return whether a pair at squared distance d2 comes before another at e2.

    For two pairs of one point, i and j are the indices of the other points; for any two pairs, what
    `ordered` returns for each.
    """
    return d2 < e2 or (d2 == e2 and i < j)


@inlined
def ordered(i: Int, j: Int) -> tuple[Int, Int]:
    """Return the two indices of a pair, the smaller first."""
    return min(i, j), max(i, j)
