"""Estimators: estimates from sums over replicates, with the influence of each replicate.

The torus is the statistical unit. Every estimate is a smooth function of sums over replicates; its
standard error comes from the influences (the delta method), which is the exact standard error for a
mean. Intervals: intervals.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..points.processes import Process
from ..rules.catalogue import rule_named
from ..rules.rule import Rule
from ..sampling import sources
from ..tables.estimate_tables import INFINITE
from ..tables.tables import NO_X, PER_DECADE, intensities_of, process_of
from ..theory.finite_size import FEW_COUNTS, FEW_REPLICATES, MIN_COUNT, MIN_INDEX
from ..theory.volumes import ball_volume, cutoff
from ..utils.libraries import pd
from . import intervals
from .convergence import lacking_of, reference_color_of
from .dispersion import Dispersion
from .influences import ratio as ratio
from .influences import standard_error as standard_error

QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9, 0.99)
WINDOW = PER_DECADE // 10  # bins on either side of r in the local exponent: a fifth of a decade


class Sample:
    """A cell and its rows of `replicates`.

    smaller: the rows of the cell that differs only in its size, smaller by SIZE_FACTOR; None if
    there is none. dispersion: that of unmatched points, over all cells; by default of this cell
    alone.
    """

    def __init__(
        self, replicates: pd.DataFrame, smaller: pd.DataFrame | None = None, dispersion: Dispersion | None = None
    ) -> None:
        self.replicates, self.smaller = replicates.sort_values("replicate"), smaller
        self.dispersion = Dispersion([replicates]) if dispersion is None else dispersion
        self.row = self.replicates.iloc[0]
        self.dim, self.volume = float(self.row["dim"]), float(self.row["volume"])

    @cached_property
    def rule(self) -> Rule:
        """Rule of the cell."""
        return rule_named(str(self.row["rule"]))

    @cached_property
    def process(self) -> Process:
        """Registry entry of the process of the cell."""
        return sources.named(process_of(self.row))

    @cached_property
    def intensities(self) -> tuple[float, ...]:
        """Intensity of each color."""
        return intensities_of(self.row)

    @property
    def means(self) -> tuple[float, ...]:
        """Expected number of points of each color."""
        return tuple(self.volume * i for i in self.intensities)

    @property
    def cutoff(self) -> float:
        """Largest distance at which finite-size effects are negligible."""
        return cutoff(self.dim, float(self.row["side"]), self.volume)

    def infinite_moment(self, power: float) -> bool:
        """Return whether E X^power of the matched points is known to be infinite.

        The expectation is that in infinite volume.
        """
        return self.process.uniform and self.rule.law.infinite_moment(power, self.dim, self.intensities)

    @property
    def same_for_colors(self) -> bool:
        """Whether the points of all colors have the same tail."""
        return self.process.uniform and self.rule.law.same_for_colors(self.intensities)

    def ball_points(self, r: np.ndarray) -> np.ndarray:
        """Return the expected number of points of all colors in a ball of radius r."""
        return ball_volume(self.dim, r) * sum(self.intensities)


@dataclass
class Estimate:
    """Estimates of one quantity at one or more x.

    x and value are (k,); the influence of the replicates is (n, k).

    ends: lower and upper ends of the intervals, (k,) each; None for those of the kind of the
    quantity. note: of the column `note`. total: number of points of which a share is taken, from
    which the interval follows if none or all of them count; 0 if unknown.
    """

    quantity: str
    value: np.ndarray
    influence: np.ndarray
    color: int = 0
    order: int = 0
    x: Any = NO_X
    ends: intervals.Ends | None = None
    note: str = ""
    total: float = 0.0

    def __post_init__(self) -> None:
        self.value, self.x = np.atleast_1d(self.value), np.atleast_1d(self.x)
        self.influence = self.influence[:, None] if self.influence.ndim == 1 else self.influence

    @cached_property
    def error(self) -> np.ndarray:
        """Standard errors, (k,)."""
        # column by column: numpy sums a 2-d array in another order, which changes the last digit
        return np.array([standard_error(column) for column in self.influence.T])


def unmatched(sample: Sample) -> Iterator[Estimate]:
    """Yield unmatched points and mean partner distances by color, from the table `replicates`."""
    rows = sample.replicates
    red = reference_color_of(sample.rule, sample.dim, sample.intensities)
    for color in range(len(sample.intensities)):
        points = rows[f"points_{color}"].to_numpy()
        alone = rows[f"unmatched_{color}"].to_numpy()
        if points.sum() == 0:
            continue
        counted = _of_unmatched(sample, alone, color)
        volumes = np.full(len(points), sample.volume)
        for quantity, denominator in (("unmatched_fraction", points), ("unmatched_density", volumes)):
            ends = None if counted is None else tuple(end / denominator.sum() for end in counted)
            estimate = Estimate(quantity, *ratio(alone, denominator), color, ends=ends)
            if ends is None and quantity == "unmatched_density":
                estimate.ends = intervals.of_positive(estimate.value, estimate.error, len(points))
            yield estimate
            if quantity == "unmatched_fraction" and color == red:
                converged = not lacking_of(rows, sample.smaller, color)
                yield Estimate("size_converged", np.array(float(converged)), np.zeros(len(points)), color)
            if quantity == "unmatched_fraction" and estimate.value > 0:
                low, high = ends or intervals.of_share(estimate.value, estimate.error, len(points))
                inverse = -np.log(np.minimum(high, 1)), -np.log(low)
                influence = estimate.influence / estimate.value
                yield Estimate("log_inverse_unmatched", -np.log(estimate.value), influence, color, ends=inverse)
        if (points - alone).sum() > 0:
            mean = ratio(rows[f"sum_distance_{color}"].to_numpy(), points - alone)
            estimate = Estimate("mean_distance", *mean, color, note=INFINITE if sample.infinite_moment(1) else "")
            estimate.ends = intervals.of_positive(estimate.value, estimate.error, len(points))
            yield estimate


def _of_unmatched(sample: Sample, alone: np.ndarray, color: int) -> intervals.Ends | None:
    """Return the interval of the number of unmatched points (n,), or None.

    It is returned if the points or the replicates are few.

    If only different colors are matched, unmatched points are the excess of a color, and not in
    clusters.
    """
    few = len(alone) < FEW_REPLICATES or alone.sum() < FEW_COUNTS
    if len(alone) < 2 or not few or (sample.rule.across and alone.any()):
        return None
    unknown = MIN_INDEX, np.inf
    index, dof = unknown if sample.rule.across else sample.dispersion.index(sample.replicates, color)
    return intervals.of_count(float(alone.sum()), max(1.0, index), dof)


def ratios(sample: Sample, rows: pd.DataFrame) -> Iterator[Estimate]:
    """Yield sums of numerators over sums of denominators for each quantity and x of `ratios`."""
    for (quantity, x), part in rows.sort_values("replicate").groupby(["quantity", "x"]):
        numerator, denominator = part["numerator"].to_numpy(), part["denominator"].to_numpy()
        if denominator.sum() > 0:
            yield Estimate(str(quantity), *ratio(numerator, denominator), x=x, total=float(denominator.sum()))


def tails(sample: Sample, rows: pd.DataFrame) -> Iterator[Estimate]:
    """Yield the distribution of the partner distance by color and order, from `distances`.

    Colors with the same law are taken together, torus by torus: their common fluctuation cancels.
    Their rows are the same.
    """
    replicates = sample.replicates["replicate"].to_numpy()
    colors = [k for k in range(len(sample.intensities)) if sample.replicates[f"points_{k}"].any()]
    groups = [colors] if sample.same_for_colors else [[color] for color in colors]
    for group in groups:
        points = np.sum([sample.replicates[f"points_{color}"].to_numpy() for color in group], axis=0)
        mine = rows[rows["color"].isin(group)]
        for order in np.unique(mine["order"]):
            counts, r = counts_of(replicates, mine[mine["order"] == order])
            above = points[:, None] - (counts.cumsum(axis=1) - counts)  # points with X >= r, or without such a partner
            for estimate in _of_tail(sample, r, above, points):
                yield from (replace(estimate, color=color, order=int(order)) for color in group)


def counts_of(
    replicates: np.ndarray, distances: pd.DataFrame, low: int | None = None, high: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return counts (replicates, bins) and lower ends of the bins.

    The bins are those from the lowest filled bin (or low) to the one after the last (high).
    """
    low = int(distances["bin"].min()) if low is None else low
    high = int(distances["bin"].max()) if high is None else high
    counts = np.zeros((len(replicates), high - low + 2))
    place = np.searchsorted(replicates, distances["replicate"].to_numpy())
    np.add.at(counts, (place, distances["bin"].to_numpy() - low), distances["count"].to_numpy())
    known = distances.set_index("bin")["r"].to_dict()
    r = np.array([known.get(k, 10 ** (k / PER_DECADE)) for k in range(low, high + 2)])
    return counts, r


def _of_tail(sample: Sample, r: np.ndarray, above: np.ndarray, points: np.ndarray) -> Iterator[Estimate]:
    """Yield tail, scaled tail, local exponent and quantiles.

    They follow from the points with X >= r of each replicate (n, k), and all points (n,).
    """
    (tail, influence), total = ratio(above, points), above.sum(axis=0)
    some = (total >= MIN_COUNT) & (points.sum() - total >= MIN_COUNT)
    balls = sample.ball_points(r)[some]
    estimate = Estimate("tail", tail[some], influence[:, some], x=r[some])
    estimate.ends = low, high = intervals.of_share(estimate.value, estimate.error, len(points))
    yield estimate
    yield Estimate(
        "scaled_tail", balls * estimate.value, balls * estimate.influence, x=r[some], ends=(balls * low, balls * high)
    )
    k = np.arange(WINDOW, len(r) - WINDOW)
    k = k[(total[k + WINDOW] >= MIN_COUNT) & (total[k - WINDOW] - total[k + WINDOW] >= MIN_COUNT)]
    lo, hi = k - WINDOW, k + WINDOW
    width = np.log(r[hi] / r[lo])
    slope = np.log(tail[hi] / tail[lo]) / width
    slopes = Estimate(
        "tail_exponent", slope, (influence[:, hi] / tail[hi] - influence[:, lo] / tail[lo]) / width, x=r[k]
    )
    steep, flat = intervals.of_positive(-slope, slopes.error, len(points))[::-1]
    slopes.ends = -steep, -flat
    yield slopes
    for q in QUANTILES:
        if min(q, 1 - q) * points.sum() >= MIN_COUNT:
            yield from _quantile(q, r, above, points)


def _quantile(q: float, r: np.ndarray, above: np.ndarray, points: np.ndarray) -> Iterator[Estimate]:
    """Yield the r with P(X > r) = 1 - q, if the bins that enclose it exist.

    It is interpolated in log r between these bins.

    The interval is where the tail passes the ends of the interval of P(X > r) at the estimate
    (Woodruff, 1952).
    """
    tail, influence = ratio(above, points)
    k = int(np.searchsorted(-tail, -(1 - q)))
    if not 1 <= k < len(r):
        return
    share = (tail[k - 1] - (1 - q)) / (tail[k - 1] - tail[k])
    value = r[k - 1] * (r[k] / r[k - 1]) ** share
    slope = value * np.log(r[k] / r[k - 1]) / (tail[k - 1] - tail[k])
    mixed = (1 - share) * influence[:, k - 1] + share * influence[:, k]
    estimate = Estimate("quantile", value, slope * mixed, x=q)
    low, high = intervals.of_share(1 - q, standard_error(mixed), len(points))
    estimate.ends = _passed(high, r, tail), _passed(low, r, tail)
    exists = np.count_nonzero(above[:, -1] <= (1 - q) * points)
    if exists < len(points):
        estimate.note = f"exists in {exists} of {len(points)} replicates"
    yield estimate


def _passed(level: float, r: np.ndarray, tail: np.ndarray) -> float:
    """Return the r at which a tail passes a level, interpolated in log r.

    It is 0 if the tail begins below, inf if it ends above, and nan for nan.
    """
    if np.isnan(level):
        return np.nan
    k = int(np.searchsorted(-tail, -level))
    if k == 0 or k == len(r):
        return 0.0 if k == 0 else np.inf
    share = (tail[k - 1] - level) / (tail[k - 1] - tail[k])
    return float(r[k - 1] * (r[k] / r[k - 1]) ** share)
