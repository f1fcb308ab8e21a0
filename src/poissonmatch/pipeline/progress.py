"""Progress of the cells of a study file in a results folder, and the blocks that they need."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from .. import studies
from ..rules.catalogue import rule_named
from ..sampling.cells import Block, Cell
from ..statistics import flow
from ..statistics.convergence import lacking_of, reference_color_of, sentence
from ..statistics.estimators import Sample, arrays_of
from ..studies import stopping
from ..tables.tables import DISTANCES, REPLICATES
from ..theory.finite_size import is_smaller_size
from ..utils.errors import IntegrityError
from ..utils.fingerprint import fingerprint
from ..utils.libraries import pd
from . import blocks, provenance
from .atomic_files import read_json, to_json, write_atomically
from .runs import STATE

STATUS = "status.json"  # in the folder of a run: the records of cells, by a digest of what they depend on


@dataclass(frozen=True)
class Standing:
    """Cell with the number of replicates it needs, and the rows of finished ones, or None.

    smaller: the rows of the cell that differs only in its size, smaller by SIZE_FACTOR; None if
    there is none.
    """

    cell: Cell
    rows: pd.DataFrame | None
    smaller: pd.DataFrame | None = None
    distances: pd.DataFrame | None = None  # rows of the table `distances` of finished replicates, or None


Known = dict[tuple[str, str], Standing]  # by study and cell


def identity(cell: Cell) -> tuple[str, str]:
    """Return the study and the name of a cell."""
    return cell.study, cell.id


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


def kept(file: studies.StudyFile, folder: Path) -> tuple[int, int]:
    """Return the number of replicates in finished blocks of a study file, and of those that it needs; tables are not read."""
    cells = [as_needed(cell, folder) for cell in studies.cells(file)]
    found = (block for cell in cells for block in blocks.tiling(cell, folder) if blocks.finished(block, folder))
    done = sum(min(block.end, block.cell.replicates) - block.first for block in found)
    return done, sum(cell.replicates for cell in cells)


def standing(cell: Cell, folder: Path) -> Standing:
    """Return the standing of a cell, from its finished and verified replicates."""
    cell = as_needed(cell, folder)
    begun = any(blocks.manifest_path(folder, block).exists() for block in blocks.tiling(cell, folder))
    tables = _tables(cell, folder, finished=True) if begun else {}
    return Standing(cell, tables.get(REPLICATES.name), distances=tables.get(DISTANCES.name))


def status(file: studies.StudyFile, folder: Path) -> Iterator[Standing]:
    """Yield the standing of each cell of a study file."""
    for cell, smaller in _cells(file):
        yield _standing(cell, smaller, folder, {})


def records(file: studies.StudyFile, folder: Path, known: Known | None = None) -> Iterator[dict[str, Any]]:
    """Yield the record of each cell of a study file.

    Records are kept in the folder of the run, and taken from there if the files of a cell have the
    same names, sizes and times. known: standings of cells whose blocks were just read.
    """
    path = folder / STATE / STATUS
    try:
        old = read_json(path)
    except IntegrityError:
        old = {}
    new: dict[str, Any] = {}
    for cell, smaller in _cells(file):
        files = [_files(one, folder) for one in (cell, smaller) if one is not None]
        if not files[0]:
            yield record(_standing(cell, None, folder, {}))
            continue
        needed = (cell.replicates, cell.target_rel_se, cell.max_replicates)
        code = [provenance.code_digest(stage) for stage in ("simulate", "aggregate")]
        key = fingerprint([cell.study, cell.id, needed, files, code], 64)
        kept = old.get(key)
        new[key] = kept if isinstance(kept, dict) else record(_standing(cell, smaller, folder, known or {}))
        yield new[key]
    if new != old:
        with suppress(OSError):  # results that may only be read, a full disk
            write_atomically(path, to_json(new))


def _cells(file: studies.StudyFile) -> Iterator[tuple[Cell, Cell | None]]:
    """Yield each cell of a study file, and the one that differs only in its size, smaller by SIZE_FACTOR, if its rows are needed."""
    cells = studies.cells(file)
    size_groups: dict[tuple, list[Cell]] = {}
    for cell in cells:
        size_groups.setdefault((cell.study, cell.dim, cell.intensities), []).append(cell)
    sizes = {key: np.array([cell.size for cell in group]) for key, group in size_groups.items()}
    for cell in cells:
        key = cell.study, cell.dim, cell.intensities
        smaller = np.flatnonzero(is_smaller_size(sizes[key], cell.size))
        needed = len(smaller) > 0 and reference_color_of(rule_named(cell.rule), cell.dim, cell.intensities) is not None
        yield cell, size_groups[key][smaller[0]] if needed else None


def _standing(cell: Cell, smaller: Cell | None, folder: Path, known: Known) -> Standing:
    found = known.get(identity(cell)) or standing(cell, folder)
    if found.rows is None or smaller is None:
        return found
    return replace(found, smaller=(known.get(identity(smaller)) or standing(smaller, folder)).rows)


def _files(cell: Cell, folder: Path) -> list[tuple[str, int, int]]:
    """Return name, size and time of each file of a cell."""
    try:
        with os.scandir(blocks.cell_folder(folder, cell)) as entries:
            return sorted((entry.name, entry.stat().st_size, entry.stat().st_mtime_ns) for entry in entries)
    except (FileNotFoundError, NotADirectoryError):
        return []


def replicates(cell: Cell, folder: Path, *, finished: bool = False) -> pd.DataFrame:
    """Return the rows of `replicates` of a cell, in order; finished: only those of valid blocks."""
    return _tables(cell, folder, finished=finished)[REPLICATES.name]


def _tables(cell: Cell, folder: Path, *, finished: bool) -> dict[str, pd.DataFrame]:
    _, tables, problems = blocks.read_blocks(folder, list(blocks.tiling(cell, folder)))
    if problems and not finished:
        raise IntegrityError(*problems)
    return {REPLICATES.name: pd.DataFrame(), **tables}


def record(standing: Standing) -> dict[str, Any]:
    """Return the standing of a cell as data for JSON: its parameters, main estimate, replicates and finite-size warning.

    `value` and `standard_error` are None if they are unknown, and an infinite dimension or ratio is
    "inf". `infinite` states whether an estimate is of something that is infinite in infinite
    volume. `bounds` are those of the unmatched fraction of reds at the cutoff r, None if there are
    none. `color` is the name of the color that the estimate is about, "" for a rule without colors.
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
    found = flow.bounds(Sample(standing.rows), arrays_of(DISTANCES, standing.distances))
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
