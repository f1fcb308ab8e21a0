"""Figures of matchings: tails, transitions and the fussy curve.

Exact curves are from the laws of the rules.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib import rcParams

from ...rules.catalogue import rule_named
from ...theory.volumes import ball_power, ball_volume
from ...utils.errors import BadInput
from ...utils.libraries import pd
from .figure_layout import Aspect, FigureLayout
from .figure_text import color_names, dim_name, intensities_of, intensity_columns, of, ratio_label, rule_of
from .octave_points import draw_octaves
from .panel_elements import INTERVAL, Panel

# ---- tails ----


def _tail_rows(rows: pd.DataFrame, quantity: str, layout: FigureLayout) -> pd.DataFrame:
    """Return the rows of the nearest partner.

    They are of color 0 only if all colors have the same law, whose rows are the same.
    """
    rows = of(rows, quantity).query("order == 0")
    if rows.empty:
        raise BadInput(f"there is nothing to draw: no rows of {quantity}")
    alike = rows["rule"].map({name: _alike(part) for name, part in rows.groupby("rule")}).astype(bool)
    if (alike & (rows["color"] > 0)).any():
        layout.say("Where both colors have the same law, their mean is shown.")
    return rows[~alike | (rows["color"] == 0)]


def _alike(rows: pd.DataFrame) -> bool:
    cells = rows.drop_duplicates(intensity_columns(rows))
    return all(rule_of(rows).law.same_for_colors(intensities_of(cell)) for _, cell in cells.iterrows())


def _exact_tails(panel: Panel, scale: Callable[[Any, np.ndarray], Any] = lambda row, r: 1) -> None:
    """Draw the exact tails that are known along the whole axis, each once, times scale(row, r)."""
    r = panel.grid()
    for rows in panel.known("rule", "dim", *intensity_columns(panel.rows), "color", "order"):
        row = rows.iloc[0]
        place = int(row["color"]), int(row["order"])
        values = rule_of(rows).law.tail(r, row["dim"], intensities_of(row), *place)
        panel.exact(r, values * scale(row, r))


MAX_HUES = 6  # dimensions and ratios of the curves of a panel; with more, each dimension has a panel


def tail(rows: pd.DataFrame, layout: FigureLayout) -> str:
    """Draw :math:`P(X > r)`, a panel for each study, and for each dimension if there are many curves."""
    rows = _tail_rows(rows, "tail", layout)
    aspect = Aspect(xlabel="$r$", ylabel="$P(X > r)$", log="xy")
    hue: tuple[str, ...] = ("dim", "ratio")
    formats: dict[str, Any] = {}
    many = len(rows[["dim", "ratio"]].dropna().drop_duplicates()) > MAX_HUES
    if many and layout.options.panels is None and layout.axes is None:
        rows, hue, formats = layout.by_study_and_dim(rows), ("ratio",), {"study": str}
    for panel in layout.panels(rows, aspect, by="study", x="x", hue=hue, dash=("color",), formats=formats):
        panel.bands()
        panel.ax.set_xlim(max(1e-2, panel.rows["x"].min()), panel.rows["x"].max() * 1.3)
        if panel.ax.get_yscale() == "log":
            panel.ax.set_ylim(panel.rows["value"].min() / 2, 1.5)
        _guides(panel)
        _exact_tails(panel)
    return "Probability that the partner of a typical point is farther than $r$ (unmatched: infinitely far)."


def _guides(panel: Panel) -> None:
    """Draw the slope of a moment that is infinite for each dimension, and the fractions of unmatched points.

    The slope is -p if E X^p is the lowest moment that is known to be infinite.
    """
    is_poisson = (panel.rows["process"] != "").all()  # not for one matching, whose points may be any
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
            panel.layout.say("Dashed: the fraction of unmatched points in infinite volume.")
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
        panel.layout.say("Gray lines, with their slopes $-p$: $E X^p$ is infinite.")


def scaled_tail(rows: pd.DataFrame, layout: FigureLayout) -> str:
    """Draw the tail times the expected number of points within :math:`r`.

    There is a panel for each study.
    """
    rows = _tail_rows(rows, "scaled_tail", layout)
    rows = rows[
        rows["below_cutoff"] & (rows["x"] >= 0.5 * rows[intensity_columns(rows)].sum(axis=1) ** (-1 / rows["dim"]))
    ]
    aspect = Aspect(xlabel="$r$", ylabel="$V(r)\\,P(X > r)$", log="x")
    for panel in layout.panels(rows, aspect, by="study", x="x", hue=("dim", "ratio"), dash=("color",)):
        panel.bands()
        panel.ax.set_xlim(panel.rows["x"].min(), panel.rows["x"].max() * 1.3)
        highest = max([panel.rows["value"].max(), *_levels(panel)])
        if panel.ax.get_yscale() == "linear":
            panel.ax.set_ylim(0.9 * panel.rows["value"].min(), 1.2 * highest)
        _exact_tails(panel, _points_within)
    lead = (
        "The tail of the partner distance times $V(r)$, the expected number of points in a ball of radius $r$; "
        "only distances below the cutoff of the torus are shown."
    )
    bounded = "For one color it is bounded in every $d$ (Holroyd, Pemantle, Peres, Schramm)."
    return f"{lead} {bounded}" if (rows["rule"] == "one-color").any() else lead


# Of an exact and of a measured limit: dash, entry of the legend, and words of the caption.
LIMITS: tuple[tuple[Any, str, str], ...] = (
    ("--", "limit", "Dashed: the exact limits,"),
    ("-.", "limit, measured by this program", "Dash-dotted: limits measured by this program,"),
)


def _levels(panel: Panel) -> list[float]:
    """Draw the limits of the curves as lines, and return them.

    They are dashed if they are exact, dash-dotted if they are measured.
    """
    levels = []
    for curve in panel.looks.curves(panel.rows):
        dim = curve.rows["dim"].iloc[0]
        level, measured = rule_of(curve.rows).law.level(dim)
        if np.isfinite(level):
            dash, label, fact = LIMITS[measured]
            panel.ax.axhline(level, color=curve.color, linestyle=dash, lw=0.7, zorder=1)
            panel.layout.key(label, color="#444444", linestyle=dash, lw=0.7)
            panel.layout.say(fact, f"{level:.4g} ({dim_name(dim)})")
            levels.append(level)
    return levels


def _points_within(row: Any, r: np.ndarray) -> np.ndarray:
    """Return the expected number of points in a ball of radius r."""
    return ball_volume(row["dim"], r) * sum(intensities_of(row))


# ---- transitions ----


def transition(rows: pd.DataFrame, layout: FigureLayout) -> str:
    """Draw the unmatched points of both colors against the ratio, a panel for each dimension."""
    rows = of(rows, "unmatched_density").dropna(subset="ratio")
    rows = rows.assign(**{name: rows[name] / rows["intensity_0"] for name in (*INTERVAL, "exact")})
    if rows.empty:
        raise BadInput("there is nothing to draw: no study has two colors")
    first, second = color_names(rows)
    aspect = Aspect(xlabel=ratio_label(rows), ylabel=f"unmatched points / {first} points")
    for panel in layout.panels(rows, aspect, by="dim", x="ratio", hue=("color",)):
        panel.bars()
        rho, dim = panel.grid(), panel.rows["dim"].iloc[0]
        if panel.rows["dim"].nunique() > 1:
            continue
        for part in panel.known("rule", "color"):
            rule, color = rule_of(part), int(part["color"].iloc[0])
            curve = rule.law.unmatched_curve(rho, dim, color) * (1, rho)[color]
            fact = "Dotted: infinite volume,", str(part["rule"].iloc[0])
            if panel.exact(rho, curve, *fact, label="infinite volume") and rule.across:
                layout.say(EXCESS)
    return (
        f"Stable matching of points of intensities $\\alpha$ ({first}) and $\\beta$ ({second}): intensity of the unmatched points "
        "of each color, divided by $\\alpha$, against $\\rho = \\beta/\\alpha$."
    )


EXCESS = (
    "Two colors: $|1 - \\rho|$ for the majority and 0 for the minority (Deijfen, Holroyd, Martin, Thm 8); "
    "the corner at ratio 1 sharpens as the torus grows."
)


# ---- the fussy curve ----

FUSSY = (
    "Fussy matching: $\\rho$ red points for each green one, no red-red pair. Whether red points stay unmatched for every "
    "$\\rho > 0$ in fixed $d \\ge 2$ is an open problem (Deijfen, Holroyd and Martin, sec. 3.3). "
)


def reference_rows(rows: pd.DataFrame, quantity: str) -> pd.DataFrame:
    """Return the rows of a quantity for the reference color of the rule.

    Their column `converged` is whether size_converged is not 0.
    """
    limited = of(rows, "size_converged").query("value == 0")
    rows = of(rows, quantity).dropna(subset="ratio")
    if rows.empty:
        raise BadInput(f"there is nothing to draw: no rows of {quantity} with two colors")
    rows = rows[rows["color"] == rows["rule"].map(lambda name: rule_named(name).reference_color)]
    cells = pd.MultiIndex.from_frame(rows[["study", "cell"]])
    return rows.assign(converged=~cells.isin(pd.MultiIndex.from_frame(limited[["study", "cell"]])))


def exact_unmatched(
    panel: Panel, power: float, scale: Callable[[Any, Any], Any], always: tuple[float, ...] = ()
) -> None:
    """Draw scale(u, rho) against rho^power for the dimensions with a known u.

    The dimensions are those in the rows and those in `always`.
    """
    at = panel.grid()
    at = at[at > 0]
    rho = at ** (1 / power)
    for _, rows in panel.rows.groupby("rule", sort=False):
        law, color = rule_of(rows).law, int(rows["color"].iloc[0])
        for dim in sorted({*rows["dim"][rows["exact"].notna()], *always}):
            name = EXACT_WORDS.get(dim, dim_name(dim))
            panel.exact(at, scale(law.unmatched_curve(rho, dim, color), rho), "Dotted: exact,", name)


EXACT_WORDS = {1.0: "in $d = 1$ (numerical solution)", np.inf: "$u = e^{-1/\\rho}$ in the mean-field model"}


def _bounds(panel: Panel, rows: pd.DataFrame) -> None:
    """Draw a pale bar between bounds of u if both are positive.

    It is from the last (R - G) / rho to the last R / rho up to the cutoff.
    """
    keys = ["study", "cell"]
    red = rows["rule"].map(lambda name: rule_named(name).reference_color)
    tails = of(rows[rows["color"] == red], "tail").query("below_cutoff and order == 0")
    ends = {"low": of(rows, "red_surplus"), "high": tails}
    last = {name: part.sort_values("x").groupby(keys)["value"].last() for name, part in ends.items()}
    both = pd.DataFrame(last).query("0 < low < high")
    if not len(last["low"]) or not len(last["high"]):
        panel.layout.say("Bounds of $u$ are shown for studies that list flow and distances in observables.")
    for curve in panel.looks.curves(panel.rows):
        own = curve.rows.join(both, on=keys, how="inner")
        if len(own):
            panel.ax.vlines(own["ratio"], own["low"], own["high"], color=curve.color, alpha=0.3, lw=3, zorder=2)
            panel.layout.say(
                "Pale bars: the bounds $(R - G)/\\rho$ and $R/\\rho$ of $u$ at the cutoff, if $R > G$ there."
            )


RARE, RAREST = 1e-4, 1e-8  # if u is below RARE, the axis reaches down to RAREST, with the known curves


def fussy(rows: pd.DataFrame, layout: FigureLayout) -> str:
    r"""Draw the unmatched fraction of red points against :math:`\rho`."""
    red = reference_rows(rows, "unmatched_fraction")
    labels = ratio_label(red), "$u(\\rho)$, red points unmatched"
    for panel in layout.panels(red, Aspect("linear", *labels), Aspect("logarithmic", *labels, "y"), x="ratio"):
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
    return f"{FUSSY}Unmatched fraction $u$ of red points."


def fussy_log(rows: pd.DataFrame, layout: FigureLayout) -> str:
    r"""Draw :math:`\ln(1/u)` against :math:`1/\rho` and :math:`1/\sqrt{\rho}`."""
    red = reference_rows(rows, "log_inverse_unmatched")
    if (reference_rows(rows, "unmatched_fraction")["value"] == 0).any():
        layout.say("Tori without unmatched red points have no mark.")
    powers = {"$1/\\rho$": -1.0, "$1/\\sqrt{\\rho}$": -0.5}
    red = red.assign(**{name: red["ratio"] ** power for name, power in powers.items()})
    for panel in layout.panels(red, *(Aspect(f"against {x}", x, "$\\ln(1/u)$", x=x) for x in powers), x="ratio"):
        power = powers[panel.x]
        panel.bars()
        draw_octaves(panel, rows, lambda ratio, power=power: ratio**power, lambda log_u, ratio: -log_u)  # type: ignore[misc]
        exact_unmatched(panel, power, lambda u, ratio: -np.log(u))
    return f"{FUSSY}Logarithm of $1/u$, with the unmatched fraction $u$ of red points, against {' and '.join(powers)}."
