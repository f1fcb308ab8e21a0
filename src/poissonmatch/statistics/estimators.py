"""Estimators: estimates from sums over replicates, with the influence of each replicate.

The torus is the statistical unit. Every estimate is a smooth function of sums over replicates; its
standard error comes from the influences (the delta method), which is the exact standard error for a
mean. Intervals: intervals.py.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..points.processes import Process
from ..rules.catalogue import rule_named
from ..rules.laws import Moments
from ..rules.rule import Rule
from ..sampling import sources
from ..tables.estimate_tables import INFINITE, INFINITE_VARIANCE, UNKNOWN_MOMENTS
from ..tables.tables import CELL, NO_X, PER_DECADE, Columns, Table, intensities_of, n_colors, process_of
from ..theory.finite_size import FEW_COUNTS, FEW_REPLICATES, MIN_COUNT, MIN_INDEX
from ..theory.volumes import ball_volume, cutoff
from . import intervals
from .context import Context, Summary, index_of
from .convergence import Fraction, Tori, lacking, reference_color_of
from .influences import ratio as ratio
from .influences import standard_error as standard_error

QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9, 0.99)
WINDOW = PER_DECADE // 10  # bins on either side of r in the local exponent: a fifth of a decade
SIZES = ("cell", "size", "volume", "side")  # columns in which cells differ that differ only in their size
KIND = ("rule", "process", "dim", "geometry")  # columns in which cells agree whose index of dispersion is pooled


class Sample:
    """A cell and its rows of `replicates`, as arrays in the order of the replicates.

    replicates: the rows, a frame or arrays by the name of the column. context: that of all cells;
    by default of this cell alone.
    """

    def __init__(self, replicates: Any, context: Context | None = None) -> None:
        columns = {str(name): np.asarray(replicates[name]) for name in replicates}
        order = np.argsort(columns["replicate"], kind="stable")
        self.replicates: Columns = {name: values[order] for name, values in columns.items()}
        self.row = {name: values[0] for name, values in self.replicates.items()}
        self.dim, self.volume = float(self.row["dim"]), float(self.row["volume"])
        if context is not None:
            self.context = context

    @cached_property
    def context(self) -> Context:
        """The summaries of the cells that are estimated together."""
        return Context([self.summary])

    @cached_property
    def summary(self) -> Summary:
        """What the estimates of other cells need of this one."""
        red = reference_color_of(self.rule, self.dim, self.intensities)
        scatter = {}
        for color in range(n_colors(self.row)):
            alone, points = self.replicates[f"unmatched_{color}"], self.replicates[f"points_{color}"]
            if len(alone) > 1 and alone.sum() >= MIN_COUNT:
                dof = len(alone) - 1
                scatter[color] = dof * index_of(alone, points), dof
        return Summary(
            size=float(self.row["size"]),
            size_group=self._size_group,
            kind=self._kind,
            fraction=None if red is None else Tori.of(self.replicates, red).fraction(),
            scatter=scatter,
        )

    @property
    def _size_group(self) -> str:
        return repr([self.row[column.name] for column in CELL if column.name not in SIZES])

    @property
    def _kind(self) -> tuple:
        return tuple(self.row[name] for name in KIND)

    @property
    def smaller(self) -> Fraction | None:
        """The fraction of the cell that differs only in its size, smaller by SIZE_FACTOR, if there is one."""
        return self.context.smaller(self._size_group, float(self.row["size"]))

    def index(self, color: int) -> tuple[float, float]:
        """Return the index of dispersion of unmatched points, and its degrees of freedom; see `Context.index`."""
        return self.context.index(self._kind, color)

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

    @cached_property
    def cutoff(self) -> float:
        """Largest distance at which finite-size effects are negligible."""
        return cutoff(self.dim, float(self.row["side"]), self.volume)

    @cached_property
    def moments(self) -> Moments:
        """Which moments of the distance to the nearest partner are infinite in infinite volume."""
        if not self.process.uniform or self.rule.labels > 1:  # the law is about the partner with label 0
            return Moments()
        return self.rule.law.moments(self.dim, self.intensities)

    @property
    def same_for_colors(self) -> bool:
        """Whether the points of all colors have the same tail."""
        return self.process.uniform and self.rule.law.same_for_colors(self.intensities)

    @cached_property
    def color_names(self) -> list[str | None]:
        """Name of each color, None if the cell has one color."""
        if self.rule.n_colors == len(self.intensities) == 1:
            return [None]
        return [self.rule.color_name(color) for color in range(len(self.intensities))]

    @cached_property
    def groups(self) -> list[list[int]]:
        """Colors with points, together if their tails are the same."""
        colors = [k for k in range(len(self.intensities)) if self.replicates[f"points_{k}"].any()]
        return [colors] if self.same_for_colors else [[color] for color in colors]

    def sums(self, name: str, colors: list[int]) -> np.ndarray:
        """Return the sum over colors of a column of `replicates`, such as "points"."""
        return np.sum([self.replicates[f"{name}_{color}"] for color in colors], axis=0)

    def ball_points(self, r: np.ndarray) -> np.ndarray:
        """Return the expected number of points of all colors in a ball of radius r."""
        return ball_volume(self.dim, r) * sum(self.intensities)


@dataclass
class Estimate:
    """Estimates of one quantity at one or more x.

    x and value are (k,); the influence of the replicates is (n, k). color: 0 if the quantity is not
    about a color.

    ends: lower and upper ends of the intervals, (k,) each; None for those of the kind of the
    quantity. note: of the column `note`, one or (k,), None for none. total: number of points of
    which a share is taken, one or (k,), from which the interval follows if none or all of them
    count; 0 if unknown.
    """

    quantity: str
    value: np.ndarray
    influence: np.ndarray
    color: int = 0
    order: int = 0
    x: Any = NO_X
    ends: intervals.Ends | None = None
    note: Any = None
    total: Any = 0.0

    def __post_init__(self) -> None:
        self.value, self.x = np.atleast_1d(self.value), np.atleast_1d(self.x)
        self.influence = self.influence[:, None] if self.influence.ndim == 1 else self.influence

    @cached_property
    def error(self) -> np.ndarray:
        """Standard errors, (k,)."""
        return standard_error(np.asfortranarray(self.influence))  # summed as if each column was alone


def unmatched(sample: Sample) -> Iterator[Estimate]:
    """Yield unmatched points and mean partner distances by color, from the table `replicates`."""
    rows = sample.replicates
    red = reference_color_of(sample.rule, sample.dim, sample.intensities)
    for color in range(len(sample.intensities)):
        points, alone = rows[f"points_{color}"], rows[f"unmatched_{color}"]
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
                converged = not [*lacking(Tori.of(rows, color), sample.smaller)]
                yield Estimate("size_converged", np.array(float(converged)), np.zeros(len(points)), color)
            if quantity == "unmatched_fraction" and color == sample.rule.reference_color and estimate.value > 0:
                low, high = ends or intervals.of_share(estimate.value, estimate.error, len(points))
                inverse = -np.log(np.minimum(high, 1)), -np.log(low)
                influence = estimate.influence / estimate.value
                yield Estimate("log_inverse_unmatched", -np.log(estimate.value), influence, color, ends=inverse)
        if (points - alone).sum() > 0:
            mean = ratio(rows[f"sum_distance_{color}"], points - alone)
            estimate = Estimate("mean_distance", *mean, color, note=note_of_mean(sample.moments))
            estimate.ends = intervals.of_positive(estimate.value, estimate.error, len(points))
            yield estimate


def note_of_mean(moments: Moments) -> str | None:
    """Return the note of a mean partner distance, None for none."""
    if math.isnan(moments.power):
        return UNKNOWN_MOMENTS
    return INFINITE if moments.infinite(1) else INFINITE_VARIANCE if moments.infinite(2) else None


def _of_unmatched(sample: Sample, alone: np.ndarray, color: int) -> intervals.Ends | None:
    """Return the interval of the number of unmatched points (n,), or None.

    It is returned if the points are few or, with two colors of the same law, if the replicates are.

    If only different colors are matched, unmatched points are the excess of a color, and not in
    clusters.
    """
    if len(alone) < 2:
        return None
    total = float(alone.sum())
    if sample.rule.across:
        excess = sample.sums("unmatched", [0, 1]) if sample.same_for_colors else alone
        if len(alone) < FEW_REPLICATES and sample.same_for_colors and excess.any():
            return intervals.of_excess(total, excess)
        return None if total else intervals.of_count(total, MIN_INDEX, np.inf)
    if total >= FEW_COUNTS:
        return None
    index, dof = sample.index(color)
    return intervals.of_count(total, max(1.0, index), dof)


def ratios(sample: Sample, rows: Columns) -> Iterator[Estimate]:
    """Yield sums of numerators over sums of denominators for each quantity and x of `ratios`."""
    for quantity in sorted(set(rows["quantity"])):
        x, numerator, denominator = by_argument(sample, chosen(rows, rows["quantity"] == quantity))
        total = denominator.sum(axis=1)
        some = total > 0
        estimate = ratio(numerator[some].T, denominator[some].T)
        yield Estimate(quantity, *estimate, x=x[some], total=total[some])


def arrays_of(table: Table, rows: Any) -> Columns:
    """Return the rows of a cell in a table, a frame or arrays, as arrays without the columns of the cell."""
    return {name: np.asarray(rows[name]) for name in table.names[len(CELL) :]}


def chosen(rows: Columns, some: np.ndarray) -> Columns:
    """Return the rows for which `some` is true."""
    return {name: values[some] for name, values in rows.items()}


def of_partner(rows: Columns, colors: list[int], order: int) -> Columns:
    """Return the rows of `distances` of these colors and this order of the partner."""
    return chosen(rows, (rows["color"][:, None] == colors).any(axis=1) & (rows["order"] == order))


def by_argument(sample: Sample, rows: Columns) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the arguments (k,), and numerators and denominators (k, n), of one quantity of `ratios`.

    A replicate lies in the last axis, so that numpy adds up each x as if it was alone.
    """
    x, place = np.unique(rows["x"], return_inverse=True)
    replicates = sample.replicates["replicate"]
    numbers = np.zeros((2, len(x), len(replicates)))
    numbers[:, place, np.searchsorted(replicates, rows["replicate"])] = rows["numerator"], rows["denominator"]
    return x, *numbers


def tails(sample: Sample, rows: Columns) -> Iterator[Estimate]:
    """Yield the distribution of the partner distance by color and order, from `distances`.

    Colors with the same law are taken together, torus by torus: their common fluctuation cancels.
    Their rows are the same.
    """
    replicates, orders = sample.replicates["replicate"], sorted(set(rows["order"].tolist()))
    for group in sample.groups:
        points = sample.sums("points", group)
        for order in orders:
            mine = of_partner(rows, group, order)
            if not len(mine["bin"]):
                continue
            counts, r = counts_of(replicates, mine)
            above = points[:, None] - (counts.cumsum(axis=1) - counts)  # points with X >= r, or without such a partner
            for estimate in _of_tail(sample, r, above, points):
                for color in group:
                    of_color = copy(estimate)  # which keeps the error, if it is known
                    of_color.color, of_color.order = color, order
                    yield of_color


def counts_of(
    replicates: np.ndarray, distances: Columns, low: int | None = None, high: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return counts (replicates, bins) and lower ends of the bins.

    The bins are those from the lowest filled bin (or low) to the one after the last (high).
    """
    low = int(distances["bin"].min()) if low is None else low
    high = int(distances["bin"].max()) if high is None else high
    column, shape = distances["bin"] - low, (len(replicates), high - low + 2)
    place = np.searchsorted(replicates, distances["replicate"]) * shape[1] + column
    counts = np.bincount(place, distances["count"], math.prod(shape)).reshape(shape)
    r = np.array([10 ** (k / PER_DECADE) for k in range(low, high + 2)])
    r[column] = distances["r"]
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
    q = np.array(QUANTILES)
    q = q[np.minimum(q, 1 - q) * points.sum() >= MIN_COUNT]
    yield _quantiles(q, r, tail, influence, above, points)


def _quantiles(
    q: np.ndarray, r: np.ndarray, tail: np.ndarray, influence: np.ndarray, above: np.ndarray, points: np.ndarray
) -> Estimate:
    """Return the r with P(X > r) = 1 - q for each probability q, if the bins that enclose it exist.

    It is interpolated in log r between these bins. The interval is where the tail passes the ends
    of the interval of P(X > r) at the estimate (Woodruff, 1952).
    """
    k = np.searchsorted(-tail, q - 1)
    inside = (k >= 1) & (k < len(r))
    q, k = q[inside], k[inside]
    level, step = 1 - q, tail[k - 1] - tail[k]
    share = (tail[k - 1] - level) / step
    mixed = np.asfortranarray((1 - share) * influence[:, k - 1] + share * influence[:, k])
    low, high = intervals.of_share(level, standard_error(mixed), len(points))
    value, lower, upper = _passed(np.stack([level, high, low]), r, tail)
    influence = value * np.log(r[k] / r[k - 1]) / step * mixed
    all_tori, exists = len(points), np.count_nonzero(above[:, -1:] <= level * points[:, None], axis=0)
    notes = [None if some == all_tori else f"exists in {some} of {all_tori} replicates" for some in exists]
    return Estimate("quantile", value, influence, x=q, ends=(lower, upper), note=np.array(notes, object))


def _passed(level: np.ndarray, r: np.ndarray, tail: np.ndarray) -> np.ndarray:
    """Return the r at which a tail passes each level, interpolated in log r.

    It is 0 if the tail begins below, inf if it ends above, and nan for nan.
    """
    k = np.searchsorted(-tail, -level)
    end = np.clip(k, 1, len(r) - 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = (tail[end - 1] - level) / (tail[end - 1] - tail[end])
        inside = r[end - 1] * (r[end] / r[end - 1]) ** share
    outside = np.where(np.isnan(level), np.nan, np.where(k == 0, 0.0, np.inf))
    return np.where(k == end, inside, outside)
