"""The mean partner distance in infinite volume, from tails on tori.

If P(X > r) is about r^-p, long pairs contribute to the mean that no torus has: on a torus of side L
the mean is too small by a multiple of L^(1 - p). Up to the cutoff the tail on the torus is that in
infinite volume. Beyond it P(X > r) = r^-p (C + D / r^2) is integrated, where p is that of the rule
and C and D are fitted to the last octaves of V, the expected number of points within r.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ...theory import intervals
from ...theory.finite_size import FEW_COUNTS
from ...theory.volumes import ball_power
from ..tables.tables import PER_DECADE, Columns
from .distance_tails import counts_of, of_partner
from .estimators import Estimate, Sample, ratio

OCTAVES = 3  # of V, in which the tail is fitted
MIN_BINS = 4  # that are fitted
MIN_VOLUME = 64.0  # smallest V at the end of the fit
MAX_BEYOND = 1e-3  # largest fraction of pairs beyond the cutoff for which other means are those in infinite volume

Mean = tuple[np.ndarray, np.ndarray]  # value and the influence of each replicate


def means(sample: Sample, rows: Columns) -> Iterator[Estimate]:
    """Yield the mean distance to the nearest partner in infinite volume, by color.

    Without a row are means that are infinite or not known to be finite, and those of small tori.
    """
    power = sample.moments.power
    if not power > 1:
        return
    for group in sample.groups:
        mine = of_partner(rows, group, order=0)
        if not len(mine["bin"]):
            continue
        total, points, unmatched = (sample.sums(name, group) for name in ("sum_distance", "points", "unmatched"))
        if math.isinf(power):
            beyond = mine["count"][mine["r"] > sample.cutoff].sum()
            mean = ratio(total, points - unmatched) if beyond <= MAX_BEYOND * mine["count"].sum() else None
        else:
            counts, r = counts_of(sample.replicates["replicate"], mine)
            mean = _of_power_law(sample, power, r, counts, points, total)
        if mean is None:
            continue
        for color in group:
            estimate = Estimate("infinite_volume_mean", *mean, color)
            estimate.ends = intervals.of_positive(estimate.value, estimate.error, len(points))
            yield estimate


def _of_power_law(
    sample: Sample, power: float, r: np.ndarray, counts: np.ndarray, points: np.ndarray, total: np.ndarray
) -> Mean | None:
    """Return the mean if P(X > r) is about r^-power.

    r: lower ends of the bins (k,); counts: of distances in them (n, k); points: their numbers (n,);
    total: sums of the distances (n,). Unmatched points count as matched beyond the cutoff.
    """
    above = points[:, None] - (counts.cumsum(axis=1) - counts)  # points with X >= r
    usable = np.flatnonzero((r <= sample.cutoff) & (above.sum(axis=0) >= FEW_COUNTS))
    bins = max(MIN_BINS, round(OCTAVES * math.log10(2) * PER_DECADE / ball_power(sample.dim)))
    if len(usable) <= bins or sample.ball_points(r[usable[-1]]) < MIN_VOLUME:
        return None
    end, fitted = usable[-1], usable[-bins - 1 :]
    tail, influence = ratio(above[:, fitted], points)
    last = r[end]
    form = np.stack([np.ones(bins + 1), (last / r[fitted]) ** 2], axis=1)
    constant, correction = np.linalg.pinv(form) * (r[fitted] / last) ** power  # with r in units of `last`
    weights = last * (constant / (power - 1) + correction / (power + 1))
    far = counts[:, end:-1] @ _means_of_bins(r[end:], power)
    near, of_near = ratio(total - far + last * above[:, end], points)
    return near + weights @ tail, of_near + influence @ weights


def _means_of_bins(edges: np.ndarray, power: float) -> np.ndarray:
    """Return the mean of X in each bin between edges if P(X > r) is proportional to r^-power."""
    low, high = edges[:-1], edges[1:]
    mass = low**-power - high**-power
    return power / (power - 1) * (low ** (1 - power) - high ** (1 - power)) / mass
