"""Points and colors in the columns of data frames."""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..utils.atomic_writer import write_atomically
from ..utils.errors import BadInput, printable, quoted
from ..utils.files import read_regular
from ..utils.libraries import pd
from .coordinates import axis_names

SEPARATORS = {b";": "semicolons", b"\t": "tabs", b" ": "spaces"}  # that other programs write between columns
MAX_LINES = 10_000  # bytes in which the first two lines are looked for
KEY = "poissonmatch"  # of the attributes of a saved frame
ANGLES = {"lon", "lat", "long", "lng", "longitude", "latitude", "decimallongitude", "decimallatitude"}
AS_R = "as R's write.csv(..., row.names = FALSE) does"


def in_degrees(coords: Sequence[str]) -> str:
    """Return a warning if columns of flat coordinates have the names of angles on the Earth, otherwise ""."""
    if {str(name).strip().lower() for name in coords} & ANGLES:
        names = " and ".join(map(quoted, coords))
        return (
            f"the columns {names} seem to be degrees, whose differences are no distances: use pm.Sphere(6371.0) for km"
        )
    return ""


def columns_of(frame: Any, coords: Sequence[str] | None, color: str | None) -> tuple[list[str], Any]:
    """Return the names of the coordinate columns, and the column of colors or None.

    Raises BadInput for a missing column.
    """
    if not hasattr(frame, "columns") or not hasattr(frame, "loc"):
        raise BadInput(f"the frame must be a data frame, got {type(frame).__name__}")
    known = list(frame.columns)
    if coords is None:
        coords = next((names for d in (3, 2, 1) if set(names := axis_names(d)) <= set(known)), None)
        if coords is None:
            raise BadInput(
                f"the columns of coordinates are unknown: give coords=[...]; the columns are {', '.join(map(quoted, known))}"
            )
    coords = [coords] if isinstance(coords, str) else list(coords)
    for name in coords + ([] if color is None else [color]):
        if known.count(name) != 1:
            what = "there are several columns" if name in known else "there is no column"
            raise BadInput(f"{what} {quoted(name)}; there are {', '.join(map(quoted, known))}")
    return coords, None if color is None else frame[color]


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
    kind = getattr(column.dtype, "kind", "O")
    if color_names is None and kind in "iub":
        return column.to_numpy(), None

    demand_colors(column)
    if color_names is None:
        if kind == "f":
            raise BadInput(f"column {quoted(column.name)}: colors must be whole numbers or names, got {column.dtype}")
        color_names = list(column.cat.categories) if hasattr(column, "cat") else sorted(set(column), key=str)
    names = [color_names] if isinstance(color_names, str) else list(color_names)
    texts = checked_names(names)
    codes = pd.Index(names, dtype=object).get_indexer(column.astype(object))
    if (codes < 0).any():
        row = int((codes < 0).argmax())
        value = quoted(column.iloc[row])
        raise BadInput(f"column {quoted(column.name)}, row {row}: {value} is not one of {quoted(names)}")
    return codes, texts


def demand_colors(column: Any) -> None:
    """Raise BadInput if a color is missing."""
    if column.isna().any():
        raise BadInput(
            f"column {quoted(column.name)}, row {int(column.isna().to_numpy().argmax())}: a color is missing; "
            "in a CSV file, names such as NA and None mean that: write another name, or read the file in Python with "
            "pandas.read_csv(..., keep_default_na=False)"
        )


def read_frame(path: str | Path, max_bytes: int | None = None) -> pd.DataFrame:
    """Return the data frame in a .csv or .parquet file of at most `max_bytes` bytes.

    Raises BadInput, which begins with the path, if it is not a regular file or cannot be read.
    """
    try:
        return parsed(path, read_regular(path, max_bytes))
    except OSError as error:
        raise BadInput(f"{printable(str(path))}: {error.strerror or error}") from None


def parsed(path: str | Path, data: bytes) -> pd.DataFrame:
    """Return the data frame in these bytes of a .csv or .parquet file.

    Raises BadInput, which begins with the path, if they cannot be read.
    """
    ending = Path(path).suffix.lower()
    try:
        return frame_in(data, ending)
    except Exception as error:  # of pandas, PyArrow or a codec
        text = " ".join(str(error).split())[:200] or type(error).__name__
        raise BadInput(f"{printable(str(path))}: cannot be read as {ending[1:]}: {text}") from None


def frame_in(data: bytes, ending: str) -> pd.DataFrame:
    """Return the data frame in the bytes of a .csv or .parquet file.

    Errors of pandas and PyArrow are not caught.

    Raises BadInput for a CSV file with a row longer than the header, a repeated column name, other
    separators, or another encoding.
    """
    if ending == ".parquet":
        frame = pd.read_parquet(io.BytesIO(data))
        frame.select_dtypes(exclude="number").to_numpy()  # raises an error for text that is not UTF-8
        return frame
    try:
        return _frame_in_csv(data)
    except UnicodeDecodeError:
        raise BadInput("the text is not UTF-8; in Excel, save it as CSV UTF-8") from None


def _frame_in_csv(data: bytes) -> pd.DataFrame:
    kind: Any = {"skipinitialspace": True, "index_col": False, "low_memory": False}
    names = pd.read_csv(io.BytesIO(data), header=None, nrows=1, dtype=str, keep_default_na=False, **kind).iloc[0]
    first = [line.strip() for line in data[:MAX_LINES].splitlines()[:2]]
    if len(names) == 1 and (separators := [text for mark, text in SEPARATORS.items() if all(mark in k for k in first)]):
        raise BadInput(
            f"columns are separated by {separators[0]}; write commas between columns and points in numbers, {AS_R}"
        )
    if (twice := names.duplicated() & (names != "")).any():
        raise BadInput(f"two columns have the name {quoted(names[twice].iloc[0])}")
    with warnings.catch_warnings():
        warnings.simplefilter("error", pd.errors.ParserWarning)
        try:
            return pd.read_csv(io.BytesIO(data), **kind)
        except pd.errors.ParserWarning:
            raise BadInput(
                "rows have more values than the first line has column names; "
                f"name all columns, and write points in numbers, {AS_R}"
            ) from None


def save(frame: Any, about: dict[str, Any], path: str | Path) -> Path:
    """Write a data frame to a Parquet file that appears completely or not at all.

    about: plain data, which `pandas.read_parquet` returns as `attrs[KEY]`.
    """
    path = Path(path)
    if path.suffix != ".parquet":
        raise BadInput(f"the name of a file of a pattern must end in .parquet, got {quoted(path.name)}")
    frame.attrs = {KEY: about}
    buffer = io.BytesIO()
    frame.to_parquet(buffer, write_page_checksum=True)
    write_atomically(path, buffer.getvalue())
    return path
