"""Statements about the nim-values of the Triangle Game, checked by its table.

Except for the first, which follows from [G] theorem 2.4, none is proved. A position is written (x,
x + z + d, z) up to rotation; the excess d of the middle heap is 0 for the P-positions.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from poissonmatch.utils.validation import checked
from poissonmatch_games.impartial.triangle import Position, TriangleGame, golden, layer, layer_index, triples

Verdict = tuple[np.ndarray, np.ndarray]  # the positions of a layer that the statement applies to; those where it holds


@dataclass(frozen=True)
class Pattern:
    """Result of the check of a statement.

    The statement is checked on the positions, up to rotation, with at most `total` stones.
    """

    statement: str
    total: int
    checked: int  # number of positions that the statement applies to
    failures: int  # number of positions where it fails
    first_failures: tuple[Position, ...]
    last_failing_total: int  # -1 without failures


def _one_split(x: np.ndarray, y: np.ndarray, z: np.ndarray, g: np.ndarray) -> Verdict:
    total = x + y + z
    half = total // 4 * 2
    near = [(heap == half) | (heap == half + 1) for heap in (x, y, z)]
    return g == 1, (total % 4 == 1) & (near[0] | near[1] | near[2])


def _one_below(x: np.ndarray, y: np.ndarray, z: np.ndarray, g: np.ndarray) -> Verdict:
    straight = (y == x + z - 1) & ((x + z) % 2 == 1) & golden(z - 1, x)
    turned = (z == 0) & (x == y - 1) & (y % 2 == 1)  # (0, 2k, 2k + 1): its largest heap is not the middle one
    return straight | turned, g == 1


def _far_from_p(x: np.ndarray, y: np.ndarray, z: np.ndarray, g: np.ndarray) -> Verdict:
    d = y - x - z
    return (d >= 2) & golden(z, x + 2 * d + 15), g == d + (d >= 8)


_STATEMENTS: dict[str, Callable[..., Verdict]] = {
    "value 0 has an even total": lambda x, y, z, g: (g == 0, (x + y + z) % 2 == 0),
    "value 1 has total 4k + 1, and a heap with 2k or 2k + 1": _one_split,
    "d = 1, x + z even, z + 1 >= phi (x + 1): value 1": lambda x, y, z, g: (
        (y == x + z + 1) & ((x + z) % 2 == 0) & golden(z + 1, x + 1),
        g == 1,
    ),
    "d = -1, x + z odd, z - 1 >= phi x: value 1": _one_below,
    "d >= 2, z >= phi (x + 2 d + 15): value d for d <= 7, d + 1 for d >= 8": _far_from_p,
    "value v >= 2, v != 8, total >= 20 v: d = v for v <= 7, v - 1 for v >= 9": lambda x, y, z, g: (
        (g >= 2) & (g != 8) & (x + y + z >= 20 * g),
        y - x - z == g - (g > 8),
    ),
    "a heap at least twice the other two together: value = total": lambda x, y, z, g: (
        y >= 2 * (x + z),
        g == x + y + z,
    ),
}


@checked(total=(0, 10**6))
def triangle_patterns(game: TriangleGame, total: int) -> list[Pattern]:
    """Check the statements on all positions with at most `total` stones, in normal play."""
    table = game.values(total, misere=False)
    checked, failures = dict.fromkeys(_STATEMENTS, 0), {statement: list[Position]() for statement in _STATEMENTS}
    for n in range(total + 1):
        x, y, z = layer(n)
        g = table[layer_index(n, x, y)].astype(np.int64)
        for statement, test in _STATEMENTS.items():
            about, holds = test(x, y, z, g)
            checked[statement] += int(about.sum())
            failures[statement] += triples(about & ~holds, x, y, z)
    return [
        Pattern(name, total, checked[name], len(failed), tuple(failed[:12]), sum(failed[-1]) if failed else -1)
        for name, failed in failures.items()
    ]
