"""The Parquet tables of replicates, declared once: columns, types, units, meaning, role; rows to bytes and back, checked."""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from ..points.geometry import MeanField
from ..sampling.cells import Cell

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
    """A table: rows are sorted by the key columns, and no two rows have the same keys.

       Columns whose names end in _0 and _1 are about a color. Where cells have more colors than two, there are more of them: see wide.
    laws: what else is true of its rows,
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

    def wide(self, colors: int) -> Table:
        """The table with columns for so many colors, two at least."""
        columns: list[Column] = []
        for c in self.columns:
            columns.append(replace(c, most=colors - 1) if c.name == "color" else c)
            if c.name.endswith("_1"):
                for k in range(2, colors):
                    meaning = re.sub(r"color 1\b( \([^)]*\))?", f"color {k}", c.meaning)
                    columns.append(replace(c, name=f"{c.name[:-1]}{k}", meaning=meaning))
        return replace(self, columns=tuple(columns)) if colors > 2 else self

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
    Column("geometry", "string", "", "space of the points: torus, box (walls instead of a seam) or mean-field"),
    Column("size", "float64", "points", "expected number of points, all colors"),
    Column("volume", "float64", "length^d", "volume of the torus"),
    Column("side", "float64", "length", "side L of the torus; nan for the mean-field model", also=NAN),
    Column("intensity_0", "float64", "points / length^d", "intensity of color 0 (amber, green)"),
    Column(
        "intensity_1",
        "float64",
        "points / length^d",
        "intensity of color 1 (blue, red); nan if there are fewer colors",
        also=NAN,
    ),
    Column(
        "ratio",
        "float64",
        "",
        "intensity_1 / intensity_0, also among more colors; rho for fussy; nan if there is one color",
        also=(math.nan, math.inf),
    ),
)
REPLICATE = Column("replicate", "int64", "", "number of the independent torus, from 0", "key")
COLOR = Column(
    "color",
    "int64",
    "",
    "color of the points: 0 amber or green, 1 blue or red, 2 and more by their numbers",
    "key",
    most=1,
)
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
            least=SIGNED,
        ),
        Column("r", "float64", "length", f"lower end of the bin, 10^(bin/{PER_DECADE})"),
        Column("count", "int64", "points", "number of points whose partner distance X is in the bin", "sum", least=1),
    ),
)
REALIZATIONS = Table(
    "realizations",
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


RATIOS = Table(
    "ratios",
    "ratios measured on each torus: a row for each quantity and argument; estimates are sums of numerators over sums of denominators",
    (
        *CELL,
        REPLICATE,
        Column("quantity", "string", "", "what is measured; see results/README.md", "key"),
        X,
        Column(
            "numerator",
            "float64",
            "",
            "numerator: a number of points, pairs or components, or 0 and 1 for no and yes",
            "sum",
            least=SIGNED,
        ),
        Column("denominator", "float64", "", "denominator: the number of points, or 1 for a torus", "sum"),
    ),
)
BLOCK_TABLES = {t.name: t for t in (REPLICATES, DISTANCES, REALIZATIONS, RATIOS)}  # what is measured on replicates


# ---- rows ---------------------------------------------------------------------------------------------------------------


def empty(table: Table) -> pd.DataFrame:
    """No rows, with the right columns."""
    return table.schema().empty_table().to_pandas()


def n_colors(names: Iterable[Any]) -> int:
    """How many colors a table with these columns has columns for: two at least."""
    there = {str(name) for name in names if str(name).startswith("intensity_")}
    return next(k for k in itertools.count(2) if f"intensity_{k}" not in there)


def stacked(table: Table, frames: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """The rows of frames of one table, one below the other. One with fewer colors than others has no points of the rest."""
    import pandas as pd

    frames = [frame for frame in frames if len(frame)] or [empty(table)]
    most = max(map(n_colors, frames))
    return pd.concat([widened(table, frame, most) for frame in frames], ignore_index=True)


def widened(table: Table, frame: pd.DataFrame, colors: int) -> pd.DataFrame:
    """Rows of a table with columns for so many colors, of which there are no points."""
    names = table.wide(colors).names
    absent = {name: math.nan if name.startswith("intensity") else 0 for name in names if name not in frame.columns}
    return frame.assign(**absent)[names] if absent else frame


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
        "geometry": MeanField.name if cell.dim == math.inf else cell.geometry,
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


Columns = Mapping[str, np.ndarray]  # of one length, by the name of the column


class Impossible(Exception):
    """Rows that no run can have made: of which table, and which and why in words."""

    def __init__(self, table: str, words: str) -> None:
        self.table, self.words = table, words
        super().__init__(words)


class Law(NamedTuple):
    """Something that is true of every row: in words, the columns that it is about, and of which rows it is. of: the table of
    these rows, if it is not the one that is looked at.
    """

    text: str
    columns: tuple[str, ...]
    holds: Any
    of: tuple[Table, Columns] | None = None
