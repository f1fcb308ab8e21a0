"""A game of two by turns in a terminal: whom a person plays, what is typed and told, and a perfect player who may err."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

from ..utils.errors import BadInput, quoted
from ..utils.validation import check_real

PLAYERS = ("Alice", "Bob")  # Alice begins
WINNER = "winner"  # the side that can win
HUMANS = (*PLAYERS, "both", "nobody", WINNER)  # whom a person plays
SHOWN = 60  # moves in a list of them
LOOKED_AT = 1000  # moves among which one is chosen without thought
COMMANDS = "Also: moves, hint, help, quit."


class Table(ABC):
    """A game that is played here: its positions and moves are what it makes of them. Turn 0 is Alice's first.

    rules: of the game, in words. how: a move is typed.
    """

    rules: str
    how: str

    @abstractmethod
    def winner(self, position: Any) -> str:
        """Who wins from the start if nobody errs; "nobody" for a draw."""

    @abstractmethod
    def ended(self, position: Any, turn: int) -> tuple[str, str] | None:
        """The winner and the last words, where the game is over."""

    @abstractmethod
    def picture(self, position: Any, turn: int) -> str:
        """The position, as it is drawn before a move."""

    @abstractmethod
    def legal(self, position: Any) -> Iterable[Any]:
        """The moves."""

    @abstractmethod
    def reply(self, position: Any) -> Any:
        """The perfect player's move."""

    @abstractmethod
    def read(self, position: Any, text: str, turn: int) -> Any:
        """The legal move that a line means. Raises ValueError with the reason if there is none."""

    @abstractmethod
    def told(self, position: Any, move: Any, turn: int) -> str:
        """What a player does with a move: "jumps from 3 to 7"."""

    @abstractmethod
    def listed(self, position: Any, moves: list[Any], turn: int) -> list[str]:
        """Moves in a list of them."""

    @abstractmethod
    def hint(self, position: Any, turn: int) -> str:
        """Which moves win."""

    @abstractmethod
    def after(self, position: Any, move: Any) -> Any:
        """The position after a move."""

    @property
    def help(self) -> str:
        """What a person must know."""
        return f"{self.rules}\n{self.how} {COMMANDS}"


def check_human(human: str) -> None:
    """Raises BadInput for another word than Alice, Bob, both, nobody or winner."""
    if human not in HUMANS:
        raise BadInput(f"human must be Alice, Bob, both or nobody, or winner for who can win, not {quoted(human)}")


def play(
    table: Table,
    position: Any,
    *,
    human: str,
    errs: float = 0.0,
    seed: int | None = None,
    ask: Callable[[str], str] = input,
    say: Callable[[str], None] = print,
) -> str | None:
    """Play to the end, against the perfect player on every side but `human`, who with chance `errs` makes any move instead.

    ask and say read and write a line. Returns the winner, "nobody" for a draw, None if the human quits. Raises BadInput for
    an unknown human, or a chance that is none.
    """
    check_human(human)
    errs = check_real("errs", errs, "a chance between 0 and 1", max_value=1.0)
    chance, turn = random.Random(seed), 0
    say(table.help)
    if human == WINNER:
        human = table.winner(position)
        human = human if human in PLAYERS else PLAYERS[0]
        say(f"You are {human}.")
    while (end := table.ended(position, turn)) is None:
        player = PLAYERS[turn % 2]
        say(table.picture(position, turn))
        if human in (player, "both"):
            move = _typed(table, position, turn, ask, say)
            if move is None:
                return None
        elif errs and chance.random() < errs:
            move = chance.choice(list(islice(table.legal(position), LOOKED_AT)))
        else:
            move = table.reply(position)
        say(f"{player} {table.told(position, move, turn)}.")
        position, turn = table.after(position, move), turn + 1
    say(table.picture(position, turn))
    say(end[1])
    return end[0]


def asked(ask: Callable[[str], str], prompt: str) -> str:
    """A line that a person types; "quit" if that is what it means, or if there is none any more."""
    try:
        text = ask(f"{prompt}> ").strip()
    except EOFError:
        return "quit"
    return {"q": "quit", "": "help", "h": "help", "?": "help"}.get(text.lower(), text)


def _typed(table: Table, position: Any, turn: int, ask: Callable[[str], str], say: Callable[[str], None]) -> Any:
    """The move that a person chooses; None if the person quits."""
    while True:
        text = asked(ask, PLAYERS[turn % 2])
        match text.lower():
            case "quit":
                return None
            case "help":
                say(table.help)
            case "moves":
                shown = list(islice(dict.fromkeys(table.legal(position)), SHOWN + 1))
                lines = table.listed(position, shown[:SHOWN], turn)
                say("; ".join(lines) + ("; ..." if len(shown) > SHOWN else ""))
            case "hint":
                say(table.hint(position, turn))
            case _:
                try:
                    return table.read(position, text, turn)
                except ValueError as error:
                    say(str(error))
