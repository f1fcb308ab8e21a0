"""Outcome of T^a .^b F^c plus 0, *, or an integer, from a table of all positions.

It is independent of `OutcomeEngine` and shares no code with it; nothing is pruned or reduced. Time
and memory are known in advance.
"""

from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from poissonmatch_games.cost_bounds import MemoryBound
from poissonmatch_games.partisan.values import Game

from . import retrograde_kernels as kernels

Array = np.ndarray[Any, Any]
Options = tuple[list[int], list[int]]  # the levels to which Left and Right may move
_RELATION = {(True, True): ">", (False, False): "<", (True, False): "|", (False, True): "="}


class Table:
    """Table of all positions of T^toads .^blanks F^frogs at several levels.

    The levels are plus 0 and * (`last` "*"), or minus 0, 1, ..., `last`, or minus 0, -1, ...,
    `last`, or plus any small games: `last` is then a list of their options, each ([levels to which
    Left may move], [those of Right]), all before the game itself. With `keep` all results are kept
    for `left_wins`. Raises ValueError without a toad, a frog and an empty square, MemoryBound
    beyond `memory` bytes.
    """

    def __init__(
        self,
        toads: int,
        blanks: int,
        frogs: int,
        last: int | str | list[Options] = 0,
        keep: bool = False,
        memory: int = 4 * 10**9,
    ) -> None:
        if min(toads, blanks, frogs) < 1:
            raise ValueError("the strip must have at least one toad, one empty square and one frog")
        games = last if isinstance(last, list) else _games(last)
        levels = len(games)
        need = bytes_needed(toads, blanks, frogs, levels, keep)
        if need > memory:
            raise MemoryBound(f"T^{toads} .^{blanks} F^{frogs} needs {need} bytes, more than {memory}")
        squares, places, sets = toads + blanks + frogs, blanks + frogs, comb(blanks + frogs, frogs)
        words = (sets + 63) // 64
        down = np.zeros((2, levels, levels), np.bool_)  # whether Left (0) or Right (1) may move from a level to another
        for level, options in enumerate(games):
            for player in (0, 1):
                down[player, level, options[player]] = True
        if down[:, ~np.tri(levels, k=-1, dtype=np.bool_)].any():
            raise ValueError("the options of a level must be levels before it")
        jumps, heads, absent, lowest = _frogs(places, frogs, sets)
        self._choose = _choose(squares, max(toads, frogs))
        self._kept = np.zeros((levels, comb(squares, toads) if keep else 0, words), np.uint64)
        answers = np.zeros((levels, 2), np.int64)
        kernels.all_positions(
            squares, np.arange(squares - toads, squares), frogs, *down, self._choose,
            jumps, heads, absent, lowest, _blocks(places, frogs),
            np.zeros((kernels.PLANES, levels, comb(squares, toads - 1), words), np.uint64),
            np.zeros((levels, words + 1), np.uint64), self._kept, answers,
        )  # fmt: skip
        self.relations = [_RELATION[bool(left), bool(right)] for left, right in answers]

    def left_wins(self, toads: Array, frogs: Array, level: Array) -> Array:
        """Return whether Left wins if Right moves first.

        `toads` and `frogs` have a row of squares for each position.
        """
        sets, frog_sets, free_square, toad_count, frog_count = np.zeros((5, len(toads)), np.int64)
        for square in range(toads.shape[1]):
            toad, frog = toads[:, square], frogs[:, square]
            toad_count += toad
            frog_count += frog
            sets += toad * self._choose[square, toad_count]
            frog_sets += frog * self._choose[free_square, frog_count]
            free_square += ~toad
        words = self._kept[level, sets, frog_sets >> 6]
        return (words >> (frog_sets & 63).astype(np.uint64) & np.uint64(1)).astype(np.bool_)


def _games(last: int | str) -> list[Options]:
    """Return the games of the levels.

    They are 0 and *, of which both players may take the star; or 0, -1, .., minus `last`, of which
    Right (of 1, 2, .. Left) has free moves.
    """
    if last == "*":
        return [([], []), ([0], [0])]
    free = [[], *([n] for n in range(abs(int(last))))]
    return [([], one) if int(last) > 0 else (one, []) for one in free]


def bytes_needed(toads: int, blanks: int, frogs: int, levels: int = 1, keep: bool = False) -> int:
    """Return the size of the table.

    It has a bit for each set of frogs and each set of toads (without `keep`, of three first toads).
    """
    places, words = blanks + frogs, comb(blanks + frogs, frogs) // 64 + 1
    sets = kernels.PLANES * levels * comb(toads + places, toads - 1) + keep * levels * comb(toads + places, toads)
    return 8 * (words * (sets + 2 * places) + 2 * places * comb(max(places - 2, 0), frogs - 1) + 3 * words)


def _choose(max_n: int, max_k: int) -> Array:
    """Return the binomial coefficients [n, k]."""
    return np.array([[comb(n, k) for k in range(max_k + 1)] for n in range(max_n + 1)])


def _frogs(places: int, frogs: int, sets: int) -> tuple[Array, Array, Array, Array]:
    """Return the sets of frogs as vectors of bits: (jumps, heads, absent, lowest).

    jumps[heads[p] : heads[p + 1]] are the pairs of a set with a frog at p and none at p + 1, and
    the set with that frog at p + 1; absent[p] are the sets without p, lowest[p] those whose lowest
    frog is at p.
    """
    members = np.array(sorted(combinations(range(places), frogs), key=lambda chosen: chosen[::-1]), np.int16)
    has = np.zeros((places + 1, sets), np.bool_)
    for column in members.T:
        has[column, np.arange(sets)] = True
    up = _choose(places, frogs)
    jumps = []
    for p in range(places - 1):
        source = np.flatnonzero(has[p] & ~has[p + 1])
        order = (members[source] < p).sum(axis=1)  # frogs below it
        jumps.append(np.column_stack([source, source + up[p + 1, order + 1] - up[p, order + 1]]))
    heads = np.cumsum([0, *map(len, jumps), 0])
    pairs = np.concatenate(jumps).astype(np.int32) if jumps else np.zeros((0, 2), np.int32)
    absent = np.array([_packed(~has[p]) for p in range(places)])
    lowest = np.array([_packed(members[:, 0] == p) for p in range(places)])
    return pairs, heads, absent, lowest


def _packed(bits: Array) -> Array:
    """Return words of 64 bits, the first in the lowest bit."""
    padding = np.zeros(-len(bits) % 64, np.bool_)
    return np.packbits(np.concatenate([bits, padding]), bitorder="little").view(np.uint64)


def _blocks(places: int, frogs: int) -> Array:
    """Return rows (place q of a frog, first set, number of sets).

    The sets are those with all frogs above q fixed and q - 1 empty. The lowest frog is left out.
    """
    up = _choose(places, frogs)
    blocks = []
    for c in range(2, frogs + 1):
        for fixed in combinations(range(c - 1, places), frogs - c + 1):
            if length := up[fixed[0] - 1, c - 1]:
                blocks.append((fixed[0], sum(up[p, c + i] for i, p in enumerate(fixed)), length))
    return np.array(blocks, np.int64).reshape(-1, 3)


def relations_to(
    toads: int, blanks: int, frogs: int, values: Sequence[Game], memory: int = 4 * 10**9
) -> dict[Game, str]:
    """Return how T^toads .^blanks F^frogs compares with each value.

    The relation is <, >, = or | (confused with it).

    The table has a level for minus each value and each of its positions. Raises MemoryBound beyond
    `memory` bytes.
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
