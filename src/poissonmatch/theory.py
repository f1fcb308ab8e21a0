"""Exact curves and constants, for infinite volume, to lay beside estimates.

[DHM] Deijfen, Holroyd, Martin, Friendly frogs, stable marriage, and the magic of invariance (2016);
[HPPS] Holroyd, Pemantle, Peres, Schramm, Poisson matching (2009);
[HMP] Holroyd, Martin, Peres, Stable matchings in high dimensions via the Poisson-weighted infinite tree (2018).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

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


class Law:
    """What is known exactly of the matching of a rule, for a typical point in infinite volume; nan where nothing is.

    dim: inf is the mean-field model. intensities: of each color, points per unit volume. This one knows nothing.
    """

    def unmatched(self, dim: float, intensities: Sequence[float], color: int) -> float:
        """P(a point of this color is unmatched)."""
        return math.nan

    def tail(self, r: np.ndarray, dim: float, intensities: Sequence[float], color: int) -> np.ndarray:
        """P(X > r), X the distance from a point of this color to its first partner, in independent Poisson processes."""
        return np.full(np.shape(r), np.nan)

    def alice_wins(self, means: Sequence[float]) -> float:
        """P(Alice wins the game that the rule solves) on a torus whose colors have Poisson numbers with these means."""
        return math.nan


class Labels(Law):
    """Sprague-Grundy labels: the partner of label 0 is that of the one-color matching ([DHM] Prop. 14)."""

    def tail(self, r: np.ndarray, dim: float, intensities: Sequence[float], color: int) -> np.ndarray:
        return one_color_tail(r, dim, sum(intensities))


class OneColor(Labels):
    """All points are matched ([DHM] Thm 4); Alice wins on an odd number of points (Thm 1)."""

    def unmatched(self, dim: float, intensities: Sequence[float], color: int) -> float:
        return 0.0

    def alice_wins(self, means: Sequence[float]) -> float:
        return -math.expm1(-2 * sum(means)) / 2


class Misere(Law):
    """All points are matched ([DHM] Cor. 10)."""

    def unmatched(self, dim: float, intensities: Sequence[float], color: int) -> float:
        return 0.0


class TwoColor(Law):
    """The excess of the majority is unmatched ([DHM] Thm 8); on a torus Alice wins if there are more amber points than blue."""

    def unmatched(self, dim: float, intensities: Sequence[float], color: int) -> float:
        if len(intensities) < 2 or not intensities[color]:
            return math.nan
        own, other = intensities[color], intensities[1 - color]
        return max(0.0, own - other) / own

    def alice_wins(self, means: Sequence[float]) -> float:
        if len(means) < 2:
            return math.nan
        return float(scipy.stats.skellam.sf(0, *means)) if all(means) else -math.expm1(-means[0])


class Fussy(Law):
    """No green point is unmatched; of the red ones e^(-1/rho) in the mean-field model ([HMP]).

    How many they are in finite d is the open problem of [DHM] 3.3.
    """

    def unmatched(self, dim: float, intensities: Sequence[float], color: int) -> float:
        if len(intensities) < 2 or not intensities[color] or (color == 1 and dim != math.inf):
            return math.nan
        return 0.0 if color == 0 else math.exp(-intensities[0] / intensities[1])


# V * P(X > r) for large r, one color: V is the expected number of points within r. d = 1 is exact, d = 2 and 3 were measured.
LEVELS = {1: math.exp(-np.euler_gamma), 2: 0.613, 3: 0.658, math.inf: 1.0}


def imbalance(mean: float) -> float:
    """E|N_A - N_B| for two independent Poisson counts with this large mean: about sqrt(4 mean / pi)."""
    return math.sqrt(4 * mean / math.pi)
