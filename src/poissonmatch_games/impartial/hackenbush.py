"""Green Hackenbush on graphs, by the fusion and the colon principle.

Source: [WW] Berlekamp, Conway, Guy, *Winning Ways*, ch. 2 and 7.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from poissonmatch.utils.errors import quoted

from ..pictures.drawings import hackenbush_svg
from .base import ImpartialGame
from .position_checks import as_count

NOTHING = "nothing"  # the text of the empty graph
Edge = tuple[int, int]
Edges = tuple[Edge, ...]
E = TypeVar("E", bound=tuple[Any, ...])


class GreenHackenbush(ImpartialGame):
    """Green Hackenbush: cut an edge; edges no longer connected to the ground are removed.

    A position is an iterable of edges, pairs of vertices; vertex 0 is the ground, and every edge
    must be connected to it. Multiple edges and loops are allowed. In normal play the value takes
    time linear in the number of edges: the vertices of a cycle are fused (fusion principle), a loop
    counts as an edge, and a branch of value v on an edge has value v + 1 (colon principle; [WW] ch.
    7). Misere play is searched.

    Examples
    --------
    >>> game = pm.games.impartial.GreenHackenbush()
    >>> hoop_and_stalk = game.read("0-1 1-2 2-0 0-3 3-4")
    >>> game.grundy(hoop_and_stalk), game.show(game.winning_move(hoop_and_stalk))
    (3, '0-2 0-3 1-2 3-4')
    """

    notation = (
        "A position is its edges: 0-1 1-2 2-0 is a triangle on the ground, vertex 0; 1-1 is a loop. A move leaves out one edge and "
        "what then hangs in the air. The web page (--page) and `to_svg` draw it."
    )

    def validate(self, position: Any) -> Edges:
        """Return the edges sorted, the smaller vertex of each first."""
        if isinstance(position, str | bytes) or not isinstance(position, Iterable):
            raise TypeError(f"a position must be edges, that is pairs of vertices, got {quoted(position)}")
        edges = []
        for edge in position:
            if not isinstance(edge, Iterable) or isinstance(edge, str | bytes) or len(pair := tuple(edge)) != 2:
                raise TypeError(f"an edge must be a pair of vertices, got {quoted(edge)}")
            u, v = (as_count(end, "a vertex") for end in pair)
            edges.append((min(u, v), max(u, v)))
        graph = tuple(sorted(edges))
        loose = set(graph) - set(grounded(graph))
        if loose:
            u, v = min(loose)
            raise ValueError(f"edge {u}-{v} is not connected to the ground, vertex 0")
        return graph

    def options(self, position: Any) -> Iterator[Edges]:
        """Yield the graphs after a cut of each edge."""
        edges = self.validate(position)
        for i in range(len(edges)):
            yield grounded(edges[:i] + edges[i + 1 :])

    def _value(self, position: Edges, misere: bool) -> int:
        return super()._value(position, True) if misere else _tree_value(fused(position))

    def read(self, text: str) -> Edges:
        """Return the edges given as text, as in "0-1 1-2 2-0"."""
        pairs = [] if text.strip() == NOTHING else re.findall(r"[^\s,]+", text)
        if not all(re.fullmatch(r"\d{1,18}-\d{1,18}", pair) for pair in pairs):
            raise ValueError(f"a position must be edges, as in '0-1 1-2 2-0' (0 is the ground), got {quoted(text)}")
        return self.validate([tuple(map(int, pair.split("-"))) for pair in pairs])

    def show(self, position: Any) -> str:
        """Return the edges as text, as in "0-1 1-2 2-0"."""
        return " ".join(f"{u}-{v}" for u, v in position) or NOTHING

    def to_svg(self, position: Any, title: str = "") -> str:
        """Return the graph on the ground as the text of an SVG picture; loops and multiple edges are drawn.

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
        >>> pm.games.impartial.GreenHackenbush().to_svg([(0, 1), (1, 2), (2, 0)])[:4]
        '<svg'
        """
        return hackenbush_svg(self.validate(position), title)

    def fused(self, position: Any) -> Edges:
        """Return a tree with loops of the same value.

        Every cycle is shrunk to its vertex nearest to the ground.

        Parameters
        ----------
        position : a position
            In a form that `validate` accepts.

        Returns
        -------
        tuple of (int, int)
            Edges of the tree.

        Examples
        --------
        >>> pm.games.impartial.GreenHackenbush().fused([(0, 1), (1, 2), (2, 3), (3, 1), (3, 4)])
        ((0, 1), (1, 1), (1, 1), (1, 1), (1, 4))
        """
        return fused(self.validate(position))


def _neighbors(edges: Iterable[tuple[Any, ...]]) -> dict[int, list[tuple[int, int]]]:
    """Return pairs (edge, other end) for each vertex."""
    near: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for name, (u, v, *_) in enumerate(edges):
        near[u].append((name, v))
        near[v].append((name, u))
    return near


def grounded(edges: tuple[E, ...]) -> tuple[E, ...]:
    """Return the edges that are connected to the ground; an edge begins with its two vertices."""
    near, seen, todo = _neighbors(edges), {0}, [0]
    while todo:
        for _, end in near.get(todo.pop(), ()):
            if end not in seen:
                seen.add(end)
                todo.append(end)
    return tuple(edge for edge in edges if edge[0] in seen)


def fused(edges: Edges) -> Edges:
    """Return the graph with each cycle shrunk to one vertex, the first from the ground.

    The bridges are found by depth-first search.
    """
    near, number, back, above, order = _neighbors(edges), {0: 0}, {0: 0}, {0: -1}, [0]
    parent, stack = {0: 0}, [(0, iter(near.get(0, ())))]
    while stack:
        vertex, rest = stack[-1]
        for name, end in rest:
            if end not in number:
                number[end] = back[end] = len(number)
                above[end], parent[end] = name, vertex
                order.append(end)
                stack.append((end, iter(near[end])))
                break
            if name != above[vertex]:
                back[vertex] = min(back[vertex], number[end])
        else:
            stack.pop()
            back[parent[vertex]] = min(back[parent[vertex]], back[vertex])
    home = {0: 0}
    for vertex in order[1:]:
        home[vertex] = vertex if back[vertex] == number[vertex] else home[parent[vertex]]  # if a bridge leads to it
    return tuple(sorted((min(home[u], home[v]), max(home[u], home[v])) for u, v in edges))


def _tree_value(edges: Edges) -> int:
    """Return the value of a tree with loops.

    At each vertex it is the XOR of 1 for each loop and v + 1 for each branch of value v.
    """
    near, parent, order = _neighbors(edges), {0: 0}, [0]
    for vertex in order:
        for _, end in near.get(vertex, ()):
            if end not in parent:
                parent[end] = vertex
                order.append(end)
    value: dict[int, int] = defaultdict(int)
    for u, v in edges:
        if u == v:
            value[v] ^= 1
    for vertex in reversed(order[1:]):
        value[parent[vertex]] ^= value[vertex] + 1
    return value[0]
