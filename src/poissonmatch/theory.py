"""Exact curves and constants, for infinite volume, to lay beside estimates.

[DHM] Deijfen, Holroyd, Martin, Friendly frogs, stable marriage, and the magic of invariance (2016);
[HPPS] Holroyd, Pemantle, Peres, Schramm, Poisson matching (2009);
[HMP] Holroyd, Martin, Peres, Stable matchings in high dimensions via the Poisson-weighted infinite tree (2018).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import scipy  # which imports scipy.special and its kin when they are first used: few jobs do

from .errors import BadInput
from .fussy_line import LEAST_RHO, MOST_RHO, fussy_curve
from .fussy_line import FussyLine as FussyLine
from .fussy_line import fussy_line as fussy_line
from .response_line import response_on_line

MOST_EXACT_LABEL = 9  # whose law, of 2^10 shares, is still solved in a second


def first_round(dim: float) -> float:
    """Probability that a point of a Poisson process is one of a mutually nearest pair: 1 / (2 - I_{3/4}((d+1)/2, 1/2))."""
    return 1 / (2 - float(scipy.special.betainc((dim + 1) / 2, 0.5, 0.75)))


def fussy_epsilon(dim: float) -> float:
    """An epsilon(d) of [DHM] 3.3: for rho > 1 - epsilon(d) a fussy matching of Poisson processes leaves reds without partners.

    1 - sqrt(1 - q), q = first_round(d) (derived). Greens in green pairs that are mutually nearest in the whole set have partners at
    once, none of them red; their intensity is q / (1 + rho), since a nearest point is green with probability 1 / (1 + rho). The other
    greens are all that reds may have, so reds are left if rho > 1 - q / (1 + rho), that is rho^2 > 1 - q. Reds are left below, too, as
    far as is known; this is what one round shows.
    """
    return 1 - math.sqrt(1 - first_round(dim))


def ein(z: np.ndarray | float) -> np.ndarray:
    """The entire exponential integral: the integral of (1 - e^-t)/t from 0 to z >= 0."""
    z = np.asarray(z, dtype=float)
    small = z < 1e-4
    safe, tiny = np.where(small, 1.0, z), np.where(small, z, 0.0)
    return np.where(small, tiny - tiny**2 / 4, scipy.special.exp1(safe) + np.log(safe) + np.euler_gamma)


def one_color_tail(r: np.ndarray | float, dim: float, intensity: float = 1.0) -> np.ndarray:
    """P(X > r) in the one-color stable matching of a Poisson process where it is known, else nan.

    d = 1: exp(-Ein(2 r)) (the smallest-gap coarsening model). Mean field: 1 / (1 + r) ([HMP]).
    """
    r = np.asarray(np.maximum(r, 0.0) * (intensity if dim in (1, math.inf) else 1))
    if dim == 1:
        return np.exp(-ein(2 * r))
    if dim == math.inf:
        return 1 / (1 + r)
    return np.full_like(r, np.nan)


def one_color_response(volume: np.ndarray | float, dim: float) -> np.ndarray:
    """Y = P(X <= r < X') / P(X > r) in the one-color matching of a Poisson process where it is known, else nan.

    X' is the partner distance of a point after its pair alone is forbidden, volume the expected number of points within r.
    d = 1: response_line.py. Mean field: ln(1 + volume), the derivative of the fussy shares at rho = 0 ([HMP]).
    """
    volume = np.asarray(volume, dtype=float)
    if dim == 1:
        return response_on_line(volume)
    return np.log1p(volume) if dim == math.inf else np.full_like(volume, np.nan)


def two_color_tail(r: np.ndarray | float, own: float, other: float) -> np.ndarray:
    """P(X > r) for a point of a color with intensity `own`, the other color's being `other`, in the two-color matching in d = 1.

    With s = (sqrt(own) + sqrt(other))^2, q = (own - other)^2 / s and eta = (E1(q r) - E1(s r)) / 4: |own - other| / own times
    sinh^2(eta) for the minority, cosh^2(eta) for the majority, and exp(-Ein(4 own r) / 2) if there is none; about 10^-13
    relative. Raises ValueError unless own > 0 and other >= 0 are finite.
    """
    if not (0 < own < math.inf and 0 <= other < math.inf):
        raise BadInput(f"the intensities must be numbers, own > 0 and other >= 0, not {own!r} and {other!r}")
    total, excess = own + other, own - other
    r, own, other, gap = np.maximum(r, 0.0) * total, own / total, other / total, abs(excess) / total
    if gap == 0:
        return np.exp(-ein(4 * own * r) / 2)
    s = (math.sqrt(own) + math.sqrt(other)) ** 2
    q = gap**2 / s
    safe = np.where(r == 0, 1.0, r)
    eta = (scipy.special.exp1(q * safe) - scipy.special.exp1(s * safe)) / 4
    shape = np.sinh if excess < 0 else np.cosh
    return np.where(r == 0, 1.0, gap / own * shape(eta) ** 2)


def _mean_field(rates: Callable[[np.ndarray], np.ndarray], start: np.ndarray, t: np.ndarray) -> np.ndarray:
    """The solution of dy/dt = rates(y), y(0) = start, at each t, (len(start), *t.shape): the mean-field model at volume t.

    Solved against ln(1 + t), in which the shares of a stable matching change at an even pace.
    """
    places, where = np.unique(np.log1p(np.clip(t, 0, 1e15)), return_inverse=True)
    known = np.isfinite(places)  # all but nan, which comes last
    found = np.full((len(start), len(places)), np.nan)
    if known.any():
        solution = scipy.integrate.solve_ivp(
            lambda place, y: rates(y) * np.exp(place),
            (0.0, max(1.0, places[known][-1])),
            start,
            method="DOP853",
            t_eval=places[known],
            rtol=1e-11,
            atol=1e-14,
        )
        found[:, known] = solution.y
    return found[:, where.reshape(np.shape(t))]


def multi_tail(t: np.ndarray | float, m: int, order: int) -> np.ndarray:
    """P(the partner of this order, 0 the nearest, is at volume > t) in the mean-field model, up to m partners a point.

    P(Poisson(tau) <= order), where t is the integral from 0 to tau of dy / P(Poisson(y) <= m - 1).
    """
    tau = _mean_field(lambda y: scipy.special.pdtr(m - 1, y), np.zeros(1), np.asarray(t, dtype=float))[0]
    return scipy.special.pdtr(order, tau)


def label_tail(t: np.ndarray | float, label: int) -> np.ndarray:
    """P(the partner of this Sprague-Grundy label is at volume > t) in the mean-field model; label <= MOST_EXACT_LABEL.

    The shares p_S of the points whose labels, of those up to this one, are the set S: two points meet at rate p_S p_T, and
    get the smallest label that is in neither.
    """

    def rates(shares: np.ndarray) -> np.ndarray:
        change = np.zeros_like(shares)
        for k in range(label + 1):  # sets as (those above k, with k or without, those below k)
            mine, out = (values.reshape(-1, 2, 2**k) for values in (shares, change))
            others = mine[:, 0].sum(axis=0)  # that miss k, by the set of those below k that they have
            for j in range(k):
                holding = others.reshape(-1, 2, 2**j)
                holding[:, 0] += holding[:, 1]  # in the end, by the set that they have at least
            met = mine[:, 0] * others[::-1]  # the complement: together they have all below k
            out[:, 0] -= met
            out[:, 1] += met
        return change

    start = np.zeros(2 ** (label + 1))
    start[0] = 1
    shares = _mean_field(rates, start, np.asarray(t, dtype=float))
    return shares[: 2**label].sum(axis=0)


def _unknown(r: np.ndarray) -> np.ndarray:
    return np.full(np.shape(r), np.nan)


class Law:
    """What is known exactly of the matching of a rule, for a typical point in infinite volume; nan where nothing is.

    dim: inf is the mean-field model. intensities: of each color, points per unit volume. This one knows nothing.
    poisson_only: whether the share of unmatched points holds for Poisson processes only, and not for all.
    """

    poisson_only = False

    def unmatched(self, dim: float, intensities: Sequence[float], color: int) -> float:
        """P(a point of this color is unmatched)."""
        return math.nan

    def unmatched_curve(self, ratios: np.ndarray, dim: float, color: int) -> np.ndarray:
        """The same at many ratios, the intensity of color 1 over that of color 0."""
        return np.array([self.unmatched(dim, (1.0, float(ratio)), color) for ratio in ratios])

    def tail(self, r: np.ndarray, dim: float, intensities: Sequence[float], color: int, order: int = 0) -> np.ndarray:
        """P(X > r), X the distance from a point of this color to its partner of this order, in independent Poisson processes.

        r: radii of any shape. order: 0 is the nearest, or the label.
        """
        return _unknown(r)

    def first_round(self, dim: float, intensities: Sequence[float]) -> float:
        """P(a point of any color gets a partner in the first round), see rounds.py, in independent Poisson processes."""
        return math.nan

    def response(self, volume: np.ndarray, dim: float) -> np.ndarray:
        """Y where a ball of radius r holds so many points, see one_color_response."""
        return _unknown(volume)

    def alice_wins(self, means: Sequence[float]) -> float:
        """P(Alice wins the game that the rule solves) on a torus whose colors have Poisson numbers with these means."""
        return math.nan

    def level(self, dim: float) -> tuple[float, bool]:
        """What V P(X > r) tends to as r grows, V the expected number of points within r, and whether it is only measured."""
        return math.nan, False


class OneColor(Law):
    """All points are matched ([DHM] Thm 4); Alice wins on an odd number of points (Thm 1)."""

    def unmatched(self, dim: float, intensities: Sequence[float], color: int) -> float:
        return 0.0

    def tail(self, r: np.ndarray, dim: float, intensities: Sequence[float], color: int, order: int = 0) -> np.ndarray:
        return one_color_tail(r, dim, sum(intensities)) if order == 0 else _unknown(r)

    def first_round(self, dim: float, intensities: Sequence[float]) -> float:
        return first_round(dim)

    def response(self, volume: np.ndarray, dim: float) -> np.ndarray:
        return one_color_response(volume, dim)

    def alice_wins(self, means: Sequence[float]) -> float:
        return -math.expm1(-2 * sum(means)) / 2

    def level(self, dim: float) -> tuple[float, bool]:
        return LEVELS.get(dim, math.nan), dim in MEASURED_LEVELS


class Multi(Law):
    """Up to m partners ([DHM] 4.2)."""

    def __init__(self, m: int) -> None:
        self.m = m

    def tail(self, r: np.ndarray, dim: float, intensities: Sequence[float], color: int, order: int = 0) -> np.ndarray:
        if dim != math.inf or order >= self.m:
            return _unknown(r)
        return multi_tail(sum(intensities) * np.asarray(r), self.m, order)

    def first_round(self, dim: float, intensities: Sequence[float]) -> float:
        return first_round(dim)


class Labels(Law):
    """Sprague-Grundy labels: the partner of label 0 is that of the one-color matching ([DHM] Prop. 14)."""

    def tail(self, r: np.ndarray, dim: float, intensities: Sequence[float], color: int, order: int = 0) -> np.ndarray:
        if order == 0:
            return one_color_tail(r, dim, sum(intensities))
        if dim != math.inf or order > MOST_EXACT_LABEL:
            return _unknown(r)
        return label_tail(sum(intensities) * np.asarray(r), order)


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

    def tail(self, r: np.ndarray, dim: float, intensities: Sequence[float], color: int, order: int = 0) -> np.ndarray:
        if len(intensities) < 2 or dim not in (1, math.inf) or order:
            return _unknown(r)
        own, other = intensities[color], intensities[1 - color]
        if dim == 1:
            return two_color_tail(r, own, other)
        r = np.clip(r, 0, 1e300)
        return 1 / (1 + other * r * scipy.special.exprel((other - own) * r))  # both fall at the rate of their product

    def first_round(self, dim: float, intensities: Sequence[float]) -> float:
        shares = np.array(intensities) / sum(intensities)
        return 2 * float(shares[0] * shares[1]) if len(shares) == 2 else math.nan

    def alice_wins(self, means: Sequence[float]) -> float:
        if len(means) < 2:
            return math.nan
        return float(scipy.stats.skellam.sf(0, *means)) if all(means) else -math.expm1(-means[0])


class Fussy(Law):
    """No green point is unmatched; of the red ones e^(-1/rho) in the mean-field model ([HMP]), fussy_line(rho).u in d = 1.

    How many they are in other d is the open problem of [DHM] 3.3.
    """

    poisson_only = True

    def unmatched(self, dim: float, intensities: Sequence[float], color: int) -> float:
        if len(intensities) < 2 or not intensities[color] or (color == 1 and not self._known(dim, intensities)):
            return math.nan
        if color == 0:
            return 0.0
        green, red = intensities
        return float(fussy_curve([red / green])[0]) if dim == 1 else math.exp(-green / red)

    def unmatched_curve(self, ratios: np.ndarray, dim: float, color: int) -> np.ndarray:
        if dim != 1 or color == 0:
            return super().unmatched_curve(ratios, dim, color)
        found, ratios = _unknown(ratios), np.asarray(ratios, dtype=float)
        known = (ratios >= LEAST_RHO) & (ratios <= MOST_RHO)
        found[known] = fussy_curve(ratios[known])
        return found

    def tail(self, r: np.ndarray, dim: float, intensities: Sequence[float], color: int, order: int = 0) -> np.ndarray:
        if len(intensities) < 2 or not self._known(dim, intensities) or order:
            return _unknown(r)
        green, red = intensities
        if dim == 1:
            return fussy_line(red / green).tail(green * np.asarray(r), color)

        def rates(logarithms: np.ndarray) -> np.ndarray:  # of the shares that are left
            greens, reds = np.array([green, red]) * np.exp(logarithms)
            return -np.array([greens + reds, greens])  # a green meets both colors, a red greens only

        return np.exp(_mean_field(rates, np.zeros(2), np.asarray(r, dtype=float))[color])

    def _known(self, dim: float, intensities: Sequence[float]) -> bool:
        green, red = intensities
        return dim == math.inf or (dim == 1 and green > 0 and LEAST_RHO <= red / green <= MOST_RHO)


# V * P(X > r) for large r, one color: V is the expected number of points within r. d = 1 is exact, d = 2 and 3 were measured.
MEASURED_LEVELS: dict[float, float] = {2: 0.613, 3: 0.658}
LEVELS: dict[float, float] = {1: math.exp(-np.euler_gamma), **MEASURED_LEVELS, math.inf: 1.0}


def imbalance(mean: float) -> float:
    """E|N_A - N_B| for two independent Poisson counts with this large mean: about sqrt(4 mean / pi)."""
    return math.sqrt(4 * mean / math.pi)
