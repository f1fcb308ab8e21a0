"""Exact arithmetic of certificates: the packing number of a window, error probabilities, and what follows for other ratios."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

DIMS = (1, 2, 3)
CONFIDENCE = 0.95  # of the lower bound
DIGITS = 10**30  # denominator of the rational bounds of irrational constants


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


def loss(ratio: float, interval: tuple[float, float]) -> Fraction:
    """Return the largest possible rho u(rho) at this ratio if u were 0 at some point of an interval around it.

    If u(a) = 0 with a <= rho, then rho u(rho) <= (rho^2 - a^2)/(1 + rho), and if u(b) = 0 with b >=
    rho, then rho u(rho) <= 2 b (b - rho)/(1 + b); both grow with the distance.
    """
    rho, (a, b) = Fraction(ratio), map(Fraction, interval)
    return max((rho**2 - a**2) / (1 + rho), 2 * b * (b - rho) / (1 + b))


def covers(ratio: float, surplus: float) -> tuple[float, float]:
    """Return the interval around a ratio on which u > 0 if rho u(rho) is more than `surplus` there: its loss is at most that."""
    root = math.sqrt((2 * ratio + surplus) ** 2 + 8 * surplus)
    low = math.sqrt(max(0.0, ratio**2 - (1 + ratio) * surplus))
    high = (2 * ratio + surplus + root) / 4
    while loss(ratio, (low, ratio)) > surplus:
        low = float(np.nextafter(low, ratio))
    while loss(ratio, (ratio, high)) > surplus:
        high = float(np.nextafter(high, ratio))
    return min(low, ratio), max(high, ratio)


def center(interval: tuple[float, float]) -> float:
    """Return the ratio at which the losses of both ends of an interval are equal, with nine decimals."""
    a, b = interval
    c = 2 * b / (1 + b)
    p, q = c * (1 - b), a**2 + c * b  # (1 + c) rho^2 + p rho = q
    return round((math.sqrt(p**2 + 4 * (1 + c) * q) - p) / (2 * (1 + c)), 9)
