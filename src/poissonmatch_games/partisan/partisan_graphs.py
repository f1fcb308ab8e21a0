"""Graph of a partisan game: positions, moves of Left and Right, and values from the moves alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from poissonmatch.utils.errors import shorten
from poissonmatch.utils.immutable import cached_property
from poissonmatch.utils.retrograde_labels import explore

from ..pictures.position_graphs import MAX_POSITIONS, LineStyle, PositionGraph
from .rulesets import Ruleset
from .values import Game, simplify

FILL = {"P": "#D8D8D8", "N": "#FFFFFF", "L": "#B9D7F2", "R": "#F6CDB0"}
LEFT, RIGHT, BOTH = LineStyle("#004488", 1.4), LineStyle("#B8400E", 1.4, "5 3"), LineStyle("#777777", 1.8)
MAX_TEXT = 32  # characters of a value in a box


@dataclass(frozen=True)
class PartisanGraph(PositionGraph):
    """Positions of a partisan game, numbered from 0 (the start), with their options.

    Left and Right have their own options. A graph is made by `option_graph`.

    Examples
    --------
    >>> graph = pm.games.option_graph(pm.games.ToadsAndFrogs("T..F"))
    >>> graph.names[:3], graph.values[:3], graph.outcomes[:3]
    (('T..F', '.T.F', 'T.F.'), (0, -1/2, 1/2), ('P', 'R', 'L'))
    >>> graph.left[0], graph.right[0], graph.followers[0]
    ((1,), (2,), (1, 2))
    """

    positions: tuple[Any, ...]
    left: tuple[tuple[int, ...], ...]
    right: tuple[tuple[int, ...], ...]
    names: tuple[str, ...] = ()

    @cached_property
    def followers(self) -> tuple[tuple[int, ...], ...]:
        """The options of each position, Left's first, without repeats."""
        return tuple(tuple(dict.fromkeys(left + right)) for left, right in zip(self.left, self.right, strict=True))

    @cached_property
    def values(self) -> tuple[Game, ...]:
        """The value of each position, from those of its options.

        Raises ValueError if a play can return to a position.
        """
        values: list[Any] = [None] * len(self)
        sides = self.left, self.right
        for vertex in self.upward:
            values[vertex] = simplify(*([values[option] for option in side[vertex]] for side in sides))
        return tuple(values)

    @cached_property
    def outcomes(self) -> tuple[str, ...]:
        """The winner of each position.

        "L" is Left, "R" Right, "N" the next player, "P" the previous player.
        """
        return tuple(value.outcome for value in self.values)

    def tree(self, max_nodes: int = MAX_POSITIONS) -> PartisanGraph:
        """Return the game tree.

        It has a node for each sequence of moves, alternating or not, named like its last position.
        A position that both players can move to has a node for each. Raises MemoryError for more
        than `max_nodes` nodes.

        Examples
        --------
        >>> graph = pm.games.option_graph(pm.games.ToadsAndFrogs("TT.FF"))
        >>> len(graph), len(graph.tree())
        (23, 31)
        """
        both = [left + right for left, right in zip(self.left, self.right, strict=True)]
        nodes, children = self.unfolded(both, max_nodes)
        split = [len(self.left[vertex]) for vertex in nodes]
        return PartisanGraph(
            tuple(self.positions[vertex] for vertex in nodes),
            tuple(options[:k] for options, k in zip(children, split, strict=True)),
            tuple(options[k:] for options, k in zip(children, split, strict=True)),
            tuple(map(self.name, nodes)),
        )

    # ---- drawing: the color of a box is the winner, that of a line the player ----
    def box_text(self, vertex: int) -> tuple[str, str]:
        """Return the name of a position, and its value or outcome."""
        name, value = self.name(vertex), str(self.values[vertex])
        return shorten(name, MAX_TEXT), shorten(value, MAX_TEXT) if value != name else self.outcomes[vertex]

    def fill(self, vertex: int) -> str:
        """Return the color of the outcome."""
        return FILL[self.outcomes[vertex]]

    def line_style(self, vertex: int, option: int) -> LineStyle:
        """Return the color of the players who can make the move."""
        by_left, by_right = option in self.left[vertex], option in self.right[vertex]
        return BOTH if by_left and by_right else LEFT if by_left else RIGHT

    @property
    def legend(self) -> str:
        """Meaning of the colors."""
        lines = "solid blue lines: Left moves; dashed red: Right"
        both = any(set(left) & set(right) for left, right in zip(self.left, self.right, strict=True))
        boxes = {"L": "blue Left", "R": "red Right", "N": "white the next player", "P": "gray the previous player"}
        won = ", ".join(boxes[outcome] for outcome in boxes if outcome in self.outcomes)
        return lines + "; gray: either" * both + f". Who wins: {won}"


def partisan_graph(start: Ruleset | Game, max_positions: int = MAX_POSITIONS) -> PartisanGraph:
    """Return the graph of a position of a ruleset, or of the canonical form of a value.

    See `pm.games.option_graph`.
    """
    if isinstance(start, Game):
        positions, (left, right) = explore([start], lambda value: (value.left, value.right), max_positions)
        return PartisanGraph(positions, left, right, tuple(map(str, positions)))
    moves = start.left_moves, start.right_moves
    positions, (left, right) = explore([start.position], lambda x: [move(x) for move in moves], max_positions)
    return PartisanGraph(positions, left, right, tuple(map(start.show, positions)))
