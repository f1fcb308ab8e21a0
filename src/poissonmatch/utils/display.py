"""Hooks for drawing patterns and matchings, so that the matching code does not import matplotlib."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# Loaders of the functions in figures.objects, set by poissonmatch/__init__.py.
hooks: dict[str, Callable[[], Callable[..., Any]]] = {}


def plot(item: Any, ax: Any = None, **options: Any) -> Any:
    """Draw a pattern, a matching or a deletion as a matplotlib Figure."""
    return hooks["plot"]()(item, ax, **options)


def svg(item: Any) -> str | None:
    """Return a pattern or a matching as SVG for a notebook; None if it has no picture or too many points."""
    return hooks["svg"]()(item)
