"""The main results of a study in words and numbers, from the table `transitions`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ...utils.display import with_error
from ...utils.libraries import pd
from ..figures.figure_text import dim_name
from ..figures.text_format import joined, number, plain


class Result(NamedTuple):
    """A row of the summary: where it was measured, and what."""

    study: str
    where: str
    what: str


def results(transitions: pd.DataFrame) -> list[Result]:
    """Return a row for each cell of the largest size that has several replicates, in the order of the table."""
    rows = transitions[transitions["n_replicates"] > 1]
    keys = ["study", "dim", *(name for name in rows if str(name).startswith("intensity_"))]
    largest = rows[rows["size"] == rows.groupby(keys, dropna=False)["size"].transform("max")]
    return [
        Result(str(study), _where(part), "; ".join(_parts(part)))
        for (study, _), part in largest.groupby(["study", "cell"], sort=False)
    ]


def _where(rows: pd.DataFrame) -> str:
    """Return the parameters of a cell as text."""
    row = rows.iloc[0]
    ratio = "" if np.isnan(row["ratio"]) else f"ρ = {row['ratio']:g}"
    return joined(plain(dim_name(row["dim"])), ratio, f"{number(row['size'])} points")


def _parts(rows: pd.DataFrame) -> Iterator[str]:
    """Yield the unmatched fraction of each color, and the mean distances and exponents."""
    for _, row in rows[rows["unmatched_fraction"].notna()].iterrows():
        points = "points" if pd.isna(row["color_name"]) else f"{row['color_name']} points"
        yield f"{_percent(row)} of the {points} are unmatched"
    yield from _by_color(rows, "mean_distance", "mean distance")
    yield from _by_color(rows, "tail_exponent", "tail exponent")


def _percent(row: Any) -> str:
    """Return the unmatched fraction in percent; an upper bound if no point was unmatched."""
    value, error, upper = (100 * row[f"unmatched_fraction{suffix}"] for suffix in ("", "_standard_error", "_upper"))
    return f"less than {upper:.2g} %" if value == 0 < upper else f"{with_error(value, error)} %"


def _by_color(rows: pd.DataFrame, quantity: str, name: str) -> Iterator[str]:
    """Yield a quantity with its error, once for colors with equal values."""
    for _, part in rows[rows[quantity].notna()].groupby(quantity, sort=False):
        row = part.iloc[0]
        colors = " and ".join(part["color_name"].dropna())
        value = with_error(row[quantity], row[f"{quantity}_standard_error"])
        more = " (infinite in infinite volume)" if np.isinf(row[f"{quantity}_exact"]) else ""
        at = f" at r = {row['tail_exponent_r']:.3g}" if quantity == "tail_exponent" else ""
        yield f"{name}{f' of {colors}' * bool(colors)} {value}{at}{more}"
