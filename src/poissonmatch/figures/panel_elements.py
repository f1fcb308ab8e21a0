"""Elements of a panel, and their explanation in the caption.

They are error bars, upper limits, bands, cutoffs and exact curves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from ..utils.libraries import pd
from .curves import Curve, Looks
from .figure_text import fixed_number
from .style import EXACT

Values = Callable[[pd.DataFrame], Any]
FINE = 400  # points of an exact curve
THIN = 0.6  # width of the lines that join marks
REACH = 0.5  # of error bars beyond the marks, over the span of the marks; longer ones are clipped
ARROW = 0.45  # length of the arrow of an upper limit, in decades
JOINS, BARS, MARKS = (
    1.5,
    2.2,
    2.5,
)  # zorder of lines between marks, of error bars and of marks; exact curves are above the joins


class PanelElements:
    """Base class of panels with the methods that draw."""

    ax: Axes
    rows: pd.DataFrame
    looks: Looks
    layout: Any
    marked: bool
    joined: set[int] | None
    drawn_bars: list[tuple[Any, Any, Any, Any, str]]  # x, value, ends and color of error bars
    drawn_bands: list[tuple[Any, Any, Any]]  # values and ends of shaded bands

    def bars(self, x: Values, rows: pd.DataFrame | None = None, *, parity: bool = False, join: bool = True) -> None:
        """Draw the curves of the panel with error bars.

        parity: for a process with fixed numbers of points, marks of odd numbers are open and not
        joined to those of even numbers. join: whether thin lines join the marks of a curve, unless
        its exact curve is known, from which they would differ between the marks. Larger tori are
        above smaller ones.
        """
        rows = self.rows if rows is None else rows
        self.marked, self.joined = True, self.joined or set()
        sizes = sorted(rows["size"].unique())
        for curve in self.looks.curves(rows):
            straight = join and not curve.rows["exact"].notna().mean() > 0.5
            above = sizes.index(curve.rows["size"].max()) / len(sizes) / 10
            apart = parity and fixed_number(curve.rows) and (curve.rows["size"] % 2).nunique() > 1
            for odd in (False, True) if apart else (None,):
                part = curve.rows if odd is None else curve.rows[(curve.rows["size"] % 2 == 1) == odd]
                self._bars(curve, part.assign(at=x(part)).sort_values("at"), bool(odd), straight, above)
            if apart:
                self.layout.say("Open marks: odd numbers of points, which are not joined to even numbers.")
        self._count_replicates("bars", rows)
        self.limit_to_marks()

    def _bars(self, curve: Curve, rows: pd.DataFrame, hollow: bool, join: bool, above: float) -> None:
        at, value = rows["at"].to_numpy(float), rows["value"].to_numpy(float)
        lower, upper = (rows[name].fillna(rows["value"]).to_numpy(float) for name in ("lower", "upper"))
        log = self.ax.get_yscale() == "log"
        open_below = (lower <= 0) & (upper > 0) if log else np.zeros(len(rows), bool)
        visible = value > 0 if log else np.ones(len(rows), bool)
        if (~visible & ~open_below).any():
            self.layout.say("Estimates that are 0 have no mark.")
        seen = np.where(visible, value, np.nan)
        if join and np.isfinite(seen).sum() > 1:  # below the exact curves, which are below the marks
            self.ax.plot(at, seen, color=curve.color, linestyle=curve.dash, lw=THIN, zorder=JOINS)
            self.joined = {*(self.joined or ()), curve.hue}
        style: dict[str, Any] = {"color": curve.color, "marker": curve.marker, "linestyle": "none"}
        self.ax.plot(at, seen, mfc="white" if hollow else curve.color, zorder=MARKS + above, **style)
        limited = visible & ~rows["converged"].to_numpy(bool) if "converged" in rows else np.zeros(len(rows), bool)
        if limited.any():
            self.ax.plot(at[limited], value[limited], mfc="white", zorder=MARKS + above, **style)
            self.layout.say("Open marks: finite-size effects are not negligible (size_converged is 0).")
        whole = visible & ~open_below
        with np.errstate(invalid="ignore"):  # inf - inf
            down, up = np.maximum(0, value - lower)[whole], np.maximum(0, upper - value)[whole]
        drawn = (down > 0) | (up > 0)
        if drawn.any():
            x, y, ends = at[whole][drawn], value[whole][drawn], [down[drawn], up[drawn]]
            self.ax.errorbar(x, y, yerr=ends, fmt="none", ecolor=curve.color, elinewidth=0.8, zorder=BARS + above)
            self.drawn_bars.append((x, y, lower[whole][drawn], upper[whole][drawn], curve.color))
        if open_below.any():
            self._limits(at[open_below], value[open_below], upper[open_below], curve.color)

    def limit_to_marks(self) -> None:
        """Set the limits of the y axis by the marks, and by error bars that are not much longer than their span."""
        drawn = [*(bar[1:4] for bar in self.drawn_bars), *self.drawn_bands]
        if not drawn:
            return
        log = self.ax.get_yscale() == "log"
        scale, inverse = (np.log, np.exp) if log else (np.asarray, np.asarray)
        parts = zip(*drawn, strict=True)
        with np.errstate(divide="ignore"):
            value, lower, upper = (scale(np.concatenate(part).astype(float)) for part in parts)
        lower, upper = np.where(np.isfinite(lower), lower, value), np.where(np.isfinite(upper), upper, value)
        low, high = sorted(scale(np.asarray(self.ax.get_ylim(), float)))
        span = float(np.ptp(value)) * REACH
        if span == 0:
            return
        margin = 0.1 * span
        low, high = min(low, value.min() - margin), max(high, value.max() + margin)
        if lower.min() < value.min() - span and low < value.min() - span - margin:
            low = value.min() - span - margin
        if upper.max() > value.max() + span and high > value.max() + span + margin:
            high = value.max() + span + margin
        self.ax.set_ylim(*map(float, inverse(np.array([low, high]))))

    def arrows(self) -> None:
        """Draw arrows at the edge of the panel for error bars that leave it."""
        low, high = sorted(self.ax.get_ylim())
        for x, value, lower, upper, color in self.drawn_bars:
            inside = (low <= value) & (value <= high)
            for ends, edge, marker in ((inside & (lower < low), low, "v"), (inside & (upper > high), high, "^")):
                if ends.any():
                    style: dict[str, Any] = {"linestyle": "none", "color": color, "ms": 3.5, "mew": 0, "clip_on": False}
                    self.ax.plot(x[ends], np.full(ends.sum(), edge), marker=marker, zorder=BARS, **style)
                    self.layout.say("Triangles at the edge: bars that end beyond it.")

    def _limits(self, at: Any, value: Any, upper: Any, color: str) -> None:
        """Draw arrows at the upper ends of intervals that contain 0, for a logarithmic axis."""
        ends = np.where(value > 0, np.minimum(value, upper), upper) * 10**-ARROW
        style: dict[str, Any] = {"ecolor": color, "elinewidth": 0.8, "capsize": 2, "zorder": BARS}
        self.ax.errorbar(at, upper, yerr=upper - ends, uplims=True, fmt="none", **style)
        self.layout.say("Arrows: upper ends of 95 % intervals that reach down to 0.")

    def bands(self, x: str = "x") -> None:
        """Draw the curves of the panel with confidence bands.

        The bands are pale beyond the cutoff, which is marked.
        """
        for curve in self.looks.curves(self.rows):
            rows = curve.rows.sort_values(x)
            last = int(rows["below_cutoff"].to_numpy().sum())
            for part, alpha in ((rows[:last], 1.0), (rows[max(0, last - 1) :], 0.3)):
                if len(part) < 2 and not (last in (0, 1) and len(part)):
                    continue
                self.ax.plot(part[x], part["value"], linestyle=curve.dash, color=curve.color, alpha=alpha)
                if part["lower"].notna().any():
                    low = np.maximum(part["lower"], 1e-300)
                    self.ax.fill_between(part[x], low, part["upper"], color=curve.color, alpha=0.2 * alpha, linewidth=0)
                    ends = (part[name].to_numpy(float) for name in ("value", "lower", "upper"))
                    self.drawn_bands.append(tuple(ends))  # type: ignore[arg-type]
            if 0 < last < len(rows):
                end = rows.iloc[last - 1]
                self.ax.plot(end[x], end["value"], "|", color=curve.color, ms=7, mew=1.2)
                self.layout.say("The bar on a curve is its cutoff ($L/5$ in $d = 1$, $L/8$ in $d \\ge 2$, volume$/20$ in the mean "
                               "field); beyond it (pale) finite-size effects matter.")  # fmt: skip
        self._count_replicates("shaded bands", self.rows)
        if self.ax.get_yscale() == "linear":
            self.limit_to_marks()

    def _count_replicates(self, what: str, rows: pd.DataFrame) -> None:
        with_intervals = rows[rows["lower"].notna()]
        if len(with_intervals):
            self.layout.replicates.setdefault(what, []).append(with_intervals["n_replicates"])

    def grid(self) -> np.ndarray:
        """Return values along the x axis for an exact curve."""
        low, high = self.layout.options.xlim or self.ax.get_xlim()
        if self.ax.get_xscale() == "log":
            return np.geomspace(max(low, 1e-12), high, FINE)
        return np.linspace(low, high, FINE)

    def exact(self, x: Any, y: Any, label: str = "exact", says: str = "") -> bool:
        """Draw a dotted curve without changing the limits; return whether it has finite values."""
        y = np.asarray(y, dtype=float)
        if not np.isfinite(y).any():
            return False
        limits = self.ax.get_xlim(), self.ax.get_ylim()
        self.ax.plot(x, y, color=EXACT, linestyle=":", lw=1.1, zorder=(BARS + JOINS) / 2 if self.marked else MARKS)
        self.ax.set_xlim(*limits[0])
        self.ax.set_ylim(*limits[1])
        self.layout.handles[label] = Line2D([], [], color=EXACT, linestyle=":", lw=1.1, label=label)
        if says:
            self.layout.say(says)
        return True
