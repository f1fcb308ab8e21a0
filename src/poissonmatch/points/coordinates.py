"""Checks of the arrays that users pass as points: coordinates, or a table of distances."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..utils.errors import BadInput
from ..utils.immutable import immutable_copy
from ..utils.validation import INEXACT, check_array, check_real, inexact

SMALLEST, LARGEST = 1e-150, 1e150  # lengths other than 0: the squares of others underflow or overflow


def check_extent(name: str, value: Any) -> float:
    """Return a length or a volume if float64 can hold its square.

    Raises BadInput for any other value.
    """
    range_text = f"a positive number between {SMALLEST:g} and {LARGEST:g}"
    return check_real(name, value, range_text, math.nextafter(SMALLEST, 1), math.nextafter(LARGEST, 0))


def axis_names(dim: int) -> list[str]:
    """Return x, y, z, or x1, x2, ... in more than three dimensions."""
    return ["x", "y", "z"][:dim] if dim <= 3 else [f"x{axis + 1}" for axis in range(dim)]


def check_coordinates(points: np.ndarray, dim: int) -> np.ndarray:
    """Return points as an immutable (n, dim) array of finite float64.

    Raises BadInput naming the row and the value.
    """
    if points.size == 0 and points.ndim <= 1:
        points = points.reshape(0, dim)
    if points.ndim != 2 or points.shape[1] != dim:
        raise BadInput(f"points must have shape (n, {dim}) for dim={dim}, got {points.shape}")
    array = _floats(points)
    refuse(array, ~np.isfinite(array), "is not finite")
    return array


def check_scale(array: np.ndarray) -> np.ndarray:
    """Return coordinates unchanged if float64 can hold their squares.

    Raises BadInput naming the row and the value.
    """
    size = np.abs(array)
    refuse(array, size > LARGEST, f"is beyond {LARGEST:g}, where squared distances overflow")
    problem = f"is closer to 0 than {SMALLEST:g}, where squared distances underflow; write 0, or take another unit"
    refuse(array, (size < SMALLEST) & (array != 0), problem)
    return array


def check_table(
    table: np.ndarray, what: str = "the table of a mean-field pattern", column_name: str = "coordinate"
) -> np.ndarray:
    """Return an immutable (n, n) symmetric table of distances.

    Raises BadInput naming the row and the value.
    """
    if table.size == 0:
        table = table.reshape(0, 0)
    if table.ndim != 2 or table.shape[0] != table.shape[1]:
        raise BadInput(f"{what} must be square, got shape {table.shape}")
    array = _floats(table)
    apart = ~np.eye(len(array), dtype=bool)
    refuse(array, apart & ~(np.isfinite(array) & (array >= 0)), "is not a distance", column_name)
    refuse(array, apart & (array != array.T), "differs from its mirror image", column_name)
    return array


def check_no_columns(points: np.ndarray) -> np.ndarray:
    """Return the immutable (n, 0) array of points without coordinates and without a table.

    Raises BadInput for an array with columns.
    """
    if points.ndim != 2 or points.shape[1]:
        raise BadInput(f"the points of a mean-field pattern without a table must have shape (n, 0), got {points.shape}")
    return _floats(points)


def refuse(array: np.ndarray, bad: np.ndarray, what: str, column_name: str = "coordinate") -> None:
    """Raise BadInput naming the first bad entry, its row and its column, if there is one."""
    if bad.any():
        row, column = (int(k) for k in np.argwhere(bad)[0])
        more = int(bad.any(axis=1).sum()) - 1
        also = f" (and {more} more rows)" if more else ""
        raise BadInput(f"points, row {row}, {column_name} {column}: {array[row, column].item()!r} {what}{also}")


def bounds(array: np.ndarray) -> tuple[float, float]:
    """Return the smallest and the largest entry; 0 and 0 of an empty array."""
    return (float(array.min()), float(array.max())) if array.size else (0.0, 0.0)


def _floats(array: np.ndarray) -> np.ndarray:
    """Return an immutable copy as float64; of integers only if no digit is lost."""
    refuse(array, inexact(array), INEXACT)
    return immutable_copy(np.asarray(array, np.float64))


def check_colors(colors: Any, n: int) -> np.ndarray:
    """Return the colors of n points, by default all 0, as an immutable (n,) uint8 array. Raises BadInput."""
    try:
        array = np.zeros(n, np.uint8) if colors is None else check_array("colors", colors, "iub", "integers")
    except BadInput as error:
        hint = "; names of colors are for Pattern.from_frame" if "not <U" in str(error) else ""
        raise BadInput(f"{error}{hint}") from None
    if array.size == 0:
        array = array.astype(np.uint8)
    if array.shape != (n,):
        raise BadInput(f"colors must have shape ({n},), one for each point, got {array.shape}")
    bad = (array < 0) | (array > 254)
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        raise BadInput(f"colors, row {row}: {array[row]} is not a color; colors are integers from 0 to 254")
    return immutable_copy(array.astype(np.uint8))
