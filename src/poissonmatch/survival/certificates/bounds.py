"""Exact arithmetic of certificates: the packing number of a window, error probabilities, and lower bounds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

DIMS = (1, 2, 3)
CONFIDENCE = 0.95  # of the lower bound
DIGITS = 10**30  # denominator of the rational bounds of irrational constants


def rounded_up(number: float | Fraction) -> float:
    """Return a float above a number from 0 to 1, the next one or the one after it."""
    return math.nextafter(float(number), 1)


def packing_bound(dim: int, window: float, scale: float) -> int:
    """Return a bound on the number of points at mutual distances above `scale` in a cube with this side.

    In d = 1 it is floor(s/r) + 1, in d = 2 that of Oler (1961), floor((2/sqrt 3) (s/r)^2 + 2 s/r +
    1), in d = 3 the volume of a cube of side s + r over that of a ball of diameter r.
    """
    quotient = Fraction(window) / Fraction(scale)
    if dim == 1:
        return math.floor(quotient) + 1
    if dim == 2:
        two_over_root_three = Fraction(math.isqrt(4 * DIGITS**2 // 3) + 1, DIGITS)
        return math.floor(two_over_root_three * quotient**2 + 2 * quotient + 1)
    below_pi = Fraction(314159265358979323846, 10**20)
    return math.floor(6 * (quotient + 1) ** 3 / below_pi)


def error_probability(packing: int, threshold: int, boxes: int) -> Fraction:
    """Return (B/(B + c))^n, a bound on the probability that D >= c in all n boxes if u were 0.

    The true difference T of red and green survivors in a window has T >= D, T + B >= 0 and, if u
    were 0, a mean of at most 0; so P(D >= c) <= P(T + B >= c + B) <= B/(B + c) by Markov's
    inequality.
    """
    return Fraction(packing, packing + threshold) ** boxes


def e_value(counts: Sequence[int], packing: int, mean: Fraction) -> Fraction:
    """Return the product of all (D + B)/(mean + B), with D at least -B.

    If the mean of the true differences T >= D is at most `mean`, the product ever reaches 1/p with
    a probability of at most p, by Ville's inequality.
    """
    product = math.prod(max(count + packing, 0) for count in counts)
    return product / (mean + packing) ** len(counts)


def lower_bound(counts: Sequence[int], packing: int, volume: Fraction, alpha: Fraction) -> float:
    """Return a number x such that the e-value for the mean x volume is at least 1/alpha; 0 if it is not even for x = 0.

    With probability 1 - alpha the mean of a true difference is at least x volume: for the volume of
    the window, x bounds rho u from below, and for rho times this volume, u.
    """
    if min(counts) + packing <= 0:
        return 0.0
    mean = math.fsum(math.log(count + packing) for count in counts) + math.log(alpha)
    bound = max(0.0, (math.exp(mean / len(counts)) - packing) / float(volume))
    while bound > 0 and e_value(counts, packing, Fraction(bound) * volume) * alpha < 1:
        bound *= 1 - 1e-12
    return bound
