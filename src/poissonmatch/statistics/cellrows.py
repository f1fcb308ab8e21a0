"""A cell as the columns CELL of a row, and back."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ..cells import Cell


def cell_columns(cell: Cell) -> dict[str, Any]:
    """The values of the columns CELL for a cell."""
    process = dict(cell.process)
    name = process.pop("name")
    intensity = (*cell.intensities, np.nan)
    return {
        "study": cell.study,
        "cell": cell.id,
        "process": name + (json.dumps(process, sort_keys=True) if process else ""),
        "rule": cell.rule,
        "dim": float(cell.dim),
        "size": cell.size,
        "volume": cell.volume,
        "side": cell.side,
        "intensity_0": intensity[0],
        "intensity_1": intensity[1],
        "ratio": cell.ratio,
    }


def cell_of(row: Mapping[str, Any], observables: Iterable[str] = (), seed: int = 0) -> Cell:
    """The cell of a row with the columns CELL: the way back from cell_columns. Raises ValueError or KeyError if it is none."""
    name, brace, parameters = str(row["process"]).partition("{")
    dim = float(row["dim"])
    return Cell(
        study=str(row["study"]),
        process=tuple(sorted({"name": name, **json.loads(brace + parameters or "{}")}.items())),
        rule=str(row["rule"]),
        dim=dim if dim == math.inf else int(dim),
        size=float(row["size"]),
        intensities=intensities_of(row),
        observables=tuple(observables),
        replicates=0,
        block=1,
        seed=seed,
    )


def intensities_of(row: Any) -> tuple[float, ...]:
    """The intensities of the colors that a row with the columns CELL has."""
    return tuple(float(row[f"intensity_{k}"]) for k in (0, 1) if not np.isnan(row[f"intensity_{k}"]))


def process_of(row: Any) -> str:
    """Name of the process of a row with the columns CELL, without its parameters."""
    return str(row["process"]).partition("{")[0]
