"""Play of impartial and loopy games in the terminal against a perfect player."""

import inspect
import re
from collections import Counter
from collections.abc import Iterable
from itertools import islice
from typing import Any

from poissonmatch.utils.display import PLAYERS
from poissonmatch.utils.errors import BadInput, quoted

from ..two_player import MAX_CHOICES, TwoPlayerGame
from ..two_player import play as play_by_turns
from .base import ImpartialGame
from .entries import NamedGame
from .loopy import LoopyGame

MAX_MOVES = 1_000_000  # that a typed position is compared with
MAX_VALUED = 12  # options whose values a hint has
MAX_REPEATS = 3  # of a position, then the play is a draw


def reply(game: ImpartialGame, position: Any, misere: bool) -> Any:
    """Return a winning move, else one that draws, else the last (usually smallest) option."""
    move = game.winning_move(position, misere=misere)
    if move is None and isinstance(game, LoopyGame):
        move = next(iter(game.drawing_moves(position, misere=misere)), None)
    if move is None:
        *_, move = islice(game.options(position), MAX_CHOICES)
    return move


def play(
    game: ImpartialGame,
    start: Any,
    *,
    rules: str = "",
    human: str = "Alice",
    misere: bool | None = None,
    **options: Any,
) -> str | None:
    """Play a game from a position, Alice first.

    `options` are those of `two_player.play`. Raises ValueError for an illegal start.
    """
    rounds = OptionGame(game, game.misere if misere is None else misere, rules)
    return play_by_turns(rounds, game.validate(start), human=human, **options)


def record(
    game: ImpartialGame | NamedGame, start: Any = "", moves: Iterable[Any] | None = None, *, misere: bool | None = None
) -> list[dict[str, Any]]:
    """Return the record of a game with the outcome and the nim-value of each position.

    Parameters
    ----------
    game : ImpartialGame or NamedGame
        A game, also as `game_named` returns it.
    start : position or str, default ""
        Text is read by `game.read`; empty text is the start of a game from `game_named`.
    moves : iterable of positions or str, optional
        The position after each move; by default two perfect players play to the end, or until a
        position has occurred three times.
    misere : bool, optional
        By default that of the game.

    Returns
    -------
    list of dict
        A row for the start and for each move: number; player, None for the start; position, as
        text; outcome, "P" or "N", of the player to move, or "D" for a draw; nim_value, for heaps of
        Nim their nim-sum, None in games that need not end.

    Raises
    ------
    ValueError
        If the game, the start or a move is not valid; the message has the number of the move.

    Examples
    --------
    >>> moves = [(1, 4, 5), (1, 4, 2), (1, 3, 2)]
    >>> rows = pm.games.impartial.record(pm.games.Nim(), (3, 4, 5), moves)
    >>> [(row["player"], row["position"], row["outcome"], row["nim_value"]) for row in rows[1:]]
    [('Alice', '1 4 5', 'P', 0), ('Bob', '1 4 2', 'N', 7), ('Alice', '1 3 2', 'P', 0)]
    """
    if isinstance(game, NamedGame):
        start, game = game.start if start == "" else start, game.game
    if not isinstance(game, ImpartialGame):
        raise BadInput(f"a game must be an ImpartialGame or made by game_named, got {quoted(game)}")
    play = game.misere if misere is None else misere
    position, steps = _position(game, start, "the start"), None if moves is None else iter(moves)
    rows, seen = [_row(game, 0, None, position, play)], Counter([position])
    while next(iter(game.options(position)), None) is not None:
        if steps is None:
            after = reply(game, position, play)
            seen[after] += 1
            if seen[after] > MAX_REPEATS:
                break  # a draw
        else:
            step = next(steps, None)
            if step is None:
                break
            after = _position(game, step, f"move {len(rows)}")
            keys = {game._key(option) for option in islice(game.options(position), MAX_MOVES)}
            if game._key(after) not in keys:
                raise BadInput(f"move {len(rows)}: no move leads from {game.show(position)} to {game.show(after)}")
        position = after
        rows.append(_row(game, len(rows), PLAYERS[(len(rows) - 1) % 2], position, play))
    return rows


def _row(game: ImpartialGame, number: int, player: str | None, position: Any, misere: bool) -> dict[str, Any]:
    outcome = game.outcome(position, misere=misere)
    try:
        value = game.grundy(position, misere=misere)
    except ValueError:  # plays need not end
        value = None
    return {"number": number, "player": player, "position": game.show(position), "outcome": outcome, "nim_value": value}


def _position(game: ImpartialGame, position: Any, what: str) -> Any:
    """Return a legal position, read if it is text. Raises BadInput that says what is wrong."""
    try:
        return game.read(position) if isinstance(position, str) else game.validate(position)
    except (ValueError, TypeError) as error:
        raise BadInput(f"{what} must be a position of {type(game).__name__}, got {quoted(position)}: {error}") from None


class OptionGame(TwoPlayerGame):
    """Play of a game given by its options.

    A move is the position that it leads to. Positions are displayed from Alice's side.
    """

    how = "Type the number of a move in the list, or the position after your move."

    def __init__(self, game: ImpartialGame, misere: bool, rules: str) -> None:
        self.game, self.misere = game, misere
        self.how = f"{type(self).how} {game.notation}".rstrip()
        first = (inspect.getdoc(type(game)) or "").partition("\n\n")[0]
        self.rules = f"{rules or first}\n{'Misere' if misere else 'Normal'} play."
        self._counts: Counter[Any] = Counter()

    def winner(self, position: Any) -> str:
        """Return the winner under perfect play; "nobody" for a draw."""
        outcome = self.game.outcome(position, misere=self.misere)
        return {"N": PLAYERS[0], "P": PLAYERS[1]}.get(outcome, "nobody")

    def ended(self, position: Any, turn: int) -> tuple[str, str] | None:
        """Return the winner and a closing line if there is no move, or at the third repeat (a draw)."""
        if next(iter(self.legal(position)), None) is None:
            stuck, other = PLAYERS[turn % 2], PLAYERS[(turn + 1) % 2]
            winner = stuck if self.misere else other
            return winner, f"{stuck} cannot move: {winner} wins."
        self._counts[position, turn % 2] += 1
        if self._counts[position, turn % 2] == MAX_REPEATS:
            return "nobody", "The position has occurred three times: a draw."
        return None

    def forget(self, position: Any, turn: int) -> None:
        """Count a position once less."""
        self._counts[position, turn % 2] -= 1

    def picture(self, position: Any, turn: int) -> str:
        """Return the position as text, from Alice's side."""
        return f"[{self._display(position, turn)}]"

    def legal(self, position: Any) -> Iterable[Any]:
        """Return the options."""
        return self.game.options(position)

    def reply(self, position: Any) -> Any:
        """Return the perfect player's move."""
        return reply(self.game, position, self.misere)

    def describe(self, position: Any, move: Any, turn: int) -> str:
        """Return a move in words."""
        return f"moves to {self._display(move, turn + 1)}"

    def list_moves(self, position: Any, moves: list[Any], turn: int) -> list[str]:
        """Return the moves with their numbers."""
        return [f"{self._mark(position)}{k} {self._display(move, turn + 1)}" for k, move in enumerate(moves, 1)]

    def _mark(self, position: Any) -> str:
        """Return "#" if a plain number is a position of the game, so that a number of the list is written as #3."""
        return "#" if re.fullmatch(r"\d+", self.game.show(position)) else ""

    def hint(self, position: Any, turn: int) -> str:
        """Return a winning or drawing move, advice, and the value or outcome of each option."""
        move = self.game.winning_move(position, misere=self.misere)
        draws = self.game.drawing_moves(position, misere=self.misere) if isinstance(self.game, LoopyGame) else []
        if move is not None:
            first = f"{self._display(move, turn + 1)} wins"
        elif draws:
            first = f"{self._display(draws[0], turn + 1)} draws"
        else:
            first = "no move wins against perfect play"
        options = list(dict.fromkeys(islice(self.game.options(position), MAX_VALUED + 1)))
        worths = (f"{self._display(o, turn + 1)}: {self._worth(o, turn + 1)}" for o in options[:MAX_VALUED])
        last = "Values of the options: " + "; ".join(worths) + "; ..." * (len(options) > MAX_VALUED)
        return "\n".join([first, *self.game.advice(position, misere=self.misere), last])

    def _worth(self, option: Any, turn: int) -> str:
        try:
            return self.game.worth(option, misere=self.misere)
        except MemoryError:
            return "not known"

    def mover_wins(self, position: Any) -> bool:
        """Return whether the player to move can win."""
        return self.game.outcome(position, misere=self.misere) == "N"

    def after(self, position: Any, move: Any) -> Any:
        """Return the move, which is the new position."""
        return move

    def _display(self, position: Any, turn: int) -> str:
        return self.game.show(position if turn % 2 == 0 else self.game.turned(position))

    def read(self, position: Any, text: str, turn: int) -> Any:
        """Return the option that was typed, as a position or by its number."""
        options = list(dict.fromkeys(islice(self.game.options(position), MAX_MOVES)))
        if re.fullmatch(r"#\d*" if self._mark(position) else r"#?\d+", text):
            number = int(text.lstrip("#")[:9] or 0)
            if not 0 < number <= len(options):
                raise BadInput(f"{quoted(text)} is not a move: the list has moves 1 to {len(options)}")
            return options[number - 1]
        same, key = list[Any](), self.game._key
        try:
            typed = self.game.read(text)
        except (ValueError, TypeError) as error:
            problem = str(error)
        else:
            problem = f"Not legal: no move leads to {self.game.show(typed)}; moves lists them."
            wanted = typed if turn % 2 else self.game.turned(typed)
            same = [option for option in options if option == wanted] or [o for o in options if key(o) == key(wanted)]
        same = same or [option for option in options if self._display(option, turn + 1) == text]
        if not same:
            raise BadInput(problem)
        return same[0]
