"""The main results of a study: a few sentences, and a table of each quantity with a column for each dimension."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...utils.libraries import pd
from ..figures.figure_rows import intensity_columns
from ..figures.figure_text import dim_name
from ..figures.text_format import estimate, joined, number, plain, spread
from ..statistics.observables import quantities
from ..tables.estimate_tables import ZERO
from . import pages

CAPTIONS = {  # of the tables, by quantity
    "unmatched_fraction": "Unmatched fraction u",
    "mean_distance": "Mean partner distance of matched points",
    "tail_exponent": "Exponent of the tail P(X > r) at the largest r below the cutoff",
}
REPEATED = ("unmatched_density", "log_inverse_unmatched")  # quantities that follow from the unmatched fraction
NORMAL = 1.96  # standard errors from an estimate to the end of a 95 % interval
NEAR = 2.0  # standard errors within which most numbers are
RULES = 2  # that the sentences describe


def single_numbers(estimates: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of `estimates` that are no points of a curve, without the density, which repeats the fraction."""
    names = [name for name, quantity in quantities().items() if not quantity.is_curve and name not in REPEATED]
    return estimates[estimates["quantity"].isin(names)]


def largest_tori(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the largest size of each study, rule, dimension and intensity."""
    keys = ["study", "rule", "dim", *intensity_columns(rows)]
    return rows[rows["size"] == rows.groupby(keys, dropna=False)["size"].transform("max")]


def exact_values(rows: pd.DataFrame) -> np.ndarray:
    """Return the exact value of each row on its torus, or else in infinite volume; nan if it is unknown."""
    infinite = np.where(rows["note"] == ZERO, 0.0, rows["exact"])
    return np.where(np.isnan(rows["exact_torus"]), infinite, rows["exact_torus"])


def deviations(rows: pd.DataFrame) -> np.ndarray:
    """Return estimate minus exact value in standard errors, nan if one of them is unknown.

    Intervals of small counts are not symmetric: the error is that of the side on which the exact value is.
    """
    value, exact = rows["value"].to_numpy(), exact_values(rows)
    side = np.abs(value - np.where(value > exact, rows["lower"], rows["upper"])) / NORMAL
    known = (rows["standard_error"].to_numpy() > 0) & np.isfinite(exact) & (side > 0)
    return np.where(known, (value - exact) / np.where(known, side, 1.0), np.nan)


def measured(transitions: pd.DataFrame) -> pd.DataFrame:
    """Return the main quantities on the largest tori with several replicates, a row each, with columns of `estimates`.

    Fractions that are 0, as they have to be, are left out, and colors with equal values are in one row.
    """
    rows = largest_tori(transitions[transitions["n_replicates"] > 1])
    names = ("standard_error", "lower", "upper", "exact", "exact_torus", "note")
    parts = [
        rows.assign(quantity=name, value=rows[name], **{key: rows[f"{name}_{key}"] for key in names})
        for name in CAPTIONS
    ]
    found = pd.concat(parts, ignore_index=True)
    is_zero = (found["value"] == 0) & ((found["note"] == ZERO) | (found["exact"] == 0))
    return found[found["value"].notna() & ~is_zero].drop_duplicates(["study", "cell", "quantity", "value"])


def tables(transitions: pd.DataFrame) -> list[dict[str, Any]]:
    """Return a table of each main quantity of each rule, with a column for each dimension."""
    return [_table(rows) for _, rows in measured(transitions).groupby(["quantity", "rule"], sort=False)]


def _table(rows: pd.DataFrame) -> dict[str, Any]:
    quantity, rule = rows["quantity"].iloc[0], rows["rule"].iloc[0]
    colors = [key for key in intensity_columns(rows) if key != "intensity_1"]  # which follows from the ratio
    down = [key for key in ("ratio", *colors, "color", "size", "study") if rows[key].nunique(dropna=False) > 1]
    if not rows.duplicated(["dim", *down[:-1]]).any():  # one study for each
        down = [key for key in down if key != "study"]
    caption = f"{CAPTIONS[quantity]} ({rule}, {spread(rows['size'])} points)"
    return pages.table(caption, rows.sort_values(["dim", *down], kind="stable"), ("dim",), down or ["rule"])


def sentences(transitions: pd.DataFrame, estimates: pd.DataFrame) -> list[str]:
    """Return the results in three to five sentences: what was simulated and measured, what is exact, and convergence."""
    cells = estimates.drop_duplicates(["study", "cell"])
    numbers = {"cell": len(cells), "replicate": int(cells["n_replicates"].sum())}
    whole = " and ".join(f"{number(n)} {what}{'s' * (n != 1)}" for what, n in numbers.items())
    return [
        f"The study file has {whole}, {spread(cells['n_replicates'])} in each cell.",
        *list(_of_rules(measured(transitions)))[:RULES],
        *_of_exact_values(single_numbers(estimates)),
        *_of_sizes(largest_tori(transitions[transitions["n_replicates"] > 1])),
    ]


def _of_rules(rows: pd.DataFrame) -> Iterator[str]:
    """Yield a sentence about each rule: its unmatched fraction if that is not 0 in infinite volume, else the distance."""
    fractions = rows[(rows["quantity"] == "unmatched_fraction") & (rows["note"] != ZERO)]
    for rule, part in fractions.groupby("rule", sort=False):
        one = part[part["color"] == part["color"].max()]
        name = "" if pd.isna(one["color_name"].iloc[0]) else f"{one['color_name'].iloc[0]} "
        yield f"In {rule} matchings, the unmatched fraction of {name}points is {_ends(one)}."
    distances = rows[(rows["quantity"] == "mean_distance") & (rows["exact"] != np.inf)]
    for rule, part in distances[~distances["rule"].isin(fractions["rule"])].groupby("rule", sort=False):
        yield f"In {rule} matchings, the mean partner distance is {_ends(part)}."


def _ends(rows: pd.DataFrame) -> str:
    """Return the smallest and the largest value of rows, with their cells."""
    ends = rows.loc[[rows["value"].idxmin(), rows["value"].idxmax()]].drop_duplicates(["study", "cell"])
    texts = [f"{pages.readable(estimate(row))} ({_cell(row)})" for _, row in ends.iterrows()]
    return " to ".join(texts) if len(texts) == 1 else f"from {' to '.join(texts)}"


def _cell(row: Any) -> str:
    ratio = "" if np.isnan(row["ratio"]) else f"ρ = {row['ratio']:g}"
    return joined(plain(dim_name(row["dim"])), ratio)


def _of_exact_values(estimates: pd.DataFrame) -> Iterator[str]:
    """Yield a sentence that compares all numbers with their exact values."""
    z = deviations(estimates)
    known = np.flatnonzero(np.isfinite(z))
    if len(known):
        near = (np.abs(z[known]) <= NEAR).sum()
        last = known[np.argmax(np.abs(z[known]))]
        row = estimates.iloc[last]
        what = f"{row['quantity']}, {row['study']}, {_cell(row)}, {number(row['size'])} points"
        number_of = f"Of {number(len(known))} numbers with a known exact value, {number(near)}"
        yield f"{number_of} are within {NEAR:g} standard errors of it; the largest deviation is {abs(z[last]):.1f} ({what})."


def _of_sizes(transitions: pd.DataFrame) -> Iterator[str]:
    """Yield a sentence about the convergence of the unmatched fraction of red points."""
    of_reds = transitions[transitions["size_converged"].notna() | transitions["size_converged_note"].notna()]
    untested, felt = of_reds["size_converged"].isna().sum(), (of_reds["size_converged"] == False).sum()  # noqa: E712
    parts = [f"are not negligible on {felt}" * bool(felt), f"were not tested on {untested}" * bool(untested)]
    if any(parts):
        yield f"Finite-size effects {' and '.join(filter(None, parts))} of the {len(of_reds)} largest tori."
    elif len(of_reds):
        yield f"Finite-size effects on the unmatched fraction are negligible on all {len(of_reds)} largest tori."
