"""The pair order: pairs come by squared distance, and ties by index.

Kernels compare pairs only here.
"""

# mypy: ignore-errors

from .jit import inlined


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
