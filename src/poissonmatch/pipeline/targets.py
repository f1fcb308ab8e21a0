"""How many replicates a cell needs: more of them, in rounds, until the relative error of its main estimate is small enough.

The number of replicates after each round depends on the replicates before it and on the study only: not on blocks, cores or
machines. So the tables of a study with a target are as reproducible as those of any other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd

from .. import studies
from ..cells import Block, Cell
from ..errors import IntegrityError
from ..rules import rule_named
from ..statistics.estimators import ratio, standard_error
from . import blocks

MARGIN = 1.1  # a round asks for a little more than seems needed, so that the next is rarely small
GROWTH = (1.25, 2.0)  # a round makes the number of replicates grow by a factor between these


@dataclass(frozen=True)
class Standing:
    """A cell as far as it has come: its estimate so far, and the replicates that the next round would ask for."""

    cell: Cell
    quantity: str
    value: float
    error: float
    done: int
    needed: int

    @property
    def finished(self) -> bool:
        return self.done >= self.needed


def main_estimate(cell: Cell, rows: pd.DataFrame) -> tuple[str, float, float]:
    """(quantity, value, standard error) by which a cell is judged, from its rows of the table `replicates`.

    The fraction of unmatched points of red (fussy) or of the majority (two-color); the mean partner distance for other rules.
    """
    if rule_named(cell.rule).n_colors > 1:
        color = cell.judged
        quantity, top, bottom = "unmatched_fraction", rows[f"unmatched_{color}"], rows[f"points_{color}"]
    else:
        color, quantity, top = 0, "mean_distance", rows["sum_distance_0"]
        bottom = rows["points_0"] - rows["unmatched_0"]
    value, influence = ratio(top.to_numpy(float), bottom.to_numpy(float))
    return f"{quantity}[{color}]", float(value), float(standard_error(influence))


def next_replicates(done: int, value: float, error: float, target: float, most: int) -> int:
    """How many replicates the next round ends with; `done` if the target is reached or no more are allowed."""
    relative = abs(error / value) if value and math.isfinite(value) and math.isfinite(error) else math.inf
    if relative <= target or done >= most:
        return done
    low, high = (math.ceil(done * factor) for factor in GROWTH)
    return min(most, max(low, min(high, math.ceil(min(1e9, MARGIN * done * (relative / target) ** 2)))))


def standing(cell: Cell, rows: pd.DataFrame) -> Standing:
    """Judge a cell by its replicates so far."""
    quantity, value, error = main_estimate(cell, rows) if len(rows) else ("", math.nan, math.nan)
    needed = cell.replicates
    if cell.target_rel_se is not None and len(rows) == cell.replicates:
        needed = next_replicates(cell.replicates, value, error, cell.target_rel_se, cell.max_replicates)
    return Standing(cell, quantity, value, error, len(rows), needed)


def with_rounds(cell: Cell, numbers: Iterable[int]) -> Cell:
    """The cell with these numbers of replicates after each round."""
    *rounds, replicates = numbers
    return replace(cell, rounds=tuple(rounds), replicates=replicates)


def after_round(cell: Cell, folder: Path) -> Cell:
    """The cell with the replicates of its next round; the same cell if it needs none. Raises IntegrityError like read_block."""
    rows = _replicates(folder, cell.blocks())
    needed = standing(cell, rows).needed
    return cell if needed == cell.replicates else with_rounds(cell, (*cell.rounds, cell.replicates, needed))


def as_found(cell: Cell, folder: Path) -> Cell:
    """The cell as far as the finished blocks in a results folder take it, whole rounds only; as it is if they are not right."""
    try:
        while cell.target_rel_se is not None:
            more = after_round(cell, folder)
            new = [block for block in more.blocks() if block.end > cell.replicates]
            if more is cell or not all(blocks.manifest_path(folder, block).exists() for block in new):
                break
            cell = more
    except IntegrityError:
        pass  # whoever reads the blocks will say so
    return cell


def found_blocks(file: studies.StudyFile, folder: Path) -> Iterator[Block]:
    """Every block of a study file; of a study with a target, as many rounds as are there."""
    for cell in studies.cells(file):
        yield from as_found(cell, folder).blocks()


def status(file: studies.StudyFile, folder: Path) -> list[Standing]:
    """Where each cell of a study file stands, from the blocks that are finished and verified."""
    found = []
    for cell in studies.cells(file):
        cell = as_found(cell, folder)
        try:
            cell = after_round(cell, folder)
        except IntegrityError:
            pass  # of the round that it is in, then
        found.append(standing(cell, _replicates(folder, cell.blocks(), finished=True)))
    return found


def _replicates(folder: Path, wanted: Iterable[Block], *, finished: bool = False) -> pd.DataFrame:
    """The rows of `replicates` of these blocks, in order; finished: of those that are there and right."""
    frames = []
    for block in wanted:
        try:
            frames.append(blocks.read_block(folder, block)[1]["replicates"])
        except IntegrityError:
            if not finished:
                raise
    return pd.concat(frames, ignore_index=True).sort_values("replicate") if frames else pd.DataFrame()


def line(standing: Standing) -> str:
    """A line for people: the cell, replicates done of needed, the estimate with its error."""
    cell, left = standing.cell, max(0, standing.needed - standing.done)
    text = f"{cell.study} {cell.id}: {standing.done} of {standing.needed} replicates"
    if standing.done:
        relative = np.abs(standing.error / standing.value) if standing.value else math.nan
        text += f", {standing.quantity} = {standing.value:.5g} +- {standing.error:.2g}"
        text += f" ({relative:.2%})" if math.isfinite(relative) else ""
    return text + (f", {left} more needed" if left else ", done")
