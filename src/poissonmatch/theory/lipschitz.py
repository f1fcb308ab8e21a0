"""What rho u(rho) at one ratio says about others: recoloring a point changes (red minus green survivors) by at most two.

By Theorem 5 of docs/paper/theorem-on-the-line.md, U = rho u(rho) has |(1 + rho) U' - U| <= 2 rho - 2 U in every
dimension.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np


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
