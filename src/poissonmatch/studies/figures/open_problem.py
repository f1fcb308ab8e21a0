"""Figures of the open problem of fussy matchings: flow, response, fitted laws, and finite-size effects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...theory.finite_size import MIN_UNMATCHED
from ...theory.scaling_laws import FIRST_A, LAWS, WINDOWS
from ...utils.libraries import pd
from .figure_layout import Aspect, FigureLayout
from .figure_rows import of, reference_rows, rule_of
from .figure_text import CONSTANT_FROM_U, CONSTANT_FROM_Y, curve_name
from .kinds import NothingToDraw
from .matchings import exact_unmatched
from .octave_points import draw_octaves
from .panel_elements import INTERVAL, Panel

VAGUE = 0.1  # relative error of ln(1/u) above which a ratio is left out of the figure of the laws
CLEAR = 0.5  # relative error above which points of the flow are left out
# Windows in the figure of the laws: all rho for u, V >= 16 for Y.
FITTED, FROM_Y = "inverse root", "square"
WINDOW, WINDOW_Y = WINDOWS[0].words, WINDOWS[3].words


def _largest(rows: pd.DataFrame, keys: list[str], layout: FigureLayout) -> pd.DataFrame:
    """Return the rows of the largest torus for each value of these columns, as one study."""
    keys = ["rule", *keys]
    largest = rows[rows["size"] == rows.groupby(keys)["size"].transform("max")]
    largest = largest.drop_duplicates([*keys, "quantity", "x", "color"])
    if len(largest) < len(rows):
        layout.say("largest-tori")
    return largest.assign(study=", ".join(dict.fromkeys(largest["study"])))


# ---- the flow ----


def collapse(rows: pd.DataFrame, layout: FigureLayout) -> None:
    r"""Draw :math:`(d \ln \epsilon / d \ln V)^2` against :math:`\epsilon - \rho`, a panel for each dimension."""
    keys = ["study", "cell", "x"]
    excess = of(rows, "ratio_excess").rename(columns={"value": "at", "exact": "exact_at"})
    slope = of(rows, "ratio_slope").merge(excess[[*keys, "at", "exact_at"]], "left", on=keys)
    clear = (slope["value"] > 0) & ~(slope["standard_error"] > CLEAR * slope["value"])
    slope = _largest(slope[clear & (slope["at"] > 0)], ["dim", "ratio"], layout)
    slope = slope.assign(**{name: slope[name].clip(lower=0) ** 2 for name in (*INTERVAL, "exact")})
    for panel in layout.panels(slope, Aspect("ratio_slope", "xy"), by="dim", x="at", hue=("ratio",), shade=()):
        panel.bands()
        for part in panel.known("cell"):
            part = part[part["exact_at"] > 0].sort_values("exact_at")
            panel.exact(part["exact_at"], part["exact"])
        at, limits = panel.grid(), panel.ax.get_ylim()
        panel.ax.plot(at, 4 * FIRST_A * at, "--", color="#666666", lw=0.7, zorder=1)
        panel.ax.set_ylim(*limits)
    layout.say("formal-law")


# ---- the response ----


def response(rows: pd.DataFrame, layout: FigureLayout) -> None:
    """Draw :math:`Y` and its slope against :math:`V`."""
    rows = _largest(of(rows, "response", "response_slope"), ["dim"], layout)
    for panel in layout.panels(rows, Aspect("response", "x"), Aspect("response_slope", "x"), x="x", shade=()):
        panel.bands()
        at, exact = panel.grid(), rule_of(panel.rows).law.response
        for dim in sorted({*panel.rows["dim"][panel.rows["exact"].notna()], np.inf}):
            if panel.aspect.quantity == "response":
                values = exact(at, dim)
            else:
                values = (exact(2 * at, dim) - exact(at / 2, dim)) / np.log(4)
            panel.exact(at, values, "exact-curves", curve_name("response", dim))


# ---- the laws ----


def laws(rows: pd.DataFrame, layout: FigureLayout) -> None:
    r"""Draw :math:`\sqrt{\rho} \, \ln(1/u)` against :math:`\sqrt{\rho}`, the fitted law, and the constants at 0."""
    converged = of(rows, "size_converged").query("value == 1")
    red = reference_rows(rows, "log_inverse_unmatched")
    red = red[red["cell"].isin(converged["cell"])]
    if (vague := red["standard_error"] > VAGUE * red["value"]).any() and not vague.all():
        layout.say("vague", error=f"{VAGUE:g}")
        red = red[~vague]
    red = _largest(red, ["dim", "ratio"], layout)
    root = np.sqrt(red["ratio"])
    red = red.assign(at=root, **{name: root * red[name] for name in (*INTERVAL, "exact")})
    for panel in layout.panels(red, Aspect("log_inverse_unmatched"), x="at", shade=()):
        panel.bars(join=False)
        draw_octaves(panel, rows, np.sqrt, lambda log_u, ratio: -np.sqrt(ratio) * log_u)
        if panel.ax.get_xscale() == "linear":
            panel.ax.set_xlim(left=-0.02)
        if layout.second is not None:
            _fitted(panel, layout.second[layout.second["data"] == "measured"])
        panel.limit_to_marks()
        exact_unmatched(panel, 0.5, lambda u, ratio: -np.sqrt(ratio) * np.log(u))


def _fitted(panel: Panel, laws: pd.DataFrame) -> None:
    """Draw the law fitted to u, and its constant and that of Y at 0."""
    law, notes = LAWS[FITTED], panel.notes
    fits: Any = laws.set_index(["dim", "fit", "window", "parameter"]).sort_index()
    for dim, color in panel.color_of_dim().items():
        if (dim, FITTED, WINDOW) in fits.index:
            of_u = fits.loc[dim, FITTED, WINDOW]
            own = panel.rows[panel.rows["dim"] == dim]["at"]
            first = 1e-4 if _constrained(of_u.loc["C_d"]) else own.min()
            at = np.linspace(first, panel.ax.get_xlim()[1], 200)
            values = at * law.function(at**2, *of_u["value"][list(law.parameters)])
            panel.ax.plot(at, values, "--", color=color, lw=0.8, zorder=1.5)
            _constant(panel, of_u.loc["C_d"], color, "o")
            notes.say("fitted-law", law=law.latex)
        if (of_y := (dim, FROM_Y, WINDOW_Y, "C_d")) in fits.index:
            _constant(panel, fits.loc[of_y], color, "D")
            notes.say("fitted-response", law=LAWS[FROM_Y].latex, window=WINDOW_Y.replace(">=", r"\ge"))


def _constrained(row: Any) -> bool:
    """Return whether an interval of C_d is shorter than its value."""
    return bool(row["upper"] - row["lower"] < row["value"])


def _constant(panel: Panel, row: Any, color: str, marker: str) -> None:
    """Draw an estimate of C_d at 0, with an entry of the legend, if the data constrain it."""
    if not _constrained(row):
        panel.notes.say("long-interval")
        return
    label, at = (CONSTANT_FROM_Y, -0.006) if marker == "D" else (CONSTANT_FROM_U, 0.006)  # side by side
    panel.notes.key(label, color="#444444", marker=marker, mfc="white", linestyle="none")
    panel.errorbars(at, row[list(INTERVAL)], color, fmt=marker, mfc="white", zorder=4)


# ---- the size of a torus ----


def finite_size(rows: pd.DataFrame, layout: FigureLayout) -> None:
    """Draw :math:`u` over that of the largest torus, against the unmatched red points that the latter implies."""
    red = reference_rows(rows, "unmatched_fraction").drop(columns="converged")  # which the figure itself shows
    keys = ["rule", "dim", "ratio"]
    red = red.sort_values("size", kind="stable").drop_duplicates([*keys, "size"])
    last = red.drop_duplicates(keys, keep="last")[[*keys, *INTERVAL, "size"]]
    red = red.merge(last, "left", on=keys, suffixes=("", "_last"))
    red = red[red["size"] < red["size_last"]]
    if red.empty:
        raise NothingToDraw("there is nothing to draw: no ratio has tori of two sizes")
    if (unclear := (red["value_last"] == 0) | (red["lower_last"] <= 0)).any():
        layout.say("no-denominator")
        red = red[~unclear]
    if red.empty:
        raise NothingToDraw(
            "there is nothing to draw: on the largest tori the interval of u reaches down to 0 at every ratio"
        )
    reds = red["size"] * red["ratio"] / (1 + red["ratio"])
    top, bottom = ([red[f"{name}{suffix}"] for name in INTERVAL] for suffix in ("", "_last"))
    lower, upper = quotient_interval(top, bottom)
    red = red.assign(value=red["value"] / red["value_last"], lower=lower, upper=upper, at=red["value_last"] * reds)
    red = red.assign(study=", ".join(dict.fromkeys(red["study"])))
    for panel in layout.panels(red, Aspect("unmatched_fraction", "x"), x="at", shade=("ratio",)):
        panel.bars()
        panel.ax.axhline(1.0, color="#666666", lw=0.7, zorder=1)
        if panel.ax.get_xlim()[0] < MIN_UNMATCHED < panel.ax.get_xlim()[1]:
            panel.ax.axvline(MIN_UNMATCHED, color="#666666", linestyle="--", lw=0.7, zorder=1)
            layout.say("threshold", m=f"{MIN_UNMATCHED:g}")
    layout.say("common-error")


def quotient_interval(top: Sequence[Any], bottom: Sequence[Any]) -> tuple[np.ndarray, np.ndarray]:
    """Return the 95 % interval of a quotient of independent estimates, given as value, lower and upper end.

    Donner and Zou (2012), Closed-form confidence intervals for functions of the normal mean and
    standard deviation: each end combines the distances of the ends of both intervals. A value of 0
    has an upper end; a denominator that is not above 0 gives nan.
    """
    (a, a_low, a_high), (b, b_low, b_high) = (tuple(np.asarray(x, float) for x in each) for each in (top, bottom))
    b_high = np.minimum(b_high, 1.999 * b)  # of an interval that is longer above than the value
    with np.errstate(invalid="ignore", divide="ignore"):
        below = np.sqrt(np.maximum(0, (a * b) ** 2 - a_low * b_high * (2 * a - a_low) * (2 * b - b_high)))
        above = np.sqrt(np.maximum(0, (a * b) ** 2 - a_high * b_low * (2 * a - a_high) * (2 * b - b_low)))
        lower = np.maximum(0, (a * b - below) / (b_high * (2 * b - b_high)))
        upper = np.where(b_low > 0, (a * b + above) / (b_low * (2 * b - b_low)), np.nan)
    return lower, upper
