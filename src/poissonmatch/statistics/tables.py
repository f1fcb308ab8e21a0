"""The Parquet tables of replicates, declared once: columns, types, units, meaning, role; rows to bytes and back, checked."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..cells import Cell
from ..errors import IntegrityError, Problem
from .invariants import Columns, Impossible, Law, columns_of, look

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
KEY = "poissonmatch"  # the file metadata's key; its value is JSON
NO_X = -1.0  # in the column x: there is no argument
PER_DECADE = 20  # bins of the table `distances`
NAN = (math.nan,)
INF = (math.inf,)
SIGNED = -math.inf  # the least of a number that may be negative
THREADS_PAY = 1 << 20  # bytes; to start threads takes longer than to read less


@dataclass(frozen=True)
class Column:
    """name; type: of pyarrow; unit; meaning; role: key (says what the row is about), sum (may be added over rows), value;
    nullable: may be missing. least, most: numbers are finite and between these, if not one of those in `also`."""

    name: str
    type: str
    unit: str
    meaning: str
    role: Literal["key", "sum", "value"] = "value"
    nullable: bool = False
    least: float = 0.0
    most: float = math.inf
    also: tuple[float, ...] = ()


@dataclass(frozen=True)
class Table:
    """A table: rows are sorted by the key columns, and no two rows have the same keys. laws: what else is true of its rows,
    seen from its own columns; what observables put into it has laws of its own (observables.py)."""

    name: str
    meaning: str
    columns: tuple[Column, ...]
    laws: Callable[[Columns], Iterable[Law]] = lambda columns: ()

    @cached_property
    def names(self) -> list[str]:
        """The columns, in order."""
        return [c.name for c in self.columns]

    @property
    def keys(self) -> list[str]:
        return [c.name for c in self.columns if c.role == "key"]

    def schema(self, metadata: dict[str, Any] | None = None) -> pa.Schema:
        """The Arrow schema; unit, meaning and role stand in the metadata of each column."""
        import pyarrow as pa

        fields = [
            pa.field(
                c.name, c.type, nullable=c.nullable, metadata={"unit": c.unit, "meaning": c.meaning, "role": c.role}
            )
            for c in self.columns
        ]
        return pa.schema(fields, metadata={KEY: json.dumps({"table": self.name, **(metadata or {})}, sort_keys=True)})


CELL = (
    Column("study", "string", "", "name of the study in the YAML file", "key"),
    Column("cell", "string", "", "parameter point of the study: dimension, size, ratio, fingerprint", "key"),
    Column("process", "string", "", "point process, with its parameters as JSON if it has any"),
    Column("rule", "string", "", "matching rule"),
    Column("dim", "float64", "", "dimension d of the torus; inf is the mean-field model", least=1, most=64, also=INF),
    Column("size", "float64", "points", "expected number of points, all colors"),
    Column("volume", "float64", "length^d", "volume of the torus"),
    Column("side", "float64", "length", "side L of the torus; nan for the mean-field model", also=NAN),
    Column("intensity_0", "float64", "points / length^d", "intensity of color 0 (amber, green)"),
    Column(
        "intensity_1",
        "float64",
        "points / length^d",
        "intensity of color 1 (blue, red); nan if there is one color",
        also=NAN,
    ),
    Column(
        "ratio",
        "float64",
        "",
        "intensity_1 / intensity_0, rho for the fussy rule; nan if there is one color",
        also=(math.nan, math.inf),
    ),
)
REPLICATE = Column("replicate", "int64", "", "number of the independent torus, from 0", "key")
COLOR = Column("color", "int64", "", "color of the points: 0 amber or green, 1 blue or red", "key", most=1)
ORDER = Column("order", "int64", "", "which of the partners, from 0: the nearest first, or for labels the label", "key")
X = Column(
    "x", "float64", "", "argument: r, q or a number, see results/README.md; -1 if there is none", "key", also=(NO_X,)
)


def _per_color(name: str, type: str, unit: str, meaning: str) -> tuple[Column, Column]:
    return tuple(Column(f"{name}_{c}", type, unit, f"{meaning}, color {c}", "sum") for c in (0, 1))  # type: ignore[return-value]


REPLICATES = Table(
    "replicates",
    "one row for each torus",
    (
        *CELL,
        REPLICATE,
        *_per_color("points", "int64", "points", "number of points"),
        *_per_color("unmatched", "int64", "points", "number of points without a partner"),
        *_per_color("sum_distance", "float64", "length", "sum of the partner distances of the matched points"),
        *_per_color("sum_square", "float64", "length^2", "sum of the squared partner distances of the matched points"),
        *_per_color("sum_ball", "float64", "length^d", "sum of the volumes of the balls that reach to the partner"),
        Column("longest_0", "float64", "length", "longest partner distance of color 0; 0 if none is matched"),
        Column("longest_1", "float64", "length", "longest partner distance of color 1; 0 if none is matched"),
    ),
)
DISTANCES = Table(
    "distances",
    "counts of partner distances in logarithmic bins; a bin that is empty has no row",
    (
        *CELL,
        REPLICATE,
        COLOR,
        ORDER,
        Column(
            "bin",
            "int64",
            "",
            f"the bin holds 10^(bin/{PER_DECADE}) <= X < 10^((bin+1)/{PER_DECADE}); the lowest holds all below",
            "key",
            least=SIGNED,
        ),
        Column("r", "float64", "length", f"lower end of the bin, 10^(bin/{PER_DECADE})"),
        Column("count", "int64", "points", "number of points whose partner distance X is in the bin", "sum", least=1),
    ),
)
REALISATIONS = Table(
    "realisations",
    "the points of replicate 0, for the pictures",
    (
        *CELL,
        Column("point", "int64", "", "index of the point", "key"),
        ORDER,
        Column("color", "int64", "", "color of the point", most=1),
        Column("x", "float64", "length", "first coordinate"),
        Column("y", "float64", "length", "second coordinate; 0 in d = 1"),
        Column("z", "float64", "length", "third coordinate; 0 in d = 1, 2"),
        Column("partner", "int64", "", "index of the partner, -1 if there is none", least=-1),
        Column(
            "distance",
            "float64",
            "length",
            "distance to the partner, the short way round; inf if there is none",
            also=INF,
        ),
    ),
)


FROGS = Table(
    "frogs",
    "numbers for the theorems on frog games, response and clumps: a row for each torus, quantity and argument; estimates are sums of tops over sums of bottoms",
    (
        *CELL,
        REPLICATE,
        Column("quantity", "string", "", "what is measured; see results/README.md", "key"),
        X,
        Column(
            "top",
            "float64",
            "",
            "numerator: a number of points, pairs or components, or 0 and 1 for no and yes",
            "sum",
            least=SIGNED,
        ),
        Column("bottom", "float64", "", "denominator: the number of points, or 1 for a torus", "sum"),
    ),
)
SHARD_TABLES = {t.name: t for t in (REPLICATES, DISTANCES, REALISATIONS, FROGS)}  # what is measured on replicates


# ---- rows to bytes, and back ------------------------------------------------------------------------------------------


def encode(table: Table, frame: pd.DataFrame | dict[str, Any], metadata: dict[str, Any]) -> bytes:
    """The bytes of a Parquet file with these rows, in the order of the keys; the same rows give the same bytes.

    Raises IntegrityError if two rows have the same keys, ValueError if the columns are not those of the table.
    """
    import pandas as pd
    import pyarrow as pa
    import pyarrow.parquet as pq

    frame = pd.DataFrame(frame)
    names = table.names
    if unlike := set(frame.columns) ^ set(names):
        raise ValueError(f"table {table.name}: columns {sorted(unlike)} are missing or unknown")
    frame = frame[names].sort_values(table.keys, kind="stable", ignore_index=True)
    if frame.duplicated(table.keys).any():
        detail = f"two rows have the same {', '.join(table.keys)}"
        raise IntegrityError(Problem(Path(f"table {table.name}"), "duplicated", detail))
    schema = table.schema(metadata)
    arrays = [pa.array(frame[f.name].to_numpy(), type=f.type, from_pandas=False) for f in schema]
    buffer = io.BytesIO()
    pq.write_table(
        pa.Table.from_arrays(arrays, schema=schema), buffer, compression="zstd", write_page_checksum=True, version="2.6"
    )
    return buffer.getvalue()


def decode(table: Table, data: bytes, name: str | Path) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Rows and metadata of a Parquet file. Raises IntegrityError if a checksum or the schema is not right."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(pa.BufferReader(data), page_checksum_verification=True) as file:
            found = file.read(use_threads=len(data) > THREADS_PAY)
    except (OSError, ValueError, pa.ArrowException) as error:
        raise IntegrityError(Problem(Path(name), "damaged", str(error).splitlines()[0])) from None
    try:
        metadata = dict(json.loads((found.schema.metadata or {}).get(KEY.encode(), b"{}")))
    except (ValueError, TypeError, RecursionError):
        raise IntegrityError(Problem(Path(name), "damaged", "its metadata is not JSON")) from None
    if metadata.get("table") != table.name or not found.schema.equals(table.schema(), check_metadata=False):
        detail = f"not a table {table.name!r} of this version of poissonmatch"
        raise IntegrityError(Problem(Path(name), "foreign", detail))
    return found.to_pandas(use_threads=len(data) > THREADS_PAY), metadata


def read(table: Table, data: bytes, name: str | Path) -> tuple[pd.DataFrame, dict[str, Any]]:
    """decode, and a look at the rows: IntegrityError as well if they are none that the table can have."""
    frame, metadata = decode(table, data, name)
    try:
        look(table, columns_of(frame))
    except Impossible as wrong:
        raise IntegrityError(Problem(Path(name), "impossible", wrong.words)) from None
    return frame, metadata


def metadata_of(source: Any) -> dict[str, Any]:
    """The provenance that a table (a path, or the bytes of one) carries: study, seeds, code digest, versions, commit."""
    import pyarrow.parquet as pq

    found = pq.read_schema(io.BytesIO(source) if isinstance(source, bytes) else source)
    return dict(json.loads((found.metadata or {}).get(KEY.encode(), b"{}")))


def table_name(data: bytes, name: str | Path) -> str:
    """Which table these bytes are. Raises IntegrityError if they are no Parquet file."""
    try:
        return str(metadata_of(data).get("table"))
    except (OSError, ValueError, TypeError, RecursionError, NotImplementedError, KeyError):  # as PyArrow's errors are
        raise IntegrityError(Problem(Path(name), "damaged", "or not a Parquet file")) from None


def empty(table: Table) -> pd.DataFrame:
    """No rows, with the right columns."""
    return table.schema().empty_table().to_pandas()


def cell_columns(cell: Cell) -> dict[str, Any]:
    """The values of the columns CELL for a cell."""
    process = dict(cell.process)
    name = process.pop("name")
    intensity = (*cell.intensities, np.nan)
    return {
        "study": cell.study,
        "cell": cell.id,
        "process": name + (json.dumps(process, sort_keys=True) if process else ""),
        "rule": cell.rule,
        "dim": float(cell.dim),
        "size": cell.size,
        "volume": cell.volume,
        "side": cell.side,
        "intensity_0": intensity[0],
        "intensity_1": intensity[1],
        "ratio": cell.ratio,
    }


def intensities_of(row: Any) -> tuple[float, ...]:
    """The intensities of the colors that a row with the columns CELL has."""
    return tuple(float(row[f"intensity_{k}"]) for k in (0, 1) if not np.isnan(row[f"intensity_{k}"]))


def process_of(row: Any) -> str:
    """Name of the process of a row with the columns CELL, without its parameters."""
    return str(row["process"]).partition("{")[0]
