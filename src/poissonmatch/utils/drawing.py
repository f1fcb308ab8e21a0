"""Pictures of patterns and matchings, by functions that the package registers; nothing below imports Matplotlib.

Nothing is imported here, see poissonmatch/__init__.py.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_functions: "dict[str, Callable[..., Any]]" = {}


def register(**functions: "Callable[..., Any]") -> None:
    """Set the functions `plot` and `svg`."""
    _functions.update(functions)


def plot(item: "Any", ax: "Any" = None, **options: "Any") -> "Any":
    """Draw a pattern or a matching as a matplotlib Figure."""
    return _functions["plot"](item, ax, **options)


def svg(item: "Any") -> str | None:
    """Return the SVG of a pattern or a matching for a notebook; None if there is none, or there are too many points."""
    return _functions["svg"](item)
