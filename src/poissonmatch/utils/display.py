"""Hooks that the package sets, so that what matches points imports neither matplotlib nor the pipeline."""

from __future__ import annotations

import sys
from typing import Any


def hook(name: str) -> Any:
    """Return what the loader of this name in poissonmatch/__init__.py imports."""
    return vars(sys.modules[__name__.partition(".")[0]])["_HOOKS"][name]()


def plot(item: Any, ax: Any = None, **options: Any) -> Any:
    """Draw a pattern or a matching as a matplotlib Figure."""
    return hook("plot")(item, ax, **options)


def svg(item: Any) -> str | None:
    """Return a pattern or a matching as SVG for a notebook; None if it has no picture or too many points."""
    return hook("svg")(item)
