"""Progress of the cells of a study file in a results folder, and the blocks that they need."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import studies
from ..rules.catalogue import rule_named
from ..sampling.cells import Block, Cell
from ..statistics import flow
from ..statistics.estimators import Sample
from ..statistics.finite_size import lacking_of, reference_color_of, sentence
from ..studies import stopping
from ..tables.tables import DISTANCES, REPLICATES
from ..theory.finite_size import is_smaller_size
from ..utils.errors import IntegrityError
from . import blocks, quarantine

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Standing:
    """Cell with the number of replicates it needs, and the rows of finished ones, or None.

    smaller: the rows of the cell that differs only in its size, smaller by SIZE_FACTOR; None if there is none.
    """

    cell: Cell
    rows: pd.DataFrame | None
    smaller: pd.DataFrame | None = None
    distances: pd.DataFrame | None = None  # rows of the table `distances` of finished replicates, or None


def as_needed(cell: Cell, folder: Path) -> Cell:
    """Return the cell with the replicates of its current round, from finished blocks; unchanged if it has no target.

    The number after each round depends on the replicates before it, not on their blocks.
    """
    try:
        while cell.target_rel_se is not None and all(blocks.finished(b, folder) for b in blocks.tiling(cell, folder)):
            more = stopping.needed(cell, replicates(cell, folder))
            if more == cell.replicates:
                break
            cell = replace(cell, replicates=more)
    except IntegrityError:
        pass  # reported when the blocks are read
    return cell


def found_blocks(file: studies.StudyFile, folder: Path) -> Iterator[Block]:
    """Yield every block of a study file, finished or not; of a study with a target, up to the current round."""
    for cell in studies.cells(file):
        yield from blocks.tiling(as_needed(cell, folder), folder)


def standing(cell: Cell, folder: Path) -> Standing:
    """Return the standing of a cell, from its finished and verified replicates."""
    cell = as_needed(cell, folder)
    begun = any(blocks.manifest_path(folder, block).exists() for block in blocks.tiling(cell, folder))
    tables = _tables(cell, folder, finished=True) if begun else {}
    return Standing(cell, tables.get(REPLICATES.name), distances=tables.get(DISTANCES.name))


def status(file: studies.StudyFile, folder: Path) -> Iterator[Standing]:
    """Yield the standing of each cell of a study file. Raises IntegrityError for results of an older version."""
    if old := quarantine.old_problems(folder):
        raise IntegrityError(*old)
    cells = studies.cells(file)
    size_groups: dict[tuple, list[Cell]] = {}
    for cell in cells:
        size_groups.setdefault((cell.study, cell.dim, cell.intensities), []).append(cell)
    for cell in cells:
        found, color = standing(cell, folder), reference_color_of(rule_named(cell.rule), cell.dim, cell.intensities)
        others = (
            size_groups[cell.study, cell.dim, cell.intensities] if found.rows is not None and color is not None else []
        )
        small = [standing(other, folder).rows for other in others if is_smaller_size(other.size, cell.size)]
        yield replace(found, smaller=small[0]) if small else found


def replicates(cell: Cell, folder: Path, *, finished: bool = False) -> pd.DataFrame:
    """Return the rows of `replicates` of a cell, in order; finished: only those of valid blocks."""
    return _tables(cell, folder, finished=finished)[REPLICATES.name]


def _tables(cell: Cell, folder: Path, *, finished: bool) -> dict[str, pd.DataFrame]:
    import pandas as pd

    _, tables, problems = blocks.read_blocks(folder, list(blocks.tiling(cell, folder)))
    if problems and not finished:
        raise IntegrityError(*problems)
    return {REPLICATES.name: pd.DataFrame(), **tables}


def record(standing: Standing) -> dict[str, Any]:
    """Return the standing of a cell as data for JSON: its parameters, main estimate, replicates and finite-size warning.

    `value` and `standard_error` are None if they are unknown, and an infinite dimension or ratio is "inf". `infinite` states whether an
    estimate is of something that is infinite in infinite volume.
    `bounds` are those of the unmatched fraction of reds at the cutoff r, None if there are none.
    `color` is the name of the color that the estimate is about, "" for a rule without colors.
    """
    cell, rule, rows = standing.cell, rule_named(standing.cell.rule), standing.rows
    quantity, value, error, done = stopping.main_quantity(cell), math.nan, math.nan, 0
    if rows is not None and len(rows):
        done = len(rows)
        _, value, error = stopping.main_estimate(cell, rows)
    red = reference_color_of(rule, cell.dim, cell.intensities)
    complete = done >= cell.replicates
    warning = sentence(lacking_of(rows, standing.smaller, red)) if complete and red is not None else ""
    return {
        "study": cell.study,
        "cell": cell.id,
        "rule": cell.rule,
        "dim": _number(cell.dim),
        "points": cell.size,
        "intensities": list(cell.intensities),
        "ratio": _number(cell.ratio),
        "quantity": quantity.partition("[")[0],
        "color": rule.color_name(cell.reference_color) if rule.n_colors > 1 else "",
        "value": value if math.isfinite(value) else None,
        "standard_error": error if done > 1 and math.isfinite(error) else None,
        "infinite": done > 0 and stopping.mean_is_infinite(cell),
        "replicates": done,
        "replicates_needed": cell.replicates,
        "replicates_left": cell.replicates - done,
        "finite_size_warning": warning,
        "bounds": _bounds(standing) if complete and red is not None else None,
    }


def _bounds(standing: Standing) -> dict[str, float | None] | None:
    """Return the bounds of the unmatched fraction of reds at the cutoff r, with standard errors; None if there are none."""
    if standing.distances is None or standing.rows is None:
        return None
    found = flow.bounds(Sample(standing.rows), standing.distances)
    if found is None:
        return None
    several = len(standing.rows) > 1
    record: dict[str, float | None] = {"r": float(found[0].x[0])}
    for name, estimate in zip(("lower", "upper"), found, strict=True):
        record |= {name: float(estimate.value[0]), f"{name}_error": float(estimate.error[0]) if several else None}
    return record


def _number(value: float) -> float | str | None:
    """Return a number as JSON has it: nan is None, and infinity is text."""
    return None if math.isnan(value) else value if math.isfinite(value) else "inf"
