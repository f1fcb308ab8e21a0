"""All games that `poissonmatch play` plays, except for frogs on pads: by name, as a sum, or in a file."""

import inspect
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from poissonmatch.studies.sampling import user_functions
from poissonmatch.utils.errors import BadInput, quoted

from ..expressions import position_from
from ..impartial.base import ImpartialGame
from ..impartial.entries import LAST, WINNING_WAYS, Entry, NamedGame, game_named
from ..impartial.graph_files import game_in_file
from ..partisan import Domineering, Hackenbush, Ruleset
from ..partisan.rulesets import PositionSum
from ..partisan.turns import TurnGame
from ..toads.strip_games import TOADS

#: Games of `play` that are not impartial.
PARTISAN: dict[str, Entry] = {
    **TOADS,
    "domineering": Entry(
        partial(TurnGame, Domineering),
        "..../..../....",
        "There is a board with empty cells. Alice places vertical dominoes on two of them, and Bob horizontal ones; "
        f"Alice begins. {LAST}",
        WINNING_WAYS,
    ),
    "colored-hackenbush": Entry(
        partial(TurnGame, Hackenbush),
        "0-1L 1-2R 1-3G 0-4R 4-5L",
        "There is a graph whose vertex 0 is the ground. Alice cuts edges L or G, and Bob edges R or G, and what is no longer "
        f"connected to the ground is removed. {LAST}",
        WINNING_WAYS,
    ),
}


def played_named(name: str, *, misere: bool = False, may_import: bool = False) -> NamedGame:
    """Return a game: one of PARTISAN, as `game_named`, a position as `position_from` reads it, or a file.

    The file is a graph (.txt, see `GraphGame`), or a module (.py) whose `game` is a position of a ruleset, or a pair of an
    impartial game and a position. Raises ValueError for an unknown name, and BadInput for a module if not `may_import`.
    """
    if name in PARTISAN:
        entry = PARTISAN[name]
        return NamedGame(name, entry.make(misere=misere), entry.start, entry.rules, entry.source)
    if name.endswith(".txt"):
        return game_in_file(name, misere)
    if name.endswith(".py"):
        return _in_module(Path(name), misere, may_import)
    try:
        return game_named(name, misere=misere)
    except ValueError as unknown:
        try:
            position = position_from(name)
        except ValueError:
            raise unknown from None

    def read(text: str) -> Any:
        typed = position_from(text)
        if type(typed) is not type(position):
            raise ValueError(f"{quoted(text)} is not a position of {name}")
        return typed.position

    return _of_position(name, position, misere, read)


def _of_position(name: str, start: Ruleset, misere: bool, read: Callable[[str], Any] | None = None) -> NamedGame:
    rules = "A move is a move in one of the terms." if isinstance(start, PositionSum) else _rules(start)
    about = f"{rules} Alice is Left, and Bob is Right. {LAST}".lstrip()
    return NamedGame(name, TurnGame(type(start), read, misere=misere), (start.position, 0), about)


def _in_module(path: Path, misere: bool, may_import: bool) -> NamedGame:
    """Return the `game` of a Python file, which is imported as studies import functions of users."""
    wanted, folder = f"{path.stem}.game", str(path.parent)
    source = user_functions.find(wanted, folder)
    if not may_import:
        raise BadInput(f"play would import {source.file}; nothing was imported: --allow-import if you trust it")
    found: Any = user_functions.load(wanted, folder, source.digest)
    match found:
        case PositionSum():
            return _of_position(str(path), found, misere, lambda text: position_from(text)._terms)
        case Ruleset():
            return _of_position(str(path), found, misere)
        case (ImpartialGame() as game, start):
            game.misere = misere
            return NamedGame(str(path), game, start, f"{_rules(game)} {LAST}".lstrip())
    raise BadInput(
        f"{path}: `game` must be a position of a Ruleset, or a pair (ImpartialGame, position), got {quoted(found)}"
    )


def _rules(game: object) -> str:
    """Return the first paragraph of the docstring of a ruleset, without inheritance."""
    return inspect.cleandoc(type(game).__doc__ or "").partition("\n\n")[0]
