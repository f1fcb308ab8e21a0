"""Drawing of a figure from a table: validation of options, selection and order of rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from ...utils.errors import BadInput, nearest, quoted
from ...utils.libraries import pd
from ...utils.validation import check_real
from .canvas import Drawing, check_formulas
from .figure_layout import FigureLayout
from .figure_text import process_sentence
from .kinds import KINDS, PANELS, WIDTHS, Kind, Options, check_limits
from .style import latex_errors, styled

OF_PICTURES = ("colors", "s")  # options of pictures of points
OF_AXES = ("xlim", "ylim", "log", "panels")
CHOICES = {"width": tuple(WIDTHS), "panels": PANELS}


def draw(
    kind: str,
    table: pd.DataFrame,
    studies: Sequence[str] | None = None,
    ax: Any = None,
    /,
    second: pd.DataFrame | None = None,
    **options: Any,
) -> Drawing:
    """Draw a figure of some studies (by default all) from the tables that its kind needs.

    These are the table, and for some kinds a second one.

    ax: axes for each panel; by default those of a new figure. options: fields of Options. Raises
    BadInput if the table has no rows to draw, or an option is invalid.
    """
    entry = KINDS[kind]

    def paint(layout: FigureLayout) -> str:
        rows = _ordered(entry, table, studies)
        lead = entry.function(rows, layout)
        if sentence := process_sentence(rows):
            layout.say(sentence)
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
    valid = checked(options, kind)
    with styled(valid.style, valid.usetex), latex_errors():
        layout = FigureLayout(valid, ax, second, kind.name if kind else "")
        caption = layout.finish(paint(layout))
        return Drawing(layout.figure, caption, valid)


def checked(options: dict[str, Any], kind: Kind | None) -> Options:
    """Return the options of a figure; BadInput for unknown, invalid and inapplicable ones."""
    names = [field.name for field in fields(Options) if (kind and not kind.axes) or field.name not in OF_PICTURES]
    for name, value in options.items():
        if name not in names:
            raise BadInput(f"a figure has no option {quoted(name)}{nearest(name, names)}")
        if name in CHOICES and value is not None and value not in CHOICES[name]:
            raise BadInput(f"{name}: {quoted(value)} is not known here{nearest(str(value), CHOICES[name])}")
        if name in ("xlim", "ylim") and value is not None:
            check_limits(value)
        if name in ("title", "caption", "style") and not isinstance(value, str | None):
            raise BadInput(f"{name} must be text, got {quoted(value)}")
        if name == "labels" and not isinstance(value, Mapping):
            raise BadInput(f"labels must be a mapping from names to text, got {quoted(value)}")
    valid = Options(**options)
    labels = {f"the label of {study}": text for study, text in valid.labels.items()}
    for name, text in {"the title": valid.title, "the caption": valid.caption, **labels}.items():
        check_formulas(text, name)
    if valid.s is not None:
        check_real("s", valid.s, "a finite area above 0, in square points", 1e-6, 1e6)
    unused = [name for name in OF_AXES if getattr(valid, name) is not None]
    if kind and unused and not kind.axes:
        raise BadInput(f"a figure {kind.name} has no axes; leave out {', '.join(unused)}")
    if kind and valid.octaves is not None and not kind.octaves:
        raise BadInput(f"a figure {kind.name} has no 'octaves'; leave it out")
    return replace(valid, log=tuple(valid.log)) if isinstance(valid.log, str) else valid


def _ordered(kind: Kind, table: pd.DataFrame, studies: Sequence[str] | None) -> pd.DataFrame:
    """Return the rows of these studies in this order."""
    if not isinstance(table, pd.DataFrame):
        raise BadInput(f"the table {kind.table} must be a data frame, got {quoted(table)}")
    missing = [name for name in ("study", "dim", "size", "rule") if name not in table]
    if missing:
        raise BadInput(f"this is not a table {kind.table}: it has no column {', '.join(missing)}")
    table = table.copy(deep=False)
    for name in table.select_dtypes("category"):  # as pandas reads text from a file
        table[name] = table[name].astype(object)
    table["dim"] = table["dim"].fillna(np.inf)  # of the mean-field model
    table.attrs = {}  # the provenance, which pandas would copy at every step
    names = list(dict.fromkeys(table["study"] if studies is None else studies))
    parts = [table[table["study"] == name].sort_values(["dim", "size"], kind="stable") for name in names]
    rows = pd.concat(parts) if parts else table
    if rows.empty:
        raise BadInput(f"there is nothing to draw of {', '.join(map(str, names)) or 'a table without rows'}")
    return rows
