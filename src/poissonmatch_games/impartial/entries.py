"""Registry of the impartial games.

Each game has one entry, used by `poissonmatch games`, `play`, the docs and the tests.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from poissonmatch.utils.errors import nearest, quoted
from poissonmatch.utils.validation import checked

from .base import ImpartialGame, SumGame
from .digraphs import StonesOnDigraph, StonesOnPath, StonesOnRing
from .hackenbush import GreenHackenbush
from .heaps import GrundysGame, Kayles, Nim, OctalGame, SubtractionGame
from .loopy import Northcott, PokerNim
from .sprouts import Sprouts
from .triangle import TriangleGame
from .two_heaps import ColeDavieEuclid, Euclid, Wythoff


@dataclass(frozen=True)
class Entry:
    """Entry of a game: the constructor, the starting position as text, the rules in words, and a publication."""

    make: Callable[..., ImpartialGame]
    start: str
    rules: str
    source: str = ""


@dataclass(frozen=True)
class NamedGame:
    """Game with its name, starting position and rules.

    Parameters
    ----------
    name : str
        Name of the game.
    game : ImpartialGame
        Rules of the game.
    start : str or a position
        Starting position, as `game.read` or `game.validate` accepts it.
    rules : str
        Rules in words.
    source : str
        Publication about the game, by default none.
    """

    name: str
    game: ImpartialGame
    start: Any
    rules: str
    source: str = ""

    def read(self, text: str) -> Any:
        """Return the position given as text, or the starting position if the text is empty.

        Parameters
        ----------
        text : str
            Position, or an empty text.

        Returns
        -------
        a position
            As the game reads it.
        """
        start = text.strip() or self.start
        return self.game.read(start) if isinstance(start, str) else self.game.validate(start)


LAST = "The player who cannot move loses (in misere play: wins)."
HEAPS, PINS = "There are heaps of tokens.", "There are rows of pins."
RING = "Stones lie on the vertices {0}. A move takes stones from a vertex and puts back fewer of them on the next one."

BOUTON = "C. L. Bouton, Nim, a game with a complete mathematical theory (1901)."
WINNING_WAYS = "E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways (1982)."
LECTURE = "J. Li, M. Gymrek, Theory of impartial games, lecture of MIT SP.268."
G_VALUES = "R. K. Guy, C. A. B. Smith, The G-values of various games (1956)."
EUCLID = "A. J. Cole, A. J. T. Davie, A game based on the Euclidean algorithm and a winning strategy for it (1969)."
GOLDEN = "Combinatorial games and the golden ratio on digraphs, where the digraph is a triangle."

#: The impartial games by name.
GAMES: dict[str, Entry] = {
    "nim": Entry(Nim, "3 4 5", f"{HEAPS} A move takes any number of them from one heap. {LAST}", BOUTON),
    "poker-nim": Entry(
        PokerNim,
        "3 4 5 | 2 | 2",
        "There are heaps of chips, and after them the bag of the player to move, then the other's. A move takes chips from a heap "
        f"into one's bag, or adds chips of the bag to a heap. {LAST}",
        WINNING_WAYS,
    ),
    "northcott": Entry(
        Northcott,
        "X...O. .X..O .O...X",
        "In each row there are a checker of the player to move, X, and one of the other player, O. A move takes X any number of "
        f"squares along its row, not onto or over O. {LAST}",
        WINNING_WAYS,
    ),
    "twenty-one": Entry(
        partial(SubtractionGame, (1, 2, 3)),
        "21",
        f"There is a heap of coins. A move takes one, two or three of them. {LAST}",
        LECTURE,
    ),
    "kayles": Entry(
        Kayles,
        "5 7",
        f"{PINS} A move knocks down one pin, or two neighboring pins, and leaves the pins on both sides as rows. {LAST}",
        f"H. E. Dudeney, The Canterbury Puzzles (1907); {G_VALUES}",
    ),
    "dawsons-kayles": Entry(
        partial(OctalGame, "0.07"),
        "6 7",
        f"{PINS} A move knocks down two neighboring pins, and leaves the pins on both sides as rows. {LAST}",
        G_VALUES,
    ),
    "dawsons-chess": Entry(
        partial(OctalGame, "0.137"),
        "5 7",
        "On each board two rows of pawns face each other, a row apart, in that number of columns, and captures must be made. So a move takes "
        f"a column with its neighbors, and leaves the two sides as boards. {LAST}",
        f"T. R. Dawson (1935); {G_VALUES}",
    ),
    "treblecross": Entry(
        partial(OctalGame, "0.007"),
        "9",
        f"{PINS} A move knocks down three neighboring pins, and leaves the pins on both sides as rows; a row of n + 2 pins is "
        f"Tic-tac-toe with X only on a row of n squares. {LAST}",
        WINNING_WAYS,
    ),
    "guiles": Entry(
        partial(OctalGame, "0.15"),
        "9",
        f"{HEAPS} A move takes a heap of one or two tokens, or takes two tokens of a heap and splits the rest into two. {LAST}",
        WINNING_WAYS,
    ),
    "officers": Entry(
        partial(OctalGame, "0.6"),
        "9",
        f"{HEAPS} A move takes one token of a heap, not the last, and leaves the rest as one heap or two. {LAST}",
        WINNING_WAYS,
    ),
    "grundys-game": Entry(
        GrundysGame,
        "8",
        f"{HEAPS} A move splits a heap into two that are not equal. {LAST}",
        f"P. M. Grundy (1939); {WINNING_WAYS}",
    ),
    "wythoff": Entry(
        Wythoff,
        "6 8",
        f"There are two heaps of tokens. A move takes any number from one of them, or the same number from both. {LAST}",
        "W. A. Wythoff, A modification of the game of Nim (1907).",
    ),
    "euclid": Entry(
        Euclid,
        "8 13",
        f"There are two numbers. A move subtracts a multiple of the smaller from the larger; neither may become 0. {LAST}",
        f"{EUCLID} In this form: J. W. Grossman (1997).",
    ),
    "cole-davie": Entry(
        ColeDavieEuclid,
        "8 13",
        f"There are two numbers. A move subtracts a multiple of the smaller from the larger; at 0 the game is over. {LAST}",
        EUCLID,
    ),
    "triangle": Entry(TriangleGame, "2 3 1", f"{RING.format('of a directed triangle')} {LAST}", GOLDEN),
    "hackenbush": Entry(
        GreenHackenbush,
        "0-1 1-2 2-3 3-1 0-4 4-5 4-6",
        f"There is a graph whose vertex 0 is the ground. A move cuts an edge, and what is no longer connected to the ground is removed. {LAST}",
        WINNING_WAYS,
    ),
    "sprouts": Entry(
        Sprouts,
        "3",
        "There are spots on a sheet. A move joins two, or one with itself, by a curve that crosses nothing, and puts a new spot on it; "
        f"a spot has at most three ends. {LAST}",
        f"J. H. Conway and M. S. Paterson (1967); {WINNING_WAYS}",
    ),
}


def _whole(text: str) -> int:
    if not re.fullmatch(r"\s*\d{1,9}\s*", text):
        raise ValueError(f"must be a whole number, got {quoted(text)}")
    return int(text)


def _edge(text: str) -> tuple[int, int]:
    u, _, v = text.partition("-")
    return _whole(u), _whole(v)


def _stones(game: StonesOnDigraph) -> str:
    return " ".join(["3", *"2" * (game.count - 1)])


@dataclass(frozen=True)
class Family:
    """Entry of a family of games with arguments in parentheses.

    `start` returns the starting position of a game as text.
    """

    make: Callable[..., ImpartialGame]
    example: str
    start: Callable[[Any], str]
    rules: str
    source: str


#: Families of games with arguments in parentheses.
FAMILIES: dict[str, Family] = {
    "subtraction": Family(
        lambda *take, misere: SubtractionGame(map(_whole, take), misere=misere),
        "subtraction(1,3,4)",
        lambda game: str(3 * game.take[-1] + 1),
        f"{HEAPS} A move takes a number of tokens from one heap: {{0}}. {LAST}",
        LECTURE,
    ),
    "octal": Family(
        lambda code, misere: OctalGame(code.strip(), misere=misere),
        "octal(0.137)",
        lambda game: "7 5",
        f"{HEAPS} A move takes some of one heap and leaves none, one or two heaps of it, as the octal code {{0}} says. {LAST}",
        G_VALUES,
    ),
    "ring": Family(
        lambda count, misere: StonesOnRing(_whole(count), misere=misere),
        "ring(4)",
        _stones,
        f"{RING.format('of a directed cycle of {0}')} {LAST}",
        GOLDEN,
    ),
    "path": Family(
        lambda count, misere: StonesOnPath(_whole(count), misere=misere),
        "path(3)",
        _stones,
        f"{RING.format('of a directed path of {0}')} {LAST}",
        GOLDEN,
    ),
    "digraph": Family(
        lambda *edges, misere: StonesOnDigraph(map(_edge, edges), misere=misere),
        "digraph(0-1,1-0,2-0)",
        _stones,
        f"{RING.format('of the digraph with edges {0}')} {LAST}",
        GOLDEN,
    ),
}


@checked()
def game_named(name: str, *, misere: bool = False) -> NamedGame:
    """Return a game by its name.

    The name is an entry, a member of a family such as "subtraction(1,3,4)", or a sum such as "nim +
    kayles".

    Parameters
    ----------
    name : str
        A key of `impartial.GAMES`; a key of `impartial.FAMILIES` with arguments in parentheses; or
        several of these joined by "+".
    misere : bool, default False
        Whether the player who cannot move wins.

    Returns
    -------
    NamedGame
        With the fields `name`, `game` (an ImpartialGame), `start` (starting position as text) and
        `rules`; `read(text)` returns the position given as text, or the starting position for an
        empty text.

    Raises
    ------
    ValueError
        If there is no game of this name.

    Examples
    --------
    >>> named = pm.games.game_named("nim + kayles")
    >>> named.start
    '3 4 5 + 5 7'
    >>> named.game.show(named.game.winning_move(named.read("")))
    '3 0 5 + 5 7'
    >>> northcott = pm.games.game_named("northcott")
    >>> rows = northcott.read("X...O. .X..O")
    >>> northcott.game.show(northcott.game.turned(northcott.game.winning_move(rows)))
    '.X..O. .X..O'
    """
    parts = [_one(part.strip(), misere) for part in name.split("+")]
    if len(parts) == 1:
        return parts[0]
    rules = ["A move is a move in one of the games.", *(f"{part.name}: {part.rules}" for part in parts)]
    game = SumGame(*(part.game for part in parts), misere=misere)
    name, start = " + ".join(part.name for part in parts), " + ".join(part.start for part in parts)
    return NamedGame(name, game, start, "\n".join(rules), " ".join(dict.fromkeys(part.source for part in parts)))


def _one(name: str, misere: bool) -> NamedGame:
    if name in GAMES:
        entry = GAMES[name]
        return NamedGame(name, entry.make(misere=misere), entry.start, entry.rules, entry.source)
    word, bracket, inside = name.partition("(")
    if word in FAMILIES:
        family, arguments = FAMILIES[word], inside[:-1].split(",")
        try:
            if not (bracket and inside.endswith(")")):
                raise TypeError
            game = family.make(*arguments, misere=misere)
        except TypeError:
            raise ValueError(f"{word} is written as in {family.example}, not {quoted(name)}") from None
        rules = family.rules.format(", ".join(text.strip() for text in arguments))
        return NamedGame(name, game, family.start(game), rules, family.source)
    if code := re.fullmatch(r"(?:octal\s*)?([04]?\.[0-7]+)", name):
        raise ValueError(f"unknown game {quoted(name)}; did you mean 'octal({code[1]})'?")
    raise ValueError(f"unknown game {quoted(name)}{nearest(name, [*GAMES, *(f.example for f in FAMILIES.values())])}")
