"""Strips of Toads and Frogs: the printed cells, all short strips, and their values."""

from itertools import product

from poissonmatch_games.partisan.values import Game
from poissonmatch_games.toads.published_values import TABLES, published
from poissonmatch_games.toads.ruleset import engine

CELLS = [
    (k, a, b, value)
    for k, rows in TABLES.items()
    for a, row in rows.items()
    for b, value in enumerate(row, start=1)
    if published(k, a, b) is not None and "V" not in value and value != "N"
]


def value(strip: str) -> Game:
    """Value by the compiled engine, also of strips that are valued without it."""
    return engine().value(strip)


def all_strips(length: int):
    return ("".join(squares) for n in range(length + 1) for squares in product("TF.", repeat=n))
