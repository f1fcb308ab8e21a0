"""Exact curves and constants, for infinite volume, to lay beside estimates.

[DHM] Deijfen, Holroyd, Martin, Friendly frogs, stable marriage, and the magic of invariance (2016);
[HPPS] Holroyd, Pemantle, Peres, Schramm, Poisson matching (2009);
[HMP] Holroyd, Martin, Peres, Stable matchings in high dimensions via the Poisson-weighted infinite tree (2018).
"""

from __future__ import annotations

import math

import numpy as np
import scipy  # which imports scipy.special and scipy.stats when they are first used: few jobs do


def first_round(dim: int) -> float:
    """Probability that a point of a Poisson process is one of a mutually nearest pair: 1 / (2 - I_{3/4}((d+1)/2, 1/2))."""
    return 1 / (2 - float(scipy.special.betainc((dim + 1) / 2, 0.5, 0.75)))


def ein(z: np.ndarray | float) -> np.ndarray:
    """The entire exponential integral: the integral of (1 - e^-t)/t from 0 to z >= 0."""
    z = np.asarray(z, dtype=float)
    small = z < 1e-4
    safe = np.where(small, 1.0, z)
    return np.where(small, z - z**2 / 4, scipy.special.exp1(safe) + np.log(safe) + np.euler_gamma)


def one_color_tail(r: np.ndarray | float, dim: float, intensity: float = 1.0) -> np.ndarray:
    """P(X > r) in the one-color stable matching of a Poisson process where it is known, else nan.

    d = 1: exp(-Ein(2 r)) (the smallest-gap coarsening model). Mean field: 1 / (1 + r) ([HMP]).
    """
    r = np.asarray(r, dtype=float) * intensity ** (0 if dim not in (1, math.inf) else 1)
    if dim == 1:
        return np.exp(-ein(2 * r))
    if dim == math.inf:
        return 1 / (1 + r)
    return np.full_like(r, np.nan)


def unmatched_fraction(rule: str, dim: float, intensities: tuple[float, ...], color: int) -> float:
    """Probability that a point of this color is unmatched in infinite volume, where it is known, else nan.

    one-color: 0 ([DHM] Thm 4); misere: 0 (Cor. 10); two-color: the excess of the majority (Thm 8). fussy: 0 for green; for red
    e^(-1/rho) in the mean-field model ([HMP]), otherwise unknown: the open problem of [DHM] 3.3.
    """
    if rule in ("one-color", "misere"):
        return 0.0
    if rule == "two-color" and len(intensities) == 2:
        own, other = intensities[color], intensities[1 - color]
        return max(0.0, own - other) / own
    if rule == "fussy" and len(intensities) == 2:
        if color == 0:
            return 0.0
        if dim == math.inf:
            return math.exp(-intensities[0] / intensities[1])
    return math.nan


def alice_wins(process: str, rule: str, means: tuple[float, ...]) -> float:
    """P(Alice wins) on a torus whose colors have Poisson numbers of points with these means, where it is known, else nan.

    one-color: an odd number of points ([DHM] Thm 1); two-color: more amber points than blue ones (the finite Thm 8).
    """
    if rule == "one-color" and process in ("poisson", "two_color"):
        return -math.expm1(-2 * sum(means)) / 2
    if rule == "two-color" and process == "two_color":
        return float(scipy.stats.skellam.sf(0, *means))
    return math.nan


# V * P(X > r) for large r, one color: V is the expected number of points within r. d = 1 is exact, d = 2 and 3 were measured.
LEVELS = {1: math.exp(-np.euler_gamma), 2: 0.613, 3: 0.658, math.inf: 1.0}


def imbalance(mean: float) -> float:
    """E|N_A - N_B| for two independent Poisson counts with this large mean: about sqrt(4 mean / pi)."""
    return math.sqrt(4 * mean / math.pi)


def cutoff(dim: float, side: float, volume: float) -> float:
    """Largest r at which a torus of this side says something about infinite volume: L/5 in d = 1, L/8 in d >= 2.

    For the mean-field model a twentieth of the volume, so that a ball holds a twentieth of the points.
    """
    if dim == math.inf:
        return volume / 20
    return side / 5 if dim == 1 else side / 8
