"""The tables that are made from those of the replicates: their columns, and what is always true of them; and all tables by name."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .tables import BLOCK_TABLES, CELL, COLOR, INF, NAN, ORDER, SIGNED, Column, Columns, Law, Table, X


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
        Column("below_cutoff", "bool", "", "the distance, x of a tail or value of a quantile, is at most the cut-off"),
    ),
    _of_estimates,
)


COVARIANCES = tuple(f"covariance_{k}" for k in range(4))  # of the laws with the most parameters


def _of_laws(rows: Columns) -> Iterator[Law]:
    value, error = rows["value"], rows["standard_error"]
    slack = 1e-9 * np.abs(value)
    inside = (rows["lower"] <= value + slack) & (rows["upper"] >= value - slack)
    yield Law("lower <= value <= upper", ("lower", "value", "upper"), inside | np.isnan(error))
    yield Law("more points than parameters", ("points", "dof"), rows["points"] > rows["dof"])
    yield Law("chi2 and twice the parameters", ("aic", "chi2"), rows["aic"] >= rows["chi2"] + 2)
    yield Law(
        "none is excluded that is within 10 of the least",
        ("above", "excluded"),
        ~rows["excluded"] | (rows["above"] > 10),
    )


LAW_TABLE = Table(
    "laws",
    "laws fitted to u(rho), the unmatched share of fussy matchings, and to Y(V), the response; a row for each parameter",
    (
        Column("dim", "float64", "", "dimension", "key", least=1, most=64, also=INF),
        Column("of", "string", "", "u: ln(1/u) at rho is fitted; Y: Y at l = ln V", "key"),
        Column("data", "string", "", "measured, or exact: the exact u in d = 1 with the errors of d = 2", "key"),
        Column("fit", "string", "", "name of the law; its formula stands in docs/open-problem.md", "key"),
        Column("window", "string", "", "the data that are fitted", "key"),
        Column(
            "parameter", "string", "", "name of the parameter; C_d: the constant of ln(1/u) ~ C_d / sqrt(rho)", "key"
        ),
        Column("study", "string", "", "names of the studies in the YAML file, with commas between them"),
        Column("value", "float64", "", "value of the parameter", least=SIGNED),
        Column("standard_error", "float64", "", "its standard error; nan where it is at an end of its range", also=NAN),
        Column("lower", "float64", "", "lower end of the 95 % confidence interval", least=SIGNED, also=NAN),
        Column("upper", "float64", "", "upper end", least=SIGNED, also=NAN),
        *(
            Column(
                name,
                "float64",
                "",
                f"covariance with parameter {k} of the law; nan if there is none",
                least=SIGNED,
                also=NAN,
            )
            for k, name in enumerate(COVARIANCES)
        ),
        Column("points", "int64", "", "number of values that are fitted", least=1),
        Column("chi2", "float64", "", "sum of squares of what is left, by the inverse of the covariance"),
        Column("dof", "int64", "", "values less parameters", least=1),
        Column("aic", "float64", "", "chi2 and twice the number of parameters"),
        Column("above", "float64", "", "aic above the least of the laws in this window"),
        Column("excluded", "bool", "", "above is more than 10 in every window"),
    ),
    _of_laws,
)
TABLES = {**BLOCK_TABLES, ESTIMATES.name: ESTIMATES, LAW_TABLE.name: LAW_TABLE}
