"""Positions of a game and the moves between them.

They are a directed graph that is drawn in layers, as SVG or DOT (Graphviz).
"""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np

from poissonmatch.utils.errors import printable, quoted
from poissonmatch.utils.immutable import cached_property
from poissonmatch.utils.retrograde_labels import leaders_of

from .svg import arrow_head, escaped, svg_document

MAX_POSITIONS = 100_000  # of a graph
MAX_DRAWN = 1000  # positions of a picture
# in pixels: width of a character, height of a box, gap between two boxes of a row, gap between two
# rows
LETTER, HEIGHT, GAP, BETWEEN = 7.2, 34, 14, 56
TOP, MARGIN = 60, 28
BEND = 4.0  # width of the place where a line crosses a row, in pixels
SWEEPS = 24  # of the placement
Edges = tuple[tuple[int, ...], ...]  # the end points of the edges that leave each vertex
Item = (
    Hashable  # of a row: the number of a position, or (option, style, row) where the lines to an option cross the row
)


class LineStyle(NamedTuple):
    """Style of a line: color, width, and the lengths of dashes and gaps ("" for a solid line)."""

    color: str
    width: float
    dashes: str = ""


class PositionGraph(ABC):
    """A directed graph of positions, numbered from 0 (the start).

    `followers` holds the options of each.
    """

    positions: tuple[Any, ...]
    names: tuple[str, ...]
    followers: Any  # Edges; a field of some graphs, computed in others

    def __len__(self) -> int:
        return len(self.positions)

    def name(self, vertex: int) -> str:
        """Return the name of a position."""
        return self.names[vertex] if self.names else str(self.positions[vertex])

    @abstractmethod
    def box_text(self, vertex: int) -> tuple[str, str]:
        """Return the two lines in the box of a position."""

    @abstractmethod
    def fill(self, vertex: int) -> str:
        """Return the color of the box of a position."""

    @abstractmethod
    def line_style(self, vertex: int, option: int) -> LineStyle:
        """Return the style of a move.

        Moves to the same position in the same style share their line.
        """

    @property
    @abstractmethod
    def legend(self) -> str:
        """Meaning of the colors."""

    @cached_property
    def leaders(self) -> Edges:
        """For each position, those that have it as an option."""
        return tuple(map(tuple, leaders_of(self.followers)))

    @cached_property
    def upward(self) -> tuple[int, ...]:
        """The positions, each after its options.

        Raises ValueError if a play can return to a position.
        """
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

    @property
    def is_tree(self) -> bool:
        """Whether each position is an option of at most one."""
        return all(len(before) < 2 for before in self.leaders)

    @cached_property
    def layers(self) -> list[int]:
        """The layer of each position in pictures.

        It is the longest remaining play; in a tree, or if play need not end, it is the distance
        from a start.
        """
        if not self.is_tree:
            try:
                return [max(self.longest) - moves for moves in self.longest]
            except ValueError:  # a play can return to a position
                pass
        layers = [-1] * len(self)
        for vertex in range(len(self)):  # in the order of their distance from each start
            layers[vertex] = max(layers[vertex], 0)
            for option in self.followers[vertex]:
                if layers[option] < 0:
                    layers[option] = layers[vertex] + 1
        return layers

    def unfolded(self, options: Sequence[Sequence[int]], max_nodes: int) -> tuple[list[int], list[tuple[int, ...]]]:
        """Return the position of each node of the game tree and its children.

        Raises MemoryError beyond `max_nodes`.
        """
        nodes, children = [0], []
        for vertex in nodes:
            first = len(nodes)
            if first + len(options[vertex]) > max_nodes:
                raise MemoryError(f"the tree of {quoted(self.name(0))} has more than {max_nodes} nodes")
            nodes += options[vertex]
            children.append(tuple(range(first, len(nodes))))
        return nodes, children

    def _check_size(self) -> None:
        if len(self) > MAX_DRAWN:
            name = quoted(self.name(0))
            raise ValueError(f"{name}: {len(self)} positions are too many for a picture; at most {MAX_DRAWN}")

    def to_dot(self, title: str = "") -> str:
        """Return the graph in the DOT language of Graphviz, in layers.

        Raises ValueError for more than 1000 positions.
        """
        self._check_size()

        def text(source: str) -> str:
            return '"' + source.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'

        lines = [
            "digraph game {",
            "  // poissonmatch",
            "  rankdir=TB;",
            "  node [shape=box, style=filled, fontname=Helvetica];",
        ]
        if title:
            lines += [f"  label={text(printable(title))};", "  labelloc=t;"]
        for row in range(max(self.layers) + 1):
            layer = [vertex for vertex in range(len(self)) if self.layers[vertex] == row]
            for vertex in layer:
                label = text("\n".join(map(printable, self.box_text(vertex))))
                lines.append(f'  n{vertex} [label={label}, fillcolor="{self.fill(vertex)}"];')
            lines.append(f"  {{ rank=same; {' '.join(f'n{vertex};' for vertex in layer)} }}")
        for vertex, options in enumerate(self.followers):
            for option in options:
                color, width, dashes = self.line_style(vertex, option)
                style = ", style=dashed" * bool(dashes)
                lines.append(f'  n{vertex} -> n{option} [color="{color}", penwidth={width}{style}];')
        return "\n".join([*lines, "}", ""])

    def to_svg(self, title: str = "") -> str:
        """Return the graph as an SVG picture, in layers.

        Raises ValueError for more than 1000 positions.
        """
        self._check_size()
        texts = [tuple(map(printable, self.box_text(vertex))) for vertex in range(len(self))]
        boxes = [max(34.0, LETTER * max(map(len, lines)) + 12) for lines in texts]
        rows, lines, back = _rows_and_lines(self)
        x = _places(rows, lines, boxes, keep_order=self.is_tree)
        left = min(x[row[0]] for row in rows) - max(boxes) / 2
        right = max(x[row[-1]] for row in rows) + max(boxes) / 2
        width = max(right - left, LETTER * len(self.legend), LETTER * len(title)) + 2 * MARGIN
        shift = (width - left - right) / 2
        places = {
            item: (x[item] + shift, TOP + k * (HEIGHT + BETWEEN) + HEIGHT / 2)
            for k, row in enumerate(rows)
            for item in row
        }
        paths = [(_down(places[a], places[b], a), style, b) for (a, b), style in lines.items()]
        paths += [(_back(places[a], places[b], boxes[a], boxes[b]), self.line_style(a, b), b) for a, b in back]
        drawn = [
            arrow_head("tip", "#444444"),
            f'<text x="{MARGIN}" y="22" font-size="14">{escaped(title)}</text>',
            f'<text x="{MARGIN}" y="42" fill="#444444">{self.legend}</text>',
        ]
        for path, (color, line_width, dashes), end in sorted(paths, key=lambda entry: entry[1].width):
            stroke = f'stroke="{color}" stroke-width="{line_width}"' + f' stroke-dasharray="{dashes}"' * bool(dashes)
            tip = ' marker-end="url(#tip)"' * isinstance(end, int)
            drawn.append(f'<path d="{path}" fill="none" {stroke}{tip}/>')
        for vertex, (name, label) in enumerate(texts):
            middle, y = places[vertex]
            drawn += [
                f'<rect x="{middle - boxes[vertex] / 2:.1f}" y="{y - HEIGHT / 2:.1f}" width="{boxes[vertex]:.1f}" height="{HEIGHT}" '
                f'rx="5" fill="{self.fill(vertex)}" stroke="#222222"/>',
                f'<text x="{middle:.1f}" y="{y - 3:.1f}" text-anchor="middle">{escaped(name)}</text>',
                f'<text x="{middle:.1f}" y="{y + 12:.1f}" text-anchor="middle" font-weight="bold">{escaped(label)}</text>',
            ]
        height = TOP + len(rows) * (HEIGHT + BETWEEN) - BETWEEN + MARGIN
        return svg_document(width, height, title or self.name(0), drawn)


def _rows_and_lines(
    graph: PositionGraph,
) -> tuple[list[list[Item]], dict[tuple[Item, Item], LineStyle], list[tuple[int, int]]]:
    """Return the items of each row, the lines between rows, and the other moves.

    The lines are between items of consecutive rows; the other moves do not go down.
    """
    layers, rows = graph.layers, [dict[Item, None]() for _ in range(max(graph.layers) + 1)]
    lines: dict[tuple[Item, Item], LineStyle] = {}
    back = []
    for vertex in range(len(graph)):
        rows[layers[vertex]][vertex] = None
        for option in graph.followers[vertex]:
            if layers[option] <= layers[vertex]:
                back.append((vertex, option))
                continue
            style = graph.line_style(vertex, option)
            bends = [(option, style, row) for row in range(layers[vertex] + 1, layers[option])]
            for bend in bends:
                rows[bend[2]][bend] = None
            lines.update(dict.fromkeys(pairwise([vertex, *bends, option]), style))
    return [list(row) for row in rows], lines, back


def _places(
    rows: list[list[Item]], lines: Iterable[tuple[Item, Item]], boxes: list[float], *, keep_order: bool
) -> dict[Any, float]:
    """Return the horizontal coordinate of each item, and sort the rows by it.

    An item is near the mean of its neighbors, without overlaps.
    """
    near: dict[Item, list[Item]] = defaultdict(list)
    for a, b in lines:
        near[a].append(b)
        near[b].append(a)
    x: dict[Any, float] = {item: 0.0 for row in rows for item in row}
    for sweep in range(SWEEPS):
        for row in rows if sweep % 2 == 0 else rows[::-1]:
            wish = {item: sum(x[other] for other in near[item]) / max(len(near[item]), 1) for item in row}
            if not keep_order:
                row.sort(key=wish.__getitem__)
            sizes = [boxes[item] if isinstance(item, int) else BEND for item in row]
            packed = np.array(list(accumulate(((a + b) / 2 + GAP for a, b in pairwise(sizes)), initial=0.0)))
            free = np.array([wish[item] for item in row]) - packed  # must not decrease along the row
            rising = (np.maximum.accumulate(free) + np.minimum.accumulate(free[::-1])[::-1]) / 2
            x.update(zip(row, (rising + packed).tolist(), strict=True))
    return x


def _down(start: tuple[float, float], end: tuple[float, float], item: Item) -> str:
    """Return a curve down to a box in the next row.

    It goes from the bottom of a box, or from the top of a bend, to the top of the box.
    """
    (x, y), (u, v) = start, end
    a, b = y + HEIGHT / 2, v - HEIGHT / 2
    middle = (a + b) / 2
    first = f"M{x:.1f} {a:.1f}" if isinstance(item, int) else f"M{x:.1f} {y - HEIGHT / 2:.1f}L{x:.1f} {a:.1f}"
    return f"{first}C{x:.1f} {middle:.1f} {u:.1f} {middle:.1f} {u:.1f} {b:.1f}"


def _back(start: tuple[float, float], end: tuple[float, float], width: float, other_width: float) -> str:
    """Return a curve to a box in the same row or above.

    It goes below the boxes to a box in the same row, or around the side of the box to the same box
    or one above.
    """
    (x, y), (u, v) = start, end
    if y == v and x != u:
        low = y + HEIGHT / 2
        return f"M{x:.1f} {low:.1f}C{x:.1f} {low + 30:.1f} {u:.1f} {low + 30:.1f} {u:.1f} {low:.1f}"
    a, b = x + width / 2, u + other_width / 2
    out = max(a, b) + 24 + (y - v) / 12
    return f"M{a:.1f} {y + 8:.1f}C{out:.1f} {y + 8:.1f} {out:.1f} {v - 8:.1f} {b:.1f} {v - 8:.1f}"
