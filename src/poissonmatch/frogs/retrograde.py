"""The frog games solved from their rules alone, for small sets: backwards from the positions where play ends."""

from __future__ import annotations

from typing import Any

from .moves import Move
from .variants import rules_of


class Analysis:
    """Which positions are won, from the conditions (N) and (P) of sec. 2 and nothing else.

    It shares no code with the solver through the matching (solutions.py) but the rules, and visits every position that it
    is asked about and all that follow: fine for about 10 points.

    Parameters
    ----------
    pattern : Pattern
        Several ponds: a list of patterns.
    variant : str, optional
    **parameters
        These and what is raised are as of `frogs.solve`.

    Examples
    --------
    >>> pattern = pm.processes.binomial(pm.Torus(1.0, 2), 8, rng=1)
    >>> analysis = pm.retrograde.Analysis(pattern, "misere")
    >>> analysis.winner, analysis.length(), analysis.grundy((2, 5))
    ('Bob', 7, 6)
    """

    def __init__(self, pattern: Any, variant: str = "friendly", **parameters: Any) -> None:
        self.rules = rules_of(pattern, variant, **parameters)
        self._is_p: dict[Any, bool] = {}
        self._grundy: dict[Any, int] = {}
        self._length: dict[Any, int] = {}

    @property
    def winner(self) -> str:
        """Who wins the whole game, the opening included."""
        return "Bob" if self.is_p_position(()) else "Alice"

    def is_p_position(self, position: Any) -> bool:
        """Does the player win who has just moved?"""
        return self._previous_wins(self.rules.position(position))

    def winning_moves(self, position: Any) -> set[Move]:
        """All moves to a P-position (stones: with every choice of k stones)."""
        position = self.rules.position(position)
        return {m for m in self.rules.moves(position) if self._previous_wins(self.rules.after(position, m))}

    def grundy(self, position: Any) -> int:
        """Sprague-Grundy value: the smallest number that no option of the position has (sec. 4.3)."""
        return self._value(self.rules.position(position))

    def length(self, position: Any = ()) -> int:
        """Moves that are still made under best play: who wins does so as soon as can be, who loses holds out as long as can be.

        Placements are moves; 0 where the game is over.
        """
        return self._remaining(self.rules.position(position))

    def _remaining(self, position: Any) -> int:
        if position not in self._length:
            options = {self.rules.after(position, move) for move in self.rules.moves(position)}
            lost = self._previous_wins(position)  # for the player to move, who then chooses among all
            good = [self._remaining(option) for option in options if lost or self._previous_wins(option)]
            self._length[position] = 1 + (max if lost else min)(good) if good else 0
        return self._length[position]

    def _previous_wins(self, position: Any) -> bool:
        if position not in self._is_p:
            options = [self.rules.after(position, move) for move in self.rules.moves(position)]
            wins = not any(self._previous_wins(option) for option in options)
            jumping = len(position[0]) == 2  # both frogs are there: stuck is stuck, not a missing pad
            self._is_p[position] = wins if options or not (self.rules.stuck_wins and jumping) else False
        return self._is_p[position]

    def _value(self, position: Any) -> int:
        if position not in self._grundy:
            seen = {self._value(self.rules.after(position, move)) for move in self.rules.moves(position)}
            self._grundy[position] = next(g for g in range(len(seen) + 1) if g not in seen)
        return self._grundy[position]
