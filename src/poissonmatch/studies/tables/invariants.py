"""What is true of the rows of every table when it is read: numbers in range, rows sorted and different."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ...utils.errors import shorten
from ...utils.libraries import pa, pd
from .tables import Columns

if TYPE_CHECKING:
    from .tables import Column, Table


def columns_of(rows: pd.DataFrame | pa.Table) -> Columns:
    """Return the columns of a table as arrays; missing numbers are nan."""
    if isinstance(rows, pa.Table):
        return {name: column.to_numpy() for name, column in zip(rows.column_names, rows.columns, strict=True)}
    return {str(name): rows[name].to_numpy() for name in rows}


def impossible(table: Table, columns: Columns) -> str:
    """Return which row no run can have made, with its keys and value, and what is expected; "" for none."""
    with np.errstate(all="ignore"):
        for expected, name, holds in _checks(table, columns):
            if not np.all(holds):
                return f"{_row_of(table, columns, int(np.argmin(holds)), name)}; expected: {expected}"
    return ""


def _checks(table: Table, columns: Columns) -> Iterator[tuple[str, str, np.ndarray]]:
    """Yield what is true of each row, the column that it is about, and the rows of which it is true."""
    for column in table.columns:
        if column.type in ("int64", "float64") and not column.nullable:
            yield _range(column), column.name, _can_hold(column, columns[column.name])
    above, same = _order(table, columns)
    yield f"no two rows have the same {', '.join(table.keys)}", "", np.append(True, ~same)
    yield f"sorted by {', '.join(table.keys)}", "", np.append(True, above)


def is_sorted(table: Table, columns: Columns) -> bool:
    """Return whether the rows are sorted by the keys of the table, and no two have the same."""
    return bool(_order(table, columns)[0].all())


def _order(table: Table, columns: Columns) -> tuple[np.ndarray, np.ndarray]:
    """Return whether each row but the first comes after the row before it by the keys, and whether it has the same."""
    same = np.ones(max(0, len(columns[table.keys[0]]) - 1), bool)
    above = ~same
    for name in table.keys:
        values = in_order(columns[name])
        before, after = values[:-1], values[1:]
        above = above | (same & (before < after))
        same = same & (before == after)
    return above, same


def in_order(values: np.ndarray) -> np.ndarray:
    """Return the values of a key column with missing numbers below all others."""
    return np.where(np.isnan(values), -np.inf, values) if values.dtype.kind == "f" else values


def _range(column: Column) -> str:
    """Return the range of a column as text."""
    low, high = column.min_value, column.max_value
    ends = [f"from {low:g}"] * (low > -np.inf) + [f"to {high:g}"] * (high < np.inf)
    also = ["null" if np.isnan(value) else f"{value:g}" for value in column.also]
    return ", or ".join([" ".join(["finite", *ends]), *also])


def _can_hold(column: Column, values: np.ndarray) -> np.ndarray:
    """Return whether each number is in the range of a column."""
    ok = np.isfinite(values) & (values >= column.min_value) & (values <= column.max_value)
    for value in column.also:
        ok |= np.isnan(values) if np.isnan(value) else values == value
    return ok


def _row_of(table: Table, columns: Columns, row: int, name: str) -> str:
    """Return a description of a row: the table, its number, its keys, and its value in a column, if one is named."""
    about = ", ".join(f"{key} {_plain(columns[key][row])}" for key in table.keys)
    value = f": {name} = {_plain(columns[name][row])}" if name and name not in table.keys else ""
    return f"table {table.name}, row {row} ({about}){value}"


def _plain(value: Any) -> Any:
    return shorten(value) if isinstance(value, str) else value.item() if isinstance(value, np.generic) else value
