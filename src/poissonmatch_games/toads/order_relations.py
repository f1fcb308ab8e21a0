"""Relation of T^a .^b F^c to small values such as *2 or ^, from a table of all positions."""

from collections.abc import Sequence

from ..partisan.values import Game
from .retrograde import Options, Table


def place(toads: int, blanks: int, frogs: int, values: Sequence[Game], memory: int = 4 * 10**9) -> dict[Game, str]:
    """Return how T^toads .^blanks F^frogs compares with each value: <, >, = or | (confused with it).

    The table has a level for minus each value and each of its positions. Raises MemoryBound beyond `memory` bytes.

    Examples
    --------
    >>> place(3, 14, 3, [pm.games.parse(text) for text in ("0", "*", "^")])
    {0: '|', *: '=', ^: '<'}
    """
    levels: list[Game] = []
    for value in values:
        _add(-value, levels)
    options: list[Options] = [([*map(levels.index, g.left)], [*map(levels.index, g.right)]) for g in levels]
    relations = Table(toads, blanks, frogs, options, memory=memory).relations
    return {value: relations[levels.index(-value)] for value in values}


def _add(value: Game, levels: list[Game]) -> None:
    """Add the positions of a value to the levels, options first."""
    for option in (*value.left, *value.right):
        _add(option, levels)
    if value not in levels:
        levels.append(value)
