"""Positions and the moves between them: what every graph of a game has, whoever may make the moves."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from ...utils.errors import quoted

MOST = 100_000  # positions of a graph


class Digraph:
    """Positions, the first of which is the start; `followers` are for each the places of its options among them."""

    positions: tuple[Any, ...]
    names: tuple[str, ...]
    followers: Any  # a tuple of tuples of places; a field of some graphs, worked out in others

    def __len__(self) -> int:
        return len(self.positions)

    def name(self, place: int) -> str:
        """What the position there is called."""
        return self.names[place] if self.names else str(self.positions[place])

    @cached_property
    def leaders(self) -> tuple[tuple[int, ...], ...]:
        """For each position the places of those that it is an option of."""
        found: list[list[int]] = [[] for _ in self.positions]
        for place, after in enumerate(self.followers):
            for option in after:
                found[option].append(place)
        return tuple(map(tuple, found))

    @cached_property
    def upward(self) -> tuple[int, ...]:
        """The places, each after its options. Raises ValueError where a play comes back to a position."""
        left = [len(after) for after in self.followers]
        order = [place for place, count in enumerate(left) if not count]
        for place in order:
            for before in self.leaders[place]:
                left[before] -= 1
                if not left[before]:
                    order.append(before)
        if len(order) < len(self):
            place = next(p for p, count in enumerate(left) if count)
            raise ValueError(f"a play from {quoted(self.name(place))} comes back to a position: the game need not end")
        return tuple(order)

    @cached_property
    def longest(self) -> tuple[int, ...]:
        """The number of moves of the longest play from each position."""
        found = [0] * len(self)
        for place in self.upward:
            found[place] = 1 + max((found[option] for option in self.followers[place]), default=-1)
        return tuple(found)

    def unfolded(self, options: Sequence[Sequence[int]], most: int) -> tuple[list[int], list[tuple[int, ...]]]:
        """The game tree along these options: the place of each node, and the nodes after it. Raises MemoryError for more than `most` nodes."""
        places, followers = [0], []
        for place in places:
            first = len(places)
            if first + len(options[place]) > most:
                raise MemoryError(f"the tree of {quoted(self.name(0))} has more than {most} nodes")
            places += options[place]
            followers.append(tuple(range(first, len(places))))
        return places, followers
