"""Graph of an impartial game.

Outcomes and nim-values come from the options alone, without theorems.

Outcomes come from the labeling procedure of [M], which is also the retrograde analysis of games
that need not end.

Source: [M] MIT SP.268, *Theory of impartial games*.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from poissonmatch.utils.immutable import cached_property
from poissonmatch.utils.retrograde_labels import Outcomes, explore, label_positions

from ..pictures.position_graphs import MAX_POSITIONS, LineStyle, PositionGraph
from .base import ImpartialGame
from .genus import mex

FILL = {"P": "#9CC9F0", "N": "#FFFFFF", "D": "#D8D8D8"}
MOVES, WINS = LineStyle("#999999", 0.9), LineStyle("#0B4F9E", 2.2)


class HasOptions(Protocol):
    """Game, as far as its graph needs it."""

    def options(self, position: Any, /) -> Iterable[Any]:
        """Return the positions after one move."""


class Label(NamedTuple):
    """A line of the labeling procedure.

    Position `vertex` gets a label (P or N) in this round, by this step of [M].
    """

    round: int
    step: int
    vertex: int
    label: str


STEPS = {1: "terminal", 2: "reaches a P-position", 3: "reaches N-positions only"}


@dataclass(frozen=True)
class OptionGraph(PositionGraph):
    """Positions of an impartial game, numbered from 0 (the start), with their options.

    A graph is made by `option_graph`.

    Examples
    --------
    >>> graph = pm.games.option_graph(pm.games.game_named("twenty-one").game, 4)
    >>> list(zip(graph.positions, graph.labels, graph.values, graph.remoteness))
    [((4,), 'P', 0, 2), ((3,), 'N', 3, 1), ((2,), 'N', 2, 1), ((1,), 'N', 1, 1), ((0,), 'P', 0, 0)]
    >>> graph.to_svg()[:4]
    '<svg'
    """

    positions: tuple[Any, ...]
    followers: tuple[tuple[int, ...], ...]
    misere: bool = False
    names: tuple[str, ...] = ()

    @cached_property
    def rounds(self) -> tuple[Label, ...]:
        """The lines of the labeling procedure of [M].

        1. Label every terminal position P (misere play: N).
        2. Label N each position with an option labeled P.
        3. Label P each position whose options are all labeled N.
        4. Repeat from 2 until a round adds no label.

        Positions without a label are draws: neither player can force an end.
        """
        lines = []
        for vertex, (label, moves) in enumerate(zip(*self._outcomes, strict=True)):
            if moves is not None:
                step = 1 if moves == 0 else 2 if label == "N" else 3
                # the P-positions of a round are the farthest so far, its N-positions one move nearer
                number = (moves + self.misere + (label == "N")) // 2 if moves else 1
                lines.append(Label(number, step, vertex, label))
        return tuple(sorted(lines))

    @cached_property
    def _outcomes(self) -> Outcomes:
        return label_positions(self.followers, lambda _: "N" if self.misere else "P")

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The outcome of each position: "P", "N", or "D" (draw) if neither player can force an end."""
        return tuple(self._outcomes.labels)

    @cached_property
    def remoteness(self) -> tuple[int | None, ...]:
        """The number of moves to the end from each position; None for a draw.

        The winner plays for a short game and the loser for a long one.
        """
        return tuple(self._outcomes.remoteness)

    @cached_property
    def values(self) -> tuple[int, ...]:
        """The nim-value of each position: the mex of those of the options.

        Without options it is 0 (misere play: 1).
        """
        values = [0] * len(self)
        for vertex in self.upward:
            options = self.followers[vertex]
            values[vertex] = mex(values[option] for option in options) if options else int(self.misere)
        return tuple(values)

    def tree(self, max_nodes: int = MAX_POSITIONS) -> OptionGraph:
        """Return the game tree, with a node for each line of play from the start, named like its last position.

        Raises MemoryError for more than `max_nodes` nodes.

        Examples
        --------
        >>> graph = pm.games.option_graph(pm.games.game_named("twenty-one").game, 8)
        >>> len(graph), len(graph.tree())
        (9, 177)
        """
        nodes, children = self.unfolded(self.followers, max_nodes)
        names = tuple(map(self.name, nodes))
        return OptionGraph(tuple(self.positions[i] for i in nodes), tuple(children), self.misere, names)

    def trace(self) -> Iterator[str]:
        """Yield the labeling procedure in words, one line for each label.

        Examples
        --------
        >>> for line in pm.games.option_graph(pm.games.game_named("twenty-one").game, 2).trace():
        ...     print(line)
        round 1, step 1: 0 is P, terminal
        round 1, step 2: 2 is N, reaches a P-position
        round 1, step 2: 1 is N, reaches a P-position
        """
        for line in self.rounds:
            yield f"round {line.round}, step {line.step}: {self.name(line.vertex)} is {line.label}, {STEPS[line.step]}"
        for vertex, label in enumerate(self.labels):
            if label == "D":
                yield f"no label: {self.name(vertex)} is a draw"

    # ---- drawing: P-positions are blue boxes, N-positions white, draws gray; thick lines are
    # winning moves ----
    def box_text(self, vertex: int) -> tuple[str, str]:
        """Return the name of a position, and its outcome with its nim-value."""
        try:
            value = f" {self.values[vertex]}"
        except ValueError:
            value = ""
        return self.name(vertex), self.labels[vertex] + value

    def fill(self, vertex: int) -> str:
        """Return the color of the outcome."""
        return FILL[self.labels[vertex]]

    def line_style(self, vertex: int, option: int) -> LineStyle:
        """Return a thick line for a winning move."""
        return WINS if self.labels[option] == "P" else MOVES

    @property
    def legend(self) -> str:
        """Meaning of the colors."""
        draws = "; gray: draws" * ("D" in self.labels)
        return f"blue: P, the previous player wins; white: N; thick lines: moves that win{draws}"


def option_graph(
    game: HasOptions | Mapping[Any, Sequence[Any]],
    *starts: Any,
    misere: bool | None = None,
    max_positions: int = MAX_POSITIONS,
) -> OptionGraph:
    """Return the graph of an impartial game: see `pm.games.option_graph`."""
    ruleset = game if isinstance(game, ImpartialGame) else None

    def options(position: Any) -> list[Iterable[Any]]:
        return [game.get(position, ()) if isinstance(game, Mapping) else game.options(position)]

    roots = map(ruleset.validate, starts) if ruleset else starts
    positions, (followers,) = explore(roots, options, max_positions)
    names = tuple(map(ruleset.show if ruleset else str, positions))
    return OptionGraph(positions, followers, bool(ruleset and ruleset.misere) if misere is None else misere, names)
