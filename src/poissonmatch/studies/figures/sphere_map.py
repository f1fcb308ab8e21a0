"""Map of a sphere: points by longitude and latitude, and pairs as arcs of great circles."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...matching.matching import Matching
from ...points.pattern import Pattern
from ...rules.catalogue import rule_named
from .canvas import Drawing
from .draw import drawn
from .figure_layout import FigureLayout
from .kinds import KINDS
from .realizations import dots
from .style import color_of_points

STEPS = 64  # points of the line of an arc


def sphere_map(item: Pattern | Matching, ax: Any = None, /, **requested: Any) -> Drawing:
    """Draw points on a sphere and, for a matching, its pairs.

    An arc that crosses the date line is drawn in two parts.
    """
    matching = item if isinstance(item, Matching) else Matching.from_partners(item, np.full(len(item), -1), "two-color")
    pattern, rule = matching.pattern, matching.rule
    assert pattern is not None
    if item is pattern and not pattern.colors.any():
        rule = rule_named("one-color")

    def paint(layout: FigureLayout) -> str:
        (spot,) = layout.grid([""])
        for start, end in pattern.embedded[matching.pairs]:
            spot.plot(*_great_circle(start, end), color="#555555", lw=0.8, zorder=1)
        for color in range(len(pattern.count())):
            here = np.where(pattern.points > 180, pattern.points - 360, pattern.points)[pattern.colors == color]
            shade = color_of_points(layout.options.colors, rule, color)
            dots(spot, here, s=layout.options.s or 8, color=shade, linewidths=0, zorder=2, clip_on=True)
            if pattern.color_names is not None:
                layout.key(pattern.color_names[color], color=shade, marker="o", linestyle="")
        spot.set(xlim=(-180, 180), ylim=(-90, 90), xlabel="longitude", ylabel="latitude", aspect="equal")
        spot.set(xticks=range(-180, 181, 90), yticks=range(-90, 91, 45))
        pairs = " and the shortest arcs between partners" if item is matching else ""
        return f"Points on a sphere{pairs}, by longitude and latitude."

    return drawn(paint, ax, requested, KINDS["realization"])


def _great_circle(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return longitudes and latitudes, (2, k), on the arc between two unit vectors.

    They are nan where the arc crosses the date line.
    """
    x, y, z = (start + np.linspace(0, 1, STEPS)[:, None] * (end - start)).T
    longitude, latitude = np.degrees([np.arctan2(y, x), np.arctan2(z, np.hypot(x, y))])
    crossing = np.flatnonzero(np.abs(np.diff(longitude)) > 180) + 1
    return np.insert([longitude, latitude], crossing, np.nan, axis=1)
