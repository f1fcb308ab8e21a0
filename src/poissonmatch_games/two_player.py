"""Two-player games in a terminal: input, output, and a perfect player with an optional error rate."""

import random
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

from poissonmatch.utils.display import PLAYERS
from poissonmatch.utils.errors import BadInput, quoted
from poissonmatch.utils.validation import check_real

WINNER = "winner"  # the side that can win
HUMANS = (*PLAYERS, "both", "nobody", WINNER)  # the sides that a human may play
MAX_LISTED = 60  # moves in a list
MAX_CHOICES = 1000  # moves for a random choice
COMMANDS = "Also: moves, hint, undo, help, quit."
UNDO = object()  # instead of a move


class TwoPlayerGame(ABC):
    """Base class of games played in a terminal.

    Positions and moves are of any type, and turn 0 is Alice's first.

    `rules` are the rules of the game, `source` is a publication about it, `how` says how to type a
    move.
    """

    rules: str
    source: str = ""
    how: str

    @abstractmethod
    def winner(self, position: Any) -> str:
        """Return the winner under perfect play; "nobody" for a draw."""

    @abstractmethod
    def ended(self, position: Any, turn: int) -> tuple[str, str] | None:
        """Return the winner and a closing line if the game is over."""

    @abstractmethod
    def picture(self, position: Any, turn: int) -> str:
        """Return the position as text."""

    @abstractmethod
    def legal(self, position: Any) -> Iterable[Any]:
        """Return the legal moves."""

    @abstractmethod
    def reply(self, position: Any) -> Any:
        """Return the perfect player's move."""

    @abstractmethod
    def read(self, position: Any, text: str, turn: int) -> Any:
        """Return the legal move that was typed.

        Raises ValueError with the reason if it is not legal.
        """

    @abstractmethod
    def describe(self, position: Any, move: Any, turn: int) -> str:
        """Return a move in sentence, as "jumps from 3 to 7"."""

    @abstractmethod
    def list_moves(self, position: Any, moves: list[Any], turn: int) -> list[str]:
        """Return one line for each move."""

    @abstractmethod
    def hint(self, position: Any, turn: int) -> str:
        """Return which moves win."""

    @abstractmethod
    def after(self, position: Any, move: Any) -> Any:
        """Return the position after a move."""

    @abstractmethod
    def mover_wins(self, position: Any) -> bool:
        """Return whether the player to move can win."""

    def forget(self, position: Any, turn: int) -> None:
        """Undo what `ended` remembers of a position, if anything."""
        return

    @property
    def help(self) -> str:
        """Rules, source and commands."""
        return f"{cited(self.rules, self.source)}\n{self.how} {COMMANDS}"


def cited(rules: str, source: str) -> str:
    """Return the rules of a game, and below them the publication, if there is one."""
    return f"{rules}\nSource: {source}" if source else rules


def check_human(human: str) -> None:
    """Raise BadInput unless `human` is Alice, Bob, both, nobody or winner."""
    if human not in HUMANS:
        raise BadInput(f"human must be Alice, Bob, both, nobody or winner (the side that can win), got {quoted(human)}")


def play(
    game: TwoPlayerGame,
    position: Any,
    *,
    human: str,
    errs: float = 0.0,
    seed: int | None = None,
    ask: Callable[[str], str] = input,
    say: Callable[[str], None] = print,
) -> str | None:
    """Play a game to the end and return the winner, "nobody" for a draw, or None if the human quits.

    `human` is the side of the human ("Alice", "Bob", "both", "nobody", or "winner": the side that
    can win); a perfect player takes the others, and with probability `errs` makes a random move
    (drawn with `seed`). `ask` and `say` read and write a line. Raises BadInput for an unknown human
    or a value of `errs` outside 0..1.
    """
    check_human(human)
    errs = check_real("errs", errs, "a chance between 0 and 1", max_value=1.0)
    rng, turn = random.Random(seed), 0
    before: list[tuple[Any, int]] = []  # the positions so far
    lost = ""  # the move with which the human lost a won game
    say(game.help)
    if human == WINNER:
        human = game.winner(position)
        human = human if human in PLAYERS else PLAYERS[0]
        say(f"You are {human}.")
    while (end := game.ended(position, turn)) is None:
        player = PLAYERS[turn % 2]
        say(game.picture(position, turn))
        if human in (player, "both"):
            move = _typed(game, position, turn, ask, say)
            if move is None:
                return None
            if move is UNDO:
                own = [k for k, (_, earlier) in enumerate(before) if human in (PLAYERS[earlier % 2], "both")]
                if not own:
                    say("You have no move to undo.")
                for each in [(position, turn), *before[own[-1] :]] if own else [(position, turn)]:
                    game.forget(*each)
                if own:
                    position, turn = before[own[-1]]
                    lost = ""
                    del before[own[-1] :]
                continue
        elif errs and rng.random() < errs:
            move = rng.choice(list(islice(game.legal(position), MAX_CHOICES)))
        else:
            move = game.reply(position)
        sentence = f"{player} {game.describe(position, move, turn)}"
        # the squares of a strip or board and ends of Sprouts are dots
        dotted = sentence.endswith(".") or re.search(r" [TFXO.#/]+$", sentence)
        sentence += "" if dotted else "."
        if human == player and not lost and game.mover_wins(position) and game.mover_wins(game.after(position, move)):
            lost = f"{player} could win before move {len(before) + 1}: {sentence}"
        say(sentence)
        before.append((position, turn))
        position, turn = game.after(position, move), turn + 1
    say(game.picture(position, turn))
    say(end[1])
    if lost and end[0] not in (human, "nobody"):
        say(lost)
    return end[0]


def read_line(ask: Callable[[str], str], prompt: str) -> str:
    """Return a typed line with the abbreviations of commands expanded, "quit" at the end of the input."""
    try:
        text = ask(f"{prompt}> ").strip()
    except EOFError:
        return "quit"
    return {"q": "quit", "exit": "quit", "": "help", "h": "help", "?": "help"}.get(text.lower(), text)


def _typed(game: TwoPlayerGame, position: Any, turn: int, ask: Callable[[str], str], say: Callable[[str], None]) -> Any:
    """Return the move that the human types; UNDO to undo the last one, None to quit."""
    while True:
        text = read_line(ask, PLAYERS[turn % 2])
        match text.lower():
            case "quit":
                return None
            case "undo":
                return UNDO
            case "help":
                say(game.help)
            case "moves":
                moves = list(islice(dict.fromkeys(game.legal(position)), MAX_LISTED + 1))
                lines = game.list_moves(position, moves[:MAX_LISTED], turn)
                say("; ".join(lines) + ("; ..." if len(moves) > MAX_LISTED else ""))
            case "hint":
                say(game.hint(position, turn))
            case _:
                try:
                    return game.read(position, text, turn)
                except ValueError as error:
                    say(str(error))
