"""Data frames in CSV and Parquet files."""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import Any

from ..utils.atomic_writer import write_atomically
from ..utils.errors import BadInput, printable, quoted
from ..utils.files import read_regular
from ..utils.libraries import pd

SEPARATORS = {b";": "semicolons", b"\t": "tabs", b" ": "spaces"}  # that other programs write between columns
MAX_LINES = 10_000  # bytes in which the first two lines are looked for
KEY = "poissonmatch"  # of the attributes of a saved frame
AS_R = "as R's write.csv(..., row.names = FALSE) does"


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
