"""Check that tables hold all rows of the replicates of a cell.

The expected keys (replicates, quantities and arguments) follow from the registry of observables.
Ranges of values, and the order of rows: tables/invariants.py.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...utils.errors import BadInput
from ..sampling.cells import Cell
from ..tables.invariants import demand, demand_keys
from ..tables.tables import BLOCK_TABLES, RATIOS, REPLICATES, Check, Columns, Impossible
from .observables import OBSERVABLES, measured


def check(cell: Cell, replicates: range, tables: Mapping[str, Columns]) -> None:
    """Raise Impossible unless tables, by name, hold the rows of exactly these replicates."""
    for name, columns in tables.items():
        if "replicate" in columns:
            number = columns["replicate"]
            among = (number >= replicates.start) & (number < replicates.stop)
            text = f"replicates {replicates[0]} to {replicates[-1]}"
            demand(BLOCK_TABLES[name], columns, [Check(text, ("replicate",), among)])
    if REPLICATES.name in tables:
        columns = tables[REPLICATES.name]
        rows = len(columns["replicate"])  # bounds the length for a damaged manifest
        demand_keys(REPLICATES, columns, {"replicate": np.array(replicates[: rows + 1])})
    if RATIOS.name in tables:
        _check_ratios(cell, replicates, tables[RATIOS.name])


def _check_ratios(cell: Cell, replicates: range, columns: Columns) -> None:
    """Check that each replicate has each quantity at each argument."""
    try:
        space = cell.space()
    except (BadInput, ArithmeticError):  # a damaged manifest may name any cell
        raise Impossible(RATIOS.name, f"of the cell {cell.id}, which is not valid in a study") from None
    keys = []
    for observable in (OBSERVABLES[name] for name in measured(cell.observables)):
        for quantity in observable.quantities if observable.table is RATIOS else ():
            arguments = columns["x"][columns["quantity"] == quantity.name]
            keys += [(quantity.name, x) for x in quantity.arguments(space, arguments)]
    keys.sort()
    names, xs = zip(*keys, strict=True) if keys else ((), ())
    numbers = np.array(replicates[: len(columns["x"]) // max(1, len(keys)) + 1])
    expected = {
        "replicate": np.repeat(numbers, len(keys)),
        "quantity": np.tile(np.array(names, object), len(numbers)),
        "x": np.tile(np.array(xs, float), len(numbers)),
    }
    demand_keys(RATIOS, columns, expected)
