"""Declarations of the Parquet tables of exact games, from the columns declared in games/, with their consistency checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal, get_args

import numpy as np

from poissonmatch.tables.tables import SIGNED, Check, Column, Columns, Table

from .impartial import TRIANGLE_COLUMNS
from .toads import claims, families
from .toads.conjectures import Status
from .toads.published_values import AGREEMENT


def _games(
    name: str,
    meaning: str,
    keys: tuple[str, ...],
    columns: dict[str, tuple[str, str, str]],
    checks: Callable[[Columns], Iterable[Check]],
    signed: tuple[str, ...] = (),
) -> Table:
    """Return the table of columns declared in games/: name -> (Python type, unit, meaning). signed: columns that may be negative."""
    types = {"int": "int64", "float": "float64", "str": "string", "bool": "bool"}
    declared = []
    for column, (kind, unit, text) in columns.items():
        base = kind.removesuffix(" | None")
        role: Literal["key", "value"] = "key" if column in keys else "value"
        min_value = SIGNED if column in signed else 0.0
        declared.append(Column(column, types[base], unit, text, role, nullable=base != kind, min_value=min_value))
    return Table(name, meaning, tuple(declared), checks)


def _one_of(column: str, names: Iterable[str], rows: Columns) -> Check:
    import pandas as pd

    allowed, values = list(names), pd.Series(rows[column])
    return Check(f"one of {', '.join(allowed)}", (column,), values.isna() | values.isin(allowed))


def _of_strips(rows: Columns) -> Iterator[Check]:
    import pandas as pd

    valued, printed = ~pd.isna(rows["value"]), ~pd.isna(rows["published"])
    yield Check("either a value or bounds", ("value", "bounds"), valued == pd.isna(rows["bounds"]))
    yield Check("a kind for each value", ("value", "kind"), valued != pd.isna(rows["kind"]))
    yield Check("a source for a published value", ("published", "source"), printed != pd.isna(rows["source"]))
    compared = ~pd.isna(rows["agrees"])
    yield Check("compared if both are known", ("value", "published", "agrees"), compared == (valued & printed))
    yield _one_of("agrees", AGREEMENT, rows)
    yield _one_of("engine", families.ENGINES, rows)


def _of_claims(rows: Columns) -> Iterator[Check]:
    import pandas as pd

    refuted, witness = rows["status"] == "refuted", ~pd.isna(rows["counterexample"])
    yield _one_of("status", get_args(Status), rows)
    yield Check("a name, unless it is open", ("status", "by"), (rows["status"] == "open") == (rows["by"] == ""))
    fails = rows["holds"] == False  # noqa: E712 (the column may hold None)
    yield Check("does not hold if it is refuted, and only then", ("status", "holds"), refuted == fails)
    yield Check("a counterexample if it is refuted, and only then", ("status", "counterexample"), refuted == witness)
    checked = rows["cells"] > 0
    yield Check("squares for the positions that were checked", ("cells", "squares"), checked | (rows["squares"] == 0))


def _of_triangle(rows: Columns) -> Iterator[Check]:
    x, y, z, total = (rows[name] for name in ("x", "y", "z", "total"))
    yield Check("total = x + y + z", ("total",), total == x + y + z)
    yield Check("excess = y - x - z", ("excess",), rows["excess"] == y - x - z)
    yield Check("y is the first largest", (), ((y > x) & (y >= z)) | ((x == y) & (y == z)))
    t = np.arange(total.max(initial=-1) + 1) if total.max(initial=-1) < len(total) else np.zeros(0)
    classes = int((((t + 1) * (t + 2) // 2 + 2 * (t % 3 == 0)) // 3).sum())  # Burnside
    yield Check("all positions with this number of stones", ("total",), np.full(1, len(x) == classes))
    for name, value in (("p", "grundy"), ("misere_p", "misere_grundy")):
        yield Check("a nim-value is at most the number of moves plus 1", (value,), rows[value] <= total + 1)
        yield Check("0 exactly for P-positions", (value, name), (rows[value] == 0) == rows[name])


TOADS_AND_FROGS = _games(
    "toads_and_frogs", "values of the starting positions T^(a+k) .^b F^a", ("k", "a", "b"), families.COLUMNS, _of_strips
)
CLAIMS = _games(
    "claims", "formulas and conjectures of the literature, checked", ("claim",), claims.CLAIM_COLUMNS, _of_claims
)
TRIANGLE = _games(
    "triangle",
    "positions of the Triangle Game, up to rotation",
    ("x", "y", "z"),
    {name: ("bool" if "bool" in text else "int", "", text) for name, text in TRIANGLE_COLUMNS.items()},
    _of_triangle,
    signed=("excess",),
)
GAME_TABLES = {t.name: t for t in (TOADS_AND_FROGS, CLAIMS, TRIANGLE)}
