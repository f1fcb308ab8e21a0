"""Graphs of games as pictures, in layers: the language of Graphviz, and SVG, as plain text. What the colors say, the graph says."""

from __future__ import annotations

from typing import Protocol

from ...utils.errors import printable, quoted
from .layout import Graph, Look, arrange, layers
from .svg import escaped, sheet, tip

__all__ = ["MOST_DRAWN", "Look", "dot", "svg"]

MOST_DRAWN = 1000  # positions of a picture
LETTER, HEIGHT, GAP, BETWEEN = 7.2, 34, 14, 56  # of a character, a box, two boxes in a layer, two layers: in pixels
TOP, MARGIN = 60, 28


class Drawn(Graph, Protocol):
    """What a picture says of a graph: see impartial.graphs.OptionGraph, partisan.graphs.PartisanGraph."""

    def words(self, place: int) -> tuple[str, str]:
        """The two lines in a box: what the position is called, and what is known of it."""

    def fill(self, place: int) -> str:
        """The color of a box."""

    @property
    def legend(self) -> str:
        """What the colors say."""

    def name(self, place: int) -> str:
        """What a position is called."""


def _checked(graph: Drawn) -> None:
    if len(graph) > MOST_DRAWN:
        raise ValueError(
            f"{quoted(graph.name(0))}: {len(graph)} positions are too many for a picture; at most {MOST_DRAWN}"
        )


def dot(graph: Drawn, title: str = "") -> str:
    """The graph in the language of Graphviz. Raises ValueError for more than 1000 positions."""
    _checked(graph)

    def text(words: str) -> str:
        return '"' + words.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'

    lines = ["digraph game {", "  rankdir=TB;", "  node [shape=box, style=filled, fontname=Helvetica];"]
    if title:
        lines += [f"  label={text(printable(title))};", "  labelloc=t;"]
    level = layers(graph)
    for row in range(max(level) + 1):
        layer = [place for place in range(len(graph)) if level[place] == row]
        for place in layer:
            label = text("\n".join(map(printable, graph.words(place))))
            lines.append(f'  n{place} [label={label}, fillcolor="{graph.fill(place)}"];')
        lines.append(f"  {{ rank=same; {' '.join(f'n{place};' for place in layer)} }}")
    for place, after in enumerate(graph.followers):
        for option in after:
            color, width, dashes = graph.look(place, option)
            style = ", style=dashed" * bool(dashes)
            lines.append(f'  n{place} -> n{option} [color="{color}", penwidth={width}{style}];')
    return "\n".join([*lines, "}", ""])


def svg(graph: Drawn, title: str = "") -> str:
    """The graph as an SVG picture. Raises ValueError for more than 1000 positions."""
    _checked(graph)
    words = [tuple(map(printable, graph.words(place))) for place in range(len(graph))]
    boxes = [max(34.0, LETTER * max(map(len, lines)) + 12) for lines in words]
    laid = arrange(graph, boxes, GAP)
    width = max(laid.width, LETTER * len(graph.legend), LETTER * len(title)) + 2 * MARGIN
    shift = (width - laid.width) / 2
    spot = {
        item: (laid.middle[item] + shift, TOP + k * (HEIGHT + BETWEEN) + HEIGHT / 2)
        for k, row in enumerate(laid.rows)
        for item in row
    }
    height = TOP + len(laid.rows) * (HEIGHT + BETWEEN) - BETWEEN + MARGIN
    lines = [
        tip("tip", "#444444"),
        f'<text x="{MARGIN}" y="22" font-size="14">{escaped(title)}</text>',
        f'<text x="{MARGIN}" y="42" fill="#444444">{graph.legend}</text>',
    ]
    ways = [(_down(spot[a], spot[b], a >= laid.boxes), look, b < laid.boxes) for a, b, _, look in laid.lines]
    ways += [(_back(spot[a], spot[b], boxes[a], boxes[b]), graph.look(a, b), True) for a, b in laid.back]
    for way, look, ends in sorted(ways, key=lambda found: found[1].width):
        lines.append(f'<path d="{way}" fill="none" {_stroke(look)}{TIP * ends}/>')
    for place, (name, label) in enumerate(words):
        x, y = spot[place]
        lines += [
            f'<rect x="{x - boxes[place] / 2:.1f}" y="{y - HEIGHT / 2:.1f}" width="{boxes[place]:.1f}" height="{HEIGHT}" rx="5" '
            f'fill="{graph.fill(place)}" stroke="#222222"/>',
            f'<text x="{x:.1f}" y="{y - 3:.1f}" text-anchor="middle">{escaped(name)}</text>',
            f'<text x="{x:.1f}" y="{y + 12:.1f}" text-anchor="middle" font-weight="bold">{escaped(label)}</text>',
        ]
    return sheet(width, height, title or graph.name(0), lines)


TIP = ' marker-end="url(#tip)"'
Spot = tuple[float, float]


def _stroke(look: Look) -> str:
    dashes = f' stroke-dasharray="{look.dashes}"' if look.dashes else ""
    return f'stroke="{look.color}" stroke-width="{look.width}"{dashes}'


def _down(start: Spot, end: Spot, bend: bool) -> str:
    """A curve from the bottom of a box, or of the height of one that a line passes, to the top of one in the next row."""
    (x, y), (u, v) = start, end
    a, b = y + HEIGHT / 2, v - HEIGHT / 2
    middle = (a + b) / 2
    first = f"M{x:.1f} {y - HEIGHT / 2:.1f}L{x:.1f} {a:.1f}" if bend else f"M{x:.1f} {a:.1f}"
    return f"{first}C{x:.1f} {middle:.1f} {u:.1f} {middle:.1f} {u:.1f} {b:.1f}"


def _back(start: Spot, end: Spot, mine: float, theirs: float) -> str:
    """A curve from the side of a box to the side of one that is as high, or higher."""
    (x, y), (u, v) = start, end
    if abs(y - v) < 1 and abs(x - u) > 1:
        side = 1 if u > x else -1
        a, b, low = x + side * mine / 4, u - side * theirs / 4, y + HEIGHT / 2
        return f"M{a:.1f} {low:.1f}C{a:.1f} {low + 30:.1f} {b:.1f} {low + 30:.1f} {b:.1f} {low:.1f}"
    side = 1 if u >= x else -1
    a, b = x + side * mine / 2, u + side * theirs / 2
    out = max(a * side, b * side) * side + side * (18 + (y - v) / 12)
    return f"M{a:.1f} {y:.1f}C{out:.1f} {y:.1f} {out:.1f} {v:.1f} {b:.1f} {v:.1f}"
