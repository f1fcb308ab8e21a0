"""The report: figures, main estimates and provenance of a results folder as one page without scripts."""

from __future__ import annotations

import base64
import json
from collections.abc import Collection, Mapping
from importlib import resources
from typing import Any

import jinja2
import pandas as pd

NAMES = {
    "dim": "d",
    "ratio": "ratio",
    "size": "points",
    "quantity": "quantity",
    "color": "color",
    "order": "partner",
    "x": "at",
}


def report(
    study: str,
    key: str,
    figures: Mapping[str, tuple[bytes, str]],
    table: pd.DataFrame,
    numbers: Collection[str],
    about: Mapping[str, Any],
) -> str:
    """The page of a study file.

    key: written into its head. figures: PNG and caption by name. table: `estimates`, of which the quantities `numbers` are shown,
    which are single numbers and no curves. about: the manifest of the tables.
    """
    template = resources.files(__package__).joinpath("report.html").read_text(encoding="utf-8")
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, undefined=jinja2.StrictUndefined)
    rows = table[table["quantity"].isin(numbers)]
    rest = {name: value for name, value in about.items() if name not in ("sha256", "cells")}
    return environment.from_string(template).render(
        study=study,
        key=key,
        figures=[
            {"name": name, "png": base64.b64encode(png).decode(), "caption": " ".join(caption.split())}
            for name, (png, caption) in figures.items()
        ],
        studies=[_table(str(name), found) for name, found in rows.groupby("study", sort=False)],
        about=about,
        provenance=json.dumps(rest, indent=1, sort_keys=True),
    )


def _table(name: str, found: pd.DataFrame) -> dict[str, Any]:
    """The estimates of one study: what stands in the head of its table, and rows of texts."""
    shown = found[list(NAMES)].rename(columns=NAMES)
    shown["at"] = found["x"].where(found["x"] >= 0)
    shown["value"] = found["value"]
    shown["standard error"] = found["standard_error"]
    shown["95 % interval"] = [f"{a:.5g} to {b:.5g}" for a, b in zip(found["lower"], found["upper"], strict=True)]
    shown["replicates"] = found["n_replicates"]
    shown["exact"] = found["exact"]
    shown = shown.dropna(axis="columns", how="all")
    return {
        "name": name,
        "rule": found["rule"].iloc[0],
        "process": found["process"].iloc[0],
        "names": list(shown),
        "rows": [[_text(value) for value in row] for row in shown.itertuples(index=False)],
    }


def _text(value: Any) -> str:
    """A value in a cell of a table."""
    if isinstance(value, float):
        return "" if value != value else f"{value:.5g}"
    return str(value)
