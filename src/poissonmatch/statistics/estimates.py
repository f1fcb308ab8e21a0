"""The table `estimates`: the estimates of every observable, with standard errors, intervals and exact values beside them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import scipy  # which imports scipy.stats when it is first used

from ..errors import IntegrityError, Problem
from . import complete
from .estimators import CONFIDENCE, Estimate, Sample, interval, standard_error
from .invariants import Check, Impossible, demand, equal
from .observables import OBSERVABLES, Quantity, quantities
from .rows import Columns, OfFrame
from .tables import CELL, ESTIMATES, FROGS, REPLICATES, SHARD_TABLES, empty

ROUNDING = 1e-6  # relative, between two machines


def estimate(tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """The table `estimates` from the tables of all shards, by name.

    Raises IntegrityError for rows that no run can have made, or of which some are not there.
    """
    tables = {name: frame.sort_values(SHARD_TABLES[name].keys, kind="stable") for name, frame in tables.items()}
    try:
        complete.inputs({name: OfFrame(frame) for name, frame in tables.items()})
    except Impossible as wrong:
        raise IntegrityError(Problem(Path(f"table {wrong.table}"), "impossible", wrong.words)) from None
    by_cell = {name: dict(tuple(frame.groupby(["study", "cell"], sort=False))) for name, frame in tables.items()}
    known = quantities()
    found: list[Columns] = []
    for key, replicates in by_cell[REPLICATES.name].items():
        sample = Sample(replicates)
        for observable in OBSERVABLES.values():
            rows = by_cell[observable.table.name].get(key)
            if rows is None or not observable.quantities:
                continue
            if observable.table is FROGS:  # which several observables share
                rows = rows[rows["quantity"].isin([q.name for q in observable.quantities])]
            found += [_rows(sample, known[e.quantity], e) for e in observable.estimate(sample, rows) if len(e.value)]
    if not found:
        return empty(ESTIMATES)
    return pd.DataFrame({name: np.concatenate([part[name] for part in found]) for name in ESTIMATES.names})


def compare(found: Columns, tables: dict[str, pd.DataFrame]) -> None:
    """Raises Impossible if a table `estimates` is not what these tables of replicates give, up to rounding on another machine."""
    again = estimate(tables).sort_values(ESTIMATES.keys, kind="stable", ignore_index=True)
    right = OfFrame(again)
    complete.sequence(ESTIMATES, found, {name: right[name] for name in ESTIMATES.keys})
    size = np.abs(right["value"])
    for column in ESTIMATES.columns:
        name = column.name
        if column.role != "key" and column.type in ("float64", "int64"):
            with np.errstate(invalid="ignore"):  # inf - inf, which equal knows
                near = np.abs(found[name] - right[name]) <= ROUNDING * (np.abs(right[name]) + size)
            text = f"the {name} that the other tables give"
            demand(ESTIMATES, found, [Check(text, (name,), near | equal(found[name], right[name]))])


def _rows(sample: Sample, quantity: Quantity, found: Estimate) -> Columns:
    n = len(found.influence)
    # a column at a time: numpy adds up a table in another order, and the last digit is part of a result
    error = np.array([standard_error(column) for column in found.influence.T])
    lower, upper = interval(found.value, error, n)
    if n > 1:
        least, most = quantity.bounds
        lower, upper = np.maximum(lower, least), np.minimum(upper, most)
        if quantity.kind == "proportion":
            lower, upper = np.array([_clopper_pearson(round(value * n), n) for value in found.value]).T
    distance = {"": None, "x": found.x, "value": found.value}[quantity.cut]
    columns: dict[str, Any] = {
        **{column.name: sample.row[column.name] for column in CELL},
        "quantity": quantity.name,
        "color": found.color,
        "order": found.order,
        "x": found.x,
        "value": found.value,
        "standard_error": error,
        "lower": lower,
        "upper": upper if found.upper is None else found.upper,
        "n_replicates": n,
        "exact": quantity.exact(sample, found),
        "cutoff": np.inf if distance is None else sample.cutoff,
        "trusted": True if distance is None else distance <= sample.cutoff,
    }
    return {
        name: np.broadcast_to(np.asarray(value, object if isinstance(value, str) else None), len(found.value))
        for name, value in columns.items()
    }


@cache
def _clopper_pearson(successes: int, n: int) -> tuple[float, float]:
    """The interval of a proportion."""
    ends = scipy.stats.binomtest(successes, n).proportion_ci(CONFIDENCE)
    return ends.low, ends.high
