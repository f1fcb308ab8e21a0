"""Figures of the matchings: pictures of points, tails, transitions, the fussy curve. Nothing is computed that is no column."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from .canvas import PALETTE, STROKES, band, error_bars, largest, panels, point_color
from .words import BANDS, BARS, INTERVALS, dim_name, process_names, ratio_label, replicates, rule_of

# ---- realisations --------------------------------------------------------------------------------------


def realisation(rows: pd.DataFrame) -> tuple[Figure, str]:
    """Points and partners of replicate 0, a panel for each cell."""
    cells = list(rows.groupby(["study", "cell"], sort=False))
    figure, axes = panels(len(cells), 4.0, 4.2)
    for ax, (_, cell) in zip(axes, cells, strict=True):
        _one_realisation(ax, cell)
    return figure, (
        "One realisation of each rule on a torus, partners joined the short way round: a line that leaves the square comes "
        "back on the opposite side. Open circles: points without a partner. Where points have several partners the color of a line says "
        "which: nearest (black), second (red), third (blue); for labels the label 0, 1, 2."
    )


def _one_realisation(ax: Axes, cell: pd.DataFrame) -> None:
    side, rule, flat = cell["side"].iloc[0], rule_of(cell), cell["dim"].iloc[0] == 1
    points = cell.drop_duplicates("point").set_index("point")
    here = cell[["x", "y"]].to_numpy()
    joined = cell["partner"].to_numpy() >= 0
    there = points.loc[cell["partner"][joined], ["x", "y"]].to_numpy()
    step = there - here[joined]
    step -= side * np.round(step / side)  # the short way round; it is drawn from either end, and the axes clip it
    shades = (
        [("#000000", "#D55E00", "#0072B2", *PALETTE[2:])[k % 8] for k in cell["order"][joined]]
        if rule.width > 1
        else "#555555"
    )
    if flat:
        arc = np.linspace(0, np.pi, 40)
        start, width = here[joined][:, :1], step[:, :1]
        lines = np.stack([start + width * (1 - np.cos(arc)) / 2, np.abs(width) / 2 * np.sin(arc)], axis=2)
        ax.set_ylim(-0.05 * side, np.abs(step[:, 0]).max(initial=0.0) / 2 + 0.05 * side)
        ax.set_yticks([])
    else:
        lines = np.stack([here[joined], here[joined] + step], axis=1)
        ax.set_ylim(0, side)
        ax.set_aspect("equal")
    ax.add_collection(LineCollection(list(lines), colors=shades, linewidths=0.9, zorder=1))
    alone = cell.groupby("point")["partner"].max() < 0
    size = float(np.clip(4000 / len(points), 2, 18))
    for color in range(max(2, rule.n_colors, int(points["color"].max()) + 1)):
        mine, shade = points["color"] == color, point_color(rule, color)
        dots, rings = points[mine & ~alone], points[mine & alone]
        ax.scatter(dots["x"], dots["y"], s=size, color=shade, zorder=2, linewidths=0)
        ax.scatter(rings["x"], rings["y"], s=3 * size, facecolors="none", edgecolors=shade, linewidths=1.4, zorder=3)
    ax.set_xlim(0, side)
    ax.grid(False)
    ax.set_title(f"{cell['rule'].iloc[0]}: {len(points)} points, {int(alone.sum())} unmatched")
    ax.spines[["top", "right"]].set_visible(not flat)


# ---- tails ---------------------------------------------------------------------------------------------


def _tail_like(rows: pd.DataFrame, quantity: str, ylabel: str) -> Figure:
    rows = largest(rows[(rows["quantity"] == quantity) & (rows["order"] == 0)])
    studies = list(dict.fromkeys(rows["study"]))
    figure, axes = panels(len(studies))
    for ax, study in zip(axes, studies, strict=True):
        mine = rows[rows["study"] == study]
        rule = rule_of(mine)
        groups = list(mine.groupby(["dim", "ratio", "color"], sort=True, dropna=False))
        colors = mine["color"].nunique()
        colored = colors > 1 and rule.n_colors > 1 and not (rule.across and colors == 2)
        if not colored:  # one of the colors tells all
            groups = [g for g in groups if g[0][2] == 0]
        for k, ((dim, ratio, color), curve) in enumerate(groups):
            label = dim_name(dim) + (f", ratio {ratio:g}" if mine["ratio"].nunique() > 1 else "")
            label += f", {rule.color_name(int(color))}" if colored else ""
            band(ax, curve, PALETTE[k % len(PALETTE)], label, STROKES[int(color) % len(STROKES)])
        exact = [curve[curve["exact"].notna()].sort_values("x") for _, curve in groups]
        for k, curve in enumerate([curve for curve in exact if len(curve)]):
            ax.plot(curve["x"], curve["exact"], "k:", lw=1.2, label="exact" if k == 0 else None, zorder=5)
        ax.set_xscale("log")
        ax.set_yscale("log")
        ax.set_xlim(left=max(1e-2, float(mine["x"].min())))
        ax.set_ylim(bottom=float(mine["value"].min()) / 3)
        ax.set_xlabel("r")
        ax.set_ylabel(ylabel)
        ax.set_title(f"{study} ({mine['rule'].iloc[0]})")
        ax.legend()
    return figure


def _cut(rows: pd.DataFrame) -> str:
    sizes = sorted(largest(rows)["size"].unique())
    points = f"{sizes[0]:g}" if len(sizes) == 1 else f"{sizes[0]:g} to {sizes[-1]:g}"
    return (
        f"Tori of {points} points on average, {replicates(rows)} replicates; {BANDS} over replicates. "
        "The bar on a curve is its cut-off (L/5 in d = 1, L/8 in d >= 2); beyond it, pale, the torus is felt."
    )


def tail(rows: pd.DataFrame) -> tuple[Figure, str]:
    """P(X > r), a panel for each study."""
    figure = _tail_like(rows, "tail", "P(X > r)")
    return (
        figure,
        f"Probability that the partner of a typical point is farther than r (unmatched: infinitely far). Dotted: exact. {_cut(rows)}",
    )


def levelled(rows: pd.DataFrame) -> tuple[Figure, str]:
    """The tail times the expected number of points within r, a panel for each study."""
    figure = _tail_like(rows, "levelled_tail", "(expected number of points within r) P(X > r)")
    return figure, (
        "The tail of the partner distance times the expected number of points in a ball of radius r, which is a constant times r^d P(X > r). "
        f"For one color it levels off in every d (Holroyd, Pemantle, Peres, Schramm). Dotted: exact. {_cut(rows)}"
    )


# ---- transitions ---------------------------------------------------------------------------------------


def transition(rows: pd.DataFrame) -> tuple[Figure, str]:
    """Unmatched points of both colors against the ratio, a panel for each dimension."""
    rows = rows[(rows["quantity"] == "unmatched_density") & rows["ratio"].notna()]
    densities = ["value", "lower", "upper", "exact"]
    rows = rows.assign(**{name: rows[name] / rows["intensity_0"] for name in densities})
    dims = sorted(rows["dim"].unique())
    figure, axes = panels(len(dims))
    for ax, dim in zip(axes, dims, strict=True):
        mine = rows[rows["dim"] == dim]
        rule = rule_of(mine)
        for k, (size, curve) in enumerate(mine.groupby("size", sort=True)):
            for color, part in curve.groupby("color"):
                part = part.sort_values("ratio")
                label = f"{size:,.0f} points, {rule.color_name(int(color))}"
                error_bars(ax, part, part["ratio"], k, label, "-" if color == 0 else "--")
        for color in (0, 1):
            exact = mine[(mine["color"] == color) & mine["exact"].notna()].drop_duplicates("ratio").sort_values("ratio")
            ax.plot(exact["ratio"], exact["exact"], "k:", lw=1.2, label="infinite volume" if color == 0 else None)
        ax.set_xlabel(ratio_label(rule))
        ax.set_ylabel(f"intensity of unmatched points / of {rule.color_name(0)} points")
        ax.set_title(dim_name(dim))
        ax.legend(fontsize=7)
    return figure, (
        f"Two-color stable matching of points of intensities alpha and beta ({process_names(rows)}): intensity of the unmatched points of each color, "
        "divided by alpha, against rho = beta / alpha. Dotted: |1 - rho| on the majority, 0 on the minority, the infinite volume "
        "(Deijfen, Holroyd, Martin, Thm 8). The corner at ratio 1 sharpens as the torus grows. "
        f"{BARS} over {replicates(rows)} replicates."
    )


def _red(rows: pd.DataFrame, quantity: str) -> pd.DataFrame:
    return largest(rows[(rows["quantity"] == quantity) & (rows["color"] == rule_of(rows).judged)])


def _series(ax: Axes, rows: pd.DataFrame, x: Callable[[pd.Series], Any]) -> None:
    for k, (_, curve) in enumerate(rows.groupby("dim", sort=True)):
        curve = curve.sort_values("ratio")
        error_bars(ax, curve, x(curve["ratio"]), k, dim_name(curve["dim"].iloc[0]))
    exact = rows[rows["exact"].notna() & np.isinf(rows["dim"])].sort_values("ratio")
    ax.plot(x(exact["ratio"]), exact["exact"], "k:", lw=1.3, label=r"$e^{-1/\rho}$" if len(exact) else None, zorder=5)


FUSSY_CAPTION = (
    "Fussy matching: rho red points for each green one, no red-red pair. Whether red points stay unmatched for every rho > 0 "
    "in fixed d is the open problem of Deijfen, Holroyd and Martin, sec. 3.3; the dotted curve e^(-1/rho) is exact for the mean-field model. "
)


def fussy(rows: pd.DataFrame) -> tuple[Figure, str]:
    """Unmatched red points against rho."""
    red = _red(rows, "unmatched_fraction")
    figure, (left, right) = panels(2, 4.6, 3.8)
    for ax in (left, right):
        _series(ax, red, lambda rho: rho)
        ax.set_xlabel(ratio_label(rule_of(rows)))
        ax.set_ylabel(r"$u(\rho)$, fraction of red points unmatched")
    right.set_yscale("log", nonpositive="mask")
    right.set_title("the same, logarithmic")
    left.set_title("unmatched red points")
    left.legend()
    return (
        figure,
        f"{FUSSY_CAPTION}Fraction of red points without a partner; {INTERVALS} over {replicates(rows)} replicates.",
    )


def fussy_log(rows: pd.DataFrame) -> tuple[Figure, str]:
    """ln(1/u) against 1/rho and 1/sqrt(rho)."""
    red = _red(rows, "log_inverse_unmatched")
    figure, axes = panels(2, 4.6, 3.8)
    for ax, x, label in (
        (axes[0], lambda rho: 1 / rho, r"$1/\rho$"),
        (axes[1], lambda rho: 1 / np.sqrt(rho), r"$1/\sqrt{\rho}$"),
    ):
        _series(ax, red, x)
        ax.set_xlabel(label)
        ax.set_ylabel(r"$\ln(1/u)$")
    axes[0].legend()
    return figure, (
        f"{FUSSY_CAPTION}Logarithm of 1/u, u the fraction of red points unmatched, against 1/rho (left: a straight line of slope 1 in the mean-field model) "
        f"and 1/sqrt(rho) (right); where no red point was unmatched there is no mark. {INTERVALS} over {replicates(rows)} replicates."
    )
