"""The observable `flow`: the ratio of red to green survivors (points with X > r) of a fussy matching as r grows.

It is estimated from the counts of `distances`. X is the partner distance, R and G the intensities of
the reds and greens with X > r, eps = R / G, and V the expected number of greens within r. eps starts
at rho and tends to infinity if some reds stay unmatched, to a finite number if none do. The formal
law says that (d ln eps / d ln V)^2 tends to 4 a_d (eps - rho) as rho falls, for every V.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from ....rules.rule import Rule
from ....theory.finite_size import MIN_COUNT
from ....theory.volumes import ball_power, unit_ball_volume
from ...tables.tables import DISTANCES, PER_DECADE
from ..estimators import MIN_VOLUME, CellSample, Estimate, Exact, chosen, ratio, slope_of
from .distances import Distances, at_least, counts_of
from .interface import Columns, Observable, Quantity

FACTOR = 2.0  # approximate ratio of the volumes between which a slope is taken


# ---- exact values ----


def exact_ratio(sample: CellSample, estimate: Estimate) -> Exact:
    """Return eps."""
    green, red = _exact_intensities(sample, estimate)
    return red / green


def exact_excess(sample: CellSample, estimate: Estimate) -> Exact:
    """Return eps - rho."""
    green, red = sample.green_and_red
    return exact_ratio(sample, estimate) - sample.exact_intensities[red] / sample.exact_intensities[green]


def exact_surplus(sample: CellSample, estimate: Estimate) -> Exact:
    """Return (R - G) / R(0)."""
    green, red = _exact_intensities(sample, estimate)
    return (red - green) / sample.exact_intensities[sample.green_and_red[1]]


def exact_slope(sample: CellSample, estimate: Estimate) -> Exact:
    """Return the slope of ln eps over the window of the estimate."""
    return slope_of(exact_ratio, sample, estimate, window(sample.dim) * ball_power(sample.dim) / PER_DECADE)


def exact_collapse(sample: CellSample, estimate: Estimate) -> Exact:
    """Return the squared slope over the excess."""
    return np.square(exact_slope(sample, estimate)) / exact_excess(sample, estimate)


def _exact_intensities(sample: CellSample, estimate: Estimate) -> list[Any]:
    """Return the intensities of greens and of reds with X > r, where r is the radius at which V is the expected number of greens."""
    unit = unit_ball_volume(sample.dim) * sample.intensities[sample.green_and_red[0]]
    r = np.asarray((estimate.x / unit) ** (1 / ball_power(sample.dim)))
    return [sample.exact_intensities[color] * sample.exact_tail(r, [color]) for color in sample.green_and_red]


class Flow(Observable):
    """Quantities of the open problem that are estimated from the table `distances`."""

    name = "flow"
    needs_all_pairs = False
    table = DISTANCES
    measured_by = Distances.name
    quantities = (
        Quantity("red_green_ratio",
                 r"$\epsilon = R / G$ of a fussy matching, where $R$ and $G$ are the intensities of the red and green points with $X > r$; "
                 "$V$ is the expected number of green points within $r$", "positive", x="V", exact=exact_ratio),
        Quantity("ratio_excess", r"$\epsilon - \rho$, where $\rho$ is the ratio of the intensities of red and green points", "real", x="V",
                 exact=exact_excess),
        Quantity("red_surplus", "$(R - G) / R(0)$, a lower bound of the unmatched fraction $u$ of red points at every $V$. "
                 "The tail of the red points is an upper bound",
                 "real", x="V", exact=exact_surplus),
        Quantity("ratio_slope", r"$d \ln \epsilon / d \ln V$, over a factor of about 2 in $V$", "real", x="V",
                 exact=exact_slope),
        Quantity("collapse", r"$(d \ln \epsilon / d \ln V)^2 / (\epsilon - \rho)$, if its relative error is at most 1/2", "positive", x="V",
                 exact=exact_collapse),
    )  # fmt: skip

    def undefined(self, rule: Rule) -> str:
        """Return why there is no flow of red and green points under a rule, "" if there is."""
        return "" if rule.reference_color is not None else "needs a rule with a reference color, such as fussy"

    def estimate(self, sample: CellSample, rows: Columns) -> Iterator[Estimate]:
        """Yield eps, eps - rho, (R - G) / R(0), the slope of ln eps and the collapse up to the end of the flow."""
        fussy = sample.rule.reference_color is not None and len(sample.intensities) == 2 and all(sample.intensities)
        if not fussy or not len(rows["bin"]):
            return
        r, points, above = _survivors(sample, rows)
        greens, reds = (array.sum(axis=0) for array in above)
        volume = sample.ball_points(r) * sample.intensities[sample.green_and_red[0]] / sum(sample.intensities)
        keep = (r <= sample.end_of_flow) & (volume >= MIN_VOLUME) & (reds >= MIN_COUNT)
        if not keep.any():
            return
        surplus, of_surplus = ratio((above[1] - above[0])[:, keep], points[1])
        yield Estimate("red_surplus", surplus, of_surplus, x=volume[keep])
        keep &= greens >= MIN_COUNT
        if not keep.any():
            return
        eps, of_eps = ratio(above[1][:, keep], above[0][:, keep])
        volume = volume[keep]
        rho, of_rho = ratio(points[1], points[0])
        excess, of_excess = eps - rho, of_eps - of_rho[:, None]
        yield Estimate("red_green_ratio", eps, of_eps, x=volume)
        yield Estimate("ratio_excess", excess, of_excess, x=volume)
        yield from _slopes(window(sample.dim), volume, (eps, of_eps), (excess, of_excess))


def _slopes(
    w: int, volume: np.ndarray, eps: tuple[np.ndarray, np.ndarray], excess: tuple[np.ndarray, np.ndarray]
) -> Iterator[Estimate]:
    """Yield the slope of ln eps over w bins on either side, and the collapse. eps, excess: values and influences."""
    if len(volume) <= 2 * w:
        return
    over = np.log(volume[2 * w :] / volume[: -2 * w])
    logarithm, of_logarithm = np.log(eps[0]), eps[1] / eps[0]
    slope = (logarithm[2 * w :] - logarithm[: -2 * w]) / over
    of_slope = (of_logarithm[:, 2 * w :] - of_logarithm[:, : -2 * w]) / over
    volume, value, influence = volume[w:-w], excess[0][w:-w], excess[1][:, w:-w]
    yield Estimate("ratio_slope", slope, of_slope, x=volume)
    with np.errstate(divide="ignore", invalid="ignore"):
        collapse = slope**2 / value
        of_collapse = (2 * slope * of_slope - collapse * influence) / value
        some = (value > 0) & (slope > 0)
    yield Estimate("collapse", collapse[some], of_collapse[:, some], x=volume[some])


def bounds(sample: CellSample, rows: Columns) -> tuple[Estimate, Estimate] | None:
    """Return (R - G) / R(0) and R / R(0) at the largest r up to the end of the flow, between whose means u is.

    R - G can only fall as r grows, since a green-red pair takes one of each and a green-green pair
    two greens, and G tends to 0. The result is None without such an r or without reds.
    """
    if not len(rows["bin"]):
        return None
    r, points, above = _survivors(sample, rows)
    end = int(np.searchsorted(r, sample.end_of_flow, side="right")) - 1
    if end < 0 or not points[1].any():
        return None
    greens, reds = (array[:, end] for array in above)
    low, high = ratio(reds - greens, points[1]), ratio(reds, points[1])
    return Estimate("red_surplus", *low, x=r[end]), Estimate("tail", *high, sample.green_and_red[1], x=r[end])


def _survivors(sample: CellSample, rows: Columns) -> tuple[np.ndarray, list[np.ndarray], list[np.ndarray]]:
    """Return the lower ends of the bins (k,), and of greens and reds the points (n,) and those with X >= r (n, k)."""
    points, above, r = [], [], np.zeros(0)
    low, high = int(rows["bin"].min()), int(rows["bin"].max())
    for color in sample.green_and_red:
        counts, r = counts_of(sample.replicates["replicate"], chosen(rows, rows["color"] == color), low, high)
        points.append(sample.replicates[f"points_{color}"])
        above.append(at_least(counts, points[-1]))
    return r, points, above


def window(dim: float) -> int:
    """Return the number of bins on either side of r over which a slope is taken."""
    return max(1, round(PER_DECADE * math.log10(FACTOR) / (2 * ball_power(dim))))
