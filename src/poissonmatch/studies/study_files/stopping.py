"""Stopping rule of studies with a target for the error.

Rounds of replicates are made until the relative error of the main estimate is small enough.

The number of replicates after each round depends on the replicates before it and on the study only:
not on blocks, cores or machines. So the tables of a study with a target are as reproducible as
those of any other.
"""

from __future__ import annotations

import math

import numpy as np

from ...utils.display import with_error
from ...utils.libraries import pd
from ..sampling.cells import Cell
from ..statistics.estimators import ratio, standard_error
from ..tables.estimate_tables import INFINITE, ONE_REPLICATE
from ..tables.tables import Columns

MARGIN = 1.1  # a round asks for a little more than seems needed, so that the next is rarely small
GROWTH = (1.25, 2.0)  # a round makes the number of replicates grow by a factor between these


def main_estimate(cell: Cell, rows: pd.DataFrame | Columns) -> tuple[str, float, float]:
    """Return (quantity, value, standard error) of the main estimate of a cell.

    rows: the rows of the cell in the table `replicates`, as a frame or as arrays by column.

    The fraction of unmatched points of red (fussy) or of the majority (two-color); the mean partner
    distance for other rules.
    """
    if cell.rule_entry.n_colors > 1:
        color = cell.reference_color
        numerator, denominator = rows[f"unmatched_{color}"], rows[f"points_{color}"]
    else:
        numerator, denominator = rows["sum_distance_0"], rows["points_0"] - rows["unmatched_0"]
    value, influence = ratio(np.asarray(numerator, float), np.asarray(denominator, float))
    return main_quantity(cell), float(value), float(standard_error(influence))


def main_quantity(cell: Cell) -> str:
    """Return the name and the color of the main estimate of a cell."""
    return f"unmatched_fraction[{cell.reference_color}]" if cell.rule_entry.n_colors > 1 else "mean_distance[0]"


def next_replicates(done: int, value: float, error: float, target: float, max_replicates: int) -> int:
    """Return the number of replicates after the next round, `done` if the target is reached or no more are allowed."""
    relative = abs(error / value) if value and math.isfinite(value) and math.isfinite(error) else math.inf
    if relative <= target or done >= max_replicates:
        return done
    low, high = (math.ceil(done * factor) for factor in GROWTH)
    wanted = math.ceil(min(1e9, MARGIN * done * (relative / target) ** 2))
    return min(max_replicates, max(low, min(high, wanted)))


def needed(cell: Cell, rows: pd.DataFrame) -> int:
    """Return the number of replicates that a cell needs after these rows; their number if it needs no more."""
    if cell.target_rel_se is None:
        return len(rows)
    _, value, error = main_estimate(cell, rows)
    return next_replicates(len(rows), value, error, cell.target_rel_se, cell.max_replicates)


def line(cell: Cell, rows: pd.DataFrame | None) -> str:
    """Return one line about a cell and its estimate so far."""
    text = f"{cell.study} {cell.id}"
    if rows is None or not len(rows):
        return text
    quantity, value, error = main_estimate(cell, rows)
    relative = abs(error / value) if value else math.nan
    share = f" ({relative:.2%})" if math.isfinite(relative) else ""
    if mean_is_infinite(cell):
        return f"{text}: {quantity} = {value:.5g} ({INFINITE})"
    return f"{text}: {quantity} = {f'{with_error(value, error)}{share}' if len(rows) > 1 else f'{value:.5g} ({ONE_REPLICATE})'}"


def mean_is_infinite(cell: Cell) -> bool:
    """Return whether the main estimate of a cell is a mean partner distance that is infinite in infinite volume."""
    rule = cell.rule_entry
    is_law = cell.process_entry.uniform and cell.max_distance is None
    return (
        is_law and rule.n_colors == 1 and rule.labels <= 1 and rule.law.infinite_moment(1, cell.dim, cell.intensities)
    )
