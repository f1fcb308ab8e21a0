"""Rows of tables that figures are drawn from: selections, rules, processes, intensities and names of colors."""

from __future__ import annotations

import math
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from ...points.processes import PROCESSES, Process, process_named
from ...rules.catalogue import rule_named
from ...rules.rule import Rule
from ...utils.errors import BadInput
from ...utils.libraries import pd
from ..tables.tables import parameters_of, process_of
from .kinds import NothingToDraw


def of(rows: pd.DataFrame, *quantities: str) -> pd.DataFrame:
    """Return the rows of these quantities; all rows for ""."""
    return rows if "" in quantities else rows[rows["quantity"].isin(quantities)]


def reference_rows(rows: pd.DataFrame, quantity: str) -> pd.DataFrame:
    """Return the rows of a quantity for the reference color of the rule; `converged`: size_converged, 1 without a row."""
    tested = of(rows, "size_converged").set_index(["study", "cell"])["value"].to_dict()
    rows = of(rows, quantity).dropna(subset="ratio")
    if rows.empty:
        raise NothingToDraw(f"there is nothing to draw: no rows of {quantity} with two colors")
    rows = rows[of_reference_color(rows)]
    cells = zip(rows["study"], rows["cell"], strict=True)
    return rows.assign(converged=[tested.get(cell, 1.0) for cell in cells])


def of_reference_color(rows: pd.DataFrame) -> pd.Series:
    """Return for each row whether its color is the reference color of its rule."""
    return rows["color"] == rows["rule"].map(lambda name: rule_named(name).reference_color)


def rule_of(rows: pd.DataFrame) -> Rule:
    """Return the rule of the first row."""
    return rule_named(rows["rule"].iloc[0])


def families(rows: pd.DataFrame) -> set[str]:
    """Return the names of the rules without their parameters, such as "multi" for multi(2)."""
    return {str(rule).partition("(")[0] for rule in rows["rule"]}


def process_in(row: Any) -> Process | None:
    """Return the process of a row, None if it is not one of the package."""
    with suppress(BadInput):
        return process_named(process_of(row))
    return None


def fixed_number(rows: pd.DataFrame) -> bool:
    """Return whether the process of the first row has a fixed number of points."""
    process = process_in(rows.iloc[0])
    return process is not None and (process.whole_side or "counts" in process._arguments)


def unusual_processes(rows: pd.DataFrame) -> list[str]:
    """Return the names of the point processes, or [] if all have independent uniform points."""
    names = sorted({process_of({"process": name}) for name in rows["process"].unique()} - {""})
    uniform = all(name in PROCESSES and PROCESSES[name].uniform for name in names)
    return [] if uniform else names


def max_distances(rows: pd.DataFrame) -> list[float]:
    """Return the largest distances of pairs that studies ask for, each once."""
    return sorted({*map(max_distance_of, rows["process"].unique())} - {math.inf})


def max_distance_of(process: str) -> float:
    """Return the largest distance of a pair in the column `process` of a row, inf without one."""
    return parameters_of({"process": process}).get("max_distance", math.inf)


def intensity_columns(names: Iterable[Any]) -> list[str]:
    """Return the columns with the intensities of the colors, which are nan beyond the number of colors of a study."""
    return [str(name) for name in names if str(name).startswith("intensity_")]


def total_intensity(rows: pd.DataFrame) -> pd.Series:
    """Return the total intensity of all colors of each row."""
    return rows[intensity_columns(rows)].sum(axis=1)


def color_names(rows: pd.DataFrame) -> tuple[str, ...]:
    """Return the names of colors 0 and 1 under the rules of these rows, such as "amber or green"."""
    rules = [rule_named(name) for name in dict.fromkeys(rows["rule"])]
    return tuple(" or ".join(dict.fromkeys(rule.color_name(color) for rule in rules)) for color in (0, 1))
