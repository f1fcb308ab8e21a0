"""How many replicates a cell needs: more of them, in rounds, until the relative error of its main estimate is small enough.

The number of replicates after each round depends on the replicates before it and on the study only: not on blocks, cores or
machines. So the tables of a study with a target are as reproducible as those of any other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd

from ..statistics.tables import IntegrityError
from ..studies import schema as studies
from . import blocks as shards

MARGIN = 1.1  # a round asks for a little more than seems needed, so that the next is rarely small
GROWTH = (1.25, 2.0)  # a round makes the number of replicates grow by a factor between these


@dataclass(frozen=True)
class Standing:
    """A cell as far as it has come: its estimate so far, and the replicates that the next round would ask for."""

    cell: studies.Cell
    quantity: str
    value: float
    error: float
    done: int
    needed: int

    @property
    def finished(self) -> bool:
        return self.done >= self.needed


def main_estimate(cell: studies.Cell, rows: pd.DataFrame) -> tuple[str, float, float]:
    """(quantity, value, standard error) by which a cell is judged, from its rows of the table `replicates`.

    The fraction of unmatched points of red (fussy) or of the majority (two-color); the mean partner distance for other rules.
    """
    from ..statistics import estimates  # here, because a job that simulates would wait for scipy.stats

    if studies.rule_named(cell.rule).n_colors > 1:
        color = 1 if cell.rule == "fussy" or cell.ratio > 1 else 0
        quantity, top, bottom = "unmatched_fraction", rows[f"unmatched_{color}"], rows[f"points_{color}"]
    else:
        color, quantity, top = 0, "mean_distance", rows["sum_distance_0"]
        bottom = rows["points_0"] - rows["unmatched_0"]
    value, influence = estimates.ratio(top.to_numpy(float), bottom.to_numpy(float))
    return f"{quantity}[{color}]", float(value), float(estimates.standard_error(influence))


def next_replicates(done: int, value: float, error: float, target: float, most: int) -> int:
    """How many replicates the next round ends with; `done` if the target is reached or no more are allowed."""
    relative = abs(error / value) if value and math.isfinite(value) and math.isfinite(error) else math.inf
    if relative <= target or done >= most:
        return done
    low, high = (math.ceil(done * factor) for factor in GROWTH)
    return min(most, max(low, min(high, math.ceil(min(1e9, MARGIN * done * (relative / target) ** 2)))))


def standing(cell: studies.Cell, rows: pd.DataFrame) -> Standing:
    """Judge a cell by its replicates so far."""
    quantity, value, error = main_estimate(cell, rows) if len(rows) else ("", math.nan, math.nan)
    needed = cell.replicates
    if cell.target_rel_se is not None and len(rows) == cell.replicates:
        needed = next_replicates(cell.replicates, value, error, cell.target_rel_se, cell.max_replicates)
    return Standing(cell, quantity, value, error, len(rows), needed)


def after_round(cell: studies.Cell, folder: Path) -> studies.Cell:
    """The cell with the replicates of its next round; the same cell if it needs none. Raises IntegrityError like read_block."""
    frames = [shards.read_block(folder, cell, *block)[1]["replicates"] for block in cell.blocks()]
    rows = pd.concat(frames, ignore_index=True).sort_values("replicate")
    needed = standing(cell, rows).needed
    return cell if needed == cell.replicates else grown(cell, (*cell.rounds, cell.replicates, needed))


def grown(cell: studies.Cell, numbers: Iterable[int]) -> studies.Cell:
    """The cell with these numbers of replicates after each round."""
    *rounds, replicates = numbers
    return replace(cell, rounds=tuple(rounds), replicates=replicates)


def settle(cell: studies.Cell, folder: Path) -> studies.Cell:
    """The cell as far as the finished blocks in a results folder take it, whole rounds only.

    Raises IntegrityError if a block of the first round is missing, or any is not right.
    """
    while cell.target_rel_se is not None:
        more = after_round(cell, folder)
        new = [block for block in more.blocks() if block[1] > cell.replicates]
        if more is cell or not all((folder / shards.shard_name(more, *block)).exists() for block in new):
            break
        cell = more
    return cell


def status(file: studies.StudyFile, folder: Path) -> list[Standing]:
    """Where each cell of a study file stands, from the blocks that are finished and verified."""
    found = []
    for cell in studies.cells(file):
        try:
            cell = settle(cell, folder)
            cell = after_round(cell, folder)
        except IntegrityError:
            pass
        frames = []
        for first, end in cell.blocks():
            try:
                frames.append(shards.read_block(folder, cell, first, end)[1]["replicates"])
            except IntegrityError:
                continue
        rows = pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()
        found.append(standing(cell, rows))
    return found


def line(standing: Standing) -> str:
    """A line for people: the cell, replicates done of needed, the estimate with its error."""
    cell, left = standing.cell, max(0, standing.needed - standing.done)
    text = f"{cell.study} {cell.id}: {standing.done} of {standing.needed} replicates"
    if standing.done:
        relative = np.abs(standing.error / standing.value) if standing.value else math.nan
        text += f", {standing.quantity} = {standing.value:.5g} +- {standing.error:.2g}"
        text += f" ({relative:.2%})" if math.isfinite(relative) else ""
    return text + (f", {left} more needed" if left else ", done")
