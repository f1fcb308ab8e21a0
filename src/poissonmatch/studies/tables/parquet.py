"""Encoding of tables as Parquet files, and verified decoding."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...utils.errors import IntegrityError, Problem, integrity_error
from ...utils.libraries import pa, pd
from .invariants import columns_of, impossible, in_order, is_sorted
from .tables import ATTRS, DIM, OURS, THREADS_PAY, Columns, Table, n_colors, widened

if TYPE_CHECKING:
    from .tables import Column

GROUP_ROWS = 10_000  # of a row group, by default
MAX_PIECES = 64  # that wait, each of which takes 30 kB however few its rows
IDENTITY = ("study", "cell")  # columns of which the file has the smallest and largest value of each row group


def to_arrow(table: Table, rows: pd.DataFrame | Columns) -> pa.Table:
    """Return these rows, sorted by the keys, with the types of the table; missing values are nulls.

    Raises IntegrityError if two rows have the same keys, ValueError if the columns are not those of
    the table.
    """
    columns = columns_of(rows) if isinstance(rows, pd.DataFrame) else rows
    table = table.wide(n_colors(columns))
    if unlike := set(columns) ^ set(table.names):
        raise ValueError(f"table {table.name}: columns {sorted(unlike)} are missing or unknown")
    if not is_sorted(table, columns):
        ranks = [np.unique(in_order(columns[name]), return_inverse=True)[1] for name in reversed(table.keys)]
        order = np.lexsort(ranks)
        columns = {name: values[order] for name, values in columns.items()}
        if not is_sorted(table, columns):
            detail = f"two rows have the same {', '.join(table.keys)}"
            raise integrity_error(Path(f"table {table.name}"), "duplicated", detail)
    schema = table.schema()
    arrays = [pa.array(columns[f.name], type=f.type, from_pandas=f.nullable) for f in schema]
    return pa.Table.from_arrays(arrays, schema=schema)


def concatenated(table: Table, parts: Sequence[pa.Table], colors: int = 2) -> pa.Table:
    """Return rows of a table one below the other, with columns for at least this number of colors.

    Further colors of a part with fewer colors have no points.
    """
    colors = max(colors, *(n_colors(rows.column_names) for rows in parts))
    wide = table.wide(colors)
    if any(rows.column_names != wide.names for rows in parts):
        parts = [to_arrow(table, widened(table, rows.to_pandas(), colors)) for rows in parts]
    return pa.concat_tables(parts)


class TableWriter:
    """A Parquet file of a table, written piece by piece in row groups of whole pieces; the same pieces give the same bytes.

    Parameters
    ----------
    sink : binary file
        It is not closed.
    table : Table
        With columns for all colors.
    metadata : dict
        Provenance, for the metadata of the file.
    group_rows : int, optional
        Rows of a row group, at least, except the last one. Until the end about 1 kB of memory is needed for each of its columns.
    """

    def __init__(self, sink: Any, table: Table, metadata: dict[str, Any], group_rows: int = GROUP_ROWS) -> None:
        import pyarrow.parquet as pq

        self.table, self.group_rows = table, group_rows
        self.schema = table.file_schema(metadata)
        self._waiting: list[pa.Table] = []
        self._file = pq.ParquetWriter(
            sink,
            self.schema,
            compression="zstd",
            write_page_checksum=True,
            version="2.6",
            write_statistics=[column.name for column in table.columns if column.name in IDENTITY],
        )

    def write(self, rows: pa.Table) -> None:
        """Write rows with the columns of the table, which wait until there are enough for a row group."""
        self._waiting.append(rows)
        if sum(map(len, self._waiting)) >= self.group_rows:
            self._write_group()
        elif len(self._waiting) == MAX_PIECES:
            self._waiting = [pa.concat_tables(self._waiting).combine_chunks()]

    def _write_group(self) -> None:
        rows = pa.concat_tables(self._waiting)
        columns = map(_stored, self.table.columns, rows.columns, self.schema.types)
        stored = pa.Table.from_arrays(list(columns), schema=self.schema)
        self._file.write_table(stored, row_group_size=max(1, len(rows)))
        self._waiting = []

    def close(self) -> None:
        """Write the rest and the end of the file."""
        if self._waiting:
            self._write_group()
        self._file.close()

    def discard(self) -> None:
        """Write no more, not even the end of the file."""
        self._file.is_open = False  # its destructor would write the end


def _stored(column: Column, values: pa.ChunkedArray, type: pa.DataType) -> pa.Array:
    """Return values as they are in a file: text as a dictionary, and a null for the number that stands in for it."""
    import pyarrow.compute as pc

    values = values.combine_chunks()
    if column.type == "string":
        return values.dictionary_encode()
    if column.has_stand_in:
        values = pc.if_else(pc.equal(values, column.null), pa.scalar(None, values.type), values)
    return values.cast(type)


def _in_memory(column: Column, values: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return values of a file as they are in memory. Text is still a dictionary, of which arrays are made faster.

    Of a dictionary with nulls they would be wrong.
    """
    values = values if column.type == "string" and not column.nullable else values.cast(column.type)
    return values.fill_null(column.null) if column.has_stand_in else values


def frame_of(rows: pa.Table, use_threads: bool = False) -> pd.DataFrame:
    """Return rows of any table as a frame; nulls are NaN, and the dimensions are integers if no cell is mean-field."""
    frame = rows.to_pandas(use_threads=use_threads)
    if DIM.name in frame and np.isfinite(frame[DIM.name]).all():
        frame[DIM.name] = frame[DIM.name].astype(np.int64)
    return frame


def encode(table: Table, frame: pd.DataFrame | dict[str, Any], metadata: dict[str, Any]) -> bytes:
    """Return the bytes of a Parquet file with the rows of `to_arrow`; the same rows give the same bytes."""
    buffer = io.BytesIO()
    rows = to_arrow(table, frame)
    writer = TableWriter(buffer, table.wide(n_colors(rows.column_names)), metadata)
    writer.write(rows)
    writer.close()
    return buffer.getvalue()


class TableFile:
    """A Parquet file of a table, opened with checks of its schema; pages are checked as they are read.

    source: bytes, or the path of a file. foreign: called with columns and the number of their first row; returns a
    description of rows that are not in their place, "" if there are none. Raises IntegrityError if it is not a file of this
    table.
    """

    def __init__(
        self,
        table: Table,
        source: bytes | Path,
        name: str | Path,
        foreign: Callable[[Columns, int], str] = lambda columns, first: "",
    ) -> None:
        import pyarrow.parquet as pq

        self.name, self._foreign = Path(name), foreign
        with self._damage():
            opened = pa.BufferReader(source) if isinstance(source, bytes) else pa.OSFile(str(source))
            self._file = pq.ParquetFile(opened, page_checksum_verification=True)
        groups = map(self._file.metadata.row_group, range(self._file.metadata.num_row_groups))
        self._ends = np.cumsum([group.num_rows for group in groups], dtype=int)  # of the row groups
        self._held = range(0)  # rows in memory: those of a row group,
        self._of_group: pa.Table = None
        self._is_checked = False  # and whether they are right together
        schema = self._file.schema_arrow
        try:
            self.metadata = metadata_of(schema)
        except (ValueError, TypeError, RecursionError):
            raise integrity_error(self.name, "damaged", "its metadata is not JSON") from None
        self.table = table.wide(n_colors(schema.names))
        if self.metadata.get("table") != table.name or not schema.equals(
            self.table.schema(stored=True), check_metadata=False
        ):
            detail = f"not a table {table.name!r} of this version of poissonmatch"
            raise integrity_error(self.name, "not ours", detail)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return int(self._file.metadata.num_rows)

    def read(self) -> pa.Table:
        """Return all rows. Raises IntegrityError for damaged pages and for nan."""
        return self._with_text(self._rows_of(range(len(self._ends)), use_threads=self.rows > THREADS_PAY))

    def rows_between(self, first: int, end: int) -> pa.Table:
        """Return the rows first <= k < end, which were written together.

        One after another they are read fast, because those of a row group are read and checked together.
        Raises IntegrityError for damaged pages, for nan and for a row that no run can have made.
        """
        if first == end:
            return self.table.schema().empty_table()
        if not (self._held.start <= first and end <= self._held.stop):
            groups = range(*np.searchsorted(self._ends, (first, end - 1), "right") + (0, 1))
            self._of_group = self._rows_of(groups)
            start = int(self._ends[groups[-1]]) - len(self._of_group)
            self._held = range(start, start + len(self._of_group))
            self._is_checked = self._wrong(self._of_group, start) is None
        rows = self._with_text(self._of_group.slice(first - self._held.start, end - first))
        if not self._is_checked:  # alone, for a message with its number of the row
            self.check(rows, first)
        return rows

    def forget(self) -> None:
        """Forget the rows in memory."""
        self._held, self._of_group = range(0), None

    def check(self, rows: pa.Table | pd.DataFrame, first: int = 0) -> None:
        """Raise IntegrityError for a row, from this number on, that no run can have made, or that is of another block."""
        if problem := self._wrong(rows, first):
            raise IntegrityError(problem)

    def _wrong(self, rows: pa.Table | pd.DataFrame, first: int) -> Problem | None:
        columns = columns_of(rows)
        if words := impossible(self.table, columns):
            return Problem(self.name, "impossible", words)
        words = self._foreign(columns, first)
        return Problem(self.name, "damaged", words) if words else None

    def _with_text(self, rows: pa.Table) -> pa.Table:
        with self._damage():
            return rows.cast(self.table.schema())

    def _rows_of(self, row_groups: Iterable[int], use_threads: bool = False) -> pa.Table:
        """Return the rows of row groups, in which text is a dictionary."""
        import pyarrow.compute as pc

        with self._damage():
            rows = self._file.read_row_groups([*row_groups], use_threads=use_threads)
            columns = list(map(_in_memory, self.table.columns, rows.columns))
            fields = map(pa.Field.with_type, rows.schema, [column.type for column in columns])
            rows = pa.Table.from_arrays(columns, schema=pa.schema(fields))
        for field in rows.schema:
            if field.nullable and pa.types.is_floating(field.type) and pc.any(pc.is_nan(rows[field.name])).as_py():
                detail = f"table {self.table.name}: column {field.name} has nan; expected: a number or null"
                raise integrity_error(self.name, "impossible", detail)
        return rows

    @contextmanager
    def _damage(self) -> Iterator[None]:
        try:
            yield
        except (OSError, ValueError, pa.ArrowException) as error:
            raise integrity_error(self.name, "damaged", str(error).splitlines()[0]) from None


def read(table: Table, source: bytes | Path, name: str | Path) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return the rows and the metadata of a Parquet file, or of its bytes; nulls are NaN in the frame.

    Raises IntegrityError if a checksum or the schema is wrong, for a missing value that is not a
    null, and for a row that no run can have made.
    """
    file = TableFile(table, source, name)
    frame = frame_of(file.read(), file.rows > THREADS_PAY)
    file.check(frame)
    return frame, file.metadata


def metadata_of(schema: pa.Schema) -> dict[str, Any]:
    """Return the provenance in the metadata of a table (study, seeds, code digest, versions), and its columns."""
    metadata = schema.metadata or {}
    return dict(json.loads(metadata.get(ATTRS.encode(), b"{}"))) if OURS.encode() in metadata else {}


def table_name(path: str | Path) -> str:
    """Return the name of the table in a file. Raises IntegrityError if it is not a Parquet file."""
    import pyarrow.parquet as pq

    try:
        return str(metadata_of(pq.read_schema(path)).get("table"))
    except (OSError, ValueError, TypeError, RecursionError, pa.ArrowException):
        raise integrity_error(Path(path), "damaged", "or not a Parquet file") from None
