"""Estimators: estimates from sums over replicates, with the influence of each replicate.

The torus is the statistical unit. Every estimate is a smooth function of sums over replicates; its standard error comes from
the influences (the delta method), which is the exact standard error for a mean, and its 95 % interval is Student's t with
n_replicates - 1 degrees of freedom.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy  # which imports scipy.special when it is first used

from ..points.processes import Process
from ..rules.catalogue import rule_named
from ..rules.rule import Rule
from ..sampling import sources
from ..tables.tables import NO_X, PER_DECADE, intensities_of, process_of
from ..theory.volumes import cutoff, unit_ball_volume
from .finite_size import lacking_of, reference_color_of
from .influences import ratio as ratio
from .influences import standard_error as standard_error

if TYPE_CHECKING:
    import pandas as pd

CONFIDENCE = 0.95  # of all intervals
QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9, 0.99)
WINDOW = PER_DECADE // 10  # bins on either side of r in the local exponent: a fifth of a decade


class Sample:
    """A cell and its rows of `replicates`.

    smaller: the rows of the cell that differs only in its size, smaller by SIZE_FACTOR; None if there is none.
    """

    def __init__(self, replicates: pd.DataFrame, smaller: pd.DataFrame | None = None) -> None:
        self.replicates, self.smaller = replicates.sort_values("replicate"), smaller
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

    def ball_points(self, r: np.ndarray) -> np.ndarray:
        """Return the expected number of points of all colors in a ball of radius r."""
        return unit_ball_volume(self.dim) * (r if self.dim == np.inf else r**self.dim) * sum(self.intensities)


@dataclass
class Estimate:
    """Estimates of one quantity at one or more x: x and value are (k,), influence of the replicates is (n, k).

    upper: the upper end of the interval if no point was observed.
    """

    quantity: str
    value: np.ndarray
    influence: np.ndarray
    color: int = 0
    order: int = 0
    x: Any = NO_X
    upper: float | None = None

    def __post_init__(self) -> None:
        self.value, self.x = np.atleast_1d(self.value), np.atleast_1d(self.x)
        self.influence = self.influence[:, None] if self.influence.ndim == 1 else self.influence


def interval(value: Any, error: Any, n: int) -> tuple[Any, Any]:
    """Return the confidence interval of an estimate from n replicates."""
    width = scipy.special.stdtrit(n - 1, (1 + CONFIDENCE) / 2) * error if n > 1 else np.nan * error
    return value - width, value + width


def unmatched(sample: Sample, rows: pd.DataFrame) -> Iterator[Estimate]:
    """Yield unmatched points and mean partner distance of each color, from the table `replicates`."""
    rows = sample.replicates
    red = reference_color_of(sample.rule, sample.dim, sample.intensities)
    for color in range(len(sample.intensities)):
        points = rows[f"points_{color}"].to_numpy(float)
        alone = rows[f"unmatched_{color}"].to_numpy(float)
        if points.sum() == 0:
            continue
        volumes = np.full(len(points), sample.volume)
        for quantity, denominator in (("unmatched_fraction", points), ("unmatched_density", volumes)):
            value, influence = ratio(alone, denominator)
            # no unmatched point: the rule of three instead of an empty interval
            none = 3 / denominator.sum() if value == 0 and len(points) > 1 else None
            yield Estimate(quantity, value, influence, color, upper=none)
            if quantity == "unmatched_fraction" and color == red:
                converged = not lacking_of(rows, sample.smaller, color)
                yield Estimate("size_converged", np.array(float(converged)), np.zeros(len(points)), color)
            if quantity == "unmatched_fraction" and value > 0:
                yield Estimate("log_inverse_unmatched", -np.log(value), influence / value, color)
        if (points - alone).sum() > 0:
            found = ratio(rows[f"sum_distance_{color}"].to_numpy(), points - alone)
            yield Estimate("mean_distance", *found, color)


def ratios(sample: Sample, rows: pd.DataFrame) -> Iterator[Estimate]:
    """Yield the sum of numerators over the sum of denominators for each quantity and x of the table `ratios`."""
    for (quantity, x), part in rows.sort_values("replicate").groupby(["quantity", "x"]):
        numerator, denominator = part["numerator"].to_numpy(), part["denominator"].to_numpy()
        if denominator.sum() > 0:
            yield Estimate(str(quantity), *ratio(numerator, denominator), x=x)


def tails(sample: Sample, rows: pd.DataFrame) -> Iterator[Estimate]:
    """Yield the distribution of the partner distance of each color and order, from the table `distances`."""
    replicates = sample.replicates["replicate"].to_numpy()
    for color in range(len(sample.intensities)):
        points = sample.replicates[f"points_{color}"].to_numpy(float)
        if points.sum() == 0:
            continue
        mine = rows[rows["color"] == color]
        for order in np.unique(mine["order"]):
            counts, r = counts_of(replicates, mine[mine["order"] == order])
            above = points[:, None] - (counts.cumsum(axis=1) - counts)  # points with X >= r, or without such a partner
            for found in _of_tail(sample, r, *ratio(above, points)):
                found.color, found.order = color, int(order)
                yield found


def counts_of(
    replicates: np.ndarray, distances: pd.DataFrame, low: int | None = None, high: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return counts (replicates, bins) and lower ends of the bins, from the lowest filled bin (or low) to the one after the last (high)."""
    low = int(distances["bin"].min()) if low is None else low
    high = int(distances["bin"].max()) if high is None else high
    counts = np.zeros((len(replicates), high - low + 2))
    place = np.searchsorted(replicates, distances["replicate"].to_numpy())
    counts[place, distances["bin"].to_numpy() - low] = distances["count"].to_numpy()
    known = dict(zip(distances["bin"], distances["r"], strict=True))
    r = np.array([known.get(k, 10 ** (k / PER_DECADE)) for k in range(low, high + 2)])
    return counts, r


def _of_tail(sample: Sample, r: np.ndarray, tail: np.ndarray, influence: np.ndarray) -> Iterator[Estimate]:
    """Yield tail, scaled tail, local exponent and quantiles, from P(X >= r) at the lower ends of the bins."""
    some = tail > 0
    balls = sample.ball_points(r)
    yield Estimate("tail", tail[some], influence[:, some], x=r[some])
    yield Estimate("scaled_tail", (balls * tail)[some], (balls * influence)[:, some], x=r[some])
    k = np.arange(WINDOW, len(r) - WINDOW)
    k = k[tail[k + WINDOW] > 0]
    lo, hi = k - WINDOW, k + WINDOW
    width = np.log(r[hi] / r[lo])
    slope = np.log(tail[hi] / tail[lo]) / width
    yield Estimate("tail_exponent", slope, (influence[:, hi] / tail[hi] - influence[:, lo] / tail[lo]) / width, x=r[k])
    for q in QUANTILES:
        yield from _quantile(q, r, tail, influence)


def _quantile(q: float, r: np.ndarray, tail: np.ndarray, influence: np.ndarray) -> Iterator[Estimate]:
    """Yield the r with P(X > r) = 1 - q, interpolated in log r between the bins that enclose it, if they exist."""
    k = int(np.searchsorted(-tail, -(1 - q)))
    if not 1 <= k < len(r) or tail[k - 1] <= tail[k]:
        return
    share = (tail[k - 1] - (1 - q)) / (tail[k - 1] - tail[k])
    value = r[k - 1] * (r[k] / r[k - 1]) ** share
    slope = value * np.log(r[k] / r[k - 1]) / (tail[k - 1] - tail[k])
    mixed = slope * ((1 - share) * influence[:, k - 1] + share * influence[:, k])
    yield Estimate("quantile", value, mixed, x=q)
