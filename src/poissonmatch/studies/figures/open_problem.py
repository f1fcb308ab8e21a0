"""Figures of the open problem of fussy matchings.

They show flow, response, fitted laws, and finite-size effects.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...theory.finite_size import MIN_UNMATCHED
from ...theory.scaling_laws import FIRST_A, LAWS, WINDOWS
from ...theory.volumes import is_mean_field
from ...utils.errors import BadInput
from ...utils.libraries import pd
from .figure_layout import Aspect, FigureLayout
from .figure_text import dim_name, of, rule_of
from .matchings import exact_unmatched, reference_rows
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
        layout.say("The largest tori are shown.")
    return largest.assign(study=", ".join(dict.fromkeys(largest["study"])))


# ---- the flow ----


def collapse(rows: pd.DataFrame, layout: FigureLayout) -> str:
    r"""Draw :math:`(d \ln \epsilon / d \ln V)^2` against :math:`\epsilon - \rho`.

    There is a panel for each dimension.
    """
    keys = ["study", "cell", "x"]
    excess = of(rows, "ratio_excess").rename(columns={"value": "at", "exact": "exact_at"})
    slope = of(rows, "ratio_slope").merge(excess[[*keys, "at", "exact_at"]], "left", on=keys)
    clear = (slope["value"] > 0) & ~(slope["standard_error"] > CLEAR * slope["value"])
    slope = _largest(slope[clear & (slope["at"] > 0)], ["dim", "ratio"], layout)
    slope = slope.assign(**{name: slope[name].clip(lower=0) ** 2 for name in (*INTERVAL, "exact")})
    aspect = Aspect(xlabel="$\\epsilon - \\rho$", ylabel="$(d \\ln \\epsilon / d \\ln V)^2$", log="xy")
    for panel in layout.panels(slope, aspect, by="dim", x="at", hue=("ratio",), shade=()):
        panel.bands()
        for part in panel.known("cell"):
            part = part[part["exact_at"] > 0].sort_values("exact_at")
            panel.exact(part["exact_at"], part["exact"])
        at, limits = panel.grid(), panel.ax.get_ylim()
        panel.ax.plot(at, 4 * FIRST_A * at, "--", color="#666666", lw=0.7, zorder=1)
        panel.ax.set_ylim(*limits)
    layout.say("Dashed: $y = 4 a_1 x$, the formal law of $d = 1$ as $\\rho$ falls.")
    return (
        "The flow of fussy matchings: $\\epsilon$ is the number of red over that of green points whose partner is farther than $r$, "
        "$V$ the expected number of green points within $r$. With a threshold, $y$ would tend to 0 at some $x > 0$."
    )


# ---- the response ----


def response(rows: pd.DataFrame, layout: FigureLayout) -> str:
    """Draw :math:`Y` and its slope against :math:`V`."""
    rows = _largest(of(rows, "response", "response_slope"), ["dim"], layout)
    aspects = (
        Aspect("the response", "$V$", "$Y(V)$", "x", "response"),
        Aspect("its slope", "$V$", "$d Y / d \\ln V$", "x", "response_slope"),
    )
    for panel in layout.panels(rows, *aspects, x="x", shade=()):
        panel.bands()
        at, exact = panel.grid(), rule_of(panel.rows).law.response
        for dim in sorted({*panel.rows["dim"][panel.rows["exact"].notna()], np.inf}):
            if panel.aspect.quantity == "response":
                values = exact(at, dim)
            else:
                values = (exact(2 * at, dim) - exact(at / 2, dim)) / np.log(4)
            name = "$\\ln(1 + V)$ and its slope in the mean field" if is_mean_field(dim) else dim_name(dim)
            panel.exact(at, values, "Dotted: exact,", name)
    return (
        "The response of one-color matchings: $Y = P(X \\le r < X') / P(X > r)$, where $X$ is the partner distance of a point, $X'$ its "
        "partner distance if its own pair alone is forbidden, and $V$ the expected number of points within $r$."
    )


# ---- the laws ----


def laws(rows: pd.DataFrame, layout: FigureLayout) -> str:
    r"""Draw :math:`\sqrt{\rho} \, \ln(1/u)` against :math:`\sqrt{\rho}`.

    The fitted law and the constants at 0 are drawn as well.
    """
    converged = of(rows, "size_converged").query("value == 1")
    red = reference_rows(rows, "log_inverse_unmatched")
    red = red[red["cell"].isin(converged["cell"])]
    if (vague := red["standard_error"] > VAGUE * red["value"]).any() and not vague.all():
        layout.say(f"Ratios at which $\\ln(1/u)$ has a relative error above {VAGUE:g} are left out.")
        red = red[~vague]
    red = _largest(red, ["dim", "ratio"], layout)
    root = np.sqrt(red["ratio"])
    red = red.assign(at=root, **{name: root * red[name] for name in (*INTERVAL, "exact")})
    aspect = Aspect(xlabel="$\\sqrt{\\rho}$", ylabel="$\\sqrt{\\rho} \\, \\ln(1/u)$")
    for panel in layout.panels(red, aspect, x="at", shade=()):
        panel.bars(join=False)
        draw_octaves(panel, rows, np.sqrt, lambda log_u, ratio: -np.sqrt(ratio) * log_u)
        if panel.ax.get_xscale() == "linear":
            panel.ax.set_xlim(left=-0.02)
        if layout.second is not None:
            _fitted(panel, layout.second[layout.second["data"] == "measured"])
        panel.limit_to_marks()
        exact_unmatched(panel, 0.5, lambda u, ratio: -np.sqrt(ratio) * np.log(u))
    return (
        "Fussy matching: $u$, the fraction of the red points that have no partner, where it is converged. "
        "Formally $\\ln(1/u)$ is about $C_d / \\sqrt{\\rho}$ as $\\rho$ falls, so that the curves tend to $C_d$."
    )


def _fitted(panel: Panel, laws: pd.DataFrame) -> None:
    """Draw the law fitted to u, and its constant and that of Y at 0."""
    law, layout = LAWS[FITTED], panel.layout
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
            layout.say(f"Dashed: ${law.latex}$ fitted; open circle at 0: its $C_d$.")
        if (of_y := (dim, FROM_Y, WINDOW_Y, "C_d")) in fits.index:
            _constant(panel, fits.loc[of_y], color, "D")
            window = WINDOW_Y.replace(">=", r"\ge")
            layout.say(
                f"Open diamonds: $C_d$ from the response, ${LAWS[FROM_Y].latex}$, $l = \\ln V$, fitted where ${window}$."
            )


def _constrained(row: Any) -> bool:
    """Return whether an interval of C_d is shorter than its value."""
    return bool(row["upper"] - row["lower"] < row["value"])


def _constant(panel: Panel, row: Any, color: str, marker: str) -> None:
    """Draw an estimate of C_d at 0, with an entry of the legend, if the data constrain it."""
    if not _constrained(row):
        panel.layout.say("Not drawn: a $C_d$ whose interval is longer than its value.")
        return
    label, place = ("$C_d$ from $Y$", -0.006) if marker == "D" else ("$C_d$ from $u$", 0.006)  # side by side
    panel.layout.key(label, color="#444444", marker=marker, mfc="white", linestyle="none")
    panel.errorbars(place, row[list(INTERVAL)], color, fmt=marker, mfc="white", zorder=4)


# ---- the size of a torus ----


def finite_size(rows: pd.DataFrame, layout: FigureLayout) -> str:
    """Draw the ratio of :math:`u` on small tori to :math:`u` on the largest torus.

    It is drawn against the number :math:`m` of unmatched red points that the latter implies.
    """
    red = reference_rows(rows, "unmatched_fraction").drop(columns="converged")  # which the figure itself shows
    keys = ["rule", "dim", "ratio"]
    red = red.sort_values("size", kind="stable").drop_duplicates([*keys, "size"])
    last = red.drop_duplicates(keys, keep="last")[[*keys, *INTERVAL, "size"]]
    red = red.merge(last, "left", on=keys, suffixes=("", "_last"))
    red = red[red["size"] < red["size_last"]]
    if red.empty:
        raise BadInput("there is nothing to draw: no ratio has tori of two sizes")
    if (unclear := (red["value_last"] == 0) | (red["lower_last"] <= 0)).any():
        layout.say("Ratios at which the interval of $u(N_{max})$ reaches down to 0 are left out.")
        red = red[~unclear]
    if red.empty:
        raise BadInput(
            "there is nothing to draw: on the largest tori the interval of u reaches down to 0 at every ratio"
        )
    reds = red["size"] * red["ratio"] / (1 + red["ratio"])
    top, bottom = ([red[f"{name}{suffix}"] for name in INTERVAL] for suffix in ("", "_last"))
    lower, upper = quotient_interval(top, bottom)
    red = red.assign(value=red["value"] / red["value_last"], lower=lower, upper=upper, at=red["value_last"] * reds)
    red = red.assign(study=", ".join(dict.fromkeys(red["study"])))
    aspect = Aspect(xlabel="$m$, expected unmatched red points on a torus", ylabel="$u(N) / u(N_{max})$", log="x")
    for panel in layout.panels(red, aspect, x="at", shade=("ratio",)):
        panel.bars()
        panel.ax.axhline(1.0, color="#666666", lw=0.7, zorder=1)
        if panel.ax.get_xlim()[0] < MIN_UNMATCHED < panel.ax.get_xlim()[1]:
            panel.ax.axvline(MIN_UNMATCHED, color="#666666", linestyle="--", lw=0.7, zorder=1)
            layout.say(f"Dashed: $m = {MIN_UNMATCHED:g}$, the threshold of convergence.")
    layout.say("The bars include the error of $u(N_{max})$, which is common to all points of a curve.")
    return (
        "Fraction $u(N)$ of the red points that have no partner on tori of $N$ points, over that on the largest ones, against the number "
        "$m$ of such points that is expected on a torus of $N$ points from $u(N_{max})$."
    )


def quotient_interval(top: Sequence[Any], bottom: Sequence[Any]) -> tuple[np.ndarray, np.ndarray]:
    """Return the 95 % interval of a quotient of independent estimates.

    Each estimate is given as value, lower and upper end.

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
