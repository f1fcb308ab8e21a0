"""What happens when a matched pair of the one-color matching is forbidden: its two points find other partners.

Up to the length of the pair nothing changes. From there on its ends are *tokens*, points that are free in the new matching and
were matched in the old. A token takes the nearest point that would rather have it, whose old partner becomes a token in turn, so
there are two tokens at a time; or they take each other. A token is free from the old distance of its old partner on, so it looks
for partners after that one.
"""

# mypy: ignore-errors

import numpy as np

from . import octaves as levels
from .jit import inlined, jit
from .octaves import Octaves, before, pieces, row_of
from .simd import squared_distance


@jit
def partner_squares(X, partner, sides, dims, X2):
    """Write the squared partner distance of each point to X2; inf for the unmatched."""
    for x in range(len(partner)):
        X2[x] = squared_distance(X, x, partner[x], sides, dims) if partner[x] >= 0 else np.inf


@inlined
def next_partner(x, low2, low, X, X2, partner, taken, stamp, most2, octaves, dims):
    """The first pair of x after (low2, low) whose other point is not taken and would rather have x: (index or -1, square)."""
    rows = 1
    for _ in range(len(dims) - 1):
        rows *= 3
    for level in range(len(octaves.radius2)):
        reach2 = min(octaves.radius2[level], most2)
        if low2 > reach2:
            continue
        best2, best = reach2, np.int64(-1)
        for turn in range(rows):
            row, c = row_of(turn, x, level, X, octaves, dims)
            lo, hi, lo2, hi2 = pieces(row, c, level, octaves)
            while True:
                for k in range(lo, hi):
                    z = np.int64(octaves.member[k])
                    d2 = squared_distance(X, x, z, octaves.sides, dims)
                    if d2 > best2 or d2 > X2[z] or d2 < low2 or z == x or taken[z] == stamp:
                        continue
                    if best >= 0 and not before(d2, z, best2, best):
                        continue
                    if before(low2, low, d2, z) and before(d2, x, X2[z], partner[z]):
                        best2, best = d2, z
                if lo2 == hi2:
                    break
                lo, hi = lo2, hi2
                lo2 = hi2
        if best >= 0:
            return best, best2
    return np.int64(-1), np.inf


@jit
def new_partners(X, X2, partner, most2, octaves, dims, taken, new2):
    """For each point whose pair is at most most2 long: its squared partner distance after that pair alone is forbidden.

    inf where that is more than most2; of other points new2 is left alone. taken: (n,) of -1. Long, because the two tokens are
    the state of one loop.
    """
    for k in range(len(partner)):  # by cells of the first level, which holds all: neighbors are in the cache together
        a = np.int64(octaves.member[k])
        b = np.int64(partner[a])
        if b < a or X2[a] > most2:
            continue
        new2[a] = new2[b] = np.inf
        # tokens: points (-1: none), and the next partner of each, if known
        p, q = np.int64(a), b
        known_p = known_q = False
        next_p = next_q = np.int64(-1)
        p2 = q2 = np.inf
        low_p, low_p2, low_q, low_q2 = np.int64(partner[p]), X2[p], np.int64(partner[q]), X2[q]
        waits = 2  # ends of the pair that have no partner yet
        while waits > 0:
            if p >= 0 and not known_p:
                next_p, p2 = next_partner(p, low_p2, low_p, X, X2, partner, taken, a, most2, octaves, dims)
                known_p = True
            if q >= 0 and not known_q:
                next_q, q2 = next_partner(q, low_q2, low_q, X, X2, partner, taken, a, most2, octaves, dims)
                known_q = True
            each2 = np.inf  # they may take each other once both are free
            if p >= 0 and q >= 0 and partner[p] != q:
                d2 = squared_distance(X, p, q, octaves.sides, dims)
                if d2 <= most2 and before(X2[p], partner[p], d2, q) and before(X2[q], partner[q], d2, p):
                    each2 = d2
            turn_q = q2 < p2 or (
                q2 == p2 and next_q >= 0 and (min(q, next_q), max(q, next_q)) < (min(p, next_p), max(p, next_p))
            )
            x, z, d2 = (q, next_q, q2) if turn_q else (p, next_p, p2)
            if each2 < np.inf and (each2 < d2 or (each2 == d2 and (min(p, q), max(p, q)) < (min(x, z), max(x, z)))):
                if p == a or p == b:
                    new2[p] = each2
                if q == a or q == b:
                    new2[q] = each2
                break
            if z < 0:
                break
            if x == a or x == b:
                new2[x] = d2
                waits -= 1
            taken[z] = a
            left = np.int64(partner[z])  # is the next token; if z was the other one, both ends have a partner now
            if turn_q:
                q, known_q, next_q, q2 = left, False, np.int64(-1), np.inf
                if left >= 0:
                    low_q, low_q2 = z, X2[left]
                if next_p == z:
                    known_p, low_p, low_p2 = False, z, p2
            else:
                p, known_p, next_p, p2 = left, False, np.int64(-1), np.inf
                if left >= 0:
                    low_p, low_p2 = z, X2[left]
                if next_q == z:
                    known_q, low_q, low_q2 = False, z, q2


def new_squares(points: np.ndarray, partner: np.ndarray, sides: np.ndarray, most: float) -> np.ndarray:
    """Squared partner distances in a one-color matching on a torus after the pair of the point, and no other, is forbidden: (n,).

    inf where there is no partner within `most`, which is less than a third of each side; nan where the pair is longer.
    """
    (n, d), X = points.shape, points.T
    X2, dims, index = np.empty(n), (0,) * d, np.arange(n, dtype=np.int32 if n < 2**31 else np.int64)
    partner_squares(X, partner, sides, dims, X2)
    octaves: Octaves = levels.build(X, X2, index, most, np.zeros(d), sides, sides)
    new2 = np.where(X2 < np.inf, np.nan, np.inf)
    new_partners(X, X2, partner, most * most, octaves, dims, np.full(n, -1, index.dtype), new2)
    return new2
