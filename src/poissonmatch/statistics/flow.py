"""The flow of a fussy matching: how the survivors, the points with X > r, turn from green to red as r grows.

With G, R the intensities of the greens and reds with X > r, X the partner distance, eps = R / G; V is the expected number of greens within r.
eps starts at rho, and tends to infinity if reds are left for good, to a number if none are. By the formal law
(d ln eps / d ln V)^2 tends to 4 a_d (eps - rho) as rho falls, whatever V.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..tables.tables import PER_DECADE
from ..theory.formulas import unit_ball_volume
from .estimators import Estimate, Sample, counts_of, ratio, tails
from .quantities import Quantity

if TYPE_CHECKING:
    import pandas as pd

LEAST_GREENS = 16  # with X > r, of all tori together, of which a logarithm has a normal error
FACTOR = 2.0  # in V, about, over which a slope is taken
LEAST_VOLUME = 0.125  # greens within the least r that is estimated


def of_distances(sample: Sample, rows: pd.DataFrame) -> Iterator[Estimate]:
    """All estimates from the table `distances`: the tails, and of a fussy matching the flow."""
    yield from tails(sample, rows)
    if sample.rule.reference_color is not None and len(sample.intensities) == 2 and all(sample.intensities):
        yield from _flow(sample, rows)


def _flow(sample: Sample, rows: pd.DataFrame) -> Iterator[Estimate]:
    """eps, eps - rho, the slope of ln eps and the collapse, at the lower ends of the bins up to the cut-off."""
    replicates, points, above, r = sample.replicates, [], [], np.zeros(0)
    if not len(rows):
        return
    low, high = int(rows["bin"].min()), int(rows["bin"].max())
    for color in _colors(sample):
        counts, r = counts_of(replicates["replicate"].to_numpy(), rows[rows["color"] == color], low, high)
        points.append(replicates[f"points_{color}"].to_numpy(float))
        above.append(points[-1][:, None] - (counts.cumsum(axis=1) - counts))
    greens, reds = (array.sum(axis=0) for array in above)
    keep = (r <= sample.cutoff) & (greens >= LEAST_GREENS) & (reds > 0)
    volume = volumes(sample, r)
    keep &= volume >= LEAST_VOLUME
    if not keep.any():
        return
    eps, of_eps = ratio(above[1][:, keep], above[0][:, keep])
    volume = volume[keep]
    rho, of_rho = ratio(points[1], points[0])
    excess, of_excess = eps - rho, of_eps - of_rho[:, None]
    yield Estimate("red_green_ratio", eps, of_eps, x=volume)
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
    some = excess > 0
    if some.any():
        slope, of_slope, excess, of_excess = slope[some], of_slope[:, some], excess[some], of_excess[:, some]
        collapse = slope**2 / excess
        yield Estimate("collapse", collapse, (2 * slope * of_slope - collapse * of_excess) / excess, x=volume[some])


def survivor_pairs(sample: Sample, rows: pd.DataFrame) -> Iterator[Estimate]:
    """N(r) at each expected number V of greens within r, where a red has X > r."""
    green, _ = _colors(sample)
    value, influence, volume = [], [], []
    for x in np.unique(rows["x"]):
        part = rows[rows["x"] == x].sort_values("replicate")
        at, denominator = x * sample.intensities[green], part["denominator"].to_numpy()
        if at >= LEAST_VOLUME and denominator.sum() > 0:
            one, of_replicates = ratio(part["numerator"].to_numpy(), denominator)
            value.append(one)
            influence.append(of_replicates)
            volume.append(at)
    if value:
        yield Estimate("survivor_pairs", np.array(value), np.array(influence).T, x=np.array(volume))


def _colors(sample: Sample) -> tuple[int, int]:
    """Green and red: the reference color of the rule is red, else color 1."""
    red = 1 if sample.rule.reference_color is None else sample.rule.reference_color
    return 1 - red, red


def volumes(sample: Sample, r: np.ndarray) -> np.ndarray:
    """Expected number of greens in a ball of radius r."""
    green, _ = _colors(sample)
    return sample.ball_points(r) * sample.intensities[green] / sum(sample.intensities)


def window(dim: float) -> int:
    """Bins on either side of r over which a slope is taken."""
    return max(1, round(PER_DECADE * math.log10(FACTOR) / (2 * (1 if dim == math.inf else dim))))


def exact_ratio(sample: Sample, estimate: Estimate) -> np.ndarray | float:
    """eps, where it is known."""
    if not sample.process.uniform:
        return math.nan
    green, red = _colors(sample)
    unit = unit_ball_volume(sample.dim) * sample.intensities[green]
    r = (estimate.x / unit) ** (1 if sample.dim == math.inf else 1 / sample.dim)
    tail = [sample.rule.law.tail(r, sample.dim, sample.intensities, color) for color in (green, red)]
    return sample.intensities[red] / sample.intensities[green] * tail[1] / tail[0]


def exact_excess(sample: Sample, estimate: Estimate) -> np.ndarray | float:
    """eps - rho."""
    green, red = _colors(sample)
    return exact_ratio(sample, estimate) - sample.intensities[red] / sample.intensities[green]


def exact_slope(sample: Sample, estimate: Estimate) -> np.ndarray | float:
    """The slope over the same window."""
    step = window(sample.dim) * (1 if sample.dim == math.inf else sample.dim) / PER_DECADE
    low, high = (_log(exact_ratio(sample, replace(estimate, x=estimate.x * 10**k))) for k in (-step, step))
    return (high - low) / (2 * step * math.log(10))


def exact_collapse(sample: Sample, estimate: Estimate) -> np.ndarray | float:
    """The collapse of these."""
    return np.square(exact_slope(sample, estimate)) / exact_excess(sample, estimate)


def _log(value: Any) -> Any:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.log(value)


QUANTITIES = (
    Quantity(
        "red_green_ratio",
        "eps = R / G of a fussy matching, R and G the intensities of the reds and greens with X > r; V is the expected number of "
        "greens within r",
        "mean",
        x="V",
        curve=True,
        exact=exact_ratio,
    ),
    Quantity(
        "ratio_excess",
        "eps - rho, rho the ratio of all reds to all greens",
        "real",
        x="V",
        curve=True,
        exact=exact_excess,
    ),
    Quantity(
        "ratio_slope", "d ln eps / d ln V, over a factor of about 2 in V", "real", x="V", curve=True, exact=exact_slope
    ),
    Quantity(
        "collapse",
        "(d ln eps / d ln V)^2 / (eps - rho), where eps is above rho",
        "mean",
        x="V",
        curve=True,
        exact=exact_collapse,
    ),
)  # of the table `distances`, beside the tails
