"""The table `transitions`: the main numbers of a cell, one row for each color."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tables.estimate_tables import INFINITE, MEASURES
from ..tables.tables import PER_DECADE, Columns
from .estimators import WINDOW, Sample

EXPONENT, CONVERGED = "tail_exponent", "size_converged"
SHOWN = frozenset({CONVERGED, *(name for name, *_ in MEASURES)})  # quantities
ENDS = {"": "value", "_standard_error": "standard_error", "_lower": "lower", "_upper": "upper", "_exact": "exact"}


def color_name(sample: Sample, color: int) -> str | None:
    """Return the name of a color of a cell, None if the cell has one color."""
    if sample.rule.n_colors == len(sample.intensities) == 1:
        return None
    return sample.rule.color_name(color)


def transitions_of(sample: Sample, estimates: Columns) -> Columns:
    """Return the columns of the rows of a cell, without those that are the same for the whole cell.

    estimates: columns of its rows of the table `estimates`; nothing if there are none.
    """
    colors = range(len(sample.intensities))
    rows: dict[str, list[Any]] = {}
    for color in colors:
        last = _row(sample, estimates, EXPONENT, color)
        row: dict[str, Any] = {f"{EXPONENT}_r": np.nan if last is None else estimates["x"][last]}
        for name, *_ in MEASURES:
            place = _row(sample, estimates, name, color)
            for suffix, column in ENDS.items():
                row[name + suffix] = np.nan if place is None else estimates[column][place]
            if place is not None and estimates["note"][place] == INFINITE:
                row[f"{name}_exact"] = np.inf
        converged = _row(sample, estimates, CONVERGED, color)
        row[CONVERGED] = None if converged is None else bool(estimates["value"][converged])
        for name, value in row.items():
            rows.setdefault(name, []).append(value)
    columns: dict[str, np.ndarray] = {
        name: np.array(values, dtype=object if name == CONVERGED else float) for name, values in rows.items()
    }
    return columns | {
        "color": np.array(colors),
        "color_name": np.array([color_name(sample, color) for color in colors], object),
        "intensity": np.array(sample.intensities, float),
        "n_replicates": np.full(len(colors), len(sample.replicates["replicate"])),
    }


def _row(sample: Sample, estimates: Columns, quantity: str, color: int) -> int | None:
    """Return the row of a quantity of a color and the nearest partner, None if there is none.

    That of the exponent is the last one whose window is below the cutoff.
    """
    if not estimates:
        return None
    some = (estimates["quantity"] == quantity) & (estimates["color"] == color) & (estimates["order"] == 0)
    if quantity == EXPONENT:
        some &= estimates["x"] * 10 ** (WINDOW / PER_DECADE) <= sample.cutoff
    places = np.flatnonzero(some)
    return int(places[-1]) if len(places) else None
