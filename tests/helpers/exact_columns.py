"""Every exact value beside its estimate: python -m helpers.exact_columns prints the largest |z| of each pair (in tests/).

The pairs of a rule and a quantity are those of the registries, for every process, d = 1, 2, 3 and the mean field.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

import poissonmatch as pm
from poissonmatch.points.process_registry import PROCESSES
from poissonmatch.rules.catalogue import RULES, rule_named
from poissonmatch.studies.statistics.observables import OBSERVABLES, quantities
from poissonmatch.studies.statistics.observables.interface import Quantity
from poissonmatch.studies.study_files import parameter_grid
from poissonmatch.studies.study_files.read import of_data
from poissonmatch.utils.errors import BadInput

SEEDS = (1, 2)
RATIOS = (0.5, 1)
DIMS = (1, 2, 3, math.inf)
CASES = [(rule, process) for rule in (*RULES, "multi(2)", "multi(3)", "labels(3)") for process in PROCESSES]
ROW = ["dim", "ratio", "quantity", "color", "order", "x"]  # what distinguishes the rows of a rule and a process


def has_exact(quantity: Quantity) -> bool:
    """Return whether a quantity may have an exact value."""
    return quantity.exact is not Quantity.exact or quantity.exact_torus is not Quantity.exact_torus


MEASURED = [name for name, observable in OBSERVABLES.items() if any(map(has_exact, observable.quantities))]


def study_of(
    rule: str, process: str, dim: float, size: int, replicates: int, ratio: float | None, measured: list[str]
) -> dict[str, Any] | None:
    """Return a study with all of these observables that it allows, None if it allows none."""
    study: dict[str, Any] = {"process": process, "rule": rule, "dims": "inf" if dim == math.inf else dim, "sizes": size,
                             "replicates": replicates}  # fmt: skip
    if ratio is not None:
        study["ratios"] = ratio
    names = [name for name in measured if is_allowed({**study, "observables": [name]})]
    return {**study, "observables": names} if names else None


def is_allowed(study: dict[str, Any]) -> bool:
    """Return whether a study passes its checks."""
    try:
        return bool(list(parameter_grid.cells(of_data({"seed": 1, "studies": {"s": study}}, "s"))))
    except BadInput:
        return False


def compared(rule: str, process: str, size: int, replicates: int, seed: int) -> pd.DataFrame:
    """Return the rows of all cells that have an exact value, with z.

    The exact value is that on a torus or, if it is not known and the row is below the cutoff, in infinite volume.
    z is the difference in halves of the interval on the side of the exact value, times the quantile of the interval.
    """
    parts = []
    for dim in DIMS:
        for ratio in RATIOS if rule_named(rule).n_colors > 1 else (None,):
            if study := study_of(rule, process, dim, size, replicates, ratio, MEASURED):
                parts.append(pm.sweep({"seed": seed, "studies": {"s": study}}).estimates)
    if not parts:
        return pd.DataFrame({name: [] for name in [*ROW, "z"]})
    rows = pd.concat(parts)
    exact = rows["exact_torus"].where(rows["exact_torus"].notna(), rows["exact"].where(rows["below_cutoff"]))
    rows = rows.assign(known=exact)[exact.notna() & rows["lower"].notna() & rows["note"].isna()]
    difference = rows["value"] - rows["known"]
    half = np.where(difference > 0, rows["value"] - rows["lower"], rows["upper"] - rows["value"])
    equal = difference.abs() <= 1e-9 * rows["known"].abs() + 1e-12
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.where(equal, 0.0, stats.t.ppf(0.975, replicates - 1) * difference / half)
    return rows.assign(z=z)


def wrong(rule: str, process: str, size: int, replicates: int, limit: float) -> pd.DataFrame:
    """Return the rows whose |z| is above the limit with both seeds, and for each the smaller |z|."""
    z = [compared(rule, process, size, replicates, seed).set_index(ROW)["z"].abs() for seed in SEEDS]
    both = pd.concat(z, axis=1, join="inner").min(axis=1)
    return both[both > limit].reset_index(name="z")


def largest(size: int, replicates: int) -> Iterator[tuple[str, str, int, float]]:
    """Yield the rule, the quantity, the number of comparisons and the largest |z| of each pair, 0 and nan if none is known."""
    for rule in dict.fromkeys(rule for rule, _ in CASES):
        parts = [compared(rule, process, size, replicates, SEEDS[0]) for _, process in CASES[: len(PROCESSES)]]
        rows = pd.concat(parts)
        for name, quantity in quantities().items():
            if has_exact(quantity):
                z = rows.loc[rows["quantity"] == name, "z"].abs()
                yield rule, name, len(z), z.max()


def printed(size: int = 400, replicates: int = 16) -> str:
    """Return the table of the largest |z| as CSV, a row for each quantity and a column for each rule."""
    rows = pd.DataFrame(largest(size, replicates), columns=["rule", "quantity", "number", "z"])
    text = [
        f"{z:.1f} ({number})" if number else "not known" for number, z in zip(rows["number"], rows["z"], strict=True)
    ]
    table = rows.assign(text=text).pivot(index="quantity", columns="rule", values="text")
    return table[list(dict.fromkeys(rows["rule"]))].to_csv()


if __name__ == "__main__":
    print(printed())
