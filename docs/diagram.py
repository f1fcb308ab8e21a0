"""The diagram of the architecture as SVG, from the lines `a --> b` of a mermaid block, with what is imported below what imports it."""

from __future__ import annotations

import re
from html import escape
from itertools import pairwise

BLOCK = re.compile(r"^```mermaid\n(.*?)^```$", re.M | re.S)
ARROW = re.compile(r"(\w+) --> (\w+)")
WIDE, HIGH, ACROSS, DOWN, EDGE = 96, 28, 120, 55, 8  # of a box; from box to box; around the diagram
GAP = 40  # of an arrow that crosses a level
SWEEPS = 8


def arrows(block: str) -> list[tuple[str, str]]:
    """Return the pairs (importing, imported) of a mermaid block."""
    return ARROW.findall(block)


def levels(pairs: list[tuple[str, str]]) -> list[list[str]]:
    """Return the names by the length of the longest path below them, with a place " start end" on each level that an arrow crosses.

    Each level is ordered so that few arrows cross.
    """
    names = list(dict.fromkeys(name for pair in pairs for name in reversed(pair)))
    depth: dict[str, int] = {}

    def of(name: str) -> int:
        if name not in depth:
            depth[name] = 1 + max((of(end) for start, end in pairs if start == name), default=-1)
        return depth[name]

    rows: list[list[str]] = [[name for name in names if of(name) == k] for k in range(1 + max(map(of, names)))]
    near: dict[str, list[str]] = {name: [] for name in names}
    for start, end in pairs:
        path = [f" {start} {end} {k}" for k in range(depth[end] + 1, depth[start])]
        for k, crossing in enumerate(path, depth[end] + 1):
            rows[k].append(crossing)
        for one, two in pairwise([end, *path, start]):
            near.setdefault(one, []).append(two)
            near.setdefault(two, []).append(one)
    for _ in range(SWEEPS):  # each below the mean of those that it is joined to
        place = places(rows)
        for row in rows:
            row.sort(key=lambda name: sum(place[other] for other in near[name]) / len(near[name]))
    return rows


def places(rows: list[list[str]]) -> dict[str, float]:
    """Return the horizontal place of the middle of each name and crossing, with rows centered."""
    found = {}
    for row in rows:
        widths = [GAP if name.startswith(" ") else ACROSS for name in row]
        left = -sum(widths) / 2
        for name, width in zip(row, widths, strict=True):
            found[name] = left + width / 2
            left += width
    return found


def svg(block: str) -> str:
    """Return the diagram as SVG, in the color of the text around it."""
    pairs = arrows(block)
    rows = levels(pairs)
    x = places(rows)
    y = {name: (len(rows) - 1 - level) * DOWN + HIGH / 2 + EDGE for level, row in enumerate(rows) for name in row}
    boxes = [name for name in x if not name.startswith(" ")]
    left, right = (sign * max(sign * x[name] for name in x) for sign in (-1, 1))
    width, height = right - left + WIDE + 2 * EDGE, (len(rows) - 1) * DOWN + HIGH + 2 * EDGE
    x = {name: place - left + WIDE / 2 + EDGE for name, place in x.items()}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" role="img" '
        'style="max-width: 100%; height: auto" aria-label="Subpackages; an arrow points to what is imported">',
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0.5 L8 4 L0 7.5 z" fill="currentColor"/></marker></defs>',
        '<g fill="none" stroke="currentColor" stroke-width="1" opacity="0.6">',
    ]
    for start, end in pairs:
        stops = [start, *sorted((name for name in x if name.startswith(f" {start} {end} ")), key=y.__getitem__), end]
        path = [f"M{x[start]:g} {y[start] + HIGH / 2:g}"]
        for one, two in pairwise(stops):
            top, bottom = y[one] + HIGH / 2, y[two] - HIGH / 2
            middle = (top + bottom) / 2
            path.append(f"L{x[one]:g} {top:g} C{x[one]:g} {middle:g} {x[two]:g} {middle:g} {x[two]:g} {bottom:g}")
        title = f"<title>{escape(start)} imports {escape(end)}</title>"
        parts.append(f'<path d="{" ".join(path)}" marker-end="url(#tip)">{title}</path>')
    parts.append(
        '</g><g fill="none" stroke="currentColor" font-family="sans-serif" font-size="14" text-anchor="middle">'
    )
    for name in boxes:
        corner = f'x="{x[name] - WIDE / 2:g}" y="{y[name] - HIGH / 2:g}"'
        parts.append(f'<rect {corner} width="{WIDE}" height="{HIGH}" rx="5"/>')
        parts.append(
            f'<text x="{x[name]:g}" y="{y[name] + 5:g}" fill="currentColor" stroke="none">{escape(name)}</text>'
        )
    return "\n".join([*parts, "</g></svg>\n"])


def drawn(source: str) -> str:
    """Return the text of a page with its mermaid blocks as diagrams."""
    return BLOCK.sub(lambda block: f"```{{raw}} html\n{svg(block[1])}```", source)
