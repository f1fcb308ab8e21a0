"""Play an impartial game, or one that need not end, in the terminal against a perfect player: of any ruleset, by its options."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

from ...errors import BadInput, quoted
from .base import ImpartialGame
from .loopy import LoopyGame

PLAYERS = ("Alice", "Bob")
HUMANS = (*PLAYERS, "both", "nobody")  # whom a person plays
SHOWN = 60  # moves in a list of them
LOOKED_AT = 1000  # moves among which a lost player chooses
MOST_MOVES = 1_000_000  # among which a typed position is looked for
TIMES = 3  # that a position comes before the play is called a draw
HELP = (
    """Type the position after your move, or # and the number of a move in the list. Also: moves, hint, help, quit."""
)


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
    ask: Callable[[str], str] = input,
    say: Callable[[str], None] = print,
) -> str | None:
    """Play from a position; Alice moves first. The perfect player takes every side but `human` ("Alice", "Bob", "both", "nobody").

    ask and say read and write a line. Returns the winner, "nobody" for a draw (a position has come three times), None if the
    human quits. Raises ValueError for an unknown human, or an illegal start.
    """
    if human not in HUMANS:
        raise BadInput(f"human must be Alice, Bob, both or nobody, not {quoted(human)}")
    position, misere, turn = game.validate(start), game.misere if misere is None else misere, 0
    say(f"{rules or type(game).__doc__}\n{'Misere' if misere else 'Normal'} play. {HELP}")
    came: Counter[Any] = Counter()
    while next(iter(game.options(position)), None) is not None:
        player = PLAYERS[turn % 2]
        came[position, turn % 2] += 1
        if came[position, turn % 2] == TIMES:
            say("The position has come three times: a draw.")
            return "nobody"
        say(f"[{_shown(game, position, turn)}]")
        if human in (player, "both"):
            move = _human_move(game, position, misere, turn, ask, say)
            if move is None:
                return None
        else:
            move = reply(game, position, misere)
        position, turn = move, turn + 1
        say(f"{player} moves to {_shown(game, position, turn)}.")
    stuck, other = PLAYERS[turn % 2], PLAYERS[(turn + 1) % 2]
    winner = stuck if misere else other
    say(f"{stuck} cannot move: {winner} wins.")
    return winner


def _shown(game: ImpartialGame, position: Any, turn: int) -> str:
    """A position as Alice sees it, whoever is to move."""
    return game.show(position if turn % 2 == 0 else game.turned(position))


def _human_move(
    game: ImpartialGame, position: Any, misere: bool, turn: int, ask: Callable[[str], str], say: Callable[[str], None]
) -> Any | None:
    """The option that a person chooses; None if the person quits."""

    def listed(options: Iterable[Any]) -> list[str]:
        return [_shown(game, option, turn + 1) for option in options]

    while True:
        try:
            text = ask(f"{PLAYERS[turn % 2]}> ").strip()
        except EOFError:
            return None
        if text.lower() in ("q", "quit"):
            return None
        if text.lower() in ("", "h", "help", "?"):
            say(HELP)
        elif text.lower() == "moves":
            shown = list(islice(dict.fromkeys(game.options(position)), SHOWN + 1))
            lines = [f"#{k} {line}" for k, line in enumerate(listed(shown[:SHOWN]), 1)]
            say("; ".join(lines) + ("; ..." if len(shown) > SHOWN else ""))
        elif text.lower() == "hint":
            say("\n".join([_hint(game, position, misere, listed), *game.advice(position, misere=misere)]))
        else:
            try:
                return _typed(game, position, text, turn)
            except ValueError as error:
                say(str(error))


def _hint(game: ImpartialGame, position: Any, misere: bool, listed: Callable[[Iterable[Any]], list[str]]) -> str:
    move = game.winning_move(position, misere=misere)
    if move is not None:
        return f"{listed([move])[0]} wins"
    draws = game.drawing_moves(position, misere=misere) if isinstance(game, LoopyGame) else []
    return f"{listed(draws[:1])[0]} draws" if draws else "no move wins against perfect play"


def _typed(game: ImpartialGame, position: Any, text: str, turn: int) -> Any:
    """The option that a line of text means. Raises ValueError for a line that means none."""
    options = list(dict.fromkeys(islice(game.options(position), MOST_MOVES)))
    if text.startswith("#"):
        number = int(text[1:]) if re.fullmatch(r"#\d{1,9}", text) else 0
        if not 0 < number <= len(options):
            raise BadInput(f"{quoted(text)} is no move: there are #1 to #{len(options)}")
        return options[number - 1]
    seen = game.read(text)
    wanted = seen if (turn + 1) % 2 == 0 else game.turned(seen)
    same = [option for option in options if option == wanted] or [
        option for option in options if game._key(option) == game._key(wanted)
    ]
    if not same:
        raise BadInput(f"Not legal: no move leads to {game.show(seen)}; moves lists them.")
    return same[0]
