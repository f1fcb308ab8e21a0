"""A frog game between two players in a terminal.

Positions are displayed as text, moves are typed, and the answers are those of the solution.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from poissonmatch.frogs.moves import Move, OnePond, Position
from poissonmatch.frogs.solutions import Strategy
from poissonmatch.points.pattern import Pattern
from poissonmatch.utils.display import PLAYERS
from poissonmatch.utils.errors import BadInput

from ..two_player import TwoPlayerGame

COLUMNS, LINES = 72, 22
MARGIN = 4  # lines of a map in addition to one for each pad
MAX_MAPPED = 200  # pads on a map
MAX_SHIFT = 12  # columns that a pad is moved before it is moved to another line


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
        stuck, other, jumping = PLAYERS[turn % 2], PLAYERS[(turn + 1) % 2], self._jumping(position, turn)
        winner = stuck if self.solution.rules.stuck_wins and jumping else other
        return winner, f"{stuck} cannot {'jump' if jumping else 'place a frog'}: {winner} wins."

    def _jumping(self, position: Any, turn: int) -> bool:
        """Return whether both frogs are on pads."""
        return turn > 1

    def picture(self, position: Any, turn: int) -> str:
        """Return the position as text."""
        return position_text(self.solution.rules, position, PLAYERS[turn % 2])

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
        return (
            "; ".join(self.list_moves(position, self._answers(position), turn)) or "no move wins against perfect play"
        )

    def mover_wins(self, position: Any) -> bool:
        """Return whether the player to move can win."""
        return bool(self._answers(position))

    def _answers(self, position: Any) -> list[Any]:
        """Return the winning moves."""
        return list(self.solution.winning_moves(position))

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
    """Return the move of a line of text; it may be illegal.

    Raises ValueError if the line is not a list of numbers.
    """
    if not re.fullmatch(r"\s*\d{1,18}([\s,]+\d{1,18})*\s*", text):  # int() refuses numbers of 5000 digits
        raise BadInput(f"{text.strip()[:60]!r} is not a move: type numbers of pads, or help")
    return rules.read(position, [int(word) for word in re.findall(r"\d+", text)])


def position_text(rules: Any, position: Any, player: str) -> str:
    """Return a map of the pads, or a table of coordinates beyond two dimensions or 200 pads."""
    ponds = [pond_map(pond, at, player) for pond, at in rules.views(position)]
    return "\n".join(f"pond {i}\n{text}" for i, text in enumerate(ponds)) if rules.many else ponds[0]


def pond_map(rules: OnePond, position: Position, player: str) -> str:
    """Return the map of a pond before a move of this player."""
    other = PLAYERS[player == "Alice"]
    marks = {}
    for frog, owner in zip(position.frogs, (other, player), strict=False):
        marks[frog] = owner[0] if rules.owned else "*"
    names = []
    for pad in range(rules.n):
        text = f"{pad}{rules.pads[rules.color[pad]][0] if rules.pads else ''}"
        lead = "x" * (pad in position.blocked) + "[" * (pad in marks)
        text += f" {marks[pad]}]" if pad in marks else ""
        names.append(lead.rjust(1 + bool(rules.k)) + text.ljust(len(str(rules.n - 1)) + bool(rules.pads) + 3))
    more = [", ".join(f"{color[0]} {color} pad" for color in rules.pads), "x stone" if rules.k else ""]
    legend = "; ".join(["[ ] frog" + (": A amber (Alice), B blue (Bob)" if rules.owned else ""), *filter(None, more)])
    return f"{_map(rules.pattern, names)}\n({legend})"


def _map(pattern: Pattern, names: list[str]) -> str:
    """Return the map of names of equal width."""
    if not names:
        return "(no pads)"
    points = np.asarray(pattern.points)
    if not pattern.geometry.has_coordinates:
        return "  ".join(name.strip() for name in names)
    if pattern.geometry.dim > 2 or len(names) > MAX_MAPPED:
        return "\n".join(
            f"{name.strip():>8}  {' '.join(f'{t:8.3f}' for t in row)}" for name, row in zip(names, points, strict=True)
        )
    rows = _rows(points, names)
    frame = "+" + "-" * (COLUMNS + 1) + "+"
    return "\n".join([frame, *(f"| {row}|" for row in rows), frame])


def _rows(points: np.ndarray, names: list[str]) -> list[str]:
    """Return the lines of the map; overlapping names are moved apart."""
    low, high = points.min(axis=0), points.max(axis=0)
    share = (points - low) / np.where(high > low, high - low, 1)
    wide = len(names[0])
    height = 1 if points.shape[1] == 1 else min(LINES, len(names) + MARGIN)  # rules and prompt stay in sight
    column = (share[:, 0] * (COLUMNS - wide)).astype(int)
    line = ((1 - share[:, -1]) * (height - 1)).round().astype(int)
    rows = [" " * COLUMNS for _ in range(height)]
    taken = np.zeros((max(height, -(-2 * len(names) * wide // COLUMNS)), COLUMNS), bool)
    for pad in np.lexsort((column, line)).tolist():
        row, at = _free(taken, int(line[pad]), int(column[pad]), wide)
        taken[row, at : at + wide] = True
        rows += [" " * COLUMNS] * (row + 1 - len(rows))
        rows[row] = rows[row][:at] + names[pad] + rows[row][at + wide :]
    return rows


def _free(taken: np.ndarray, line: int, column: int, wide: int) -> tuple[int, int]:
    """Return the nearest free (line, column): on the same line within MAX_SHIFT columns, or else on another line."""
    windows = np.lib.stride_tricks.sliding_window_view(taken, wide, axis=1)
    free = ~windows.any(axis=2)
    lines, columns = np.nonzero(free)
    shift = np.abs(columns - column)
    best = np.lexsort((shift, np.abs(lines - line) + (shift > MAX_SHIFT) * len(taken)))[0]
    return int(lines[best]), int(columns[best])
