"""Consistency checks of the rows of a table, and messages for rows that fail.

The checks are made when the table is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ...utils.errors import shorten
from ...utils.libraries import pa, pd
from .tables import Check, Columns, Impossible

if TYPE_CHECKING:
    from .tables import Column, Table

ROUNDING = 1e-12  # relative: powers are not the same to the last digit on every machine


def columns_of(rows: pd.DataFrame | pa.Table) -> Columns:
    """Return the columns of a table as arrays; missing numbers are nan."""
    if isinstance(rows, pa.Table):
        return {name: column.to_numpy() for name, column in zip(rows.column_names, rows.columns, strict=True)}
    return {str(name): rows[name].to_numpy() for name in rows}


def check(table: Table, columns: Columns) -> None:
    """Raise Impossible unless the rows of a table pass all checks.

    Values must be in range, rows sorted and different, and the checks of the table must pass.
    """
    demand(table, columns, _of_columns(table, columns))
    demand(table, columns, table.checks(columns))


def _of_columns(table: Table, columns: Columns) -> Iterator[Check]:
    for column in table.columns:
        if column.type in ("int64", "float64") and not column.nullable:
            yield Check(_range(column), (column.name,), _can_hold(column, columns[column.name]))
    above, same = _order(table, columns)
    yield Check(f"no two rows have the same {', '.join(table.keys)}", (), np.append(True, ~same))
    yield Check(f"sorted by {', '.join(table.keys)}", (), np.append(True, above))


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


def equal(values: np.ndarray, expected: Any) -> np.ndarray:
    """Return whether each value equals the expected one.

    nan equals nan, and numbers may differ in the last digits.
    """
    same = np.asarray(values == expected)
    if values.dtype.kind == "O":
        same = same | (pd.isna(values) & pd.isna(expected))
    if not same.all() and values.dtype.kind == "f":
        with np.errstate(invalid="ignore"):
            near = np.abs(values - expected) <= ROUNDING * np.abs(expected)
        same = same | (near & np.isfinite(values) & np.isfinite(expected)) | (np.isnan(values) & np.isnan(expected))
    return same


def demand(table: Table, columns: Columns, checks: Iterable[Check]) -> None:
    """Raise Impossible for the first row that fails a check.

    The message contains its number, keys, values and the text of the check.
    """
    with np.errstate(all="ignore"):
        for text, names, holds in checks:
            if not np.all(holds):
                row = int(np.argmin(holds))
                raise Impossible(table.name, f"{row_of(table, columns, row, names)}; expected: {text}")


def demand_keys(table: Table, columns: Columns, keys: Mapping[str, np.ndarray]) -> None:
    """Raise Impossible unless the rows have exactly these keys, in this order."""
    rows, expected = (len(next(iter(arrays))) for arrays in ([columns[name] for name in keys], keys.values()))
    n = min(rows, expected)
    same = np.all([equal(columns[name][:n], values[:n]) for name, values in keys.items()], axis=0)
    if rows == expected and same.all():
        return
    row = int(np.argmin(np.append(same, False)))
    here = row_of(table, columns, row) if row < rows else f"table {table.name} ends before row {row}"
    need = "no more rows" if row == expected else ", ".join(f"{name} {_plain(keys[name][row])}" for name in keys)
    raise Impossible(table.name, f"{here}; expected: {need}")


def row_of(table: Table, columns: Columns, row: int, names: Iterable[str] = ()) -> str:
    """Return a description of a row.

    It consists of the table, the number and keys of the row, and the values of some columns.
    """
    if not len(columns[table.keys[-1]]):
        return f"table {table.name}, which has no rows"
    keys = [name for name in table.keys if name in columns]
    about = ", ".join(f"{name} {_plain(columns[name][row])}" for name in keys)
    values = ", ".join(f"{name} = {_plain(columns[name][row])}" for name in names if name not in keys)
    return f"table {table.name}, row {row} ({about})" + (f": {values}" if values else "")


def _plain(value: Any) -> Any:
    return shorten(value) if isinstance(value, str) else value.item() if isinstance(value, np.generic) else value
