"""Sums over replicates become estimates with standard errors.

The torus is the statistical unit. Every estimate is a smooth function of sums over replicates; its standard error comes from the
influence of each replicate (the delta method), which is the exact standard error for a mean, and its 95 % interval is
Student's t with n_replicates - 1 degrees of freedom.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from .. import theory
from ..geometry import unit_ball_volume
from .tables import CELL, ESTIMATES, empty

QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9, 0.99)
WINDOW = 2  # bins on either side of r in the local exponent: a fifth of a decade


def ratio(top: np.ndarray, bottom: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """sum(top) / sum(bottom) over replicates (axis 0), and the influence of each replicate on it."""
    bottom = np.broadcast_to(np.asarray(bottom, dtype=float).reshape(-1, *[1] * (top.ndim - 1)), top.shape)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = top.sum(axis=0) / bottom.sum(axis=0)
        return value, (top - value * bottom) / bottom.mean(axis=0)


def standard_error(influence: np.ndarray) -> np.ndarray:
    """Standard error from the influences of the replicates (axis 0); nan for a single one."""
    n = len(influence)
    if n < 2:
        return np.full(influence.shape[1:], np.nan)
    return np.sqrt((influence**2).sum(axis=0) / (n * (n - 1)))


def interval(value: Any, error: Any, n: int) -> tuple[Any, Any]:
    """95 % confidence interval of an estimate from n replicates."""
    width = stats.t.ppf(0.975, n - 1) * error if n > 1 else np.nan * error
    return value - width, value + width


def estimate(replicates: pd.DataFrame, distances: pd.DataFrame, frogs: pd.DataFrame) -> pd.DataFrame:
    """The table `estimates` from the tables `replicates`, `distances` and `frogs`."""
    lengths, numbers = (dict(tuple(t.groupby(["study", "cell"], sort=False))) for t in (distances, frogs))
    frames = []
    for key, rows in replicates.groupby(["study", "cell"], sort=False):
        cell = rows.iloc[0]
        rows = rows.sort_values("replicate")
        found = pd.DataFrame([*_cell_estimates(cell, rows, lengths.get(key)), *_frogs(cell, numbers.get(key))])
        if len(found):
            for column in CELL:
                found[column.name] = cell[column.name]
            frames.append(found)
    if not frames:
        return empty(ESTIMATES)
    table = pd.concat(frames, ignore_index=True)
    table["trusted"] = table["x"] <= table["cutoff"]
    return table[[c.name for c in ESTIMATES.columns]]


def _row(quantity: str, color: int, value: Any, influence: np.ndarray, **extra: Any) -> dict[str, Any]:
    n = len(influence)
    error = float(standard_error(influence))
    lower, upper = interval(float(value), error, n)
    low, high = extra.pop("least", -np.inf), extra.pop("most", np.inf)
    return {
        "quantity": quantity,
        "color": color,
        "order": 0,
        "x": -1.0,
        "value": float(value),
        "standard_error": error,
        "lower": max(lower, low) if n > 1 else lower,
        "upper": min(upper, high) if n > 1 else upper,
        "n_replicates": n,
        "exact": np.nan,
        "cutoff": np.inf,
        **extra,
    }


def _cell_estimates(cell: pd.Series, rows: pd.DataFrame, distances: pd.DataFrame | None) -> Iterator[dict[str, Any]]:
    intensities = tuple(i for i in (cell["intensity_0"], cell["intensity_1"]) if not np.isnan(i))
    for color, intensity in enumerate(intensities):
        points = rows[f"points_{color}"].to_numpy(float)
        unmatched = rows[f"unmatched_{color}"].to_numpy(float)
        if points.sum() == 0:
            continue
        yield from _unmatched(cell, color, intensities, points, unmatched)
        matched = points - unmatched
        if matched.sum() > 0:
            yield _row("mean_distance", color, *ratio(rows[f"sum_distance_{color}"].to_numpy(), matched), least=0.0)
        if distances is not None:
            for order, part in distances[distances["color"] == color].groupby("order"):
                counts, r = _counts(rows["replicate"].to_numpy(), part)
                for row in _tail(cell, color, intensity, points, counts, r, exact=order == 0):
                    yield {**row, "order": order}


def _unmatched(
    cell: pd.Series, color: int, intensities: tuple[float, ...], points: np.ndarray, unmatched: np.ndarray
) -> Iterator[dict[str, Any]]:
    exact = theory.unmatched_fraction(cell["rule"], cell["dim"], intensities, color)
    for quantity, bottom, scale, most in (
        ("unmatched_fraction", points, 1.0, 1.0),
        ("unmatched_density", np.full(len(points), cell["volume"]), intensities[color], np.inf),
    ):
        value, influence = ratio(unmatched, bottom)
        row = _row(quantity, color, value, influence, least=0.0, most=most, exact=exact * scale)
        if value == 0 and len(points) > 1:  # no point seen unmatched: the rule of three instead of an empty interval
            row["upper"] = 3 / bottom.sum()
        yield row
        if quantity == "unmatched_fraction" and value > 0:
            log = -np.log(exact) if exact > 0 else np.nan
            yield _row("log_inverse_unmatched", color, -np.log(value), influence / value, exact=log)


def _counts(replicates: np.ndarray, distances: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Counts (replicates, bins), and the lower ends of the bins, from the lowest filled bin to the one after the last."""
    low, high = int(distances["bin"].min()), int(distances["bin"].max())
    counts = np.zeros((len(replicates), high - low + 2))
    place = np.searchsorted(replicates, distances["replicate"].to_numpy())
    counts[place, distances["bin"].to_numpy() - low] = distances["count"].to_numpy()
    known = dict(zip(distances["bin"], distances["r"], strict=True))
    r = np.array([known.get(k, 10 ** (k / 20)) for k in range(low, high + 2)])
    return counts, r


def _tail(
    cell: pd.Series,
    color: int,
    intensity: float,
    points: np.ndarray,
    counts: np.ndarray,
    r: np.ndarray,
    exact: bool,
) -> Iterator[dict[str, Any]]:
    """exact: lay the known curve of the one-color matching beside it, which is that of the first partner or label."""
    above = points[:, None] - (counts.cumsum(axis=1) - counts)  # points with X >= r, or without such a partner
    tail, influence = ratio(above, points)
    dim, side = cell["dim"], cell["side"]
    cutoff = theory.cutoff(dim, side, cell["volume"])
    total = intensity if np.isnan(cell["intensity_1"]) else cell["intensity_0"] + cell["intensity_1"]
    known = np.full(len(r), np.nan)
    if exact and cell["process"] == "poisson" and (cell["rule"] == "one-color" or cell["rule"].startswith("labels")):
        known = theory.one_color_tail(r, dim, intensity)
    volume = unit_ball_volume(dim) * (r if dim == np.inf else r**dim) * total
    for k in range(len(r)):
        if tail[k] <= 0:
            continue
        common = {"x": float(r[k]), "cutoff": cutoff}
        yield _row("tail", color, tail[k], influence[:, k], least=0.0, most=1.0, exact=float(known[k]), **common)
        yield _row(
            "levelled_tail",
            color,
            volume[k] * tail[k],
            volume[k] * influence[:, k],
            least=0.0,
            exact=float(volume[k] * known[k]),
            **common,
        )
        lo, hi = k - WINDOW, k + WINDOW
        if lo >= 0 and hi < len(r) and tail[hi] > 0:
            width = np.log(r[hi] / r[lo])
            slope = np.log(tail[hi] / tail[lo]) / width
            yield _row(
                "tail_exponent",
                color,
                slope,
                (influence[:, hi] / tail[hi] - influence[:, lo] / tail[lo]) / width,
                **common,
            )
    for q in QUANTILES:
        yield from _quantile(color, q, r, tail, influence, cutoff)


def _quantile(
    color: int, q: float, r: np.ndarray, tail: np.ndarray, influence: np.ndarray, cutoff: float
) -> Iterator[dict[str, Any]]:
    """The r with P(X > r) = 1 - q, by interpolation in log r between the bins that enclose it, if there are such."""
    k = int(np.searchsorted(-tail, -(1 - q)))
    if not 1 <= k < len(r) or tail[k - 1] <= tail[k]:
        return
    share = (tail[k - 1] - (1 - q)) / (tail[k - 1] - tail[k])
    value = r[k - 1] * (r[k] / r[k - 1]) ** share
    slope = value * np.log(r[k] / r[k - 1]) / (tail[k - 1] - tail[k])
    mixed = slope * ((1 - share) * influence[:, k - 1] + share * influence[:, k])
    yield {**_row("quantile", color, value, mixed, least=0.0, x=q), "cutoff": np.inf if value <= cutoff else 0.0}


PROPORTIONS = {"alice_wins", "leftovers"}  # yes or no for each torus
SHARES = {"incomplete_fraction", "largest_component", "second_component", "components"}


def _frogs(cell: pd.Series, numbers: pd.DataFrame | None) -> Iterator[dict[str, Any]]:
    """The estimates from the table `frogs`; a proportion of tori gets the interval of Clopper and Pearson."""
    if numbers is None:
        return
    means = tuple(cell["volume"] * i for i in (cell["intensity_0"], cell["intensity_1"]) if not np.isnan(i))
    for (quantity, x), rows in numbers.sort_values("replicate").groupby(["quantity", "x"]):
        top, bottom = rows["top"].to_numpy(), rows["bottom"].to_numpy()
        if bottom.sum() == 0:
            continue
        most = 1.0 if quantity in PROPORTIONS | SHARES else np.inf
        row = _row(str(quantity), 0, *ratio(top, bottom), least=0.0, most=most, x=x)
        if quantity in PROPORTIONS and len(top) > 1:
            found = stats.binomtest(int(top.sum()), len(top)).proportion_ci()
            row.update(lower=found.low, upper=found.high)
        if quantity == "alice_wins":
            row["exact"] = theory.alice_wins(cell["process"], cell["rule"], means)
        yield row
