"""Frog games solved through stable matchings: the winner and all winning moves, for any number of points.

Theorem numbers are those of Deijfen, Holroyd and Martin (2016).
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from ..matching.desire import last_partner, reach_of, undesired
from ..points.pair_distances import nearer
from ..utils.errors import BadInput, quoted
from ..utils.immutable import cached_property
from .many_ponds import Ponds
from .moves import Move
from .ponds import PondSolution
from .retrograde import Analysis, TooLarge
from .solution import Solution
from .strict import StrictSolution
from .variants import rules_of

MAX_COMPARED = 1000  # legal moves that the strategy compares in a lost position


class PairSolution(Solution):
    """Solution if both players move both frogs: P-positions are the matched pairs.

    Variants: friendly (Prop. 3), shy (Theorem 7), fussy (sec. 3.3), misere (Prop. 9). Alice wins on
    a pad to whose partner Bob may not go: an unmatched one, or (shy) one with its partner within c.
    """

    def _wins_first(self) -> np.ndarray:
        return (self.matching.partner < 0) | (self.matching.distance <= self.rules.c)

    def _p_pads(self, y: int) -> np.ndarray:
        mate = self.matching.partner[[y]]
        return mate[mate >= 0]


class DesireSolution(Solution):
    """Solution of games in which each player has a frog: (x, y) is P if x desires y (Prop. 5; sec. 3.2; Prop. 11).

    Variants: colored, shy-colored, colored-points. Alice wins on a pad that is not desired by any
    point where Bob may place his frog.
    """

    def _wins_first(self) -> np.ndarray:
        if self.rules.c >= 0:
            return undesired(self.matching, beyond=self.rules.c)
        return last_partner(self.matching) == self.rules.n  # of points below their capacity

    @cached_property
    def _reach(self) -> tuple[np.ndarray, np.ndarray]:
        return reach_of(self.matching)

    def _p_pads(self, y: int) -> np.ndarray:
        pads, (bound, last), rule = np.arange(self.rules.n), self._reach, self.matching.rule
        colors = rule.seen(self.pattern.colors)
        desire = ~nearer(bound, last, self.pattern.squared_distance(pads, y), y)
        return np.flatnonzero(desire & rule.matrix()[colors, colors[y]] & (pads != y))


class StoneSolution(DesireSolution):
    """Solution with k stones, by the stable (k+1)-matching (Prop. 11).

    (x, y) is P if x desires y and stones block all partners of x closer than y. The proposition
    assumes a perfect (k+1)-matching. On a finite set a point with fewer than k + 1 partners desires
    all others; Alice wins on such a point by blocking its partners.
    """

    def _stones(self, a: int) -> frozenset[int]:
        mates = self.matching.partners[a]
        return frozenset(mates[mates >= 0].tolist())

    def _needed(self, x: int, y: int) -> frozenset[int]:
        mates = self.matching.partners[x]
        mates = mates[mates >= 0]
        return frozenset(mates[self._closer(x, mates, y)].tolist())


class RulesSolution(Analysis):
    """Solution of small ponds by retrograde analysis: for misere play, which labels do not decide."""

    def __init__(self, rules: Ponds, *, threads: int = 1) -> None:
        try:
            super().__init__(rules.patterns, rules.name, strict=rules.strict)
        except TooLarge as error:
            raise BadInput(
                f"misere play in several ponds is not decided by labels (those of ponds are): {error}"
            ) from None
        self.placements = np.unique([move.to[-1][0] for move in self.winning_moves(())]).astype(np.int64)

    def winning_moves(self, position: Any) -> Any:
        """Return all winning moves, ordered by pond and pad."""
        return sorted(super().winning_moves(position), key=lambda move: (move.pond, move.frog or 0, move.to))


# The solutions by the attribute `solved_by` of the variants.
FAMILIES: dict[str, type[Solution] | type[PondSolution] | type[RulesSolution]] = {
    "pairs": PairSolution,
    "desire": DesireSolution,
    "blocking": StoneSolution,
    "order": StrictSolution,
    "labels": PondSolution,
    "rules": RulesSolution,
}


def solve(pattern: Any, variant: str = "friendly", *, threads: int = 1, **parameters: Any) -> Any:
    """Solve a frog game on a pattern through its stable matching, in time linear in the number of points.

    Of equal distances the one between pads with lower indices counts as closer, as in `match`. With
    strict=True no jump to an equal distance is legal, as in the paper; then all pairs of at most
    3000 points (2000 in each of several ponds) are visited. Sources in Deijfen, Holroyd, Martin
    (2016): Prop. 3 (friendly), Prop. 5 (colored), Theorem 7 (shy), Theorem 8 (colored-points), sec.
    3.3 (fussy), Prop. 9 (misere), Prop. 11 (stones), Theorem 13 (ponds).

    Parameters
    ----------
    pattern : Pattern or list of Pattern
        The pads; a list for the variants with several ponds.
    variant : str, optional
        A key of VARIANTS, by default "friendly".
    threads : int, optional
        Threads of the matching, by default 1.
    **parameters
        c (a distance) for the shy variants, k (number of stones) for those with stones, missing (bool)
        for colored-points, reach (a distance) for confined. strict (bool) for all variants: whether
        jumps to an equal distance are illegal.

    Returns
    -------
    Solution
        With `winner`, `placements` (pads on which Alice wins), `is_p_position(position)`,
        `winning_moves(position)`, and `matching` (for ponds `labels(position)` instead). A
        position is a Position or a tuple of the pads of the frogs.

    Raises
    ------
    ValueError
        If the variant is unknown, a parameter is missing or invalid, the colors do not fit the
        variant, or labels below 64 do not decide between large ponds.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [1.0], [3.0], [6.0], [9.5]], [0, 0, 1, 1, 1], pm.Euclidean(1))
    >>> solution = pm.frogs.solve(pattern, "fussy")
    >>> solution.winner, solution.placements
    ('Alice', array([2, 3, 4]))
    >>> [(move.frog, move.to) for move in solution.winning_moves((2, 0))]
    [(2, 1)]
    >>> solution.is_p_position((1, 0))
    True
    >>> stones = pm.frogs.solve(pattern, "stones", k=2)
    >>> [(move.to, move.stones) for move in stones.winning_moves((0,))]
    [(1, frozenset()), (2, frozenset({1})), (4, frozenset({3}))]

    On three points at equal steps a frog may jump from distance 1 to distance 1, unless strict:

    >>> equal = pm.Pattern([[0.0], [1.0], [2.0]], None, pm.Euclidean(1))
    >>> pm.frogs.solve(equal).winner, pm.frogs.solve(equal, strict=True).winner
    ('Alice', 'Bob')
    """
    rules = rules_of(pattern, variant, **parameters)
    if rules.strict and not rules.many:
        return StrictSolution(rules, threads=threads)
    return FAMILIES[rules.solved_by](rules, threads=threads)


class Strategy:
    """A perfect strategy for both players: it wins from every won position.

    Parameters
    ----------
    solution : Solution
        The result of `solve`.

    Raises
    ------
    ValueError
        If the argument is not a solution.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [1.0], [3.0]], None, pm.Euclidean(1))
    >>> player = pm.frogs.Strategy(pm.frogs.solve(pattern))
    >>> player.move(()).to, player.move((2, 0)).to
    (2, 1)
    """

    def __init__(self, solution: Solution | PondSolution | RulesSolution) -> None:
        self.solution = solution

    def move(self, position: Any) -> Move:
        """Return a winning move; in a lost position, the legal move that leaves the frogs farthest apart.

        Only the first 1000 legal moves are compared, and stones block as many of the opponent's
        winning moves as possible.

        Parameters
        ----------
        position : tuple of int or Position
            A position of the game.

        Returns
        -------
        Move
            A legal move.

        Raises
        ------
        ValueError
            If no move is legal.
        """
        rules: Any = self.solution.rules
        position = rules.position(position)
        winning = self.solution.winning_moves(position)
        if winning:
            return winning[0]
        legal = list(itertools.islice(rules.steps(position), MAX_COMPARED))
        if not legal:
            raise BadInput(f"no move is legal in {quoted(position)}: the game is over")
        far = max(legal, key=lambda move: self._distance(position, move))
        if not rules.k:
            return far
        answers = self.solution.winning_moves(rules.after(position, far))  # more than there are stones
        return far._replace(stones=frozenset(move.to for move in answers[: rules.k]))

    def _distance(self, position: Any, move: Move) -> float:
        """Return the distance of the frogs in the pond of the move after it; 0 in the opening."""
        rules: Any = self.solution.rules
        pond, after = rules.views(rules.after(position, move))[move.pond]
        return float(pond.pattern.distance(*after.frogs)) if len(after.frogs) == 2 else 0.0
