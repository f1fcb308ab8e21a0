"""Declarations of the Parquet tables of replicates: columns, types, units, meanings, roles."""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any, Literal

import numpy as np

from ...utils.immutable import cached_property
from ...utils.libraries import pa, pd
from ..sampling.cells import Cell

ATTRS = "PANDAS_ATTRS"  # in the metadata of a file: JSON that pandas reads into DataFrame.attrs, and writes,
OURS = "poissonmatch"  # and a mark that it does not write
PANDAS_TYPES = {"int64": "Int64", "bool": "boolean"}  # of columns that may be missing
NO_X = math.nan  # in the column x: no argument
PER_DECADE = 20  # bins of the table `distances`
NAN = (math.nan,)  # a missing value: null in the file, NaN in pandas
INF = (math.inf,)
SIGNED = -math.inf  # min_value of a number that may be negative
THREADS_PAY = 30_000  # rows; starting threads takes longer than reading less


@dataclass(frozen=True)
class Column:
    """A column of a table. Numbers are finite and from min_value to max_value."""

    name: str
    type: str  # of Arrow
    unit: str
    meaning: str
    role: Literal["key", "sum", "value"] = "value"  # a key identifies the row, a sum may be added over rows
    nullable: bool = False  # whether values of any type may be missing; such a column is not checked
    min_value: float = 0.0
    max_value: float = math.inf
    also: tuple[float, ...] = ()  # further values; nan is a missing value
    null: float = math.nan  # the further value that is a null in files
    stored: str = ""  # type in files, if it differs from that in memory

    @property
    def may_be_null(self) -> bool:
        """Whether the file may hold nulls in this column."""
        return self.nullable or any(value == self.null or math.isnan(value) for value in self.also)

    @property
    def has_stand_in(self) -> bool:
        """Whether a number in memory is a null in files."""
        return not math.isnan(self.null)


@dataclass(frozen=True)
class Table:
    """A table, sorted by its key columns; no two rows have the same keys.

    Columns whose names end in _0 and _1 are about a color; `wide` adds columns for further colors.
    """

    name: str
    meaning: str
    columns: tuple[Column, ...]

    @cached_property
    def names(self) -> list[str]:
        """Return the names of the columns, in order."""
        return [c.name for c in self.columns]

    @property
    def keys(self) -> list[str]:
        """Return the names of the key columns."""
        return [c.name for c in self.columns if c.role == "key"]

    def wide(self, colors: int) -> Table:
        """Return the table with columns for this number of colors, at least 2; itself if none is about a color."""
        if colors == 2 or "intensity_1" not in self.names:
            return self
        columns: list[Column] = []
        for c in self.columns:
            columns.append(replace(c, max_value=colors - 1) if c.name == "color" else c)
            if c.name.endswith("_1"):
                for k in range(2, colors):
                    meaning = re.sub(r"color 1\b( \([^)]*\))?", f"color {k}", c.meaning)
                    columns.append(replace(c, name=f"{c.name[:-1]}{k}", meaning=meaning))
        return replace(self, columns=tuple(columns))

    def schema(self, *, stored: bool = False) -> pa.Schema:
        """Return the Arrow schema. stored: that of files, in which text is a dictionary."""
        text = pa.dictionary(pa.int32(), pa.string()) if stored else pa.string()
        return pa.schema(
            pa.field(c.name, text if c.type == "string" else (stored and c.stored) or c.type, nullable=c.may_be_null)
            for c in self.columns
        )

    def file_schema(self, metadata: dict[str, Any]) -> pa.Schema:
        """Return the schema of files with its metadata: types that pandas takes for columns with nulls, and `attrs`.

        These are the provenance, and the unit, meaning and role of each column.
        """
        schema = self.schema(stored=True)
        columns = {c.name: {"unit": c.unit, "meaning": c.meaning, "role": c.role} for c in self.columns}
        types = [
            {"name": field.name, "field_name": field.name, "pandas_type": str(field.type), "metadata": None}
            | {"numpy_type": PANDAS_TYPES[str(field.type)]}
            for field in schema
            if field.nullable and str(field.type) in PANDAS_TYPES
        ]
        attrs = {"table": self.name, "columns": columns, **metadata}
        about = {OURS: "", ATTRS: attrs, "pandas": {"index_columns": [], "column_indexes": [], "columns": types}}
        return schema.with_metadata({key: json.dumps(value, sort_keys=True) for key, value in about.items()})


def _column(type: str, name: str, meaning: str, role: Any = "value", **more: Any) -> Column:
    """Return a column without a unit."""
    return Column(name, type, "", meaning, role, **more)


float_column, int_column, text_column = (partial(_column, type) for type in ("float64", "int64", "string"))
nullable_float = partial(float_column, also=NAN)  # a number that may be missing
DIM = float_column(
    "dim", "dimension d of the torus; null for the mean-field model, and inf in pm.load", "key",
    min_value=1, max_value=64, also=INF, null=math.inf, stored="int64"
)  # fmt: skip
CELL = (
    text_column("study", "name of the study in the YAML file", "key"),
    text_column("rule", "matching rule", "key"),
    DIM,
    Column("size", "int64", "points", "expected number of points, all colors, as a whole number", "key"),
    float_column("ratio",
                 "intensity_1 / intensity_0, also among more colors; rho for fussy; null if there is one color", "key",
                 also=(math.nan, math.inf)),
    text_column("cell", "parameter point of the study: dimension, size, ratio, fingerprint", "key"),
    text_column("process", "point process, with its parameters as JSON if it has any"),
    text_column("geometry", "space of the points: torus, box (walls instead of a seam), sphere or mean-field"),
    Column("volume", "float64", "length^d", "volume of the torus"),
    Column("side", "float64", "length",
           "side L of the torus, or of a square with the area of the sphere; null for the mean-field model", also=NAN),
    Column("intensity_0", "float64", "points / length^d", "intensity of color 0 (amber, green)"),
    Column("intensity_1", "float64", "points / length^d",
           "intensity of color 1 (blue, red); null if there are fewer colors", also=NAN),
)  # fmt: skip
REPLICATE = int_column("replicate", "number of the independent torus, from 0", "key")
COLOR = int_column("color",
                   "color of the points: 0 amber or green, 1 blue or red, 2 and more by their numbers", "key", max_value=1)  # fmt: skip
ORDER = int_column("order", "index of the partner, from 0: the nearest first; for labels the label", "key")
X = nullable_float("x", "argument: r, q or a number, see results/README.md; null for no argument", "key")  # fmt: skip


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
    "counts of partner distances in logarithmic bins; empty bins have no row",
    (
        *CELL,
        REPLICATE,
        COLOR,
        ORDER,
        int_column("bin",
                   f"the bin holds 10^(bin/{PER_DECADE}) <= X < 10^((bin+1)/{PER_DECADE}); the lowest holds all below",
                   "key", min_value=SIGNED),
        Column("r_lower", "float64", "length", f"lower end of the bin, 10^(bin/{PER_DECADE})"),
        Column("r_upper", "float64", "length", f"upper end of the bin, 10^((bin+1)/{PER_DECADE})"),
        Column("count", "int64", "points", "number of points whose partner distance X is in the bin", "sum",
               min_value=1),
    ),
)  # fmt: skip
REALIZATIONS = Table(
    "realizations",
    "points of replicate 0, for pictures",
    (
        *CELL,
        int_column("point", "index of the point", "key"),
        ORDER,
        int_column("color", "color of the point", max_value=1),
        Column("x", "float64", "length", "first coordinate", min_value=SIGNED),
        Column("y", "float64", "length", "second coordinate; 0 in d = 1", min_value=SIGNED),
        Column("z", "float64", "length", "third coordinate; 0 in d = 1, 2", min_value=SIGNED),
        int_column(
            "partner",
            "index of the partner; null if there is none, and -1 in pm.load",
            also=(-1,),
            null=-1,
        ),
        Column(
            "distance",
            "float64",
            "length",
            "distance to the partner on the torus; null if there is none, and inf in pm.load",
            also=INF,
            null=math.inf,
        ),
    ),
)


RATIOS = Table(
    "ratios",
    "ratios measured on each torus, one row for each quantity and argument; an estimate is the sum of numerators over the sum of denominators",
    (
        *CELL,
        REPLICATE,
        text_column("quantity", "what is measured; see results/README.md", "key"),
        X,
        float_column("numerator", "number of points, pairs or components, or 0 and 1 for no and yes", "sum",
                     min_value=SIGNED),
        float_column("denominator", "number of points, or 1 for a torus", "sum"),
    ),
)  # fmt: skip
COLOR_RATIOS = replace(
    RATIOS,
    name="color_ratios",
    meaning=f"{RATIOS.meaning}; by color",
    columns=tuple(
        c for column in RATIOS.columns for c in ((COLOR, column) if column.name == "quantity" else (column,))
    ),
)
BLOCK_TABLES = {
    t.name: t for t in (REPLICATES, DISTANCES, REALIZATIONS, RATIOS, COLOR_RATIOS)
}  # what is measured on replicates


# ---- rows ----


def empty(table: Table) -> pd.DataFrame:
    """Return no rows, with the columns of a table."""
    return _empty(table).copy()


@cache
def _empty(table: Table) -> pd.DataFrame:
    """Return the frame that `empty` copies: its construction takes a millisecond, and a sweep needs six."""
    return table.schema().empty_table().to_pandas()


def n_colors(names: Container[Any]) -> int:
    """Return the number of colors for which these columns are, at least 2."""
    return next(k for k in itertools.count(2) if f"intensity_{k}" not in names)


def stacked(table: Table, frames: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Return the concatenated rows of frames of a table; further colors of one with fewer colors have no points."""
    frames = [frame for frame in frames if len(frame)] or [empty(table)]
    colors = max(map(n_colors, frames))
    return pd.concat([widened(table, frame, colors) for frame in frames], ignore_index=True)


def widened(table: Table, frame: pd.DataFrame, colors: int) -> pd.DataFrame:
    """Return rows with columns for this number of colors; the added colors have no points."""
    names = table.wide(colors).names
    absent = {name: math.nan if name.startswith("intensity") else 0 for name in names if name not in frame.columns}
    return frame.assign(**absent)[names] if absent else frame


def cell_columns(cell: Cell) -> dict[str, Any]:
    """Return the values of the columns CELL for a cell."""
    process = dict(cell.process)
    name = process.pop("name")
    process |= cell.window_parameters | cell.limit
    intensity = (*cell.intensities, np.nan)[: max(2, len(cell.intensities))]
    return {
        "study": cell.study,
        "rule": cell.rule,
        "dim": float(cell.dim),
        "size": round(cell.size),
        "ratio": cell.ratio,
        "cell": cell.id,
        "process": name + (json.dumps(process, sort_keys=True) if process else ""),
        "geometry": cell.space().name,
        "volume": cell.volume,
        "side": cell.side,
        **{f"intensity_{k}": value for k, value in enumerate(intensity)},
    }


def row_order(cell: Cell) -> tuple[str, str, float, int, float, str]:
    """Return the key by which the cells of a table are sorted."""
    ratio = -math.inf if math.isnan(cell.ratio) else cell.ratio
    return cell.study, cell.rule, cell.dim, round(cell.size), ratio, cell.id


def intensities_of(row: Any) -> tuple[float, ...]:
    """Return the intensities of the colors of a row with the columns CELL."""
    values = (float(row[f"intensity_{k}"]) for k in range(n_colors(row.keys())))
    return tuple(intensity for intensity in values if not np.isnan(intensity))


def process_of(row: Any) -> str:
    """Return the name of the process of a row with the columns CELL, without its parameters."""
    return str(row["process"]).partition("{")[0]


def parameters_of(row: Any) -> dict[str, Any]:
    """Return the parameters of the process of a row with the columns CELL."""
    _, brace, rest = str(row["process"]).partition("{")
    return json.loads(brace + rest) if brace else {}


def names_of_colors(row: Any) -> list[str]:
    """Return the names of the colors in the data of a row with the columns CELL; [] without names."""
    return list(parameters_of(row).get("color_names") or [])


Columns = Mapping[str, np.ndarray]  # arrays of one length by column name
