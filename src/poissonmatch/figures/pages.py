"""The report of a study as one HTML page without scripts."""

from __future__ import annotations

import base64
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

import jinja2
import numpy as np
from markupsafe import Markup, escape

from ..tables.estimate_tables import INFINITE, ZERO
from ..tables.tables import names_of_colors
from ..utils.libraries import pd
from .figure_text import dim_name, estimate, intensity_columns, number, plain, rule_of
from .kinds import WIDTHS
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
    def tables(self) -> list[dict[str, Any]]:
        """Tables of the numbers from several replicates.

        For each study there is one without argument, and one per quantity with argument.
        """
        rows = self.estimates[self.estimates["quantity"].isin(self.numbers) & (self.estimates["n_replicates"] > 1)]
        tables = []
        for study, part in rows.groupby("study", sort=False):
            plain_ones = part[part["x"].isna()]
            if len(plain_ones):
                tables.append(_table(str(study), plain_ones, ("quantity", "color", "order"), ()))
            for quantity, own in part[part["x"].notna()].groupby("quantity", sort=False):
                tables.append(_table(str(study), own, ("x",), ("color", "order"), str(quantity)))
        return tables

    @property
    def narrow_tables(self) -> list[dict[str, Any]]:
        """Return the same tables for a printed page or a phone, with few columns each."""
        return [piece for table in self.tables for piece in _narrow(table)]

    @property
    def two_volumes(self) -> bool:
        """Return whether a number of these tables differs between a torus and infinite volume."""
        rows = self.estimates[self.estimates["quantity"].isin(self.numbers)]
        return bool(
            rows["note"].isin((ZERO, INFINITE)).any() or (rows["exact"].notna() & rows["exact_torus"].notna()).any()
        )

    @property
    def quantities(self) -> dict[str, str]:
        """Meanings of the quantities in these tables."""
        listed = set(self.estimates["quantity"]) & set(self.numbers)
        return {name: plain(meaning) for name, meaning in self.meanings.items() if name in listed}


def _table(
    study: str, rows: pd.DataFrame, across: Sequence[str], more: Sequence[str], what: str = ""
) -> dict[str, Any]:
    """Return estimates as a table of text.

    It has a row for each cell (and value of `more`), and a column for each value of `across`.
    """
    rule, names = rule_of(rows), dict(enumerate(names_of_colors(rows.iloc[0])))
    colors = [key for key in intensity_columns(rows) if key != "intensity_1"]  # which follows from the ratio
    down = [key for key in ("dim", "size", "ratio", *colors, *more) if key in ("dim", "size") or _varies(rows[key])]
    across = [key for key in across if key in ("quantity", "x") or _varies(rows[key])]
    say: dict[str, Callable[[Any], str]] = {
        "dim": lambda dim: plain(dim_name(dim)),
        "size": number,
        "color": lambda color: names.get(int(color)) or rule.color_name(int(color)),
        "order": lambda order: f"label {order}" if rule.labels else f"partner {order + 1}",
        "x": lambda x: f"{x:g}",
    }
    heads = {"dim": "dimension", "size": "points", "intensity_0": "intensity", "order": "partner"}

    def text_of(key: str, value: Any) -> str:
        if isinstance(value, float) and np.isnan(value):
            return ""
        return say.get(key, lambda v: f"{v:g}" if isinstance(v, float) else str(v))(value)

    columns = list(rows[across].drop_duplicates().itertuples(index=False, name=None))
    lines = []
    for key, part in rows.groupby(down, sort=False, dropna=False):
        cells = {tuple(row[name] for name in across): row for _, row in part.iterrows()}
        values = [_value(cells.get(column)) for column in columns]
        first = [text_of(name, value) for name, value in zip(down, key, strict=True)]
        lines.append({"first": first, "values": values, "n": spread_of(part["n_replicates"])})
    return {
        "study": study,
        "what": what,
        "rule": str(rows["rule"].iloc[0]),
        "process": str(rows["process"].iloc[0]),
        "first": [heads.get(name, name) for name in down],
        "columns": [", ".join(filter(None, map(text_of, across, column))) for column in columns],
        "rows": lines,
    }


def _varies(values: pd.Series) -> bool:
    return values.nunique(dropna=False) > 1


def _narrow(table: dict[str, Any]) -> list[dict[str, Any]]:
    exact = any(cell["exact"] for row in table["rows"] for cell in row["values"])
    width = 4 if exact else 7
    return [
        table
        | {
            "columns": table["columns"][k : k + width],
            "rows": [row | {"values": row["values"][k : k + width]} for row in table["rows"]],
        }
        for k in range(0, len(table["columns"]), width)
    ]


def spread_of(counts: pd.Series) -> str:
    """Return the number of replicates, or the smallest and largest."""
    return " to ".join(str(n) for n in sorted({counts.min(), counts.max()}))


def _value(row: Any) -> dict[str, str]:
    """Return a table cell: the value with its error.

    The exact value, if it is known, and the note are below it.
    """
    if row is None:
        return {"value": "", "exact": ""}
    exact, torus, note = float(row["exact"]), float(row["exact_torus"]), "" if pd.isna(row["note"]) else row["note"]
    texts = [] if np.isnan(exact) or note == ZERO else [f"{exact:.5g}"]
    unseen = 0.01 * (
        float(row["upper"]) - float(row["lower"])
    )  # differences far below the width of the interval are not shown
    if not (np.isnan(torus) or f"{torus:.5g}" in texts or abs(torus - exact) < unseen) and (texts or note):
        texts = [*(f"{infinite} in infinite volume" for infinite in texts), f"{torus:.5g} on tori of this size"]
    return {"value": estimate(row), "exact": ", ".join(filter(None, [*texts, note]))}


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
