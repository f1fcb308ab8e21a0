"""The Parquet tables of the exact games, declared from the columns that games/ gives."""

from __future__ import annotations

from typing import Literal

from ..games import TRIANGLE_COLUMNS
from ..games.toads import claims, families
from .tables import Column, Table


def _games(name: str, meaning: str, keys: tuple[str, ...], columns: dict[str, tuple[str, str, str]]) -> Table:
    """A table of games/, which declares its own columns: name -> (Python type, unit, meaning)."""
    types = {"int": "int64", "float": "float64", "str": "string", "bool": "bool"}
    declared = []
    for column, (kind, unit, text) in columns.items():
        base = kind.removesuffix(" | None")
        role: Literal["key", "value"] = "key" if column in keys else "value"
        declared.append(Column(column, types[base], unit, text, role, nullable=base != kind))
    return Table(name, meaning, tuple(declared))


TOADS_AND_FROGS = _games(
    "toads_and_frogs", "values of the starting positions T^(a+k) .^b F^a", ("k", "a", "b"), families.COLUMNS
)
CLAIMS = _games("claims", "formulas and conjectures of the literature, checked", ("claim",), claims.CLAIM_COLUMNS)
TRIANGLE = _games(
    "triangle",
    "positions of the Triangle Game, up to rotation",
    ("x", "y", "z"),
    {name: ("bool" if "bool" in text else "int", "", text) for name, text in TRIANGLE_COLUMNS.items()},
)
GAME_TABLES = {t.name: t for t in (TOADS_AND_FROGS, CLAIMS, TRIANGLE)}
