"""The layout of a figure: panels with axes, a legend, and the caption."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from matplotlib import rcParams
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..tables.estimate_tables import ONE_REPLICATE
from ..utils.errors import BadInput, quoted
from ..utils.libraries import pd
from .canvas import Picture
from .curves import Looks
from .figure_text import INTERVALS, dim_name, number, spread, tex, wrapped
from .kinds import WIDTHS, Options
from .panel_elements import PanelElements
from .ticks import readable_ticks

MAX_HEIGHT = 9.0  # inches, of a figure on a page
MAX_DOWN = 3  # panels below each other in one column; more of them are in two
MIN_PANEL = 1.4  # inches, height of a panel that can be read
LETTER = 0.052  # inches, mean width of a letter
MARGIN = 0.3  # inches of a panel that a name of an axis leaves free
PANEL_FORMATS: dict[str, Callable[[Any], str]] = {
    "dim": dim_name, "size": lambda size: f"{number(size)} points", "rule": str
}  # fmt: skip


@dataclass(frozen=True)
class Aspect:
    """A quantity with its own panels."""

    caption_name: str = ""
    xlabel: str = ""
    ylabel: str = ""
    log: str = ""  # logarithmic axes: "x", "y" or "xy"
    quantity: str = ""  # of its rows; "" for all rows
    x: str = ""  # column, if it differs from that of the figure
    hue: tuple[str, ...] = ()  # columns, if they differ from those of the figure


@dataclass
class Panel(PanelElements):
    """Axes with the rows drawn in them."""

    ax: Axes
    rows: pd.DataFrame
    aspect: Aspect
    looks: Looks
    layout: FigureLayout
    marked: bool = field(default=False, init=False)  # whether markers are drawn
    joined: set[int] | None = field(
        default=None, init=False
    )  # hues of the curves whose marks are joined; None: of all curves


class FigureLayout:
    """A figure while it is drawn, on given axes (one for each panel) or new ones.

    second: the second table of the kind. kind: its name, if the figure must not be higher than a
    page.
    """

    def __init__(
        self,
        options: Options,
        axes: Axes | Sequence[Axes] | None = None,
        second: pd.DataFrame | None = None,
        kind: str = "",
    ) -> None:
        self.options, self.second, self.kind = options, second, kind
        several = (
            list(axes.flat) if isinstance(axes, np.ndarray) else axes if isinstance(axes, list | tuple) else [axes]
        )
        if axes is not None and not all(isinstance(one, Axes) for one in several):
            raise BadInput(f"ax must be axes of matplotlib, or a sequence of them, got {quoted(axes)}")
        self.axes = None if axes is None else list(several)
        self.facts: dict[str, list[str]] = {}  # sentences of the caption, once each, with their items
        self.handles: dict[str, Artist] = {}  # further entries of the legend, by label
        self.list = ""
        self.replicates: dict[str, list[pd.Series]] = {}  # numbers of replicates behind bars and shaded bands
        self.drawn: list[Panel] = []
        self.figure: Figure

    def say(self, fact: str, item: str = "") -> None:
        """Add a sentence to the caption once.

        The sentence may be the beginning of one, with an item that follows it.
        """
        items = self.facts.setdefault(fact, [])
        if item and item not in items:
            items.append(item)

    def name(self, study: str) -> str:
        """Return the label of a study."""
        return self.options.labels.get(study, study)

    # ---- panels ----

    def grid(self, titles: Sequence[str], across: int | None = None, height: float | None = None) -> list[Axes]:
        """Return axes for panels (a), (b), ... with these descriptions in the caption."""
        if not titles:
            raise BadInput("there is nothing to draw")
        if self.axes is not None:
            if len(self.axes) != len(titles):
                needed = f"{len(titles)} axes, one for each panel ({'; '.join(titles)})"
                raise BadInput(f"ax must be {needed}, got {len(self.axes)}")
            panels, self.figure = self.axes, self.axes[0].get_figure(root=True)
        else:
            total = WIDTHS[self.options.width or ("text" if len(titles) > 1 else "column")]
            across = min(len(titles), across or (3 if total > 5 else 1 if len(titles) <= MAX_DOWN else 2))
            self.down = -(-len(titles) // across)
            each = height or max(1.9, min(2.5, 0.74 * total / across))
            self.panel = (total / across, each)
            self.figure = Picture(self.options, figsize=(total, each * self.down))
            flat = self.figure.subplots(self.down, across, squeeze=False).ravel()
            for ax in flat[len(titles) :]:
                ax.remove()
            panels = list(flat[: len(titles)])
        if len(titles) > 1:
            letters = string.ascii_lowercase
            names = [letters[k] if k < 26 else letters[k // 26 - 1] + letters[k % 26] for k in range(len(titles))]
            for ax, letter in zip(panels, names, strict=True):
                ax.set_title(f"({letter})", loc="left", pad=3)
            self.list = "; ".join(f"({letter}) {text}" for letter, text in zip(names, titles, strict=True))
        else:
            self.list = titles[0] and f"Shown: {titles[0]}"
        return panels

    def panels(
        self,
        rows: pd.DataFrame,
        *aspects: Aspect,
        x: str,
        by: str = "",
        hue: Sequence[str] = ("dim",),
        shade: Sequence[str] = ("size",),
        dash: Sequence[str] = (),
        formats: dict[str, Any] | None = None,
    ) -> Iterator[Panel]:
        """Yield a panel for each value of the column `by` and each aspect.

        For the other parameters see Looks.
        """
        if rows.empty:
            raise BadInput("there is nothing to draw: the table has no rows for this kind of figure")
        by = self.options.panels or by
        if self.options.labels and by != "study":
            hue = ("study", *hue)
        rules = dict(zip(rows["study"], rows["rule"], strict=True))
        full = {study: study if study == str(rule) else f"{study} ({rule})" for study, rule in rules.items()}
        names = {**PANEL_FORMATS, "study": lambda study: self.options.labels.get(study, full[study]), **(formats or {})}
        if self.options.log is not None:  # aspects that differ in `log` only become one
            aspects = tuple({(a.quantity, a.xlabel, a.ylabel): a for a in reversed(aspects)}.values())[::-1]
        groups = [*rows.groupby(by, sort=by != "study")] if by else [("", rows)]
        spots = [(a, v, own) for a in aspects for v, part in groups if len(own := _of(part, a.quantity))]
        heads = [(names[by](v) if by else "", a.caption_name if len(aspects) > 1 else "") for a, v, _ in spots]
        texts = [", ".join(filter(None, head)) for head in heads]
        whole = len(spots) == len(aspects) * len(groups) and 1 < len(groups) <= 3 and len(aspects) > 1
        narrow = self.options.width == "column"
        axes = self.grid(texts, None if narrow else len(groups) if whole else 2 if len(spots) in (2, 4) else None)
        within, named = [by] if by else [], {**(formats or {}), "study": self.name}
        looks = {
            a: Looks(_of(rows, a.quantity), a.x or x, within, a.hue or hue, shade, dash, named) for a, _, _ in spots
        }
        for ax, (aspect, _, part) in zip(axes, spots, strict=True):
            self._scale(ax, aspect)
            self._name(ax, aspect)
            panel = Panel(ax, part, aspect, looks[aspect], self)
            self.drawn.append(panel)
            yield panel

    def _scale(self, ax: Axes, aspect: Aspect) -> None:
        log = aspect.log if self.options.log is None else self.options.log
        ax.set_xscale("log" if "x" in log else "linear")
        ax.set_yscale("log" if "y" in log else "linear", **({"nonpositive": "clip"} if "y" in log else {}))

    def _name(self, ax: Axes, aspect: Aspect) -> None:
        """Set the names of the axes, in several lines if they are longer than the panel."""
        sides = [int((inches - MARGIN) / LETTER) for inches in self.panel] if self.axes is None else (1000, 1000)
        ax.set_xlabel(texed(wrapped(aspect.xlabel, sides[0])))
        ax.set_ylabel(texed(wrapped(aspect.ylabel, sides[1])))

    # ---- the end ----

    def finish(self, lead: str) -> str:
        """Set the limits, add the legend, and return the caption."""
        for panel in self.drawn:
            for name, axis in (("xlim", panel.ax.xaxis), ("ylim", panel.ax.yaxis)):
                if ends := getattr(self.options, name):
                    if axis.get_scale() == "log" and ends[0] <= 0:
                        raise BadInput(f"{name}: {ends[0]:g} is not on a logarithmic axis; log: [] makes both linear")
                    panel.ax.set(**{name: ends})
            for axis in (panel.ax.xaxis, panel.ax.yaxis):
                readable_ticks(axis)
        if self.replicates:
            over = spread(pd.concat(sum(self.replicates.values(), [])))
            what = " and ".join(self.replicates).capitalize()
            self.say(f"{what} are {INTERVALS} over {over} replicates.")
        elif any("n_replicates" in p.rows and (p.rows["n_replicates"] == 1).any() for p in self.drawn):
            self.say(f"{ONE_REPLICATE.capitalize()}.")
        if tori := [p.rows["size"] for p in self.drawn if not p.looks.distinguishes("size")]:
            self.say(f"Tori of {spread(pd.concat(tori))} points on average.")
        if self.options.title:
            self.figure.suptitle(texed(self.options.title))
        self._legend()
        facts = [f"{fact} {', '.join(items)}." if items else fact for fact, items in self.facts.items()]
        sentences = [self.options.caption or lead, self.list and f"{self.list}.", *facts]
        return " ".join(filter(None, sentences))

    def _legend(self) -> None:
        of_looks: dict[Looks, list[Panel]] = {}
        for panel in self.drawn:
            of_looks.setdefault(panel.looks, []).append(panel)
        handles: dict[str, Artist] = {}
        for looks, panels in of_looks.items():
            joined = [panel.joined for panel in panels if panel.joined is not None]
            lines = set().union(*joined) if len(joined) == len(panels) else None
            for entry in looks.handles(any(panel.marked for panel in panels), lines):
                handles.setdefault(str(entry.get_label()), entry)
        handles |= self.handles
        for handle in handles.values():
            handle.set_label(texed(str(handle.get_label())))
        if self.axes is not None:
            if handles:
                self.axes[0].legend(handles=list(handles.values()))
            return
        self._fit(self._legend_above(list(handles.values())) if handles else 0.0)

    def _legend_above(self, handles: list[Artist]) -> float:
        """Draw the legend above the panels; return its height in inches."""
        width = self.figure.get_figwidth() * self.figure.dpi
        for columns in range(min(len(handles), 6), 0, -1):  # as many as fit in a row
            legend = self.figure.legend(handles=handles, loc="outside upper center", ncols=columns)
            extent = legend.get_window_extent(self.figure.canvas.get_renderer())  # type: ignore[attr-defined]
            if extent.width <= 0.98 * width or columns == 1:
                break
            legend.remove()
        return float(extent.height / self.figure.dpi)

    def _fit(self, legend: float) -> None:
        """Set the height of the figure, with lower panels if it would be higher than a page.

        Raises BadInput if the panels would be too low.
        """
        panels = self.figure.get_figheight()
        if self.kind and panels + legend > MAX_HEIGHT:
            lowest = self.down * min(MIN_PANEL, self.panel[1])
            if lowest + legend > MAX_HEIGHT:
                width = self.options.width or "text"
                wider = "write `width: text`, or " if width == "column" else ""
                raise BadInput(
                    f"a figure {self.kind} of {len(self.figure.axes)} panels would be at least {lowest + legend:.1f} inches high at "
                    f"width {width}, and a page has {MAX_HEIGHT:g}; {wider}list fewer studies, or choose other panels"
                )
            panels = MAX_HEIGHT - legend
        self.figure.set_figheight(panels + legend)


def _of(rows: pd.DataFrame, quantity: str) -> pd.DataFrame:
    return rows[rows["quantity"] == quantity] if quantity else rows


def texed(text: str) -> str:
    """Return the text, escaped if LaTeX sets it."""
    return tex(text) if rcParams["text.usetex"] else text
