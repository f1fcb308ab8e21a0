"""A frog game between two players: positions as text, moves that are typed, and the answers of the solution."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from poissonmatch.frogs.moves import Move
from poissonmatch.frogs.solutions import Strategy
from poissonmatch.utils.errors import BadInput

from ..two_player import PLAYERS, TwoPlayerGame
from .pond_maps import drawn


class FrogTable(TwoPlayerGame):
    """A frog game on its pads, with its solution."""

    def __init__(self, solution: Any) -> None:
        self.solution, self.strategy = solution, Strategy(solution)
        self.rules, self.source, self.how = solution.rules.about(), solution.rules.source, how(solution.rules)

    def winner(self, position: Any) -> str:
        """Return the winner of perfect play."""
        return str(self.solution.winner)

    def ended(self, position: Any, turn: int) -> tuple[str, str] | None:
        """Return the winner and the last sentence of a game that is over; None before."""
        if next(iter(self.legal(position)), None) is not None:
            return None
        stuck, other = PLAYERS[turn % 2], PLAYERS[(turn + 1) % 2]
        winner = stuck if self.solution.rules.stuck_wins and turn > 1 else other
        return winner, f"{stuck} cannot {'jump' if turn > 1 else 'place a frog'}: {winner} wins."

    def picture(self, position: Any, turn: int) -> str:
        """Return the position as text."""
        return draw(self.solution.rules, position, PLAYERS[turn % 2])

    def legal(self, position: Any) -> Iterable[Move]:
        """Return the legal moves."""
        return self.solution.rules.steps(position)

    def reply(self, position: Any) -> Move:
        """Return the move of the solution."""
        return self.strategy.move(position)

    def read(self, position: Any, text: str, turn: int) -> Move:
        """Return a legal move that is typed. Raises ValueError."""
        move = parse(self.solution.rules, position, text)
        if objection := self.solution.rules.objection(position, move):
            raise BadInput(f"Not legal: {objection}.")
        return move

    def describe(self, position: Any, move: Move, turn: int) -> str:
        """Return a move in words."""
        if isinstance(move.to, tuple):
            ponds = (f"{' and '.join(map(str, pads))} in pond {i}" for i, pads in enumerate(move.to))
            return "places " + ", ".join(ponds)
        text = f"places a frog on {move.to}" if move.frog is None else f"jumps from {move.frog} to {move.to}"
        text += f" in pond {move.pond}" if self.solution.rules.many else ""
        return text + (f", stones on {', '.join(map(str, sorted(move.stones)))}" if move.stones else "")

    def list_moves(self, position: Any, moves: list[Move], turn: int) -> list[str]:
        """Return moves in words."""
        return [self.describe(position, move, turn) for move in moves]

    def hint(self, position: Any, turn: int) -> str:
        """Return the winning moves in words."""
        winning = self.list_moves(position, self.solution.winning_moves(position), turn)
        return "; ".join(winning) or "no move wins against perfect play"

    def after(self, position: Any, move: Move) -> Any:
        """Return the position after a move."""
        return self.solution.rules.after(position, move)


def how(rules: Any) -> str:
    """Return how a move is typed."""
    if rules.many:
        return """Type the pond and the pads: "1 3 7" jumps in pond 1 from pad 3 to pad 7. The opening names all frogs: with two ponds
"0 4 2" is pads 0 and 4 of the first and 2 of the second."""
    enough = ', and so does "7"' if rules.owned and not rules.k else ""
    stones = '; the pads of the stones follow, "3 7 2 4"' if rules.k else ""
    return f'Type the pads: "7" places a frog; "3 7" jumps from pad 3 to pad 7{enough}{stones}.'


def parse(rules: Any, position: Any, text: str) -> Move:
    """Return the move of a line of text; it may be illegal. Raises ValueError if the line is not a list of numbers."""
    if not re.fullmatch(r"\s*\d{1,18}([\s,]+\d{1,18})*\s*", text):  # int() refuses numbers of 5000 digits
        raise BadInput(f"{text.strip()[:60]!r} is not a move: type numbers of pads, or help")
    return rules.read(position, [int(word) for word in re.findall(r"\d+", text)])


def draw(rules: Any, position: Any, player: str) -> str:
    """Return the position as text: a map of the pads, or a table of coordinates beyond two dimensions or 200 pads."""
    ponds = [drawn(pond, at, player) for pond, at in rules.views(position)]
    return "\n".join(f"pond {i}\n{text}" for i, text in enumerate(ponds)) if rules.many else ponds[0]
