"""Drawing of a figure from a table: validation of options, selection and order of rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from ..utils.errors import BadInput, nearest, quoted
from ..utils.libraries import pd
from ..utils.validation import check_real
from .canvas import Drawing, check_formulas
from .figure_layout import FigureLayout
from .figure_text import process_sentence
from .kinds import KINDS, PANELS, WIDTHS, Kind, Options, check_limits
from .style import latex_errors, styled

OF_PICTURES = ("colors", "s")  # options of pictures of points
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
    entry, requested = KINDS[kind], checked(KINDS[kind], options)
    with styled(requested.style, requested.usetex), latex_errors():
        rows = _ordered(entry, table, studies)
        layout = FigureLayout(requested, ax, second, entry.name)
        lead = entry.function(rows, layout)
        if sentence := process_sentence(rows):
            layout.say(sentence)
        caption = layout.finish(lead)
        return Drawing(layout.figure, caption, requested)


def checked(kind: Kind, options: dict[str, Any]) -> Options:
    """Return the options of a figure of a kind; BadInput for unknown and inapplicable ones."""
    valid = checked_options(options, picture=not kind.axes)
    unused = [name for name in ("xlim", "ylim", "log", "panels") if getattr(valid, name) is not None]
    if unused and not kind.axes:
        raise BadInput(f"a figure {kind.name} has no axes; leave out {', '.join(unused)}")
    if valid.octaves is not None and not kind.octaves:
        raise BadInput(f"a figure {kind.name} has no {quoted('octaves')}; leave it out")
    return valid


def checked_options(options: dict[str, Any], *, picture: bool = False) -> Options:
    """Return the options of any figure; BadInput for unknown names and invalid values.

    picture: whether the figure is a picture of points, which has the options colors and s.
    """
    names = [field.name for field in fields(Options) if picture or field.name not in OF_PICTURES]
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
    names = list(dict.fromkeys(table["study"])) if studies is None else list(studies)
    rows = table[table["study"].isin(names)]
    rows = rows.assign(study=pd.Categorical(rows["study"], names, ordered=True))
    rows = rows.sort_values(["study", "dim", "size"], kind="stable")
    rows["study"] = rows["study"].astype(str)
    if rows.empty:
        raise BadInput(f"there is nothing to draw of {', '.join(map(str, names)) or 'a table without rows'}")
    return rows
