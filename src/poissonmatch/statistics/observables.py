"""What is measured on one replicate: a pattern and its matching become rows of tables."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from ..desire import columns
from ..geometry import Geometry, MeanField, Pattern, Torus
from ..matching import Matching, match
from ..pipeline.provenance import seed_sequence
from ..processes import PROCESSES
from .measures import MEASURES, Numbers, powers_of_ten
from .tables import DISTANCES, FROGS, REALISATIONS, REPLICATES, cell_columns

BINS = range(-100, 141)  # of the table `distances`, 20 a decade


@cache
def edges() -> np.ndarray:
    """Lower ends of the bins, 10^(bin/20)."""
    return powers_of_ten(BINS, 20)


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
    measures = [MEASURES[name](points, matching) for name in cell.observables if name in MEASURES]
    if measures:
        found[FROGS.name] = _frame(keys, _numbers(measures))
    if "realisation" in cell.observables and replicate == 0:
        found[REALISATIONS.name] = _frame(cell_columns(cell), _realisation(points, matching))
    return found


def _frame(keys: dict[str, Any], columns: dict[str, np.ndarray]) -> pd.DataFrame:
    rows = len(next(iter(columns.values())))
    return pd.DataFrame(
        {**{k: np.full(rows, v, dtype=object if isinstance(v, str) else None) for k, v in keys.items()}, **columns}
    )


def _moments(points: Pattern, matching: Matching) -> dict[str, Any]:
    distance, colors = columns(matching.distance).min(axis=1, initial=np.inf), points.colors  # the nearest partner's
    matched = np.isfinite(distance)
    x, c = distance[matched], colors[matched]
    row: dict[str, Any] = {}
    # np.bincount adds in order: the same sum on every machine, which np.sum does not promise
    of_color = {
        "points": np.bincount(colors, minlength=2),
        "unmatched": np.bincount(colors[~matched], minlength=2),
        "sum_distance": np.bincount(c, x, minlength=2),
        "sum_square": np.bincount(c, x * x, minlength=2),
        "sum_ball": np.bincount(c, points.geometry.ball_volume(x), minlength=2),
        "longest": np.array([x[c == k].max(initial=0.0) for k in (0, 1)]),
    }
    for name, values in of_color.items():
        for color in (0, 1):
            row[f"{name}_{color}"] = values[color]
    return row


def _histogram(points: Pattern, matching: Matching) -> dict[str, np.ndarray]:
    distance = columns(matching.distance)
    point, order = np.nonzero(np.isfinite(distance))
    place = np.searchsorted(edges(), distance[point, order], side="right") - 1
    shape = (2, distance.shape[1], len(BINS))
    where = (points.colors[point].astype(np.int64), order, np.clip(place, 0, len(BINS) - 1))
    counts = np.bincount(np.ravel_multi_index(where, shape), minlength=int(np.prod(shape))).reshape(shape)
    color, order, place = np.nonzero(counts)
    count = counts[color, order, place]
    return {"color": color, "order": order, "bin": place + BINS.start, "r": edges()[place], "count": count}


def _numbers(measures: list[Numbers]) -> dict[str, np.ndarray]:
    rows = [(quantity, x, *ratio) for numbers in measures for (quantity, x), ratio in numbers.items()]
    quantity, *values = zip(*rows, strict=True)
    names = ("x", "top", "bottom")
    return {"quantity": np.array(quantity)} | {n: np.array(v, float) for n, v in zip(names, values, strict=True)}


def _realisation(points: Pattern, matching: Matching) -> dict[str, np.ndarray]:
    partner, distance = columns(matching.partner), columns(matching.distance)
    n, width = partner.shape
    xyz = np.zeros((n, 3))
    xyz[:, : min(3, points.points.shape[1])] = points.points[:, :3]
    xyz, color = np.repeat(xyz, width, axis=0), np.repeat(points.colors, width)
    found = {
        "point": np.repeat(np.arange(n), width),
        "order": np.tile(np.arange(width), n),
        "color": color.astype(np.int64),
        **{name: xyz[:, k] for k, name in enumerate("xyz")},
        "partner": partner.ravel(),
        "distance": distance.ravel(),
    }
    keep = (found["partner"] >= 0) | (found["order"] == 0)
    return {name: values[keep] for name, values in found.items()}
