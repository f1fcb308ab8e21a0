"""Encoding of tables as Parquet files, and verified decoding."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

from ..utils.errors import IntegrityError, Problem
from ..utils.libraries import pa, pd
from .invariants import check, columns_of
from .tables import KEY, THREADS_PAY, Impossible, Table, n_colors


def to_arrow(table: Table, frame: pd.DataFrame | dict[str, Any], metadata: dict[str, Any]) -> pa.Table:
    """Return these rows, sorted by the keys, with the types of the table; missing values are nulls.

    Raises IntegrityError if two rows have the same keys, ValueError if the columns are not those of
    the table.
    """
    frame = pd.DataFrame(frame)
    table = table.wide(n_colors(frame))
    names = table.names
    if unlike := set(frame.columns) ^ set(names):
        raise ValueError(f"table {table.name}: columns {sorted(unlike)} are missing or unknown")
    frame = frame[names]
    if len(frame) > 1:
        frame = frame.sort_values(table.keys, kind="stable", ignore_index=True)
        if frame.duplicated(table.keys).any():
            detail = f"two rows have the same {', '.join(table.keys)}"
            raise IntegrityError(Problem(Path(f"table {table.name}"), "duplicated", detail))
    schema = table.schema(metadata)
    arrays = [pa.array(frame[f.name].to_numpy(), type=f.type, from_pandas=f.nullable) for f in schema]
    return pa.Table.from_arrays(arrays, schema=schema)


def encode(table: Table, frame: pd.DataFrame | dict[str, Any], metadata: dict[str, Any]) -> bytes:
    """Return the bytes of a Parquet file with the rows of `to_arrow`.

    The same rows give the same bytes.
    """
    import pyarrow.parquet as pq

    buffer = io.BytesIO()
    rows = to_arrow(table, frame, metadata)
    pq.write_table(rows, buffer, compression="zstd", write_page_checksum=True, version="2.6")
    return buffer.getvalue()


def decode(table: Table, data: bytes, name: str | Path) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return the rows and the metadata of a Parquet file; nulls are NaN in the frame.

    Raises IntegrityError if a checksum or the schema is wrong, or a missing value is not a null.
    """
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(pa.BufferReader(data), page_checksum_verification=True) as file:
            rows = file.read(use_threads=len(data) > THREADS_PAY)
    except (OSError, ValueError, pa.ArrowException) as error:
        raise IntegrityError(Problem(Path(name), "damaged", str(error).splitlines()[0])) from None
    try:
        metadata = dict(json.loads((rows.schema.metadata or {}).get(KEY.encode(), b"{}")))
    except (ValueError, TypeError, RecursionError):
        raise IntegrityError(Problem(Path(name), "damaged", "its metadata is not JSON")) from None
    schema = table.wide(n_colors(rows.column_names)).schema()
    if metadata.get("table") != table.name or not rows.schema.equals(schema, check_metadata=False):
        detail = f"not a table {table.name!r} of this version of poissonmatch"
        raise IntegrityError(Problem(Path(name), "not ours", detail))
    for field in schema:
        if field.nullable and pa.types.is_floating(field.type) and pc.any(pc.is_nan(rows[field.name])).as_py():
            detail = f"table {table.name}: column {field.name} has nan; expected: a number or null"
            raise IntegrityError(Problem(Path(name), "impossible", detail))
    return rows.to_pandas(use_threads=len(data) > THREADS_PAY), metadata


def read(table: Table, data: bytes, name: str | Path) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return decode(...) after the checks of the rows.

    Raises IntegrityError as decode does, and if a row fails a check.
    """
    frame, metadata = decode(table, data, name)
    try:
        check(table.wide(n_colors(frame)), columns_of(frame))
    except Impossible as wrong:
        raise IntegrityError(Problem(Path(name), "impossible", wrong.words)) from None
    return frame, metadata


def metadata_of(source: Any) -> dict[str, Any]:
    """Return the provenance in the metadata of a table (path or bytes).

    It contains the study, seeds, code digest and versions.
    """
    import pyarrow.parquet as pq

    schema = pq.read_schema(io.BytesIO(source) if isinstance(source, bytes) else source)
    return dict(json.loads((schema.metadata or {}).get(KEY.encode(), b"{}")))


def table_name(data: bytes, name: str | Path) -> str:
    """Return the name of the table in these bytes.

    Raises IntegrityError if they are not a Parquet file.
    """
    try:
        return str(metadata_of(data).get("table"))
    except (OSError, ValueError, TypeError, RecursionError, pa.ArrowException):
        raise IntegrityError(Problem(Path(name), "damaged", "or not a Parquet file")) from None
