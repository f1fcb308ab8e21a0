"""Estimators: estimates from sums over replicates, with the influence of each replicate.

The torus is the statistical unit. Every estimate is a smooth function of sums over replicates; its
standard error comes from the influences (the delta method), which is the exact standard error for a
mean. Intervals: intervals.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ...points.processes import Process
from ...rules.catalogue import rule_named
from ...rules.laws import Moments
from ...rules.rule import Rule
from ...theory.volumes import ball_volume, cutoff
from ...utils.immutable import cached_property
from ...utils.manifests import sha256
from ..sampling import sources
from ..tables.tables import CELL, NO_X, Columns, Table, intensities_of, parameters_of, process_of
from .context import Context, Summary
from .convergence import Fraction, Tori, reference_color_of
from .influences import jackknife_ratio as jackknife_ratio
from .influences import ratio as ratio
from .influences import standard_error as standard_error

SIZES = ("cell", "size", "volume", "side")  # columns in which cells differ that differ only in their size
MAX_REPLICATES = 2000  # of the cells whose estimates are computed together
Exact = np.ndarray | float  # exact values, at each x or at all
MIN_VOLUME = 0.125  # expected number of points within the smallest r at which a curve is estimated


class CellSample:
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
        return Summary(self._size_group, None if red is None else Tori.of(self.replicates, red).fraction())

    @property
    def _size_group(self) -> int:
        values = [self.row[column.name] for column in CELL if column.name not in SIZES]
        return int(sha256(repr(values).encode())[:16], 16)

    @property
    def smaller(self) -> Fraction | None:
        """The fraction of the cell that this one is compared with, if there is one: it differs only in its size."""
        return self.context.smaller(self._size_group, float(self.row["size"]))

    @cached_property
    def rule(self) -> Rule:
        """Rule of the cell."""
        return rule_named(str(self.row["rule"]))

    @cached_property
    def process(self) -> Process:
        """Registry entry of the process of the cell; with a `max_distance` one for which no exact law is known."""
        is_limited = "max_distance" in parameters_of(self.row)
        return sources.process_named(sources.FROM_FILES if is_limited else process_of(self.row))

    @cached_property
    def intensities(self) -> tuple[float, ...]:
        """Intensity of each color."""
        return intensities_of(self.row)

    @property
    def means(self) -> tuple[float, ...]:
        """Expected number of points of each color."""
        return tuple(self.volume * i for i in self.intensities)

    @property
    def green_and_red(self) -> tuple[int, int]:
        """Colors green and red: red is the reference color of the rule, or color 1."""
        red = 1 if self.rule.reference_color is None else self.rule.reference_color
        return 1 - red, red

    @cached_property
    def cutoff(self) -> float:
        """Largest distance at which finite-size effects are negligible."""
        return cutoff(self.dim, float(self.row["side"]), self.volume)

    @property
    def end_of_flow(self) -> float:
        """Largest r up to which points with X > r are the survivors of infinite volume: that of a pair, or the cutoff."""
        return min(self.cutoff, parameters_of(self.row).get("max_distance", math.inf))

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

    @cached_property
    def fixed_counts(self) -> tuple[float, ...] | None:
        """Number of points of each color if the process has fixed numbers, else None."""
        return self.process._density(float(self.row["size"]), self.intensities).get("counts")

    @cached_property
    def exact_intensities(self) -> tuple[float, ...]:
        """Intensities for exact values: those of the numbers of points if they are fixed, since numbers are rounded."""
        counts = self.fixed_counts
        return self.intensities if counts is None else tuple(count / self.volume for count in counts)

    def exact_tail(self, r: Any, colors: Iterable[int], order: int = 0) -> Exact:
        """Return the exact P(X > r) of a typical point of these colors in infinite volume, nan if it is not known."""
        if not self.process.uniform:
            return math.nan
        intensities = self.exact_intensities
        present = [color for color in colors if intensities[color] > 0]
        tails = [self.rule.law.tail(np.asarray(r), self.dim, intensities, color, order) for color in present]
        return np.average(tails, axis=0, weights=[intensities[color] for color in present])

    def sums(self, name: str, colors: list[int]) -> np.ndarray:
        """Return the sum over colors of a column of `replicates`, such as "points"."""
        return np.sum([self.replicates[f"{name}_{color}"] for color in colors], axis=0)

    def ball_points(self, r: np.ndarray) -> np.ndarray:
        """Return the expected number of points of all colors in a ball of radius r."""
        return ball_volume(self.dim, r) * sum(self.intensities)


def number_together(replicates: int) -> int:
    """Return how many cells with this number of replicates are estimated together, to save memory."""
    return max(1, MAX_REPLICATES // replicates)


def runs(keys: np.ndarray) -> list[range]:
    """Return the ranges of columns with equal keys, which are (m, k)."""
    starts = [0, *(np.flatnonzero((keys[:, 1:] != keys[:, :-1]).any(axis=0)) + 1).tolist()]
    return [range(*ends) for ends in pairwise([*starts, keys.shape[1]])] if keys.size else []


@dataclass
class Estimate:
    """Estimates of one quantity at one or more x, of one cell or of several with equally many replicates.

    value is (k,); the influence of the replicates is (n, k). cell: its place among the cells that
    are estimated together. color: 0 if the quantity is not about a color. cell, color, order, x,
    note and total are one or (k,).

    ends: lower and upper ends of the intervals, (k,) each; None for those of the kind of the
    quantity. interval: the kind of these ends, of the column `interval`. dispersion: index of
    dispersion behind them. note: of the column `note`, None for none. total: number of points,
    pairs or tori by which the value is divided; 0 if unknown.
    """

    quantity: str
    value: np.ndarray
    influence: np.ndarray
    color: Any = 0
    order: Any = 0
    x: Any = NO_X
    ends: Any = None
    interval: Any = None
    dispersion: Any = math.nan
    note: Any = None
    total: Any = 0.0
    cell: Any = 0

    def __post_init__(self) -> None:
        self.value = np.atleast_1d(self.value)
        self.x = np.full(self.value.shape, self.x)
        self.influence = self.influence[:, None] if self.influence.ndim == 1 else self.influence

    @cached_property
    def error(self) -> np.ndarray:
        """Standard errors, (k,)."""
        return standard_error(np.asfortranarray(self.influence))  # summed as if each column was alone

    def of(self, **values: Any) -> Estimate:
        """Return these estimates with other values of some attributes, such as those of another cell or color."""
        same = Estimate.__new__(Estimate)
        vars(same).update(vars(self), **values)
        return same

    def chosen(self, some: Any, **values: Any) -> Estimate:
        """Return the estimates at some places, a slice or whether each is one of them; values: see `of`."""
        arrays = {name: array[..., some] for name, array in vars(self).items() if isinstance(array, np.ndarray)}
        ends = None if self.ends is None else tuple(end[some] for end in self.ends)
        return self.of(**{**arrays, "ends": ends, **values})

    def parts(self) -> Iterator[Estimate]:
        """Yield the estimates of each cell, color and order, which are then one."""
        keys = np.empty((3, len(self.value)), int)
        keys[0], keys[1], keys[2] = self.cell, self.color, self.order
        for part in runs(keys):
            cell, color, order = keys[:, part.start].tolist()
            yield self.chosen(slice(part.start, part.stop), cell=cell, color=color, order=order)


def arrays_of(table: Table, rows: Any) -> Columns:
    """Return the rows of a cell in a table, a frame or arrays, as arrays without the columns of the cell."""
    return {name: np.asarray(rows[name]) for name in table.names[len(CELL) :]}


def chosen(rows: Columns, some: np.ndarray) -> Columns:
    """Return the rows for which `some` is true."""
    return {name: values[some] for name, values in rows.items()}


def by_argument(sample: CellSample, rows: Columns) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the arguments (k,), and numerators and denominators (k, n), of one quantity of `ratios`.

    A replicate lies in the last axis, so that numpy adds up each x as if it was alone.
    """
    x, index = np.unique(rows["x"], return_inverse=True)
    replicates = sample.replicates["replicate"]
    numbers = np.zeros((2, len(x), len(replicates)))
    numbers[:, index, np.searchsorted(replicates, rows["replicate"])] = rows["numerator"], rows["denominator"]
    return x, *numbers


def curve(sample: CellSample, rows: Columns, intensity: float, quantity: str, min_count: float = 1) -> Estimate:
    """Return the ratios of sums of one quantity at V, the expected numbers of points within r.

    min_count: smallest sum of denominators with a value.
    """
    x, numerator, denominator = by_argument(sample, rows)
    total = denominator.sum(axis=1)
    some = (x * intensity >= MIN_VOLUME) & (total >= min_count)
    value, influence = jackknife_ratio(numerator[some].T, denominator[some].T)
    return Estimate(quantity, value, influence, x=x[some] * intensity, total=total[some])


def slope_of(
    exact: Callable[[CellSample, Estimate], Any], sample: CellSample, estimate: Estimate, step: float
) -> Exact:
    """Return the slope of the logarithm of an exact value from x / 10^step to 10^step x, by the logarithm of x."""
    with np.errstate(invalid="ignore", divide="ignore"):
        low, high = (np.log(exact(sample, estimate.of(x=estimate.x * 10**k))) for k in (-step, step))
    return (high - low) / (2 * step * math.log(10))
