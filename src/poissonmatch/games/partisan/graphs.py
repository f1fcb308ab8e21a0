"""The graph of a partisan game: its positions, the moves of Left and of Right, and the values, worked out from the moves alone."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ...utils.errors import quoted, shorten
from ..pictures.digraph import MOST, Digraph
from ..pictures.drawn import Look, dot, svg
from .rulesets import Ruleset
from .values import Game, simplify

__all__ = ["PartisanGraph", "partisan_graph"]

FILL = {"P": "#D8D8D8", "N": "#FFFFFF", "L": "#B9D7F2", "R": "#F6CDB0"}
LEFT, RIGHT, BOTH = Look("#004488", 1.4), Look("#B8400E", 1.4, "5 3"), Look("#777777", 1.8)
LONGEST = 32  # characters of a value in a box


@dataclass(frozen=True)
class PartisanGraph(Digraph):
    """Positions, the first of which is the start, and for each the places of the options of Left and of Right among them.

    Made by `option_graph`.

    Parameters
    ----------
    positions : tuple
    left, right : tuple of tuple of int
    names : tuple of str
        What to call the positions.

    Examples
    --------
    >>> graph = pm.games.option_graph(pm.games.ToadsAndFrogs("T..F"))
    >>> graph.names[:3], graph.values[:3], graph.outcomes[:3]
    (('T..F', '.T.F', 'T.F.'), (parse('0'), parse('-1/2'), parse('1/2')), ('P', 'R', 'L'))
    >>> graph.left[0], graph.right[0], graph.followers[0]
    ((1,), (2,), (1, 2))
    """

    positions: tuple[Any, ...]
    left: tuple[tuple[int, ...], ...]
    right: tuple[tuple[int, ...], ...]
    names: tuple[str, ...] = ()

    @cached_property
    def followers(self) -> tuple[tuple[int, ...], ...]:
        """For each position the places of its options, Left's first, each of them once."""
        return tuple(tuple(dict.fromkeys(mine + theirs)) for mine, theirs in zip(self.left, self.right, strict=True))

    @cached_property
    def values(self) -> tuple[Game, ...]:
        """The value of each position, from those of its options. Raises ValueError where a play comes back to a position."""
        found: list[Any] = [None] * len(self)
        for place in self.upward:
            found[place] = simplify(*([found[option] for option in side[place]] for side in (self.left, self.right)))
        return tuple(found)

    @cached_property
    def outcomes(self) -> tuple[str, ...]:
        """Who wins each, "L" Left, "R" Right, "N" who moves next, "P" the other."""
        return tuple(value.outcome for value in self.values)

    def tree(self, most: int = MOST) -> PartisanGraph:
        """The game tree: a node for each sequence of moves, alternating or not, called as the position that it comes to.

        A position that both can move to has a node for each.

        Parameters
        ----------
        most : int
            So many nodes at most.

        Raises
        ------
        MemoryError
            There are more.

        Examples
        --------
        >>> graph = pm.games.option_graph(pm.games.ToadsAndFrogs("TT.FF"))
        >>> len(graph), len(graph.tree())
        (23, 31)
        """
        both = [mine + theirs for mine, theirs in zip(self.left, self.right, strict=True)]
        places, followers = self.unfolded(both, most)
        split = [len(self.left[place]) for place in places]
        return PartisanGraph(
            tuple(self.positions[place] for place in places),
            tuple(after[:k] for after, k in zip(followers, split, strict=True)),
            tuple(after[k:] for after, k in zip(followers, split, strict=True)),
            tuple(self.name(place) for place in places),
        )

    # ---- how it is drawn: who wins is the color of a box, who moves that of a line ----

    def words(self, place: int) -> tuple[str, str]:
        """The two lines in a box: the position and its value; of what is a value itself, who wins."""
        name, value = self.name(place), str(self.values[place])
        return shorten(name, LONGEST), shorten(value, LONGEST) if value != name else self.outcomes[place]

    def fill(self, place: int) -> str:
        """The color of a box."""
        return FILL[self.outcomes[place]]

    def look(self, place: int, option: int) -> Look:
        """How a move is drawn."""
        mine, theirs = option in self.left[place], option in self.right[place]
        return BOTH if mine and theirs else LEFT if mine else RIGHT

    @property
    def legend(self) -> str:
        """What the colors say."""
        lines = "solid blue lines: Left moves; dashed red: Right"
        both = any(set(mine) & set(theirs) for mine, theirs in zip(self.left, self.right, strict=True))
        boxes = {"L": "blue Left", "R": "red Right", "N": "white who moves first", "P": "grey who moves second"}
        won = ", ".join(boxes[outcome] for outcome in boxes if outcome in self.outcomes)
        return lines + "; grey: either" * both + f". Who wins: {won}"

    def to_dot(self, title: str = "") -> str:
        """The graph in the language of Graphviz, in layers, with values.

        Parameters
        ----------
        title : str

        Examples
        --------
        >>> pm.games.option_graph(pm.games.nimber(2)).to_dot().splitlines()[0]
        'digraph game {'
        """
        return dot(self, title)

    def to_svg(self, title: str = "") -> str:
        """The graph as a picture, in layers, with values.

        Parameters
        ----------
        title : str

        Examples
        --------
        >>> pm.games.option_graph(pm.games.ups(1)).to_svg("up")[:4]
        '<svg'
        """
        return svg(self, title)


def partisan_graph(start: Ruleset | Game, most: int = MOST) -> PartisanGraph:
    """All positions that can be reached from a position of a ruleset, whoever moves; of a value, those of its canonical form.

    Raises MemoryError for more than `most`.
    """
    root: Hashable = start if isinstance(start, Game) else start.position
    places: dict[Any, int] = {root: 0}
    sides: tuple[list[tuple[int, ...]], list[tuple[int, ...]]] = ([], [])
    todo = deque([root])
    while todo:
        position: Any = todo.popleft()
        moves = (
            (position.left, position.right)
            if isinstance(start, Game)
            else (start.left_moves(position), start.right_moves(position))
        )
        for side, options in zip(sides, moves, strict=True):
            after = dict.fromkeys(options)
            for option in after:
                if option not in places:
                    if len(places) >= most:
                        raise MemoryError(f"more than {most} positions can be reached from {quoted(root)}")
                    places[option] = len(places)
                    todo.append(option)
            side.append(tuple(places[option] for option in after))
    show = str if isinstance(start, Game) else start.show
    return PartisanGraph(tuple(places), tuple(sides[0]), tuple(sides[1]), tuple(map(show, places)))
