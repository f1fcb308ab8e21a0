"""P-positions of frog games in which a jump to an equal distance is illegal.

Of positions at equal distances none is an option of another. So the pairs are decided by classes of
equal distances, from the shortest on; a frog may have several winning pads, all at one distance.
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
    """The P-positions, by squared distances (n,) each.

    A pair (x, y), where x has just moved and y is to move, is P if its key is at most `bound[x]`;
    if both players move both frogs, also at most `bound[y]`; and in misere play, if a jump is legal.
    """

    allowed: np.ndarray  # (n, n) bool: both pads may hold frogs
    bound: np.ndarray  # least key of a P-position in which the frog may be taken; inf for none
    farthest: np.ndarray  # largest key of a P-position in which y is to move; -1 for none
    nearest: np.ndarray  # least key of an allowed pair


def decide(rules: Any) -> Decided:
    """Return the P-positions of a game with one pond and without stones.

    Raises BadInput for another game, or for too many points.
    """
    if rules.name == "stones":
        raise BadInput(NOT_STRICT.format(name=rules.name))
    pattern, n = rules.pattern, rules.n
    if n > MAX_POINTS:
        raise BadInput(f"with strict=True at most {MAX_POINTS} points are solved, got {n}")
    rule = rule_named(rules.solving_rule())
    colors = rule.seen(pattern.colors)
    allowed = rule.matrix()[np.ix_(colors, colors)] & ~np.eye(n, dtype=bool)
    i, j = pattern.pair_order()
    keep = allowed[i, j]
    i, j = i[keep], j[keep]
    key = pattern.squared_distance(i, j)
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
            and not (rules.stuck_wins and square <= min(nearest[x], nearest[y]))
        ]
        for _, y in free:
            bound[y], farthest[y] = min(bound[y], square), square
    return Decided(allowed, bound, farthest, nearest)


class StrictSolution(Solution):
    """Solution if no jump to an equal distance is legal; all pairs are visited.

    With distinct distances it is the solution through the matching. `matching` breaks ties by index,
    and does not determine the winner.
    """

    @cached_property
    def _decided(self) -> Decided:
        return decide(self.rules)

    def _wins_first(self) -> np.ndarray:
        farthest = self._decided.farthest
        return (farthest < 0) | (self.pattern.length(np.maximum(farthest, 0.0)) <= self.rules.c)

    def _p_pads(self, y: int, key: np.ndarray, limit: Any = np.inf) -> np.ndarray:
        """Return the pads z below a squared distance `limit` of y for which (z, y) is P; key: those of all pads."""
        decided = self._decided
        good = decided.allowed[:, y] & (key <= decided.bound) & (key < limit)
        if not self.rules.owned:
            good &= key <= decided.bound[y]
        if self.rules.stuck_wins:
            good &= key > np.minimum(decided.nearest, decided.nearest[y])
        return np.flatnonzero(good)

    def _keys(self, x: int) -> np.ndarray:
        return self.pattern.squared_distance(x, np.arange(len(self.pattern)))

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
