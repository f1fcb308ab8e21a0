"""Estimates of the distribution of the partner distance, of many cells at once."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

from ...theory import intervals
from ...theory.finite_size import MIN_COUNT
from ..tables.tables import PER_DECADE, Columns
from .estimators import Estimate, Sample, chosen, number_together, ratio, standard_error

QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9, 0.99)
WINDOW = PER_DECADE // 10  # bins on either side of r in the local exponent: a fifth of a decade


def of_partner(rows: Columns, colors: list[int], order: int) -> Columns:
    """Return the rows of `distances` of these colors and this order of the partner."""
    return chosen(rows, (rows["color"][:, None] == colors).any(axis=1) & (rows["order"] == order))


class Survivors(NamedTuple):
    """Points of a color of a cell by the distance X to their partner of an order."""

    cell: int  # its place among the cells that are estimated together
    color: int
    order: int
    r: np.ndarray  # (k,)
    balls: np.ndarray  # expected number of points within r (k,)
    above: np.ndarray  # points with X >= r, or without such a partner (n, k)
    points: np.ndarray  # all points (n,)


def tails(samples: Sequence[Sample], rows: Sequence[Columns]) -> Iterator[Estimate]:
    """Yield the distribution of the partner distance by color and order, from the tables `distances` of cells.

    Colors with the same law are taken together, torus by torus: their common fluctuation cancels.
    Their rows are the same.
    """
    all_parts = (part for cell in range(len(samples)) for part in _survivors(cell, samples[cell], rows[cell]))
    while parts := list(islice(all_parts, number_together(len(samples[0].replicates["replicate"])))):
        for estimate in _of_tails(parts):
            cell, color, order = np.array([(part.cell, part.color, part.order) for part in parts])[estimate.cell].T
            yield estimate.of(cell=cell, color=color, order=order)


def _survivors(cell: int, sample: Sample, rows: Columns) -> Iterator[Survivors]:
    """Yield the points of each color of a cell by their partner distance, for each order of the partner."""
    replicates, orders = sample.replicates["replicate"], sorted(set(rows["order"].tolist()))
    for group in sample.groups:
        points = sample.sums("points", group)
        for order in orders:
            mine = of_partner(rows, group, order)
            if len(mine["bin"]):
                counts, r = counts_of(replicates, mine)
                above = points[:, None] - (counts.cumsum(axis=1) - counts)
                for color in group:
                    yield Survivors(cell, color, order, r, sample.ball_points(r), above, points)


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


def _of_tails(parts: Sequence[Survivors]) -> Iterator[Estimate]:
    """Yield tail, scaled tail, local exponent and quantiles of parts, whose place each estimate has as its cell.

    The bins of all parts are one below the other, so that few large arrays are computed.
    """
    part = np.repeat(np.arange(len(parts)), [len(each.r) for each in parts])
    r, balls = (np.concatenate([getattr(each, name) for each in parts]) for name in ("r", "balls"))
    above = np.concatenate([each.above for each in parts], axis=1)
    points = np.stack([each.points for each in parts], axis=1)
    n, (tail, influence), total = len(points), ratio(above, points[:, part]), above.sum(axis=0)
    some = (total >= MIN_COUNT) & (points.sum(axis=0)[part] - total >= MIN_COUNT)
    estimate = Estimate("tail", tail[some], influence[:, some], x=r[some], cell=part[some])
    estimate.ends = low, high = intervals.of_share(estimate.value, estimate.error, n)
    yield estimate
    balls = balls[some]
    scaled = balls * estimate.value, balls * estimate.influence
    yield Estimate("scaled_tail", *scaled, x=r[some], ends=(balls * low, balls * high), cell=part[some])
    k = np.arange(WINDOW, len(r) - WINDOW)
    lo, hi = k - WINDOW, k + WINDOW
    k = k[(part[lo] == part[hi]) & (total[hi] >= MIN_COUNT) & (total[lo] - total[hi] >= MIN_COUNT)]
    lo, hi = k - WINDOW, k + WINDOW
    width = np.log(r[hi] / r[lo])
    slope = np.log(tail[hi] / tail[lo]) / width, (influence[:, hi] / tail[hi] - influence[:, lo] / tail[lo]) / width
    slopes = Estimate("tail_exponent", *slope, x=r[k], cell=part[k])
    steep, flat = intervals.of_positive(-slopes.value, slopes.error, n)[::-1]
    slopes.ends = -steep, -flat
    yield slopes
    yield _quantiles(np.array(QUANTILES), r, tail, influence, above, points, part)


def _quantiles(
    q: np.ndarray,
    r: np.ndarray,
    tail: np.ndarray,
    influence: np.ndarray,
    above: np.ndarray,
    points: np.ndarray,
    part: np.ndarray,
) -> Estimate:
    """Return the r with P(X > r) = 1 - q for each probability q and part, if the bins that enclose it exist.

    It is interpolated in log r between these bins. The interval is where the tail passes the ends
    of the interval of P(X > r) at the estimate (Woodruff, 1952).
    """
    of, which = np.nonzero(np.minimum(q, 1 - q) * points.sum(axis=0)[:, None] >= MIN_COUNT)
    q = q[which]
    k, first, end = _passed(1 - q, of, tail, part)
    inside = (k > first) & (k < end)
    q, k, of = q[inside], k[inside], of[inside]
    level, step = 1 - q, tail[k - 1] - tail[k]
    share = (tail[k - 1] - level) / step
    mixed = np.asfortranarray((1 - share) * influence[:, k - 1] + share * influence[:, k])
    low, high = intervals.of_share(level, standard_error(mixed), len(points))
    value, lower, upper = (_interpolated(each, of, r, tail, part) for each in (level, high, low))
    influence = value * np.log(r[k] / r[k - 1]) / step * mixed
    exists = np.count_nonzero(above[:, end[inside] - 1] <= level * points[:, of], axis=0)
    notes = [None if some == len(points) else f"exists in {some} of {len(points)} replicates" for some in exists]
    return Estimate("quantile", value, influence, x=q, ends=(lower, upper), note=np.array(notes, object), cell=of)


def _passed(level: np.ndarray, of: np.ndarray, tail: np.ndarray, part: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return the first bin at which the tail of a part is at most a level; the first bin of the part, and its end."""
    ends = np.searchsorted(part, of, side="left"), np.searchsorted(part, of, side="right")
    within = [np.searchsorted(-tail[a:b], -x) for a, b, x in zip(*ends, level, strict=True)]
    return ends[0] + np.array(within, int), *ends


def _interpolated(level: np.ndarray, of: np.ndarray, r: np.ndarray, tail: np.ndarray, part: np.ndarray) -> np.ndarray:
    """Return the r at which the tail of a part passes each level, interpolated in log r.

    It is 0 if the tail begins below, inf if it ends above, and nan for nan.
    """
    k, first, end = _passed(level, of, tail, part)
    at = np.clip(k, first + 1, end - 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = (tail[at - 1] - level) / (tail[at - 1] - tail[at])
        inside = r[at - 1] * (r[at] / r[at - 1]) ** share
    outside = np.where(np.isnan(level), np.nan, np.where(k == first, 0.0, np.inf))
    return np.where(k == at, inside, outside)
