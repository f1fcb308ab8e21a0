"""The report: one page without scripts that is read from top to bottom, and the same as a folder of LaTeX."""

from __future__ import annotations

import base64
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

import jinja2
import numpy as np
import pandas as pd

from .kinds import WIDTHS
from .words import dim_name, estimate, intensity_columns, number, plain, rule_of, tex


@dataclass
class Shown:
    """A figure of the report: its bytes by suffix, its caption, and how wide it is printed."""

    name: str
    files: Mapping[str, bytes]
    caption: str
    width: str

    @property
    def source(self) -> str:
        """The picture as an address that holds it."""
        suffix, kind = (".svg", "svg+xml") if ".svg" in self.files else (".png", "png")
        return f"data:image/{kind};base64,{base64.b64encode(self.files[suffix]).decode()}"

    @property
    def words(self) -> str:
        """The caption as text."""
        return plain(self.caption, letters=True)

    @property
    def inches(self) -> float:
        return WIDTHS[self.width]


@dataclass
class Report:
    """What a report says.

    study: name of the study file; text: what stands in it. asked: a row of words for each study. numbers: the quantities of the table
    `estimates` that are single numbers and no curves. caveats, cutoffs: how far it can be trusted. about: the manifest of the
    tables. version: of this software.
    """

    study: str
    text: str
    asked: Sequence[Mapping[str, str]]
    figures: Sequence[Shown]
    estimates: pd.DataFrame
    numbers: Collection[str]
    caveats: Sequence[Any]
    cutoffs: Sequence[Mapping[str, str]]
    about: Mapping[str, Any]
    version: str
    meanings: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.study.removesuffix(".yaml").removesuffix(".yml")

    @property
    def tables(self) -> list[dict[str, Any]]:
        """The tables of the numbers of more than one replicate: of each study those without an argument, and one for each quantity with one."""
        rows = self.estimates[self.estimates["quantity"].isin(self.numbers) & (self.estimates["n_replicates"] > 1)]
        found = []
        for study, part in rows.groupby("study", sort=False):
            plain_ones = part[part["x"] < 0]
            if len(plain_ones):
                found.append(_table(str(study), plain_ones, ("quantity", "color", "order"), ()))
            for quantity, mine in part[part["x"] >= 0].groupby("quantity", sort=False):
                found.append(_table(str(study), mine, ("x",), ("color", "order"), str(quantity)))
        return found

    @property
    def narrow_tables(self) -> list[dict[str, Any]]:
        """The same for a printed page: few columns each, whose heads are words one below the other."""
        return [piece for table in self.tables for piece in _narrow(table)]

    @property
    def quantities(self) -> dict[str, str]:
        """The quantities in these tables, and what they mean."""
        shown = set(self.estimates["quantity"]) & set(self.numbers)
        return {name: words for name, words in self.meanings.items() if name in shown}


def _table(
    study: str, rows: pd.DataFrame, across: Sequence[str], more: Sequence[str], what: str = ""
) -> dict[str, Any]:
    """Estimates as a table of words: a row for each cell (and value of `more`), a column for each value of `across`."""
    rule = rule_of(rows)
    colors = [key for key in intensity_columns(rows) if key != "intensity_1"]  # which the ratio tells
    down = [key for key in ("dim", "size", "ratio", *colors, *more) if key in ("dim", "size") or _varies(rows[key])]
    across = [key for key in across if key in ("quantity", "x") or _varies(rows[key])]
    say: dict[str, Callable[[Any], str]] = {
        "dim": lambda dim: plain(dim_name(dim)),
        "size": number,
        "color": lambda color: rule.color_name(int(color)),
        "order": lambda order: f"label {order}" if rule.labels else f"partner {order + 1}",
        "x": lambda x: f"{x:g}",
    }
    heads = {"dim": "dimension", "size": "points", "intensity_0": "intensity", "order": "partner"}

    def words(key: str, value: Any) -> str:
        return (
            ""
            if isinstance(value, float) and np.isnan(value)
            else say.get(key, lambda v: f"{v:g}" if isinstance(v, float) else str(v))(value)
        )

    columns = list(rows[across].drop_duplicates().itertuples(index=False, name=None))
    lines = []
    for key, part in rows.groupby(down, sort=False, dropna=False):
        cells = {tuple(row[name] for name in across): row for _, row in part.iterrows()}
        values = [_value(cells.get(column)) for column in columns]
        first = [words(name, value) for name, value in zip(down, key, strict=True)]
        lines.append({"first": first, "values": values, "n": spread_of(part["n_replicates"])})
    return {
        "study": study,
        "what": what,
        "rule": str(rows["rule"].iloc[0]),
        "process": str(rows["process"].iloc[0]),
        "first": [heads.get(name, name) for name in down],
        "columns": [", ".join(filter(None, map(words, across, column))) for column in columns],
        "rows": lines,
    }


def _varies(values: pd.Series) -> bool:
    return values.nunique(dropna=False) > 1


def _narrow(table: dict[str, Any]) -> list[dict[str, Any]]:
    exact = any(cell["exact"] for row in table["rows"] for cell in row["values"])
    most = 4 if exact else 7
    return [
        table
        | {
            "columns": table["columns"][k : k + most],
            "heads": [head.replace("_", " ").replace(",", "").split() for head in table["columns"][k : k + most]],
            "rows": [row | {"values": row["values"][k : k + most]} for row in table["rows"]],
        }
        for k in range(0, len(table["columns"]), most)
    ]


def spread_of(counts: pd.Series) -> str:
    """How many replicates."""
    return " to ".join(str(n) for n in sorted({counts.min(), counts.max()}))


def _value(row: Any) -> dict[str, str]:
    """A cell of a table: the value with its error, and the exact one if it is known."""
    if row is None:
        return {"value": "", "exact": ""}
    exact = float(row["exact"])
    return {"value": estimate(row), "exact": "" if np.isnan(exact) else f"{exact:.5g}"}


def _template(name: str, **options: Any) -> jinja2.Template:
    text = resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
    return jinja2.Environment(
        trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined, **options
    ).from_string(text)


def page(report: Report, key: str) -> str:
    """The page; key is written into its head."""
    return _template("report.html", autoescape=True).render(report=report, key=key)


def gallery(title: str, figures: Sequence[Shown]) -> str:
    """Figures beside each other, on a page of their own."""
    return _template("gallery.html", autoescape=True).render(title=title, figures=figures)


LATEX = {
    "block_start_string": "<%",
    "block_end_string": "%>",
    "variable_start_string": "<<",
    "variable_end_string": ">>",
    "comment_start_string": "<#",
    "comment_end_string": "#>",
}


def latex(report: Report) -> dict[str, bytes]:
    """The files of a folder that LaTeX compiles, by path: report.tex, references.bib, and the figures as PDF."""
    found = {f"figure-{k}.pdf": shown.files[".pdf"] for k, shown in enumerate(report.figures, 1)}
    for name in ("report.tex", "references.bib"):
        template = _template(name, autoescape=False, finalize=_latex_words, **LATEX)
        found[name] = template.render(report=report).encode()
    return found


def _latex_words(value: Any) -> Any:
    """Whatever is filled in is escaped; mathematics between dollars stays."""
    return tex(value) if isinstance(value, str) else value
