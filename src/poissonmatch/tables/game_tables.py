"""The Parquet tables of the exact games, declared from the columns that games/ gives, and what is always true of their rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from ..games.impartial import TRIANGLE_COLUMNS
from ..games.toads import claims, families
from ..games.toads.conjectures import Status
from ..games.toads.published import AGREEMENT
from .tables import SIGNED, Column, Columns, Law, Table

if TYPE_CHECKING:
    pass


def _games(
    name: str,
    meaning: str,
    keys: tuple[str, ...],
    columns: dict[str, tuple[str, str, str]],
    laws: Callable[[Columns], Iterable[Law]],
    signed: tuple[str, ...] = (),
) -> Table:
    """A table of games/, which declares its own columns: name -> (Python type, unit, meaning). signed: may be negative."""
    types = {"int": "int64", "float": "float64", "str": "string", "bool": "bool"}
    declared = []
    for column, (kind, unit, text) in columns.items():
        base = kind.removesuffix(" | None")
        role: Literal["key", "value"] = "key" if column in keys else "value"
        least = SIGNED if column in signed else 0.0
        declared.append(Column(column, types[base], unit, text, role, nullable=base != kind, least=least))
    return Table(name, meaning, tuple(declared), laws)


def _one_of(column: str, words: Iterable[str], rows: Columns) -> Law:
    import pandas as pd

    known = list(words)
    return Law(f"one of {', '.join(known)}", (column,), pd.isna(rows[column]) | pd.Series(rows[column]).isin(known))


def _of_strips(rows: Columns) -> Iterator[Law]:
    import pandas as pd

    valued, printed = ~pd.isna(rows["value"]), ~pd.isna(rows["published"])
    yield Law("either a value or bounds", ("value", "bounds"), valued == pd.isna(rows["bounds"]))
    yield Law("a kind for each value", ("value", "kind"), valued != pd.isna(rows["kind"]))
    yield Law("a source for what is printed", ("published", "source"), printed != pd.isna(rows["source"]))
    compared = ~pd.isna(rows["agrees"])
    yield Law("compared where both are known", ("value", "published", "agrees"), compared == (valued & printed))
    yield _one_of("agrees", AGREEMENT, rows)
    yield _one_of("engine", families.ENGINES, rows)


def _of_claims(rows: Columns) -> Iterator[Law]:
    import pandas as pd

    refuted, witness = rows["status"] == "refuted", ~pd.isna(rows["counterexample"])
    yield _one_of("status", get_args(Status), rows)
    yield Law("someone, unless it is open", ("status", "by"), (rows["status"] == "open") == (rows["by"] == ""))
    yield Law("does not hold if it is refuted, and only then", ("status", "holds"), refuted == (rows["holds"] == False))  # noqa: E712
    yield Law("a counterexample if it is refuted, and only then", ("status", "counterexample"), refuted == witness)
    checked = rows["cells"] > 0
    yield Law("squares for the positions that were checked", ("cells", "squares"), checked | (rows["squares"] == 0))


def _of_triangle(rows: Columns) -> Iterator[Law]:
    x, y, z, total = (rows[name] for name in ("x", "y", "z", "total"))
    yield Law("total = x + y + z", ("total",), total == x + y + z)
    yield Law("excess = y - x - z", ("excess",), rows["excess"] == y - x - z)
    yield Law("y is the first largest", (), ((y > x) & (y >= z)) | ((x == y) & (y == z)))
    t = np.arange(total.max(initial=-1) + 1) if total.max(initial=-1) < len(total) else np.zeros(0)
    classes = int((((t + 1) * (t + 2) // 2 + 2 * (t % 3 == 0)) // 3).sum())  # Burnside
    yield Law("all positions of so many stones are there", ("total",), np.full(1, len(x) == classes))
    for name, value in (("p", "grundy"), ("misere_p", "misere_grundy")):
        yield Law("a nim-value is at most the number of moves, and 1", (value,), rows[value] <= total + 1)
        yield Law("0 just for the P-positions", (value, name), (rows[value] == 0) == rows[name])


TOADS_AND_FROGS = _games(
    "toads_and_frogs",
    "values of the starting positions T^(a+k) .^b F^a",
    ("k", "a", "b"),
    families.COLUMNS,
    _of_strips,
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
