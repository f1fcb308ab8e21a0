"""Validation of user input: numbers, arrays and random generators; errors name the value on one line."""

from __future__ import annotations

import functools
import inspect
import math
import operator
import re
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from .errors import BadInput, quoted

MAX_THREADS = 4096
MAX_EXACT = 2**53
TINY = math.ulp(0.0)  # the smallest positive float
MAX_CAPACITY = 999_999_999  # of a point, or of a rule with a name: nine digits
Bounds = tuple[float, float]
Decorated = TypeVar("Decorated", bound=Callable[..., Any])
GENERATORS = (
    np.random.Generator, np.random.BitGenerator, np.random.SeedSequence, np.random.RandomState, np.ndarray
)  # fmt: skip
INEXACT = "is beyond 2^53, where float64 lacks whole numbers: subtract a common origin"


def check_int(
    name: str, value: Any, min_value: int, max_value: float = math.inf, *, what: str = "a whole number"
) -> int:
    """Return a Python or NumPy integer from min_value to max_value as an int.

    Raises BadInput for any other value.
    """
    number = as_int(value)
    if number is None or not min_value <= number <= max_value:
        bounds = f"from {min_value} to {max_value}" if max_value < math.inf else f"from {min_value}"
        raise BadInput(f"{name} must be {what} {bounds}, got {quoted(value)}")
    return number


def check_real(name: str, value: Any, what: str, min_value: float = 0.0, max_value: float = math.inf) -> float:
    """Return a real number from min_value to max_value as a float.

    Raises BadInput, which states the requirement `what`.
    """
    number = as_real(value)
    if number is None or not min_value <= number <= max_value:
        raise BadInput(f"{name} must be {what}, got {quoted(value)}")
    return number


def as_real(value: Any) -> float | None:
    """Return a real number of Python or NumPy as a float; None for any other value, and beyond the range of float."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        return None
    try:
        return float(value)
    except OverflowError:
        return None


def checked(**bounds: Bounds) -> Callable[[Decorated], Decorated]:
    """Return a decorator that checks the arguments of a public function by their annotations.

    The annotations are those of `_CHECKS` and names of classes, also with "| None". The bounds of a
    number are given by the name of its argument. Arguments with other annotations are left to the
    function. The function raises BadInput for any other value.

    Libraries that check annotations are not used: importing pydantic takes as long as a third of
    NumPy, and none has the messages and bounds of these checks.
    """

    def decorate(function: Decorated) -> Decorated:
        checks: dict[str, Callable[[Any], Any]] = {}
        parameters = inspect.signature(function).parameters
        for name, parameter in parameters.items():
            kind = parameter.annotation
            kind = kind.__name__ if isinstance(kind, type) else str(kind)
            name_of_kind = kind.removesuffix(" | None")
            is_class = re.fullmatch(r"[A-Z]\w+", name_of_kind) and name_of_kind != "Any"
            of_class = functools.partial(_check_instance, name_of_kind, function.__globals__)
            if check := of_class if is_class else _CHECKS.get(name_of_kind):
                required = functools.partial(check, name, bounds=bounds.get(name))
                checks[name] = _or_none(required) if kind.endswith(" | None") else required

        def checked_value(name: str, value: Any) -> Any:
            return checks[name](value) if name in checks else value

        @functools.wraps(function)
        def wrapper(*values: Any, **keywords: Any) -> Any:
            given = list(map(checked_value, parameters, values))
            rest = values[len(given) :]  # too many: the function raises TypeError
            return function(*given, *rest, **{name: checked_value(name, keywords[name]) for name in keywords})

        return wrapper  # type: ignore[return-value]

    return decorate


def _or_none(check: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else check(value)


def _between(bounds: Bounds | None) -> str:
    if bounds is None or bounds == (-math.inf, math.inf):
        return ""
    return f" from {bounds[0]:g}" + (f" to {bounds[1]:g}" if bounds[1] < math.inf else "")


def _check_float(name: str, value: Any, bounds: Bounds | None) -> float:
    number = as_real(value)
    if number is None or not (bounds is None or bounds[0] <= number <= bounds[1]):
        raise BadInput(f"{name} must be a number{_between(bounds)}, got {quoted(value)}")
    return number


def _check_int(name: str, value: Any, bounds: Bounds | None) -> int:
    if bounds is not None:
        return check_int(name, value, *bounds)  # type: ignore[arg-type]
    if (number := as_int(value)) is None or abs(number) > MAX_EXACT:
        raise BadInput(f"{name} must be a whole number, got {quoted(value)}")
    return number


def _check_numbers(name: str, value: Any, bounds: Bounds | None) -> np.ndarray:
    return check_array(name, value, "fiu", "numbers").astype(float)


def check_bool(name: str, value: Any, bounds: Bounds | None = None) -> bool:
    """Return True or False, of Python or NumPy, as a bool.

    Raises BadInput for any other value.
    """
    if not isinstance(value, bool | np.bool_):
        raise BadInput(f"{name} must be True or False, got {quoted(value)}")
    return bool(value)


def _check_str(name: str, value: Any, bounds: Bounds | None) -> str:
    if not isinstance(value, str):
        raise BadInput(f"{name} must be a string, got {quoted(value)}")
    return value


def _check_instance(kind: str, module: dict[str, Any], name: str, value: Any, bounds: Bounds | None) -> Any:
    """Return the value if its class has this name among those of a module, where it may be defined later."""
    if not isinstance(value, module[kind]):
        raise BadInput(f"{name} must be a {kind}, got {quoted(value)}")
    return value


_CHECKS: dict[str, Callable[..., Any]] = {
    "float": _check_float,
    "int": _check_int,
    "bool": check_bool,
    "str": _check_str,
    "np.ndarray | float": _check_numbers,
    "np.ndarray": _check_numbers,
}


def check_unmasked(name: str, values: Any) -> None:
    """Raise BadInput for masked values in an array or a list of arrays: NumPy would use the values under the mask."""
    parts = values if isinstance(values, list | tuple) else [values]
    imported = "numpy.ma" in sys.modules  # else nothing is masked: importing it takes as long as a third of NumPy
    if imported and any(isinstance(part, np.ma.MaskedArray) and np.ma.is_masked(part) for part in parts):
        raise BadInput(f"{name} must not be masked: fill the masked values, or leave them out")


def check_array(name: str, values: Any, kinds: str, what: str) -> np.ndarray:
    """Return numbers of the dtype kinds ("f", "i", "u", "b") as an array, which may share memory with the input.

    Raises BadInput for masked values, another dtype, and ragged lists; `what` is the requirement
    that the message states.
    """
    check_unmasked(name, values)
    frame = hasattr(values, "columns") and hasattr(getattr(values, "dtypes", None), "items")  # of pandas
    for index, (column, dtype) in enumerate(values.dtypes.items() if frame else ()):
        if getattr(dtype, "kind", "O") not in kinds:
            raise BadInput(f"{name} must be {what}, got {dtype} in column {quoted(column)}")
        if inexact(np.asarray(values.iloc[:, index])).any():
            raise BadInput(f"{name}, column {quoted(column)} {INEXACT}")
    try:
        array = np.asarray(values)
        if array.dtype == object and frame:  # missing values
            array = values.to_numpy(dtype=float, na_value=np.nan)
    except (TypeError, ValueError) as error:
        raise BadInput(f"{name} must be {what} in an array of one shape: {quoted(str(error))}") from None
    if array.dtype == object:
        raise BadInput(f"{name} must be {what} in an array of one shape, got an array of Python objects")
    if array.size and array.dtype.kind not in kinds:
        raise BadInput(f"{name} must be {what}, got {array.dtype} such as {quoted(array.flat[0])}")
    if array.dtype.kind == "f" and array.dtype.itemsize > 8:  # longdouble
        with np.errstate(over="ignore"):
            is_rounded = (array != array.astype(float)) & ~np.isnan(array)
        if is_rounded.any():
            first = array[is_rounded][0]
            raise BadInput(f"{name} must be {what} that float64 holds exactly, got {first!s}: round with astype(float)")
    return array


def inexact(array: np.ndarray) -> np.ndarray:
    """Return a mask of the integers beyond 2^53, which float64 cannot represent exactly."""
    return np.asarray((array > MAX_EXACT) | (array < -MAX_EXACT) if array.dtype.kind in "iu" else False)


def check_rng(rng: Any) -> np.random.Generator:
    """Return a NumPy generator, made from a seed if necessary.

    Raises BadInput for any other value.
    """
    parts = rng if isinstance(rng, list | tuple) else [rng]  # NumPy follows a list that contains itself for ever
    try:
        if rng is None or isinstance(rng, GENERATORS) or all(as_int(part) is not None for part in parts):
            return np.random.default_rng(rng)
    except (TypeError, ValueError, OverflowError):
        pass
    raise BadInput(f"rng must be a NumPy generator or a seed from 0, got {quoted(rng)}")


def as_int(value: Any) -> int | None:
    """Return a Python or NumPy integer as an int; None for any other value, including booleans and floats such as 1.0."""
    if isinstance(value, bool) or type(value).__name__ in ("bool", "bool_"):  # NumPy's
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def check_threads(threads: Any) -> int:
    """Return a number of threads as an int.

    Raises BadInput unless it is a whole number from 1 to MAX_THREADS.
    """
    return check_int("threads", threads, 1, MAX_THREADS)
