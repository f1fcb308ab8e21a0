"""What is always true of a table's own columns, looked at whenever one is read; and the words for a row of which it is not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..utils.errors import shorten
from .tables import Columns, Impossible, Law

if TYPE_CHECKING:
    import pandas as pd

    from .tables import Column, Table

ROUNDING = 1e-12  # relative: powers are not the same to the last digit on every machine


def columns_of(frame: pd.DataFrame) -> Columns:
    """The columns of a frame as arrays."""
    return {str(name): frame[name].to_numpy() for name in frame}


def look(table: Table, columns: Columns) -> None:
    """Raises Impossible unless every column holds what it can hold, rows are sorted and different, and the laws of the table hold."""
    demand(table, columns, _of_columns(table, columns))
    demand(table, columns, table.laws(columns))


def _of_columns(table: Table, columns: Columns) -> Iterator[Law]:
    for column in table.columns:
        if column.type in ("int64", "float64") and not column.nullable:
            yield Law(_range(column), (column.name,), _can_hold(column, columns[column.name]))
    same = np.ones(max(0, len(columns[table.keys[0]]) - 1), bool)  # has a row the keys of the one before it?
    above = ~same  # does it come after it?
    for name in table.keys:
        before, after = columns[name][:-1], columns[name][1:]
        above = above | (same & (before < after))
        same = same & (before == after)
    yield Law(f"no two rows have the same {', '.join(table.keys)}", (), np.append(True, ~same))
    yield Law(f"sorted by {', '.join(table.keys)}", (), np.append(True, above))


def _range(column: Column) -> str:
    """Which numbers a column can hold, in words."""
    ends = [f"from {column.least:g}"] * (column.least > -np.inf) + [f"to {column.most:g}"] * (column.most < np.inf)
    return ", or ".join([" ".join(["finite", *ends]), *(f"{value:g}" for value in column.also)])


def _can_hold(column: Column, values: np.ndarray) -> np.ndarray:
    """Which of these numbers a column can hold."""
    ok = np.isfinite(values) & (values >= column.least) & (values <= column.most)
    for value in column.also:
        ok |= np.isnan(values) if np.isnan(value) else values == value
    return ok


def equal(values: np.ndarray, wanted: Any, rounding: Any = 0.0) -> np.ndarray:
    """Which values are those that are wanted; nan is nan, and numbers may differ by rounding."""
    same = np.asarray(values == wanted)
    if not same.all() and values.dtype.kind == "f":
        with np.errstate(invalid="ignore"):
            near = np.abs(values - wanted) <= np.maximum(rounding, ROUNDING * np.abs(wanted))
        same = same | (near & np.isfinite(values) & np.isfinite(wanted)) | (np.isnan(values) & np.isnan(wanted))
    return same


def demand(table: Table, columns: Columns, laws: Iterable[Law]) -> None:
    """Raises Impossible for the first row of which one of the laws is not true, with its number, keys, values, and the law."""
    with np.errstate(all="ignore"):
        for text, names, holds, of in laws:
            if not np.all(holds):
                row = int(np.argmin(holds))
                where = f"table {table.name}, for " if of else ""
                raise Impossible(table.name, f"{where}{row_of(*(of or (table, columns)), row, names)}; always: {text}")


def demand_keys(table: Table, columns: Columns, keys: Mapping[str, np.ndarray]) -> None:
    """Raises Impossible unless the rows have exactly these keys, in this order."""
    rows, wanted = (len(next(iter(arrays))) for arrays in ([columns[name] for name in keys], keys.values()))
    n = min(rows, wanted)
    same = np.all([equal(columns[name][:n], values[:n]) for name, values in keys.items()], axis=0)
    if rows == wanted and same.all():
        return
    row = int(np.argmin(np.append(same, False)))
    here = row_of(table, columns, row) if row < rows else f"table {table.name} ends before row {row}"
    need = "no more rows" if row == wanted else ", ".join(f"{name} {_plain(keys[name][row])}" for name in keys)
    raise Impossible(table.name, f"{here}; always: {need}")


def row_of(table: Table, columns: Columns, row: int, names: Iterable[str] = ()) -> str:
    """A row in words: the table, its number and keys, and the values of some columns."""
    if not len(columns[table.keys[-1]]):
        return f"table {table.name}, which has no rows"
    keys = [name for name in table.keys if name in columns]
    about = ", ".join(f"{name} {_plain(columns[name][row])}" for name in keys)
    values = ", ".join(f"{name} = {_plain(columns[name][row])}" for name in names if name not in keys)
    return f"table {table.name}, row {row} ({about})" + (f": {values}" if values else "")


def _plain(value: Any) -> Any:
    return shorten(value) if isinstance(value, str) else value.item() if isinstance(value, np.generic) else value
