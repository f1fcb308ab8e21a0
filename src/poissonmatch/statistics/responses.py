"""The response of the one-color matching: what a point finds when its pair alone is forbidden, measured and estimated.

Y(r) = P(X <= r < X') / P(X > r), X the partner distance, X' that after the pair of the point is forbidden. By the flip identity it is
the first order in rho of the fussy matching: eps(r) / rho = 1 + rho Y(r) + ..., eps the reds over the greens with X > r.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..matching.matching import Matching
from ..matching.response import MOST_DIM, new_distances
from ..points.pattern import Pattern
from ..points.space import Geometry
from ..rules.catalogue import ONE_COLOR
from ..rules.rule import Rule
from ..sampling.cells import Cell
from ..tables.tables import REPLICATES
from ..theory.formulas import unit_ball_volume
from ..utils.errors import BadInput
from .estimators import Estimate, Sample, ratio
from .measures import Numbers
from .observable_checks import SLACK, Found, Numerators, Tables, by_color, denominators_of

if TYPE_CHECKING:
    import pandas as pd

HALF_OCTAVES = 70  # of the volumes that are counted, below the cut-off
LEAST_VOLUME = 0.125  # points within the least r that is estimated
BYTES = 120.0  # of memory, a point
MICROSECONDS = {1: 1.2, 2: 2.0, 3: 5.0, 4: 14.0, 5: 45.0, 6: 150.0}  # a point, by dimension, beside the matching


def microseconds(dim: float) -> float:
    """Rough time that a point takes; nothing where it is not defined."""
    return MICROSECONDS.get(int(dim), 0.0) if dim < math.inf else 0.0


def volumes_of(space: Geometry) -> np.ndarray:
    """The volumes 2^(k / 2) of the balls that are counted, up to that within the cut-off."""
    most = float(space.ball_volume(space.cutoff))
    power = math.floor(2 * math.log2(most) + 1e-9)
    powers = np.arange(power - HALF_OCTAVES, power + 1)
    return np.ldexp(np.where(powers % 2, math.sqrt(2), 1.0), powers // 2)


def radii_of(volumes: np.ndarray, dim: float) -> np.ndarray:
    """Radii of the balls of these volumes."""
    return np.asarray((volumes / unit_ball_volume(dim)) ** (1 / dim))


def measure(pattern: Pattern, matching: Matching) -> Numbers:
    """response, for balls of volume x = 2^(k / 2) in the unit of the side, up to the cut-off: points with X <= r < X', and with X > r."""
    torus = pattern.geometry
    if not torus.is_torus:
        raise BadInput("response needs a torus, which says how far to look")
    volumes = volumes_of(torus)
    radii = radii_of(volumes, torus.dim)
    old, new = (
        np.bincount(np.searchsorted(radii, distance), minlength=len(radii) + 1)[:-1].cumsum()  # at most r
        for distance in (matching.distance, new_distances(pattern, matching, float(radii[-1])))
    )
    return {
        ("response", float(v)): (float(x - y), float(len(pattern) - x))
        for v, x, y in zip(volumes, old, new, strict=True)
    }


def laws(cell: Cell, numerators: Numerators, tables: Tables) -> Iterator[Found]:
    """denominator, the number of points with X > r, falls by whole pairs to that of the unmatched; numerator is of the points with X <= r."""
    tori = tables.get(REPLICATES.name)
    volumes, denominators = denominators_of(tables, "response")
    before: np.ndarray | float = np.inf
    for x, r, denominator in zip(volumes.tolist(), radii_of(volumes, cell.dim), denominators, strict=True):
        key = "response", x
        numerator = numerators[key]
        yield (
            "whole numbers of points",
            key,
            (numerator == np.floor(numerator)) & (denominator == np.floor(denominator)),
        )
        yield "no more points with X > r than within a smaller r", key, denominator <= before
        before = denominator
        if tori is None:
            continue
        points, alone = (by_color(tori, name).sum(axis=1) for name in ("points", "unmatched"))
        yield "points with X <= r come in pairs", key, (denominator <= points) & ((points - denominator) % 2 == 0)
        yield "numerator is a number of points with X <= r", key, numerator <= points - denominator
        longest = by_color(tori, "longest").max(axis=1)
        beyond, within = longest > r * (1 + SLACK), longest < r * (1 - SLACK)
        fits = (denominator >= alone) & (~beyond | (denominator > alone)) & (~within | (denominator == alone))
        yield "denominator is that of the unmatched from the longest distance on, and more before", key, fits


def estimates(sample: Sample, rows: pd.DataFrame) -> Iterator[Estimate]:
    """response and its slope, at each expected number V of points within r."""
    value, influence, volume = [], [], []
    for x in np.unique(rows["x"]):
        part = rows[rows["x"] == x].sort_values("replicate")
        at, denominator = x * sum(sample.intensities), part["denominator"].to_numpy()
        if at >= LEAST_VOLUME and denominator.sum() > 0:
            one, of_replicates = ratio(part["numerator"].to_numpy(), denominator)
            value.append(one)
            influence.append(of_replicates)
            volume.append(at)
    if not value:
        return
    y, errors, v = np.array(value), np.array(influence).T, np.array(volume)
    yield Estimate("response", y, errors, x=v)
    if len(v) > 4:
        yield Estimate("response_slope", slope(y[:-4], y[4:]), slope(errors[:, :-4], errors[:, 4:]), x=v[2:-2])


def slope(low: Any, high: Any) -> Any:
    """(Y(2 V) - Y(V / 2)) / ln 4."""
    return (high - low) / math.log(4)


def exact(sample: Sample, estimate: Estimate) -> np.ndarray | float:
    """The response itself, where it is known."""
    return sample.rule.law.response(estimate.x, sample.dim) if sample.process.uniform else math.nan


def exact_slope(sample: Sample, estimate: Estimate) -> np.ndarray | float:
    """Its slope."""
    low, high = (exact(sample, replace(estimate, x=estimate.x * factor)) for factor in (0.5, 2))
    return slope(low, high)


def unfit(rule: Rule, dim: float) -> str:
    """Why the response is not defined for a rule and dimension; "" if it is."""
    if rule != ONE_COLOR:
        return "is defined for the rule one-color"
    return f"is measured in d = 1 to {MOST_DIM}" if MOST_DIM < dim < math.inf else ""
