"""Figures of the open problem of fussy matchings: u, flow, response, fitted laws, and finite-size effects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...theory.finite_size import MIN_UNMATCHED
from ...theory.scaling_laws import FIRST_A, LAWS, WINDOWS
from ...theory.volumes import is_mean_field
from ...utils.libraries import pd
from .figure_layout import Aspect, FigureLayout
from .figure_rows import of, of_reference_color, reference_rows, rule_of
from .figure_text import CONSTANT_FROM_U, CONSTANT_FROM_Y, curve_name, dim_name
from .kinds import NothingToDraw
from .octave_points import draw_octaves
from .panel_elements import INTERVAL, Panel

VAGUE = 0.1  # relative error of ln(1/u) above which a ratio is left out of the figure of the laws
CLEAR = 0.5  # relative error above which points of the flow are left out
GUIDE: Any = {"color": "#666666", "lw": 0.7, "zorder": 1}  # style of lines that a curve is compared with
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


# ---- the fussy curve ----


def _exact_unmatched(
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
    linear = Aspect("unmatched_fraction", texts="linear")
    logarithmic = Aspect("unmatched_fraction", "y", texts="logarithmic")
    for panel in layout.panels(red, linear, logarithmic, x="ratio"):
        panel.bars(join=not panel.log_y)
        if not panel.log_x:
            panel.ax.set_xlim(left=max(0, panel.ax.get_xlim()[0]))
        _bounds(panel, rows)
        added = draw_octaves(panel, rows, 1, lambda log_u, ratio: np.exp(log_u))
        least = min([panel.rows["value"].min(), *np.exp(added["log_u"])])
        rare = panel.log_y and least < RARE
        if rare:
            panel.ax.set_ylim(bottom=min(RAREST, least / 10))
        _exact_unmatched(panel, 1, lambda u, ratio: u, always=(1.0, np.inf) if rare else ())


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
        draw_octaves(panel, rows, power, lambda log_u, ratio: -log_u)
        _exact_unmatched(panel, power, lambda u, ratio: -np.log(u))


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
        panel.ax.plot(at, 4 * FIRST_A * at, "--", **GUIDE)
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
            style = {"label": dim_name(dim), "color": "#888888"} if is_mean_field(dim) else {}
            panel.exact(at, values, "exact-curves", curve_name("response", dim), **style)


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
        draw_octaves(panel, rows, 0.5, lambda log_u, ratio: -np.sqrt(ratio) * log_u)
        if not panel.log_x:
            panel.ax.set_xlim(left=-0.02)
        if layout.second is not None:
            _fitted(panel, layout.second[layout.second["data"] == "measured"])
        panel.limit_to_marks()
        _exact_unmatched(panel, 0.5, lambda u, ratio: -np.sqrt(ratio) * np.log(u))


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
    return row["upper"] - row["lower"] < row["value"]


def _constant(panel: Panel, row: Any, color: str, marker: str) -> None:
    """Draw an estimate of C_d at 0, with an entry of the legend, if the data constrain it."""
    if not _constrained(row):
        panel.notes.say("long-interval")
        return
    label, at = (CONSTANT_FROM_Y, -0.006) if marker == "D" else (CONSTANT_FROM_U, 0.006)  # side by side
    panel.notes.key(label, color="#444444", marker=marker, mfc="white")
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
    red = red.assign(
        value=red["value"] / red["value_last"],
        lower=lower,
        upper=upper,
        at=red["value_last"] * reds,
        study=", ".join(dict.fromkeys(red["study"])),
    )
    for panel in layout.panels(red, Aspect("unmatched_fraction", "x"), x="at", shade=("ratio",)):
        panel.bars()
        panel.ax.axhline(1.0, **GUIDE)
        if panel.ax.get_xlim()[0] < MIN_UNMATCHED < panel.ax.get_xlim()[1]:
            panel.ax.axvline(MIN_UNMATCHED, linestyle="--", **GUIDE)
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
