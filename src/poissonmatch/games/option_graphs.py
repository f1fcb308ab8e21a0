"""The graph of any game: impartial or partisan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, overload

from .impartial import graphs as impartial
from .impartial.graphs import OptionGraph, Options
from .partisan.graphs import PartisanGraph, partisan_graph
from .partisan.rulesets import Ruleset
from .partisan.values import Game
from .pictures.digraph import MOST

__all__ = ["option_graph"]


@overload
def option_graph(game: Ruleset | Game, *, most: int = MOST) -> PartisanGraph: ...
@overload
def option_graph(
    game: Options | Mapping[Any, Sequence[Any]], *starts: Any, misere: bool | None = None, most: int = MOST
) -> OptionGraph: ...
def option_graph(game: Any, *starts: Any, misere: bool | None = None, most: int = MOST) -> OptionGraph | PartisanGraph:
    """All positions that can be reached from the starts, with their options.

    Parameters
    ----------
    game : ImpartialGame, mapping, Ruleset or Game
        Any impartial game, or a mapping from positions to options, where a position that it does not have is terminal. Or a position
        of a partisan game, such as `ToadsAndFrogs("TT.FF")`, or a value: these are their own start, and in normal play.
    *starts
        Positions of an impartial game. Those that the game holds for equal, such as heaps in another order, are kept apart.
    misere : bool, optional
        Who cannot move wins. The default is the play of the game.
    most : int
        So many positions at most.

    Returns
    -------
    OptionGraph or PartisanGraph

    Raises
    ------
    MemoryError
        More than `most` positions can be reached.
    ValueError
        There is no start; or a partisan game has one, or misere play.

    Examples
    --------
    >>> pm.games.option_graph(pm.games.TwentyOne(), 5).labels
    ('N', 'P', 'N', 'N', 'N', 'P')
    >>> pm.games.option_graph({0: [1], 1: [0, 2], 2: [3]}, 0).labels
    ('D', 'D', 'N', 'P')
    >>> pm.games.option_graph(pm.games.ToadsAndFrogs("T.F")).outcomes
    ('N', 'P', 'P', 'L', 'R', 'P')
    """
    if isinstance(game, Ruleset | Game):
        if starts or misere:
            raise ValueError("a partisan game is given as the position to begin with, and in normal play")
        return partisan_graph(game, most)
    if not starts:
        raise ValueError("a graph needs a position to begin with, behind the game")
    return impartial.option_graph(game, *starts, misere=misere, most=most)
