"""How patterns and matchings are seen: the one place that reaches up to what draws, by its name, so that nobody who only
matches waits for it, and no result depends on it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .geometry import Geometry, MeanField

if TYPE_CHECKING:
    from .matching import Matching
    from .pattern import Pattern

MOST = 2000  # points that a notebook shows by itself


def figure_of(shown: Pattern | Matching, ax: Any = None, **options: Any) -> Any:
    """A matplotlib Figure of points, and of their partners if it is a matching: `figures.realisation`."""
    return import_module(".figures", __package__).realisation(_rows(shown), ax, **options)


def svg_of(shown: Pattern | Matching, geometry: Geometry, n: int) -> str | None:
    """The same as SVG, for a notebook; None, so that it shows the words of `repr`, for what has no picture, or too many points."""
    if not 0 < n <= MOST or isinstance(geometry, MeanField) or geometry.dim > 3 or isinstance(geometry.side, tuple):
        return None
    return str(import_module(".figures", __package__).svg(_rows(shown)))


def _rows(shown: Pattern | Matching) -> Any:
    return import_module(".statistics.pictures", __package__).as_it_is(shown)
