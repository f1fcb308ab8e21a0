"""Figures of second moments: structure factors and number variances, with their limits at the edge of the axis."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...utils.libraries import pd
from ..tables.tables import parameters_of
from .figure_layout import Aspect, FigureLayout
from .figure_rows import intensities_of, of, process_in, rule_of
from .panel_elements import BARS, Panel

PARTS = ("_matched", "_unmatched")  # endings of quantities
SLOPE = 2  # of the line beside structure factors


def structure_factor(rows: pd.DataFrame, layout: FigureLayout) -> None:
    """Draw structure factors of matched and unmatched points against the length of the wave vector."""
    for panel in _panels(rows, layout, "structure_factor"):
        _limits(panel, 0)
        x, value = (panel.rows[name] for name in ("x", "value"))
        if panel.ax.get_xscale() == panel.ax.get_yscale() == "log" and value.min() < 0.1:
            ends = np.array([x.min(), min(x.max(), x.min() * math.sqrt(0.3 / value.min()))])
            panel.ax.plot(ends, 2 * value.min() * (ends / ends[0]) ** SLOPE, color="#777777", lw=0.6, zorder=1)
            panel.notes.say("slope-of-structure-factor")


def number_variance(rows: pd.DataFrame, layout: FigureLayout) -> None:
    """Draw number variances of matched and unmatched points over their means against the radius of the ball."""
    for panel in _panels(rows, layout, "number_variance"):
        _limits(panel, 1)


def _panels(rows: pd.DataFrame, layout: FigureLayout, name: str) -> list[Panel]:
    aspects = [Aspect(name + part, "xy") for part in PARTS]  # of all points it is known
    rows = of(rows, *(aspect.quantity for aspect in aspects))
    lowest = rows.groupby(["study", "cell", "color", "quantity"])["value"].transform("min")
    rows = rows[rows["below_cutoff"] & (lowest > 0)]  # without lattices, which have peaks only
    panels = []
    for panel in layout.panels(rows, *aspects, x="x", hue=("dim", "ratio", "rule"), dash=("color",)):
        panel.bars()
        panels.append(panel)
    return panels


def _limits(panel: Panel, edge: float) -> None:
    """Mark the exact limits of the curves at an edge of the x axis, 0 or 1."""
    which = int(panel.aspect.quantity.endswith(PARTS[1]))
    for curve in panel.looks.curves(panel.rows):
        row = curve.rows.iloc[0]
        process, parameters, intensities, dim = process_in(row), parameters_of(row), intensities_of(row), row["dim"]
        if process is None:
            continue
        dispersions = [
            float(process.structure_factor_of_color(np.zeros(1), dim, intensities, color, **parameters)[0])
            for color in range(len(intensities))
        ]
        limits = rule_of(curve.rows).law.structure_factor_limits(dim, intensities, int(row["color"]), dispersions)
        if limits[which] > 0:
            low, high = panel.ax.get_ylim()
            panel.ax.set_ylim(min(low, limits[which] / 1.1), max(high, limits[which] * 1.1))
            style: dict[str, Any] = {"color": curve.color, "clip_on": False, "zorder": BARS}
            panel.ax.plot(edge, limits[which], "<" if edge else ">", transform=panel.ax.get_yaxis_transform(), **style)
            panel.notes.say("limits-at-the-edge")
