"""P-positions of frog games that are decided pair by pair, from the shortest pair on.

These are the games in which a jump to an equal distance is illegal, and misere colored frogs, which
no stable matching solves. Of positions at equal distances none is then an option of another: the pairs
are decided by classes of equal keys. A frog may have several winning pads, all with one key.
"""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import numpy as np

from ..utils.errors import BadInput
from ..utils.immutable import cached_property
from .labels import ordered_pairs
from .solution import Solution

MAX_POINTS = 3000  # 4.5 million pairs


class Decided(NamedTuple):
    """The P-positions, by the keys of pairs: squared distances, or places in the order if equal distances are legal.

    A pair (x, y), where x has just moved and y is to move, is P if its key is at most `bound[x]`;
    if both players move both frogs, also at most `bound[y]`; and in misere play, if a jump is legal.
    With stones, it is if these block all closer pads z for which (z, x) is.
    """

    key: np.ndarray  # (n, n); inf for pads that may not both hold frogs
    bound: np.ndarray  # least key at which more P-positions (z, x) than there are stones have been found; inf for none
    farthest: np.ndarray  # largest key of a P-position in which y is to move; -1 for none
    nearest: np.ndarray  # least key of an allowed pair


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
        """The P-positions. Raises BadInput for too many points."""
        rules, n = self.rules, self.rules.n
        if n > MAX_POINTS:
            game = "with strict=True" if rules.strict else f"of {rules.name}"
            raise BadInput(f"{game} at most {MAX_POINTS} points are solved, got {n}")
        i, j, key = ordered_pairs(self.pattern, rules.solving_rule(), rules.strict)
        keys = np.full((n, n), np.inf)
        keys[i, j] = keys[j, i] = key
        bound, farthest, nearest = np.full(n, np.inf), np.full(n, -1.0), np.full(n, np.inf)
        spare = np.full(n, rules.k)  # stones that are left for closer pads
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
                spare[y] -= 1
                farthest[y] = square
            for _, y in free:
                if spare[y] < 0:
                    bound[y] = min(bound[y], square)
        return Decided(keys, bound, farthest, nearest)

    def _wins_first(self) -> np.ndarray:
        decided = self._decided
        wins = decided.bound == np.inf
        if self.rules.c < 0:
            return wins
        return wins | (self.pattern.length(np.maximum(decided.farthest, 0.0)) <= self.rules.c)

    def _p_pads(self, y: int) -> np.ndarray:
        decided = self._decided
        key = decided.key[y]
        good = (key < np.inf) & (key <= decided.bound)
        if not self.rules.owned:
            good &= key <= decided.bound[y]
        if self.rules.stuck_wins:
            good &= key > _stuck(self.rules, decided.nearest, slice(None), y)
        return np.flatnonzero(good)

    def _closer(self, x: int, pads: np.ndarray, y: int) -> np.ndarray:
        key = self._decided.key[x]
        return key[pads] < key[y]

    def _stones(self, a: int) -> frozenset[int]:
        return frozenset(self._p_pads(a).tolist() if self.rules.k else ())

    def _needed(self, x: int, y: int) -> frozenset[int]:
        if not self.rules.k:
            return frozenset()
        pads = self._p_pads(x)
        return frozenset(pads[self._closer(x, pads, y)].tolist())
