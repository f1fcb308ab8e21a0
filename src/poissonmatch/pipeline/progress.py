"""Progress of the cells of a study file in a results folder, and the blocks that they need."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

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


def line(standing: Standing) -> str:
    """Return a line of text: the cell, its estimate with the error, replicates done of needed."""
    cell, done = standing.cell, 0 if standing.rows is None else len(standing.rows)
    left = cell.replicates - done
    text = f"{stopping.line(cell, standing.rows)}: {done} of {cell.replicates} replicates, "
    if left:
        return f"{text}{left} more needed"
    color = reference_color_of(rule_named(cell.rule), cell.dim, cell.intensities)
    if color is None:
        return f"{text}done"
    said = [_bounds(standing), sentence(lacking_of(standing.rows, standing.smaller, color))]
    return "; ".join([f"{text}done", *filter(None, said)])


def _bounds(standing: Standing) -> str:
    """Return the bounds of the unmatched fraction of reds at the cutoff; "" if there are none."""
    if standing.distances is None or standing.rows is None:
        return ""
    found = flow.bounds(Sample(standing.rows), standing.distances)
    if found is None:
        return ""
    low, high = (f"{e.value[0]:.4g}" + (f" +- {e.error[0]:.1g}" if len(standing.rows) > 1 else "") for e in found)
    return f"R - G and R at r = {found[0].x[0]:.4g} bound it by {low} and {high}"
