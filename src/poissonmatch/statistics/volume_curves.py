"""Estimates of curves whose argument is an expected number of points V: the response, its slope, and survivor pairs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..theory.finite_size import MIN_COUNT
from .estimators import Estimate, Sample, ratio
from .flow import MIN_VOLUME, green_and_red

if TYPE_CHECKING:
    import pandas as pd


def response(sample: Sample, rows: pd.DataFrame) -> Iterator[Estimate]:
    """Yield the response and its slope at each expected number V of points within r."""
    value, influence, volume = _curve(rows, sum(sample.intensities))
    if not len(value):
        return
    yield Estimate("response", value, influence, x=volume)
    if len(volume) > 4:
        slopes = slope(value[:-4], value[4:]), slope(influence[:, :-4], influence[:, 4:])
        yield Estimate("response_slope", *slopes, x=volume[2:-2])


def slope(low: Any, high: Any) -> Any:
    """Return (Y(2 V) - Y(V / 2)) / ln 4."""
    return (high - low) / math.log(4)


def flip(sample: Sample, rows: pd.DataFrame) -> Iterator[Estimate]:
    """Yield eps - rho by the flip identity at each expected number V of greens within r, where MIN_COUNT greens are left."""
    green, _ = green_and_red(sample)
    left = rows.groupby("x")["denominator"].transform("sum") >= MIN_COUNT
    value, influence, volume = _curve(rows[left], sample.intensities[green])
    if len(value):
        yield Estimate("flip_excess", value, influence, x=volume)


def survivor_pairs(sample: Sample, rows: pd.DataFrame) -> Iterator[Estimate]:
    """Yield N(r) at each expected number V of greens within r for which a red has X > r."""
    green, _ = green_and_red(sample)
    value, influence, volume = _curve(rows, sample.intensities[green])
    if len(value):
        yield Estimate("survivor_pairs", value, influence, x=volume)


def _curve(rows: pd.DataFrame, intensity: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return ratios of sums (k,), the influences of replicates (n, k) and the expected numbers of points V (k,)."""
    values, influences, volumes = [], [], []
    for x in np.unique(rows["x"]):
        part = rows[rows["x"] == x].sort_values("replicate")
        volume, denominator = x * intensity, part["denominator"].to_numpy()
        if volume >= MIN_VOLUME and denominator.sum() > 0:
            value, influence = ratio(part["numerator"].to_numpy(), denominator)
            values.append(value)
            influences.append(influence)
            volumes.append(volume)
    return np.array(values), np.array(influences).T, np.array(volumes)
