"""What users give, read: numbers and arrays. What cannot be used is refused in one line that names the value."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from .errors import BadInput, quoted

EXACT = 2**53
INEXACT = "is beyond 2^53, where float64 lacks whole numbers: subtract a common origin"


def check_int(name: str, value: Any, least: int, most: float = math.inf, *, what: str = "a whole number") -> int:
    """A whole number of Python or NumPy, as an int. Raises BadInput for anything else, and outside least ... most."""
    found = as_int(value)
    if found is None or not least <= found <= most:
        bounds = f"from {least} to {most}" if most < math.inf else f"from {least}"
        raise BadInput(f"{name} must be {what} {bounds}, not {quoted(value)}")
    return found


def check_real(name: str, value: Any, what: str, least: float = 0.0, most: float = math.inf) -> float:
    """A real number of Python or NumPy, as a float. Raises BadInput for anything else, and outside least ... most."""
    real = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    if not (real and least <= value <= most):
        raise BadInput(f"{name} must be {what}, not {quoted(value)}")
    return float(value)


def check_unmasked(name: str, values: Any) -> None:
    """Raises BadInput for an array, or a list of arrays, with masked values: NumPy would take what they hide for data."""
    parts = values if isinstance(values, list | tuple) else [values]
    if any(isinstance(part, np.ma.MaskedArray) and np.ma.is_masked(part) for part in parts):
        raise BadInput(f"{name} must not be masked: fill the masked values, or leave them out")


def check_array(name: str, values: Any, kinds: str, words: str) -> np.ndarray:
    """Numbers of some kinds ("f", "i", "u", "b") as an array; perhaps the user's own memory.

    Raises BadInput for masked values, and for anything that is not such numbers in one shape.
    """
    check_unmasked(name, values)
    frame = hasattr(values, "columns") and hasattr(getattr(values, "dtypes", None), "items")  # of pandas
    for place, (column, dtype) in enumerate(values.dtypes.items() if frame else ()):
        if getattr(dtype, "kind", "O") not in kinds:
            raise BadInput(f"{name} must be {words}, not {dtype} as in the column {quoted(column)}")
        if inexact(np.asarray(values.iloc[:, place])).any():
            raise BadInput(f"{name}, column {quoted(column)} {INEXACT}")
    try:
        array = np.asarray(values)
        if array.dtype == object and frame:  # missing values
            array = values.to_numpy(dtype=float, na_value=np.nan)
    except (TypeError, ValueError) as error:
        raise BadInput(f"{name} must be {words} in an array of one shape: {quoted(str(error))}") from None
    if array.dtype == object:
        raise BadInput(f"{name} must be {words} in an array of one shape; got an array of Python objects")
    if array.size and array.dtype.kind not in kinds:
        raise BadInput(f"{name} must be {words}, not {array.dtype}, as {quoted(array.flat[0])}")
    return array


def inexact(array: np.ndarray) -> np.ndarray:
    """Which whole numbers are too large for float64 to have all whole numbers up to them?"""
    return np.asarray((array > EXACT) | (array < -EXACT) if array.dtype.kind in "iu" else False)


def check_rng(rng: Any) -> np.random.Generator:
    """A generator of NumPy, or one with this seed. Raises BadInput for anything else."""
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError):
        raise BadInput(f"rng must be a NumPy generator, or a seed from 0, not {quoted(rng)}") from None


def as_int(value: Any) -> int | None:
    """The int that a whole number of Python or NumPy stands for; None for anything else, also for booleans and 1.0.

    A float that is a whole number today is 0.30000000000000004 tomorrow.
    """
    if isinstance(value, bool) or type(value).__name__ in ("bool", "bool_"):  # NumPy's
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None
