"""Columns of tables as coordinates and colors: of pandas, polars, Arrow and DuckDB, and geometries of points."""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np

from ..utils.errors import BadInput, nearest, quoted
from ..utils.libraries import pa, pd
from ..utils.validation import INEXACT, MAX_CAPACITY, inexact
from .coordinates import axis_names
from .decimal_grid import as_decimals

# Column names of longitudes and latitudes: on the Earth, on the sky (also of VizieR), and in the galaxy.
ANGLES = set(
    "lon lat long lng longitude latitude decimallongitude decimallatitude ra dec raj2000 dej2000 decj2000 ra_icrs de_icrs "
    "dec_icrs ra_deg dec_deg radeg dedeg decdeg glon glat gal_lon gal_lat galactic_longitude galactic_latitude "
    "right_ascension declination".split()
)
GEOMETRY = "geometry"  # the column of points that is looked for
WKT = re.compile(r"\s*(?:SRID=\d+;)?\s*POINT\s*Z?\s*\(([-+.\deE\s]+)\)\s*", re.IGNORECASE)
WKB = (
    "Geometry", "Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon", "GeometryCollection"
)  # fmt: skip
HAS_Z, HAS_M, HAS_SRID = 0x80000000, 0x40000000, 0x20000000  # in the type of a geometry of PostGIS
PLACE = re.compile(r"points, row (\d+), coordinate (\d+)")


def as_frame(table: Any) -> pd.DataFrame:
    """Return a frame of pandas unchanged, and any other table that pyarrow can read as a new one. Raises BadInput."""
    if hasattr(table, "columns") and hasattr(table, "loc"):
        return table
    try:
        return pa.table(table).to_pandas()
    except (TypeError, ValueError, pa.ArrowException):
        kind = type(table).__name__
        raise BadInput(
            f"the frame must be a data frame, got {kind}; tables of pandas, polars, Arrow and DuckDB are"
        ) from None


def columns_of(frame: Any, coords: Sequence[str] | None, color: str | None) -> tuple[list[str], Any]:
    """Return the names of the coordinate columns, and the column of colors or None.

    Raises BadInput for a missing column.
    """
    known = list(frame.columns)
    if coords is None:
        possible = (*map(axis_names, (3, 2, 1)), [GEOMETRY])
        coords = next((names for names in possible if set(names) <= set(known)), None)
        if coords is None:
            listed = ", ".join(map(quoted, known))
            raise BadInput(f"the columns of coordinates are unknown: give coords=[...]; the columns are {listed}")
    coords = [coords] if isinstance(coords, str) else list(coords)
    for name in coords + ([] if color is None else [color]):
        if known.count(name) != 1:
            several = f"there are several columns {quoted(name)}"
            none = f"there is no column {quoted(name)}{nearest(str(name), map(str, known))}"
            raise BadInput(several if name in known else none)
    return coords, None if color is None else frame[color]


# ---- coordinates ----


def coordinates(frame: Any, coords: Sequence[str], grid: Any) -> np.ndarray:
    """Return the columns of coordinates, or the one column of geometries, as numbers (n, d).

    With a grid, float32 columns are taken as decimals, see `as_decimals`.

    Raises BadInput naming the row and the column.
    """
    if len(coords) == 1 and _has_geometries(frame[coords[0]]):
        return _points_in(frame[coords[0]])
    return np.column_stack([as_decimals(_numbers(frame[name]), grid) for name in coords])


def in_columns(message: str, coords: Sequence[str]) -> str:
    """Return a message about points with the names of columns in place of the numbers of coordinates."""
    return PLACE.sub(lambda at: f"row {at[1]}, column {quoted(coords[min(int(at[2]), len(coords) - 1)])}", message)


def in_degrees(frame: Any, coords: Sequence[str]) -> str:
    """Return a warning if columns of flat coordinates are called or known to be angles, otherwise ""."""
    system = getattr(frame[coords[0]], "crs", None)  # of GeoPandas
    known = {str(name).strip(" _").lower() for name in coords}
    if known & ANGLES or known == {"l", "b"} or getattr(system, "is_geographic", False):
        names, verb = " and ".join(map(quoted, coords)), "seem" if len(coords) > 1 else "seems"
        return (
            f"the {'columns' if len(coords) > 1 else 'column'} {names} {verb} to be degrees, whose differences are no "
            "distances: use pm.Sphere(6371.0) for km on the Earth, or pm.Sphere(57.29577951308232) for degrees on the sky; "
            "in a study `geometry: sphere` with a `radius`"
        )
    return ""


def _numbers(column: Any) -> np.ndarray:
    """Return a column of numbers of any type as an array; missing ones are nan. Raises BadInput naming the row."""
    if getattr(column.dtype, "kind", "O") in "fiu":
        values = column.to_numpy(float, na_value=np.nan) if column.isna().any() else column.to_numpy()
        problem, is_wrong = INEXACT, inexact(values)
    else:  # text, decimal numbers, categories, or a mixture
        values = column.astype(object).to_numpy()
        problem, is_wrong = "is not a number", np.array([not _is_number(value) for value in values], bool)
    if is_wrong.any():
        row = int(np.argmax(is_wrong))
        value = values[row] if problem is INEXACT else quoted(str(values[row]))
        raise BadInput(f"row {row}, column {quoted(column.name)}: {value} {problem}")
    return values.astype(float) if values.dtype == object else values


def capacities_in(column: Any) -> np.ndarray:
    """Return a column of capacities as integers. Raises BadInput naming the row."""
    values = _numbers(column)
    wrong = ~((values >= 0) & (values <= MAX_CAPACITY) & (values == np.rint(values)))
    if wrong.any():
        row = int(np.argmax(wrong))
        raise BadInput(
            f"row {row}, column {quoted(column.name)}: {values[row]:g} is no whole number from 0 to {MAX_CAPACITY}"
        )
    return values.astype(np.int64)


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError, OverflowError):  # OverflowError: of 400 digits
        return False
    return not isinstance(value, bool | np.bool_)


def _has_geometries(column: Any) -> bool:
    """Return whether the first value that is not missing is a geometry, in WKB or in WKT."""
    first = next(iter(column.dropna()), None)
    return hasattr(first, "wkb") or isinstance(first, bytes) or (isinstance(first, str) and "(" in first)


def _points_in(column: Any) -> np.ndarray:
    """Return the coordinates of points in a column of geometries. Raises BadInput naming the row and the type."""
    points: list[tuple[float, ...]] = []
    for row, value in enumerate(column):
        place = f"row {row}, column {quoted(column.name)}"
        try:
            points.append(_point(getattr(value, "wkb", value)))
        except (TypeError, IndexError, struct.error):
            raise BadInput(f"{place}: {quoted(value)} is not a point in WKB or WKT") from None
        except ValueError as error:
            raise BadInput(f"{place}: {error}") from None
        if len(points[row]) != len(points[0]):
            raise BadInput(f"{place}: a point of {len(points[row])} coordinates, and row 0 has {len(points[0])}")
    return np.array(points)


def _point(value: Any) -> tuple[float, ...]:
    """Return the two or three coordinates of a point in WKT or WKB. Raises ValueError with the type of another geometry."""
    if isinstance(value, str):
        if (text := WKT.fullmatch(value)) is None:
            raise ValueError(f"{quoted(value)} is not a point")
        return tuple(map(float, text[1].split()))[:3]
    order = "<" if value[0] else ">"
    (code,) = struct.unpack_from(f"{order}I", value, 1)
    number, dimensions = code & 0xFFFF, (code & 0xFFFF) // 1000
    if number % 1000 != 1:
        raise ValueError(f"a {WKB[number % 1000]} is not a point" if number % 1000 < len(WKB) else "not a point")
    has_z = code & HAS_Z or dimensions in (1, 3)
    return struct.unpack_from(f"{order}{3 if has_z else 2}d", value, 9 if code & HAS_SRID else 5)


# ---- colors ----


def checked_names(names: Sequence[Any]) -> tuple[str, ...]:
    """Return names of colors as text. Raises BadInput for a name that occurs twice."""
    texts = tuple(map(str, [names] if isinstance(names, str) else names))
    twice = next((text for k, text in enumerate(texts) if text in texts[:k]), None)
    if twice is not None:
        raise BadInput(f"color_names: {quoted(twice)} occurs twice")
    return texts


def numbered(column: Any, color_names: Sequence[Any] | None) -> tuple[Any, tuple[str, ...] | None]:
    """Return the colors of a column as integers, and their names or None.

    Integers are unchanged; other values become their index in color_names (by default the
    categories, or the sorted values).
    """
    column = colors_in(column)
    if color_names is None and column.dtype.kind in "iub":
        return column.to_numpy(), None
    if color_names is None:
        color_names = list(column.cat.categories) if hasattr(column, "cat") else sorted(set(column), key=str)
    names = [color_names] if isinstance(color_names, str) else list(color_names)
    texts = checked_names(names)
    codes = pd.Index(names, dtype=object).get_indexer(column.astype(object))
    if (codes < 0).any():
        row = int((codes < 0).argmax())
        value = quoted(column.iloc[row])
        raise BadInput(f"column {quoted(column.name)}, row {row}: {value} is not one of {quoted(names)}")
    return codes, texts


def colors_in(column: Any) -> Any:
    """Return a column of colors; whole numbers of any type are integers of NumPy.

    Raises BadInput if a color is missing, or a number is not whole.
    """
    if column.isna().any():
        raise BadInput(
            f"column {quoted(column.name)}, row {int(column.isna().to_numpy().argmax())}: a color is missing; "
            "in a CSV file, names such as NA and None mean that: write another name, or read the file in Python with "
            "pandas.read_csv(..., keep_default_na=False)"
        )
    kind = getattr(column.dtype, "kind", "O")
    is_decimal = kind == "O" and len(column) > 0 and all(isinstance(value, Decimal) for value in column)
    if kind == "f" or is_decimal:
        values = column.to_numpy(float)
        if not (values == np.rint(values)).all():
            got = "Decimal" if is_decimal else column.dtype
            raise BadInput(f"column {quoted(column.name)}: colors must be whole numbers or names, got {got}")
        return pd.Series(values.astype(np.int64), column.index, name=column.name)
    return pd.Series(column.to_numpy(), column.index, name=column.name) if kind in "iub" else column
