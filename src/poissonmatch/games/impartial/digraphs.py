"""The Triangle Game on other digraphs: stones on the vertices, a move takes some along an edge and returns fewer.

Source: [G] *Combinatorial games and the golden ratio on digraphs*, whose digraph is the directed 3-cycle.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from ...utils.errors import quoted
from .base import ImpartialGame
from .positions import as_count, as_heaps

Stones = tuple[int, ...]


class StonesOnDigraph(ImpartialGame):
    """Stones on the vertices 0, 1, .. of a digraph: choose an edge u -> v, take s >= 1 stones from u, put back r < s of them on v.

    A stone on a vertex without an edge that leaves it never moves. Each move lowers the number of stones, so a play ends after
    at most as many moves as there are stones. Values by search.

    Parameters
    ----------
    edges : iterable of (int, int)
        Pairs (u, v) of different vertices.
    count : int, optional
        The number of vertices; by default one more than the largest of an edge.
    misere : bool, default False

    Raises
    ------
    TypeError
        A vertex or the count is no integer.
    ValueError
        There is a loop, no edge, or one to a vertex beyond the count.

    Examples
    --------
    >>> game = pm.games.StonesOnDigraph([(0, 1), (1, 0), (2, 0)])
    >>> game.winning_moves((2, 1, 0))
    [(1, 1, 0)]
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
    """The game on the directed cycle 0 -> 1 -> ... -> n - 1 -> 0; n = 3 is the Triangle Game (see TriangleGame, which is faster).

    Parameters
    ----------
    count : int
        The number n of vertices, at least 2.
    misere : bool, default False

    Examples
    --------
    >>> pm.games.StonesOnRing(3).grundy((1, 2, 2)) == pm.games.TriangleGame().grundy((1, 2, 2))
    True
    >>> pm.games.StonesOnRing(4).winning_moves((3, 2, 2, 2))
    [(2, 2, 2, 2)]
    """

    def __init__(self, count: int, *, misere: bool = False) -> None:
        count = as_count(count, "the number of vertices", 2)
        super().__init__([(v, (v + 1) % count) for v in range(count)], misere=misere)

    def _key(self, position: Any) -> Stones:
        return max(position[k:] + position[:k] for k in range(self.count))


class StonesOnPath(StonesOnDigraph):
    """The game on the directed path 0 -> 1 -> ... -> n - 1: the last vertex keeps what comes to it.

    Parameters
    ----------
    count : int
        The number n of vertices, at least 2.
    misere : bool, default False

    Examples
    --------
    >>> [pm.games.StonesOnPath(2).grundy((heap, 0)) for heap in range(5)]  # a heap of Nim
    [0, 1, 2, 3, 4]
    >>> pm.games.StonesOnPath(3).grundy((3, 2, 2))
    1
    """

    def __init__(self, count: int, *, misere: bool = False) -> None:
        count = as_count(count, "the number of vertices", 2)
        super().__init__([(v, v + 1) for v in range(count - 1)], misere=misere)

    def _key(self, position: Any) -> Stones:
        return (*position[:-1], 0)
