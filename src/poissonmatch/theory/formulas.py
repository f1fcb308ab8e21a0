"""Closed formulas and solutions of differential equations in infinite volume; sources are in theory/__init__.py."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import scipy  # imports scipy.special and others on first use; few jobs need them

from ..utils.errors import BadInput, quoted
from ..utils.validation import MAX_EXACT, check_array, check_int, checked
from .response_line import response_on_line
from .volumes import DIMENSION, is_mean_field

MAX_EXACT_LABEL = 9  # 2^10 equations, solved in a second
SERIES_BELOW = 0.05  # where seven terms of the series of ein suffice


@checked(dim=DIMENSION)
def first_round(dim: float) -> float:
    """Return the probability that a point of a Poisson process is in a mutually nearest pair.

    It is :math:`1 / (2 - I_{3/4}((d + 1)/2, 1/2))` with the regularized incomplete beta function I.

    Parameters
    ----------
    dim : float
        Dimension d; `inf` is the mean-field model.

    Returns
    -------
    float
        Probability q(d).

    Raises
    ------
    ValueError
        If the dimension is below 1.

    Examples
    --------
    >>> [round(pm.theory.first_round(dim), 4) for dim in (1, 2, 3, np.inf)]
    [0.6667, 0.6215, 0.5926, 0.5]
    """
    return 1 / (2 - float(scipy.special.betainc((dim + 1) / 2, 0.5, 0.75)))


@checked(dim=DIMENSION)
def fussy_epsilon(dim: float) -> float:
    r"""Return epsilon(d) of [DHM] 3.3, a bound for unmatched red points in the fussy matching.

    For rho > 1 - epsilon(d) the fussy matching of Poisson processes has unmatched red points.

    It is given by :math:`\epsilon(d) = 1 - \sqrt{1 - q}` with q = first_round(d). Proof: green
    pairs that are mutually nearest in the whole set are matched in the first round. Their points
    have intensity :math:`q / (1 + \rho)`, since a nearest point is green with probability
    :math:`1 / (1 + \rho)`. Red points can be matched to the other green points only, so some are
    unmatched if
    :math:`\rho > 1 - q / (1 + \rho)`, that is :math:`\rho^2 > 1 - q`. The bound is not sharp: it
    uses one round only.

    Parameters
    ----------
    dim : float
        Dimension d; `inf` is the mean-field model.

    Returns
    -------
    float
        epsilon(d), in (0, 1).

    Raises
    ------
    ValueError
        If the dimension is below 1.

    Examples
    --------
    >>> [round(pm.theory.fussy_epsilon(dim), 4) for dim in (1, 2, 3)]
    [0.4226, 0.3848, 0.3617]
    """
    return 1 - math.sqrt(1 - first_round(dim))


@checked()
def ein(z: np.ndarray | float) -> np.ndarray:
    r"""Return the entire exponential integral :math:`\int_0^z (1 - e^{-t}) / t \, dt`.

    Parameters
    ----------
    z : array_like of float
        Real numbers.

    Returns
    -------
    ndarray of float64
        Values, of the same shape; -inf below about -700.

    Raises
    ------
    ValueError
        If a number is not finite.

    Examples
    --------
    >>> pm.theory.ein([-1.0, 0.0, 1.0, 2.0]).round(6)
    array([-1.317902,  0.      ,  0.7966  ,  1.319263])
    """
    z = np.asarray(z, dtype=float)
    if not np.isfinite(z).all():
        raise BadInput(f"z must be finite numbers, got {z[~np.isfinite(z)].flat[0]}")
    return _ein(z)


def _ein(z: Any) -> np.ndarray:
    """Return ein of numbers, which may be infinite or nan."""
    small, finite = np.abs(z) < SERIES_BELOW, np.isfinite(z)
    series = np.polynomial.Polynomial([0.0, *((-1) ** (k + 1) / (k * math.factorial(k)) for k in range(1, 8))])
    size = np.where(small | ~finite, 1.0, np.abs(z))
    integral = np.where(z > 0, scipy.special.exp1(size), -scipy.special.expi(size))
    return np.where(
        small, series(np.where(small, z, 0.0)), np.where(finite, np.log(size) + np.euler_gamma + integral, z)
    )


@checked(dim=DIMENSION, intensity=(0.0, 1e150))
def one_color_tail(r: np.ndarray | float, dim: float, intensity: float = 1.0) -> np.ndarray:
    r"""Return P(X > r) in the one-color stable matching of a Poisson process, nan if no formula is known.

    d = 1: :math:`e^{-\mathrm{Ein}(2 r)}` (the smallest-gap coarsening model). Mean field: :math:`1
    / (1 + r)` ([HMP]).

    Parameters
    ----------
    r : array_like of float
        Distances; volumes in the mean-field model.
    dim : float
        Dimension; `inf` is the mean-field model.
    intensity : float, optional
        Expected points per unit volume, by default 1.

    Returns
    -------
    ndarray of float64
        Probabilities, of the same shape.

    Raises
    ------
    ValueError
        If the dimension is below 1, or the intensity is negative or more than 1e150.

    Examples
    --------
    >>> pm.theory.one_color_tail([0.0, 1.0, 10.0], 1).round(6)
    array([1.      , 0.267332, 0.028073])
    """
    r = np.asarray(np.maximum(r, 0.0) * intensity)
    if dim == 1:
        return np.exp(-_ein(2 * r))
    if is_mean_field(dim):
        return 1 / (1 + r)
    return np.full_like(r, np.nan)


@checked(dim=DIMENSION)
def one_color_response(volume: np.ndarray | float, dim: float) -> np.ndarray:
    r"""Return the response Y of the one-color matching of a Poisson process.

    It is :math:`Y = P(X \le r < X') / P(X > r)`, nan if it is not known.

    X' is the partner distance of a point after its pair alone is forbidden. d = 1: numerical
    solution, estimated relative error :math:`2 \cdot 10^{-6}`. Mean field: :math:`\ln(1 + v)` at
    volume v, the derivative of the fussy fractions at rho = 0 ([HMP]).

    Parameters
    ----------
    volume : array_like of float
        Expected number of points within r.
    dim : float
        Dimension; `inf` is the mean-field model.

    Returns
    -------
    ndarray of float64
        Y, of the same shape.

    Raises
    ------
    ValueError
        If a volume is negative, or the dimension is below 1.

    Examples
    --------
    >>> pm.theory.one_color_response([1.0, 10.0], np.inf).round(6)
    array([0.693147, 2.397895])
    """
    volume = np.asarray(volume, dtype=float)
    if (volume < 0).any():
        raise BadInput(f"volume must be numbers from 0, got {volume[volume < 0].flat[0]}")
    if dim == 1:
        return response_on_line(volume)
    return np.log1p(volume) if is_mean_field(dim) else np.full_like(volume, np.nan)


@checked()
def two_color_tail(r: np.ndarray | float, own: float, other: float) -> np.ndarray:
    r"""Return P(X > r) in the two-color matching of Poisson processes in d = 1.

    With :math:`s = (\sqrt{own} + \sqrt{other})^2`, :math:`q = (own - other)^2 / s` and :math:`\eta
    = (E_1(q r) - E_1(s r)) / 4`, it is
    :math:`|own - other| / own` times :math:`\sinh^2 \eta` for the minority and :math:`\cosh^2 \eta`
    for the majority, and
    :math:`\exp(-\mathrm{Ein}(4\,own\,r) / 2)` for equal intensities. The relative error is about
    :math:`10^{-13}`.

    Parameters
    ----------
    r : array_like of float
        Distances.
    own, other : float
        Intensities of the color of the point and of the other color; finite, own > 0, other >= 0.

    Returns
    -------
    ndarray of float64
        Probabilities, of the same shape.

    Raises
    ------
    ValueError
        If an intensity is out of range.

    Examples
    --------
    The limit of the tail is the unmatched fraction of the majority:

    >>> pm.theory.two_color_tail(np.array([0.0, 1.0, 1e3]), 1.0, 0.5).round(6)
    array([1.      , 0.628275, 0.5     ])
    """
    if not (0 < own < math.inf and 0 <= other < math.inf):
        raise BadInput(f"the intensities must be numbers, own > 0 and other >= 0, got {own!r} and {other!r}")
    total, excess = own + other, own - other
    r, own, other, gap = np.maximum(r, 0.0) * total, own / total, other / total, abs(excess) / total
    if gap == 0:
        return np.exp(-_ein(4 * own * r) / 2)
    s = (math.sqrt(own) + math.sqrt(other)) ** 2
    q = gap**2 / s
    safe = np.where(r == 0, 1.0, r)
    eta = (scipy.special.exp1(q * safe) - scipy.special.exp1(s * safe)) / 4
    shape = np.sinh if excess < 0 else np.cosh
    return np.where(r == 0, 1.0, gap / own * shape(eta) ** 2)


def mean_field_shares(rates: Callable[[np.ndarray], np.ndarray], start: np.ndarray, t: np.ndarray) -> np.ndarray:
    """Return the solution of dy/dt = rates(y), y(0) = start, at each t: (len(start), *t.shape), nan at nan.

    It is solved in the variable ln(1 + t), in which the shares of a stable matching change at an
    even pace.
    """
    logs, inverse = np.unique(np.log1p(np.clip(t, 0, 1e15)), return_inverse=True)
    finite = np.isfinite(logs)  # all but nan, which comes last
    shares = np.full((len(start), len(logs)), np.nan)
    if finite.any():
        solution = scipy.integrate.solve_ivp(
            lambda log, y: rates(y) * np.exp(log),
            (0.0, max(1.0, logs[finite][-1])),
            start,
            method="DOP853",
            t_eval=logs[finite],
            rtol=1e-11,
            atol=1e-14,
        )
        if not solution.success:
            raise BadInput(f"the equations are not solved up to {np.nanmax(t):g}: {solution.message}")
        shares[:, finite] = solution.y
    return shares[:, inverse.reshape(np.shape(t))]


@checked(m=(1, MAX_EXACT))
def multi_tail(t: np.ndarray | float, m: int, order: int) -> np.ndarray:
    r"""Return P(volume to the partner of this order > t) in the mean-field model.

    Each point has up to m partners. The probability is
    :math:`P(\mathrm{Poisson}(\tau) \le order)`, where
    :math:`t = \int_0^\tau dy / P(\mathrm{Poisson}(y) \le m - 1)`.

    Parameters
    ----------
    t : array_like of float
        Volumes, in units of 1 / intensity.
    m : int
        Capacity of a point, from 1.
    order : int
        Rank of the partner, from 0 (the nearest) to m - 1.

    Returns
    -------
    ndarray of float64
        Probabilities, of the same shape.

    Raises
    ------
    ValueError
        If m is below 1, or the order is not from 0 to m - 1.

    Examples
    --------
    >>> [float(pm.theory.multi_tail(1.0, 2, order).round(6)) for order in (0, 1)]
    [0.404305, 0.770437]
    """
    order = check_int("order", order, 0, m - 1)
    tau = mean_field_shares(lambda y: scipy.special.pdtr(m - 1, y), np.zeros(1), np.asarray(t, dtype=float))[0]
    return scipy.special.pdtr(order, tau)


@checked(label=(0, MAX_EXACT_LABEL))
def label_tail(t: np.ndarray | float, label: int) -> np.ndarray:
    """Return P(volume to the partner with this Sprague-Grundy label > t) in the mean-field model.

    Let :math:`p_S` be the fraction of points whose labels, among those up to `label`, form the set
    S. Points with sets S and T meet at rate :math:`p_S p_T`, and their pair gets the smallest label
    in neither set.

    Parameters
    ----------
    t : array_like of float
        Volumes, in units of 1 / intensity.
    label : int
        From 0 to 9.

    Returns
    -------
    ndarray of float64
        Probabilities, of the same shape.

    Raises
    ------
    ValueError
        If the label is not from 0 to 9.

    Examples
    --------
    >>> [float(pm.theory.label_tail(1.0, label).round(6)) for label in (0, 1, 2)]
    [0.5, 0.690895, 0.859959]
    """

    def rates(shares: np.ndarray) -> np.ndarray:
        change = np.zeros_like(shares)
        for k in range(label + 1):  # sets as (those above k, with k or without, those below k)
            own, out = (values.reshape(-1, 2, 2**k) for values in (shares, change))
            without_label = own[:, 0].sum(axis=0)  # without label k, by the set of their labels below k
            for j in range(k):
                supersets = without_label.reshape(-1, 2, 2**j)
                supersets[:, 0] += supersets[:, 1]  # in the end, by a set that their labels contain
            met = own[:, 0] * without_label[::-1]  # the complement: together they have all labels below k
            out[:, 0] -= met
            out[:, 1] += met
        return change

    start = np.zeros(2 ** (label + 1))
    start[0] = 1
    shares = mean_field_shares(rates, start, np.asarray(t, dtype=float))
    return shares[: 2**label].sum(axis=0)


def unknown(r: np.ndarray) -> np.ndarray:
    """Return nan for each r."""
    return np.full(np.shape(r), np.nan)


@lru_cache(maxsize=1024)
def mean_excess(own: float, other: float) -> float:
    """Return E[D; D > 0] for the difference D of independent Poisson numbers with these means."""
    if not (own and other):
        return own
    roots = math.sqrt(own), math.sqrt(other)
    factor, product = math.exp(-((roots[0] - roots[1]) ** 2)), 2 * roots[0] * roots[1]
    none, one = factor * scipy.special.i0e(product), factor * scipy.special.i1e(product) * (roots[0] / roots[1])
    more = (own - other) * scipy.stats.skellam.sf(1, own, other) if own != other else 0.0
    return float(own * (none + one) + more)  # none: P(D = 0), one: P(D = 1); it is own P(D >= 0) - other P(D >= 2)


@checked(rho=(0.0, 1e300))
def structure_factor_limits(rho: float, color: int, dispersions: Sequence[float] = (1.0, 1.0)) -> tuple[float, float]:
    r"""Return the limits at 0 of the structure factors of the points with and without a partner, two-color matching.

    In a large volume the numbers of points with partners differ between the colors by a boundary
    term only. So the matched points of the majority vary as the minority, which is matched whole; the
    unmatched points are a difference of the two numbers. For two Poisson processes the limits of the
    majority are 1 and :math:`(1 + \rho) / |1 - \rho|`.

    Parameters
    ----------
    rho : float
        Intensity of color 1 over that of color 0.
    color : int
        Color of the points, 0 or 1.
    dispersions : sequence of float, default (1.0, 1.0)
        Limits at 0 of the structure factors of all points of each color: 1 for a Poisson process, 0
        for a lattice.

    Returns
    -------
    tuple of float
        Of the matched and of the unmatched points. nan for the unmatched points of a color that has
        none.

    Raises
    ------
    ValueError
        If rho is negative or more than 1e300, the color is neither 0 nor 1, or the dispersions are
        not two numbers.

    Examples
    --------
    >>> pm.theory.structure_factor_limits(0.5, color=0)
    (1.0, 3.0)
    >>> pm.theory.structure_factor_limits(1.5, color=1, dispersions=(0.0, 1.0))
    (0.0, 3.0)
    """
    color = check_int("color", color, 0, 1)
    limits = check_array("dispersions", dispersions, "fiu", "two numbers").astype(float)
    if limits.shape != (2,):
        raise BadInput(f"dispersions must be two numbers, one for each color, got {quoted(dispersions)}")
    intensities = (1.0, rho)
    excess = intensities[color] - intensities[1 - color]
    if excess <= 0:
        return float(limits[color]), math.nan
    variance = intensities[0] * limits[0] + intensities[1] * limits[1]
    return float(limits[1 - color]), float(variance / excess)


@checked(mean=(0.0, 1e300))
def imbalance(mean: float) -> float:
    r"""Return the expected difference E|N_A - N_B| of two independent Poisson counts.

    It is :math:`2 m (I_0 + I_1)(2 m) e^{-2 m}`, m the mean, with Bessel functions I; for a large
    mean, :math:`\sqrt{4 m / \pi}` in leading order.

    Parameters
    ----------
    mean : float
        Common mean of the counts.

    Returns
    -------
    float
        Expected absolute difference.

    Raises
    ------
    ValueError
        If the mean is negative or more than 1e300.

    Examples
    --------
    >>> round(pm.theory.imbalance(1.0), 4), round(pm.theory.imbalance(100.0), 4)
    (1.0476, 11.2767)
    """
    return 2 * mean_excess(mean, mean)
