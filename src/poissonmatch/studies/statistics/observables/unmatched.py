"""The observable `unmatched`: numbers of points and sums of partner distances, by color. Every study measures it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import compress

import numpy as np

from ....rules.laws import Moments
from ....theory import intervals
from ....theory.finite_size import (
    FEW_COUNTS,
    FEW_REPLICATES,
    MAX_BIAS,
    MIN_INDEX,
    MIN_UNMATCHED,
    SIZE_FACTOR,
)
from ...tables.estimate_tables import INFINITE, INFINITE_VARIANCE, UNKNOWN_MOMENTS
from ...tables.tables import REPLICATES
from ..convergence import Tori, converged_by, lacking, reference_color_of
from ..estimators import CellSample, Estimate, ratio
from .interface import Columns, Quantity, SumObservable
from .point_sums import Sums

# ---- exact values ----


def exact_fraction(sample: CellSample, estimate: Estimate) -> float:
    """Return the fraction of unmatched points of the color."""
    law = sample.rule.law
    known = sample.process.uniform or (sample.process.ergodic and not law.poisson_only)
    return law.unmatched(sample.dim, sample.intensities, estimate.color) if known else math.nan


def exact_density(sample: CellSample, estimate: Estimate) -> float:
    """Return the number of unmatched points of the color per unit volume."""
    return exact_fraction(sample, estimate) * sample.intensities[estimate.color]


def exact_fraction_on_torus(sample: CellSample, estimate: Estimate) -> float:
    """Return the expected number of unmatched points of the color on this torus, over that of all its points."""
    law, color = sample.rule.law, estimate.color
    if sample.process.poisson:
        return law.unmatched_on_torus(sample.means, color, fixed=False) / sample.means[color]
    counts = sample.process._density(float(sample.row["size"]), sample.intensities).get("counts")
    return law.unmatched_on_torus(counts, color, fixed=True) / counts[color] if counts else math.nan


def exact_density_on_torus(sample: CellSample, estimate: Estimate) -> float:
    """Return the expected number of unmatched points of the color per unit volume of a torus."""
    return exact_fraction_on_torus(sample, estimate) * sample.intensities[estimate.color]


def exact_log_inverse(sample: CellSample, estimate: Estimate) -> float:
    """Return ln(1 / u)."""
    exact = exact_fraction(sample, estimate)
    return -np.log(exact) if exact > 0 else math.nan


class Unmatched(SumObservable):
    """The row of a replicate in the table `replicates`."""

    name = "unmatched"
    table = REPLICATES
    bytes = 300.0
    quantities = (
        Quantity("unmatched_fraction", "unmatched fraction $u$ of the points of the color", "share",
                 exact=exact_fraction, exact_torus=exact_fraction_on_torus),
        Quantity("unmatched_density", "unmatched points of the color per unit volume", "mean",
                 exact=exact_density, exact_torus=exact_density_on_torus),
        Quantity("log_inverse_unmatched", r"$\ln(1/u)$, where $u$ is the unmatched fraction of red points (fussy); no row if $u = 0$", "real", curve=True,
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
    counted = [interval_of_count(sample, sample.replicates[f"unmatched_{color}"], color) for sample in samples]
    is_counted = np.array([ends is not None for ends in counted])
    of_counts = np.array([(np.nan, np.nan) if ends is None else ends for ends in counted]).T
    n = len(points)
    volumes = np.array([np.full(n, sample.volume) for sample in samples]).T
    fraction = Estimate("unmatched_fraction", *ratio(unmatched, points), color, cell=cells)
    density = Estimate("unmatched_density", *ratio(unmatched, volumes), color, cell=cells)
    low, high = intervals.of_share(fraction.value, fraction.error, n)
    least, most = intervals.of_positive(density.value, density.error, n)
    low, high = fraction.ends = tuple(np.where(is_counted, of_counts / points.sum(axis=0), (low, high)))
    density.ends = tuple(np.where(is_counted, of_counts / volumes.sum(axis=0), (least, most)))
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
    inverse = -np.log(np.minimum(high[some], 1)), -np.log(low[some])
    yield Estimate("log_inverse_unmatched", *logarithm, color, ends=inverse, cell=cells[some])
    some = (points - unmatched).any(axis=0)
    mean = Estimate("mean_distance", *ratio(distance, points - unmatched), color, cell=cells).chosen(some)
    mean.note = np.array([note_of_mean(sample.moments) for sample in compress(samples, some)], object)
    yield mean


def note_of_mean(moments: Moments) -> str | None:
    """Return the note of a mean partner distance, None for none."""
    if math.isnan(moments.power):
        return UNKNOWN_MOMENTS
    return INFINITE if moments.infinite(1) else INFINITE_VARIANCE if moments.infinite(2) else None


def interval_of_count(sample: CellSample, unmatched: np.ndarray, color: int) -> intervals.Ends | None:
    """Return the interval of the number of unmatched points (n,) if they are few, None if they are not.

    With two colors of the same law it is also returned if the replicates are few: if only different
    colors are matched, unmatched points are the excess of a color, and not in clusters.
    """
    if len(unmatched) < 2:
        return None
    total = float(unmatched.sum())
    if sample.rule.across:
        excess = sample.sums("unmatched", [0, 1]) if sample.same_for_colors else unmatched
        if len(unmatched) < FEW_REPLICATES and sample.same_for_colors and excess.any():
            return intervals.of_excess(total, excess)
        return None if total else intervals.of_count(total, MIN_INDEX, np.inf)
    if total >= FEW_COUNTS:
        return None
    index, dof = sample.index(color)
    return intervals.of_count(total, max(1.0, index), dof)
