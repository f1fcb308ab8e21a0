"""SVG pictures of positions: stones on a digraph, Green Hackenbush."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence

from .svg import arrow_head, heading, svg_document

Edge = tuple[int, int]
Place = tuple[float, float]
BLUE, GREEN, DARK = "#0072B2", "#009E73", "#222222"
RADIUS, MIDDLE = 26.0, 150.0  # of a vertex with stones, and of the ring of vertices
STEP, FLOOR = 70.0, 30.0  # between two levels of Hackenbush, and below the ground


def stones_svg(edges: Sequence[Edge], stones: Sequence[int], title: str = "") -> str:
    """Return a picture of a digraph on a circle, the first vertex on top, with the number of stones on each."""
    n, wide = len(stones), 2 * (MIDDLE + RADIUS) + 60
    center = wide / 2, wide / 2 + 14
    places = [
        (center[0] + MIDDLE * math.sin(2 * math.pi * k / n), center[1] - MIDDLE * math.cos(2 * math.pi * k / n))
        for k in range(n)
    ]
    lines = [arrow_head("tip", DARK), *heading(title, 20, 22)]
    for u, v in edges:
        (x, y), (a, b) = places[u], places[v]
        length = math.hypot(a - x, b - y)
        p, q = (a - x) / length, (b - y) / length
        path = f"M{x + p * RADIUS:.1f} {y + q * RADIUS:.1f}Q{(x + a) / 2 + q * 18:.1f} {(y + b) / 2 - p * 18:.1f} "
        path += f"{a - p * (RADIUS + 2):.1f} {b - q * (RADIUS + 2):.1f}"
        lines.append(f'<path d="{path}" fill="none" stroke="{DARK}" stroke-width="2" marker-end="url(#tip)"/>')
    for vertex, ((x, y), count) in enumerate(zip(places, stones, strict=True)):
        lines.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS}" fill="#FFFFFF" stroke="{DARK}" stroke-width="1.5"/>'
        )
        lines += [_stone(x, y, k, count) for k in range(min(count, 7))] if count <= 7 else []
        if count > 7:
            lines.append(f'<text x="{x:.1f}" y="{y + 6:.1f}" font-size="18" text-anchor="middle">{count}</text>')
        right, down = (center[k] + (1 + (RADIUS + 14) / MIDDLE) * ((x, y)[k] - center[k]) for k in (0, 1))
        lines.append(f'<text x="{right:.1f}" y="{down + 4:.1f}" text-anchor="middle" fill="#444444">{vertex}</text>')
    return svg_document(wide, wide + 28, title or "stones on a digraph", lines)


def _stone(x: float, y: float, k: int, count: int) -> str:
    """Return the k-th stone of a vertex, of at most seven.

    One is in the middle, the others around it.
    """
    rest = count - 1 if count > 3 else count
    if count == 1 or (count > 3 and k == rest):
        a, b = x, y
    else:
        a, b = x + 14 * math.sin(2 * math.pi * k / rest), y - 14 * math.cos(2 * math.pi * k / rest)
    return f'<circle cx="{a:.1f}" cy="{b:.1f}" r="5.5" fill="{BLUE}"/>'


def hackenbush_svg(edges: Sequence[Edge], title: str = "") -> str:
    """Return a graph on the ground, vertex 0, as a tree with its further edges, in levels by the distance from it."""
    near: dict[int, list[int]] = defaultdict(list)
    for u, v in edges:
        near[u].append(v)
        near[v].append(u)
    children: dict[int, list[int]] = defaultdict(list)
    level, queue = {0: 0}, [0]
    for u in queue:
        for v in near[u]:
            if v not in level:
                level[v] = level[u] + 1
                children[u].append(v)
                queue.append(v)
    across: dict[int, float] = {}
    leaves = 0
    for u in _postorder(children):
        across[u] = sum(across[v] for v in children[u]) / len(children[u]) if children[u] else leaves
        leaves += not children[u]
    wide, high = max(240.0, 90.0 * leaves + 60), 60 + STEP * max(level.values()) + FLOOR
    base, shift = high - FLOOR, wide / 2 - 45.0 * (leaves - 1)

    def place(v: int, other: int) -> Place:
        return shift + 90 * across[v or (other if other in children[0] else 0)], base - STEP * level[v]

    lines = [*heading(title, 20, 22), f'<path d="M10 {base}H{wide - 10}" stroke="#444444" stroke-width="5"/>']
    number, seen = Counter(edges), Counter[Edge]()
    for u, v in edges:
        (x, y), (a, b) = place(u, v), place(v, u)
        seen[u, v] += 1
        bend = (seen[u, v] - (number[u, v] + 1) / 2) * 40
        if u == v:
            size = 26 + 10 * seen[u, v]
            path = f"M{x:.1f} {y:.1f}c{-size:.1f} {-size - 6:.1f} {size:.1f} {-size - 6:.1f} 0 0"
        else:
            flat = -STEP * 0.7 if u and level[u] == level[v] and abs(across[u] - across[v]) > 1.01 else 0
            bend += 26 if u == 0 and v not in children[0] else 0
            path = f"M{x:.1f} {y:.1f}Q{(x + a) / 2 + bend:.1f} {(y + b) / 2 + flat:.1f} {a:.1f} {b:.1f}"
        lines.append(f'<path d="{path}" fill="none" stroke="{GREEN}" stroke-width="5" stroke-linecap="round"/>')
    for v in sorted({v for edge in edges for v in edge} - {0}):
        x, y = place(v, 0)
        lines.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="9" fill="{DARK}"/>')
        lines.append(f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle" fill="#FFFFFF">{v}</text>')
    return svg_document(wide, high, title or "Green Hackenbush", lines)


def _postorder(children: dict[int, list[int]]) -> list[int]:
    """Return the vertices of a tree, each after its children, from left to right."""
    order, todo = [], [0]
    while todo:
        order.append(todo.pop())
        todo += children[order[-1]]  # the last child first; reversed below
    return order[::-1]
