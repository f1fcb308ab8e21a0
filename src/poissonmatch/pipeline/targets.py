"""How many replicates a cell needs: more of them, in rounds, until the relative error of its main estimate is small enough.

The number of replicates after each round depends on the replicates before it and on the study only: not on blocks, cores or
machines. So the tables of a study with a target are as reproducible as those of any other.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
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
    """A cell with the replicates that it needs as far as is known, how many are done, and its estimate so far."""

    cell: Cell
    quantity: str
    value: float
    error: float
    done: int


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


def as_needed(cell: Cell, folder: Path) -> Cell:
    """The cell with the replicates of the round that it is in, from the blocks that are finished; as it is if it has no target.

    The number after each round follows from the replicates before it, whatever blocks hold them.
    """
    try:
        while cell.target_rel_se is not None and all(blocks.finished(b, folder) for b in blocks.tiling(cell, folder)):
            more = _needed(cell, replicates(cell, folder))
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
    rows = replicates(cell, folder, finished=True)
    quantity, value, error = main_estimate(cell, rows) if len(rows) else ("", math.nan, math.nan)
    return Standing(cell, quantity, value, error, len(rows))


def status(file: studies.StudyFile, folder: Path) -> Iterator[Standing]:
    """Where each cell of a study file stands."""
    return (standing(cell, folder) for cell in studies.cells(file))


def _needed(cell: Cell, rows: pd.DataFrame) -> int:
    """The replicates of the next round, by those of this one; as many as there are if the target is reached."""
    assert cell.target_rel_se is not None
    _, value, error = main_estimate(cell, rows)
    return next_replicates(len(rows), value, error, cell.target_rel_se, cell.max_replicates)


def replicates(cell: Cell, folder: Path, *, finished: bool = False) -> pd.DataFrame:
    """The rows of `replicates` of a cell, in order; finished: of the blocks that are there and right."""
    frames = []
    for block in blocks.tiling(cell, folder):
        try:
            frames.append(blocks.read_block(folder, block)[1]["replicates"])
        except IntegrityError:
            if not finished:
                raise
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()


def line(standing: Standing) -> str:
    """A line for people: the cell, replicates done of needed, the estimate with its error."""
    cell, done = standing.cell, standing.done
    text = f"{cell.study} {cell.id}: {done} of {cell.replicates} replicates"
    if done:
        relative = np.abs(standing.error / standing.value) if standing.value else math.nan
        text += f", {standing.quantity} = {standing.value:.5g} +- {standing.error:.2g}"
        text += f" ({relative:.2%})" if math.isfinite(relative) else ""
    return text + (f", {cell.replicates - done} more needed" if done < cell.replicates else ", done")
