"""Figures of matchings, with exact curves from the laws of the rules: tails, transitions and the fussy curve."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib import rcParams

from ...theory.volumes import ball_power, ball_volume
from ...utils.libraries import pd
from .figure_layout import Aspect, FigureLayout
from .figure_rows import (
    intensities_of,
    intensity_columns,
    max_distance_of,
    max_distances,
    of,
    of_reference_color,
    reference_rows,
    rule_of,
    total_intensity,
)
from .figure_text import INFINITE_VOLUME, LIMIT, MEASURED_LIMIT, curve_name, dim_name
from .kinds import NothingToDraw
from .octave_points import draw_octaves
from .panel_elements import INTERVAL, THIN, Panel
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
        if panel.ax.get_yscale() == "log":
            panel.ax.set_ylim(panel.rows["value"].min() / 2, 1.5)
        _guides(panel)
        _exact_tails(panel)


def _guides(panel: Panel) -> None:
    """Draw the slope -p of the lowest moment E X^p known to be infinite, and the fractions of unmatched points."""
    is_poisson = (panel.rows["process"] != "").all() and not max_distances(panel.rows)  # "": of any points
    if panel.ax.get_xscale() != "log" or panel.ax.get_yscale() != "log" or not is_poisson:
        return
    shown: set[tuple[float, float]] = set()
    for curve in panel.looks.curves(panel.rows):
        first = curve.rows.iloc[0]
        law, dim = rule_of(curve.rows).law, float(first["dim"])
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
        note: Any = {"color": "#555555", "fontsize": rcParams["legend.fontsize"], "ha": "right", "va": "top"}
        box = {"facecolor": "white", "edgecolor": "none", "pad": 0.3}
        panel.ax.annotate(f"${-slope:g}$", (np.sqrt(x.prod()), np.sqrt(y.prod())), bbox=box, **note)
        panel.notes.say("slopes")


def scaled_tail(rows: pd.DataFrame, layout: FigureLayout) -> None:
    """Draw the tail times the expected number of points within :math:`r`, a panel for each study."""
    rows = _tail_rows(rows, "scaled_tail", layout)
    rows = rows[rows["below_cutoff"] & (rows["x"] >= 0.5 * total_intensity(rows) ** (-1 / rows["dim"]))]
    rows = rows[rows["x"] <= rows["process"].map(max_distance_of)]  # where it is that of the whole matching
    aspect = Aspect("scaled_tail", "x")
    for panel in layout.panels(rows, aspect, by="study", x="x", hue=("dim", "ratio"), dash=("color",)):
        panel.bands()
        panel.ax.set_xlim(panel.rows["x"].min(), panel.rows["x"].max() * 1.3)
        highest = max([panel.rows["value"].max(), *_levels(panel)])
        if panel.ax.get_yscale() == "linear":
            panel.ax.set_ylim(0.9 * panel.rows["value"].min(), 1.2 * highest)
        _exact_tails(panel, lambda row, r: ball_volume(row["dim"], r) * sum(intensities_of(row)))


# Of an exact and of a measured limit: dash, entry of the legend, and sentence of the caption.
LIMITS: tuple[tuple[Any, str, str], ...] = (("--", LIMIT, "limits"), ("-.", MEASURED_LIMIT, "measured-limits"))


def _levels(panel: Panel) -> list[float]:
    """Draw the limits of the curves as lines, dashed if exact and dash-dotted if measured, and return them."""
    levels = []
    for curve in panel.looks.curves(panel.rows):
        dim = curve.rows["dim"].iloc[0]
        level, measured = rule_of(curve.rows).law.level(dim)
        if np.isfinite(level):
            dash, label, fact = LIMITS[measured]
            panel.ax.axhline(level, color=curve.color, linestyle=dash, lw=0.7, zorder=1)
            panel.notes.key(label, color="#444444", linestyle=dash, lw=0.7)
            panel.notes.say(fact, f"{level:.4g} ({dim_name(dim)})")
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


# ---- the fussy curve ----


def exact_unmatched(
    panel: Panel, power: float, scale: Callable[[Any, Any], Any], always: tuple[float, ...] = ()
) -> None:
    """Draw scale(u, rho) against rho^power for the dimensions in the rows with a known u, and those in `always`."""
    at = panel.grid()
    at = at[at > 0]
    rho = at ** (1 / power)
    for _, rows in panel.rows.groupby("rule", sort=False):
        law, color = rule_of(rows).law, int(rows["color"].iloc[0])
        for dim in sorted({*rows["dim"][rows["exact"].notna()], *always}):
            name = curve_name("unmatched_fraction", dim)
            panel.exact(at, scale(law.unmatched_curve(rho, dim, color), rho), "exact-curves", name)


def _bounds(panel: Panel, rows: pd.DataFrame) -> None:
    """Draw a pale bar between the bounds (R - G) / rho and R / rho of u at the cutoff, if both are positive."""
    keys = ["study", "cell"]
    tails = of(rows[of_reference_color(rows)], "tail").query("below_cutoff and order == 0")
    ends = {"low": of(rows, "red_surplus"), "high": tails}
    last = {name: part.sort_values("x").groupby(keys)["value"].last() for name, part in ends.items()}
    both = pd.DataFrame(last).query("0 < low < high")
    for curve in panel.looks.curves(panel.rows):
        own = curve.rows.join(both, on=keys, how="inner")
        if len(own):
            panel.ax.vlines(own["ratio"], own["low"], own["high"], color=curve.color, alpha=0.3, lw=3, zorder=2)
            panel.notes.say("bounds")


RARE, RAREST = 1e-4, 1e-8  # if u is below RARE, the axis reaches down to RAREST, with the known curves


def fussy(rows: pd.DataFrame, layout: FigureLayout) -> None:
    r"""Draw the unmatched fraction of red points against :math:`\rho`."""
    red = reference_rows(rows, "unmatched_fraction")
    aspects = (Aspect("unmatched_fraction", log, texts=texts) for texts, log in (("linear", ""), ("logarithmic", "y")))
    for panel in layout.panels(red, *aspects, x="ratio"):
        panel.bars(join=panel.ax.get_yscale() == "linear")
        if panel.ax.get_xscale() == "linear":
            panel.ax.set_xlim(left=max(0, panel.ax.get_xlim()[0]))
        _bounds(panel, rows)
        added = draw_octaves(panel, rows, lambda ratio: ratio, lambda log_u, ratio: np.exp(log_u))
        least = min([panel.rows["value"].min(), *np.exp(added["log_u"])])
        rare = panel.ax.get_yscale() == "log" and least < RARE
        if rare:
            panel.ax.set_ylim(bottom=min(RAREST, least / 10))
        exact_unmatched(panel, 1, lambda u, ratio: u, always=(1.0, np.inf) if rare else ())


def fussy_log(rows: pd.DataFrame, layout: FigureLayout) -> None:
    r"""Draw :math:`\ln(1/u)` against :math:`1/\rho` and :math:`1/\sqrt{\rho}`."""
    red = reference_rows(rows, "log_inverse_unmatched")
    if (reference_rows(rows, "unmatched_fraction")["value"] == 0).any():
        layout.say("no-unmatched-points")
    powers = {"inverse": -1.0, "inverse_root": -0.5}
    red = red.assign(**{name: red["ratio"] ** power for name, power in powers.items()})
    for panel in layout.panels(red, *(Aspect("log_inverse_unmatched", x=x, texts=x) for x in powers), x="ratio"):
        power = powers[panel.x]
        panel.bars()
        draw_octaves(panel, rows, lambda ratio, power=power: ratio**power, lambda log_u, ratio: -log_u)  # type: ignore[misc]
        exact_unmatched(panel, power, lambda u, ratio: -np.log(u))
