"""Figures of matchings, with exact curves from the laws of the rules: tails, transitions, and second moments.

Second moments are structure factors and number variances, with their limits at the edge of the axis.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib import rcParams

from ...theory.volumes import ball_power, ball_volume
from ...utils.libraries import pd
from ..tables.tables import intensities_of, parameters_of
from .figure_layout import Aspect, FigureLayout
from .figure_rows import (
    intensity_columns,
    max_distance_of,
    max_distances,
    of,
    process_in,
    rule_of,
    total_intensity,
)
from .figure_text import INFINITE_VOLUME, LIMIT, dim_name
from .kinds import NothingToDraw
from .panel_elements import BARS, INTERVAL, THIN, Panel
from .style import EXACT

# ---- tails ----


def _tail_rows(rows: pd.DataFrame, quantity: str, layout: FigureLayout) -> pd.DataFrame:
    """Return the rows of the nearest partner, of color 0 only if all colors have the same law and so the same rows."""
    rows = of(rows, quantity).query("order == 0")
    if rows.empty:
        raise NothingToDraw(f"there is nothing to draw: no rows of {quantity}")
    alike = rows["rule"].map({name: _alike(part) for name, part in rows.groupby("rule")}).astype(bool)
    if (alike & (rows["color"] > 0)).any():
        layout.say("equal-laws")
    return rows[~alike | (rows["color"] == 0)]


def _alike(rows: pd.DataFrame) -> bool:
    cells = rows.drop_duplicates(intensity_columns(rows))
    return all(rule_of(rows).law.same_for_colors(intensities_of(cell)) for _, cell in cells.iterrows())


def _exact_tails(panel: Panel, scale: Callable[[Any, np.ndarray], Any] = lambda row, r: 1) -> None:
    """Draw the exact tails that are known along the whole axis, each once, times scale(row, r)."""
    r = panel.grid()
    for rows in panel.known("rule", "dim", *intensity_columns(panel.rows), "color", "order"):
        row = rows.iloc[0]
        values = rule_of(rows).law.tail(r, row["dim"], intensities_of(row), int(row["color"]), int(row["order"]))
        panel.exact(r, values * scale(row, r))


def tail(rows: pd.DataFrame, layout: FigureLayout) -> None:
    """Draw :math:`P(X > r)`, a panel for each study."""
    rows = _tail_rows(rows, "tail", layout)
    for panel in layout.panels(rows, Aspect("tail", "xy"), by="study", x="x", hue=("dim", "ratio"), dash=("color",)):
        panel.bands()
        panel.ax.set_xlim(max(1e-2, panel.rows["x"].min()), panel.rows["x"].max() * 1.3)
        if panel.log_y:
            panel.ax.set_ylim(panel.rows["value"].min() / 2, 1.5)
        _guides(panel)
        _exact_tails(panel)


def _guides(panel: Panel) -> None:
    """Draw the slope -p of the lowest moment E X^p known to be infinite, and the fractions of unmatched points."""
    is_poisson = (panel.rows["process"] != "").all() and not max_distances(panel.rows)  # "": of any points
    if not (panel.log_x and panel.log_y and is_poisson):
        return
    shown: set[tuple] = set()
    for curve in panel.looks.curves(panel.rows):
        first = curve.rows.iloc[0]
        law, dim = rule_of(curve.rows).law, first["dim"]
        intensities = intensities_of(first)
        level = law.unmatched(dim, intensities, int(first["color"]))
        if level > 0:
            panel.ax.axhline(level, color=curve.color, linestyle="--", lw=0.5, zorder=1)
            panel.notes.say("unmatched-fraction")
        powers = ball_power(dim) / 2, ball_power(dim)
        slope = next((p for p in powers if law.infinite_moment(p, dim, intensities)), None)
        rows = curve.rows[curve.rows["below_cutoff"] & (curve.rows["value"] > 0)].sort_values("x")
        if slope is None or (dim, slope) in shown or len(rows) < 4:
            continue
        shown.add((dim, slope))
        end = rows.iloc[-1]
        x = np.array([end["x"] / 10 ** (min(2.0, 1 / slope)), end["x"]])
        y = 0.4 * end["value"] * (x / end["x"]) ** -slope
        panel.ax.plot(x, y, color="#777777", lw=0.6, zorder=1)
        panel.ax.annotate(
            f"${-slope:g}$",
            (np.sqrt(x.prod()), np.sqrt(y.prod())),
            color="#555555",
            fontsize=rcParams["legend.fontsize"],
            ha="right",
            va="top",
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.3},
        )
        panel.notes.say("slopes")


def scaled_tail(rows: pd.DataFrame, layout: FigureLayout) -> None:
    """Draw the tail times the expected number of points within :math:`r`, a panel for each study."""
    rows = _tail_rows(rows, "scaled_tail", layout)
    rows = rows[rows["below_cutoff"] & (rows["x"] >= 0.5 * total_intensity(rows) ** (-1 / rows["dim"]))]
    rows = rows[rows["x"] <= rows["process"].map(max_distance_of)]  # where it is that of the whole matching
    for panel in layout.panels(
        rows, Aspect("scaled_tail", "x"), by="study", x="x", hue=("dim", "ratio"), dash=("color",)
    ):
        panel.bands()
        panel.ax.set_xlim(panel.rows["x"].min(), panel.rows["x"].max() * 1.3)
        highest = max([panel.rows["value"].max(), *_levels(panel)])
        if not panel.log_y:
            panel.ax.set_ylim(0.9 * panel.rows["value"].min(), 1.2 * highest)
        _exact_tails(panel, lambda row, r: ball_volume(row["dim"], r) * sum(intensities_of(row)))


def _levels(panel: Panel) -> list[float]:
    """Draw the limits of the curves as dashed lines, and return them."""
    levels = []
    for curve in panel.looks.curves(panel.rows):
        dim = curve.rows["dim"].iloc[0]
        level, measured = rule_of(curve.rows).law.level(dim)
        if np.isfinite(level):
            panel.ax.axhline(level, color=curve.color, linestyle="--", lw=0.7, zorder=1)
            panel.notes.key(LIMIT, color="#444444", linestyle="--", lw=0.7)
            panel.notes.say("measured-limits" if measured else "limits", f"{level:.4g} ({dim_name(dim)})")
            levels.append(level)
    return levels


# ---- transitions ----


def transition(rows: pd.DataFrame, layout: FigureLayout) -> None:
    """Draw the unmatched points of both colors and their deviation from the exact values, a panel for each dimension."""
    rows = of(rows, "unmatched_density").dropna(subset="ratio")
    rows = rows.assign(**{name: rows[name] / rows["intensity_0"] for name in (*INTERVAL, "exact", "exact_torus")})
    if rows.empty:
        raise NothingToDraw("there is nothing to draw: no study has two colors")
    exact = rows["exact_torus"].fillna(rows["exact"])
    deviations = rows.assign(quantity="deviation", exact=0.0, **{name: rows[name] - exact for name in INTERVAL})
    aspects = [Aspect("unmatched_density"), *([Aspect("deviation")] if exact.notna().any() else [])]
    both = pd.concat([rows, deviations[exact.notna()]])
    for panel in layout.panels(both, *aspects, by="dim", x="ratio", hue=("color",)):
        panel.bars()
        rho, dim = panel.grid(), panel.rows["dim"].iloc[0]
        if panel.aspect.quantity == "deviation":
            panel.ax.axhline(0, color=EXACT, lw=THIN, zorder=0)
            panel.notes.say("deviation")
        elif panel.rows["dim"].nunique() == 1:
            for part in panel.known("rule", "color"):
                rule, color = rule_of(part), int(part["color"].iloc[0])
                curve = rule.law.unmatched_curve(rho, dim, color) * (1, rho)[color]
                rules = str(part["rule"].iloc[0])
                if panel.exact(rho, curve, "infinite-volume", rules, INFINITE_VOLUME) and rule.across:
                    layout.say("difference-of-colors")


# ---- second moments ----

ENDINGS = ("_matched", "_unmatched")  # of quantities
SLOPE = 2  # of the line beside structure factors


def structure_factor(rows: pd.DataFrame, layout: FigureLayout) -> None:
    """Draw structure factors of matched and unmatched points against the length of the wave vector."""
    for panel in _second_moments(rows, layout, "structure_factor"):
        _limits_at_edge(panel, 0)
        x, value = panel.rows["x"], panel.rows["value"]
        if panel.log_x and panel.log_y and value.min() < 0.1:
            ends = np.array([x.min(), min(x.max(), x.min() * math.sqrt(0.3 / value.min()))])
            panel.ax.plot(ends, 2 * value.min() * (ends / ends[0]) ** SLOPE, color="#777777", lw=0.6, zorder=1)
            panel.notes.say("slope-of-structure-factor")


def number_variance(rows: pd.DataFrame, layout: FigureLayout) -> None:
    """Draw number variances of matched and unmatched points over their means against the radius of the ball."""
    for panel in _second_moments(rows, layout, "number_variance"):
        _limits_at_edge(panel, 1)


def _second_moments(rows: pd.DataFrame, layout: FigureLayout, name: str) -> list[Panel]:
    aspects = [Aspect(name + part, "xy") for part in ENDINGS]  # of all points it is known
    rows = of(rows, *(aspect.quantity for aspect in aspects))
    lowest = rows.groupby(["study", "cell", "color", "quantity"])["value"].transform("min")
    rows = rows[rows["below_cutoff"] & (lowest > 0)]  # without lattices, which have peaks only
    panels = [*layout.panels(rows, *aspects, x="x", hue=("dim", "ratio", "rule"), dash=("color",))]
    for panel in panels:
        panel.bars()
    return panels


def _limits_at_edge(panel: Panel, edge: float) -> None:
    """Mark the exact limits of the curves at an edge of the x axis, 0 or 1."""
    which = panel.aspect.quantity.endswith(ENDINGS[1])
    for curve in panel.looks.curves(panel.rows):
        row = curve.rows.iloc[0]
        process, parameters, intensities, dim = process_in(row), parameters_of(row), intensities_of(row), row["dim"]
        if process is None:
            continue
        dispersions = [
            process.structure_factor_of_color(np.zeros(1), dim, intensities, color, **parameters)[0]
            for color in range(len(intensities))
        ]
        limits = rule_of(curve.rows).law.structure_factor_limits(dim, intensities, int(row["color"]), dispersions)
        if limits[which] > 0:
            low, high = panel.ax.get_ylim()
            panel.ax.set_ylim(min(low, limits[which] / 1.1), max(high, limits[which] * 1.1))
            panel.ax.plot(
                edge,
                limits[which],
                "<" if edge else ">",
                transform=panel.ax.get_yaxis_transform(),
                color=curve.color,
                clip_on=False,
                zorder=BARS,
            )
            panel.notes.say("limits-at-the-edge")
