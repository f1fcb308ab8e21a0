"""Retrograde analysis: frog games on small sets, solved from their rules alone."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

from ..utils.errors import BadInput
from ..utils.retrograde_labels import explore, label_positions
from .moves import Move
from .variants import rules_of


class TooLarge(BadInput):
    """Retrograde analysis takes more steps than are accepted.

    Examples
    --------
    >>> issubclass(pm.frogs.retrograde.TooLarge, ValueError)
    True
    """


class Analysis:
    """Retrograde analysis of a frog game by the definitions (N) and (P) of sec. 2.

    It is independent of the matching and may visit every position: `cost` is a bound on the moves
    that it tries. That of friendly frogs is 2 n^3; k stones multiply it by the square of the number
    of choices of k pads, and ponds multiply.

    Parameters
    ----------
    pattern : Pattern or list of Pattern
        The pads; a list for the variant "ponds".
    variant : str, optional
        A key of VARIANTS, by default "friendly".
    max_steps : float, default 1e7
        Largest cost that is accepted; 10^6 moves take about ten seconds.
    **parameters
        Parameters of the variant, see `frogs.solve`.

    Raises
    ------
    ValueError
        As `frogs.solve`, and if the cost exceeds `max_steps`.

    Examples
    --------
    >>> pattern = pm.processes.binomial(pm.Torus(1.0, 2), 8, rng=1)
    >>> analysis = pm.frogs.retrograde.Analysis(pattern, "misere")
    >>> analysis.winner, analysis.length(), analysis.grundy((2, 5)), analysis.cost
    ('Bob', 7, 6, 1024)
    """

    def __init__(self, pattern: Any, variant: str = "friendly", *, max_steps: float = 1e7, **parameters: Any) -> None:
        self.rules = rules_of(pattern, variant, **parameters)
        self.cost = _cost(self.rules)
        if self.cost > max_steps:
            sizes = " and ".join(str(pond.n) for pond, _ in self.rules.views(self.rules.position(())))
            raise TooLarge(
                f"{variant} on {sizes} pads has up to {self.cost:.2g} moves in all positions, more than "
                f"max_steps={max_steps:.2g}: take fewer pads, frogs.solve, or max_steps={self.cost:.2g} to run it anyway"
            )
        self._outcomes: dict[Any, tuple[str, int]] = {}  # "P" or "N", and the number of remaining moves
        self._value = cache(self._find_value)

    @property
    def winner(self) -> str:
        """The winner of the game including the opening: "Alice" or "Bob"."""
        return "Bob" if self.is_p_position(()) else "Alice"

    def is_p_position(self, position: Any) -> bool:
        """Return whether the player who has just moved wins.

        Parameters
        ----------
        position : tuple of int or Position
            Places of the frogs; () before the game.

        Returns
        -------
        bool
            True for a P-position.
        """
        return self._outcome(position)[0] == "P"

    def winning_moves(self, position: Any) -> set[Move]:
        """Return all moves to a P-position; with stones, for every winning choice of stones.

        Parameters
        ----------
        position : tuple of int or Position
            Places of the frogs; () before the game.

        Returns
        -------
        set of Move
            Empty for a P-position.
        """
        position = self.rules.position(position)
        return {m for m in self.rules.moves(position) if self.is_p_position(self.rules.after(position, m))}

    def grundy(self, position: Any) -> int:
        """Return the Sprague-Grundy value (sec. 4.3).

        Parameters
        ----------
        position : tuple of int or Position
            Places of the frogs; () before the game.

        Returns
        -------
        int
            Smallest number from 0 that no option of the position has.
        """
        return self._value(self.rules.position(position))

    def length(self, position: Any = ()) -> int:
        """Return the number of remaining moves, placements included, if the winner plays fast and the loser slowly.

        Parameters
        ----------
        position : tuple of int or Position, default ()
            Places of the frogs; () before the game.

        Returns
        -------
        int
            Number of moves.
        """
        return self._outcome(position)[1]

    def _options(self, position: Any) -> set[Any]:
        return {self.rules.after(position, move) for move in self.rules.moves(position)}

    def _outcome(self, position: Any) -> tuple[str, int]:
        position = self.rules.position(position)
        if position not in self._outcomes:
            positions, (options,) = explore([position], lambda each: [self._options(each)])
            found = label_positions(options, lambda vertex: self._last_label(positions[vertex]))
            self._outcomes.update(zip(positions, zip(*found, strict=True), strict=True))  # type: ignore[arg-type]
        return self._outcomes[position]

    def _last_label(self, position: Any) -> str:
        """Return the label of a position without moves; if a frog is not placed, the player to place it loses."""
        placed = len(position[-1 if self.rules.many else 0]) == 2
        return "N" if placed and self.rules.stuck_wins else "P"

    def _find_value(self, position: Any) -> int:
        seen = set(map(self._value, self._options(position)))
        return next(g for g in range(len(seen) + 1) if g not in seen)


def _cost(rules: Any) -> int:
    """Return a bound on the number of moves in all positions.

    With p positions and m moves in each of every pond, it is the product of p times the sum of m.
    """
    ponds = [pond for pond, _ in rules.views(rules.position(()))]
    choices = [math.comb(pond.n, min(pond.k, pond.n)) for pond in ponds]
    positions = math.prod(pond.n**2 * count for pond, count in zip(ponds, choices, strict=True))
    return positions * sum(2 * pond.n * count for pond, count in zip(ponds, choices, strict=True))
