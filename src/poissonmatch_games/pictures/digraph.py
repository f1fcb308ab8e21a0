"""Positions of a game and the moves between them, as a directed graph that can be drawn."""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from poissonmatch.utils.errors import quoted

MAX_POSITIONS = 100_000  # of a graph
Edges = tuple[tuple[int, ...], ...]  # the end points of the edges that leave each vertex


class Look(NamedTuple):
    """Style of a line: color, width, and the lengths of dashes and gaps ("" for a solid line)."""

    color: str
    width: float
    dashes: str = ""


class Digraph(ABC):
    """A directed graph of positions, numbered from 0 (the start); `followers` holds the options of each."""

    positions: tuple[Any, ...]
    names: tuple[str, ...]
    followers: Any  # Edges; a field of some graphs, computed in others

    def __len__(self) -> int:
        return len(self.positions)

    def name(self, vertex: int) -> str:
        """Return the name of a position."""
        return self.names[vertex] if self.names else str(self.positions[vertex])

    @abstractmethod
    def text(self, vertex: int) -> tuple[str, str]:
        """Return the two lines in the box of a position."""

    @abstractmethod
    def fill(self, vertex: int) -> str:
        """Return the color of the box of a position."""

    @abstractmethod
    def look(self, vertex: int, option: int) -> Look:
        """Return the style of a move; moves to the same position in the same style share their line."""

    @property
    @abstractmethod
    def legend(self) -> str:
        """Meaning of the colors."""

    @cached_property
    def leaders(self) -> Edges:
        """For each position, those that have it as an option."""
        leaders: list[list[int]] = [[] for _ in self.positions]
        for vertex, options in enumerate(self.followers):
            for option in options:
                leaders[option].append(vertex)
        return tuple(map(tuple, leaders))

    @cached_property
    def upward(self) -> tuple[int, ...]:
        """The positions, each after its options. Raises ValueError if a play can return to a position."""
        waiting = [len(options) for options in self.followers]
        order = [vertex for vertex, count in enumerate(waiting) if not count]
        for vertex in order:
            for leader in self.leaders[vertex]:
                waiting[leader] -= 1
                if not waiting[leader]:
                    order.append(leader)
        if len(order) < len(self):
            vertex = next(i for i, count in enumerate(waiting) if count)
            raise ValueError(f"a play can return to {quoted(self.name(vertex))}: the game need not end")
        return tuple(order)

    @cached_property
    def longest(self) -> tuple[int, ...]:
        """The number of moves of the longest play from each position."""
        longest = [0] * len(self)
        for vertex in self.upward:
            longest[vertex] = 1 + max((longest[option] for option in self.followers[vertex]), default=-1)
        return tuple(longest)

    def unfolded(self, options: Sequence[Sequence[int]], max_nodes: int) -> tuple[list[int], list[tuple[int, ...]]]:
        """Return the position of each node of the game tree and its children. Raises MemoryError beyond `max_nodes`."""
        nodes, children = [0], []
        for vertex in nodes:
            first = len(nodes)
            if first + len(options[vertex]) > max_nodes:
                raise MemoryError(f"the tree of {quoted(self.name(0))} has more than {max_nodes} nodes")
            nodes += options[vertex]
            children.append(tuple(range(first, len(nodes))))
        return nodes, children


def explore(
    starts: Iterable[Hashable], moves: Callable[[Any], Iterable[Iterable[Any]]], max_positions: int
) -> tuple[tuple[Any, ...], tuple[Edges, ...]]:
    """Return all positions that can be reached, and for each kind of move (an item of `moves(position)`) the options of each.

    Raises MemoryError beyond `max_positions`.
    """
    number = {start: i for i, start in enumerate(dict.fromkeys(starts))}
    first = next(iter(number))
    rows: list[tuple[tuple[int, ...], ...]] = []
    todo = deque(number)
    while todo:
        row = []
        for options in map(dict.fromkeys, moves(todo.popleft())):
            for option in options:
                if option not in number:
                    if len(number) >= max_positions:
                        raise MemoryError(f"more than {max_positions} positions can be reached from {quoted(first)}")
                    number[option] = len(number)
                    todo.append(option)
            row.append(tuple(number[option] for option in options))
        rows.append(tuple(row))
    return tuple(number), tuple(zip(*rows, strict=True))
