"""Games as data for the page in a browser.

The page knows the moves of some kinds of games (heaps, stones on a digraph, strips), from any
position. Other games are given by the list of their options, if they have few positions.
"""

from typing import Any

from ..impartial.base import ImpartialGame
from ..impartial.digraphs import StonesOnDigraph, StonesOnRing
from ..impartial.entries import GAMES, NamedGame
from ..impartial.graph_files import GraphGame
from ..impartial.hackenbush import GreenHackenbush
from ..impartial.heaps import Nim, OctalGame
from ..impartial.impartial_graphs import option_graph
from ..impartial.loopy import LoopyGame
from ..impartial.sprouts import Sprouts
from ..impartial.triangle import TriangleGame
from ..impartial.two_heaps import Euclid, Wythoff
from ..partisan import Domineering
from ..partisan.rulesets import PositionSum
from ..partisan.turns import TurnGame
from ..toads import ToadsAndFrogs
from ..toads.strip_games import LucasPuzzle, solvable
from ..toads.strips import mirror
from .played_games import PARTISAN, played_named

MAX_LISTED = 1000  # positions of a game given by its options
KINDS = {ToadsAndFrogs: "strip", Domineering: "domineering"}
MAX_EDGES, MAX_SPOTS = 14, 5  # of Hackenbush and Sprouts; as in hackenbush.js and sprouts.js


def game_data(named: NamedGame, position: Any) -> dict[str, Any]:
    """Return a game and its starting position as data for the page.

    Raises ValueError for a game that the page cannot play.
    """
    game = named.game
    data = {"name": named.name, "about": named.rules, "source": named.source, "start": game.show(position)}
    return {**data, **_moves(game, position)}


def all_games() -> list[dict[str, Any]]:
    """Return the data of all games that the page plays.

    They are the partisan games, then the impartial ones.
    """
    names = [*PARTISAN, *(name for name, entry in GAMES.items() if not isinstance(entry.make(misere=False), LoopyGame))]
    return [game_data(named, named.read("")) for named in map(played_named, names)]


def _moves(game: ImpartialGame, position: Any) -> dict[str, Any]:
    match game:
        case LucasPuzzle():
            solvable(position)
            return {"kind": "puzzle"}
        case TurnGame() if game.ruleset in KINDS:
            return {"kind": KINDS[game.ruleset]}
        case TurnGame() if game.ruleset is PositionSum and all(
            ruleset is ToadsAndFrogs for _, ruleset, _ in position[0]
        ):
            return {
                "kind": "strip",
                "start": "+".join(strip if sign > 0 else mirror(strip) for sign, _, strip in position[0]),
            }
        case Nim():
            return {"kind": "heaps", "digits": None}
        case OctalGame():
            return {"kind": "heaps", "digits": list(game.digits)}
        case Wythoff():
            return {"kind": "pair"}
        case Euclid():
            return {"kind": "numbers", "minimum": game.min_heap}
        case TriangleGame():
            return {"kind": "digraph", "edges": StonesOnRing(3).edges}
        case StonesOnDigraph():
            return {"kind": "digraph", "edges": game.edges}
        case GreenHackenbush():
            if len(position) > MAX_EDGES:
                raise ValueError(f"the page takes up to {MAX_EDGES} edges of Hackenbush, got {len(position)}")
            return {"kind": "hackenbush"}
        case Sprouts():
            if position != "0." * (spots := len(position) // 2) or not 1 <= spots <= MAX_SPOTS:
                raise ValueError(
                    f"Sprouts on the page must begin with 1 to {MAX_SPOTS} spots, got {game.show(position)}"
                )
            return {"kind": "sprouts", "start": str(spots)}
        case LoopyGame() if not isinstance(game, TurnGame | GraphGame):
            raise ValueError("the page cannot play a game that need not end; omit --html to play in the terminal")
    try:
        graph = option_graph(game, position, max_positions=MAX_LISTED)
        _ = graph.upward  # raises ValueError if a play can return to a position
    except MemoryError:
        raise ValueError(
            f"the page holds at most {MAX_LISTED} positions of this game, and there are more from {game.show(position)}"
        ) from None
    names = [graph.name(vertex) for vertex in range(len(graph))]
    return {"kind": "listed", "names": names, "options": [list(options) for options in graph.followers]}
