"""The impartial games by name, one entry each: `poissonmatch games` and `play` find them here.

An entry is a ruleset, a position to begin with and the rules in words; all else follows from the options.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...errors import nearest, quoted
from .base import ImpartialGame, SumGame
from .digraphs import StonesOnDigraph, StonesOnPath, StonesOnRing
from .hackenbush import GreenHackenbush
from .heaps import DawsonsChess, DawsonsKayles, Kayles, Nim, OctalGame, SubtractionGame, TwentyOne
from .loopy import Northcott, PokerNim
from .sprouts import Sprouts
from .triangle import TriangleGame
from .two_heaps import ColeDavieEuclid, Euclid, Wythoff


@dataclass(frozen=True)
class Entry:
    """A game that can be named: how it is made, a position to begin with as text, the rules in words."""

    make: Callable[..., ImpartialGame]
    start: str
    rules: str


@dataclass(frozen=True)
class Named:
    """A game with its name, a position to begin with, and the rules in words."""

    name: str
    game: ImpartialGame
    start: str
    rules: str

    def read(self, text: str) -> Any:
        """The position that a text means; the one to begin with where there is none."""
        return self.game.read(text.strip() or self.start)


LAST = "Who cannot move loses (in misere play: wins)."
RING = "Stones lie on the vertices {0}. A move takes stones from a vertex and puts back fewer of them on the next one."

GAMES: dict[str, Entry] = {
    "nim": Entry(Nim, "3 4 5", f"Take any number of tokens from one heap. {LAST}"),
    "poker-nim": Entry(
        PokerNim,
        "3 4 5 | 2 | 2",
        "Take chips from a heap into your bag, or add chips of your bag to a heap; after the heaps stands the bag of the player "
        f"to move, then the other's. {LAST}",
    ),
    "northcott": Entry(
        Northcott,
        "X...O. .X..O .O...X",
        f"In one row move your checker, X, any number of squares, not onto or over the other, O. {LAST}",
    ),
    "twenty-one": Entry(TwentyOne, "21", f"Take one, two or three coins. {LAST}"),
    "kayles": Entry(Kayles, "5 7", f"Knock down one pin of a row, or two neighbors; what is left are two rows. {LAST}"),
    "dawsons-kayles": Entry(
        DawsonsKayles, "6 7", f"Knock down two neighboring pins; what is left are two rows. {LAST}"
    ),
    "dawsons-chess": Entry(
        DawsonsChess,
        "5 7",
        "Two rows of pawns, a row apart, on boards of so many columns, and captures must be made. So a column goes with its "
        f"neighbors, and what is left are two boards. {LAST}",
    ),
    "wythoff": Entry(Wythoff, "6 8", f"Take any number from one of two heaps, or the same number from both. {LAST}"),
    "euclid": Entry(
        Euclid,
        "8 13",
        f"Subtract a multiple of the smaller of two numbers from the larger; neither may become 0. {LAST}",
    ),
    "cole-davie": Entry(
        ColeDavieEuclid,
        "8 13",
        f"Subtract a multiple of the smaller of two numbers from the larger; at 0 the game is over. {LAST}",
    ),
    "triangle": Entry(TriangleGame, "2 3 1", f"{RING.format('of a directed triangle')} {LAST}"),
    "hackenbush": Entry(
        GreenHackenbush,
        "0-1 1-2 2-3 3-1 0-4 4-5 4-6",
        f"Cut an edge; what no longer hangs together with the ground, vertex 0, falls away. {LAST}",
    ),
    "sprouts": Entry(
        Sprouts,
        "3",
        "Join two spots, or one with itself, by a curve that crosses nothing, and put a new spot on it; a spot has at most three "
        f"ends. {LAST}",
    ),
}


def _whole(text: str) -> int:
    if not re.fullmatch(r"\s*\d{1,9}\s*", text):
        raise ValueError(f"this is a whole number, not {quoted(text)}")
    return int(text)


def _edge(text: str) -> tuple[int, int]:
    u, _, v = text.partition("-")
    return _whole(u), _whole(v)


@dataclass(frozen=True)
class Family:
    """Games with something between brackets behind their name: what to make of the words there, an example, the rest as of an entry.

    start: from the game to the text of a position.
    """

    make: Callable[..., ImpartialGame]
    example: str
    start: Callable[[Any], str]
    rules: str


FAMILIES: dict[str, Family] = {
    "subtraction": Family(
        lambda *take, misere: SubtractionGame(map(_whole, take), misere=misere),
        "subtraction(1,3,4)",
        lambda game: str(3 * game.take[-1] + 1),
        f"Take as many tokens from a heap as the name says: {{0}}. {LAST}",
    ),
    "octal": Family(
        lambda code, misere: OctalGame(code.strip(), misere=misere),
        "octal(0.137)",
        lambda game: "7 5",
        f"What may be taken from a heap, and how many heaps it may leave, is said by the octal code {{0}}. {LAST}",
    ),
    "ring": Family(
        lambda count, misere: StonesOnRing(_whole(count), misere=misere),
        "ring(4)",
        lambda game: " ".join(["3", *"2" * (game.count - 1)]),
        f"{RING.format('of a directed cycle of {0}')} {LAST}",
    ),
    "path": Family(
        lambda count, misere: StonesOnPath(_whole(count), misere=misere),
        "path(3)",
        lambda game: " ".join(["3", *"2" * (game.count - 1)]),
        f"{RING.format('of a directed path of {0}')} {LAST}",
    ),
    "digraph": Family(
        lambda *edges, misere: StonesOnDigraph(map(_edge, edges), misere=misere),
        "digraph(0-1,1-0,2-0)",
        lambda game: " ".join(["3", *"2" * (game.count - 1)]),
        f"{RING.format('of the digraph with edges {0}')} {LAST}",
    ),
}


def game_named(name: str, *, misere: bool = False) -> Named:
    """The game of this name: an entry, one of a family such as "subtraction(1,3,4)", or a sum such as "nim + kayles".

    Raises ValueError for a name that is none.
    """
    parts = [_one(part.strip(), misere) for part in name.split("+")]
    if len(parts) == 1:
        return parts[0]
    rules = "\n".join(f"{part.name}: {part.rules}" for part in parts)
    game = SumGame(*(part.game for part in parts), misere=misere)
    start = " + ".join(part.start for part in parts)
    return Named(
        " + ".join(part.name for part in parts), game, start, f"A move is a move in one of the games.\n{rules}"
    )


def _one(name: str, misere: bool) -> Named:
    if name in GAMES:
        entry = GAMES[name]
        return Named(name, entry.make(misere=misere), entry.start, entry.rules)
    word, bracket, inside = name.partition("(")
    if word in FAMILIES and bracket and inside.endswith(")"):
        family, words = FAMILIES[word], inside[:-1].split(",")
        try:
            game = family.make(*words, misere=misere)
        except TypeError:
            raise ValueError(f"{word} is written as in {family.example}, not {quoted(name)}") from None
        return Named(name, game, family.start(game), family.rules.format(", ".join(w.strip() for w in words)))
    if word in FAMILIES:
        raise ValueError(f"{word} is written as in {FAMILIES[word].example}, not {quoted(name)}")
    raise ValueError(f"unknown game {quoted(name)}{nearest(name, [*GAMES, *(f.example for f in FAMILIES.values())])}")
