"""Points from CSV or Parquet files, one file per replicate: the process `points` of studies."""

from __future__ import annotations

import glob
import hashlib
import io
import os
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import islice, zip_longest
from typing import Any

import numpy as np

from ...points import frame_columns, frames
from ...points.coordinates import refuse
from ...points.pattern import Pattern
from ...points.processes import Process
from ...points.spaces import Euclidean, Torus
from ...utils.errors import BadInput, printable, quoted
from ...utils.files import read_regular

ENDINGS = (".csv", ".parquet")
MAX_BYTES = 10**9  # of a file
MAX_FILES = 100_000  # and folders that a glob reaches
# Parts of messages about arrays: a row, and a coordinate that is outside.
ROW = re.compile(r"(?:points, |colors, )?\brow (?P<row>\d+)")
RECURSIVE = re.compile(r"(?:(?<=/)|^)\*\*(?:/|$)")  # in a glob: folders at any depth
OUTSIDE = re.compile(r"(is outside \[[^])]*[])])(?:; wrap=True moves it inside)?")
_hashed: dict[tuple[str, str], tuple[tuple[str, str], ...]] = {}  # (path, SHA-256) of the files, by folder and digest


def digest(folder: str, files: str) -> tuple[str, int]:
    """Return a digest of the contents of the files that match a glob, and their number.

    The glob, such as "plots/*.csv", is relative to the folder. Files are taken in sorted order.

    Raises BadInput if no file matches, or one is neither CSV nor Parquet or cannot be read.
    """
    paths = sorted(set(filter(os.path.isfile, _matches(folder, files, set()))))
    if not paths:
        raise BadInput(f"files: there is no file {quoted(files)} in {folder or 'this folder'}")
    if other := next((path for path in paths if not path.lower().endswith(ENDINGS)), None):
        raise BadInput(f"files: {quoted(other)} is neither .csv nor .parquet")
    listed = tuple((path, hashlib.sha256(_bytes(path)).hexdigest()) for path in paths)
    name = hashlib.sha256("\n".join(sha for _, sha in listed).encode()).hexdigest()[:16]
    _hashed[folder, name] = listed
    return name, len(listed)


def _matches(folder: str, files: str, seen: set[Any]) -> Iterator[str]:
    """Yield the paths that match a glob in a folder. seen: paths and folders so far; `**` enters none of these again.

    Raises BadInput, with the place, beyond MAX_FILES of them.
    """
    head, *tail = RECURSIVE.split(files, maxsplit=1)
    for path in glob.iglob(os.path.join(glob.escape(folder), head)):
        if len(seen) >= MAX_FILES:
            raise BadInput(f"files: more than {MAX_FILES} files and folders, the last in {quoted(folder)}")
        seen.add(path)
        if not tail:
            yield path
        elif os.path.isdir(path):
            about = os.stat(path)
            if (key := (about.st_dev, about.st_ino, tail[0])) not in seen:
                seen.add(key)
                yield from _matches(path, tail[0] or "*", seen)
                yield from _matches(path, f"*/**/{tail[0]}", seen)


def color_names(folder: str, expected: str, color: str) -> tuple[str, ...] | None:
    """Return the sorted names in the column of colors of all files; None if they are integers."""
    return _names(color, _hashed[folder, expected])


def counts(folder: str, expected: str, color: str | None, names: Sequence[str] | None) -> list[float]:
    """Return the mean number of points of each color in a file. Raises BadInput naming the file."""
    of_files = []
    for path, sha in _hashed[folder, expected]:
        table = _table(path, sha)
        try:
            frame_columns.columns_of(table, list(table.columns[:1]), color)
            numbers = _numbers(table, color, names)
            pattern = Pattern(np.zeros((len(table), 1)), numbers, Euclidean(1))
            of_files.append(pattern.count(len(names or [0])).tolist())
        except BadInput as error:
            raise _in_file(path, str(error)) from None
    return [sum(of_color) / len(of_files) for of_color in zip_longest(*of_files, fillvalue=0)]


def drawing(
    folder: str, expected: str, replicate: int, window: Mapping[str, Any] | None = None
) -> Callable[..., Pattern]:
    """Return the function that reads the points of a replicate.

    The files must still have the expected digest. window: as in `Cell.window`.
    """

    def points(
        torus: Torus,
        intensities: Sequence[float],
        files: str,
        coords: Sequence[str],
        color: str | None,
        color_names: Sequence[str] | None,
        grid: float | str = "auto",
        capacity: str | None = None,
        *,
        rng: np.random.Generator,
    ) -> Pattern:
        path, table = _of_replicate(folder, expected, files, replicate)
        listed = _hashed[folder, expected]
        names = _names(color, listed) if color_names is None and color is not None else color_names
        if names is not None and len(names) > len(intensities):
            raise BadInput(
                f"the colors of the points are {', '.join(map(quoted, names))}, "
                f"and the study has intensities for {len(intensities)} colors"
            )
        try:
            frame_columns.columns_of(table, list(coords), color)
            numbers = _numbers(table, color, names)
            step = None if grid == "none" else grid
            pattern, notes = _pattern(table, torus, list(coords), numbers, len(intensities), names, window, step)
        except BadInput as error:
            where = (
                rf"\1, the {torus.name} of this cell: its volume is size / intensity, and a `window` gives its corner"
            )
            if window is not None:
                where = r"\1, the window of this study" + "; `wrap: true` moves it inside" * (torus.seams is not None)
            raise _in_file(path, OUTSIDE.sub(where, str(error))) from None
        for note in notes:
            warnings.warn(f"{printable(os.path.relpath(path, folder or '.'))}: {note}", stacklevel=2)
        return pattern

    return points


def capacities(folder: str, process: Mapping[str, Any], replicate: int) -> np.ndarray | None:
    """Return the capacities of the points of a replicate; None if the specification of the process names no column."""
    if process["name"] != PROCESS.name or (name := process.get("capacity")) is None:
        return None
    path, table = _of_replicate(folder, process["digest"], process["files"], replicate)
    try:
        (name,), _ = frame_columns.columns_of(table, [name], None)
        return frame_columns.capacities_in(table[name])
    except BadInput as error:
        raise _in_file(path, str(error)) from None


def _of_replicate(folder: str, expected: str, files: str, replicate: int) -> tuple[str, Any]:
    """Return the path of the file of a replicate, and its data frame. The files must have the expected digest."""
    if (folder, expected) not in _hashed and digest(folder, files)[0] != expected:
        raise BadInput(f"files {quoted(files)} have changed since")
    listed = _hashed[folder, expected]
    if replicate >= len(listed):
        raise BadInput(f"replicate {replicate} needs a file, and {quoted(files)} names {len(listed)}")
    path, sha = listed[replicate]
    return path, _table(path, sha)


def _in_file(path: str, message: str) -> BadInput:
    """Return an error whose message begins with the path of the file, and names lines of CSV files."""

    def place(row: re.Match) -> str:
        number = int(row["row"])
        if path.lower().endswith(".csv"):  # its rows are the lines after the first that are not empty
            text = io.StringIO(_bytes(path).decode("utf-8", "replace"), newline=None)
            full = (line for line, content in enumerate(text, 1) if content.strip())
            return f"line {next(islice(full, number + 1, None), number + 2)}"
        return f"row {number}"

    return BadInput(f"{printable(path)}: {ROW.sub(place, message)}")


def _pattern(
    table: Any,
    torus: Torus,
    coords: list[str],
    numbers: Any,
    n_colors: int,
    names: Sequence[str] | None,
    window: Mapping[str, Any] | None,
    grid: Any,
) -> tuple[Pattern, list[str]]:
    """Return the points of a table, and notes on them."""
    wrap, points, moved = window is not None and window["wrap"], frame_columns.coordinates(table, coords, grid), None
    if window is not None and any(window["origin"]) and torus.seams is not None:
        try:
            moved = _moved(points, torus, np.array(window["origin"]), wrap, grid)
        except BadInput as error:
            raise BadInput(frame_columns.in_columns(str(error), coords)) from None
    pattern, notes = Pattern._of_columns(
        table, coords, points, numbers, torus, moved=moved, wrap=wrap, grid=grid, color_names=names
    )
    if (largest := int(pattern.colors.max(initial=0))) >= n_colors:
        raise BadInput(
            f"row {pattern.colors.argmax()}: color {largest}, and the study has intensities for {n_colors} colors, from 0"
            + "; subtract 1 from the colors" * bool(pattern.colors.min() == 1 and largest == n_colors)
        )
    return pattern, notes


def _moved(points: np.ndarray, torus: Torus, origin: np.ndarray, wrap: bool, grid: Any) -> np.ndarray:
    """Return the points of a window whose corner is the origin, as points of the torus.

    Raises BadInput for a point outside the window, unless wrap.
    """
    high = origin + torus.sides
    outside = (points < origin) | (points >= high)
    if outside.any() and not wrap:
        axis = np.argwhere(outside)[0][1]
        refuse(points, outside, f"is outside [{origin[axis]:g}, {high[axis]:g})")
    on_grid = partial(Pattern, geometry=Euclidean(len(origin)), grid=grid)
    try:
        on_grid(origin[None])
    except BadInput as error:
        raise BadInput(f"window: origin: {error}") from None
    both = on_grid(np.vstack([points, origin]))
    if wrap and both.grid is None:  # whole periods are left out exactly, however far the origin is
        both = on_grid(np.vstack([points, np.fmod(origin, torus.sides)]))
    return np.asarray(both.metric.arc(both.embedded[:-1] - both.embedded[-1]))  # of the unit of the coordinates


def _numbers(table: Any, color: str | None, color_names: Sequence[str] | None) -> Any:
    """Return the colors of a table as numbers: their index in color_names if given."""
    if color is None:
        return None
    column = frame_columns.colors_in(table[color])
    if color_names is None:
        return column.to_numpy() if len(column) else None
    return frame_columns.numbered(_named(column), list(color_names))[0]


def _named(column: Any) -> Any:
    """Return the names in a checked column of colors as text. Raises BadInput if they are neither names nor integers."""
    other = next(
        (kind for kind in set(map(type, column)) if not issubclass(kind, str | int | np.integer | np.bool_)), None
    )
    if other is not None:
        raise BadInput(f"column {quoted(column.name)}: colors must be whole numbers or names, got {other.__name__}")
    return column.astype(str)


@cache
def _names(color: str, listed: tuple[tuple[str, str], ...]) -> tuple[str, ...] | None:
    """Return all color names in the files, sorted, so that a color has one number; None if all are integers."""
    names: set[str] = set()
    whole = True
    for path, sha in listed:
        column = _table(path, sha).get(color)
        if column is not None and len(column):
            try:
                column = frame_columns.colors_in(column)
                whole = whole and column.dtype.kind in "iub"
                names |= set(_named(column))
            except BadInput as error:
                raise _in_file(path, str(error)) from None
    return None if whole else tuple(sorted(names))


def _table(path: str, sha: str) -> Any:
    """Return the data frame in a file, which must have this SHA-256."""
    data = _bytes(path)
    if hashlib.sha256(data).hexdigest() != sha:
        raise BadInput(f"{printable(path)}: the file has changed since the start")
    return frames.parsed(path, data)


def _bytes(path: str) -> bytes:
    try:
        return read_regular(path, MAX_BYTES)
    except OSError as error:
        raise BadInput(f"{printable(path)}: {error.strerror or error}") from None


def points(torus: Torus, *, rng: np.random.Generator) -> Pattern:
    """Refuse to draw points without a study, which says from which files; see `drawing`."""
    raise BadInput("points from files are those of a study: `process: {name: points, files: ...}`")


PROCESS = Process(points, ergodic=False, flat=True, given=True)
