"""Declarations of the Parquet tables of exact games, from the columns declared with the games."""

from __future__ import annotations

from typing import Literal

from poissonmatch.studies.tables.tables import SIGNED, Column, Table

from ..impartial import TRIANGLE_COLUMNS
from ..toads import claims, families

TYPES = {"int": "int64", "float": "float64", "str": "string", "bool": "bool"}


def _game_table(
    name: str,
    meaning: str,
    keys: tuple[str, ...],
    columns: dict[str, tuple[str, str, str]],
    signed: tuple[str, ...] = (),
) -> Table:
    """Return the table with these columns: name -> (Python type, unit, meaning).

    `signed` has the columns that may be negative.
    """
    declared = []
    for column, (kind, unit, text) in columns.items():
        base = kind.removesuffix(" | None")
        role: Literal["key", "value"] = "key" if column in keys else "value"
        min_value = SIGNED if column in signed else 0.0
        declared.append(Column(column, TYPES[base], unit, text, role, nullable=base != kind, min_value=min_value))
    return Table(name, meaning, tuple(declared))


TOADS_AND_FROGS = _game_table(
    "toads_and_frogs", "values of the starting positions T^(a+k) .^b F^a", ("k", "a", "b"), families.COLUMNS
)
CLAIMS = _game_table("claims", "formulas and conjectures of the literature, checked", ("claim",), claims.CLAIM_COLUMNS)
TRIANGLE = _game_table(
    "triangle",
    "positions of the Triangle Game, up to rotation",
    ("x", "y", "z"),
    {name: ("bool" if "bool" in text else "int", "", text) for name, text in TRIANGLE_COLUMNS.items()},
    signed=("excess",),
)
