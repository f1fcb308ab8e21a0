"""The pair order: pairs come by squared distance, and ties by index. Kernels compare pairs only here."""

# mypy: ignore-errors

import numpy as np

from .jit import inlined, jit


@jit
def squared_distance(X, x, y, sides, dims):
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
def precedes(d2, i, e2, j):
    """Return whether a pair at squared distance d2 comes before another at e2.

    For two pairs of one point, i and j are the indices of the other points; for any two pairs, what
    `ordered` returns for each.
    """
    return d2 < e2 or (d2 == e2 and i < j)


@inlined
def ordered(i, j):
    """Return the two indices of a pair, the smaller first."""
    return min(i, j), max(i, j)
