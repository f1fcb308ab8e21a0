"""What is measured on one replicate: a pattern and its matching become rows of tables."""

from __future__ import annotations

from decimal import Decimal, localcontext
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from .geometry import Geometry, MeanField, Pattern, Torus
from .matching import Matching, match
from .processes import PROCESSES
from .provenance import seed_sequence
from .tables import DISTANCES, REALISATIONS, REPLICATES, cell_columns

BINS = range(-100, 141)  # of the table `distances`, 20 a decade


@cache
def edges() -> np.ndarray:
    """Lower ends of the bins, 10^(bin/20), correctly rounded, so the same on every machine."""
    with localcontext() as context:
        context.prec = 40
        return np.array([float(Decimal(10) ** (Decimal(k) / 20)) for k in BINS])


def space(cell: Any) -> Geometry:
    """The torus (or mean-field model) of a cell."""
    return MeanField(cell.volume) if cell.dim == np.inf else Torus(cell.side, int(cell.dim))


def pattern(cell: Any, replicate: int) -> Pattern:
    """The points of one replicate of a cell: a function of seed, process, dimension, size, intensities and replicate only."""
    rng = np.random.default_rng(seed_sequence(cell.seed, cell.source, replicate))
    parameters = dict(cell.process)
    name = parameters.pop("name")
    if name == "binomial":
        parameters["counts"] = [round(cell.size * i / sum(cell.intensities)) for i in cell.intensities]
    elif name == "two_color":
        parameters["intensities"] = cell.intensities
    else:
        parameters["intensity"] = cell.intensities[0]
    return PROCESSES[name](space(cell), **parameters, rng=rng)


def measure(cell: Any, replicate: int, threads: int = 1) -> dict[str, pd.DataFrame]:
    """Simulate one replicate of a cell, match it, and return its rows by table."""
    points = pattern(cell, replicate)
    matching = match(points, cell.rule, threads=threads)
    keys = {**cell_columns(cell), "replicate": replicate}
    found = {REPLICATES.name: pd.DataFrame([{**keys, **_moments(points, matching)}])}
    if "distances" in cell.observables:
        found[DISTANCES.name] = _frame(keys, _histogram(points, matching))
    if "realisation" in cell.observables and replicate == 0:
        found[REALISATIONS.name] = _frame(cell_columns(cell), _realisation(points, matching))
    return found


def _frame(keys: dict[str, Any], columns: dict[str, np.ndarray]) -> pd.DataFrame:
    rows = len(next(iter(columns.values())))
    return pd.DataFrame(
        {**{k: np.full(rows, v) if not isinstance(v, str) else [v] * rows for k, v in keys.items()}, **columns}
    )


def _nearest(matching: Matching) -> np.ndarray:
    """Distance of the nearest partner of each point, inf if it has none."""
    table = np.atleast_2d(matching.distance.T).T
    return table.min(axis=1, initial=np.inf) if len(table) else np.zeros(0)


def _moments(points: Pattern, matching: Matching) -> dict[str, Any]:
    distance, colors = _nearest(matching), points.colors
    matched = np.isfinite(distance)
    x, c = distance[matched], colors[matched]
    row: dict[str, Any] = {}
    # np.bincount adds in order: the same sum on every machine, which np.sum does not promise
    columns = {
        "points": np.bincount(colors, minlength=2),
        "unmatched": np.bincount(colors[~matched], minlength=2),
        "sum_distance": np.bincount(c, x, minlength=2),
        "sum_square": np.bincount(c, x * x, minlength=2),
        "sum_ball": np.bincount(c, points.geometry.ball_volume(x), minlength=2),
        "longest": [x[c == k].max(initial=0.0) for k in (0, 1)],
    }
    for name, values in columns.items():
        for color in (0, 1):
            row[f"{name}_{color}"] = values[color]
    return row


def _histogram(points: Pattern, matching: Matching) -> dict[str, np.ndarray]:
    distance = _nearest(matching)
    matched = np.isfinite(distance)
    place = np.clip(np.searchsorted(edges(), distance[matched], side="right") - 1, 0, len(BINS) - 1)
    counts = np.bincount(points.colors[matched] * np.int64(len(BINS)) + place)
    filled = np.flatnonzero(counts)
    where = filled % len(BINS)
    return {"color": filled // len(BINS), "bin": where + BINS.start, "r": edges()[where], "count": counts[filled]}


def _realisation(points: Pattern, matching: Matching) -> dict[str, np.ndarray]:
    partner, distance = (np.atleast_2d(a.T).T for a in (matching.partner, matching.distance))
    n, width = partner.shape
    xyz = np.zeros((n, 3))
    xyz[:, : min(3, points.points.shape[1])] = points.points[:, :3]
    xyz, color = np.repeat(xyz, width, axis=0), np.repeat(points.colors, width)
    columns = {
        "point": np.repeat(np.arange(n), width),
        "order": np.tile(np.arange(width), n),
        "color": color.astype(np.int64),
        **{name: xyz[:, k] for k, name in enumerate("xyz")},
        "partner": partner.ravel(),
        "distance": distance.ravel(),
    }
    keep = (columns["partner"] >= 0) | (columns["order"] == 0)
    return {name: values[keep] for name, values in columns.items()}
