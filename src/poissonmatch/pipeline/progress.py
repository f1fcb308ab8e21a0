"""How far the cells of a study file have come in a results folder, and which blocks they need."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from .. import studies
from ..rules.catalogue import rule_named
from ..sampling.cells import Block, Cell
from ..statistics.finite_size import lacking_of, reference_color_of, sentence
from ..studies import stopping
from ..tables.tables import REPLICATES
from ..theory.finite_size import is_smaller_size
from ..utils.errors import IntegrityError
from . import blocks

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Standing:
    """A cell with the replicates that it needs as far as is known, and the rows of those that are done; None if none are.

    smaller: those of the cell that differs in its size only, an eighth of this one's; None if there is none.
    """

    cell: Cell
    rows: pd.DataFrame | None
    smaller: pd.DataFrame | None = None


def as_needed(cell: Cell, folder: Path) -> Cell:
    """The cell with the replicates of the round that it is in, from the blocks that are finished; as it is if it has no target.

    The number after each round follows from the replicates before it, whatever blocks hold them.
    """
    try:
        while cell.target_rel_se is not None and all(blocks.finished(b, folder) for b in blocks.tiling(cell, folder)):
            more = stopping.needed(cell, replicates(cell, folder))
            if more == cell.replicates:
                break
            cell = replace(cell, replicates=more)
    except IntegrityError:
        pass  # whoever reads the blocks will say so
    return cell


def found_blocks(file: studies.StudyFile, folder: Path) -> Iterator[Block]:
    """Every block that a study file asks for, whether or not it is there yet; of a study with a target, to the round it is in."""
    for cell in studies.cells(file):
        yield from blocks.tiling(as_needed(cell, folder), folder)


def standing(cell: Cell, folder: Path) -> Standing:
    """Where a cell stands, by its replicates that are finished and verified."""
    cell = as_needed(cell, folder)
    begun = any(blocks.manifest_path(folder, block).exists() for block in blocks.tiling(cell, folder))
    return Standing(cell, replicates(cell, folder, finished=True) if begun else None)


def status(file: studies.StudyFile, folder: Path) -> Iterator[Standing]:
    """Where each cell of a study file stands."""
    cells = studies.cells(file)
    kin: dict[tuple, list[Cell]] = {}
    for cell in cells:
        kin.setdefault((cell.study, cell.dim, cell.intensities), []).append(cell)
    for cell in cells:
        found, judged = standing(cell, folder), reference_color_of(rule_named(cell.rule), cell.dim, cell.intensities)
        others = kin[cell.study, cell.dim, cell.intensities] if found.rows is not None and judged is not None else []
        small = [standing(other, folder).rows for other in others if is_smaller_size(other.size, cell.size)]
        yield replace(found, smaller=small[0]) if small else found


def replicates(cell: Cell, folder: Path, *, finished: bool = False) -> pd.DataFrame:
    """The rows of `replicates` of a cell, in order; finished: of the blocks that are there and right."""
    import pandas as pd

    _, tables, problems = blocks.read_blocks(folder, list(blocks.tiling(cell, folder)))
    if problems and not finished:
        raise IntegrityError(*problems)
    return tables.get(REPLICATES.name, pd.DataFrame())


def line(standing: Standing) -> str:
    """A line for people: the cell, its estimate with the error, replicates done of needed."""
    cell, done = standing.cell, 0 if standing.rows is None else len(standing.rows)
    left = cell.replicates - done
    text = f"{stopping.line(cell, standing.rows)}: {done} of {cell.replicates} replicates, "
    if left:
        return f"{text}{left} more needed"
    judged = reference_color_of(rule_named(cell.rule), cell.dim, cell.intensities)
    said = "" if judged is None else sentence(lacking_of(standing.rows, standing.smaller, judged))
    return f"{text}done" + (f"; {said}" if said else "")
