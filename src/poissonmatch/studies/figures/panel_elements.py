"""A panel, and what is drawn in it: error bars, upper limits, bands, cutoffs and exact curves.

Each element adds its explanation to the caption.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter
from matplotlib.transforms import ScaledTranslation

from ...utils.libraries import pd
from .curves import Curve, Looks
from .figure_rows import fixed_number
from .figure_text import EXACT_LABEL, FACTS, sentence
from .kinds import Options
from .style import EXACT
from .text_format import tick_text

FINE = 400  # points of an exact curve
THIN = 0.6  # width of the lines that join marks
REACH = 0.5  # of error bars beyond the marks, over the span of the marks; longer ones are clipped
BESIDE = 4.0  # points (1/72 inch) between marks that are side by side at one x
ARROW = 0.45  # length of the arrow of an upper limit, in decades
INTERVAL = ("value", "lower", "upper")
# zorder of lines between marks, of error bars and of marks; exact curves are above the joins.
JOINS, BARS, MARKS = 1.5, 2.2, 2.5
FEW = (1.0, 2.0, 5.0)  # ticks of a decade
MORE = (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0)
SHORT = 0.5  # decades, below which an axis has more of them


class Notes:
    """What panels add to the caption and to the legend of their figure."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.facts: dict[str, list[str]] = {}  # sentences of the caption, once each, with their items
        self.handles: dict[str, Artist] = {}  # further entries of the legend, by label
        self.replicates: dict[str, list[pd.Series]] = {}  # numbers of replicates behind bars and shaded bands

    def say(self, fact: str, item: str = "", **values: Any) -> None:
        """Add a sentence, or one of FACTS with these values, to the caption once; an item may follow it."""
        items = self.facts.setdefault(sentence(FACTS.get(fact, fact), **values), [])
        if item and item not in items:
            items.append(item)

    def key(self, label: str, **style: Any) -> None:
        """Add an entry to the legend once: a line, or a marker, of this style."""
        style.setdefault("linestyle", "none" if "marker" in style else "-")
        self.handles.setdefault(label, Line2D([], [], label=self.name(label), **style))

    def name(self, study: str) -> str:
        """Return the label of a study or a color."""
        return self.options.labels.get(study, study)


@dataclass(frozen=True)
class Aspect:
    """A quantity with its own panels; its texts are those of its kind in figure_text.AXES, if there are any."""

    quantity: str = ""  # of its rows; "" for all rows
    log: str = ""  # logarithmic axes: "x", "y" or "xy"
    x: str = ""  # column, if it differs from that of the figure
    hue: tuple[str, ...] = ()  # columns, if they differ from those of the figure
    ylim: tuple[float, float] | None = None  # limits of a linear y axis, by default those of the marks
    texts: str = ""  # key of its texts, by default the quantity
    caption_name: str = ""
    xlabel: str = ""
    ylabel: str = ""


@dataclass
class Panel:
    """Axes with the rows drawn in them. x: their column along the axis."""

    ax: Axes
    rows: pd.DataFrame
    aspect: Aspect
    looks: Looks
    notes: Notes
    x: str
    marked: bool = False  # whether markers are drawn
    joined: set[int] = field(default_factory=set)  # hues of the curves whose marks are joined
    drawn_bars: list[tuple] = field(default_factory=list)  # x, value, ends and the lines of error bars
    drawn_bands: list[tuple] = field(default_factory=list)  # values and ends of shaded bands

    @property
    def log_x(self) -> bool:
        """Whether the x axis is logarithmic."""
        return self.ax.get_xscale() == "log"

    @property
    def log_y(self) -> bool:
        """Whether the y axis is logarithmic."""
        return self.ax.get_yscale() == "log"

    def bars(self, *, parity: bool = False, join: bool = True) -> None:
        """Draw the curves of the panel with error bars; larger tori are above smaller ones.

        parity: for a process with fixed numbers of points, marks of odd numbers are open and not
        joined to those of even numbers. join: whether thin lines join the marks of a curve, unless
        its exact curve is known, from which they would differ between the marks.
        """
        self.marked = True
        first, last = self.rows[self.x].min(), self.rows[self.x].max()
        if first == last and self.log_x:
            self.ax.set_xlim(first / 2, 2 * last)
        sizes = sorted(self.rows["size"].unique())
        curves = list(self.looks.curves(self.rows))
        places = self._places(curves, sizes)
        for curve, place in zip(curves, places, strict=True):
            rows = curve.rows.sort_values(self.x)
            straight = join and not rows["exact"].notna().mean() > 0.5
            above = sizes.index(rows["size"].max()) / len(sizes) / 10
            odd = rows["size"] % 2 == 1
            apart = parity and fixed_number(rows) and odd.nunique() > 1
            before = self.ax.get_children()
            for part in (rows[~odd], rows[odd]) if apart else (rows,):
                hollow = apart and part["size"].iloc[0] % 2 == 1
                self._bars(curve, part, hollow, straight, above)
            if offset := place - max(places):
                shift = ScaledTranslation(offset * BESIDE / 72, 0, self.ax.figure.dpi_scale_trans)
                for artist in self.ax.get_children():
                    if artist not in before:
                        artist.set_transform(self.ax.transData + shift)
            if apart:
                self.notes.say("odd-numbers")
        self._count_replicates("bars")
        self.limit_to_marks()

    def _places(self, curves: Sequence[Curve], sizes: list[float]) -> list[int]:
        """Return the places from left to right: one for each size if sizes share an x, for each curve if one would cover another."""
        one_x = self.rows[self.x].nunique() == 1
        of_one_size = all(curve.rows["size"].nunique() == 1 for curve in curves)
        if not one_x and of_one_size and self.rows.groupby(self.x)["size"].nunique().max() > 1:
            return [sizes.index(curve.rows["size"].iloc[0]) for curve in curves]
        different = {(*curve.rows[self.x], *curve.rows["value"]) for curve in curves}
        if one_x or len(different) < len(curves):
            order = sorted(range(len(curves)), key=lambda i: curves[i].rows["size"].max())
            return [order.index(i) for i in range(len(curves))]
        return [0] * len(curves)

    def _bars(self, curve: Curve, rows: pd.DataFrame, hollow: bool, join: bool, above: float) -> None:
        at, value = (rows[name].to_numpy(float) for name in (self.x, "value"))
        lower, upper = (rows[name].fillna(rows["value"]).to_numpy(float) for name in ("lower", "upper"))
        open_below = self.log_y & (lower <= 0) & (upper > 0)
        visible = (value > 0) | (not self.log_y)
        if (~visible & ~open_below).any():
            self.notes.say("estimates-of-0")
        seen = np.where(visible, value, np.nan)
        if join and np.isfinite(seen).sum() > 1:  # below the exact curves, which are below the marks
            self.ax.plot(at, seen, color=curve.color, linestyle=curve.dash, lw=THIN, zorder=JOINS)
            self.joined.add(curve.hue)
        style: Any = {"color": curve.color, "marker": curve.marker, "ls": "none", "zorder": MARKS + above}
        self.ax.plot(at, seen, mfc="white" if hollow else curve.color, **style)
        converged = rows["converged"].to_numpy(float) if "converged" in rows else np.ones(len(rows))
        for note, some, filled in (
            ("not-converged", visible & (converged == 0), {"mfc": "white"}),
            ("not-tested", visible & np.isnan(converged), {"fillstyle": "left", "markerfacecoloralt": "white"}),
        ):
            if some.any():
                self.ax.plot(at[some], value[some], **{**style, **filled})
                self.notes.say(note)
        drawn = visible & ~open_below & ((lower < value) | (value < upper))
        if drawn.any():
            interval = [each[drawn] for each in (value, lower, upper)]
            self.errorbars(at[drawn], interval, curve.color, fmt="none", zorder=BARS + above)
        open_below &= np.isfinite(upper)
        if open_below.any():  # arrows at the upper ends of intervals that contain 0
            value, upper = value[open_below], upper[open_below]
            length = upper - np.where(value > 0, np.minimum(value, upper), upper) * 10**-ARROW
            self.ax.errorbar(
                at[open_below],
                upper,
                length,
                uplims=True,
                fmt="none",
                ecolor=curve.color,
                elinewidth=0.8,
                capsize=2,
                zorder=BARS,
            )
            self.notes.say("upper-ends")

    def errorbars(self, at: Any, interval: Sequence[Any], color: str, **style: Any) -> None:
        """Draw values with their lower and upper ends, which limit the y axis, see limit_to_marks."""
        x, value, lower, upper = (np.atleast_1d(np.asarray(each, float)) for each in (at, *interval))
        with np.errstate(invalid="ignore"):  # inf - inf
            ends = np.maximum(0, [value - lower, upper - value])
        bars = self.ax.errorbar(x, value, yerr=ends, color=color, elinewidth=0.8, **style).lines[2][0]
        self.drawn_bars.append((x, value, lower, upper, bars))

    def limit_to_marks(self) -> None:
        """Set the limits of the y axis by the marks, and by error bars that are not much longer than their span."""
        drawn = [*(bar[1:4] for bar in self.drawn_bars), *self.drawn_bands]
        if not drawn:
            return
        scale, inverse = (np.log, np.exp) if self.log_y else (np.asarray, np.asarray)
        with np.errstate(divide="ignore", invalid="ignore"):
            value, lower, upper = (scale(np.concatenate(part)) for part in zip(*drawn, strict=True))
        value, lower, upper = (each[np.isfinite(value)] for each in (value, lower, upper))
        if not len(value):
            return
        low, high = sorted(scale(self.ax.get_ylim()))
        span = np.ptp(value) * REACH
        if span == 0:
            return
        margin, lowest, highest = 0.1 * span, value.min() - span, value.max() + span
        below = np.where(np.isfinite(lower), lower, value).min()
        above = np.where(np.isfinite(upper), upper, value).max()
        low = min(low, below - margin) if below >= lowest else lowest - margin
        high = max(high, above + margin) if above <= highest else highest + margin
        self.ax.set_ylim(*inverse(np.array([low, high])))

    def arrows(self) -> None:
        """Draw arrows at the edge of the panel for error bars that leave it."""
        low, high = sorted(self.ax.get_ylim())
        for x, value, lower, upper, bars in self.drawn_bars:
            inside = (low <= value) & (value <= high)
            for ends, edge, marker in ((inside & (lower < low), low, "v"), (inside & (upper > high), high, "^")):
                if ends.any():
                    self.ax.plot(
                        x[ends],
                        np.full(ends.sum(), edge),
                        marker,
                        clip_on=False,
                        zorder=BARS,
                        color=bars.get_color(),
                        transform=bars.get_transform(),
                        ms=3.5,
                        mew=0,
                    )
                    self.notes.say("long-bars")

    def bands(self) -> None:
        """Draw the curves of the panel with confidence bands, which are pale beyond the cutoff, which is marked."""
        positive = self.rows["value"][self.rows["value"] > 0]
        floor = positive.min() / 10 if self.log_y and len(positive) else -np.inf  # of a band that reaches down to 0
        for curve in self.looks.curves(self.rows):
            rows = curve.rows.sort_values(self.x)
            last = int(rows["below_cutoff"].sum())
            for part, alpha in ((rows[:last], 1.0), (rows[max(0, last - 1) :], 0.3)):
                if len(part) < 2 and not (last in (0, 1) and len(part)):
                    continue
                at, (value, lower, upper) = part[self.x], (part[name].to_numpy(float) for name in INTERVAL)
                visible = np.where(self.log_y & (value <= 0), np.nan, value)
                self.ax.plot(at, visible, linestyle=curve.dash, color=curve.color, alpha=alpha)
                if part["lower"].notna().any():
                    ends = np.maximum(lower, floor), np.maximum(upper, floor)
                    self.ax.fill_between(at, *ends, color=curve.color, alpha=0.2 * alpha, linewidth=0)
                    self.drawn_bands.append((visible, lower, upper))
            if 0 < last < len(rows):
                end = rows.iloc[last - 1]
                self.ax.plot(end[self.x], end["value"], "|", color=curve.color, ms=7, mew=1.2)
                self.notes.say("cutoff")
        self._count_replicates("bands")
        self.limit_to_marks()

    def _count_replicates(self, what: str) -> None:
        numbers = self.rows["n_replicates"][self.rows["lower"].notna()]
        if len(numbers):
            self.notes.replicates.setdefault(what, []).append(numbers)

    def grid(self) -> np.ndarray:
        """Return values along the x axis for an exact curve."""
        low, high = self.notes.options.xlim or self.ax.get_xlim()
        if self.log_x:
            return np.geomspace(max(low, 1e-12), high, FINE)
        return np.linspace(low, high, FINE)

    def color_of_dim(self) -> dict[Any, str]:
        """Return the color of the curves of each dimension."""
        return {curve.rows["dim"].iloc[0]: curve.color for curve in self.looks.curves(self.rows)}

    def known(self, *columns: str) -> Iterator[pd.DataFrame]:
        """Yield the rows with an exact value, for each value of these columns."""
        for _, rows in self.rows.dropna(subset="exact").groupby([*columns], sort=False, dropna=False):
            yield rows

    def exact(
        self, x: Any, y: Any, fact: str = "exact", item: str = "", label: str = EXACT_LABEL, color: str = EXACT
    ) -> bool:
        """Draw a dotted curve without changing the limits; return whether it has finite values.

        fact, item: see Notes.say.
        """
        y = np.asarray(y, dtype=float)
        if not np.isfinite(y).any():
            return False
        self.ax.set(xlim=self.ax.get_xlim(), ylim=self.ax.get_ylim())
        line: Any = {"color": color, "linestyle": ":", "lw": 1.1}
        self.ax.plot(x, y, zorder=(BARS + JOINS) / 2 if self.marked else MARKS, **line)
        self.notes.key(label, **line)
        self.notes.say(fact, item)
        return True


# ---- ticks ----


def readable_ticks(axis: Axis) -> None:
    """Label a logarithmic axis with fewer than two powers of ten at 1, 2 and 5.

    By default matplotlib labels all of its minor ticks.
    """
    if axis.get_scale() != "log":
        return
    low, high = sorted(axis.get_view_interval())
    if math.floor(math.log10(high) + 1e-9) - math.ceil(math.log10(low) - 1e-9) < 1:
        axis.set_major_locator(LogLocator(subs=MORE if math.log10(high / low) < SHORT else FEW))
        axis.set_major_formatter(FuncFormatter(lambda value, _: tick_text(value)))
    axis.set_minor_formatter(NullFormatter())


def whole_ticks(axis: Axis) -> None:
    """Put ticks of a linear axis at whole numbers."""
    if axis.get_scale() == "linear":
        axis.set_major_locator(MaxNLocator(6, integer=True, steps=[1, 2, 5, 10], min_n_ticks=1))
