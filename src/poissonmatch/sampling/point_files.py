"""Points from files, CSV or Parquet, one replicate a file: the process `points` of studies."""

from __future__ import annotations

import glob
import hashlib
import os
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ..points import frames
from ..points.geometry import Torus
from ..points.pattern import Pattern
from ..points.processes import Process
from ..utils.errors import BadInput, quoted

ENDINGS = (".csv", ".parquet")
MOST_BYTES = 10**9  # of a file
MOST_FILES = 1_000_000
_hashed: dict[tuple[str, str], tuple[tuple[str, str], ...]] = {}  # (path, SHA-256) of the files, by folder and digest


def digest(folder: str, files: str) -> tuple[str, int]:
    """A digest of what is in the files that a pattern such as "plots/*.csv" names, in the order of their names, and how many they are.

    Raises BadInput if there are none, and for one that is neither CSV nor Parquet, or that cannot be read.
    """
    found = sorted(filter(os.path.isfile, glob.glob(os.path.join(glob.escape(folder), files), recursive=True)))
    if len(found) > MOST_FILES:
        raise BadInput(f"files: {quoted(files)} names {len(found)} files, more than {MOST_FILES}")
    if not found:
        raise BadInput(f"files: there is no file {quoted(files)} in {folder or 'this folder'}")
    if other := next((path for path in found if not path.lower().endswith(ENDINGS)), None):
        raise BadInput(f"files: {quoted(other)} is neither .csv nor .parquet")
    listed = tuple((path, hashlib.sha256(_bytes(path)).hexdigest()) for path in found)
    name = hashlib.sha256("\n".join(sha for _, sha in listed).encode()).hexdigest()[:16]
    _hashed[folder, name] = listed
    return name, len(listed)


def drawing(folder: str, known: str, replicate: int) -> Callable[..., Pattern]:
    """The function that draws a replicate: it reads the file. known: the digest, which must still be right."""

    def points(
        torus: Torus,
        intensities: Sequence[float],
        files: str,
        coords: Sequence[str],
        color: str | None,
        color_names: Sequence[str] | None,
        *,
        rng: np.random.Generator,
    ) -> Pattern:
        if (folder, known) not in _hashed and digest(folder, files)[0] != known:
            raise BadInput(f"files {quoted(files)} have changed since")
        listed = _hashed[folder, known]
        if replicate >= len(listed):
            raise BadInput(f"replicate {replicate} needs a file, and {quoted(files)} names {len(listed)}")
        path, sha = listed[replicate]
        table = _table(path, sha)
        names = _names(color, listed) if color_names is None and color is not None else color_names
        if names is not None and len(names) > len(intensities):
            told = f"intensities for {len(intensities)} colors"
            raise BadInput(f"the colors of the points are {', '.join(map(quoted, names))}, and the study has {told}")
        try:
            frames.columns_of(table, list(coords), color)
            return _pattern(table, torus, list(coords), _numbers(table, color, names), len(intensities))
        except BadInput as error:
            words = str(error).replace(
                "; wrap=True moves it inside", ", the torus of this cell: its volume is size / intensity"
            )
            raise BadInput(f"{path}: {words}") from None

    return points


def _pattern(table: Any, torus: Torus, coords: list[str], numbers: Any, most: int) -> Pattern:
    for name in coords:
        column = table[name]
        if not len(column):
            table = table.astype({name: float})
        elif column.dtype.kind not in "fiu":  # words among the numbers, or numbers of another kind
            right = np.array([_is_number(value) for value in column])
            if not right.all():
                row = int(np.argmin(right))
                raise BadInput(f"row {row}, column {quoted(name)}: {quoted(str(column.iloc[row]))} is not a number")
            table = table.astype({name: float})
    pattern = Pattern(table[coords], numbers, torus)
    if len(pattern) and (row := int(pattern.colors.argmax())) is not None and pattern.colors[row] >= most:
        raise BadInput(
            f"row {row}: color {pattern.colors[row]}, and the study has intensities for {most} colors, from 0"
        )
    return pattern


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return not isinstance(value, bool | np.bool_)


def _numbers(table: Any, color: str | None, color_names: Sequence[str] | None) -> Any:
    """The colors of a table as numbers: by their position in color_names; without them they are numbers."""
    if color is None:
        return None
    column = table[color]
    if color_names is None:
        return column.to_numpy() if len(column) else None
    return frames.numbered(_named(column), list(color_names))


def _named(column: Any) -> Any:
    """The names in a column of colors, as text. Raises BadInput if they are no names."""
    frames.demand_colors(column)
    other = next(
        (kind for kind in set(map(type, column)) if not issubclass(kind, str | int | np.integer | np.bool_)), None
    )
    if other is not None:
        raise BadInput(f"column {quoted(column.name)}: colors are whole numbers or names, not {other.__name__}")
    return column.astype(str)


@cache
def _names(color: str, listed: tuple[tuple[str, str], ...]) -> tuple[str, ...] | None:
    """All names of colors in the files, sorted, so that a color has one number in all of them; None if these are whole numbers."""
    found: set[str] = set()
    whole = True
    for path, sha in listed:
        column = _table(path, sha).get(color)
        if column is not None and len(column):
            whole = whole and column.dtype.kind in "iub"
            try:
                found |= set(_named(column))
            except BadInput as error:
                raise BadInput(f"{path}: {error}") from None
    return None if whole else tuple(sorted(found))


def _table(path: str, sha: str) -> Any:
    """The data frame in a file with this SHA-256."""
    data = _bytes(path)
    if hashlib.sha256(data).hexdigest() != sha:
        raise BadInput(f"{path}: the file has changed since this began")
    try:
        return frames.frame_in(data, Path(path).suffix.lower())
    except Exception as error:  # of pandas, PyArrow or a codec: the file is not what its name says
        words = " ".join(str(error).split())[:200] or type(error).__name__
        raise BadInput(f"{path}: cannot be read as {Path(path).suffix[1:]}: {words}") from None


def _bytes(path: str) -> bytes:
    try:
        if (size := os.path.getsize(path)) > MOST_BYTES:
            raise BadInput(f"{path}: {size:.3g} bytes is too much for the points of a torus; at most {MOST_BYTES:.0e}")
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror or error}") from None


def points(torus: Torus, *, rng: np.random.Generator) -> Pattern:
    """What is known of the process before a replicate is drawn: see drawing."""
    raise NotImplementedError


PROCESS = Process(points, ergodic=False, flat=True, given=True)
