"""What all figures share: colors, style, panels, and how a drawing becomes files."""

from __future__ import annotations

import io
import textwrap
from dataclasses import dataclass
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib import cbook, mathtext
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..errors import BadInput
from ..rules import Rule
from .kinds import SUFFIXES

# Okabe and Ito's colors, which color-blind readers can tell apart; black comes last.
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#000000")
MARKERS = "osD^vP*"
STROKES = ("-", "--", "-.", ":")  # of the colors of points, in order
POINTS = {"amber": "#E69F00", "blue": "#0072B2", "green": "#009E73", "red": "#D55E00"}  # colors of points, by name
DPI = 200
METADATA: dict[str, Any] = {  # no dates
    ".pdf": {"CreationDate": None, "Producer": None, "Creator": "poissonmatch"},
    ".png": {"Software": None},
}
STYLE: Any = {  # the settings that matplotlib comes with, but for these; nothing of a user's own
    **{name: value for name, value in matplotlib.rcParamsDefault.items() if name != "backend"},
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e6e6e6",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "pdf.fonttype": 42,
    "svg.hashsalt": "poissonmatch",
    "figure.constrained_layout.use": True,
}


@dataclass
class Drawing:
    """A figure and the caption that says what it shows."""

    figure: Figure
    caption: str


def styled() -> Any:
    """A context in which figures are made and saved: our style, and the user's settings as they were after it.

    Figures are made without pyplot, so that neither the user's backend nor the user's own figures are touched.
    """
    return matplotlib.rc_context(STYLE)


def render(drawing: Drawing) -> dict[str, bytes]:
    """PDF, PNG and caption as bytes by suffix; the same drawing gives the same bytes."""
    found = {}
    with styled():
        for suffix in SUFFIXES[:-1]:
            buffer = io.BytesIO()
            drawing.figure.savefig(buffer, format=suffix[1:], dpi=DPI, metadata=METADATA[suffix])
            found[suffix] = buffer.getvalue()
    found[SUFFIXES[-1]] = (textwrap.fill(drawing.caption, 100) + "\n").encode()
    return found


def refuse_title(title: str) -> None:
    """Raises BadInput for a title with mathematics (between dollars) that is none."""
    try:
        if cbook.is_math_text(title):
            mathtext.MathTextParser("path").parse(title)
    except ValueError as error:
        raise BadInput(f"the title is not a formula: {' '.join(str(error).split())[:200]}") from None


def headed(figure: Figure, title: str) -> None:
    """Write a title above a figure. Raises BadInput like refuse_title."""
    refuse_title(title)
    figure.suptitle(title, fontsize=11)


def panels(count: int, width: float = 4.2, height: float = 3.6, columns: int = 3) -> tuple[Figure, list[Axes]]:
    """A figure and its panels, `columns` in a row."""
    if count == 0:
        raise BadInput("there is nothing to draw")
    across = min(count, columns)
    down = -(-count // across)
    figure = Figure(figsize=(width * across, height * down))
    axes = figure.subplots(down, across, squeeze=False)
    flat = list(axes.ravel())
    for extra in flat[count:]:
        extra.set_visible(False)
    return figure, flat[:count]


def point_color(rule: Rule, color: int) -> str:
    """In what color points of a color are drawn: the one that the rule names; else black, or one of its own if the rule tells colors apart."""
    return POINTS.get(rule.color_name(color), PALETTE[color % len(PALETTE)] if rule.n_colors > 1 else "#000000")


def largest(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows of the largest size of each dimension."""
    return rows[rows["size"] == rows.groupby(["study", "dim"])["size"].transform("max")]


def error_bars(ax: Axes, rows: pd.DataFrame, x: Any, k: int, label: str | None, line: str = "-") -> None:
    """Estimates with their 95 % intervals, joined by a line; k chooses color and marker."""
    bars = np.maximum(0, [rows["value"] - rows["lower"], rows["upper"] - rows["value"]])
    shade, marker = PALETTE[k % len(PALETTE)], MARKERS[k % len(MARKERS)]
    ax.errorbar(x, rows["value"], yerr=bars, fmt=line + marker, color=shade, ms=3.5, lw=1, capsize=2, label=label)


def band(ax: Axes, rows: pd.DataFrame, shade: str, label: str, style: str = "-") -> None:
    """A line with a 95 % band; pale beyond the cut-off."""
    rows = rows.sort_values("x")
    trusted = rows["trusted"].to_numpy()
    last = int(trusted.sum())
    for part, alpha, name in ((rows[:last], 1.0, label), (rows[max(0, last - 1) :], 0.25, None)):
        ax.plot(part["x"], part["value"], style, color=shade, lw=1.4, alpha=alpha, label=name)
        low = np.maximum(part["lower"], 1e-300)
        ax.fill_between(part["x"], low, part["upper"], color=shade, alpha=0.18 * alpha, linewidth=0)
    if 0 < last < len(rows):
        ax.plot(rows["x"].iloc[last - 1], rows["value"].iloc[last - 1], "|", color=shade, ms=9, mew=1.6)
