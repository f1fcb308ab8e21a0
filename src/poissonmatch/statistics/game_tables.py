"""The Parquet tables of the exact games, declared from the columns that games/ gives, and what is always true of their rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal

import numpy as np

from ..games import TRIANGLE_COLUMNS
from ..games.impartial.triangle import golden
from ..games.toads import claims, families
from .invariants import Check
from .rows import Columns
from .tables import SIGNED, Column, Table

ENGINES = ("canonical", "outcome")


def _games(
    name: str,
    meaning: str,
    keys: tuple[str, ...],
    columns: dict[str, tuple[str, str, str]],
    laws: Callable[[Columns], Iterable[Check]],
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


def _none(column: Any) -> np.ndarray:
    return np.array([value is None for value in column], bool)


def _of_strips(rows: Columns) -> Iterator[Check]:
    unknown, printed = _none(rows["value"]), ~_none(rows["published"])
    yield Check("either a value or bounds", ("value", "bounds"), unknown != _none(rows["bounds"]))
    yield Check("a kind for each value", ("value", "kind"), unknown == _none(rows["kind"]))
    yield Check("a source for what is printed", ("published", "source"), printed != _none(rows["source"]))
    known = printed & ~unknown
    yield Check("compared where both are known", ("value", "published", "agrees"), known != _none(rows["agrees"]))
    yield Check(f"one of {', '.join(ENGINES)}", ("engine",), rows["engine"].isin(ENGINES))


def _of_claims(rows: Columns) -> Iterator[Check]:
    told, holds = ~_none(rows["counterexample"]), rows["holds"]
    false, true = (np.array([value is verdict for value in holds], bool) for verdict in (False, True))
    yield Check("a counterexample if it does not hold, and none if it does", ("holds",), np.where(told, ~true, ~false))


def _of_triangle(rows: Columns) -> Iterator[Check]:
    """The closed forms of [G], theorems 2.4 and 2.7, and one position of each class under rotation."""
    x, y, z, total, grundy = (rows[name] for name in ("x", "y", "z", "total", "grundy"))
    yield Check("total = x + y + z", ("total",), total == x + y + z)
    yield Check("excess = y - x - z", ("excess",), rows["excess"] == y - x - z)
    yield Check("y is the first largest", (), ((y > x) & (y >= z)) | ((x == y) & (y == z)))
    t = np.arange(total.max(initial=-1) + 1)
    classes = int((((t + 1) * (t + 2) // 2 + 2 * (t % 3 == 0)) // 3).sum())  # Burnside
    yield Check(f"all {classes} positions of this many stones are there", ("total",), np.array(len(x) == classes))
    yield Check("a nim-value is at most the number of moves", ("grundy",), grundy <= total)
    yield Check(
        "a nim-value is at most the number of moves, and 1", ("misere_grundy",), rows["misere_grundy"] <= total + 1
    )
    closed = (rows["excess"] == 0) & golden(z, x)
    for name, value, law in (
        ("p", "grundy", closed),
        ("misere_p", "misere_grundy", np.where(y <= 1, total % 2 == 1, closed)),
    ):
        yield Check("P as in the closed form", (name,), rows[name] == law)
        yield Check("0 just for the P-positions", (value, name), (rows[value] == 0) == rows[name])


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
