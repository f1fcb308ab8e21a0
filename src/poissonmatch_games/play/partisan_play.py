"""Play of partisan positions, and of sums, in the terminal: Alice is Left, Bob is Right."""

from collections.abc import Iterable
from typing import Any

from poissonmatch.utils.display import PLAYERS
from poissonmatch.utils.errors import BadInput, quoted

from ..partisan.rulesets import PLAYERS as SIDES
from ..partisan.rulesets import Returns, Ruleset
from ..two_player import TwoPlayerGame

MAX_REPEATS = 3  # of a position with the same player to move, then the play is a draw
MAX_VALUED = 12  # options whose values a hint has


class PartisanTable(TwoPlayerGame):
    """A partisan ruleset in the terminal; a position is (position of the ruleset, 0 for Left to move or 1 for Right)."""

    how = "Type the number of a move in the list, or the position after your move."

    def __init__(self, start: Ruleset, rules: str = "", source: str = "") -> None:
        self.start, self.source = start, source
        self.rules = rules or "Alice is Left, and Bob is Right. A player who cannot move loses."
        self._counts: dict[Any, int] = {}

    def _wins(self, position: Any, side: int) -> bool:
        """Return whether the player who has moved to a position wins."""
        return self.start._wins(position, SIDES[side])

    def mover_wins(self, position: Any) -> bool:
        """Return whether the player to move can win."""
        place, side = position
        return any(self._wins(option, side) for option in self.start._moves(place, SIDES[side]))

    def winner(self, position: Any) -> str:
        """Return the winner under perfect play; "nobody" for a draw."""
        place, side = position
        return (
            PLAYERS[side]
            if self.mover_wins(position)
            else PLAYERS[1 - side]
            if self._wins(place, 1 - side)
            else "nobody"
        )

    def ended(self, position: Any, turn: int) -> tuple[str, str] | None:
        """Return the winner and a closing line if there is no move, or at the third repeat."""
        if not self.legal(position):
            stuck, other = PLAYERS[turn % 2], PLAYERS[(turn + 1) % 2]
            return other, f"{stuck} cannot move: {other} wins."
        self._counts[position] = self._counts.get(position, 0) + 1
        if self._counts[position] == MAX_REPEATS:
            return "nobody", "The position has occurred three times: a draw."
        return None

    def forget(self, position: Any, turn: int) -> None:
        """Count a position once less."""
        self._counts[position] = self._counts.get(position, 0) - 1

    def picture(self, position: Any, turn: int) -> str:
        """Return the position as text."""
        return f"[{self.start.show(position[0])}]"

    def legal(self, position: Any) -> list[Any]:
        """Return the positions after a move, with the other player to move."""
        place, side = position
        return [(option, 1 - side) for option in self.start._moves(place, SIDES[side])]

    def reply(self, position: Any) -> Any:
        """Return a winning move, else one that does not lose, else the last."""
        moves = self.legal(position)
        winning = [move for move in moves if self._wins(move[0], position[1])]
        return (winning or [move for move in moves if not self.mover_wins(move)] or moves)[0 if winning else -1]

    def describe(self, position: Any, move: Any, turn: int) -> str:
        """Return a move in words."""
        return f"moves to {self.start.show(move[0])}"

    def list_moves(self, position: Any, moves: list[Any], turn: int) -> list[str]:
        """Return the moves with their numbers."""
        return [f"{k} {self.start.show(move[0])}" for k, move in enumerate(moves, 1)]

    def hint(self, position: Any, turn: int) -> str:
        """Return a winning move, and the values of the options."""
        moves = self.legal(position)
        winning = [self.start.show(move[0]) for move in moves if self._wins(move[0], position[1])]
        values = "; ".join(f"{self.start.show(move[0])}: {self._value(move[0])}" for move in moves[:MAX_VALUED])
        first = f"{winning[0]} wins" if winning else "no move wins against perfect play"
        return f"{first}\nValues of the options: {values}{'; ...' * (len(moves) > MAX_VALUED)}"

    def _value(self, position: Any) -> str:
        try:
            return str(self.start._evaluate(position))
        except Returns:
            return "none"

    def after(self, position: Any, move: Any) -> Any:
        """Return the move, which is the new position."""
        return move

    def read(self, position: Any, text: str, turn: int) -> Any:
        """Return the move that was typed, by its number or as the position after it."""
        moves = self.legal(position)
        number = text.lstrip("#")
        if number.isascii() and number.isdigit():
            if not 0 < int(number[:9]) <= len(moves):
                raise BadInput(f"{quoted(text)} is not a move: the list has moves 1 to {len(moves)}")
            return moves[int(number) - 1]
        same: Iterable[Any] = (
            move for move in moves if self.start.show(move[0]).replace(" ", "") == text.replace(" ", "")
        )
        if (move := next(iter(same), None)) is None:
            raise BadInput(f"Not legal: no move leads to {quoted(text)}; moves lists them.")
        return move
