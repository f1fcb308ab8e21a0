"""Pictures of patterns and matchings, by functions that the package registers, so that no module below figures/ imports Matplotlib."""

from collections.abc import Callable
from typing import Any

_functions: dict[str, Callable[..., Any]] = {}


def register(**functions: Callable[..., Any]) -> None:
    """Set the functions `plot` and `svg`."""
    _functions.update(functions)


def plot(item: Any, ax: Any = None, **options: Any) -> Any:
    """Draw a pattern or a matching as a matplotlib Figure."""
    return _functions["plot"](item, ax, **options)


def svg(item: Any) -> str | None:
    """Return a pattern or a matching as SVG for a notebook; None if it has no picture or too many points."""
    return _functions["svg"](item)
