"""Generalization of the Triangle Game to any digraph.

Source: [G] *Combinatorial games and the golden ratio on digraphs*, whose digraph is the directed
3-cycle.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from poissonmatch.utils.errors import quoted

from ..pictures.drawings import stones_svg
from .base import ImpartialGame
from .position_checks import as_count, as_heaps

Stones = tuple[int, ...]
MAX_VERTICES = 10_000


def _number_of_vertices(count: int, minimum: int) -> int:
    """Return a number of vertices as int. Raises TypeError or ValueError."""
    count = as_count(count, "the number of vertices", minimum)
    if count > MAX_VERTICES:
        raise ValueError(f"a digraph may have at most {MAX_VERTICES} vertices, got {count}")
    return count


class StonesOnDigraph(ImpartialGame):
    """Stones on a digraph: take stones from a vertex u and put fewer on v, for an edge u -> v.

    The vertices are 0, 1, ... . A move chooses an edge u -> v, takes s >= 1 stones from u, and puts
    r < s stones on v.

    Each move lowers the number of stones, so a play has at most as many moves as there are stones.
    Values come from search. The games on a directed cycle and on a directed path are also
    `game_named("ring(4)")` and `game_named("path(3)")`.

    Parameters
    ----------
    edges : iterable of (int, int)
        Pairs (u, v) of different vertices.
    count : int, optional
        Number of vertices; by default one more than the largest vertex of an edge.
    misere : bool, default False
        Whether the player who cannot move wins.

    Raises
    ------
    TypeError
        If a vertex or the count is not an integer.
    ValueError
        If there is a loop, no edge, an edge to a vertex beyond the count, or more than 10,000
        vertices.

    Examples
    --------
    >>> game = pm.games.impartial.StonesOnDigraph([(0, 1), (1, 0), (2, 0)])
    >>> game.winning_moves((2, 1, 0))
    [(1, 1, 0)]
    """

    def __init__(self, edges: Iterable[tuple[int, int]], count: int | None = None, *, misere: bool = False) -> None:
        super().__init__(misere=misere)
        self.edges = tuple(dict.fromkeys((as_count(u, "a vertex"), as_count(v, "a vertex")) for u, v in edges))
        used = max((max(edge) for edge in self.edges), default=-1) + 1
        self.count = _number_of_vertices(used if count is None else count, 0)
        loop = next((edge for edge in self.edges if edge[0] == edge[1]), None)
        if loop:
            raise ValueError(f"an edge must join two different vertices, got a loop at {loop[0]}")
        if not 0 < used <= self.count:
            from_one = used == self.count + 1 and all(map(all, self.edges))
            hint = "; vertices are counted from 0: subtract 1" if from_one else ""
            raise ValueError(f"edges must join vertices 0 to {self.count - 1}, got {quoted(self.edges)}{hint}")

    def to_svg(self, position: Any, title: str = "") -> str:
        """Return the digraph with the stones on its vertices as an SVG picture.

        Parameters
        ----------
        position : a position
            In a form that `validate` accepts.
        title : str, optional
            Title of the picture, by default none.

        Returns
        -------
        str
            An SVG document.

        Examples
        --------
        >>> pm.games.impartial.StonesOnRing(4).to_svg((3, 2, 2, 2))[:4]
        '<svg'
        """
        return stones_svg(self.edges, self.validate(position), title)

    def validate(self, position: Any) -> Stones:
        """Return the numbers of stones as a tuple, one for each vertex."""
        return as_heaps(position, count=self.count)

    def options(self, position: Any) -> Iterator[Stones]:
        """Yield the positions after one move, edge by edge."""
        stones = self.validate(position)
        for u, v in self.edges:
            for rest in range(stones[u]):
                for returned in range(stones[u] - rest):
                    option = list(stones)
                    option[u], option[v] = rest, stones[v] + returned
                    yield tuple(option)


class StonesOnRing(StonesOnDigraph):
    """Stones on the directed cycle 0 -> 1 -> ... -> count - 1 -> 0, count >= 2.

    For 3 vertices, `TriangleGame` is faster.
    """

    def __init__(self, count: int, *, misere: bool = False) -> None:
        count = _number_of_vertices(count, 2)
        super().__init__([(v, (v + 1) % count) for v in range(count)], misere=misere)

    def _key(self, position: Any) -> Stones:
        return max(position[k:] + position[:k] for k in range(self.count))


class StonesOnPath(StonesOnDigraph):
    """Stones on the directed path 0 -> 1 -> ... -> count - 1, count >= 2.

    Stones never leave the last vertex.
    """

    def __init__(self, count: int, *, misere: bool = False) -> None:
        count = _number_of_vertices(count, 2)
        super().__init__([(v, v + 1) for v in range(count - 1)], misere=misere)

    def _key(self, position: Any) -> Stones:
        return (*position[:-1], 0)
