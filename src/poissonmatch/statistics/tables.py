"""The Parquet tables of a study, declared once: columns, types, units, meaning, role; rows to bytes and back, checked."""

from __future__ import annotations

import io
import itertools
import json
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from ..cells import Cell
from ..errors import IntegrityError, Problem

KEY = "poissonmatch"  # the file metadata's key; its value is JSON
NO_X = -1.0  # in the column x: there is no argument
PER_DECADE = 20  # bins of the table `distances`


@dataclass(frozen=True)
class Column:
    """name; type: of pyarrow; unit; meaning; role: key (says what the row is about), sum (may be added over rows), value;
    nullable: may be missing."""

    name: str
    type: str
    unit: str
    meaning: str
    role: Literal["key", "sum", "value"] = "value"
    nullable: bool = False


@dataclass(frozen=True)
class Table:
    """A table: rows are sorted by the key columns, and no two rows have the same keys.

    Columns whose names end in _0 and _1 are about a color. Where cells have more colors than two, there are more of them: see wide.
    """

    name: str
    meaning: str
    columns: tuple[Column, ...]

    @cached_property
    def names(self) -> list[str]:
        """The columns, in order."""
        return [c.name for c in self.columns]

    @property
    def keys(self) -> list[str]:
        return [c.name for c in self.columns if c.role == "key"]

    def wide(self, colors: int) -> Table:
        """The table with columns for so many colors, two at least."""
        columns: list[Column] = []
        for c in self.columns:
            columns.append(c)
            if c.name.endswith("_1"):
                columns += [
                    replace(
                        c, name=f"{c.name[:-1]}{k}", meaning=re.sub(r"color 1\b( \([^)]*\))?", f"color {k}", c.meaning)
                    )
                    for k in range(2, colors)
                ]
        return replace(self, columns=tuple(columns)) if colors > 2 else self

    def schema(self, metadata: dict[str, Any] | None = None) -> pa.Schema:
        """The Arrow schema; unit, meaning and role stand in the metadata of each column."""
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
    Column("dim", "float64", "", "dimension d of the torus; inf is the mean-field model"),
    Column("size", "float64", "points", "expected number of points, all colors"),
    Column("volume", "float64", "length^d", "volume of the torus"),
    Column("side", "float64", "length", "side L of the torus; nan for the mean-field model"),
    Column("intensity_0", "float64", "points / length^d", "intensity of color 0 (amber, green)"),
    Column(
        "intensity_1", "float64", "points / length^d", "intensity of color 1 (blue, red); nan if there are fewer colors"
    ),
    Column(
        "ratio",
        "float64",
        "",
        "intensity_1 / intensity_0, also among more colors; rho for fussy; nan if there is one color",
    ),
)
REPLICATE = Column("replicate", "int64", "", "number of the independent torus, from 0", "key")
COLOR = Column(
    "color", "int64", "", "color of the points: 0 amber or green, 1 blue or red, 2 and more by their numbers", "key"
)
ORDER = Column("order", "int64", "", "which of the partners, from 0: the nearest first, or for labels the label", "key")
X = Column("x", "float64", "", "argument: r, q or a number, see results/README.md; -1 if there is none", "key")


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
        Column("longest_0", "float64", "length", "longest partner distance, color 0; 0 if none is matched"),
        Column("longest_1", "float64", "length", "longest partner distance, color 1; 0 if none is matched"),
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
        ),
        Column("r", "float64", "length", f"lower end of the bin, 10^(bin/{PER_DECADE})"),
        Column("count", "int64", "points", "number of points whose partner distance X is in the bin", "sum"),
    ),
)
REALISATIONS = Table(
    "realisations",
    "the points of replicate 0, for the pictures",
    (
        *CELL,
        Column("point", "int64", "", "index of the point", "key"),
        ORDER,
        Column("color", "int64", "", "color of the point"),
        Column("x", "float64", "length", "first coordinate"),
        Column("y", "float64", "length", "second coordinate; 0 in d = 1"),
        Column("z", "float64", "length", "third coordinate; 0 in d = 1, 2"),
        Column("partner", "int64", "", "index of the partner, -1 if there is none"),
        Column("distance", "float64", "length", "distance to the partner, the short way round; inf if there is none"),
    ),
)
ESTIMATES = Table(
    "estimates",
    "estimates with standard errors over replicates",
    (
        *CELL,
        Column("quantity", "string", "", "what is estimated; see results/README.md", "key"),
        COLOR,
        ORDER,
        X,
        Column("value", "float64", "", "the estimate, from all replicates together"),
        Column("standard_error", "float64", "", "its standard error over replicates; nan for a single one"),
        Column("lower", "float64", "", "lower end of the 95 % confidence interval over replicates"),
        Column("upper", "float64", "", "upper end"),
        Column("n_replicates", "int64", "", "number of replicates"),
        Column(
            "exact",
            "float64",
            "",
            "the exact value where one is known, else nan: of an infinite volume, for alice_wins of this one",
        ),
        Column(
            "cutoff",
            "float64",
            "length",
            "largest distance at which this torus can be trusted, where the row is about one; else inf",
        ),
        Column("trusted", "bool", "", "the distance, x of a tail or value of a quantile, is at most the cut-off"),
    ),
)
FROGS = Table(
    "frogs",
    "numbers for the theorems on frog games: one row for each torus, quantity and argument; estimates are sums of tops over sums of bottoms",
    (
        *CELL,
        REPLICATE,
        Column("quantity", "string", "", "what is measured; see results/README.md", "key"),
        X,
        Column(
            "top", "float64", "", "numerator: a number of points, pairs or components, or 0 and 1 for no and yes", "sum"
        ),
        Column("bottom", "float64", "", "denominator: the number of points, or 1 for a torus", "sum"),
    ),
)
SHARD_TABLES = {t.name: t for t in (REPLICATES, DISTANCES, REALISATIONS, FROGS)}  # what is measured on replicates
TABLES = {**SHARD_TABLES, ESTIMATES.name: ESTIMATES}


# ---- rows to bytes, and back ------------------------------------------------------------------------------------------


def encode(table: Table, frame: pd.DataFrame | dict[str, Any], metadata: dict[str, Any]) -> bytes:
    """The bytes of a Parquet file with these rows, in the order of the keys; the same rows give the same bytes.

    Raises IntegrityError if two rows have the same keys, ValueError if the columns are not those of the table.
    """
    frame = pd.DataFrame(frame)
    table = table.wide(n_colors(frame))
    names = table.names
    if set(frame.columns) != set(names):
        raise ValueError(
            f"table {table.name}: columns {sorted(set(frame.columns) ^ set(names))} are missing or unknown"
        )
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
    try:
        with pq.ParquetFile(pa.BufferReader(data), page_checksum_verification=True) as file:
            found = file.read()
    except (OSError, ValueError, pa.ArrowException) as error:
        raise IntegrityError(Problem(Path(name), "damaged", str(error).splitlines()[0])) from None
    try:
        metadata = dict(json.loads((found.schema.metadata or {}).get(KEY.encode(), b"{}")))
    except (ValueError, TypeError, RecursionError):
        raise IntegrityError(Problem(Path(name), "damaged", "its metadata is not JSON")) from None
    if metadata.get("table") != table.name or not found.schema.equals(
        table.wide(n_colors(found.column_names)).schema(), check_metadata=False
    ):
        detail = f"not a table {table.name!r} of this version of poissonmatch"
        raise IntegrityError(Problem(Path(name), "foreign", detail))
    return found.to_pandas(), metadata


def metadata_of(source: Any) -> dict[str, Any]:
    """The provenance that a table (a path, or the bytes of one) carries: study, seeds, code digest, versions, commit."""
    found = pq.read_schema(pa.BufferReader(source) if isinstance(source, bytes) else source)
    return dict(json.loads((found.metadata or {}).get(KEY.encode(), b"{}")))


def table_name(data: bytes, name: str | Path) -> str:
    """Which table these bytes are. Raises IntegrityError if they are no Parquet file."""
    try:
        return str(metadata_of(data).get("table"))
    except (OSError, ValueError, TypeError, RecursionError, pa.ArrowException):
        raise IntegrityError(Problem(Path(name), "damaged", "or not a Parquet file")) from None


def empty(table: Table) -> pd.DataFrame:
    """No rows, with the right columns."""
    return table.schema().empty_table().to_pandas()


def n_colors(names: Iterable[Any]) -> int:
    """How many colors a table with these columns has columns for: two at least."""
    there = {str(name) for name in names if str(name).startswith("intensity_")}
    return next(k for k in itertools.count(2) if f"intensity_{k}" not in there)


def stacked(table: Table, frames: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """The rows of frames of one table, one below the other. One with fewer colors than others has no points of the rest."""
    frames = [frame for frame in frames if len(frame)] or [empty(table)]
    most = max(map(n_colors, frames))
    wide = table.wide(most)
    if most > 2:
        absent = {c.name: math.nan if c.name.startswith("intensity") else 0 for c in wide.columns}
        frames = [
            frame.assign(**{k: v for k, v in absent.items() if k not in frame.columns})[wide.names] for frame in frames
        ]
    return pd.concat(frames, ignore_index=True)


def cell_columns(cell: Cell) -> dict[str, Any]:
    """The values of the columns CELL for a cell."""
    process = dict(cell.process)
    name = process.pop("name")
    intensity = (*cell.intensities, np.nan)[: max(2, len(cell.intensities))]
    return {
        "study": cell.study,
        "cell": cell.id,
        "process": name + (json.dumps(process, sort_keys=True) if process else ""),
        "rule": cell.rule,
        "dim": float(cell.dim),
        "size": cell.size,
        "volume": cell.volume,
        "side": cell.side,
        **{f"intensity_{k}": value for k, value in enumerate(intensity)},
        "ratio": cell.ratio,
    }


def intensities_of(row: Any) -> tuple[float, ...]:
    """The intensities of the colors that a row with the columns CELL has."""
    found = (float(row[f"intensity_{k}"]) for k in range(n_colors(row.keys())))
    return tuple(intensity for intensity in found if not np.isnan(intensity))


def process_of(row: Any) -> str:
    """Name of the process of a row with the columns CELL, without its parameters."""
    return str(row["process"]).partition("{")[0]
