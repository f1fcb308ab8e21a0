"""Counts and sums over the points of a matching in one pass, independent of their order and of a division into parts."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from .jit import Int, inlined, jit
from .simd import bits_of

MANTISSA_BITS = 52  # of a float, without the leading one
EXPONENTS = 2**11 - 1  # number of exponents of finite floats
MIN_EXPONENT = -1074  # power of two of the last bit of the smallest float
HALF_BITS = 26  # of the lower part of a mantissa
GUESS_BITS = 5  # of the mantissa, from which the bin of a float is known up to one step


class Bins(NamedTuple):
    """Bins that begin at edges: that of x, or the one below, is guess[(bits of x >> MANTISSA_BITS - GUESS_BITS) - low]."""

    edges: np.ndarray  # (k,), ascending
    low: int
    guess: np.ndarray


class Totals(NamedTuple):
    """What add_up adds to, for C colors."""

    matched: np.ndarray  # (C,) number of matched points
    unmatched: np.ndarray  # (C,)
    bins: np.ndarray  # (C, width, k) number of k-th partners by distance; the lowest bin holds all smaller distances
    sums: np.ndarray  # (C, 3, 2, EXPONENTS) int64: sums of x, x^2 and volume * x^power, as integers times powers of two
    longest: np.ndarray  # (C,) largest distance x to a nearest partner


def bins_of(edges: np.ndarray) -> Bins:
    """Return the Bins for edges (k,), ascending positive floats."""
    bits = edges[[0, -1]].view(np.int64) >> (MANTISSA_BITS - GUESS_BITS)
    values = (np.arange(bits[0], bits[1] + 1) << (MANTISSA_BITS - GUESS_BITS)).view(np.float64)
    return Bins(edges, int(bits[0]), np.maximum(np.searchsorted(edges, values, side="right") - 1, 0))


@inlined
def add_exactly(value: float, sums: np.ndarray, color: Int, k: int) -> None:
    """Add a nonnegative float to the integers sums[color, k], the upper and lower halves of mantissas by exponent."""
    bits = bits_of(value)
    exponent, mantissa = bits >> MANTISSA_BITS, bits & ((1 << MANTISSA_BITS) - 1)
    if exponent > 0:
        mantissa |= 1 << MANTISSA_BITS
        exponent -= 1
    entry = np.uintp(exponent)
    sums[color, k, 0, entry] += mantissa >> HALF_BITS
    sums[color, k, 1, entry] += mantissa & ((1 << HALF_BITS) - 1)


@jit
def add_up(
    colors: np.ndarray,
    distance: np.ndarray,
    settled: np.ndarray | None,
    bins: Bins,
    volume: float,
    power: Int,
    totals: Totals,
) -> None:
    """Add the settled points (None: all) to the totals: counts by color, partner distances, sums over nearest partners.

    colors: (n,); distance: (n, width), inf for no partner; volume: of the unit ball, in dimension
    `power`.
    """
    edges, guess = bins.edges, bins.guess
    for i in range(len(colors)):
        if settled is not None:
            if not settled[i]:
                continue
        color = np.uintp(colors[i])
        x = np.inf
        for k in range(distance.shape[1]):
            if distance[i, k] == np.inf:
                continue
            x = min(x, distance[i, k])
            entry = (bits_of(distance[i, k]) >> (MANTISSA_BITS - GUESS_BITS)) - bins.low
            bin = guess[np.uintp(min(max(entry, 0), len(guess) - 1))]
            while bin + 1 < len(edges) and edges[np.uintp(bin + 1)] <= distance[i, k]:
                bin += 1
            totals.bins[color, k, np.uintp(bin)] += 1
        if x == np.inf:
            totals.unmatched[color] += 1
            continue
        totals.matched[color] += 1
        totals.longest[color] = max(totals.longest[color], x)
        ball = volume
        for _ in range(power):
            ball *= x
        add_exactly(x, totals.sums, color, 0)
        add_exactly(x * x, totals.sums, color, 1)
        add_exactly(ball, totals.sums, color, 2)


@inlined
def at_power(sums: np.ndarray, binary_power: int) -> Int:
    """Return the sum of the integers in sums (2, EXPONENTS) that count for this power of two."""
    total = np.int64(0)
    if binary_power < EXPONENTS:
        total += sums[1, binary_power]
    if binary_power >= HALF_BITS:
        total += sums[0, binary_power - HALF_BITS]
    return total


@jit
def rounded_sum(sums: np.ndarray) -> float:
    """Return the correctly rounded sum in the integers (2, EXPONENTS) of add_up, which become 0."""
    low, high = 0, EXPONENTS + HALF_BITS - 1
    while low <= high and at_power(sums, low) == 0:
        low += 1
    while high > low and at_power(sums, high) == 0:
        high -= 1
    total, binary_power = np.int64(0), low
    last, below = np.uint64(0), np.uint64(0)  # the last 64 bits of the sum, the highest first; whether one below is 1
    while binary_power <= high or total > 0:
        if binary_power <= high:
            total += at_power(sums, binary_power)
        below |= last & np.uint64(1)
        last = (last >> np.uint64(1)) | (np.uint64(total & 1) << np.uint64(63))
        total >>= 1
        binary_power += 1
    sums[:, max(0, low - HALF_BITS) : high + 1] = 0
    return math.ldexp(np.float64(last | below), binary_power - 64 + MIN_EXPONENT)


@jit
def round_sums(sums: np.ndarray, rounded: np.ndarray) -> None:
    """Write the correctly rounded sums (3, C) in the integers (C, 3, 2, EXPONENTS) of add_up, which become 0."""
    for color in range(len(sums)):
        for k in range(3):
            rounded[k, color] = rounded_sum(sums[color, k])


@jit
def add_sets(
    colors: np.ndarray,
    distance: np.ndarray,
    ends: np.ndarray,
    bins: Bins,
    volume: float,
    power: Int,
    totals: Totals,
    rounded: np.ndarray,
) -> None:
    """Do what add_up and round_sums do for sets of points, ends[s] <= i < ends[s + 1]; arrays have an entry for each."""
    for s in range(len(rounded)):
        own = slice(ends[s], ends[s + 1])
        of_set = Totals(totals.matched[s], totals.unmatched[s], totals.bins[s], totals.sums, totals.longest[s])
        add_up(colors[own], distance[own], None, bins, volume, power, of_set)
        round_sums(totals.sums, rounded[s])


def exact_sums(sums: np.ndarray) -> np.ndarray:
    """Return the sums that round_sums writes; the integers stay."""
    rounded = np.empty((3, len(sums)))
    round_sums(sums.copy(), rounded)
    return rounded
