"""The report of a study as one HTML page without scripts."""

from __future__ import annotations

import base64
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

import jinja2
import numpy as np
from markupsafe import Markup, escape

from ...utils.libraries import pd
from ..figures.figure_rows import intensity_columns, rule_of
from ..figures.figure_text import dim_name, partner_name
from ..figures.kinds import WIDTHS
from ..figures.text_format import estimate, joined, number, plain, spread
from ..tables.estimate_tables import INFINITE, ZERO
from ..tables.tables import names_of_colors
from .summary import Result


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


@dataclass
class Report:
    """Contents of a report."""

    study: str  # name of the study file
    text: str  # of the study file
    asked: Sequence[Mapping[str, str]]  # parameters of each study, as text
    figures: Sequence[ReportFigure]
    estimates: pd.DataFrame
    numbers: Collection[str]  # quantities that are single numbers, not curves
    caveats: Sequence[Any]  # finite-size effects and other limits of the results
    cutoffs: Sequence[Mapping[str, str]]
    results: Sequence[Result] = field(default=(), kw_only=True)  # in words
    about: Mapping[str, Any]  # the manifest of the tables
    version: str  # of poissonmatch
    meanings: Mapping[str, str] = field(default_factory=dict)  # of the quantities

    @property
    def name(self) -> str:
        """Name of the study file without suffix."""
        return self.study.removesuffix(".yaml").removesuffix(".yml")

    @property
    def numbers_of_tori(self) -> pd.DataFrame:
        """Rows of the quantities that are single numbers."""
        return self.estimates[self.estimates["quantity"].isin(self.numbers)]

    @property
    def tables(self) -> list[dict[str, Any]]:
        """Tables of the numbers from several replicates.

        For each study there is one without argument, and one per quantity with argument.
        """
        rows, tables = self.numbers_of_tori, []
        for study, part in rows[rows["n_replicates"] > 1].groupby("study", sort=False):
            plain_ones = part[part["x"].isna()]
            if len(plain_ones):
                tables.append(_table(str(study), plain_ones, ("quantity", "color", "order"), ()))
            for quantity, own in part[part["x"].notna()].groupby("quantity", sort=False):
                tables.append(_table(str(study), own, ("x",), ("color", "order"), str(quantity)))
        return tables

    @property
    def narrow_tables(self) -> Iterator[dict[str, Any]]:
        """Yield the same tables for a printed page or a phone, with few columns each."""
        for table in self.tables:
            names, rows = table["columns"], table["rows"]
            width = 4 if any(cell["exact"] for row in rows for cell in row["values"]) else 7
            for k in range(0, len(names), width):
                few = [row | {"values": row["values"][k : k + width]} for row in rows]
                yield table | {"columns": names[k : k + width], "rows": few}

    @property
    def two_volumes(self) -> bool:
        """Return whether a number of these tables differs between a torus and infinite volume."""
        rows = self.numbers_of_tori
        both = rows["exact"].notna() & rows["exact_torus"].notna()
        return bool((rows["note"].isin((ZERO, INFINITE)) | both).any())

    @property
    def quantities(self) -> dict[str, str]:
        """Meanings of the quantities in these tables."""
        listed = set(self.numbers_of_tori["quantity"])
        return {name: plain(meaning) for name, meaning in self.meanings.items() if name in listed}


def _table(
    study: str, rows: pd.DataFrame, across: Sequence[str], more: Sequence[str], what: str = ""
) -> dict[str, Any]:
    """Return estimates as a table of text.

    It has a row for each cell (and value of `more`), and a column for each value of `across`.
    """
    rule, names = rule_of(rows), dict(enumerate(names_of_colors(rows.iloc[0])))
    colors = [key for key in intensity_columns(rows) if key != "intensity_1"]  # which follows from the ratio
    several = {key for key in rows if rows[key].nunique(dropna=False) > 1}
    down = [key for key in ("dim", "size", "ratio", *colors, *more) if key in several | {"dim", "size"}]
    across = [key for key in across if key in several | {"quantity", "x"}]
    formats: dict[str, Callable[[Any], str]] = {
        "dim": lambda dim: plain(dim_name(dim)),
        "size": number,
        "color": lambda color: names.get(int(color)) or rule.color_name(int(color)),
        "order": lambda order: f"label {order}" if rule.labels else f"partner {order + 1}",
    }
    heads = {"dim": "dimension", "size": "points", "intensity_0": "intensity", "order": "partner"}

    def text_of(key: str, value: Any) -> str:
        if isinstance(value, float) and np.isnan(value):
            return ""
        return formats.get(key, lambda v: f"{v:g}" if isinstance(v, float) else str(v))(value)

    columns = list(rows[across].drop_duplicates().itertuples(index=False, name=None))
    lines = []
    for key, part in rows.groupby(down, sort=False, dropna=False):
        cells = {tuple(row[name] for name in across): row for _, row in part.iterrows()}
        values = [_value(cells.get(column)) for column in columns]
        lines.append({"first": list(map(text_of, down, key)), "values": values, "n": spread(part["n_replicates"], str)})
    return {
        "study": study,
        "what": what,
        "rule": str(rows["rule"].iloc[0]),
        "process": str(rows["process"].iloc[0]),
        "first": [heads.get(name, name) for name in down],
        "columns": [joined(*map(text_of, across, column)) for column in columns],
        "rows": lines,
    }


def _value(row: Any) -> dict[str, str]:
    """Return a table cell: the value with its error.

    The exact value, if it is known, and the note are below it.
    """
    if row is None:
        return {"value": "", "exact": ""}
    exact, torus, note = float(row["exact"]), float(row["exact_torus"]), "" if pd.isna(row["note"]) else row["note"]
    texts = [] if np.isnan(exact) or note == ZERO else [f"{exact:.5g}"]
    unseen = 0.01 * float(row["upper"] - row["lower"])  # a difference below it is not shown
    if not (np.isnan(torus) or f"{torus:.5g}" in texts or abs(torus - exact) < unseen) and (texts or note):
        texts = [*(f"{infinite} in infinite volume" for infinite in texts), f"{torus:.5g} on tori of this size"]
    return {"value": estimate(row), "exact": joined(*texts, note)}


def _template(name: str) -> jinja2.Template:
    text = resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
    environment = jinja2.Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    environment.filters["breakable"] = lambda name: escape(name).replace("_", Markup("_<wbr>"))
    return environment.from_string(text)


def page(report: Report) -> str:
    """Return the HTML page."""
    return _template("report.html").render(report=report)


def gallery(title: str, figures: Sequence[ReportFigure]) -> str:
    """Return an HTML page with the figures."""
    return _template("gallery.html").render(title=title, figures=figures)
