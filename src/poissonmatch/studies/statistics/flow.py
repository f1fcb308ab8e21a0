"""Estimates of the flow of a fussy matching.

The flow is the ratio of reds to greens among the survivors (points with X > r) as r grows.

X is the partner distance, R and G the intensities of the reds and greens with X > r, eps = R / G,
and V the expected number of greens within r. eps starts at rho and tends to infinity if some reds
stay unmatched, to a finite number if none do. The formal law says that (d ln eps / d ln V)^2 tends
to 4 a_d (eps - rho) as rho falls, for every V.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ...theory import intervals
from ...theory.finite_size import MIN_COUNT
from ...theory.volumes import ball_power
from ..tables.tables import PER_DECADE, Columns
from .distance_tails import counts_of
from .estimators import Estimate, Sample, by_argument, chosen, ratio, standard_error

MAX_ERROR = 0.5  # relative standard error of the collapse above which it has no row
FACTOR = 2.0  # approximate ratio of the volumes between which a slope is taken
MIN_VOLUME = 0.125  # expected number of points (here greens) within the smallest r that is estimated


def bounds(sample: Sample, rows: Columns) -> tuple[Estimate, Estimate] | None:
    """Return (R - G) / R(0) and R / R(0) at the largest r up to the cutoff.

    u is between their means. The result is None without such an r or without reds.

    R - G can only fall as r grows, since a green-red pair takes one of each and a green-green pair
    two greens, and G tends to 0.
    """
    if not len(rows["bin"]):
        return None
    r, points, above = _survivors(sample, rows)
    end = int(np.searchsorted(r, sample.cutoff, side="right")) - 1
    if end < 0 or not points[1].any():
        return None
    greens, reds = (array[:, end] for array in above)
    low, high = ratio(reds - greens, points[1]), ratio(reds, points[1])
    return Estimate("red_surplus", *low, x=r[end]), Estimate("tail", *high, green_and_red(sample)[1], x=r[end])


def _survivors(sample: Sample, rows: Columns) -> tuple[np.ndarray, list[np.ndarray], list[np.ndarray]]:
    """Return the lower ends of the bins (k,) and counts for greens, then reds.

    The counts are the points (n,) and those with X >= r (n, k).
    """
    points, above, r = [], [], np.zeros(0)
    low, high = int(rows["bin"].min()), int(rows["bin"].max())
    for color in green_and_red(sample):
        mine = chosen(rows, rows["color"] == color)
        counts, r = counts_of(sample.replicates["replicate"], mine, low, high)
        points.append(sample.replicates[f"points_{color}"])
        above.append(points[-1][:, None] - (counts.cumsum(axis=1) - counts))
    return r, points, above


def of_survivors(sample: Sample, rows: Columns) -> Iterator[Estimate]:
    """Yield eps, eps - rho, (R - G) / R(0), the slope of ln eps and the collapse of a fussy matching.

    They are evaluated at the lower ends of the bins up to the cutoff. rows: of the table `distances`.
    """
    fussy = sample.rule.reference_color is not None and len(sample.intensities) == 2 and all(sample.intensities)
    if not fussy or not len(rows["bin"]):
        return
    r, points, above = _survivors(sample, rows)
    greens, reds = (array.sum(axis=0) for array in above)
    volume = volumes(sample, r)
    keep = (r <= sample.cutoff) & (volume >= MIN_VOLUME) & (reds >= MIN_COUNT)
    if not keep.any():
        return
    surplus, of_surplus = ratio((above[1] - above[0])[:, keep], points[1])
    yield Estimate("red_surplus", surplus, of_surplus, x=volume[keep])
    keep &= greens >= MIN_COUNT
    if not keep.any():
        return
    eps, of_eps = ratio(above[1][:, keep], above[0][:, keep])
    volume = volume[keep]
    rho, of_rho = ratio(points[1], points[0])
    excess, of_excess = eps - rho, of_eps - of_rho[:, None]
    estimate = Estimate("red_green_ratio", eps, of_eps, x=volume)
    estimate.ends = intervals.of_positive(eps, estimate.error, len(points[0]))
    yield estimate
    yield Estimate("ratio_excess", excess, of_excess, x=volume)
    w = window(sample.dim)
    if len(eps) <= 2 * w:
        return
    over = np.log(volume[2 * w :] / volume[: -2 * w])
    logarithm, of_logarithm = np.log(eps), of_eps / eps
    slope = (logarithm[2 * w :] - logarithm[: -2 * w]) / over
    of_slope = (of_logarithm[:, 2 * w :] - of_logarithm[:, : -2 * w]) / over
    volume, excess, of_excess = volume[w:-w], excess[w:-w], of_excess[:, w:-w]
    yield Estimate("ratio_slope", slope, of_slope, x=volume)
    with np.errstate(divide="ignore", invalid="ignore"):
        collapse = slope**2 / excess
        of_collapse = (2 * slope * of_slope - collapse * of_excess) / excess
        some = (excess > 0) & (slope > 0) & ~(standard_error(of_collapse) > MAX_ERROR * collapse)
    estimate = Estimate("collapse", collapse[some], of_collapse[:, some], x=volume[some])
    estimate.ends = intervals.of_positive(estimate.value, estimate.error, len(points[0]))
    yield estimate


def curve(
    sample: Sample, rows: Columns, intensity: float, min_count: float = 1
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return ratios of sums (k,), the influences of replicates (n, k) and V (k,).

    V is the expected number of points. min_count: smallest sum of denominators with a value.
    """
    x, numerator, denominator = by_argument(sample, rows)
    some = (x * intensity >= MIN_VOLUME) & (denominator.sum(axis=1) >= min_count)
    return *ratio(numerator[some].T, denominator[some].T), x[some] * intensity


def green_and_red(sample: Sample) -> tuple[int, int]:
    """Return the colors green and red: red is the reference color of the rule, else color 1."""
    red = 1 if sample.rule.reference_color is None else sample.rule.reference_color
    return 1 - red, red


def volumes(sample: Sample, r: np.ndarray) -> np.ndarray:
    """Return the expected number of greens in a ball of radius r."""
    green, _ = green_and_red(sample)
    return sample.ball_points(r) * sample.intensities[green] / sum(sample.intensities)


def window(dim: float) -> int:
    """Return the number of bins on either side of r over which a slope is taken."""
    return max(1, round(PER_DECADE * math.log10(FACTOR) / (2 * ball_power(dim))))
