"""The result of a matching, told by the user's index."""

# mypy: ignore-errors

import numpy as np

from .jit import jit


@jit
def tell_partners(names, found, partners):
    """partners[names[i]] becomes the names of found[i], which are rows of found as well, or -1."""
    for i in range(len(names)):
        a = names[i]
        for k in range(found.shape[1]):
            j = found[i, k]
            partners[a, k] = names[np.uintp(j)] if j >= 0 else -1


@jit
def tell_distances(names, found, distances):
    """distances[names[i]] becomes found[i]."""
    for i in range(len(names)):
        a = names[i]
        for k in range(found.shape[1]):
            distances[a, k] = found[i, k]
