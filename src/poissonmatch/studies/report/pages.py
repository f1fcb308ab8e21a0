"""The report of a study as one HTML page without scripts."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

import jinja2
import numpy as np
from markupsafe import Markup, escape

from ...utils.libraries import pd
from ..figures.figure_rows import intensity_columns, rule_of
from ..figures.figure_text import entry_text
from ..figures.kinds import WIDTHS
from ..figures.text_format import estimate, joined, plain, spread
from ..tables.estimate_tables import INFINITE, ZERO
from ..tables.tables import names_of_colors

MAX_ROWS = 500  # of a table
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass
class ReportFigure:
    """A figure of the report: its files as bytes by suffix, its caption, and its printed width."""

    name: str
    files: Mapping[str, bytes]
    caption: str
    width: str

    @property
    def source(self) -> str:
        """Data URL of the picture."""
        suffix, kind = (".svg", "svg+xml") if ".svg" in self.files else (".png", "png")
        return f"data:image/{kind};base64,{base64.b64encode(self.files[suffix]).decode()}"

    @property
    def plain_caption(self) -> str:
        """Caption as plain text."""
        return plain(self.caption)

    @property
    def inches(self) -> float:
        """Printed width in inches."""
        return WIDTHS[self.width]


def tables(rows: pd.DataFrame) -> list[dict[str, Any]]:
    """Return tables of the numbers from several replicates: one a study, and one for each quantity with an argument."""
    found = []
    for study, part in rows[rows["n_replicates"] > 1].groupby("study", sort=False):
        without = part[part["x"].isna()]
        if len(without):
            found.append(_table_of_study(str(study), without, ("quantity", "color", "order"), ()))
        for quantity, own in part.dropna(subset="x").groupby("quantity", sort=False):
            found.append(_table_of_study(str(study), own, ("x",), ("color", "order"), str(quantity)))
    return found


def narrow(wide: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the same tables for a printed page or a phone, with few columns each."""
    for table in wide:
        names, rows = table["columns"], table["rows"]
        width = 4 if any(cell["exact"] for row in rows for cell in row["values"]) else 7
        for k in range(0, len(names), width):
            few = [row | {"values": row["values"][k : k + width]} for row in rows]
            yield table | {"columns": names[k : k + width], "rows": few}


def differs_by_volume(rows: pd.DataFrame) -> bool:
    """Return whether a number differs between a torus and infinite volume."""
    both = rows["exact"].notna() & rows["exact_torus"].notna()
    return bool((rows["note"].isin((ZERO, INFINITE)) | both).any())


def _table_of_study(
    study: str, rows: pd.DataFrame, across: Sequence[str], more: Sequence[str], what: str = ""
) -> dict[str, Any]:
    """Return estimates of a study as text: a row for each cell (and value of `more`), a column for each of `across`."""
    colors = [key for key in intensity_columns(rows) if key != "intensity_1"]  # which follows from the ratio
    several = {key for key in rows if rows[key].nunique(dropna=False) > 1}
    down = [key for key in ("dim", "size", "ratio", *colors, *more) if key in several | {"dim", "size"}]
    across = [key for key in across if key in several | {"quantity", "x"}]
    caption = f"{study}{f': {what}' * bool(what)} ({rows['rule'].iloc[0]}, {rows['process'].iloc[0]})"
    return table(caption, rows, across, down)


def table(caption: str, rows: pd.DataFrame, across: Sequence[str], down: Sequence[str]) -> dict[str, Any]:
    """Return estimates as text: a row for each value of the columns `down`, a column for each value of `across`."""
    rule, names = rule_of(rows), dict(enumerate(names_of_colors(rows.iloc[0])))
    heads = {"dim": "dimension", "size": "points", "intensity_0": "intensity", "order": "partner"}

    def text_of(key: str, value: Any) -> str:
        if isinstance(value, float) and np.isnan(value):
            return ""
        if key == "color":
            return names.get(int(value)) or rule.color_name(int(value))
        if key == "order":
            return f"label {value}" if rule.labels else f"partner {value + 1}"
        return plain(entry_text({}, key, value))

    columns = list(rows[[*across]].drop_duplicates().itertuples(index=False, name=None))
    line = rows.groupby([*down], sort=False, dropna=False).ngroup()
    some = line < MAX_ROWS
    parts: dict[int, list[Mapping[Any, Any]]] = {}
    for k, row in zip(line[some], rows[some].to_dict("records"), strict=True):
        parts.setdefault(k, []).append(row)
    lines = []
    for part in parts.values():
        cells = {tuple(row[name] for name in across): row for row in part}
        values = [_value(cells.get(column)) for column in columns]
        numbers = spread([row["n_replicates"] for row in part], str)
        lines.append({"first": [text_of(name, part[0][name]) for name in down], "values": values, "n": numbers})
    if not some.all():
        caption += f", the first {MAX_ROWS} of {line.max() + 1} rows"
    return {
        "caption": caption,
        "first": [heads.get(name, name) for name in down],
        "columns": [joined(*map(text_of, across, column)) for column in columns],
        "rows": lines,
    }


def _value(row: Any) -> dict[str, str]:
    """Return a table cell: the value with its error, and below it the exact value, if it is known, and the note."""
    if row is None:
        return {"value": "", "exact": ""}
    exact, torus, note = row["exact"], row["exact_torus"], "" if pd.isna(row["note"]) else row["note"]
    texts = [] if not np.isfinite(exact) or note == ZERO else [f"{exact:.5g}"]
    unseen = 0.01 * (row["upper"] - row["lower"])  # a difference below it is not shown
    if not (np.isnan(torus) or f"{torus:.5g}" in texts or abs(torus - exact) < unseen) and (texts or note):
        texts = [*(f"{infinite} in infinite volume" for infinite in texts), f"{torus:.5g} on tori of this size"]
    return {"value": readable(estimate(row)), "exact": readable(joined(*texts, note))}


def readable(text: str) -> str:
    """Return text whose numbers have a minus sign and a power of ten as they are printed: −3 × 10⁻⁵ for -3e-05."""
    text = re.sub(r"e([+-]\d+)", lambda found: f" × 10{str(int(found[1])).translate(RAISED)}", text)
    return re.sub(r"(?<![\w.)])-(?=\d)", "−", text)


def _template(name: str) -> jinja2.Template:
    text = resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
    environment = jinja2.Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    environment.filters["breakable"] = lambda name: escape(name).replace("_", Markup("_<wbr>"))
    return environment.from_string(text)


def page(report: Mapping[str, Any]) -> str:
    """Return a report with these contents as an HTML page."""
    return _template("report.html").render(report=report)


def gallery(title: str, figures: Sequence[ReportFigure]) -> str:
    """Return an HTML page with the figures."""
    return _template("gallery.html").render(title=title, figures=figures)
