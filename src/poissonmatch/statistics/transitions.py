"""The table `transitions`: the main numbers of a cell, one row for each color."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..tables.estimate_tables import INFINITE, MEASURES
from ..tables.tables import PER_DECADE, Columns
from .estimators import WINDOW, Sample

EXPONENT, CONVERGED = "tail_exponent", "size_converged"
SHOWN = frozenset({CONVERGED, *(name for name, *_ in MEASURES)})  # quantities
Places = Mapping[tuple[str, int, int], range]  # rows of a quantity, color and order
ENDS = {"": "value", "_standard_error": "standard_error", "_lower": "lower", "_upper": "upper", "_exact": "exact"}


def transitions_of(sample: Sample, estimates: Columns, places: Places) -> Columns:
    """Return the columns of the rows of a cell, without those that are the same for the whole cell.

    estimates: columns of its rows of the table `estimates`; places: where those of a quantity are.
    """
    colors = range(len(sample.intensities))
    rows: dict[str, list[Any]] = {}
    for color in colors:
        last = _row(sample, estimates, places, EXPONENT, color)
        row: dict[str, Any] = {f"{EXPONENT}_r": np.nan if last is None else estimates["x"][last]}
        for name, *_ in MEASURES:
            place = _row(sample, estimates, places, name, color)
            for suffix, column in ENDS.items():
                row[name + suffix] = np.nan if place is None else estimates[column][place]
            if place is not None and estimates["note"][place] == INFINITE:
                row[f"{name}_exact"] = np.inf
        converged = _row(sample, estimates, places, CONVERGED, color)
        row[CONVERGED] = None if converged is None else bool(estimates["value"][converged])
        for name, value in row.items():
            rows.setdefault(name, []).append(value)
    columns: dict[str, np.ndarray] = {
        name: np.array(values, dtype=object if name == CONVERGED else float) for name, values in rows.items()
    }
    return columns | {
        "color": np.array(colors),
        "color_name": np.array(sample.color_names, object),
        "intensity": np.array(sample.intensities, float),
        "n_replicates": np.full(len(colors), len(sample.replicates["replicate"])),
    }


def _row(sample: Sample, estimates: Columns, places: Places, quantity: str, color: int) -> int | None:
    """Return the row of a quantity of a color and the nearest partner, None if there is none.

    That of the exponent is the last one whose window is below the cutoff.
    """
    rows = places.get((quantity, color, 0), range(0))
    if quantity == EXPONENT and rows:
        ends = estimates["x"][rows.start : rows.stop] * 10 ** (WINDOW / PER_DECADE)
        rows = rows[: np.count_nonzero(ends <= sample.cutoff)]
    return rows[-1] if rows else None
