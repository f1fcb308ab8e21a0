"""Pictures of graphs as text: DOT (Graphviz) and SVG, in layers."""

from poissonmatch.utils.errors import printable, quoted

from .digraph import Digraph
from .layout import arrange, layers
from .svg import escaped, sheet, tip

MAX_DRAWN = 1000  # positions of a picture
# in pixels: width of a character, height of a box, gap between two boxes of a layer, gap between two layers
LETTER, HEIGHT, GAP, BETWEEN = 7.2, 34, 14, 56
TOP, MARGIN = 60, 28
TIP = ' marker-end="url(#tip)"'
Spot = tuple[float, float]


class DrawnDigraph(Digraph):
    """A graph that writes itself as a picture."""

    def _check(self) -> None:
        if len(self) > MAX_DRAWN:
            name = quoted(self.name(0))
            raise ValueError(f"{name}: {len(self)} positions are too many for a picture; at most {MAX_DRAWN}")

    def to_dot(self, title: str = "") -> str:
        """Return the graph in the DOT language of Graphviz, in layers. Raises ValueError for more than 1000 positions."""
        self._check()

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
        level = layers(self)
        for row in range(max(level) + 1):
            layer = [vertex for vertex in range(len(self)) if level[vertex] == row]
            for vertex in layer:
                label = text("\n".join(map(printable, self.text(vertex))))
                lines.append(f'  n{vertex} [label={label}, fillcolor="{self.fill(vertex)}"];')
            lines.append(f"  {{ rank=same; {' '.join(f'n{vertex};' for vertex in layer)} }}")
        for vertex, options in enumerate(self.followers):
            for option in options:
                color, width, dashes = self.look(vertex, option)
                style = ", style=dashed" * bool(dashes)
                lines.append(f'  n{vertex} -> n{option} [color="{color}", penwidth={width}{style}];')
        return "\n".join([*lines, "}", ""])

    def to_svg(self, title: str = "") -> str:
        """Return the graph as an SVG picture, in layers. Raises ValueError for more than 1000 positions."""
        self._check()
        texts = [tuple(map(printable, self.text(vertex))) for vertex in range(len(self))]
        boxes = [max(34.0, LETTER * max(map(len, lines)) + 12) for lines in texts]
        laid = arrange(self, boxes, GAP)
        width = max(laid.width, LETTER * len(self.legend), LETTER * len(title)) + 2 * MARGIN
        shift = (width - laid.width) / 2
        spot: dict[int, Spot] = {}
        for k, row in enumerate(laid.rows):
            middle = TOP + k * (HEIGHT + BETWEEN) + HEIGHT / 2
            spot |= {item: (laid.middle[item] + shift, middle) for item in row}
        height = TOP + len(laid.rows) * (HEIGHT + BETWEEN) - BETWEEN + MARGIN
        lines = [
            tip("tip", "#444444"),
            f'<text x="{MARGIN}" y="22" font-size="14">{escaped(title)}</text>',
            f'<text x="{MARGIN}" y="42" fill="#444444">{self.legend}</text>',
        ]
        paths = [(_down(spot[a], spot[b], a >= laid.boxes), look, b < laid.boxes) for a, b, _, look in laid.lines]
        paths += [(_back(spot[a], spot[b], boxes[a], boxes[b]), self.look(a, b), True) for a, b in laid.back]
        for path, (color, line_width, pattern), ends in sorted(paths, key=lambda entry: entry[1].width):
            stroke = f'stroke="{color}" stroke-width="{line_width}"' + f' stroke-dasharray="{pattern}"' * bool(pattern)
            lines.append(f'<path d="{path}" fill="none" {stroke}{TIP * ends}/>')
        for vertex, (name, label) in enumerate(texts):
            x, y = spot[vertex]
            lines += [
                f'<rect x="{x - boxes[vertex] / 2:.1f}" y="{y - HEIGHT / 2:.1f}" width="{boxes[vertex]:.1f}" height="{HEIGHT}" '
                f'rx="5" fill="{self.fill(vertex)}" stroke="#222222"/>',
                f'<text x="{x:.1f}" y="{y - 3:.1f}" text-anchor="middle">{escaped(name)}</text>',
                f'<text x="{x:.1f}" y="{y + 12:.1f}" text-anchor="middle" font-weight="bold">{escaped(label)}</text>',
            ]
        return sheet(width, height, title or self.name(0), lines)


def _down(start: Spot, end: Spot, bend: bool) -> str:
    """Return a curve from the bottom of a box, or from the top of a bend, to the top of a box in the next row."""
    (x, y), (u, v) = start, end
    a, b = y + HEIGHT / 2, v - HEIGHT / 2
    middle = (a + b) / 2
    first = f"M{x:.1f} {y - HEIGHT / 2:.1f}L{x:.1f} {a:.1f}" if bend else f"M{x:.1f} {a:.1f}"
    return f"{first}C{x:.1f} {middle:.1f} {u:.1f} {middle:.1f} {u:.1f} {b:.1f}"


def _back(start: Spot, end: Spot, width: float, other_width: float) -> str:
    """Return a curve from the side of a box to the side of a box in the same row or above."""
    (x, y), (u, v) = start, end
    if abs(y - v) < 1 and abs(x - u) > 1:
        side = 1 if u > x else -1
        a, b, low = x + side * width / 4, u - side * other_width / 4, y + HEIGHT / 2
        return f"M{a:.1f} {low:.1f}C{a:.1f} {low + 30:.1f} {b:.1f} {low + 30:.1f} {b:.1f} {low:.1f}"
    side = 1 if u >= x else -1
    a, b = x + side * width / 2, u + side * other_width / 2
    out = max(a * side, b * side) * side + side * (18 + (y - v) / 12)
    return f"M{a:.1f} {y:.1f}C{out:.1f} {y:.1f} {out:.1f} {v:.1f} {b:.1f} {v:.1f}"
