"""Tables become figures: which rows a figure shows, in which order, who draws them, and how it is to look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

import pandas as pd

from ..utils.errors import BadInput, nearest, quoted
from .canvas import Drawing, refuse_title
from .kinds import KINDS, PANELS, WIDTHS, Kind, Options
from .sheet import Sheet
from .style import latex_told, styled
from .words import process_words

CHOICES = {"width": tuple(WIDTHS), "panels": PANELS}


def draw(
    kind: str,
    table: pd.DataFrame,
    studies: Sequence[str] | None = None,
    ax: Any = None,
    /,
    beside: pd.DataFrame | None = None,
    **options: Any,
) -> Drawing:
    """Draw one figure of some studies (by default all), from the table that its kind needs.

    ax: axes to draw in, one for each panel. beside: the second table of the kind, if it has one. options: of Options. Raises
    BadInput (a ValueError) if the table holds nothing to show in it, or for an option that cannot be.
    """
    entry, asked = KINDS[kind], checked(KINDS[kind], options)
    with styled(asked.style, asked.usetex), latex_told():
        rows = _ordered(entry, table, studies)
        sheet = Sheet(asked, ax, beside)
        lead = entry.function(rows, sheet)
        if told := process_words(rows):
            sheet.say(told)
        caption = sheet.finish(lead)
        return Drawing(sheet.figure, caption, asked)


def checked(kind: Kind, options: dict[str, Any]) -> Options:
    """The options of a figure. Raises BadInput for one that there is not, or that this kind has no use for."""
    found = checked_options(options)
    if unused := [
        name for name in ("xlim", "ylim", "log", "panels") if not kind.axes and getattr(found, name) is not None
    ]:
        raise BadInput(f"a figure {kind.name} has no axes; leave out {', '.join(unused)}")
    return found


def checked_options(options: dict[str, Any]) -> Options:
    """The options of any figure. Raises BadInput for one that there is not, or that cannot be."""
    names = [field.name for field in fields(Options)]
    for name, value in options.items():
        if name not in names:
            raise BadInput(f"a figure has no option {quoted(name)}{nearest(name, names)}")
        if name in CHOICES and value is not None and value not in CHOICES[name]:
            raise BadInput(f"{name}: {quoted(value)} is not known here{nearest(str(value), CHOICES[name])}")
    found = Options(**options)
    for name, words in {"the title": found.title, "the caption": found.caption, **_labels(found)}.items():
        refuse_title(words, name)
    return replace(found, log=tuple(found.log)) if isinstance(found.log, str) else found


def _labels(options: Options) -> dict[str, str]:
    return {f"the label of {study}": text for study, text in options.labels.items()}


def _ordered(kind: Kind, table: pd.DataFrame, studies: Sequence[str] | None) -> pd.DataFrame:
    """The rows of these studies, in their order."""
    missing = [name for name in ("study", "dim", "size", "rule") if name not in table]
    if missing:
        raise BadInput(f"this is no table {kind.table}: it has no column {', '.join(missing)}")
    table = table.copy(deep=False)
    table.attrs = {}  # the provenance, which pandas would copy at every step
    names = list(dict.fromkeys(table["study"])) if studies is None else list(studies)
    rows = table[table["study"].isin(names)]
    rows = rows.assign(study=pd.Categorical(rows["study"], names, ordered=True))
    rows = rows.sort_values(["study", "dim", "size"], kind="stable")
    rows["study"] = rows["study"].astype(str)
    if rows.empty:
        raise BadInput(f"there is nothing to draw of {', '.join(map(str, names)) or 'a table without rows'}")
    return rows
