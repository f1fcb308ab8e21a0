"""The observable `unmatched`: numbers of points and sums of partner distances, by color. Every study measures it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import compress
from typing import NamedTuple

import numpy as np

from ....rules.laws import Moments
from ....theory import intervals
from ....theory.finite_size import (
    FEW_COUNTS,
    FEW_EXCESSES,
    MAJORITY,
    MAX_BIAS,
    MIN_INDEX,
    MIN_UNMATCHED,
    SIZE_FACTOR,
)
from ...tables.estimate_tables import COUNT, EXCESS, INFINITE, INFINITE_VARIANCE, LOG, LOGIT, UNKNOWN_MOMENTS
from ...tables.tables import REPLICATES
from ..convergence import Tori, converged_by, lacking, reference_color_of
from ..estimators import CellSample, Estimate, ratio, standard_error
from .interface import Columns, Quantity, SumObservable
from .point_sums import Sums

# ---- exact values ----


def exact_fraction(sample: CellSample, estimate: Estimate) -> float:
    """Return the fraction of unmatched points of the color."""
    law = sample.rule.law
    known = sample.process.uniform or (sample.process.ergodic and not law.poisson_only)
    return law.unmatched(sample.dim, sample.exact_intensities, estimate.color) if known else math.nan


def exact_density(sample: CellSample, estimate: Estimate) -> float:
    """Return the number of unmatched points of the color per unit volume."""
    return exact_fraction(sample, estimate) * sample.exact_intensities[estimate.color]


def _exact_numbers_on_torus(sample: CellSample, color: int) -> tuple[float, float]:
    """Return the expected number of unmatched points of a color on this torus, and that of all its points."""
    counts = sample.means if sample.process.poisson else sample.fixed_counts
    if counts is None:
        return math.nan, math.nan
    return sample.rule.law.unmatched_on_torus(counts, color, fixed=not sample.process.poisson), counts[color]


def exact_fraction_on_torus(sample: CellSample, estimate: Estimate) -> float:
    """Return the expected number of unmatched points of the color on this torus, over that of all its points."""
    unmatched, points = _exact_numbers_on_torus(sample, estimate.color)
    return unmatched / points


def exact_density_on_torus(sample: CellSample, estimate: Estimate) -> float:
    """Return the expected number of unmatched points of the color per unit volume of a torus."""
    return _exact_numbers_on_torus(sample, estimate.color)[0] / sample.volume


def exact_log_inverse(sample: CellSample, estimate: Estimate) -> float:
    """Return ln(1 / u)."""
    exact = exact_fraction(sample, estimate)
    return -np.log(exact) if exact > 0 else math.nan


class Unmatched(SumObservable):
    """The row of a replicate in the table `replicates`."""

    name = "unmatched"
    needs_all_pairs = False
    table = REPLICATES
    bytes = 300.0
    quantities = (
        Quantity("unmatched_fraction", "unmatched fraction $u$ of the points of the color", "share",
                 exact=exact_fraction, exact_torus=exact_fraction_on_torus),
        Quantity("unmatched_density", "unmatched points of the color per unit volume", "mean",
                 exact=exact_density, exact_torus=exact_density_on_torus),
        Quantity("log_inverse_unmatched", r"$\ln(1/u)$, where $u$ is the unmatched fraction of red points (fussy); no row if $u = 0$", "real",
                 exact=exact_log_inverse),
        Quantity("size_converged",
                 "1 if finite-size effects on the unmatched fraction $u$ of the reference color of the rule (red) are negligible, else 0. "
                 f"Conditions: at least {MIN_UNMATCHED:g} unmatched red points per torus; at most {MAX_BIAS:g} unmatched points of the other color "
                 "per unmatched red point; a longest pair whose mean length is below a quarter of the side (in $d = 1$, a fifth); "
                 f"and a difference from the largest tori with at most 1/{SIZE_FACTOR:g} of the points that is not significant, "
                 f"or at most {MAX_BIAS:.0%} of $u$. Null if only the last condition could not be tested",
                 "share"),
        Quantity("mean_distance",
                 "mean partner distance of the matched points; if this mean is infinite in infinite volume, the row has a note and no error",
                 "positive"),
    )  # fmt: skip

    def measure(self, sums: Sums) -> Columns:
        """Return numbers of points and of unmatched points, and sums over the distances to the nearest partners."""
        distance, square, ball = sums.totals()
        of_color = {"points": sums.points, "unmatched": sums.unmatched, "sum_distance": distance}
        of_color |= {"sum_square": square, "sum_ball": ball, "longest": sums.longest}
        rows = {f"{n}_{k}": np.atleast_1d(v[..., k]) for n, v in of_color.items() for k in range(sums.colors)}
        return rows if sums.replicates is None else {**rows, "replicate": sums.replicates}

    def estimates(self, samples: Sequence[CellSample], rows: Sequence[Columns]) -> Iterator[Estimate]:
        """Yield unmatched points and mean partner distances of each color."""
        for color in range(max(len(sample.intensities) for sample in samples)):
            cells = [
                cell
                for cell, sample in enumerate(samples)
                if color < len(sample.intensities) and sample.replicates[f"points_{color}"].any()
            ]
            for estimate in _of_color([samples[cell] for cell in cells], color) if cells else ():
                yield estimate.of(cell=np.array(cells)[estimate.cell])


def _of_color(samples: Sequence[CellSample], color: int) -> Iterator[Estimate]:
    """Yield unmatched points and mean partner distances of a color, which has points in each of these cells."""
    cells = np.arange(len(samples))
    points, unmatched, distance = (
        np.array([sample.replicates[f"{name}_{color}"] for sample in samples]).T
        for name in ("points", "unmatched", "sum_distance")
    )
    n = len(points)
    volumes = np.array([np.full(n, sample.volume) for sample in samples]).T
    fraction, density = (
        Estimate(name, *ratio(unmatched, per), color, total=per.sum(axis=0), cell=cells)
        for name, per in (("unmatched_fraction", points), ("unmatched_density", volumes))
    )
    counted = [interval_of_count(sample, sample.replicates[f"unmatched_{color}"], color) for sample in samples]
    of_counts = np.array([(np.nan, np.nan) if each is None else each.ends for each in counted]).T
    dispersion = np.array([np.nan if each is None else each.dispersion for each in counted])
    for each, kind, method in ((fraction, LOGIT, intervals.of_share), (density, LOG, intervals.of_positive)):
        of_kind = method(each.value, each.error, n)
        each.ends = tuple(np.where(np.isnan(of_counts), of_kind, of_counts / each.total))
        each.interval = np.array([kind if of_count is None else of_count.kind for of_count in counted], object)
        each.dispersion = dispersion
    yield fraction
    yield density
    is_red = np.array([color == reference_color_of(s.rule, s.dim, s.intensities) for s in samples])
    lacks = [[*lacking(Tori.of(s.replicates, color), s.smaller)] for s in compress(samples, is_red)]
    converged, notes = np.array([converged_by(of_cell) for of_cell in lacks], object).reshape(-1, 2).T
    sure = converged.astype(float), np.zeros((n, 1)) * converged.astype(float)
    yield Estimate("size_converged", *sure, color, note=notes, cell=cells[is_red])
    some = np.array([color == sample.rule.reference_color for sample in samples]) & (fraction.value > 0)
    of_red = fraction.chosen(some)
    logarithm = -np.log(of_red.value), of_red.influence / of_red.value
    inverse = -np.log(np.minimum(of_red.ends[1], 1)), -np.log(of_red.ends[0])
    same = {"ends": inverse, "interval": of_red.interval, "dispersion": of_red.dispersion, "total": of_red.total}
    yield Estimate("log_inverse_unmatched", *logarithm, color, cell=cells[some], **same)
    some = (points - unmatched).any(axis=0)
    mean = Estimate("mean_distance", *ratio(distance, points - unmatched), color, cell=cells).chosen(some)
    mean.note = np.array([note_of_mean(sample.moments) for sample in compress(samples, some)], object)
    yield mean


def note_of_mean(moments: Moments) -> str | None:
    """Return the note of a mean partner distance, None for none."""
    if math.isnan(moments.power):
        return UNKNOWN_MOMENTS
    return INFINITE if moments.infinite(1) else INFINITE_VARIANCE if moments.infinite(2) else None


class OfCount(NamedTuple):
    """The interval of a number of unmatched points on all tori, its kind, and the index of dispersion behind it."""

    ends: intervals.Ends
    kind: str
    dispersion: float = math.nan


def interval_of_count(sample: CellSample, unmatched: np.ndarray, color: int) -> OfCount | None:
    """Return the interval of the number of unmatched points (n,) if they are few, None if they are not.

    If only different colors are matched, unmatched points are the excess of a color, and not in
    clusters.
    """
    n, total, rule = len(unmatched), float(unmatched.sum()), sample.rule
    if n < 2:
        return None
    if not rule.across:
        if total >= FEW_COUNTS:
            return None
        points = sample.replicates[f"points_{color}"]
        error = float(standard_error(ratio(unmatched, points)[1])) * points.sum()
        index, dof = intervals.dispersion(total, error, n)
        return OfCount(intervals.of_count(total, index, dof), COUNT, float(index))
    leaves_one_color = rule.n_colors == 2 and max(rule.capacity) == 1 and rule.exclude is None
    if not leaves_one_color or not sample.process.ergodic:
        return None if total else OfCount(intervals.of_count(total, MIN_INDEX, np.inf), COUNT, MIN_INDEX)
    difference = (unmatched - sample.replicates[f"unmatched_{1 - color}"]).astype(float)
    counts = sample.fixed_counts or sample.means
    mean = float(counts[color] - counts[1 - color])
    is_majority = mean > MAJORITY * math.sqrt(np.square(difference - mean).mean()) and total > 0
    if is_majority or np.count_nonzero(difference > 0) >= FEW_EXCESSES:
        return None
    return OfCount(intervals.of_excess(total, difference, mean), EXCESS)
