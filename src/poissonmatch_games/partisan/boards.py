"""Domineering and Hackenbush."""

import re
from functools import reduce
from operator import or_
from typing import Any, ClassVar

from poissonmatch.utils.errors import quoted

from ..cost_bounds import MemoryBound
from ..impartial.hackenbush import grounded
from .rulesets import Ruleset
from .values import ZERO, Game, simplify


class Domineering(Ruleset):
    """Domineering: Left places vertical dominoes, Right horizontal ones [Winning Ways, ch. 5].

    The value is the sum of those of the connected regions, each remembered up to reflection.

    Parameters
    ----------
    position : str or iterable of (int, int)
        Rows of '.' (empty) and '#' (taken) joined by '/', as in "../.#"; or the empty cells (row,
        column).

    Raises
    ------
    ValueError
        If the text has other characters.

    Examples
    --------
    >>> [pm.games.partisan.Domineering(board).value for board in ("../..", "../.#", ".../...")]
    [+-1, *, {2|-1/2}]
    """

    _shapes: ClassVar[dict[tuple[int, int], Game]] = {}  # values of regions by their cells and the width of the board

    @classmethod
    def read(cls, position: Any) -> frozenset[tuple[int, int]]:
        """Return the empty cells (row, column)."""
        if not isinstance(position, str):
            return frozenset((int(r), int(c)) for r, c in position)
        if set(position) - set(".#/"):
            raise ValueError(f"a board of Domineering must be written with '.', '#' and '/', got {quoted(position)}")
        return frozenset((r, c) for r, row in enumerate(position.split("/")) for c, x in enumerate(row) if x == ".")

    @classmethod
    def show(cls, position: Any) -> str:
        """Return the board as rows of '.' and '#'.

        It begins at cell (0, 0), or at a smaller row and column.

        Examples
        --------
        >>> pm.games.partisan.Domineering.show({(0, 1), (1, 0)})
        '#./.#'
        """
        rows, columns = ({0, *(cell[i] for cell in position)} for i in (0, 1))
        across = range(min(columns), max(columns) + 1)
        return "/".join("".join("#."[(r, c) in position] for c in across) for r in range(min(rows), max(rows) + 1))

    def __repr__(self) -> str:
        return f"Domineering({self.show(self.position)!r})"

    @staticmethod
    def left_moves(cells: frozenset[tuple[int, int]]) -> list[frozenset[tuple[int, int]]]:
        """Return the boards after a vertical domino."""
        return [cells - {(r, c), (r + 1, c)} for r, c in cells if (r + 1, c) in cells]

    @staticmethod
    def right_moves(cells: frozenset[tuple[int, int]]) -> list[frozenset[tuple[int, int]]]:
        """Return the boards after a horizontal domino."""
        return [cells - {(r, c), (r, c + 1)} for r, c in cells if (r, c + 1) in cells]

    @classmethod
    def _evaluate(cls, start: Any) -> Game:
        """Return the sum of the values of the connected regions, each remembered up to translation and reflection."""
        if not start:
            return ZERO
        top, left = (min(cell[i] for cell in start) for i in (0, 1))
        width = max(column for _, column in start) - left + 2  # with an empty column between two rows
        return cls._sum_of_regions(sum(1 << (row - top) * width + column - left for row, column in start), width)

    @classmethod
    def _sum_of_regions(cls, cells: int, width: int) -> Game:
        total = ZERO
        while cells:
            region, before = cells & -cells, 0
            while region != before:
                before = region
                region |= (region << 1 | region >> 1 | region << width | region >> width) & cells
            cells ^= region
            if region & (region - 1):  # more than one cell
                value = cls._region(region, width)
                total = value if total is ZERO else total + value
        return total

    @classmethod
    def _region(cls, cells: int, width: int) -> Game:
        shape = cells // (cells & -cells), width
        if shape not in cls._shapes:
            cls._shapes[shape] = cls._reflected(cells, width)
        return cls._shapes[shape]

    @classmethod
    def _reflected(cls, cells: int, width: int) -> Game:
        rows, full = [], (1 << width) - 1
        while cells:
            if row := cells & full:
                rows.append(row)
            cells >>= width
        used = reduce(or_, rows)
        shift = (used & -used).bit_length() - 1
        wide = used.bit_length() - shift
        lines = [f"{row >> shift:0{wide}b}" for row in rows]
        key = _least(lines)
        if (
            key not in cls._values
            and (turned := _least(["".join(column) for column in zip(*lines, strict=True)])) in cls._values
        ):
            cls._values[key] = -cls._values[turned]
        if key not in cls._values:
            if len(cls._values) >= cls.max_positions:
                raise MemoryBound(f"more than {cls.max_positions} regions of Domineering")
            columns = wide + 1
            board = sum(row << i * columns for i, row in enumerate(key))
            sides: list[list[Game]] = []
            for step in (columns, 1):
                starts, options = board & board >> step, []
                while starts:
                    cell = starts & -starts
                    starts ^= cell
                    options.append(cls._sum_of_regions(board & ~(cell | cell << step), columns))
                sides.append(options)
            cls._values[key] = simplify(sides[0], sides[1])
        return cls._values[key]


def _least(lines: list[str]) -> tuple[int, ...]:
    """Return the least of the reflections of a region, given by its rows of 0 and 1, as a tuple of binary numbers."""
    plain, mirrored = (tuple(int(line[::step], 2) for line in lines) for step in (1, -1))
    return min(plain, plain[::-1], mirrored, mirrored[::-1])


Edges = tuple[tuple[int, int, str], ...]


class Hackenbush(Ruleset):
    """Hackenbush: cut an edge of one's color; edges no longer connected to the ground are removed.

    Strings of L and R are numbers (Berlekamp's rule, Winning Ways, ch. 3).

    Parameters
    ----------
    position : str
        The edges of a string from the ground up, by their colors L (Left's), R (Right's), G (either player's), as in
        "LRG"; or the edges of a graph on the ground, vertex 0, as in "0-1L 1-2R 0-2G".

    Raises
    ------
    ValueError
        If the text is neither, or an edge is not connected to the ground.

    Examples
    --------
    >>> [pm.games.partisan.Hackenbush(string).value for string in ("LRR", "LLRLR", "GGG", "GL")]
    [1/4, 13/8, *3, ^*]
    >>> pm.games.partisan.Hackenbush("0-1L 0-2L 1-2R").value, pm.games.partisan.Hackenbush("0-1G 1-2L 1-3R").value
    (1, *)
    """

    @classmethod
    def read(cls, position: Any) -> Edges:
        """Return the edges (vertex, vertex, color), sorted."""
        if isinstance(position, str) and not set(position) - set("LRG"):
            return tuple((i, i + 1, color) for i, color in enumerate(position))
        pairs = [f"{u}-{v}{c}" for u, v, c in position] if isinstance(position, tuple | list) else [str(position)]
        words = " ".join(pairs).replace(",", " ").split()
        found = [re.fullmatch(r"(\d{1,9})-(\d{1,9})([LRG])", word) for word in words]
        if not all(found):
            example = "LRG, or edges, as in '0-1L 1-2R 0-2G'"
            raise ValueError(
                f"a position of Hackenbush must be written with L, R and G, as in {example}, got {quoted(position)}"
            )
        edges = tuple(
            sorted((min(int(u), int(v)), max(int(u), int(v)), c) for u, v, c in (e.groups() for e in found if e))
        )
        if loose := set(edges) - set(grounded(edges)):
            u, v, color = min(loose)
            raise ValueError(f"edge {u}-{v}{color} is not connected to the ground, vertex 0")
        return edges

    @classmethod
    def show(cls, position: Any) -> str:
        """Return the colors of a string, or the edges."""
        if all(edge[:2] == (i, i + 1) for i, edge in enumerate(position)):
            return "".join(color for _, _, color in position)
        return " ".join(f"{u}-{v}{color}" for u, v, color in position)

    @staticmethod
    def left_moves(edges: Edges) -> list[Edges]:
        """Return the graphs after a cut at L or G."""
        return _cuts(edges, "LG")

    @staticmethod
    def right_moves(edges: Edges) -> list[Edges]:
        """Return the graphs after a cut at R or G."""
        return _cuts(edges, "RG")

    def __repr__(self) -> str:
        return f"Hackenbush({self.show(self.position)!r})"


def _cuts(edges: Edges, colors: str) -> list[Edges]:
    return [grounded(edges[:i] + edges[i + 1 :]) for i, edge in enumerate(edges) if edge[2] in colors]
