"""The table `transitions`: the main numbers of a cell, one row for each color."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ..tables.estimate_tables import INFINITE, MEASURES
from ..tables.tables import PER_DECADE, Columns
from .estimators import CellSample
from .observables.distances import WINDOW

EXPONENT, CONVERGED = "tail_exponent", "size_converged"
SHOWN = frozenset({CONVERGED, *(name for name, *_ in MEASURES)})  # quantities
Key = tuple[CellSample, str, int, int]  # cell, quantity, color and order
Places = Mapping[Key, range]  # rows of the table `estimates`
ENDS = {"": "value", "_standard_error": "standard_error", "_lower": "lower", "_upper": "upper", "_exact": "exact"}


def transitions_of(samples: Iterable[CellSample], estimates: Columns, places: Places) -> list[dict[str, Any]]:
    """Return the rows of cells: their values by column.

    estimates: columns of their rows of the table `estimates`; nothing if there are none.
    """
    rows = []
    for sample in samples:
        for color, color_name in enumerate(sample.color_names):
            last = _row(estimates, places, sample, EXPONENT, color)
            row = sample.row | {
                "color": color,
                "color_name": color_name,
                "intensity": sample.intensities[color],
                "n_replicates": len(sample.replicates["replicate"]),
                f"{EXPONENT}_r": np.nan if last is None else estimates["x"][last],
            }
            for name, *_ in MEASURES:
                place = _row(estimates, places, sample, name, color)
                for suffix, column in ENDS.items():
                    row[name + suffix] = np.nan if place is None else estimates[column][place]
                if place is not None and estimates["note"][place] == INFINITE:
                    row[f"{name}_exact"] = np.inf
            converged = _row(estimates, places, sample, CONVERGED, color)
            row[CONVERGED] = None if converged is None else bool(estimates["value"][converged])
            rows.append(row)
    return rows


def _row(estimates: Columns, places: Places, sample: CellSample, quantity: str, color: int) -> int | None:
    """Return the row of a quantity of a color and the nearest partner, None if there is none.

    That of the exponent is the last one whose window is below the cutoff.
    """
    rows = places.get((sample, quantity, color, 0), range(0))
    if quantity == EXPONENT and rows:
        ends = estimates["x"][rows.start : rows.stop] * 10 ** (WINDOW / PER_DECADE)
        rows = rows[: np.count_nonzero(ends <= sample.cutoff)]
    return rows[-1] if rows else None
