"""The observable `distances`: counts of partner distances in logarithmic bins.

Estimates: the distribution of the partner distance X, and its mean in infinite volume. If P(X > r) is
about r^-p, long pairs contribute to the mean that no torus has: on a torus of side L it is too small
by a multiple of L^(1 - p). Up to the cutoff the tail on the torus is that in infinite volume. Beyond
it P(X > r) = r^-p (C + D / r^2) is integrated, where p is that of the rule and C and D are fitted to
the last octaves of V, the expected number of points within r.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from decimal import Decimal, localcontext
from functools import cache
from itertools import islice
from typing import NamedTuple

import numpy as np

from ....theory import intervals
from ....theory.finite_size import FEW_COUNTS, MIN_COUNT, MIN_INDEX
from ....theory.volumes import ball_power
from ....utils.immutable import as_immutable
from ...tables.estimate_tables import CROSSING, LOG, LOGIT
from ...tables.tables import DISTANCES, PER_DECADE
from ..estimators import CellSample, Estimate, Exact, chosen, number_together, ratio, slope_of, standard_error
from .interface import Columns, Quantity, SumObservable, at_distance
from .point_sums import Sums

BINS = range(-5 * PER_DECADE, 7 * PER_DECADE + 1)
QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9, 0.99)
WINDOW = PER_DECADE // 10  # bins on either side of r in the local exponent: a fifth of a decade
OCTAVES = 3  # of V, in which the tail is fitted
MIN_BINS = 4  # that are fitted
MIN_VOLUME = 64.0  # smallest V at the end of the fit
MAX_BEYOND = 1e-3  # largest fraction of pairs beyond the cutoff for which other means are those in infinite volume


@cache
def _ends() -> np.ndarray:
    """Return the ends of the bins, 10^(bin / PER_DECADE). The last bin contains all larger distances, too."""
    return as_immutable(powers_of_ten(range(BINS.start, BINS.stop + 1), PER_DECADE))


def edges() -> np.ndarray:
    """Return the lower ends of the bins."""
    return _ends()[:-1]


def powers_of_ten(steps: range, per_decade: int) -> np.ndarray:
    """Return 10^(k / per_decade) for each step k, correctly rounded: the same on every machine."""
    with localcontext() as context:
        context.prec = 40
        return np.array([float(Decimal(10) ** (Decimal(k) / per_decade)) for k in steps])


# ---- exact values ----


def exact_tail(sample: CellSample, estimate: Estimate) -> Exact:
    """Return P(X > r)."""
    return sample.exact_tail(estimate.x, [estimate.color], estimate.order)


def exact_scaled_tail(sample: CellSample, estimate: Estimate) -> Exact:
    """Return P(X > r) times the expected number of points in a ball of radius r."""
    return sample.ball_points(estimate.x) * exact_tail(sample, estimate)


def exact_exponent(sample: CellSample, estimate: Estimate) -> Exact:
    """Return the slope of ln P(X > r) over the window of the estimate."""
    return slope_of(exact_tail, sample, estimate, WINDOW / PER_DECADE)


class Distances(SumObservable):
    """The rows of a replicate in the table `distances`."""

    name = "distances"
    needs_all_pairs = False
    table = DISTANCES
    bytes = 900.0
    quantities = (
        at_distance("tail", "$P(X > r)$, where $X$ is the partner distance, infinite if unmatched", "share", exact=exact_tail),
        at_distance("scaled_tail", "$V P(X > r)$, where $V$ is the expected number of points of all colors in a ball of radius $r$",
                    "mean", exact=exact_scaled_tail),
        at_distance("tail_exponent", r"local exponent $d \ln P(X > r) / d \ln r$, over a fifth of a decade", "real",
                    exact=exact_exponent),
        Quantity("quantile", "the $r$ with $P(X > r) = 1 - q$", "mean", x="q", cut="value"),
        Quantity("infinite_volume_mean",
                 "mean distance from a matched point to its nearest partner in infinite volume, if it is finite. A tail that is a power law is "
                 "measured up to the cutoff and fitted beyond it. For other tails it is `mean_distance`, if nearly all pairs are shorter than the cutoff",
                 "positive"),
    )  # fmt: skip

    def measure(self, sums: Sums) -> Columns:
        """Return counts of partner distances by color, order and bin."""
        *number, color, order, index = np.nonzero(sums.bins)
        count = sums.bins[*number, color, order, index]
        rows = {"color": color, "order": order, "bin": index + BINS.start, "count": count}
        rows |= {"r_lower": _ends()[index], "r_upper": _ends()[index + 1]}
        return rows if sums.replicates is None else {**rows, "replicate": sums.replicates[number[0]]}

    def estimates(self, samples: Sequence[CellSample], rows: Sequence[Columns]) -> Iterator[Estimate]:
        """Yield the tails, their exponents and quantiles, and the mean in infinite volume."""
        yield from tails(samples, rows)
        for cell, of_cell in enumerate(zip(samples, rows, strict=True)):
            for estimate in infinite_volume_means(*of_cell):
                yield estimate.of(cell=cell)


# ---- the distribution ----


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


def tails(samples: Sequence[CellSample], rows: Sequence[Columns]) -> Iterator[Estimate]:
    """Yield the distribution of the partner distance by color and order, from the tables `distances` of cells.

    Colors with the same law are taken together, torus by torus: their common fluctuation cancels.
    """
    all_parts = (part for cell in range(len(samples)) for part in _survivors(cell, samples[cell], rows[cell]))
    while parts := list(islice(all_parts, number_together(len(samples[0].replicates["replicate"])))):
        for estimate in _of_tails(parts):
            cell, color, order = np.array([(part.cell, part.color, part.order) for part in parts])[estimate.cell].T
            yield estimate.of(cell=cell, color=color, order=order)


def _survivors(cell: int, sample: CellSample, rows: Columns) -> Iterator[Survivors]:
    """Yield the points of each color of a cell by their partner distance, for each order of the partner."""
    replicates, orders = sample.replicates["replicate"], sorted(set(rows["order"].tolist()))
    for group in sample.groups:
        points = sample.sums("points", group)
        for order in orders:
            mine = of_partner(rows, group, order)
            if len(mine["bin"]):
                counts, r = counts_of(replicates, mine)
                for color in group:
                    yield Survivors(cell, color, order, r, sample.ball_points(r), at_least(counts, points), points)


def counts_of(
    replicates: np.ndarray, distances: Columns, low: int | None = None, high: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return counts (replicates, bins) and lower ends of bins, from the lowest (low) to after the last (high)."""
    low = int(distances["bin"].min()) if low is None else low
    high = int(distances["bin"].max()) if high is None else high
    column, shape = distances["bin"] - low, (len(replicates), high - low + 2)
    index = np.searchsorted(replicates, distances["replicate"]) * shape[1] + column
    counts = np.bincount(index, distances["count"], math.prod(shape)).reshape(shape)
    r = np.array([10 ** (k / PER_DECADE) for k in range(low, high + 2)])
    r[column] = distances["r_lower"]
    return counts, r


def at_least(counts: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return the numbers of points (n, k) with X >= r, the lower ends of bins, from the counts in them (n, k)."""
    return points[:, None] - (counts.cumsum(axis=1) - counts)


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
    of_part, all_points = part[some], points.sum(axis=0)[part[some]]
    same = {"x": r[some], "interval": LOGIT, "total": all_points, "cell": of_part}
    estimate = Estimate("tail", tail[some], influence[:, some], **same)
    low, high = intervals.of_share(estimate.value, estimate.error, n)
    beyond = np.where(estimate.error == 0, intervals.of_count(0, MIN_INDEX, np.inf)[1] / all_points, 0)
    estimate.ends = low, high = low - beyond, high + beyond
    yield estimate
    balls = balls[some]
    scaled = balls * estimate.value, balls * estimate.influence
    yield Estimate("scaled_tail", *scaled, ends=(balls * low, balls * high), **same)
    k = np.arange(WINDOW, len(r) - WINDOW)
    lo, hi = k - WINDOW, k + WINDOW
    k = k[(part[lo] == part[hi]) & (total[hi] >= MIN_COUNT) & (total[lo] - total[hi] >= MIN_COUNT)]
    lo, hi = k - WINDOW, k + WINDOW
    width = np.log(r[hi] / r[lo])
    slope = np.log(tail[hi] / tail[lo]) / width, (influence[:, hi] / tail[hi] - influence[:, lo] / tail[lo]) / width
    slopes = Estimate("tail_exponent", *slope, x=r[k], interval=LOG, cell=part[k])
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
    ends, note = (lower, upper), np.array(notes, object)
    return Estimate("quantile", value, influence, x=q, ends=ends, interval=CROSSING, note=note, cell=of)


def _passed(level: np.ndarray, of: np.ndarray, tail: np.ndarray, part: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return the first bin at which the tail of a part is at most a level; the first bin of the part, and its end."""
    ends = np.searchsorted(part, of, side="left"), np.searchsorted(part, of, side="right")
    within = [np.searchsorted(-tail[a:b], -x) for a, b, x in zip(*ends, level, strict=True)]
    return ends[0] + np.array(within, int), *ends


def _interpolated(level: np.ndarray, of: np.ndarray, r: np.ndarray, tail: np.ndarray, part: np.ndarray) -> np.ndarray:
    """Return the r at which the tail of a part passes each level; 0 if it begins below, inf if it ends above."""
    k, first, end = _passed(level, of, tail, part)
    at = np.clip(k, first + 1, end - 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = (tail[at - 1] - level) / (tail[at - 1] - tail[at])
        inside = r[at - 1] * (r[at] / r[at - 1]) ** share
    outside = np.where(np.isnan(level), np.nan, np.where(k == first, 0.0, np.inf))
    return np.where(k == at, inside, outside)


# ---- the mean in infinite volume ----


def infinite_volume_means(sample: CellSample, rows: Columns) -> Iterator[Estimate]:
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
            beyond = mine["count"][mine["r_lower"] > sample.cutoff].sum()
            mean = ratio(total, points - unmatched) if beyond <= MAX_BEYOND * mine["count"].sum() else None
        else:
            counts, r = counts_of(sample.replicates["replicate"], mine)
            mean = _of_power_law(sample, power, r, counts, points, total)
        if mean is None:
            continue
        for color in group:
            yield Estimate("infinite_volume_mean", *mean, color)


def _of_power_law(
    sample: CellSample, power: float, r: np.ndarray, counts: np.ndarray, points: np.ndarray, total: np.ndarray
) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the mean if P(X > r) is about r^-power, and the influence of each replicate.

    r: lower ends of the bins (k,); counts: of distances in them (n, k); points: their numbers (n,);
    total: sums of the distances (n,). Unmatched points count as matched beyond the cutoff.
    """
    above = at_least(counts, points)
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
