"""Records of the cells of a study file: the estimate of each, its finished replicates, and those that it needs."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ...theory.finite_size import compared_size
from ...utils import code_digests
from ...utils.atomic_writer import write_atomically
from ...utils.errors import IntegrityError
from ...utils.libraries import pa, pd
from ...utils.manifests import fingerprint, read_json, to_json
from .. import study_files
from ..sampling.cells import Cell
from ..statistics.convergence import lacking_of, reference_color_of, sentence
from ..statistics.estimators import CellSample, arrays_of
from ..statistics.observables import red_flow
from ..study_files import parameter_grid, stopping
from ..tables.invariants import columns_of
from ..tables.tables import DISTANCES, REPLICATES, Columns
from . import STATE
from .batch_files import Rows
from .results import FinishedBlocks, Results

STATUS = "status.json"  # in the folder of a run: the records of cells, by a digest of what they depend on


def as_needed(cell: Cell, results: FinishedBlocks) -> Cell:
    """Return the cell with the replicates of its current round, from finished blocks; unchanged if it has no target.

    The number after each round depends on the replicates before it, not on their blocks.
    """
    with suppress(IntegrityError):  # reported when the blocks are read
        while cell.target_rel_se is not None and not results.missing(cell):
            more = stopping.needed(cell, replicates(cell, results))
            if more == cell.replicates:
                break
            cell = replace(cell, replicates=more)
    return cell


def replicates(cell: Cell, results: FinishedBlocks) -> pd.DataFrame:
    """Return the rows of `replicates` of a cell, in order. Raises IntegrityError if a block is damaged."""
    return results.read_cell(results.blocks(cell), (REPLICATES.name,))[REPLICATES.name].to_pandas()


def n_replicates(file: study_files.StudyFile, results: Results) -> tuple[int, int]:
    """Return the number of replicates in finished blocks of a study file, and of those that it needs.

    Tables are read for studies with a target only.
    """
    if not results.batches:  # a study of 10^6 cells that was stopped while it was planned ends at once
        return 0, sum(parameter_grid.count(study) * study.replicates for study in file.studies.values())
    cells = [as_needed(cell, results) for cell in study_files.cells(file)]
    needed = sum(cell.replicates for cell in cells)
    return needed - sum(len(block.replicates) for cell in cells for block in results.missing(cell)), needed


def records(file: study_files.StudyFile, folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the record of each cell of a study file. They are stored in the folder until the blocks of a cell change."""
    results, code = Results(folder), [code_digests.of_stage(stage) for stage in ("simulate", "aggregate")]
    cells, path = study_files.cells(file), folder / STATE / STATUS
    before: dict[str, Any] = {}
    current: dict[str, Any] = {}
    with suppress(IntegrityError):
        stored = read_json(path)
        before = stored["records"] if stored.get("digest") == fingerprint(stored.get("records"), 64) else {}
    size_groups = defaultdict(list)
    for cell in cells:
        if reference_color_of(cell.rule_entry, cell.dim, cell.intensities) is not None:
            size_groups[cell.study, cell.rule, cell.dim, cell.intensities].append(cell)
    for cell in cells:
        all_sizes = size_groups[cell.study, cell.rule, cell.dim, cell.intensities]
        smaller = compared_size(np.array([one.size for one in all_sizes]), cell.size)
        compared = [cell, *(one for one in all_sizes if one.size == smaller)]
        needed = (cell.replicates, cell.target_rel_se, cell.max_replicates)
        key = fingerprint([cell.study, cell.id, needed, [*map(results.on_disk, compared)], code], 64)
        if key in before:
            current[key] = before[key]
            yield current[key]
            continue
        compared = [as_needed(one, results) for one in compared]
        tables = [_finished_rows(one, results) for one in compared]
        new = record(compared[0], *(rows or {} for rows in tables))
        if results.on_disk(cell) and None not in tables:
            current[key] = new
        yield new
    if current != before:
        with suppress(OSError):  # results that may only be read, a full disk
            write_atomically(path, to_json({"records": current, "digest": fingerprint(current, 64)}))


def _finished_rows(cell: Cell, results: Results) -> Rows | None:
    """Return the rows of the finished blocks of a cell by table, None if a block is damaged."""
    finished = (block for block in results.blocks(cell) if block in results)
    try:
        return results.read_cell(finished, (REPLICATES.name, DISTANCES.name))
    except IntegrityError:
        return None


def record(cell: Cell, tables: Rows, smaller_tables: Rows | None = None) -> dict[str, Any]:
    """Return what is known of a cell as data for JSON: parameters, main estimate, replicates and finite-size warning.

    tables: its rows. smaller_tables: those of the cell that it is compared with.

    `value` and `standard_error` are None if they are unknown, and an infinite dimension or ratio is
    "inf". `infinite` states whether an estimate is of something that is infinite in infinite
    volume. `bounds` are those of the unmatched fraction of reds at the cutoff r, None if there are
    none. `color` is the name of the color that the estimate is about, "" for a rule without colors.
    """
    rows, smaller = (columns_of(of[REPLICATES.name]) if of else None for of in (tables, smaller_tables))
    done = 0 if rows is None else len(rows["replicate"])
    _, value, error = stopping.main_estimate(cell, rows) if rows is not None and done else ("", math.nan, math.nan)
    red = reference_color_of(cell.rule_entry, cell.dim, cell.intensities)
    warning, bounds = "", None
    if red is not None and done >= cell.replicates:
        warning, bounds = sentence(lacking_of(rows, smaller, red)), _bounds(rows, tables.get(DISTANCES.name))
    return {
        "study": cell.study,
        "cell": cell.id,
        "rule": cell.rule,
        "dim": _number(cell.dim),
        "points": cell.size,
        "intensities": list(cell.intensities),
        "ratio": _number(cell.ratio),
        "quantity": stopping.main_quantity(cell).partition("[")[0],
        "color": cell.reference_name if cell.rule_entry.n_colors > 1 else "",
        "value": value if math.isfinite(value) else None,
        "standard_error": error if done > 1 and math.isfinite(error) else None,
        "infinite": done > 0 and stopping.mean_is_infinite(cell),
        "replicates": done,
        "replicates_needed": cell.replicates,
        "replicates_left": cell.replicates - done,
        "finite_size_warning": warning,
        "bounds": bounds,
    }


def _bounds(rows: Columns | None, distances: pa.Table | None) -> dict[str, float | None] | None:
    """Return the bounds of the unmatched fraction of reds at the cutoff r, with standard errors; None if there are none."""
    if (
        distances is None
        or rows is None
        or not (bounds := red_flow.bounds(CellSample(rows), arrays_of(DISTANCES, distances)))
    ):
        return None
    has_error = len(rows["replicate"]) > 1
    record: dict[str, float | None] = {"r": float(bounds[0].x[0])}
    for name, estimate in zip(("lower", "upper"), bounds, strict=True):
        record |= {name: float(estimate.value[0]), f"{name}_error": float(estimate.error[0]) if has_error else None}
    return record


def _number(value: float) -> float | str | None:
    """Return a number as JSON has it: nan is None, and infinity is text."""
    return None if math.isnan(value) else value if math.isfinite(value) else "inf"
