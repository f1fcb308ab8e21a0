"""Checks that tables hold all rows of the replicates of a cell, and only rows that a run can have made.

The expected replicates, quantities and arguments follow from the registries of observables and quantities; then come the checks of each
observable. Every function here raises Impossible if a check fails.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..rules.catalogue import rule_named
from ..sampling.cells import Cell
from ..tables import invariants
from ..tables.estimate_tables import ESTIMATES
from ..tables.invariants import columns_of, demand, demand_keys, equal
from ..tables.tables import (
    BLOCK_TABLES,
    NO_X,
    RATIOS,
    REPLICATES,
    Check,
    Columns,
    Impossible,
    Table,
    cell_columns,
    n_colors,
    widened,
)
from ..utils.errors import BadInput
from . import observable_checks
from .observables import OBSERVABLES, measured
from .quantities import ESTIMATIONS, quantities
from .quantity import Estimation, Quantity

if TYPE_CHECKING:
    import pandas as pd

ROUNDING = 1e-9  # relative, of an estimate that is computed again, perhaps on another machine


def look(cell: Cell, replicates: range | np.ndarray, frames: Mapping[str, pd.DataFrame]) -> None:
    """Check the rows of replicates of a cell. frames: the tables to check, by name."""
    tables = {name: columns_of(frames[name]) for name in BLOCK_TABLES if name in frames}
    try:
        wanted = cell_columns(cell)
        rule_named(cell.rule)
        cell.space()
    except (BadInput, ArithmeticError):  # a damaged manifest may name any cell
        raise Impossible(REPLICATES.name, f"of the cell {cell.id}, which is not valid in a study") from None
    for name, columns in tables.items():
        table = BLOCK_TABLES[name].wide(n_colors(columns))
        invariants.look(table, columns)
        demand(table, columns, _of_cell(table, columns, wanted))
        if "replicate" in columns:
            text = f"replicates {replicates[0]} to {replicates[-1]}"
            demand(table, columns, [Check(text, ("replicate",), _among(columns["replicate"], replicates))])
    if REPLICATES.name in tables:
        rows = len(tables[REPLICATES.name]["replicate"])  # bounds the length for a damaged manifest
        demand_keys(REPLICATES, tables[REPLICATES.name], {"replicate": np.array(replicates[: rows + 1])})
    names = [n for n in measured(cell.observables) if replicates[0] == 0 or not OBSERVABLES[n].first_only]
    for name in tables.keys() - {OBSERVABLES[n].table.name for n in names}:
        columns = tables.pop(name)
        none = np.zeros(len(columns["cell"]), bool)
        demand(
            BLOCK_TABLES[name], columns, [Check("no rows, since no observable of the cell has this table", (), none)]
        )
    for name, columns in tables.items():
        table = BLOCK_TABLES[name]
        entries = [ESTIMATIONS[n] for n in names if OBSERVABLES[n].table is table]
        if table is RATIOS:
            _ratios(cell, replicates, entries, columns, tables)
        else:
            for entry in entries:
                demand(table, columns, entry.checks(cell, columns, tables))


def _among(values: np.ndarray, replicates: range | np.ndarray) -> np.ndarray:
    if isinstance(replicates, range):
        return (values >= replicates.start) & (values < replicates.stop)
    return np.isin(values, replicates)


def _of_cell(table: Table, columns: Columns, wanted: Mapping[str, Any]) -> Iterator[Check]:
    """Yield the checks that the columns CELL are those of the cell of each row."""
    none = np.zeros(len(columns["cell"]), bool)
    for name in wanted.keys() - columns.keys():
        yield Check(f"a column {name}, since the cell has this color", (), none)
    absent = {name: math.nan for name in table.names if name.startswith("intensity_")}
    for name, values in {**absent, **{name: wanted[name] for name in wanted if name in columns}}.items():
        text = "that of its cell" if isinstance(values, np.ndarray) else f"{values} in this cell"
        yield Check(text, (name,), equal(columns[name], values))


def _ratios(
    cell: Cell, replicates: range | np.ndarray, entries: list[Estimation], rows: Columns, tables: Mapping[str, Columns]
) -> None:
    """Check the rows of the table `ratios`: all are there, values are in range, and the checks of the observables pass."""
    import pandas as pd

    known = {quantity.name: quantity for entry in entries for quantity in entry.quantities}
    place = pd.Index(list(known)).get_indexer(pd.Index(rows["quantity"]))
    demand(RATIOS, rows, [Check("a quantity of the observables of the cell", ("quantity",), place >= 0)])
    space = cell.space()
    keys = sorted((q.name, x) for k, q in enumerate(known.values()) for x in q.arguments(space, rows["x"][place == k]))
    names, xs = zip(*keys, strict=True) if keys else ((), ())
    numbers = np.array(replicates[: len(place) // max(1, len(keys)) + 1])
    wanted = {
        "replicate": np.repeat(numbers, len(keys)),
        "quantity": np.tile(np.array(names, object), len(numbers)),
        "x": np.tile(np.array(xs, float), len(numbers)),
    }
    demand_keys(RATIOS, rows, wanted)
    demand(RATIOS, rows, _kinds(list(known.values()), place, rows, tables.get(REPLICATES.name)))
    shape = (len(numbers), len(keys))
    numerators = dict(zip(keys, rows["numerator"].reshape(shape).T, strict=True))
    for entry in entries:
        for text, key, holds in entry.checks(cell, numerators, tables):
            valid = np.ones(shape, bool)
            valid[:, keys.index(key)] = holds
            demand(RATIOS, rows, [Check(text, ("numerator", "denominator"), valid.ravel())])


def _kinds(known: list[Quantity], place: np.ndarray, rows: Columns, tori: Columns | None) -> Iterator[Check]:
    """Yield the checks that every ratio is of its kind. place: index in `known` of the quantity of each row."""
    numerator, denominator, about = rows["numerator"], rows["denominator"], ("numerator", "denominator")
    kind, counted = np.array([q.kind for q in known])[place], np.array([q.of_points for q in known])[place]
    bit = ((numerator == 0) | (numerator == 1)) & (denominator == 1)
    yield Check("0 or 1 over 1", about, (kind != "proportion") | bit)
    part = (numerator >= 0) & (numerator <= denominator)
    yield Check("numerator from 0 to denominator", about, (kind != "share") | part)
    yield Check("numerator from 0", about, (kind == "real") | (numerator >= 0))
    yield Check("a whole number over the number of points", about, ~counted | (numerator == np.floor(numerator)))
    if tori is not None:
        points = observable_checks.by_color(tori, "points").sum(axis=1)
        points = points[np.searchsorted(tori["replicate"], rows["replicate"])]
        yield Check("denominator is the number of points", about, ~counted | (denominator == points))


def look_at_estimates(frame: pd.DataFrame, cells: Sequence[Cell]) -> None:
    """Check rows of `estimates` against the cells of the study, given with the smallest number of replicates they may have."""
    import pandas as pd

    columns, known = columns_of(frame), quantities()
    keys = pd.MultiIndex.from_tuples([(cell.study, cell.id) for cell in cells])
    which = keys.get_indexer(pd.MultiIndex.from_arrays([columns["study"], columns["cell"]]))
    demand(ESTIMATES, columns, [Check("a cell of the study", ("study", "cell"), which >= 0)])
    wanted = pd.DataFrame([cell_columns(cell) for cell in cells])
    table = ESTIMATES.wide(n_colors(columns))
    demand(table, columns, _of_cell(table, columns, {str(name): wanted[name].to_numpy()[which] for name in wanted}))
    place = pd.Index(list(known)).get_indexer(pd.Index(columns["quantity"]))
    demand(ESTIMATES, columns, [Check("a quantity of an observable", ("quantity",), place >= 0)])
    low, high = np.array([q.bounds for q in known.values()])[place].reshape(-1, 2).T
    fewest, largest = np.array([(c.replicates, max(c.replicates, c.max_replicates)) for c in cells])[which].T
    value, n = columns["value"], columns["n_replicates"]
    argument = np.array([bool(q.x) for q in known.values()])[place]
    inside = (value >= low - ROUNDING) & (value <= high * (1 + ROUNDING))
    checks = [
        Check("as many replicates as the study asks for", ("n_replicates",), (n >= fewest) & (n <= largest)),
        Check("a value in the range of the quantity", ("value",), inside),
        Check("x = -1 if it has no argument, and only then", ("x",), (columns["x"] == NO_X) != argument),
    ]
    demand(ESTIMATES, columns, checks)


def compare(table: Table, frame: pd.DataFrame, made: pd.DataFrame, source: str, rounding: float = 0.0) -> None:
    """Raise Impossible unless the rows equal those made again from a source, up to rounding; both are sorted by the keys."""
    columns = columns_of(frame)
    expected = columns_of(widened(table, made, n_colors(columns)))
    table = table.wide(n_colors(columns))
    demand_keys(table, columns, {name: expected[name] for name in table.keys})
    size = np.abs(expected["value"]) if "value" in expected else 0.0
    for column in table.columns:
        values = expected[column.name]
        with np.errstate(invalid="ignore"):  # of inf, which is equal or not
            slack = rounding * (np.abs(values) + size) if column.type == "float64" else 0.0
        text = f"the {column.name} that {source} give"
        demand(table, columns, [Check(text, (column.name,), equal(columns[column.name], values, slack))])
