"""Play an impartial game, or one that need not end, in the terminal against a perfect player: of any ruleset, by its options."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

from ...utils.errors import BadInput, quoted
from ..two_player import LOOKED_AT, PLAYERS, Table
from ..two_player import play as play_by_turns
from .base import ImpartialGame
from .loopy import LoopyGame

MOST_MOVES = 1_000_000  # among which a typed position is looked for
TIMES = 3  # that a position comes before the play is called a draw


def reply(game: ImpartialGame, position: Any, misere: bool) -> Any:
    """The perfect player's move: one that wins and leads to the end, else one that draws, else any, rather a small one."""
    found = game.winning_move(position, misere=misere)
    if found is None and isinstance(game, LoopyGame):
        found = next(iter(game.drawing_moves(position, misere=misere)), None)
    if found is None:
        *_, found = islice(game.options(position), LOOKED_AT)
    return found


def play(
    game: ImpartialGame,
    start: Any,
    *,
    rules: str = "",
    human: str = "Alice",
    misere: bool | None = None,
    errs: float = 0.0,
    seed: int | None = None,
    ask: Callable[[str], str] = input,
    say: Callable[[str], None] = print,
) -> str | None:
    """Play from a position; Alice moves first. The perfect player takes every side but `human` ("Alice", "Bob", "both", "nobody";
    "winner": who can win).

    errs: the chance that the perfect player makes any move instead. seed: of that chance. ask and say read and write a line.
    Returns the winner, "nobody" for a draw (a position has come three times), None if the human quits. Raises ValueError for an
    unknown human, a chance that is none, or an illegal start.
    """
    table = OptionTable(game, game.misere if misere is None else misere, rules)
    return play_by_turns(table, game.validate(start), human=human, errs=errs, seed=seed, ask=ask, say=say)


class OptionTable(Table):
    """A game that is its options; a move is the position that it leads to. A position is drawn as Alice sees it, whoever moves."""

    how = "Type the position after your move, or # and the number of a move in the list."

    def __init__(self, game: ImpartialGame, misere: bool, rules: str) -> None:
        self.game, self.misere = game, misere
        first = (inspect.getdoc(type(game)) or "").partition("\n\n")[0]
        self.rules = f"{rules or first}\n{'Misere' if misere else 'Normal'} play."
        self._came: Counter[Any] = Counter()

    def winner(self, position: Any) -> str:
        outcome = self.game.outcome(position, misere=self.misere)
        return {"N": PLAYERS[0], "P": PLAYERS[1]}.get(outcome, "nobody")

    def ended(self, position: Any, turn: int) -> tuple[str, str] | None:
        if next(iter(self.legal(position)), None) is None:
            stuck, other = PLAYERS[turn % 2], PLAYERS[(turn + 1) % 2]
            winner = stuck if self.misere else other
            return winner, f"{stuck} cannot move: {winner} wins."
        self._came[position, turn % 2] += 1
        if self._came[position, turn % 2] == TIMES:
            return "nobody", "The position has come three times: a draw."
        return None

    def picture(self, position: Any, turn: int) -> str:
        return f"[{self._shown(position, turn)}]"

    def legal(self, position: Any) -> Iterable[Any]:
        return self.game.options(position)

    def reply(self, position: Any) -> Any:
        return reply(self.game, position, self.misere)

    def told(self, position: Any, move: Any, turn: int) -> str:
        return f"moves to {self._shown(move, turn + 1)}"

    def listed(self, position: Any, moves: list[Any], turn: int) -> list[str]:
        return [f"#{k} {self._shown(move, turn + 1)}" for k, move in enumerate(moves, 1)]

    def hint(self, position: Any, turn: int) -> str:
        move = self.game.winning_move(position, misere=self.misere)
        draws = self.game.drawing_moves(position, misere=self.misere) if isinstance(self.game, LoopyGame) else []
        if move is not None:
            first = f"{self._shown(move, turn + 1)} wins"
        elif draws:
            first = f"{self._shown(draws[0], turn + 1)} draws"
        else:
            first = "no move wins against perfect play"
        return "\n".join([first, *self.game.advice(position, misere=self.misere)])

    def after(self, position: Any, move: Any) -> Any:
        return move

    def _shown(self, position: Any, turn: int) -> str:
        return self.game.show(position if turn % 2 == 0 else self.game.turned(position))

    def read(self, position: Any, text: str, turn: int) -> Any:
        options = list(dict.fromkeys(islice(self.game.options(position), MOST_MOVES)))
        if text.startswith("#"):
            place = int(text[1:]) if re.fullmatch(r"#\d{1,9}", text) else 0
            if not 0 < place <= len(options):
                raise BadInput(f"{quoted(text)} is no move: there are #1 to #{len(options)}")
            return options[place - 1]
        seen = self.game.read(text)
        wanted = seen if (turn + 1) % 2 == 0 else self.game.turned(seen)
        same = [option for option in options if option == wanted] or [
            option for option in options if self.game._key(option) == self.game._key(wanted)
        ]
        if not same:
            raise BadInput(f"Not legal: no move leads to {self.game.show(seen)}; moves lists them.")
        return same[0]
