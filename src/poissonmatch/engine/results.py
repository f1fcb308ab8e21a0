"""The result of a matching, from rows in the order of the first phase to the indices of the points."""

# mypy: ignore-errors

import numpy as np

from .jit import jit


@jit
def write_partners(index, partner_rows, partners):
    """Write the partners of point index[row], given by their rows, (n, width), -1 for none, to partners[index[row]]."""
    for row in range(len(index)):
        a = index[row]
        for k in range(partner_rows.shape[1]):
            other = partner_rows[row, k]
            partners[a, k] = index[np.uintp(other)] if other >= 0 else -1


@jit
def write_distances(index, row_distances, distances):
    """Write row_distances[row], (n, width), to distances[index[row]]."""
    for row in range(len(index)):
        a = index[row]
        for k in range(row_distances.shape[1]):
            distances[a, k] = row_distances[row, k]
