"""Are these all the rows of some replicates of a cell, and such as a run can have made?

What must be there follows from the entries: the replicates, the quantities and arguments of the observables of the cell, their
kinds; then come the laws of each observable. Every function here raises Impossible where it is not so.
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
    Columns,
    Impossible,
    Law,
    Table,
    cell_columns,
    n_colors,
    widened,
)
from ..utils.errors import BadInput
from . import observable_checks
from .observables import OBSERVABLES, measured, quantities
from .quantities import Observable, Quantity

if TYPE_CHECKING:
    import pandas as pd

ROUNDING = 1e-9  # relative, of an estimate that is made again, perhaps on another machine


def look(cell: Cell, replicates: range | np.ndarray, frames: Mapping[str, pd.DataFrame]) -> None:
    """Look at the rows of some replicates of a cell. frames: tables by name; what is not among them is not looked at."""
    tables = {name: columns_of(frames[name]) for name in BLOCK_TABLES if name in frames}
    try:
        wanted = cell_columns(cell)
        rule_named(cell.rule)
        cell.space()
    except (BadInput, ArithmeticError):  # a manifest may say anything
        raise Impossible(REPLICATES.name, f"of the cell {cell.id}, which no study can have") from None
    for name, columns in tables.items():
        table = BLOCK_TABLES[name].wide(n_colors(columns))
        invariants.look(table, columns)
        demand(table, columns, _of_cell(table, columns, wanted))
        if "replicate" in columns:
            text = f"replicates {replicates[0]} to {replicates[-1]}"
            demand(table, columns, [Law(text, ("replicate",), _among(columns["replicate"], replicates))])
    if REPLICATES.name in tables:
        rows = len(
            tables[REPLICATES.name]["replicate"]
        )  # no more are needed than there can be, whatever a manifest says
        demand_keys(REPLICATES, tables[REPLICATES.name], {"replicate": np.array(replicates[: rows + 1])})
    entries = [OBSERVABLES[name] for name in measured(cell.observables)]
    entries = [entry for entry in entries if replicates[0] == 0 or not entry.first_only]
    for name in tables.keys() - {entry.table.name for entry in entries}:
        columns = tables.pop(name)
        none = np.zeros(len(columns["cell"]), bool)
        demand(BLOCK_TABLES[name], columns, [Law("no rows, since no observable of the cell makes any", (), none)])
    for name, columns in tables.items():
        table = BLOCK_TABLES[name]
        mine = [entry for entry in entries if entry.table is table]
        if table is RATIOS:
            _ratios(cell, replicates, mine, columns, tables)
        else:
            for entry in mine:
                demand(table, columns, entry.laws(cell, columns, tables))


def _among(values: np.ndarray, replicates: range | np.ndarray) -> np.ndarray:
    if isinstance(replicates, range):
        return (values >= replicates.start) & (values < replicates.stop)
    return np.isin(values, replicates)


def _of_cell(table: Table, columns: Columns, wanted: Mapping[str, Any]) -> Iterator[Law]:
    """The columns CELL are those of the cell of each row."""
    none = np.zeros(len(columns["cell"]), bool)
    for name in wanted.keys() - columns.keys():
        yield Law(f"a column {name}, since the cell has such a color", (), none)
    absent = {name: math.nan for name in table.names if name.startswith("intensity_")}
    for name, values in {**absent, **{name: wanted[name] for name in wanted if name in columns}}.items():
        text = "that of its cell" if isinstance(values, np.ndarray) else f"{values} in this cell"
        yield Law(text, (name,), equal(columns[name], values))


def _ratios(
    cell: Cell, replicates: range | np.ndarray, entries: list[Observable], rows: Columns, tables: Mapping[str, Columns]
) -> None:
    """The rows of the table `ratios`: all of them, each of its kind, and the laws of the observables."""
    import pandas as pd

    known = {quantity.name: quantity for entry in entries for quantity in entry.quantities}
    place = pd.Index(list(known)).get_indexer(pd.Index(rows["quantity"]))
    demand(RATIOS, rows, [Law("a quantity of the observables of the cell", ("quantity",), place >= 0)])
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
        for text, key, holds in entry.laws(cell, numerators, tables):
            right = np.ones(shape, bool)
            right[:, keys.index(key)] = holds
            demand(RATIOS, rows, [Law(text, ("numerator", "denominator"), right.ravel())])


def _kinds(known: list[Quantity], place: np.ndarray, rows: Columns, tori: Columns | None) -> Iterator[Law]:
    """Every ratio is one of its kind. place: of the quantity of each row in the list."""
    numerator, denominator, about = rows["numerator"], rows["denominator"], ("numerator", "denominator")
    kind, counted = np.array([q.kind for q in known])[place], np.array([q.of_points for q in known])[place]
    yield Law(
        "0 or 1 over 1", about, (kind != "proportion") | (((numerator == 0) | (numerator == 1)) & (denominator == 1))
    )
    yield Law(
        "numerator from 0 to denominator", about, (kind != "share") | ((numerator >= 0) & (numerator <= denominator))
    )
    yield Law("numerator from 0", about, (kind == "real") | (numerator >= 0))
    yield Law("a whole number over that of the points", about, ~counted | (numerator == np.floor(numerator)))
    if tori is not None:
        points = observable_checks.by_color(tori, "points").sum(axis=1)[
            np.searchsorted(tori["replicate"], rows["replicate"])
        ]
        yield Law("denominator is the number of points", about, ~counted | (denominator == points))


def look_at_estimates(frame: pd.DataFrame, cells: Sequence[Cell]) -> None:
    """Look at the rows of `estimates`, which are right by themselves. cells: those of the study, with the fewest replicates that
    they may have."""
    import pandas as pd

    columns, known = columns_of(frame), quantities()
    keys = pd.MultiIndex.from_tuples([(cell.study, cell.id) for cell in cells])
    which = keys.get_indexer(pd.MultiIndex.from_arrays([columns["study"], columns["cell"]]))
    demand(ESTIMATES, columns, [Law("a cell of the study", ("study", "cell"), which >= 0)])
    wanted = pd.DataFrame([cell_columns(cell) for cell in cells])
    table = ESTIMATES.wide(n_colors(columns))
    demand(table, columns, _of_cell(table, columns, {str(name): wanted[name].to_numpy()[which] for name in wanted}))
    place = pd.Index(list(known)).get_indexer(pd.Index(columns["quantity"]))
    demand(ESTIMATES, columns, [Law("a quantity of an observable", ("quantity",), place >= 0)])
    least, most = np.array([q.bounds for q in known.values()])[place].reshape(-1, 2).T
    fewest, largest = np.array([(c.replicates, max(c.replicates, c.max_replicates)) for c in cells])[which].T
    value, n = columns["value"], columns["n_replicates"]
    argument = np.array([bool(q.x) for q in known.values()])[place]
    found = [
        Law("as many replicates as the study asks for", ("n_replicates",), (n >= fewest) & (n <= largest)),
        Law("a value that it can have", ("value",), (value >= least - ROUNDING) & (value <= most * (1 + ROUNDING))),
        Law("x = -1 if it has no argument, and only then", ("x",), (columns["x"] == NO_X) != argument),
    ]
    demand(ESTIMATES, columns, found)


def compare(table: Table, frame: pd.DataFrame, made: pd.DataFrame, source: str, rounding: float = 0.0) -> None:
    """Are the rows those that were made again from a source, up to rounding? Both have the order of the keys."""
    columns = columns_of(frame)
    right = columns_of(widened(table, made, n_colors(columns)))
    table = table.wide(n_colors(columns))
    demand_keys(table, columns, {name: right[name] for name in table.keys})
    size = np.abs(right["value"]) if "value" in right else 0.0
    for column in table.columns:
        values = right[column.name]
        with np.errstate(invalid="ignore"):  # of inf, which is equal or not
            slack = rounding * (np.abs(values) + size) if column.type == "float64" else 0.0
        text = f"the {column.name} that {source} give"
        demand(table, columns, [Law(text, (column.name,), equal(columns[column.name], values, slack))])
