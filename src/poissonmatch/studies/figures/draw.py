"""Drawing of a figure from a table: selection and order of rows."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...utils.errors import BadInput, quoted
from ...utils.libraries import pd
from .canvas import Drawing, Picture
from .figure_layout import FigureLayout
from .figure_options import options_of
from .figure_rows import max_distances, unusual_processes
from .figure_text import caption_of
from .kinds import KINDS, WIDTHS, Kind, NothingToDraw
from .style import latex_errors, styled


def draw(
    kind: str,
    table: pd.DataFrame,
    studies: Sequence[str] | None = None,
    ax: Any = None,
    /,
    second: pd.DataFrame | None = None,
    **options: Any,
) -> Drawing:
    """Draw a figure of some studies (by default all) from the table of its kind, and for some kinds a second one.

    ax: axes for each panel; by default those of a new figure. options: fields of Options. Raises
    BadInput if the table has no rows to draw, or an option is invalid.
    """
    entry = KINDS[kind]

    def paint(layout: FigureLayout) -> str:
        rows = _ordered(entry, table, studies)
        lead = entry.function(rows, layout) or caption_of(kind, layout.rows)
        if names := unusual_processes(rows):
            layout.say("processes" if len(names) > 1 else "process", names=", ".join(names))
        if distances := max_distances(rows):
            layout.say("max-distance", distances=", ".join(map("{:g}".format, distances)))
        return lead

    return drawn(paint, ax, options, entry, second)


def drawn(
    paint: Callable[[FigureLayout], str],
    ax: Any,
    options: dict[str, Any],
    kind: Kind | None = None,
    second: pd.DataFrame | None = None,
) -> Drawing:
    """Return a figure that a function draws on a layout; the function returns the first sentence of the caption."""
    valid = options_of(options, kind)
    with styled(valid.style, valid.usetex), latex_errors():
        layout = FigureLayout(valid, ax, second, kind.name if kind else "")
        caption = layout.finish(paint(layout))
        return Drawing(layout.figure, caption, valid)


def blank(reason: str, kind: str, options: dict[str, Any]) -> Drawing:
    """Return a figure that only says why there is nothing to draw."""
    valid = options_of(options, KINDS[kind])
    with styled(valid.style, valid.usetex):
        figure = Picture(valid, figsize=(WIDTHS["column"], 1.0))
        ax = figure.subplots()
        ax.set_axis_off()
        ax.text(0.5, 0.5, textwrap.fill(reason, 45), ha="center", va="center")
    return Drawing(figure, f"{reason[0].upper()}{reason[1:]}.", valid)


def _ordered(kind: Kind, table: pd.DataFrame, studies: Sequence[str] | None) -> pd.DataFrame:
    """Return the rows of these studies in this order."""
    if not isinstance(table, pd.DataFrame):
        raise BadInput(f"the table {kind.table} must be a data frame, got {quoted(table)}")
    if missing := [name for name in ("study", "dim", "size", "rule") if name not in table]:
        raise BadInput(f"this is not a table {kind.table}: it has no column {', '.join(missing)}")
    table = table.astype(dict.fromkeys(table.select_dtypes("category"), object))  # as pandas reads text from a file
    table["dim"] = table["dim"].fillna(np.inf)  # of the mean-field model
    table.attrs = {}  # the provenance, which pandas would copy at every step
    names = dict.fromkeys(table["study"] if studies is None else studies)
    parts = [table[table["study"] == name].sort_values(["dim", "size"], kind="stable") for name in names]
    rows = pd.concat(parts) if parts else table[:0]
    if rows.empty:
        raise NothingToDraw(f"there is nothing to draw of {', '.join(map(str, names)) or 'no study'}")
    return rows
