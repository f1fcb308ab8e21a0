"""What a page in a browser must know of a game to play it: how it is moved there, and from where.

A game whose moves the page knows by their kind (heaps, stones on a digraph, strips) can begin anywhere; any other is told by its
options, as a list, if it has few positions.
"""

from __future__ import annotations

from typing import Any

from .impartial.base import ImpartialGame
from .impartial.digraphs import StonesOnDigraph, StonesOnRing
from .impartial.entries import GAMES, Named
from .impartial.graphs import option_graph
from .impartial.heaps import Nim, OctalGame
from .impartial.loopy import LoopyGame
from .impartial.triangle import TriangleGame
from .impartial.two_heaps import Euclid, Wythoff
from .toads.play import TOADS, FacingStrip, LucasPuzzle, played_named, ways

MOST_LISTED = 1000  # positions of a game that is told by its options


def told(found: Named, position: Any) -> dict[str, Any]:
    """A game and a position to begin with, for the page. Raises ValueError for a game that it cannot play."""
    game = found.game
    return {"name": found.name, "about": found.rules, "start": game.show(position), **_moves(game, position)}


def all_told() -> list[dict[str, Any]]:
    """The games that the page plays, toads first, in the order of their entries."""
    names = [*TOADS, *(name for name, entry in GAMES.items() if not isinstance(entry.make(misere=False), LoopyGame))]
    named = map(played_named, names)
    return [told(found, found.read("")) for found in named]


def _moves(game: ImpartialGame, position: Any) -> dict[str, Any]:
    match game:
        case LucasPuzzle():
            ways(position)  # or there is none
            return {"kind": "puzzle"}
        case FacingStrip():
            return {"kind": "strip"}
        case Nim():
            return {"kind": "heaps", "digits": None}
        case OctalGame():
            return {"kind": "heaps", "digits": list(game.digits)}
        case Wythoff():
            return {"kind": "pair"}
        case Euclid():
            return {"kind": "numbers", "least": game.least}
        case TriangleGame():
            return {"kind": "digraph", "edges": StonesOnRing(3).edges}
        case StonesOnDigraph():
            return {"kind": "digraph", "edges": game.edges}
        case LoopyGame():
            raise ValueError("a page plays no game that need not end; leave --html out to play in the terminal")
    try:
        graph = option_graph(game, position, most=MOST_LISTED)
    except MemoryError:
        raise ValueError(
            f"a page holds at most {MOST_LISTED} positions of such a game, and there are more from {game.show(position)}"
        ) from None
    names = [graph.name(place) for place in range(len(graph))]
    return {"kind": "listed", "names": names, "options": [list(after) for after in graph.followers]}
