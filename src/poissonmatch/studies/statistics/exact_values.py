"""Exact values of quantities if they are known, else nan: one function for each quantity."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from ...points.descending_chains import mean_field_tail
from ...theory.volumes import ball_power, is_mean_field, unit_ball_volume
from ..tables.tables import PER_DECADE
from .distance_tails import WINDOW
from .estimators import Estimate, Sample
from .flow import green_and_red, window

NODES = np.polynomial.legendre.leggauss(8)  # of an integral, on each of PANELS
PANELS = tuple(k / 2 for k in range(81))
solution = cache(mean_field_tail)  # of as many equations as steps, the same for every cell


def unmatched_fraction(sample: Sample, estimate: Estimate) -> float:
    """Return the fraction of unmatched points of the color."""
    law = sample.rule.law
    known = sample.process.uniform or (sample.process.ergodic and not law.poisson_only)
    return law.unmatched(sample.dim, sample.intensities, estimate.color) if known else math.nan


def unmatched_density(sample: Sample, estimate: Estimate) -> float:
    """Return the number of unmatched points of the color per unit volume."""
    return unmatched_fraction(sample, estimate) * sample.intensities[estimate.color]


def unmatched_fraction_on_torus(sample: Sample, estimate: Estimate) -> float:
    """Return the expected fraction of unmatched points of the color on a torus of this size.

    It is their expected number over that of all points of the color.
    """
    law, color = sample.rule.law, estimate.color
    if sample.process.poisson:
        return law.unmatched_on_torus(sample.means, color, fixed=False) / sample.means[color]
    counts = sample.process._density(float(sample.row["size"]), sample.intensities).get("counts")
    return law.unmatched_on_torus(counts, color, fixed=True) / counts[color] if counts else math.nan


def unmatched_density_on_torus(sample: Sample, estimate: Estimate) -> float:
    """Return the expected number of unmatched points of the color per unit volume of a torus."""
    return unmatched_fraction_on_torus(sample, estimate) * sample.intensities[estimate.color]


def log_inverse_unmatched(sample: Sample, estimate: Estimate) -> float:
    """Return ln(1 / u)."""
    exact = unmatched_fraction(sample, estimate)
    return -np.log(exact) if exact > 0 else math.nan


def tail(sample: Sample, estimate: Estimate) -> np.ndarray | float:
    """Return P(X > r)."""
    if not sample.process.uniform:
        return math.nan
    return sample.rule.law.tail(estimate.x, sample.dim, sample.intensities, estimate.color, estimate.order)


def scaled_tail(sample: Sample, estimate: Estimate) -> np.ndarray | float:
    """Return P(X > r) times the expected number of points in a ball of radius r."""
    return sample.ball_points(estimate.x) * tail(sample, estimate)


def tail_exponent(sample: Sample, estimate: Estimate) -> np.ndarray | float:
    """Return the slope of ln P(X > r) over the window of the estimate."""
    step = WINDOW / PER_DECADE
    low, high = (_log(tail(sample, replace(estimate, x=estimate.x * 10**k))) for k in (-step, step))
    return (high - low) / (2 * step * math.log(10))


def alice_wins(sample: Sample, estimate: Estimate) -> float:
    """Return the probability that Alice wins on a torus of this volume."""
    return sample.rule.law.alice_wins(sample.means) if sample.process.poisson else math.nan


def response(sample: Sample, estimate: Estimate) -> np.ndarray | float:
    """Return Y(V)."""
    return sample.rule.law.response(estimate.x, sample.dim) if sample.process.uniform else math.nan


def response_slope(sample: Sample, estimate: Estimate) -> np.ndarray | float:
    """Return the slope of Y over the factor of the estimate."""
    low, high = (response(sample, replace(estimate, x=estimate.x * factor)) for factor in (0.5, 2))
    return slope_of_response(low, high)


def slope_of_response(low: Any, high: Any) -> Any:
    """Return (Y(2 V) - Y(V / 2)) / ln 4."""
    return (high - low) / math.log(4)


def round_tail(sample: Sample, estimate: Estimate) -> np.ndarray | float:
    """Return the fraction of points that are unmatched after the first round.

    Later rounds are not known.
    """
    known = 1 - sample.rule.law.first_round(sample.dim, sample.intensities) if sample.process.uniform else math.nan
    return np.where(estimate.x == 1, known, math.nan)


def chain_tail(sample: Sample, estimate: Estimate) -> np.ndarray | float:
    """Return P(at least k steps) for V = 1.

    It is exact for k = 1 in every dimension, and for all k in the mean-field model.
    """
    if not sample.process.uniform:
        return math.nan
    known = solution(1.0, int(np.max(estimate.x)))[np.asarray(estimate.x, int)]
    return known if is_mean_field(sample.dim) else np.where(estimate.x == 1, known, math.nan)


def chain_steps(sample: Sample, estimate: Estimate) -> np.ndarray | float:
    """Return the mean number of steps, known in the mean-field model."""
    if not sample.process.uniform or sample.dim < math.inf:
        return math.nan
    return np.array([solution(float(v), 60)[1:].sum() for v in np.atleast_1d(estimate.x)])


def red_green_ratio(sample: Sample, estimate: Estimate) -> np.ndarray | float:
    """Return eps."""
    if not sample.process.uniform:
        return math.nan
    green, red = green_and_red(sample)
    r = _radii(sample, estimate.x)
    tails = [sample.rule.law.tail(r, sample.dim, sample.intensities, color) for color in (green, red)]
    return sample.intensities[red] / sample.intensities[green] * tails[1] / tails[0]


def _radii(sample: Sample, volume: np.ndarray) -> np.ndarray:
    """Return the radii at which V is the expected number of greens."""
    unit = unit_ball_volume(sample.dim) * sample.intensities[green_and_red(sample)[0]]
    return np.asarray((volume / unit) ** (1 / ball_power(sample.dim)))


def ratio_excess(sample: Sample, estimate: Estimate) -> np.ndarray | float:
    """Return eps - rho."""
    green, red = green_and_red(sample)
    return red_green_ratio(sample, estimate) - sample.intensities[red] / sample.intensities[green]


def red_surplus(sample: Sample, estimate: Estimate) -> np.ndarray | float:
    """Return (R - G) / R(0)."""
    if not sample.process.uniform:
        return math.nan
    colors = green_and_red(sample)
    green, red = (sample.rule.law.tail(_radii(sample, estimate.x), sample.dim, sample.intensities, k) for k in colors)
    return red - green * sample.intensities[colors[0]] / sample.intensities[colors[1]]


def ratio_slope(sample: Sample, estimate: Estimate) -> np.ndarray | float:
    """Return the slope of ln eps over the window of the estimate."""
    step = window(sample.dim) * ball_power(sample.dim) / PER_DECADE
    low, high = (_log(red_green_ratio(sample, replace(estimate, x=estimate.x * 10**k))) for k in (-step, step))
    return (high - low) / (2 * step * math.log(10))


def collapse(sample: Sample, estimate: Estimate) -> np.ndarray | float:
    """Return the squared slope over the excess."""
    return np.square(ratio_slope(sample, estimate)) / ratio_excess(sample, estimate)


def outside(sample: Sample, estimate: Estimate) -> np.ndarray | float:
    """Return the fraction of points of a ball with partners outside it, in d = 1.

    It is the mean of P(X > s) over s from 0 to 2 r.
    """
    if not sample.process.uniform or sample.dim != 1:
        return math.nan
    nodes, weights = NODES
    start, half = np.array(PANELS)[:-1, None], np.diff(PANELS)[:, None] / 2
    share = np.exp(-(start + half * (nodes + 1))).ravel()  # s / 2r, many of them near 0
    weight = (half * weights).ravel() * share
    s = 2 * np.atleast_1d(estimate.x)[:, None] * share
    tail = sample.rule.law.tail(s.ravel(), sample.dim, sample.intensities, 0)
    return np.asarray(np.reshape(tail, s.shape) @ weight)


def _log(value: Any) -> Any:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.log(value)
