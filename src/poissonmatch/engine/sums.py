"""Counts and sums over the points of a matching, in one pass: the same in whatever order the points come, in however many parts."""

# mypy: ignore-errors

import numpy as np

from .jit import inlined, jit
from .simd import bits_of

MANTISSA = 52  # bits of the mantissa of a float, the leading one left out
EXPONENTS = 2**11 - 1  # of finite floats: the bits above
LEAST = -1074  # the power of two of the last bit of the smallest float
HALF = 26  # bits of the lower part of a mantissa
FINE = 5  # bits of it tell where a float lies in its octave, well enough to know its bin but for one step


def first_guess(edges):
    """(low, guess): the bin of a float x, but for a step up, is guess[(bits of x >> MANTISSA - FINE) - low], or the nearest there is."""
    bits = edges[[0, -1]].view(np.int64) >> (MANTISSA - FINE)
    places = (np.arange(bits[0], bits[1] + 1) << (MANTISSA - FINE)).view(np.float64)
    return int(bits[0]), np.maximum(np.searchsorted(edges, places, side="right") - 1, 0)


@inlined
def add_exactly(value, sums, color, k):
    """Add a float from 0 to the integers sums[color, k]: the upper and lower halves of mantissas, by their exponents."""
    bits = bits_of(value)
    exponent, mantissa = bits >> MANTISSA, bits & ((1 << MANTISSA) - 1)
    if exponent > 0:
        mantissa |= 1 << MANTISSA
        exponent -= 1
    place = np.uintp(exponent)
    sums[color, k, 0, place] += mantissa >> HALF
    sums[color, k, 1, place] += mantissa & ((1 << HALF) - 1)


@jit
def add_up(colors, distance, settled, lo, hi, edges, low, guess, ball, power, matched, unmatched, bins, sums, longest):
    """Add the points lo <= i < hi of those that are settled (None: all): by color, how many are matched and unmatched, how many k-th
    partners lie in each bin of edges (the lowest holds all below), and of the distance x to the nearest partner the longest, and the
    exact sums of x, x^2 and ball * x^power.

    distance: (n, width), inf where there is no partner. low, guess: of first_guess. matched, unmatched, longest: (C,); bins: (C, width,
    len(edges)); sums: (C, 3, 2, EXPONENTS), integers whose sum, each times a power of two, is the sum.
    """
    for i in range(lo, hi):
        if settled is not None:
            if not settled[i]:
                continue
        color = np.uintp(colors[i])
        x = np.inf
        for k in range(distance.shape[1]):
            if distance[i, k] == np.inf:
                continue
            x = min(x, distance[i, k])
            place = (bits_of(distance[i, k]) >> (MANTISSA - FINE)) - low
            bin = guess[np.uintp(min(max(place, 0), len(guess) - 1))]
            while bin + 1 < len(edges) and edges[np.uintp(bin + 1)] <= distance[i, k]:
                bin += 1
            bins[color, k, np.uintp(bin)] += 1
        if x == np.inf:
            unmatched[color] += 1
            continue
        matched[color] += 1
        longest[color] = max(longest[color], x)
        volume = ball
        for _ in range(power):
            volume *= x
        add_exactly(x, sums, color, 0)
        add_exactly(x * x, sums, color, 1)
        add_exactly(volume, sums, color, 2)


def exact_sum(sums):
    """The sum that (2, EXPONENTS) integers of add_up stand for, correctly rounded: the same in any order."""
    high, low = (np.flatnonzero(part) for part in sums)
    total = sum(int(sums[0, e]) << int(e + HALF) for e in high) + sum(int(sums[1, e]) << int(e) for e in low)
    return total / (1 << -LEAST)
