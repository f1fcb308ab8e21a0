"""Progress of the cells of a study file in a results folder, and the blocks that they need."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ...rules.catalogue import rule_named
from ...theory.finite_size import is_smaller_size
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
from ..study_files import plan, stopping
from ..tables.invariants import columns_of
from ..tables.parquet import concatenated
from ..tables.tables import BLOCK_TABLES, DISTANCES, REPLICATES, Columns
from . import STATE
from .results import FinishedBlocks, Results

Rows = Mapping[str, "pa.Table"]  # by table
STATUS = "status.json"  # in the folder of a run: the records of cells, by a digest of what they depend on
SUMMARIZED = (REPLICATES.name, DISTANCES.name)  # tables that a record is made from


def identity(cell: Cell) -> tuple[str, str]:
    """Return the study and the name of a cell."""
    return cell.study, cell.id


def as_needed(cell: Cell, results: FinishedBlocks) -> Cell:
    """Return the cell with the replicates of its current round, from finished blocks; unchanged if it has no target.

    The number after each round depends on the replicates before it, not on their blocks.
    """
    try:
        while cell.target_rel_se is not None and not results.missing(cell):
            more = stopping.needed(cell, replicates(cell, results))
            if more == cell.replicates:
                break
            cell = replace(cell, replicates=more)
    except IntegrityError:
        pass  # reported when the blocks are read
    return cell


def replicates(cell: Cell, results: FinishedBlocks) -> pd.DataFrame:
    """Return the rows of `replicates` of a cell, in order.

    Raises IntegrityError if a block is damaged.
    """
    return results.read_cell(results.blocks(cell), (REPLICATES.name,))[REPLICATES.name].to_pandas()


def kept(file: study_files.StudyFile, results: Results) -> tuple[int, int]:
    """Return the number of replicates in finished blocks of a study file, and of those that it needs.

    Tables are read for studies with a target only.
    """
    if not results.batches:  # a study of 10^6 cells that was stopped while it was planned ends at once
        return 0, sum(group.pairs * len(group.sizes) * group.spec.replicates for group in plan.groups(file))
    done = all_needed = 0
    for cell in (as_needed(cell, results) for cell in study_files.cells(file)):
        blocks = [block for block in results.blocks(cell) if block in results]
        done += sum(min(block.end, cell.replicates) - block.first for block in blocks)
        all_needed += cell.replicates
    return done, all_needed


def records(file: study_files.StudyFile, folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the record of each cell of a study file, and keep them."""
    cells = study_files.cells(file)
    kept = Records(cells, Results(folder))
    yield from map(kept.of, cells)
    kept.save()


class Records:
    """The records of all cells of a study file.

    They are kept in the folder of the run, and taken from there if the blocks of a cell are the
    same.
    """

    def __init__(self, cells: Sequence[Cell], results: Results) -> None:
        self.results = results
        self.smaller = {identity(cell): smaller for cell, smaller in _with_smaller(cells)}
        self.code = [code_digests.of_stage(stage) for stage in ("simulate", "aggregate")]
        self.path = results.folder / STATE / STATUS
        self.new: dict[str, Any] = {}
        try:
            self.old = read_json(self.path)
        except IntegrityError:
            self.old = {}

    def of(self, cell: Cell, rows: Rows | None = None) -> dict[str, Any]:
        """Return the record of a cell.

        rows: those of its blocks by table, if they were just read.
        """
        smaller = self.smaller[identity(cell)]
        blocks = [self.results.on_disk(one) for one in (cell, smaller) if one is not None]
        needed = (cell.replicates, cell.target_rel_se, cell.max_replicates)
        key = fingerprint([cell.study, cell.id, needed, blocks, self.code], 64)
        if isinstance(self.old.get(key), dict):
            self.new[key] = self.old[key]
            return self.new[key]
        cell, is_whole, smaller_rows = as_needed(cell, self.results), True, None
        if rows is None:
            rows, is_whole = _valid_rows(cell, self.results)
        if smaller is not None and rows:
            smaller_rows, smaller_is_whole = _valid_rows(as_needed(smaller, self.results), self.results)
            is_whole = is_whole and smaller_is_whole
        new = record(cell, rows, smaller_rows or {})
        if blocks[0] and is_whole:
            self.new[key] = new
        return new

    def save(self) -> None:
        """Write the records if they have changed and may be written."""
        if self.new != self.old:
            with suppress(OSError):  # results that may only be read, a full disk
                write_atomically(self.path, to_json(self.new))


def _with_smaller(cells: Sequence[Cell]) -> Iterator[tuple[Cell, Cell | None]]:
    """Yield each cell, and the one that differs only in its size, smaller by SIZE_FACTOR, if its rows are needed."""
    size_groups: dict[tuple, list[Cell]] = {}
    for cell in cells:
        size_groups.setdefault((cell.study, cell.dim, cell.intensities), []).append(cell)
    sizes = {key: np.array([cell.size for cell in group]) for key, group in size_groups.items()}
    for cell in cells:
        key = cell.study, cell.dim, cell.intensities
        smaller = np.flatnonzero(is_smaller_size(sizes[key], cell.size))
        needed = len(smaller) > 0 and reference_color_of(rule_named(cell.rule), cell.dim, cell.intensities) is not None
        yield cell, size_groups[key][smaller[0]] if needed else None


def _valid_rows(cell: Cell, results: Results) -> tuple[Rows, bool]:
    """Return the rows of the finished and valid blocks of a cell by table, and whether all blocks are valid."""
    parts: dict[str, list[pa.Table]] = {}
    is_whole = True
    for block in results.blocks(cell):
        try:
            for name, rows in results.read(block, SUMMARIZED).items() if block in results else ():
                parts.setdefault(name, []).append(rows)
        except IntegrityError:
            is_whole = False
    return {name: concatenated(BLOCK_TABLES[name], rows) for name, rows in parts.items()}, is_whole


def record(cell: Cell, tables: Rows, smaller: Rows) -> dict[str, Any]:
    """Return what is known of a cell as data for JSON: parameters, main estimate, replicates and finite-size warning.

    tables: its rows. smaller: those of the cell that differs only in its size, smaller by SIZE_FACTOR.

    `value` and `standard_error` are None if they are unknown, and an infinite dimension or ratio is
    "inf". `infinite` states whether an estimate is of something that is infinite in infinite
    volume. `bounds` are those of the unmatched fraction of reds at the cutoff r, None if there are
    none. `color` is the name of the color that the estimate is about, "" for a rule without colors.
    """
    rows, others = (columns_of(of[REPLICATES.name]) if REPLICATES.name in of else None for of in (tables, smaller))
    rule, quantity, value, error, done = rule_named(cell.rule), stopping.main_quantity(cell), math.nan, math.nan, 0
    if rows is not None and len(rows["replicate"]):
        done = len(rows["replicate"])
        _, value, error = stopping.main_estimate(cell, rows)
    red = reference_color_of(rule, cell.dim, cell.intensities)
    complete = done >= cell.replicates
    warning = sentence(lacking_of(rows, others, red)) if complete and red is not None else ""
    return {
        "study": cell.study,
        "cell": cell.id,
        "rule": cell.rule,
        "dim": _number(cell.dim),
        "points": cell.size,
        "intensities": list(cell.intensities),
        "ratio": _number(cell.ratio),
        "quantity": quantity.partition("[")[0],
        "color": cell.reference_name if rule.n_colors > 1 else "",
        "value": value if math.isfinite(value) else None,
        "standard_error": error if done > 1 and math.isfinite(error) else None,
        "infinite": done > 0 and stopping.mean_is_infinite(cell),
        "replicates": done,
        "replicates_needed": cell.replicates,
        "replicates_left": cell.replicates - done,
        "finite_size_warning": warning,
        "bounds": _bounds(rows, tables.get(DISTANCES.name)) if complete and red is not None else None,
    }


def _bounds(rows: Columns | None, distances: pa.Table | None) -> dict[str, float | None] | None:
    """Return the bounds of the unmatched fraction of reds at the cutoff r, with standard errors; None if there are none."""
    if distances is None or rows is None:
        return None
    bounds = red_flow.bounds(CellSample(rows), arrays_of(DISTANCES, distances))
    if bounds is None:
        return None
    several = len(rows["replicate"]) > 1
    record: dict[str, float | None] = {"r": float(bounds[0].x[0])}
    for name, estimate in zip(("lower", "upper"), bounds, strict=True):
        record |= {name: float(estimate.value[0]), f"{name}_error": float(estimate.error[0]) if several else None}
    return record


def _number(value: float) -> float | str | None:
    """Return a number as JSON has it: nan is None, and infinity is text."""
    return None if math.isnan(value) else value if math.isfinite(value) else "inf"
