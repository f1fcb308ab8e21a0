"""Wrong content with right checksums: tables that someone wrote with care, and that no run can have made."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from poissonmatch.studies.tables.tables import Table
from poissonmatch.utils.manifests import read_json, sha256, to_json

Change = Callable[[pd.DataFrame], pd.DataFrame]


def forge(
    path: Path,
    change: Change,
    *,
    manifest: Path | None = None,
    as_type: dict[str, str] | None = None,
) -> None:
    """Change the rows of the first row group of a table and write it with page checksums, and its SHA-256 into its manifest.

    as_type: Arrow types of columns that are not what they are declared as.
    """
    old = pq.ParquetFile(path)
    groups = [old.read_row_group(number) for number in range(old.num_row_groups)] or [old.read()]
    frames = [as_text(rows.to_pandas()) for rows in groups]
    before = len(frames[0])
    frames[0] = frame = change(frames[0])
    fields = [pa.field(f.name, (as_type or {}).get(f.name, f.type), f.nullable, f.metadata) for f in old.schema_arrow]
    schema = pa.schema([field for field in fields if field.name in frame], old.schema_arrow.metadata)
    for name in set(frame.columns) - set(schema.names):
        schema = schema.append(pa.field(name, pa.array(frame[name]).type, False))
    with pq.ParquetWriter(path, schema, compression="zstd", write_page_checksum=True) as writer:
        for rows in frames:
            arrays = [pa.array(rows[f.name].tolist(), from_pandas=f.nullable).cast(f.type) for f in schema]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))
    if manifest is not None:
        about = read_json(manifest)
        about["sha256"][str(path.relative_to(manifest.parent))] = sha256(path.read_bytes())
        if "rows" in about:
            about["rows"][path.parent.name][0] += len(frame) - before
        manifest.write_bytes(to_json(about))


def as_text(frame: pd.DataFrame) -> pd.DataFrame:
    """Text that pandas reads as categories."""
    return frame.astype(dict.fromkeys(frame.select_dtypes("category"), object))


def row_changes(table: Table, frame: pd.DataFrame) -> Iterator[tuple[str, Change]]:
    """Ways to make the rows of a table wrong as a whole, by name."""
    middle = len(frame) // 2
    for kind, order in {
        "a row twice": [*range(middle + 1), *range(middle, len(frame))],
        "not sorted": [*range(middle, len(frame)), *range(middle)],
        "backwards": range(len(frame))[::-1],
    }.items():
        order = list(order)
        if order != list(range(len(frame))):
            yield kind, lambda rows, order=order: rows.iloc[order]
    yield "a column more", lambda rows: rows.assign(extra=1)
    yield "a column less", lambda rows: rows.drop(columns=table.names[-1])
