"""P-positions of frog games that are decided pair by pair, from the shortest pair on.

These are the games in which a jump to an equal distance is illegal, and misere colored frogs, which
no stable matching solves. Of positions at equal distances none is then an option of another: the pairs
are decided by classes of equal keys. A frog may have several winning pads, all with one key.
"""

from __future__ import annotations

import itertools
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ..rules.catalogue import rule_named
from ..utils.errors import BadInput
from .moves import Move
from .solution import Solution

MAX_POINTS = 3000  # 4.5 million pairs
NOT_STRICT = "with strict=True, {name} is decided by retrograde.Analysis only, for about 10 points"


class Decided(NamedTuple):
    """The P-positions, by the keys of pairs, (n,) each.

    The key is the squared distance; if jumps to an equal distance are legal, the place in the pair
    order.

    A pair (x, y), where x has just moved and y is to move, is P if its key is at most `bound[x]`;
    if both players move both frogs, also at most `bound[y]`; and in misere play, if a jump is legal.
    """

    key: np.ndarray  # (n, n); inf for pads that may not both hold frogs
    bound: np.ndarray  # least key of a P-position in which the frog may be taken; inf for none
    farthest: np.ndarray  # largest key of a P-position in which y is to move; -1 for none
    nearest: np.ndarray  # least key of an allowed pair


def decide(rules: Any) -> Decided:
    """Return the P-positions of a game with one pond and without stones.

    Raises BadInput for another game, or for too many points.
    """
    if rules.solved_by == "blocking":
        raise BadInput(NOT_STRICT.format(name=rules.name))
    pattern, n = rules.pattern, rules.n
    if n > MAX_POINTS:
        game = "with strict=True" if rules.strict else f"of {rules.name}"
        raise BadInput(f"{game} at most {MAX_POINTS} points are solved, got {n}")
    matrix = rule_named(rules.solving_rule()).matrix()
    colors = pattern.colors if len(matrix) > 1 else np.zeros(n, np.int64)
    allowed = matrix[np.ix_(colors, colors)] & ~np.eye(n, dtype=bool)
    i, j = pattern.pair_order()
    keep = allowed[i, j]
    i, j = i[keep], j[keep]
    key = pattern.squared_distance(i, j) if rules.strict else np.arange(float(len(i)))
    keys = np.full((n, n), np.inf)
    keys[i, j] = keys[j, i] = key
    bound, farthest, nearest = np.full(n, np.inf), np.full(n, -1.0), np.full(n, np.inf)
    np.minimum.at(nearest, i, key)
    np.minimum.at(nearest, j, key)
    pairs = zip(key.tolist(), i.tolist(), j.tolist(), strict=True)
    for square, group in itertools.groupby(pairs, key=lambda pair: pair[0]):
        here = [(x, y) for _, x, y in group]
        both = here + [(y, x) for x, y in here]
        free = [
            (x, y)
            for x, y in both
            if bound[x] == np.inf
            and (rules.owned or bound[y] == np.inf)
            and not (rules.stuck_wins and square <= _stuck(rules, nearest, x, y))
        ]
        for _, y in free:
            bound[y], farthest[y] = min(bound[y], square), square
    return Decided(keys, bound, farthest, nearest)


def _stuck(rules: Any, nearest: np.ndarray, x: Any, y: Any) -> Any:
    """Return the largest key at which the player to move, with y, cannot jump."""
    return nearest[x] if rules.owned else np.minimum(nearest[x], nearest[y])


class StrictSolution(Solution):
    """Solution that visits all pairs.

    With distinct distances and strict=True it is the solution through the matching. `matching` breaks
    ties by index, and does not determine the winner.
    """

    @cached_property
    def _decided(self) -> Decided:
        return decide(self.rules)

    def _wins_first(self) -> np.ndarray:
        farthest = self._decided.farthest
        if self.rules.c < 0:
            return farthest < 0
        return (farthest < 0) | (self.pattern.length(np.maximum(farthest, 0.0)) <= self.rules.c)

    def _p_pads(self, y: int, key: np.ndarray, limit: Any = np.inf) -> np.ndarray:
        """Return the pads z below a key `limit` of y for which (z, y) is P; key: those of all pads."""
        decided = self._decided
        good = (key < np.inf) & (key <= decided.bound) & (key < limit)
        if not self.rules.owned:
            good &= key <= decided.bound[y]
        if self.rules.stuck_wins:
            good &= key > _stuck(self.rules, decided.nearest, slice(None), y)
        return np.flatnonzero(good)

    def _keys(self, x: int) -> np.ndarray:
        return self._decided.key[x]

    def _placed(self, frogs: tuple[int, ...], blocked: frozenset[int]) -> list[Move]:
        (a,) = frogs
        pads = self._p_pads(a, self._keys(a))
        return [Move(None, z) for z in pads[self.pattern.distance(a, pads) > self.rules.c].tolist()]

    def _is_p(self, x: int, y: int, blocked: frozenset[int]) -> bool:
        return x in self._p_pads(y, self._keys(y))

    def _jumps(self, x: int, y: int, blocked: frozenset[int]) -> list[Move]:
        moves = []
        for frog, stays in ((y, x),) if self.rules.owned else ((x, y), (y, x)):
            key = self._keys(stays)
            moves += [Move(frog, z) for z in self._p_pads(stays, key, key[frog]).tolist()]
        return moves
