"""Frog games in the terminal against a perfect opponent."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..games.two_player import PLAYERS, TwoPlayerGame
from ..games.two_player import play as play_by_turns
from ..points.geometry import Euclidean, Torus
from ..points.pattern import Pattern
from ..utils.errors import BadInput
from ..utils.validation import check_real
from .board import drawn
from .moves import Move
from .solutions import Strategy, solve


def play(
    pattern: Any,
    variant: str = "friendly",
    *,
    human: str = "Alice",
    errs: float = 0.0,
    seed: int | None = None,
    ask: Callable[[str], str] = input,
    say: Callable[[str], None] = print,
    reject: bool = False,
    **parameters: Any,
) -> str | None:
    """Play a game against the perfect player; the position is drawn before each move, and illegal moves are explained.

    pattern, variant and parameters are those of `solve`, the others those of two_player.play; with `reject` the variant "stones" is played
    by rejecting up to k moves. Returns the winner, or None if the human quits. Raises ValueError as `solve` does, and if `human`, `errs` or
    `reject` is invalid.
    """
    if reject and variant != "stones":
        raise BadInput(f"moves are rejected in the variant stones only, not in {variant}")
    solution = solve(pattern, variant, **parameters)
    turns: dict[str, Any] = {"human": human, "errs": errs, "seed": seed, "ask": ask, "say": say}
    if reject:
        from .rejections import Proposal, RejectionTable

        return play_by_turns(RejectionTable(solution), Proposal(()), **turns)
    return play_by_turns(FrogTable(solution), solution.rules.position(()), **turns)


class FrogTable(TwoPlayerGame):
    """A frog game on its pads, with its solution."""

    def __init__(self, solution: Any) -> None:
        self.solution, self.strategy = solution, Strategy(solution)
        self.rules, self.how = solution.rules.about(), how(solution.rules)

    def winner(self, position: Any) -> str:
        return str(self.solution.winner)

    def ended(self, position: Any, turn: int) -> tuple[str, str] | None:
        if next(iter(self.legal(position)), None) is not None:
            return None
        stuck, other = PLAYERS[turn % 2], PLAYERS[(turn + 1) % 2]
        winner = stuck if self.solution.rules.stuck_wins and turn > 1 else other
        return winner, f"{stuck} cannot {'jump' if turn > 1 else 'place a frog'}: {winner} wins."

    def picture(self, position: Any, turn: int) -> str:
        return draw(self.solution.rules, position, PLAYERS[turn % 2])

    def legal(self, position: Any) -> Iterable[Move]:
        return self.solution.rules.steps(position)

    def reply(self, position: Any) -> Move:
        return self.strategy.move(position)

    def read(self, position: Any, text: str, turn: int) -> Move:
        move = parse(self.solution.rules, position, text)
        if objection := self.solution.rules.objection(position, move):
            raise BadInput(f"Not legal: {objection}.")
        return move

    def describe(self, position: Any, move: Move, turn: int) -> str:
        if isinstance(move.to, tuple):
            ponds = (f"{' and '.join(map(str, pads))} in pond {i}" for i, pads in enumerate(move.to))
            return "places " + ", ".join(ponds)
        text = f"places a frog on {move.to}" if move.frog is None else f"jumps from {move.frog} to {move.to}"
        text += f" in pond {move.pond}" if self.solution.rules.many else ""
        return text + (f", stones on {', '.join(map(str, sorted(move.stones)))}" if move.stones else "")

    def list_moves(self, position: Any, moves: list[Move], turn: int) -> list[str]:
        return [self.describe(position, move, turn) for move in moves]

    def hint(self, position: Any, turn: int) -> str:
        winning = self.list_moves(position, self.solution.winning_moves(position), turn)
        return "; ".join(winning) or "no move wins against perfect play"

    def after(self, position: Any, move: Move) -> Any:
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


def random_pattern(
    points: int, dim: int, rng: np.random.Generator, *, torus: bool = False, ratio: float = 1.0
) -> Pattern:
    """Return uniform points in a box or torus of volume `points`, with `ratio` points of color 1 per point of color 0, rounded down."""
    share = check_real("ratio", ratio, "a number from 0 to 1e9", max_value=1e9) / (1 + ratio)
    side = max(points, 1) ** (1 / dim)
    geometry = Torus(side, dim) if torus else Euclidean(dim)
    colors = rng.permutation(np.arange(points) < int(points * share))
    return Pattern(rng.random((points, dim)) * side * (1 - 1e-12), colors.astype(np.uint8), geometry)
