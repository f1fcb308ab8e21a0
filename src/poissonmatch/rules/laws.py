"""Exact laws of the rules in infinite volume, to compare with estimates; sources are listed in theory/__init__.py."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import scipy  # imports scipy.special and others on first use; few jobs need them

from ..theory.formulas import (
    MAX_EXACT_LABEL,
    first_round,
    label_tail,
    mean_excess,
    mean_field_shares,
    multi_tail,
    one_color_response,
    one_color_tail,
    structure_factor_limits,
    two_color_tail,
    unknown,
)
from ..theory.fussy_line import MAX_RHO, MIN_RHO, fussy_curve, fussy_dispersion, fussy_line
from ..theory.volumes import ball_power, is_mean_field

Intensities = Sequence[float]  # expected numbers of points of each color in a unit of volume


class Moments(NamedTuple):
    """Statement about which moments E X^q of a partner distance X of matched points are infinite.

    Parameters
    ----------
    power : float, default nan
        Those with q > power are infinite: inf if no moment is, nan if this is not known.
    source : str, default "not known"
        Where it is proved; "exact tail" if it follows from an exact formula; "measured" if it follows
        from tails on tori, which do not show factors of logarithms.
    inclusive : bool, default True
        Whether that with q = power is infinite as well.

    Examples
    --------
    >>> pm.RULES["one-color"].law.moments(2, (1.0,))
    Moments(power=2, source='[HPPS] Thm 4', inclusive=True)
    """

    power: float = math.nan
    source: str = "not known"
    inclusive: bool = True

    def infinite(self, power: float) -> bool:
        """Return whether E X^power is stated to be infinite."""
        return power > self.power or (self.inclusive and power == self.power)


class Law:
    """Exact results for a typical point of the matching of a rule in infinite volume, nan if none is known.

    In the methods, dim = inf is the mean-field model, and intensities are expected points per unit
    volume, one for each color. The base class has no results.

    Attributes
    ----------
    poisson_only : bool
        Whether the unmatched fraction holds for Poisson processes only, not for all ergodic
        processes.
    solved_dims : tuple of float
        Dimensions in which a tail is solved numerically, in a fraction of a second for each ratio.

    Examples
    --------
    >>> law = pm.RULES["two-color"].law
    >>> law.unmatched(2, (1.0, 0.5), 0), law.unmatched(2, (1.0, 0.5), 1)
    (0.5, 0.0)
    """

    poisson_only = False
    solved_dims: tuple[float, ...] = ()

    def unmatched(self, dim: float, intensities: Intensities, color: int) -> float:
        """Return P(a point of this color is unmatched)."""
        return math.nan

    def unmatched_curve(self, ratios: np.ndarray, dim: float, color: int) -> np.ndarray:
        """Return the same at many ratios of the intensities, color 1 over color 0."""
        return np.array([self.unmatched(dim, (1.0, float(ratio)), color) for ratio in ratios])

    def tail(self, r: np.ndarray, dim: float, intensities: Intensities, color: int, order: int = 0) -> np.ndarray:
        """Return P(X > r), X the distance from a point of this color to a partner, for independent Poisson processes.

        order: rank of the partner, 0 for the nearest; for rules with labels, the label.
        """
        return unknown(r)

    def moments(self, dim: float, intensities: Intensities) -> Moments:
        """Return which moments of X of order 0, for matched points, are infinite for independent Poisson processes."""
        return Moments()

    def infinite_moment(self, power: float, dim: float, intensities: Intensities) -> bool:
        """Return whether E X^power is infinite by `moments`."""
        return self.moments(dim, intensities).infinite(power)

    def same_for_colors(self, intensities: Intensities) -> bool:
        """Return whether all colors have the same tail, for independent Poisson processes."""
        return False

    def first_round(self, dim: float, intensities: Intensities) -> float:
        """Return P(a point of any color is matched in the first round, see matching/rounds.py) for Poisson processes."""
        return math.nan

    def response(self, volume: np.ndarray, dim: float) -> np.ndarray:
        """Return the response Y, as theory.one_color_response, at a distance within which `volume` points are expected."""
        return unknown(volume)

    def alice_wins(self, means: Sequence[float]) -> float:
        """Return P(Alice wins the game that the rule solves) on a torus with Poisson numbers of points of these means."""
        return math.nan

    def unmatched_on_torus(self, means: Sequence[float], color: int, fixed: bool) -> float:
        """Return the expected number of unmatched points of a color on a torus of any dimension.

        The numbers of points of the colors are Poisson with these means or, if `fixed`, are these.
        """
        return math.nan

    def structure_factor_limits(
        self, dim: float, intensities: Intensities, color: int, dispersions: Sequence[float]
    ) -> tuple[float, float]:
        """Return the limits at 0 of the structure factors of the points of a color with and without a partner.

        dispersions: those of all points of each color; nan if they are not known.
        """
        return math.nan, math.nan

    def level(self, dim: float) -> tuple[float, bool]:
        """Return the limit of V P(X > r), V the expected number of points within r, and whether it is measured."""
        return math.nan, False


class ColorlessLaw(Law):
    """Base class for rules that do not distinguish colors."""

    def same_for_colors(self, intensities: Intensities) -> bool:
        return True


class OneColorLaw(ColorlessLaw):
    """All points are matched ([DHM] Thm 4); Alice wins on an odd number of points (Thm 1)."""

    def unmatched(self, dim: float, intensities: Intensities, color: int) -> float:
        return 0.0

    def tail(self, r: np.ndarray, dim: float, intensities: Intensities, color: int, order: int = 0) -> np.ndarray:
        return one_color_tail(r, dim, sum(intensities)) if order == 0 else unknown(r)

    def moments(self, dim: float, intensities: Intensities) -> Moments:
        return Moments(ball_power(dim), "exact tail" if is_mean_field(dim) else "[HPPS] Thm 4")

    def first_round(self, dim: float, intensities: Intensities) -> float:
        return first_round(dim)

    def response(self, volume: np.ndarray, dim: float) -> np.ndarray:
        return one_color_response(volume, dim)

    def alice_wins(self, means: Sequence[float]) -> float:
        return self.unmatched_on_torus((sum(means),), 0, fixed=False)

    def unmatched_on_torus(self, means: Sequence[float], color: int, fixed: bool) -> float:
        odd = sum(means) % 2 if fixed else -math.expm1(-2 * sum(means)) / 2  # the last of an odd number of points
        return odd * means[color] / sum(means)

    def level(self, dim: float) -> tuple[float, bool]:
        return LEVELS.get(dim, math.nan), dim in MEASURED_LEVELS


class MultiLaw(ColorlessLaw):
    """Up to m partners ([DHM] 4.2)."""

    def __init__(self, m: int) -> None:
        self.m = m

    def tail(self, r: np.ndarray, dim: float, intensities: Intensities, color: int, order: int = 0) -> np.ndarray:
        if not is_mean_field(dim) or order >= self.m:
            return unknown(r)
        return multi_tail(sum(intensities) * np.asarray(r), self.m, order)

    def moments(self, dim: float, intensities: Intensities) -> Moments:
        if is_mean_field(dim):  # of the nearest partner: P(X > r) is about 1 / (r ln^(m - 1) r)
            return Moments(1, "exact tail", inclusive=self.m <= 2)
        if dim == 1 and self.m == 2:  # P(X > r) falls faster than any power
            return Moments(math.inf, "measured")
        return Moments(dim, "measured")

    def first_round(self, dim: float, intensities: Intensities) -> float:
        return first_round(dim)


class LabelsLaw(ColorlessLaw):
    """Sprague-Grundy labels, of which label 0 is that of the one-color matching ([DHM] Prop. 14)."""

    def tail(self, r: np.ndarray, dim: float, intensities: Intensities, color: int, order: int = 0) -> np.ndarray:
        if order == 0:
            return one_color_tail(r, dim, sum(intensities))
        if not is_mean_field(dim) or order > MAX_EXACT_LABEL:
            return unknown(r)
        return label_tail(sum(intensities) * np.asarray(r), order)

    def moments(self, dim: float, intensities: Intensities) -> Moments:
        return OneColorLaw().moments(dim, intensities)


class MisereLaw(ColorlessLaw):
    """All points are matched ([DHM] Cor. 10)."""

    def unmatched(self, dim: float, intensities: Intensities, color: int) -> float:
        return 0.0

    def moments(self, dim: float, intensities: Intensities) -> Moments:
        return Moments(ball_power(dim), "measured")


class TwoColorLaw(Law):
    """Two-color matching, which leaves the excess of the majority unmatched ([DHM] Thm 8).

    On a torus Alice wins if amber points outnumber blue ones.
    """

    def unmatched(self, dim: float, intensities: Intensities, color: int) -> float:
        if len(intensities) < 2 or not intensities[color]:
            return math.nan
        own, other = intensities[color], intensities[1 - color]
        return max(0.0, own - other) / own

    def tail(self, r: np.ndarray, dim: float, intensities: Intensities, color: int, order: int = 0) -> np.ndarray:
        if len(intensities) < 2 or dim not in (1, math.inf) or order:
            return unknown(r)
        own, other = intensities[color], intensities[1 - color]
        if dim == 1:
            return two_color_tail(r, own, other)
        r = np.clip(r, 0, 1e300)
        with np.errstate(over="ignore"):  # shares fall at the rate of their product
            return 1 / (1 + other * r * scipy.special.exprel((other - own) * r))

    def moments(self, dim: float, intensities: Intensities) -> Moments:
        exact = "exact tail" if dim in (1, math.inf) else "measured"
        if not self.same_for_colors(intensities):
            return Moments(math.inf, exact)
        if is_mean_field(dim):  # P(X > r) = 1 / (1 + r)
            return Moments(1, exact)
        return Moments(dim / 2, "[HPPS] Thm 2" if dim <= 2 else "measured")

    def structure_factor_limits(
        self, dim: float, intensities: Intensities, color: int, dispersions: Sequence[float]
    ) -> tuple[float, float]:
        if len(intensities) != 2 or not intensities[0]:
            return math.nan, math.nan
        return structure_factor_limits(intensities[1] / intensities[0], color, dispersions)

    def same_for_colors(self, intensities: Intensities) -> bool:
        return len(intensities) == 2 and intensities[0] == intensities[1]

    def first_round(self, dim: float, intensities: Intensities) -> float:
        shares = np.array(intensities) / sum(intensities)
        return 2 * float(shares[0] * shares[1]) if len(shares) == 2 else math.nan

    def alice_wins(self, means: Sequence[float]) -> float:
        if len(means) < 2:
            return math.nan
        return float(scipy.stats.skellam.sf(0, *means)) if all(means) else -math.expm1(-means[0])

    def unmatched_on_torus(self, means: Sequence[float], color: int, fixed: bool) -> float:
        if len(means) < 2:
            return math.nan
        own, other = means[color], means[1 - color]
        return max(0.0, own - other) if fixed else mean_excess(own, other)


class FussyLaw(Law):
    r"""Fussy matching: no green point is unmatched, but some red points are.

    In the mean-field model the fraction of unmatched red points is :math:`e^{-1/\rho}` ([HMP]); for
    :math:`d = 1` it is fussy_line(rho).u.

    The unmatched fraction in other dimensions is the open problem of [DHM] 3.3.
    """

    poisson_only = True
    solved_dims = (1.0,)

    def unmatched(self, dim: float, intensities: Intensities, color: int) -> float:
        if len(intensities) < 2 or not intensities[color] or (color == 1 and not self._known(dim, intensities)):
            return math.nan
        if color == 0:
            return 0.0
        green, red = intensities
        return float(fussy_curve([red / green])[0]) if dim == 1 else math.exp(-green / red)

    def moments(self, dim: float, intensities: Intensities) -> Moments:
        if len(intensities) < 2 or not intensities[1]:  # green points only
            return OneColorLaw().moments(dim, intensities)
        return Moments(math.inf, "exact tail" if dim in (1, math.inf) else "measured")

    def tail(self, r: np.ndarray, dim: float, intensities: Intensities, color: int, order: int = 0) -> np.ndarray:
        if len(intensities) < 2 or not self._known(dim, intensities) or order:
            return unknown(r)
        green, red = intensities
        if dim == 1:
            return fussy_line(red / green).tail(green * np.asarray(r), color)

        def rates(logarithms: np.ndarray) -> np.ndarray:  # of the unmatched shares
            greens, reds = np.array([green, red]) * np.exp(logarithms)
            return -np.array([greens + reds, greens])  # a green meets both colors, a red greens only

        return np.exp(mean_field_shares(rates, np.zeros(2), np.asarray(r, dtype=float))[color])

    def structure_factor_limits(
        self, dim: float, intensities: Intensities, color: int, dispersions: Sequence[float]
    ) -> tuple[float, float]:
        if (
            dim != 1
            or len(intensities) != 2
            or color == 0
            or not self._known(dim, intensities)
            or set(dispersions) != {1.0}
        ):
            return math.nan, math.nan
        return math.nan, fussy_dispersion(intensities[1] / intensities[0])

    def _known(self, dim: float, intensities: Intensities) -> bool:
        green, red = intensities
        return is_mean_field(dim) or (dim == 1 and green > 0 and MIN_RHO <= red / green <= MAX_RHO)


# Limit of V P(X > r) for one color, V the expected number of points within r: exact in d = 1 and
# the mean field; others were measured by this program, with standard errors of 1, 3 and 4 in the
# last digit.
MEASURED_LEVELS: dict[float, float] = {2: 0.6113, 3: 0.6558, 4: 0.6950}
LEVELS: dict[float, float] = {1: math.exp(-np.euler_gamma), **MEASURED_LEVELS, math.inf: 1.0}
