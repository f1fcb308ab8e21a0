"""Graph of an impartial or partisan game."""

from collections.abc import Mapping, Sequence
from typing import Any, overload

from poissonmatch.utils.errors import quoted

from .impartial import impartial_graphs as impartial
from .impartial.impartial_graphs import HasOptions, OptionGraph
from .partisan.partisan_graphs import PartisanGraph, partisan_graph
from .partisan.rulesets import Ruleset
from .partisan.values import Game
from .pictures.position_graphs import MAX_POSITIONS


@overload
def option_graph(game: Ruleset | Game, *, max_positions: int = MAX_POSITIONS) -> PartisanGraph: ...
@overload
def option_graph(
    game: HasOptions | Mapping[Any, Sequence[Any]],
    *starts: Any,
    misere: bool | None = None,
    max_positions: int = MAX_POSITIONS,
) -> OptionGraph: ...
def option_graph(
    game: Any, *starts: Any, misere: bool | None = None, max_positions: int = MAX_POSITIONS
) -> OptionGraph | PartisanGraph:
    """Return the graph of all positions that can be reached from the starts.

    Parameters
    ----------
    game : ImpartialGame, mapping, Ruleset or Game
        An impartial game, a mapping from positions to their options (positions without an entry are
        terminal), a position of a partisan game such as `ToadsAndFrogs("TT.FF")`, or the value of
        such a position.
    *starts
        Positions of an impartial game. Equal positions, such as heaps in another order, are
        different vertices.
    misere : bool, optional
        Whether the player who cannot move wins. The default is the play convention of the game.
    max_positions : int, default 100_000
        Largest number of positions.

    Returns
    -------
    OptionGraph or PartisanGraph
        Both have `positions` (the first is the start), `followers` (the options of each position,
        as indices), `longest` (the number of moves of the longest play), `values`, `tree()`, and
        the pictures `to_svg(title)` and `to_dot(title)`. Graphs of impartial games have `labels`
        ("P", "N", or "D" for a draw), `remoteness` and `trace()`; those of partisan
        games have `left`, `right` and `outcomes` ("L", "R", "N", "P").

    Raises
    ------
    MemoryError
        If more than `max_positions` positions can be reached.
    ValueError
        If an impartial game has no start, or a partisan game has starts or misere play.

    Examples
    --------
    >>> pm.games.option_graph(pm.games.game_named("twenty-one").game, 5).labels
    ('N', 'P', 'N', 'N', 'N', 'P')
    >>> pm.games.option_graph({0: [1], 1: [0, 2], 2: [3]}, 0).labels
    ('D', 'D', 'N', 'P')
    >>> pm.games.option_graph(pm.games.ToadsAndFrogs("T.F")).outcomes
    ('N', 'P', 'P', 'L', 'R', 'P')
    """
    if isinstance(game, Ruleset | Game):
        if starts or misere:
            raise ValueError("a partisan game is its own start, in normal play: `starts` and `misere` are not accepted")
        return partisan_graph(game, max_positions)
    if not (isinstance(game, Mapping) or callable(getattr(game, "options", None))):
        raise TypeError(f"game must be a game or a mapping of positions to options, got {quoted(game)}")
    if not starts:
        raise ValueError("option_graph needs a start: option_graph(game, position)")
    return impartial.option_graph(game, *starts, misere=misere, max_positions=max_positions)
