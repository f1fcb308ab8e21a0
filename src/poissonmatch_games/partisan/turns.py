"""A partisan ruleset as a game of the player to move, so that outcomes, winning moves and play are those of impartial games."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from ..impartial.loopy import LoopyGame
from ..impartial.upward_search import Returns

SIDES = ("Left", "Right")


class TurnGame(LoopyGame):
    """Game of a partisan ruleset, in which Alice is Left and Bob is Right.

    A position is (position of the ruleset, 0 if Left is to move or 1 if Right is). Outcomes in normal play come from the
    values; in misere play, and if a play can return to a position, from retrograde analysis. There are no nim-values.

    Parameters
    ----------
    ruleset : type
        A subclass of `Ruleset`.
    read : callable, optional
        Function from a text to a position, by default `ruleset.read`.
    misere : bool, default False
        Whether the player who cannot move wins.
    """

    _reason = "the players have different moves"

    def __init__(self, ruleset: type[Any], read: Callable[[str], Any] | None = None, *, misere: bool = False) -> None:
        super().__init__(misere=misere)
        self.ruleset, self._read, self.max_positions = ruleset, read or ruleset.read, ruleset.max_positions

    def options(self, position: Any) -> list[Any]:
        """Return the positions after a move of the player to move."""
        place, side = position
        return [(option, 1 - side) for option in self.ruleset._options_of(place, SIDES[side])]

    def read(self, text: str) -> Any:
        """Return the position given as text, with Left to move."""
        return self._read(text), 0

    def show(self, position: Any) -> str:
        """Return the position of the ruleset as text."""
        return self.ruleset.show(position[0])

    def turned(self, position: Any) -> Any:
        """Return the position with the other player to move."""
        return position[0], 1 - position[1]

    def worth(self, position: Any, *, misere: bool | None = None) -> str:
        """Return the value in normal play, or the outcome if there is none or it takes too long."""
        with suppress(Returns):
            if not self._play(misere) and self.ruleset._is_quick(position[0]):
                return str(self.ruleset._evaluate(position[0]))
        return self.outcome(position, misere=misere)

    def _known(self, position: Any, misere: bool) -> str:
        with suppress(Returns):
            return "" if misere else "N" if self.ruleset._mover_wins(*position) else "P"
        return ""
