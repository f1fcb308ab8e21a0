"""Graphs of games as pictures: layers, the language of Graphviz, and SVG, as plain text.

P-positions are blue boxes, N-positions white ones, draws grey ones; a move to a P-position is a thick line: it wins.
"""

from __future__ import annotations

from ...errors import printable, quoted
from .layout import Graph, arrange, layers

MOST_DRAWN = 1000  # positions of a picture
FILL = {"P": "#9CC9F0", "N": "#FFFFFF", "D": "#D8D8D8"}
LETTER, HEIGHT, GAP, BETWEEN = 7.2, 34, 14, 56  # of a character, a box, two boxes in a layer, two layers: in pixels
TOP, MARGIN = 60, 28
WINS = 'stroke="#0B4F9E" stroke-width="2.2"'
MOVES = 'stroke="#999999" stroke-width="0.9"'
TIP = ' marker-end="url(#tip)"'
LEGEND = "blue: P, the previous player wins; white: N; thick lines: moves that win"
DRAWS = "; grey: draws"


def _words(graph: Graph, place: int) -> tuple[str, str]:
    """The two lines in a box: the position; its label and nim-value."""
    try:
        value = f" {graph.values[place]}"
    except ValueError:
        value = ""
    return printable(graph.name(place)), graph.labels[place] + value


def _checked(graph: Graph) -> None:
    if len(graph) > MOST_DRAWN:
        raise ValueError(
            f"{quoted(graph.name(0))}: {len(graph)} positions are too many for a picture; at most {MOST_DRAWN}"
        )


def dot(graph: Graph, title: str = "") -> str:
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
            label = text("\n".join(_words(graph, place)))
            lines.append(f'  n{place} [label={label}, fillcolor="{FILL[graph.labels[place]]}"];')
        lines.append(f"  {{ rank=same; {' '.join(f'n{place};' for place in layer)} }}")
    for place, after in enumerate(graph.followers):
        for option in after:
            lines.append(f"  n{place} -> n{option}{' [penwidth=2.5]' if graph.labels[option] == 'P' else ''};")
    return "\n".join([*lines, "}", ""])


def svg(graph: Graph, title: str = "") -> str:
    """The graph as an SVG picture. Raises ValueError for more than 1000 positions."""
    _checked(graph)
    words = [_words(graph, place) for place in range(len(graph))]
    boxes = [max(34.0, LETTER * max(map(len, lines)) + 12) for lines in words]
    laid = arrange(graph, boxes, GAP)
    legend = LEGEND + DRAWS * ("D" in graph.labels)
    width = max(laid.width, LETTER * len(legend), LETTER * len(title)) + 2 * MARGIN
    shift = (width - laid.width) / 2
    spot = {
        item: (laid.middle[item] + shift, TOP + k * (HEIGHT + BETWEEN) + HEIGHT / 2)
        for k, row in enumerate(laid.rows)
        for item in row
    }
    height = TOP + len(laid.rows) * (HEIGHT + BETWEEN) - BETWEEN + MARGIN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}" font-family="Helvetica, Arial, sans-serif" font-size="12">',
        f"<title>{_escaped(title or graph.name(0))}</title>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
        'markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" fill="#444444"/></marker></defs>',
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="#FFFFFF"/>',
        f'<text x="{MARGIN}" y="22" font-size="14">{_escaped(title)}</text>',
        f'<text x="{MARGIN}" y="42" fill="#444444">{legend}</text>',
    ]
    ways = [(_down(spot[a], spot[b], a >= laid.boxes), to, b < laid.boxes) for a, b, to in laid.lines]
    ways += [(_back(spot[a], spot[b], boxes[a], boxes[b]), b, True) for a, b in laid.back]
    for way, to, ends in sorted(ways, key=lambda found: graph.labels[found[1]] == "P"):
        look = WINS if graph.labels[to] == "P" else MOVES
        lines.append(f'<path d="{way}" fill="none" {look}{TIP * ends}/>')
    for place, (name, label) in enumerate(words):
        x, y = spot[place]
        lines += [
            f'<rect x="{x - boxes[place] / 2:.1f}" y="{y - HEIGHT / 2:.1f}" width="{boxes[place]:.1f}" height="{HEIGHT}" rx="5" '
            f'fill="{FILL[graph.labels[place]]}" stroke="#222222"/>',
            f'<text x="{x:.1f}" y="{y - 3:.1f}" text-anchor="middle">{_escaped(name)}</text>',
            f'<text x="{x:.1f}" y="{y + 12:.1f}" text-anchor="middle" font-weight="bold">{label}</text>',
        ]
    return "\n".join([*lines, "</svg>", ""])


Spot = tuple[float, float]


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


def _escaped(text: str) -> str:
    return printable(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
