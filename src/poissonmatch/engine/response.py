"""The response of the one-color matching to the exclusion of a matched pair.

It consists of the new partners of its two points.

Up to the length of the pair nothing changes. From there on its ends are *tokens*, points that are
free in the new matching and matched in the old. A token takes the nearest point that prefers it to
its partner, which then becomes a token in turn, so there are two tokens at a time; or they take
each other. A token is free from the old distance of its old partner on, so it searches for partners
after that one.
"""

# mypy: ignore-errors

from typing import NamedTuple

import numpy as np

from . import octave_kernels as levels
from .jit import inlined, jit
from .octave_kernels import Octaves, points_near
from .pair_order import ordered, precedes
from .simd import squared_distance


class Search(NamedTuple):
    """The old matching, and the points that are taken in the new one."""

    partner: np.ndarray  # (n,), -1 for the unmatched
    taken: np.ndarray  # (n,): point whose pair was excluded when this one was last taken, -1 at first
    max2: float  # longer squared distances are not looked at


@jit
def partner_squares(X, partner, sides, dims, X2):
    """Write the squared partner distance of each point to X2; inf for the unmatched."""
    for x in range(len(partner)):
        X2[x] = squared_distance(X, x, partner[x], sides, dims) if partner[x] >= 0 else np.inf


@inlined
def next_partner(x, low2, low, stamp, search, octaves):
    """Return the first pair of x after (low2, low) whose other point is free and prefers x.

    The pair is (index or -1, square).

    stamp: the point whose pair is excluded, by which taken points are marked.
    """
    X2, dims = octaves.X2, octaves.dims
    for level in range(len(octaves.radius2)):
        high2 = min(octaves.radius2[level], search.max2)
        if low2 > high2:
            continue
        best2, best = high2, np.int64(-1)
        for turn in range(octaves.rows):
            lo, hi, lo2, hi2 = points_near(turn, x, level, octaves)
            while True:
                for k in range(lo, hi):
                    z = np.int64(octaves.member[k])
                    d2 = squared_distance(octaves.X, x, z, octaves.sides, dims)
                    if d2 > best2 or d2 > X2[z] or d2 < low2 or z == x or search.taken[z] == stamp:
                        continue
                    if best >= 0 and not precedes(d2, z, best2, best):
                        continue
                    if precedes(low2, low, d2, z) and precedes(d2, x, X2[z], search.partner[z]):
                        best2, best = d2, z
                if lo2 == hi2:
                    break
                lo, hi = lo2, hi2
                lo2 = hi2
        if best >= 0:
            return best, best2
    return np.int64(-1), np.inf


@jit
def new_partners(search, octaves, new2):
    """Write the new squared partner distance of each point whose pair has a square of at most max2.

    It is the distance after that pair alone is excluded.

    inf where that is more than max2; new2, (n,), is unchanged for other points. Long, because the
    two tokens are the state of one loop.
    """
    X2, partner = octaves.X2, search.partner
    for k in range(len(partner)):  # by cells of the first level, which holds all: neighbors are in the cache together
        a = np.int64(octaves.member[k])
        b = np.int64(partner[a])
        if b < a or X2[a] > search.max2:
            continue
        new2[a] = new2[b] = np.inf
        # tokens: points (-1: none), and the next partner of each, if known
        p, q = np.int64(a), b
        known_p = known_q = False
        next_p = next_q = np.int64(-1)
        p2 = q2 = np.inf
        low_p, low_p2, low_q, low_q2 = np.int64(partner[p]), X2[p], np.int64(partner[q]), X2[q]
        n_free = 2  # ends of the pair that have no partner yet
        while n_free > 0:
            if p >= 0 and not known_p:
                next_p, p2 = next_partner(p, low_p2, low_p, a, search, octaves)
                known_p = True
            if q >= 0 and not known_q:
                next_q, q2 = next_partner(q, low_q2, low_q, a, search, octaves)
                known_q = True
            each2 = np.inf  # they may take each other once both are free
            if p >= 0 and q >= 0 and partner[p] != q:
                d2 = squared_distance(octaves.X, p, q, octaves.sides, octaves.dims)
                if d2 <= search.max2 and precedes(X2[p], partner[p], d2, q) and precedes(X2[q], partner[q], d2, p):
                    each2 = d2
            turn_q = next_q >= 0 and precedes(q2, ordered(q, next_q), p2, ordered(p, next_p))
            x, z, d2 = (q, next_q, q2) if turn_q else (p, next_p, p2)
            if each2 < np.inf and precedes(each2, ordered(p, q), d2, ordered(x, z)):
                if p == a or p == b:
                    new2[p] = each2
                if q == a or q == b:
                    new2[q] = each2
                break
            if z < 0:
                break
            if x == a or x == b:
                new2[x] = d2
                n_free -= 1
            search.taken[z] = a
            token = np.int64(partner[z])  # the next one; if z was the other one, both ends have a partner now
            if turn_q:
                q, known_q, next_q, q2 = token, False, np.int64(-1), np.inf
                if token >= 0:
                    low_q, low_q2 = z, X2[token]
                if next_p == z:
                    known_p, low_p, low_p2 = False, z, p2
            else:
                p, known_p, next_p, p2 = token, False, np.int64(-1), np.inf
                if token >= 0:
                    low_p, low_p2 = z, X2[token]
                if next_q == z:
                    known_q, low_q, low_q2 = False, z, q2


def new_squares(points: np.ndarray, partner: np.ndarray, sides: np.ndarray, max_distance: float) -> np.ndarray:
    """Return squared partner distances after the pair of the point alone is excluded: (n,).

    The matching is a one-color matching on a torus.

    inf where there is no partner within `max_distance`, which is below a third of each side; nan
    where the pair is longer.
    """
    (n, d), X = points.shape, points.T
    X2, index = np.empty(n), np.arange(n, dtype=np.int32 if n < 2**31 else np.int64)
    partner_squares(X, partner, sides, (0,) * d, X2)
    octaves: Octaves = levels.build(X, X2, index, max_distance, np.zeros(d), sides, sides)
    new2 = np.where(X2 < np.inf, np.nan, np.inf)
    new_partners(Search(partner, np.full(n, -1, index.dtype), max_distance * max_distance), octaves, new2)
    return new2
