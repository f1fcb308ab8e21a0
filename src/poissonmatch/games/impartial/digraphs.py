"""The Triangle Game on other digraphs: stones on the vertices, a move takes some along an edge and returns fewer.

Source: [G] *Combinatorial games and the golden ratio on digraphs*, whose digraph is the directed 3-cycle.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from ...errors import quoted
from .base import ImpartialGame
from .positions import as_count, as_heaps

Stones = tuple[int, ...]


class StonesOnDigraph(ImpartialGame):
    """Stones on the vertices 0, 1, .. of a digraph: choose an edge u -> v, take s >= 1 stones from u, put back r < s of them on v.

    edges: pairs (u, v) of different vertices. count: the number of vertices, by default one more than the largest of an edge.
    A stone on a vertex without an edge that leaves it never moves. Each move lowers the number of stones, so a play ends after
    at most as many moves as there are stones. Values by search.
    """

    def __init__(self, edges: Iterable[tuple[int, int]], count: int | None = None, *, misere: bool = False) -> None:
        super().__init__(misere=misere)
        self.edges = tuple(dict.fromkeys((as_count(u, "a vertex"), as_count(v, "a vertex")) for u, v in edges))
        least = max((max(edge) for edge in self.edges), default=-1) + 1
        self.count = least if count is None else as_count(count, "the number of vertices")
        loop = next((edge for edge in self.edges if edge[0] == edge[1]), None)
        if loop:
            raise ValueError(f"an edge leads to another vertex, not from {loop[0]} to itself")
        if not 0 < least <= self.count:
            raise ValueError(
                f"a digraph has edges between its vertices 0 to {self.count - 1}, not {quoted(self.edges)}"
            )

    def validate(self, position: Any) -> Stones:
        return as_heaps(position, count=self.count)

    def options(self, position: Any) -> Iterator[Stones]:
        stones = self.validate(position)
        for u, v in self.edges:
            for left in range(stones[u]):
                for back in range(stones[u] - left):
                    after = list(stones)
                    after[u], after[v] = left, stones[v] + back
                    yield tuple(after)


class StonesOnRing(StonesOnDigraph):
    """The game on the directed cycle 0 -> 1 -> ... -> n - 1 -> 0; n = 3 is the Triangle Game (see TriangleGame, which is faster)."""

    def __init__(self, count: int, *, misere: bool = False) -> None:
        count = as_count(count, "the number of vertices", 2)
        super().__init__([(v, (v + 1) % count) for v in range(count)], misere=misere)

    def _key(self, position: Any) -> Stones:
        return max(position[k:] + position[:k] for k in range(self.count))


class StonesOnPath(StonesOnDigraph):
    """The game on the directed path 0 -> 1 -> ... -> n - 1: the last vertex keeps what comes to it."""

    def __init__(self, count: int, *, misere: bool = False) -> None:
        count = as_count(count, "the number of vertices", 2)
        super().__init__([(v, v + 1) for v in range(count - 1)], misere=misere)

    def _key(self, position: Any) -> Stones:
        return (*position[:-1], 0)
