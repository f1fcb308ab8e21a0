"""The layout of a figure: panels with axes, a legend, and the caption."""

from __future__ import annotations

import math
import string
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from matplotlib import rcParams
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from ...utils.errors import BadInput, quoted
from ...utils.libraries import pd
from ..tables.estimate_tables import ONE_REPLICATE
from .canvas import Picture
from .curves import Looks
from .figure_rows import of
from .figure_text import ENTRIES, ENTRIES_OF_KIND, PARTS, axis_texts, entry_text
from .kinds import KINDS, WIDTHS, NothingToDraw, Options
from .panel_elements import Aspect, Notes, Panel, readable_ticks
from .text_format import filled, joined, of_space, spread, tex, wrapped

MAX_HEIGHT = 9.0  # inches, of a figure on a page
MAX_DOWN = 3  # panels below each other in one column; more of them are in two
MIN_PANEL = 1.4  # inches, height of a panel that can be read
MAX_ENTRIES = 8  # of a legend, unless the panels that this takes do not fit a page
MAX_ROWS = 5  # of panels, that a page certainly holds
OWN_PANELS = ("dim", "ratio", "rule", "size")  # columns that divide the panels, in turn, if a legend is long
SHORT_NAME = 14  # letters of the name of a quantity that is above its panel as well as in the caption
TITLE_GAP = 0.05  # inches below the title
LETTER = 0.052  # inches, mean width of a letter
MARGIN = 0.3  # inches of a panel that a name of an axis leaves free


class FigureLayout(Notes):
    """A figure while it is drawn, on given axes (one for each panel) or new ones.

    second: the second table of the kind. kind: its name, if the figure must not be higher than a page.
    """

    def __init__(
        self,
        options: Options,
        axes: Axes | Sequence[Axes] | None = None,
        second: pd.DataFrame | None = None,
        kind: str = "",
    ) -> None:
        super().__init__(options)
        self.second, self.kind = second, kind
        self.entries = ENTRIES | ENTRIES_OF_KIND.get(kind, {})  # templates of the legend, by column
        self.axes = None if axes is None else list(np.ravel(np.asarray(axes, dtype=object)))
        if not all(isinstance(one, Axes) for one in self.axes or ()):
            raise BadInput(f"ax must be axes of matplotlib, or a sequence of them, got {quoted(axes)}")
        self.list_of_panels = ""
        self.drawn: list[Panel] = []
        self.figure: Figure
        self.panel = (60.0, 60.0)  # inches; the sizes of given axes are not known, and nothing is broken into lines

    def entry(self, column: str, value: Any) -> str:
        """Return a value of a column as text of the legend."""
        return self.name(value) if column == "study" else entry_text(self.entries, column, value)

    # ---- panels ----

    def grid(
        self,
        titles: Sequence[str],
        across: int | None = None,
        height: float | None = None,
        heads: Sequence[str] = (),
    ) -> list[Axes]:
        """Return axes for panels (a), (b), ... with these descriptions in the caption.

        heads: short names above the panels, by default none.
        """
        if not titles:
            raise NothingToDraw("there is nothing to draw")
        if self.axes is not None:
            if len(self.axes) != len(titles):
                raise BadInput(
                    f"ax must be {len(titles)} axes, one for each panel ({'; '.join(titles)}), got {len(self.axes)}"
                )
            panels, self.figure = self.axes, self.axes[0].figure.figure
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
        heads = heads or [""] * len(titles)
        if len(titles) > 1:
            letters = string.ascii_lowercase
            names = [first + last for first in ("", *letters) for last in letters][: len(titles)]
            wide = int((self.panel[0] - MARGIN / 2) / LETTER)
            heads = [wrapped(f"({name}) {head}".strip(), wide) for name, head in zip(names, heads, strict=True)]
            self.list_of_panels = "; ".join(f"({name}) {text}" for name, text in zip(names, titles, strict=True))
        else:
            self.list_of_panels = titles[0] and filled(PARTS["one-panel"], panel=titles[0])
        for ax, head in zip(panels, heads, strict=True):
            if head and (len(titles) > 1 or self.axes is None):
                ax.set_title(texed(head), loc="left", pad=3)
        return panels

    def panels(
        self,
        rows: pd.DataFrame,
        *aspects: Aspect,
        x: str,
        by: str | Sequence[str] = (),
        hue: Sequence[str] = ("dim",),
        shade: Sequence[str] = ("size",),
        dash: Sequence[str] = (),
    ) -> Iterator[Panel]:
        """Yield a panel for each value of the columns `by` and each aspect; see Looks for the other parameters.

        If the legend has many entries, further columns have panels, as many as fit a page.
        """
        rows = of(rows, *(aspect.quantity for aspect in aspects))
        if rows.empty:
            raise NothingToDraw("there is nothing to draw: the table has no rows for this kind of figure")
        by = self.options.panels or by
        self.rows, columns = rows, [by] if isinstance(by, str) else [*by]  # rows of all panels
        if self.options.labels and "study" not in columns:
            hue = ("study", *hue)
        aspects = tuple(replace(a, **axis_texts(self.kind, a.texts or a.quantity, rows)) for a in aspects)
        if self.options.log is not None:  # aspects that differ in `log` only become one
            aspects = tuple({(a.quantity, a.xlabel, a.ylabel): a for a in reversed(aspects)}.values())[::-1]

        def looks_within(columns: list[str]) -> dict[Aspect, Looks]:
            shared = (shade, dash, self.entry)
            parts = [(a, of(rows, a.quantity)) for a in aspects]
            return {a: Looks(part, a.x or x, columns, a.hue or hue, *shared) for a, part in parts if len(part)}

        looks, narrow = looks_within(columns), self.options.width == "column"
        for column in () if self.options.panels or self.axes else OWN_PANELS:
            keys = {key for look in looks.values() for key in look.keys}
            wanted = len(rows[[*columns, column]].drop_duplicates()) * len(aspects)
            fits = wanted <= MAX_ROWS * (2 if narrow else 3)
            if column in keys and fits and self._many_entries(looks):
                columns = [*columns, column]
                looks = looks_within(columns)
        groups = [*rows.groupby(columns, sort="study" not in columns)] if columns else [((), rows)]
        levels = [rows[column].nunique() for column in columns]
        row = max((number for number in levels if number <= 3), default=1)  # panels of a row
        several = sum(number > 1 for number in levels) > 1 and row > 1
        is_grid = several and math.prod(levels) == len(groups) and rows["study"].nunique() == 1
        if is_grid:  # along a row only one column changes
            k = levels.index(row)
            groups.sort(key=lambda group: (*group[0][:k], *group[0][k + 1 :], group[0][k]))
        panels = [(a, v, own) for a in aspects for v, part in groups if len(own := of(part, a.quantity))]
        texts, heads = [], []
        for aspect, values, part in panels:
            name = aspect.caption_name if len(aspects) > 1 else ""
            head, full = self._names_of_panel(dict(zip(columns, values, strict=True)), part, rows)
            texts.append(joined(full, name))
            heads.append(joined(head, name if len(name) <= SHORT_NAME else ""))
        whole = len(panels) == len(aspects) * len(groups) and 1 < len(groups) <= 3 and len(aspects) > 1
        across = None if narrow else len(groups) if whole else row if is_grid else 2 if len(panels) in (2, 4) else None
        axes = self.grid(texts, across, heads=heads)
        wide, high = (int((inches - MARGIN) / LETTER) for inches in self.panel)
        for ax, (aspect, _, part) in zip(axes, panels, strict=True):
            log = aspect.log if self.options.log is None else self.options.log
            positive = (part[["value", "upper"]] > 0).any(axis=None)  # else a logarithmic axis would be empty
            ax.set(
                xscale="log" if "x" in log else "linear",
                yscale="log" if "y" in log and (positive or self.options.log) else "linear",
                xlabel=texed(wrapped(aspect.xlabel, wide)),
                ylabel=texed(wrapped(aspect.ylabel, high)),
            )
            self.drawn.append(Panel(ax, part, aspect, looks[aspect], self, aspect.x or x))
            yield self.drawn[-1]

    def _many_entries(self, looks: dict[Aspect, Looks]) -> bool:
        """Return whether the legend may have more than MAX_ENTRIES entries."""
        labels = {entry.get_label() for look in looks.values() for entry in look.handles(set())}
        return len(labels) + (KINDS[self.kind].entries if self.kind in KINDS else 0) > MAX_ENTRIES

    def _names_of_panel(self, values: dict[str, Any], part: pd.DataFrame, rows: pd.DataFrame) -> tuple[str, str]:
        """Return the name above a panel with these values of columns, and that in the caption."""
        if list(values) != ["study"]:
            several = rows["study"].nunique() > 1
            texts = (self.entry(column, value) for column, value in values.items() if several or column != "study")
            return (joined(*dict.fromkeys(texts)),) * 2
        study, rule = values["study"], str(part["rule"].iloc[-1])
        head = self.name(study)
        return head, head if study in (rule, *self.options.labels) else f"{head} ({rule})"

    # ---- the end ----

    def finish(self, lead: str) -> str:
        """Set the limits, add the legend, and return the caption."""
        for panel in self.drawn:
            if panel.aspect.ylim and not panel.log_y:
                panel.ax.set_ylim(panel.aspect.ylim)
            for name, axis in (("xlim", panel.ax.xaxis), ("ylim", panel.ax.yaxis)):
                if ends := getattr(self.options, name):
                    if axis.get_scale() == "log" and ends[0] <= 0:
                        raise BadInput(f"{name}: {ends[0]:g} is not on a logarithmic axis; log: [] makes both linear")
                    panel.ax.set(**{name: ends})
                readable_ticks(axis)
            panel.arrows()
        if self.replicates:
            what = " and ".join(PARTS[name] for name in self.replicates).capitalize()
            self.say("replicates", what=what, number=spread(pd.concat(sum(self.replicates.values(), []))))
        elif any((p.rows["n_replicates"] == 1).any() for p in self.drawn):
            self.say(f"{ONE_REPLICATE.capitalize()}.")
        if tori := [p.rows["size"] for p in self.drawn if "size" not in p.looks.distinguished]:
            self.say("tori", number=spread(pd.concat(tori)))
        self._legend()
        facts = [f"{fact} {', '.join(items)}." if items else fact for fact, items in self.facts.items()]
        geometries = {name for panel in self.drawn for name in panel.rows.get("geometry", ())}
        lead, *facts = (of_space(text, geometries) for text in (lead, *facts))
        sentences = [self.options.caption or lead, self.list_of_panels and f"{self.list_of_panels}.", *facts]
        return " ".join(filter(None, sentences))

    def _legend(self) -> None:
        """Draw the title and the legend below it, on given axes, or above the panels of a figure."""
        handles = self._entries() if self.options.legend else []
        title = texed(self.options.title)
        if self.axes is None:
            above = partial(self.figure.legend, loc="outside upper center")
            width = 0.98 * self.figure.get_figwidth() * self.figure.dpi
            high = self._fitted(above, handles, width) if handles else 0.0
            self._fit(high, self._title_above(title) if title else 0.0)
            return
        if title and len(self.axes) == 1:
            self.axes[0].set_title(title)
        elif title:
            self.figure.suptitle(title)
        if handles and self.drawn:
            self.axes[0].legend(handles=handles)
        elif handles:  # a picture has its legend below the frame, next to the scale bar
            below = partial(self.axes[0].legend, loc="upper right", bbox_to_anchor=(1, 0), borderaxespad=0.2)
            self._fitted(below, handles, 0.85 * self.axes[0].get_window_extent().width)

    def _entries(self) -> list[Artist]:
        """Return the entries of the legend."""
        handles: dict[str, Artist] = {}
        for looks in dict.fromkeys(panel.looks for panel in self.drawn):
            panels = [panel for panel in self.drawn if panel.looks is looks]
            lines = set().union(*(panel.joined for panel in panels)) if panels[0].marked else None
            if lines is None and looks.step > 1:
                self.say("sequence")
            for entry in looks.handles(lines):
                handles.setdefault(str(entry.get_label()), entry)
        handles |= self.handles
        for handle in handles.values():
            handle.set_label(texed(str(handle.get_label())))
        return list(handles.values())

    def _fitted(self, draw: Callable[..., Any], handles: list[Artist], width: float) -> float:
        """Draw a legend in as few rows as fit a width in pixels; return its height in inches."""
        for rows in range(-(-len(handles) // 6), len(handles) + 1):
            columns = -(-len(handles) // rows)
            colors = sum(isinstance(handle, Patch) for handle in handles)  # in a row of their own, if there is space
            gaps = max(0, columns - colors) if colors else 0
            fill = [Line2D([], [], ls="none", label=" ")] * (gaps if gaps <= rows * columns - len(handles) else 0)
            entries = [*handles[:colors], *fill, *handles[colors:]]
            # Matplotlib fills columns first; these are read by rows.
            by_rows = [handle for column in range(columns) for handle in entries[column::columns]]
            legend = draw(handles=by_rows, ncols=columns)
            extent = legend.get_window_extent()
            if extent.width <= width or columns == 1:
                break
            legend.remove()
        return extent.height / self.figure.dpi

    def _title_above(self, title: str) -> float:
        """Draw the title above all else, in lines that fit; return its height in inches."""
        wide = int(self.figure.get_figwidth() / LETTER)
        artist = self.figure.suptitle(wrapped(title, wide), linespacing=1.1)
        artist.set_in_layout(False)  # else the panels keep away from the title or the legend, not from both
        return artist.get_window_extent().height / self.figure.dpi + 2 * TITLE_GAP

    def _fit(self, legend: float, title: float) -> None:
        """Set the height of the figure, given those of the legend and the title above it in inches.

        If it would be higher than a page, the panels are lower. Raises BadInput if they would be too low.
        """
        panels, above = self.figure.get_figheight(), legend + title
        if self.kind and panels + above > MAX_HEIGHT:
            lowest = self.down * min(MIN_PANEL, self.panel[1]) + above
            if lowest > MAX_HEIGHT:
                width = self.options.width or "text"
                wider = "write `width: text`, or " if width == "column" else ""
                raise BadInput(
                    f"a figure {self.kind} of {len(self.figure.axes)} panels would be at least {lowest:.1f} inches high at "
                    f"width {width}, and a page has {MAX_HEIGHT:g}; {wider}list fewer studies, or choose other panels"
                )
            panels = MAX_HEIGHT - above
        high = panels + above
        self.figure.set_figheight(high)
        if not title:
            return
        self.figure.suptitle(self.figure.get_suptitle(), y=1 - TITLE_GAP / high)
        for box in self.figure.legends:  # the layout then keeps no space free for it
            box.set_bbox_to_anchor((0, 0, 1, 1 - title / high), self.figure.transFigure)
        engine: Any = self.figure.get_layout_engine()
        engine.set(rect=(0, 0, 1, 1 - (title + legend + 2 * TITLE_GAP * bool(legend)) / high))


def texed(text: str) -> str:
    """Return the text, escaped if LaTeX sets it."""
    return tex(text) if rcParams["text.usetex"] else text
