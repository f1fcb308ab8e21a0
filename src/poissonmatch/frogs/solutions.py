"""The frog games solved through stable matchings: who wins, with which moves, on any number of points.

The variants and their parameters are those of variants.py: friendly, colored, shy (c=), shy-colored (c=),
colored-points, fussy, misere, stones (k=), and ponds, for which the pattern is a list of patterns. Theorem numbers
are those of Deijfen, Holroyd and Martin (2016).
"""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any

import numpy as np

from ..matching.desire import reach_of, undesired
from ..matching.match import match
from ..matching.matching import Matching
from ..points.order import nearer
from ..points.pattern import Pattern
from ..utils.errors import BadInput, quoted
from .moves import Move
from .ponds import PondSolution
from .variants import rules_of

LOOK = 1000  # legal moves that a player in a lost position compares


class Solution(ABC):
    """A game that is solved: the matching, who wins, and what to play in any position.

    Parameters
    ----------
    rules : Variant
        On its pattern.
    threads : int, optional

    Attributes
    ----------
    matching : Matching
        The stable matching that holds the P-positions.
    placements : (a,) int64
        The pads where Alice wins by placing the first frog, increasing.

    Examples
    --------
    >>> solution = pm.frogs.solve(pm.Pattern([[0.0], [1.0], [3.0]], None, pm.Euclidean(1)))
    >>> solution
    Solution(friendly: Alice wins; 1 winning placements)
    >>> solution.placements, solution.winning_moves((0, 2)), solution.is_p_position((0, 1))
    (array([2]), [Move(frog=2, to=1, stones=frozenset(), pond=0)], True)
    """

    matching: Matching
    placements: np.ndarray

    def __init__(self, rules: Any, *, threads: int = 1) -> None:
        self.rules = rules
        self.pattern: Pattern = rules.pattern
        self.matching = match(self.pattern, rules.solving_rule(), threads=threads)
        start = True if rules.begins_on is None else self.pattern.colors == rules.begins_on
        self.placements = np.flatnonzero(self._wins_first() & start & rules.reached())

    def __repr__(self) -> str:
        return f"Solution({self.rules.name}: {self.winner} wins; {len(self.placements)} winning placements)"

    @property
    def winner(self) -> str:
        """Who wins the whole game, the opening included: "Alice" or "Bob"."""
        return "Alice" if len(self.placements) else "Bob"

    def is_p_position(self, position: Any) -> bool:
        """Does the player win who has just moved? ValueError for a position that cannot occur. O(n)."""
        position = self.rules.position(position)
        match position.frogs:
            case ():
                return self.winner == "Bob"
            case (_,):
                return not self._placed(*position)
        x, y = position.frogs
        return self._is_p(x, y, position.blocked)

    def winning_moves(self, position: Any) -> list[Move]:
        """All moves that win, ordered by pad; none in a P-position, nor where the game is over. O(n).

        Stones: each move with the stones that it needs; the others may go anywhere. ValueError for an impossible
        position.
        """
        position = self.rules.position(position)
        match position.frogs:
            case ():
                return [Move(None, int(a), self._stones(int(a))) for a in self.placements]
            case (_,):
                return self._placed(*position)
        x, y = position.frogs
        return sorted(self._jumps(x, y, position.blocked))

    # What differs from game to game:

    @abstractmethod
    def _wins_first(self) -> np.ndarray:
        """Which pads win for Alice, if she may begin there."""

    def _stones(self, a: int) -> frozenset[int]:
        return frozenset()

    @abstractmethod
    def _placed(self, frogs: tuple[int, ...], blocked: frozenset[int]) -> list[Move]: ...

    @abstractmethod
    def _is_p(self, x: int, y: int, blocked: frozenset[int]) -> bool: ...

    @abstractmethod
    def _jumps(self, x: int, y: int, blocked: frozenset[int]) -> list[Move]: ...


class PairSolution(Solution):
    """Both players move both frogs: P-positions are the matched pairs.

    friendly (Prop. 3), shy (Theorem 7), fussy (sec. 3.3), misere (Prop. 9). Alice wins on a pad to whose partner Bob
    may not go: an unmatched one, or (shy) one with its partner within c. Finite sets in misere: either unmatched
    point of two wins for Alice as well.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [1.0], [3.0], [6.0]], None, pm.Euclidean(1))
    >>> pm.frogs.solve(pattern, "shy", c=1.0).placements
    array([0, 1])
    """

    def _wins_first(self) -> np.ndarray:
        return (self.matching.partner < 0) | (self.matching.distance <= self.rules.c)

    def _placed(self, frogs: tuple[int, ...], blocked: frozenset[int]) -> list[Move]:
        (a,) = frogs
        return [] if self._wins_first()[a] else [Move(None, int(self.matching.partner[a]))]

    def _is_p(self, x: int, y: int, blocked: frozenset[int]) -> bool:
        return bool(self.matching.partner[x] == y)

    def _jumps(self, x: int, y: int, blocked: frozenset[int]) -> list[Move]:
        mates = [(y, x, int(self.matching.partner[x])), (x, y, int(self.matching.partner[y]))]
        return [Move(frog, to) for frog, stays, to in mates if to >= 0 and self.pattern.closer(stays, to, frog)]


class DesireSolution(Solution):
    """Each player has a frog: the position (x, y) is P if x desires y (Prop. 5; sec. 3.2 and Prop. 11 for its variants).

    colored, shy-colored, colored-points. Alice wins on a pad that no point desires where Bob may place his frog.

    Examples
    --------
    >>> solution = pm.frogs.solve(pm.Pattern([[0.0], [1.0], [3.0]], None, pm.Euclidean(1)), "colored")
    >>> solution.is_p_position((2, 0)), solution.is_p_position((0, 2))
    (True, False)
    """

    def _wins_first(self) -> np.ndarray:
        if self.rules.c >= 0:
            return undesired(self.pattern, self.matching, beyond=self.rules.c)
        return self.matching.partners[:, -1] < 0  # room left

    @cached_property
    def _reach(self) -> tuple[np.ndarray, np.ndarray]:
        return reach_of(self.pattern, self.matching)

    @cached_property
    def _allowed(self) -> np.ndarray:
        return self.matching.rule.matrix()

    def _desire(self, z: Any, x: int) -> Any:
        """Do the points z desire x?"""
        limit, last = self._reach
        near = ~nearer(limit[z], last[z], self.pattern.squared_distance(z, x), x)
        if len(self._allowed) > 1:
            near &= self._allowed[self.pattern.colors[z], self.pattern.colors[x]]
        return near & (z != np.asarray(x))

    def _placed(self, frogs: tuple[int, ...], blocked: frozenset[int]) -> list[Move]:
        (a,) = frogs
        everyone = np.arange(len(self.pattern))
        good = self._desire(everyone, a)
        good &= self.pattern.distance(a, everyone) > self.rules.c
        return self._moves(None, a, np.flatnonzero(good), blocked)

    def _is_p(self, x: int, y: int, blocked: frozenset[int]) -> bool:
        return bool(self._desire(x, y)) and self._needed(x, y) <= blocked

    def _jumps(self, x: int, y: int, blocked: frozenset[int]) -> list[Move]:
        everyone = np.arange(len(self.pattern))
        good = self._desire(everyone, x) & self.pattern.closer(x, everyone, y)
        return self._moves(y, x, np.flatnonzero(good), blocked)

    def _moves(self, frog: int | None, stays: int, pads: np.ndarray, blocked: frozenset[int]) -> list[Move]:
        return [Move(frog, z, self._needed(z, stays)) for z in pads.tolist() if z not in blocked]

    def _needed(self, x: int, y: int) -> frozenset[int]:
        """Stones that the player with the frog on x needs against the frog on y."""
        return frozenset()


class StoneSolution(DesireSolution):
    """k stones: (x, y) is P if x desires y in the stable (k+1)-matching and stones block all its partners closer than y (Prop. 11).

    The proposition assumes a perfect (k+1)-matching. On a finite set it holds without, when a point with fewer
    partners desires all others; Alice then wins on such a point by blocking all of its at most k partners.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [1.0], [3.0], [6.0]], None, pm.Euclidean(1))
    >>> [(move.to, move.stones) for move in pm.frogs.solve(pattern, "stones", k=2).winning_moves((0,))]
    [(1, frozenset()), (2, frozenset({1})), (3, frozenset({1, 2}))]
    """

    def _stones(self, a: int) -> frozenset[int]:
        mates = self.matching.partners[a]
        return frozenset(mates[mates >= 0].tolist())

    def _needed(self, x: int, y: int) -> frozenset[int]:
        mates = self.matching.partners[x]
        mates = mates[mates >= 0]
        return frozenset(mates[self.pattern.closer(x, mates, y)].tolist())


# The ways to solve a game; a variant names its own as `solved_by`.
FAMILIES: dict[str, type[Solution] | type[PondSolution]] = {
    "pairs": PairSolution,
    "desire": DesireSolution,
    "blocking": StoneSolution,
    "labels": PondSolution,
}


def solve(pattern: Any, variant: str = "friendly", *, threads: int = 1, **parameters: Any) -> Any:
    """Who wins a variant on a pattern, and with which moves. Linear in the number of points.

    Equal distances and coinciding points are decided by the order of pairs (squared distance, smaller index, larger index), see
    moves.py. Sources: Prop. 3 (friendly), 5 (colored), Theorem 7 (shy), 8 (colored-points), sec. 3.3 (fussy),
    Prop. 9 (misere), 11 (stones), Theorem 13 (ponds).

    Parameters
    ----------
    pattern : Pattern
        ponds: a list of patterns.
    variant : str, optional
        A key of VARIANTS.
    threads : int, optional
        Of the matching.
    **parameters
        c for shy and shy-colored (a distance), k for stones, missing for colored-points, reach for confined.

    Returns
    -------
    Solution or PondSolution

    Raises
    ------
    ValueError
        For an unknown variant, wrong parameters, colors that it does not know, and large ponds that labels below 64 do not decide.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [1.0], [3.0], [6.0], [9.5]], [0, 0, 1, 1, 1], pm.Euclidean(1))
    >>> solution = pm.frogs.solve(pattern, "fussy")
    >>> solution.winner, solution.placements
    ('Alice', array([2, 3, 4]))
    >>> [(move.frog, move.to) for move in solution.winning_moves((2, 0))]
    [(2, 1)]
    """
    rules = rules_of(pattern, variant, **parameters)
    return FAMILIES[rules.solved_by](rules, threads=threads)


def is_p_position(pattern: Any, variant: str, position: Any, **parameters: Any) -> bool:
    """Does the player win who has just moved? Solves the game first; Solution.is_p_position asks a solved one.

    Parameters
    ----------
    pattern, variant, **parameters
        As for `solve`.
    position : Position or tuple of int

    Examples
    --------
    >>> pm.frogs.is_p_position(pm.Pattern([[0.0], [1.0], [3.0]], None, pm.Euclidean(1)), "friendly", (0, 1))
    True
    """
    return solve(pattern, variant, **parameters).is_p_position(position)


def winning_moves(pattern: Any, variant: str, position: Any, **parameters: Any) -> list[Move]:
    """All winning moves in a position, a list. Solves the game first; Solution.winning_moves asks a solved one.

    Parameters
    ----------
    pattern, variant, **parameters
        As for `solve`.
    position : Position or tuple of int

    Examples
    --------
    >>> pm.frogs.winning_moves(pm.Pattern([[0.0], [1.0], [3.0]], None, pm.Euclidean(1)), "friendly", (2, 0))
    [Move(frog=2, to=1, stones=frozenset(), pond=0)]
    """
    return solve(pattern, variant, **parameters).winning_moves(position)


class Strategy:
    """A perfect player of either side: wins from every won position, and is a nuisance in a lost one.

    Parameters
    ----------
    solution : Solution or PondSolution

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [1.0], [3.0]], None, pm.Euclidean(1))
    >>> player = pm.frogs.Strategy(pm.frogs.solve(pattern))
    >>> player.move(()).to, player.move((2, 0)).to
    (2, 1)
    """

    def __init__(self, solution: Solution | PondSolution) -> None:
        self.solution = solution

    def move(self, position: Any) -> Move:
        """A winning move; where there is none, the legal one that leaves the frogs farthest apart (of the first 1000).

        With stones, then, as many as possible of the opponent's winning moves are blocked. Raises ValueError where no
        move is legal: the game is over.
        """
        rules: Any = self.solution.rules
        position = rules.position(position)
        winning = self.solution.winning_moves(position)
        if winning:
            return winning[0]
        legal = list(itertools.islice(rules.steps(position), LOOK))
        if not legal:
            raise BadInput(f"no move is legal in {quoted(position)}: the game is over")
        far = max(legal, key=lambda move: self._distance(position, move))
        if not rules.k:
            return far
        answers = self.solution.winning_moves(rules.after(position, far))  # more than there are stones
        return far._replace(stones=frozenset(move.to for move in answers[: rules.k]))

    def _distance(self, position: Any, move: Move) -> float:
        """Distance of the frogs in the pond of the move, after it; 0 in the opening."""
        rules: Any = self.solution.rules
        pond, after = rules.views(rules.after(position, move))[move.pond]
        return float(pond.pattern.distance(*after.frogs)) if len(after.frogs) == 2 else 0.0
