"""The tables that are made from those of the replicates: their columns, and what is always true of them; and all tables by name."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .invariants import Columns, Law
from .tables import CELL, COLOR, INF, NAN, ORDER, SHARD_TABLES, SIGNED, Column, Table, X


def _of_estimates(rows: Columns) -> Iterator[Law]:
    value, n = rows["value"], rows["n_replicates"]
    for name in ("standard_error", "lower", "upper"):
        text = "nan for one replicate, and a number for more"
        yield Law(text, ("n_replicates", name), np.isnan(rows[name]) == (n == 1))
    slack = 1e-9 * np.abs(value)
    inside = (rows["lower"] <= value + slack) & (rows["upper"] >= value - slack)
    yield Law("lower <= value <= upper", ("lower", "value", "upper"), inside | (n == 1))


ESTIMATES = Table(
    "estimates",
    "estimates with standard errors over replicates",
    (
        *CELL,
        Column("quantity", "string", "", "what is estimated; see results/README.md", "key"),
        COLOR,
        ORDER,
        X,
        Column("value", "float64", "", "the estimate, from all replicates together", least=SIGNED),
        Column("standard_error", "float64", "", "its standard error over replicates; nan for a single one", also=NAN),
        Column(
            "lower", "float64", "", "lower end of the 95 % confidence interval over replicates", least=SIGNED, also=NAN
        ),
        Column("upper", "float64", "", "upper end", least=SIGNED, also=NAN),
        Column("n_replicates", "int64", "", "number of replicates", least=1),
        Column(
            "exact",
            "float64",
            "",
            "the exact value where one is known, else nan: of an infinite volume, for alice_wins of this one",
            least=SIGNED,
            also=NAN,
        ),
        Column(
            "cutoff",
            "float64",
            "length",
            "largest distance at which this torus can be trusted, where the row is about one; else inf",
            also=INF,
        ),
        Column("trusted", "bool", "", "the distance, x of a tail or value of a quantile, is at most the cut-off"),
    ),
    _of_estimates,
)
TABLES = {**SHARD_TABLES, ESTIMATES.name: ESTIMATES}
