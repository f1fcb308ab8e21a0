"""Where the positions of a game's graph stand in a picture: in layers, and a way for each move past the boxes between."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

SWEEPS = 12
SLOT = 4.0  # pixels that a line takes in a layer which it passes


class Graph(Protocol):
    """What a picture asks of a graph of options: see digraph.Digraph."""

    @property
    def followers(self) -> Sequence[Sequence[int]]:
        """The options of each position."""

    @property
    def leaders(self) -> Sequence[Sequence[int]]:
        """The positions from which there is a move to it."""

    @property
    def longest(self) -> Sequence[int]:
        """The moves of the longest play from each. Raises ValueError where plays need not end."""

    def look(self, place: int, option: int) -> Look:
        """How a move is drawn: those that are drawn alike, to the same position, share their way."""

    def __len__(self) -> int: ...


class Look(NamedTuple):
    """How a line is drawn: its color, how wide, and the lengths of its dashes and gaps ("" for none)."""

    color: str
    width: float
    dashes: str = ""


Line = tuple[int, int, int, Look]  # from an item to one in the next row, on the way to a position


@dataclass(frozen=True)
class Layout:
    """rows: items from the top down, left to right. An item below `boxes` is a position, the others are bends of lines.

    middle: where each item is, across. width: of all. lines: pairs of items in rows that follow each other, with the position
    that the line leads to, and its look. back: moves (place, option) that go up, or stay in a row.
    """

    boxes: int
    rows: list[list[int]]
    middle: dict[int, float]
    width: float
    lines: list[Line]
    back: list[tuple[int, int]]


def layers(graph: Graph) -> list[int]:
    """The layer of each position: by the longest play that is left, so that no move goes up; in a tree, and where plays need not
    end, by the distance from the start."""
    if not is_tree(graph):
        try:
            return [max(graph.longest) - left for left in graph.longest]
        except ValueError:  # a play comes back
            pass
    level = [-1] * len(graph)
    for place in range(len(graph)):  # they come in the order of their distance, from each start
        level[place] = max(level[place], 0)
        for option in graph.followers[place]:
            if level[option] < 0:
                level[option] = level[place] + 1
    return level


def is_tree(graph: Graph) -> bool:
    """Does no position come from two?"""
    return all(len(before) < 2 for before in graph.leaders)


def arrange(graph: Graph, widths: list[float], gap: float) -> Layout:
    """Rows in which positions, and the lines that pass, are near to what they hang together with.

    Lines to the same position share their way.
    """
    level = layers(graph)
    rows: list[list[int]] = [[] for _ in range(max(level) + 1)]
    lines: dict[Line, None] = {}
    bends: dict[tuple[int, Look, int], int] = {}
    back = []
    for place in _in_depth(graph):
        rows[level[place]].append(place)
        for option in graph.followers[place]:
            if level[option] <= level[place]:
                back.append((place, option))
                continue
            item, look = place, graph.look(place, option)
            for row in range(level[place] + 1, level[option]):
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


def _in_depth(graph: Graph) -> list[int]:
    order: dict[int, None] = {}
    todo = list(range(len(graph)))[::-1]
    while todo:
        place = todo.pop()
        if place not in order:
            order[place] = None
            todo.extend(option for option in reversed(graph.followers[place]) if option not in order)
    return list(order)


Near = dict[int, list[int]]


def _neighbors(lines: Iterable[Line]) -> tuple[Near, Near]:
    above: Near = defaultdict(list)
    below: Near = defaultdict(list)
    for top, bottom, *_ in lines:
        below[top].append(bottom)
        above[bottom].append(top)
    return above, below


def _sort(rows: list[list[int]], above: Near, below: Near) -> None:
    """Each row by the mean places of what its items hang together with, down and up again and again."""
    where = {item: (k + 0.5) / len(row) for row in rows for k, item in enumerate(row)}
    for sweep in range(2 * SWEEPS):
        side, order = ((above, rows), (below, rows[::-1]))[sweep % 2]
        for row in order:
            mean = {i: sum(where[j] for j in side[i]) / len(side[i]) if side[i] else where[i] for i in row}
            row.sort(key=mean.__getitem__)
            where.update({item: (k + 0.5) / len(row) for k, item in enumerate(row)})


def _spread(rows: list[list[int]], above: Near, below: Near, size: dict[int, float], gap: float) -> dict[int, float]:
    """The middle of each item: as near to the mean of its neighbors' as its row lets it."""
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
    """The numbers that rise, or stay, nearest to these in squares: neighbors that fall share their mean."""
    blocks: list[tuple[float, int]] = []
    for number in wish:
        blocks.append((number, 1))
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            (a, m), (b, n) = blocks[-2:]
            blocks[-2:] = [((a * m + b * n) / (m + n), m + n)]
    return [mean for mean, count in blocks for _ in range(count)]
