"""Exact curves and constants, for infinite volume: formulas.

[DHM] Deijfen, Holroyd, Martin, Friendly frogs, stable marriage, and the magic of invariance (2016);
[HPPS] Holroyd, Pemantle, Peres, Schramm, Poisson matching (2009);
[HMP] Holroyd, Martin, Peres, Stable matchings in high dimensions via the Poisson-weighted infinite tree (2018).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import scipy  # which imports scipy.special and its kin when they are first used: few jobs do

from ..utils.errors import BadInput
from .response_line import response_on_line
from .volumes import unit_ball_volume as unit_ball_volume

MOST_EXACT_LABEL = 9  # whose law, of 2^10 shares, is still solved in a second


def first_round(dim: float) -> float:
    """Probability that a point of a Poisson process is one of a mutually nearest pair.

    It is :math:`1 / (2 - I_{3/4}((d + 1)/2, 1/2))`, I the regularized incomplete beta function.

    Parameters
    ----------
    dim : float

    Examples
    --------
    >>> [round(pm.theory.first_round(dim), 4) for dim in (1, 2, 3, np.inf)]
    [0.6667, 0.6215, 0.5926, 0.5]
    """
    return 1 / (2 - float(scipy.special.betainc((dim + 1) / 2, 0.5, 0.75)))


def fussy_epsilon(dim: float) -> float:
    r"""An epsilon(d) of [DHM] 3.3: for rho > 1 - epsilon(d) a fussy matching of Poisson processes leaves reds without partners.

    :math:`1 - \sqrt{1 - q}`, q = first_round(d) (derived). Greens in green pairs that are mutually nearest in the whole set have partners
    at once, none of them red; their intensity is :math:`q / (1 + \rho)`, since a nearest point is green with probability
    :math:`1 / (1 + \rho)`. The other greens are all that reds may have, so reds are left if :math:`\rho > 1 - q / (1 + \rho)`, that is
    :math:`\rho^2 > 1 - q`. Reds are left below, too, as far as is known; this is what one round shows.

    Parameters
    ----------
    dim : float

    Examples
    --------
    >>> [round(pm.theory.fussy_epsilon(dim), 4) for dim in (1, 2, 3)]
    [0.4226, 0.3848, 0.3617]
    """
    return 1 - math.sqrt(1 - first_round(dim))


def ein(z: np.ndarray | float) -> np.ndarray:
    r"""The entire exponential integral :math:`\int_0^z (1 - e^{-t}) / t \, dt`.

    Parameters
    ----------
    z : array_like
        From 0.

    Examples
    --------
    >>> pm.theory.ein([0.0, 1.0, 2.0]).round(6)
    array([0.      , 0.7966  , 1.319263])
    """
    z = np.asarray(z, dtype=float)
    small = z < 1e-4
    safe, tiny = np.where(small, 1.0, z), np.where(small, z, 0.0)
    return np.where(small, tiny - tiny**2 / 4, scipy.special.exp1(safe) + np.log(safe) + np.euler_gamma)


def one_color_tail(r: np.ndarray | float, dim: float, intensity: float = 1.0) -> np.ndarray:
    r"""P(X > r) in the one-color stable matching of a Poisson process where it is known, else nan.

    d = 1: :math:`e^{-\mathrm{Ein}(2 r)}` (the smallest-gap coarsening model). Mean field: :math:`1 / (1 + r)` ([HMP]).

    Parameters
    ----------
    r : array_like
    dim : float
        inf is the mean-field model.
    intensity : float, optional

    Examples
    --------
    >>> pm.theory.one_color_tail([0.0, 1.0, 10.0], 1).round(6)
    array([1.      , 0.267332, 0.028073])
    """
    r = np.asarray(np.maximum(r, 0.0) * (intensity if dim in (1, math.inf) else 1))
    if dim == 1:
        return np.exp(-ein(2 * r))
    if dim == math.inf:
        return 1 / (1 + r)
    return np.full_like(r, np.nan)


def one_color_response(volume: np.ndarray | float, dim: float) -> np.ndarray:
    r""":math:`Y = P(X \le r < X') / P(X > r)` in the one-color matching of a Poisson process where it is known, else nan.

    X' is the partner distance of a point after its pair alone is forbidden. d = 1: response_line.py. Mean field:
    :math:`\ln(1 + v)`, v the volume, the derivative of the fussy shares at rho = 0 ([HMP]).

    Parameters
    ----------
    volume : array_like
        The expected number of points within r.
    dim : float

    Examples
    --------
    >>> pm.theory.one_color_response([1.0, 10.0], np.inf).round(6)
    array([0.693147, 2.397895])
    """
    volume = np.asarray(volume, dtype=float)
    if dim == 1:
        return response_on_line(volume)
    return np.log1p(volume) if dim == math.inf else np.full_like(volume, np.nan)


def two_color_tail(r: np.ndarray | float, own: float, other: float) -> np.ndarray:
    r"""P(X > r) for a point of a color with intensity `own`, the other color's being `other`, in the two-color matching in d = 1.

    With :math:`s = (\sqrt{own} + \sqrt{other})^2`, :math:`q = (own - other)^2 / s` and :math:`\eta = (E_1(q r) - E_1(s r)) / 4`:
    :math:`|own - other| / own` times :math:`\sinh^2 \eta` for the minority, :math:`\cosh^2 \eta` for the majority, and
    :math:`\exp(-\mathrm{Ein}(4\,own\,r) / 2)` if there is none; about 10^-13 relative.

    Parameters
    ----------
    r : array_like
    own, other : float
        Finite, own > 0 and other >= 0, or ValueError is raised.

    Examples
    --------
    The share of the majority that is unmatched is what the tail comes to:

    >>> pm.theory.two_color_tail(np.array([0.0, 1.0, 1e3]), 1.0, 0.5).round(6)
    array([1.      , 0.628275, 0.5     ])
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


def mean_field_shares(rates: Callable[[np.ndarray], np.ndarray], start: np.ndarray, t: np.ndarray) -> np.ndarray:
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
    r"""P(the partner of this order is at volume > t) in the mean-field model, up to m partners a point.

    :math:`P(\mathrm{Poisson}(\tau) \le order)`, where :math:`t = \int_0^\tau dy / P(\mathrm{Poisson}(y) \le m - 1)`.

    Parameters
    ----------
    t : array_like
    m : int
    order : int
        0 the nearest.

    Examples
    --------
    >>> [float(pm.theory.multi_tail(1.0, 2, order).round(6)) for order in (0, 1)]
    [0.404305, 0.770437]
    """
    tau = mean_field_shares(lambda y: scipy.special.pdtr(m - 1, y), np.zeros(1), np.asarray(t, dtype=float))[0]
    return scipy.special.pdtr(order, tau)


def label_tail(t: np.ndarray | float, label: int) -> np.ndarray:
    """P(the partner of this Sprague-Grundy label is at volume > t) in the mean-field model.

    The shares :math:`p_S` of the points whose labels, of those up to this one, are the set S: two points meet at rate :math:`p_S p_T`,
    and get the smallest label that is in neither.

    Parameters
    ----------
    t : array_like
    label : int
        At most 9.

    Examples
    --------
    >>> [float(pm.theory.label_tail(1.0, label).round(6)) for label in (0, 1, 2)]
    [0.5, 0.690895, 0.859959]
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
    shares = mean_field_shares(rates, start, np.asarray(t, dtype=float))
    return shares[: 2**label].sum(axis=0)


def unknown(r: np.ndarray) -> np.ndarray:
    """nan at each r: no value is known."""
    return np.full(np.shape(r), np.nan)


def imbalance(mean: float) -> float:
    r"""E|N_A - N_B| for two independent Poisson counts with this large mean: about :math:`\sqrt{4 mean / \pi}`.

    Parameters
    ----------
    mean : float

    Examples
    --------
    >>> round(pm.theory.imbalance(100.0), 4)
    11.2838
    """
    return math.sqrt(4 * mean / math.pi)
