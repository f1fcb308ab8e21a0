"""Progress of the cells of a study file in a results folder, and the blocks that they need."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .. import studies
from ..rules.catalogue import rule_named
from ..sampling.cells import Block, Cell
from ..statistics.finite_size import lacking_of, reference_color_of, sentence
from ..studies import stopping
from ..tables.tables import REPLICATES
from ..theory.finite_size import is_smaller_size
from ..utils.errors import IntegrityError, printable
from ..utils.fingerprint import fingerprint
from . import blocks, provenance, quarantine
from .atomic_files import read_json, to_json, write_atomically
from .runs import STATE

if TYPE_CHECKING:
    import pandas as pd

STATUS = "status.json"  # in the folder of a run: the lines of `status`, by a digest of what they depend on


@dataclass(frozen=True)
class Standing:
    """Cell with the number of replicates it needs, and the rows of finished ones, or None.

    smaller: the rows of the cell that differs only in its size, smaller by SIZE_FACTOR; None if there is none.
    """

    cell: Cell
    rows: pd.DataFrame | None
    smaller: pd.DataFrame | None = None


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
    return Standing(cell, replicates(cell, folder, finished=True) if begun else None)


def status(file: studies.StudyFile, folder: Path) -> Iterator[Standing]:
    """Yield the standing of each cell of a study file. Raises IntegrityError for results of an older version."""
    for cell, smaller in _cells(file, folder):
        yield _standing(cell, smaller, folder)


def lines(file: studies.StudyFile, folder: Path) -> Iterator[str]:
    """Yield what `line` says of each cell. Raises IntegrityError for results of an older version.

    Lines are kept in the folder of the run, and taken from there if the files of a cell have the same names, sizes and times.
    """
    path = folder / STATE / STATUS
    try:
        old = read_json(path)
    except IntegrityError:
        old = {}
    new: dict[str, str] = {}
    for cell, smaller in _cells(file, folder):
        files = [_files(one, folder) for one in (cell, smaller) if one is not None]
        if not files[0]:
            yield line(_standing(cell, None, folder))
            continue
        needed = (cell.replicates, cell.target_rel_se, cell.max_replicates)
        code = [provenance.code_digest(stage) for stage in ("simulate", "aggregate")]
        key = fingerprint([cell.study, cell.id, needed, files, code], 64)
        text = old.get(key)
        new[key] = printable(text) if isinstance(text, str) else line(_standing(cell, smaller, folder))
        yield new[key]
    if new != old:
        with suppress(OSError):  # results that may only be read, a full disk
            write_atomically(path, to_json(new))


def _cells(file: studies.StudyFile, folder: Path) -> Iterator[tuple[Cell, Cell | None]]:
    """Yield each cell of a study file, and the one that differs only in its size, smaller by SIZE_FACTOR, if its rows are needed."""
    if old := quarantine.old_problems(folder):
        raise IntegrityError(*old)
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


def _standing(cell: Cell, smaller: Cell | None, folder: Path) -> Standing:
    found = standing(cell, folder)
    if found.rows is None or smaller is None:
        return found
    return replace(found, smaller=standing(smaller, folder).rows)


def _files(cell: Cell, folder: Path) -> list[tuple[str, int, int]]:
    """Return name, size and time of each file of a cell."""
    try:
        with os.scandir(blocks.cell_folder(folder, cell)) as entries:
            return sorted((entry.name, entry.stat().st_size, entry.stat().st_mtime_ns) for entry in entries)
    except (FileNotFoundError, NotADirectoryError):
        return []


def replicates(cell: Cell, folder: Path, *, finished: bool = False) -> pd.DataFrame:
    """Return the rows of `replicates` of a cell, in order; finished: only those of valid blocks."""
    import pandas as pd

    _, tables, problems = blocks.read_blocks(folder, list(blocks.tiling(cell, folder)))
    if problems and not finished:
        raise IntegrityError(*problems)
    return tables.get(REPLICATES.name, pd.DataFrame())


def line(standing: Standing) -> str:
    """Return a line of text: the cell, its estimate with the error, replicates done of needed."""
    cell, done = standing.cell, 0 if standing.rows is None else len(standing.rows)
    left = cell.replicates - done
    text = f"{stopping.line(cell, standing.rows)}: {done} of {cell.replicates} replicates, "
    if left:
        return f"{text}{left} more needed"
    color = reference_color_of(rule_named(cell.rule), cell.dim, cell.intensities)
    said = "" if color is None else sentence(lacking_of(standing.rows, standing.smaller, color))
    return f"{text}done" + (f"; {said}" if said else "")
