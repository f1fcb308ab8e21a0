"""Layered layout of a graph: coordinates of the boxes, and paths of the lines around them."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from .digraph import Digraph, Look

SWEEPS = 12
SLOT = 4.0  # pixels for a line that crosses a layer
Near = dict[int, list[int]]
Line = tuple[int, int, int, Look]  # from an item to an item of the next row, and the position that the line leads to


@dataclass(frozen=True)
class Layout:
    """Coordinates of boxes and lines."""

    boxes: int  # items below this number are positions, the others are bends of lines
    rows: list[list[int]]  # the items, from top to bottom and from left to right
    middle: dict[int, float]  # horizontal coordinate of each item
    width: float
    lines: list[Line]  # between items of consecutive rows
    back: list[tuple[int, int]]  # moves (position, option) that go up or stay in a row


def layers(graph: Digraph) -> list[int]:
    """Return the layer of each position: by the longest remaining play; in a tree, and if plays need not end, by the distance from the start."""
    if not is_tree(graph):
        try:
            return [max(graph.longest) - moves for moves in graph.longest]
        except ValueError:  # a play can return to a position
            pass
    level = [-1] * len(graph)
    for vertex in range(len(graph)):  # in the order of their distance from each start
        level[vertex] = max(level[vertex], 0)
        for option in graph.followers[vertex]:
            if level[option] < 0:
                level[option] = level[vertex] + 1
    return level


def is_tree(graph: Digraph) -> bool:
    """Return whether each position is an option of at most one."""
    return all(len(before) < 2 for before in graph.leaders)


def arrange(graph: Digraph, widths: list[float], gap: float) -> Layout:
    """Return a layout in which positions and lines are near their neighbors. Lines to the same position share their path."""
    level = layers(graph)
    rows: list[list[int]] = [[] for _ in range(max(level) + 1)]
    lines: dict[Line, None] = {}
    bends: dict[tuple[int, Look, int], int] = {}
    back = []
    for vertex in _depth_first(graph):
        rows[level[vertex]].append(vertex)
        for option in graph.followers[vertex]:
            if level[option] <= level[vertex]:
                back.append((vertex, option))
                continue
            item, look = vertex, graph.look(vertex, option)
            for row in range(level[vertex] + 1, level[option]):
                if (option, look, row) not in bends:
                    bends[option, look, row] = len(graph) + len(bends)
                    rows[row].append(bends[option, look, row])
                lines[item, bends[option, look, row], option, look] = None
                item = bends[option, look, row]
            lines[item, option, option, look] = None
    above, below = _neighbors(lines)
    if not is_tree(graph):
        _sort(rows, above, below)
    size = {item: widths[item] if item < len(graph) else SLOT for row in rows for item in row}
    middle = _spread(rows, above, below, size, gap)
    left = min(middle[row[0]] - size[row[0]] / 2 for row in rows)
    right = max(middle[row[-1]] + size[row[-1]] / 2 for row in rows)
    return Layout(len(graph), rows, {item: x - left for item, x in middle.items()}, right - left, list(lines), back)


def _depth_first(graph: Digraph) -> list[int]:
    order: dict[int, None] = {}
    todo = list(range(len(graph)))[::-1]
    while todo:
        vertex = todo.pop()
        if vertex not in order:
            order[vertex] = None
            todo.extend(option for option in reversed(graph.followers[vertex]) if option not in order)
    return list(order)


def _neighbors(lines: Iterable[Line]) -> tuple[Near, Near]:
    above: Near = defaultdict(list)
    below: Near = defaultdict(list)
    for top, bottom, *_ in lines:
        below[top].append(bottom)
        above[bottom].append(top)
    return above, below


def _sort(rows: list[list[int]], above: Near, below: Near) -> None:
    """Sort each row by the mean coordinates of neighboring items, in alternating sweeps."""
    where = {item: (k + 0.5) / len(row) for row in rows for k, item in enumerate(row)}
    for sweep in range(2 * SWEEPS):
        side, order = ((above, rows), (below, rows[::-1]))[sweep % 2]
        for row in order:
            mean = {i: sum(where[j] for j in side[i]) / len(side[i]) if side[i] else where[i] for i in row}
            row.sort(key=mean.__getitem__)
            where.update({item: (k + 0.5) / len(row) for k, item in enumerate(row)})


def _spread(rows: list[list[int]], above: Near, below: Near, size: dict[int, float], gap: float) -> dict[int, float]:
    """Return the coordinate of each item: near the mean of its neighbors, without overlaps in its row."""
    middle: dict[int, float] = {}
    shifts = {}
    for row in rows:
        x, shift = 0.0, []
        for k, item in enumerate(row):
            x += (size[row[k - 1]] + size[item]) / 2 + gap if k else 0
            shift.append(x)
        shifts[id(row)] = shift
        middle.update({item: s - x / 2 for item, s in zip(row, shift, strict=True)})
    for sweep in range(2 * SWEEPS):
        for row in rows if sweep % 2 == 0 else rows[::-1]:
            near = {i: [*above[i], *below[i]] for i in row}
            wish = [sum(middle[j] for j in near[i]) / len(near[i]) if near[i] else middle[i] for i in row]
            placed = _rising([w - s for w, s in zip(wish, shifts[id(row)], strict=True)])
            middle.update({item: p + s for item, p, s in zip(row, placed, shifts[id(row)], strict=True)})
    return middle


def _rising(wish: list[float]) -> list[float]:
    """Return the nondecreasing numbers nearest to these in least squares (isotonic regression)."""
    blocks: list[tuple[float, int]] = []
    for number in wish:
        blocks.append((number, 1))
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            (a, m), (b, n) = blocks[-2:]
            blocks[-2:] = [((a * m + b * n) / (m + n), m + n)]
    return [mean for mean, count in blocks for _ in range(count)]
