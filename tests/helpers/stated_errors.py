"""How well stated errors describe the spread over seeds: python -m helpers.stated_errors prints the table (in tests/).

Each rule is simulated with SEEDS seeds of TORI small tori, with every observable that it allows, in d = 1, 2, 3 and the mean field.
"""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pandas as pd

from helpers.exact_columns import study_of
from poissonmatch.rules.catalogue import RULES, rule_named
from poissonmatch.studies.sampling.cells import Block, Cell
from poissonmatch.studies.statistics import estimates, observables
from poissonmatch.studies.statistics.context import Context
from poissonmatch.studies.statistics.estimators import CellSample
from poissonmatch.studies.statistics.observables import OBSERVABLES, quantities
from poissonmatch.studies.study_files import parameter_grid
from poissonmatch.studies.study_files.read import of_data
from poissonmatch.studies.tables.invariants import columns_of
from poissonmatch.studies.tables.tables import REPLICATE

SEEDS, TORI, POINTS, RATIO = 60, 16, 120, 0.8
CASES = list(product([*RULES, "multi(2)", "labels(3)"], [1, 2, 3, "inf"]))
NOT_SMALL = {"octaves"}  # which needs larger tori
ROW = ["quantity", "color", "order", "x"]


def cell_of(rule: str, dim: int | str) -> Cell:
    """Return the cell with the tori of all seeds and all observables that it allows."""
    colored = rule_named(rule).n_colors > 1
    process, ratio = ("two_color", RATIO) if colored else ("poisson", None)
    study = study_of(
        rule, process, dim, POINTS, SEEDS * TORI, ratio, [name for name in OBSERVABLES if name not in NOT_SMALL]
    )
    (cell,) = parameter_grid.cells(of_data({"seed": 4, "studies": {"s": study}}, "s"))
    return cell


def estimates_of_seeds(rule: str, dim: int | str) -> pd.DataFrame:
    """Return the rows of `estimates` for each seed, as if it was a cell of its own."""
    cell = cell_of(rule, dim)
    block = observables.measure_block(Block(cell, 0, cell.replicates))
    tables = {name: columns_of(rows) for name, rows in block.items() if REPLICATE.name in rows.column_names}
    seeds = []
    for seed in range(SEEDS):
        parts = {}
        for name, rows in tables.items():
            some = rows["replicate"] // TORI == seed
            parts[name] = {column: values[some] for column, values in rows.items()}
            parts[name]["cell"] = np.full(some.sum(), f"seed {seed}", object)
        seeds.append(parts)
    context = Context(CellSample(parts["replicates"]).summary for parts in seeds)
    return pd.DataFrame(estimates.columns_of_cells(seeds, context)["estimates"])


def summary(rule: str, dim: int | str) -> pd.DataFrame:
    """Return for each row that has information its spread over its error, and how often its interval has the truth.

    The truth is the exact value on a torus or, if it is not known, the mean over the seeds.
    A row has information if it has an interval for each seed, and its value varies; a fraction if it is neither 0 nor 1
    for most seeds.
    """
    lines = []
    shares = [name for name, quantity in quantities().items() if quantity.bounds == (0, 1)]
    for key, rows in estimates_of_seeds(rule, dim).groupby(ROW, dropna=False):
        value, mean = rows["value"], rows["value"].mean()
        at_end = value.isin([0, 1]).mean() if key[0] in shares else (value == 0).mean()
        if len(rows) < SEEDS or rows["lower"].isna().any() or value.std() < 1e-9 * abs(mean) or at_end >= 0.5:
            continue
        spread = value.std() / math.sqrt((rows["standard_error"] ** 2).mean())
        exact, slack = rows["exact_torus"].iloc[0], 1e-9 * abs(mean)
        truth = mean if math.isnan(exact) else exact
        covered = rows["lower"].le(truth + slack) & rows["upper"].ge(truth - slack)
        lines.append((rule, dim, *key, spread, covered.mean()))
    return pd.DataFrame(lines, columns=["rule", "dim", *ROW, "spread", "covered"])


def points_of_length_zero(rule: str, dim: int | str) -> pd.DataFrame:
    """Return the rows whose interval has length zero for some seed, although the value varies over the seeds."""
    rows = estimates_of_seeds(rule, dim)
    varies = rows.groupby(ROW, dropna=False)["value"].transform("nunique") > 1
    return rows[varies & (rows["lower"] == rows["upper"])]


def printed(rows: pd.DataFrame) -> str:
    """Return the table by quantity as CSV."""
    lines = ["quantity,rows,covered,lowest,spread over stated error"]
    for name, part in rows.groupby("quantity"):
        covered, spread = part["covered"], part["spread"]
        lines.append(f"{name},{len(part)},{covered.mean():.3f},{covered.min():.2f},{spread.median():.2f}")
    return "\n".join(lines)


if __name__ == "__main__":
    print(printed(pd.concat([summary(*case) for case in CASES])))
