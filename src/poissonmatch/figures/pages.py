"""Pages of the report: the main estimates and the provenance of a results folder as HTML without scripts."""

from __future__ import annotations

import html
import json
from collections.abc import Collection
from typing import Any

import pandas as pd

STYLE = """<style>
body { font: 14px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em; color: #222; background: #fff }
table { border-collapse: collapse; margin: 1em 0 2em } caption { text-align: left; font-weight: 600; padding: .3em 0 }
th, td { padding: .2em .8em; text-align: right; border-bottom: 1px solid #ddd; white-space: nowrap } th { border-bottom: 2px solid #888 }
pre { background: #f5f5f5; padding: 1em; overflow-x: auto }
</style>"""
NAMES = {
    "dim": "d",
    "ratio": "ratio",
    "size": "points",
    "quantity": "quantity",
    "color": "color",
    "order": "partner",
    "x": "at",
}


PAGES = ("estimates", "provenance")  # what they are called


def page(title: str, body: str) -> str:
    """A page of HTML that stands alone."""
    return f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{html.escape(title)}</title>{STYLE}<h1>{html.escape(title)}</h1>{body}</html>\n'


def estimates(table: pd.DataFrame, numbers: Collection[str]) -> str:
    """The estimates of these quantities, which are single numbers and no curves: a table for each study."""
    parts = []
    rows = table[table["quantity"].isin(numbers)]
    for study, found in rows.groupby("study", sort=False):
        shown = found[list(NAMES)].rename(columns=NAMES)
        shown["at"] = found["x"].where(found["x"] >= 0)
        shown["value"] = found["value"]
        shown["standard error"] = found["standard_error"]
        shown["95 % interval"] = [f"{a:.5g} to {b:.5g}" for a, b in zip(found["lower"], found["upper"], strict=True)]
        shown["replicates"] = found["n_replicates"]
        shown["exact"] = found["exact"]
        shown = shown.dropna(axis="columns", how="all")
        text = shown.to_html(index=False, na_rep="", float_format=lambda x: f"{x:.5g}", border=0)
        rule = html.escape(f"{found['rule'].iloc[0]}, {found['process'].iloc[0]}")
        parts.append(text.replace("<thead>", f"<caption>{html.escape(str(study))} ({rule})</caption><thead>", 1))
    curves = "Tails and their exponents are curves: see the figures and estimates.parquet."
    return page(
        "Estimates", f"<p>Standard errors are over replicates (independent tori). {curves}</p>" + "".join(parts)
    )


def provenance(about: dict[str, Any]) -> str:
    """Where the tables come from: the study, the seed, code digests, versions and commit, and the SHA-256 of each table."""
    files = "".join(f"<tr><td>{html.escape(n)}</td><td><code>{d}</code></td></tr>" for n, d in about["sha256"].items())
    rest = {key: value for key, value in about.items() if key not in ("sha256", "cells")}
    text = html.escape(json.dumps(rest, indent=1, sort_keys=True))
    cells = f"<p>{len(about['cells'])} cells.</p>"
    return page("Provenance", f"<table><caption>SHA-256</caption>{files}</table>{cells}<pre>{text}</pre>")
