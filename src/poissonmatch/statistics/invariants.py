"""What is always true of a table's own columns, looked at whenever one is read; and the words for a row of which it is not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .rows import Columns, Words

if TYPE_CHECKING:
    from .tables import Column, Table


ROUNDING = 1e-12  # relative: powers are not the same to the last digit on every machine


class Impossible(Exception):
    """Rows that no run can have made: of which table, and which and why in words."""

    def __init__(self, table: str, words: str) -> None:
        self.table, self.words = table, words
        super().__init__(words)


class Check(NamedTuple):
    """Something that is true of every row: in words, the columns that it is about, and of which rows it is. of: the table
    whose rows these are, if it is not the one that is looked at.
    """

    text: str
    columns: tuple[Any, ...]
    holds: Any
    of: Table | None = None


def columns_of(table: Table, columns: Columns, fixed: Mapping[str, Any]) -> None:
    """Look at the columns of a table by themselves. fixed: columns that hold one value in all rows.

    Raises Impossible for a value that the column cannot have, rows that are not sorted or have the same keys, and where a law
    of the table is broken.
    """
    demand(table, columns, _values(table, columns, fixed))
    keys = [name for name in table.keys if name not in fixed]
    after, same = _order([columns[name] for name in keys])
    if same.any() or not after.all():
        demand(table, columns, [Check(f"no two rows have the same {', '.join(keys)}", (), np.append(True, ~same))])
        demand(table, columns, [Check(f"sorted by {', '.join(keys)}", (), np.append(True, after))])
    demand(table, columns, table.laws(columns))


def _values(table: Table, columns: Columns, fixed: Mapping[str, Any]) -> Iterator[Check]:
    """Of each column: does it hold what it can hold?"""
    if not len(columns[table.keys[-1]]):
        return
    for column in table.columns:
        name = column.name
        if name in fixed:
            yield Check(f"{fixed[name]} in this cell", (name,), equal(columns[name], fixed[name]))
        elif column.type in ("int64", "float64") and not column.nullable:
            yield Check(column.values, (name,), _within(column, columns[name]))


def equal(column: Any, value: Any) -> np.ndarray:
    """Which rows of a column hold a value, or those of another column; nan equals nan, and numbers may differ by rounding."""
    if isinstance(value, str):
        return np.array([True]) if column.words == [value] else column.isin([value])
    if isinstance(value, Words):
        place = {word: k for k, word in enumerate(value.words)}
        return np.array([place.get(word, -1) for word in column.words], np.int64)[column.codes] == value.codes
    same = np.asarray(column == value)
    if not same.all() and np.asarray(column).dtype.kind == "f":
        same |= np.isnan(column) & np.isnan(value)
        with np.errstate(invalid="ignore"):
            same |= np.isfinite(value) & (np.abs(column - value) <= ROUNDING * np.abs(value))
    return same


def _within(column: Column, values: np.ndarray) -> np.ndarray:
    """Which values the column can have. A single one if all can, which is quick to see."""
    least, most = values.min(), values.max()  # nan if there is one
    if column.least <= least and most <= column.most and (least > -np.inf and most < np.inf):
        return np.array([True])
    ok = np.isfinite(values) & (values >= column.least) & (values <= column.most)
    for value in column.also:
        ok |= np.isnan(values) if np.isnan(value) else values == value
    return ok


def _order(keys: list[Any]) -> tuple[np.ndarray, np.ndarray]:
    """For each row but the first: does it come after the one before it by the keys, or has the same, and has it the same?"""
    arrays = [key.codes if isinstance(key, Words) else key for key in keys]
    rows = max(0, len(arrays[0]) - 1)
    after, same = np.zeros(rows, bool), np.ones(rows, bool)
    for array in arrays:
        above, below = array[:-1], array[1:]
        after |= same & (above < below)
        same &= above == below
    return after | same, same


def demand(
    table: Table, columns: Columns, checks: Iterable[Check], others: Mapping[str, Columns] | None = None
) -> None:
    """Raises Impossible for the first row of which one of the checks is not true, with its number, keys, values, and what is
    always true. others: the columns of other tables, by name.
    """
    with np.errstate(all="ignore"):
        for text, names, holds, of in checks:
            if holds is not True and not holds.all():
                row = int(np.argmin(holds))
                if of is None:
                    words = row_of(table, columns, row, names)
                else:
                    words = f"table {table.name}, for {row_of(of, (others or {})[of.name], row, names)}"
                raise Impossible(table.name, f"{words}; always: {text}")


def row_of(table: Table, columns: Columns, row: int, names: Iterable[str] = ()) -> str:
    """A row in words: the table, its number and keys, and the values of some columns."""
    keys = [name for name in table.keys if name in columns and not _constant(columns[name])]
    about = ", ".join(f"{name} {_plain(columns[name][row])}" for name in keys)
    values = ", ".join(f"{name} = {_plain(columns[name][row])}" for name in names if name not in keys)
    return f"table {table.name}, row {row}" + (f" ({about})" if about else "") + (f": {values}" if values else "")


def _constant(column: Any) -> bool:
    return isinstance(column, Words) and len(column.words) == 1


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return value[:60]
    return value.item() if isinstance(value, np.generic) else value
