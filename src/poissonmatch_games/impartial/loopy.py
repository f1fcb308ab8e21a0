"""Games whose plays need not end, with draws: Poker Nim, Northcott's game, and user-defined games.

The players of these two games move different pieces: a position is given from the side of the
player to move. Sources: [WW] Berlekamp, Conway, Guy, *Winning Ways*, ch. 3 and 12; [M] MIT SP.268,
*Theory of impartial games*.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from functools import reduce
from operator import xor
from typing import Any

from poissonmatch.utils.errors import quoted

from .base import ImpartialGame
from .heaps import Nim
from .impartial_graphs import OptionGraph, option_graph
from .nim_advice import practical
from .position_checks import as_count, as_heaps


class LoopyGame(ImpartialGame):
    """Base class of games whose plays need not end; an infinite play is a draw.

    A ruleset defines `options`.

    Outcomes are "P", "N" and "D" (draw); there are no nim-values. Outcomes come from retrograde
    analysis of all reachable positions, at most `max_positions` ([WW] ch. 12). Winning moves are
    ordered so that a play of them ends.

    Examples
    --------
    >>> # take one of n coins, or double them modulo 7
    >>> class Doubling(pm.games.impartial.LoopyGame):
    ...     options = lambda self, n: (n - 1, 2 * n % 7) if n else ()
    >>> [Doubling().outcome(n) for n in range(7)]
    ['P', 'N', 'D', 'D', 'D', 'D', 'D']
    >>> Doubling().drawing_moves(3), Doubling().remoteness(1)
    ([2, 6], 1)
    """

    max_positions, _reason = 200_000, "its plays need not end"

    def _vertex(self, position: Any, misere: bool) -> tuple[OptionGraph, int]:
        """Return a graph that contains the position, the last one if possible, and its number there."""
        last: dict[bool, tuple[OptionGraph, dict[Any, int]]] = self.__dict__.setdefault("_last", {})
        if misere not in last or position not in last[misere][1]:
            graph = option_graph(self, position, misere=misere, max_positions=self.max_positions)
            last[misere] = graph, {p: vertex for vertex, p in enumerate(graph.positions)}
        graph, numbers = last[misere]
        return graph, numbers[position]

    def _known(self, position: Any, misere: bool) -> str:
        """Return the outcome by a theorem; "" if the graph is needed."""
        return ""

    def _outcome(self, position: Any, misere: bool) -> str:
        if known := self._known(position, misere):
            return known
        graph, vertex = self._vertex(position, misere)
        return graph.labels[vertex]

    def _is_p(self, position: Any, misere: bool) -> bool:
        return self._outcome(position, misere) == "P"

    def _value(self, position: Any, misere: bool) -> int:
        raise ValueError(f"this game has no nim-values, since {self._reason}; see `outcome`")

    def remoteness(self, position: Any, *, misere: bool | None = None) -> int | None:
        """Return the number of moves to the end.

        The winner plays for a short game, the loser for a long one.

        Parameters
        ----------
        position : a position
            In a form that `validate` accepts.
        misere : bool, optional
            Play convention, by default that of the game.

        Returns
        -------
        int or None
            Number of moves; None for a draw.
        """
        graph, vertex = self._vertex(self.validate(position), self._play(misere))
        return graph.remoteness[vertex]

    def _candidates(self, position: Any, misere: bool) -> Iterable[Any]:
        """Return the winning moves, those nearest to the end first."""
        if self._known(position, misere):
            return self.options(position)
        graph, vertex = self._vertex(position, misere)
        winning = [option for option in graph.followers[vertex] if graph.labels[option] == "P"]
        return [graph.positions[option] for option in sorted(winning, key=lambda option: graph.remoteness[option] or 0)]

    def drawing_moves(self, position: Any, *, misere: bool | None = None) -> list[Any]:
        """Return the options from which neither player can force an end.

        Parameters
        ----------
        position : a position
            In a form that `validate` accepts.
        misere : bool, optional
            Play convention, by default that of the game.

        Returns
        -------
        list of positions
            Positions after the moves.
        """
        valid, play = self.validate(position), self._play(misere)
        if self._known(valid, play):
            return []
        graph, vertex = self._vertex(valid, play)
        return [graph.positions[option] for option in graph.followers[vertex] if graph.labels[option] == "D"]


class _DisguisedNim(LoopyGame):
    """Nim with reversible moves.

    In normal play, a position is P exactly if the XOR of the heaps is 0 ([WW] ch. 3); misere play
    is searched.
    """

    @abstractmethod
    def heaps(self, position: Any) -> tuple[int, ...]:
        """Return the equivalent heaps of Nim."""

    @abstractmethod
    def shrink(self, position: Any, heap: int, size: int) -> Any:
        """Return the option in which heap number `heap` has this smaller size."""

    def _known(self, position: Any, misere: bool) -> str:
        return "" if misere else "N" if reduce(xor, self.heaps(position), 0) else "P"

    def _candidates(self, position: Any, misere: bool) -> Iterator[Any]:
        heaps = () if misere else self.heaps(position)
        total = reduce(xor, heaps, 0)
        for i, heap in enumerate(heaps):
            if heap ^ total < heap:
                yield self.shrink(position, i, heap ^ total)
        yield from super()._candidates(position, misere)

    def advice(self, position: Any, *, misere: bool | None = None) -> list[str]:
        """Return the practical strategy of the equivalent Nim position in words."""
        if self._play(misere):
            return []
        heaps = self.heaps(self.validate(position))
        first = f"This is Nim with heaps {' '.join(map(str, heaps))}; undo every move that enlarges a heap."
        return [first, *practical(heaps, False)]


class PokerNim(_DisguisedNim):
    """Poker Nim: a player moves chips between a heap and their own bag.

    Chips from the bag may go to an empty heap, but not to a new one.

    A position is (heaps, own bag, other bag); the bag of the player to move comes first.
    """

    def validate(self, position: Any) -> Any:
        """Return (heaps, own bag, other bag) with the heaps as a tuple."""
        heaps, own, other = _parts(position, 3, "a position (heaps, own bag, other bag)")
        return as_heaps(heaps), as_count(own, "a bag"), as_count(other, "a bag")

    def options(self, position: Any) -> Iterator[Any]:
        """Yield the positions after one move, heap by heap."""
        heaps, own, other = self.validate(position)
        for i, heap in enumerate(heaps):
            for size in range(heap + own + 1):
                if size != heap:
                    yield (*heaps[:i], size, *heaps[i + 1 :]), other, own + heap - size

    def heaps(self, position: Any) -> tuple[int, ...]:
        """Return the heaps."""
        return position[0]

    def shrink(self, position: Any, heap: int, size: int) -> Any:
        """Return the option in which a heap has this smaller size."""
        heaps, own, other = position
        return (*heaps[:heap], size, *heaps[heap + 1 :]), other, own + heaps[heap] - size

    def turned(self, position: Any) -> Any:
        """Return the position with the bags exchanged."""
        heaps, own, other = position
        return heaps, other, own

    def read(self, text: str) -> Any:
        """Return the heaps and bags given as text, as in "3 4 5 | 2 | 0".

        Without bags, these are empty.
        """
        heaps, *bags = text.split("|")
        if len(bags) not in (0, 2):
            raise ValueError(f"a position must be heaps and two bags, as in '3 4 5 | 2 | 0', got {quoted(text)}")
        own, other = (self._bag(bag) for bag in bags) if bags else (0, 0)
        return self.validate((Nim().read(heaps), own, other))

    @staticmethod
    def _bag(text: str) -> int:
        bag = Nim().read(text)
        if len(bag) != 1:
            raise ValueError(f"a bag must be one number, got {quoted(text)}")
        return bag[0]

    def show(self, position: Any) -> str:
        """Return the heaps and bags as text, as in "3 4 5 | 2 | 0"."""
        heaps, own, other = position
        return f"{' '.join(map(str, heaps))} | {own} | {other}"


class Northcott(_DisguisedNim):
    """Northcott's game: move a checker along its row, not onto or over that of the other player.

    Each row has a checker of each player.

    A position is a tuple of rows (length, own square, other square); the checker of the player to
    move comes first. The squares between two checkers are a heap of Nim.
    """

    def validate(self, position: Any) -> Any:
        """Return the rows as tuples (length, own square, other square)."""
        rows = []
        for row in position if isinstance(position, tuple | list) else _parts(position, 0, "a tuple of rows"):
            parts = _parts(row, 3, "a row (length, own square, other square)")
            length, own, other = (as_count(part, "a square") for part in parts)
            if own == other or max(own, other) >= length:
                raise ValueError(f"a row must have two checkers on two of its squares, got {quoted(row)}")
            rows.append((length, own, other))
        return tuple(rows)

    def options(self, position: Any) -> Iterator[Any]:
        """Yield the positions after one move, row by row."""
        rows = self.validate(position)
        for i, (length, own, other) in enumerate(rows):
            for to in range(other) if own < other else range(other + 1, length):
                if to != own:
                    yield self._moved(rows, i, to)

    def _moved(self, rows: Any, row: int, to: int) -> Any:
        length, _, other = rows[row]
        return self.turned((*rows[:row], (length, to, other), *rows[row + 1 :]))

    def turned(self, position: Any) -> Any:
        """Return the position with the checkers exchanged."""
        return tuple((length, other, own) for length, own, other in position)

    def heaps(self, position: Any) -> tuple[int, ...]:
        """Return the numbers of squares between the checkers."""
        return tuple(abs(own - other) - 1 for _, own, other in position)

    def shrink(self, position: Any, heap: int, size: int) -> Any:
        """Return the option with this number of squares between the checkers of a row."""
        _, own, other = position[heap]
        return self._moved(position, heap, other + (size + 1 if own > other else -size - 1))

    def read(self, text: str) -> Any:
        """Return the rows given as text, as in "X..O. .O.X".

        X is the checker of the player to move.
        """
        rows = text.upper().split()
        for row in rows:
            if sorted(row.replace(".", "")) != ["O", "X"]:
                raise ValueError(f"a row must have one X, one O and dots, as in 'X..O.', got {quoted(row)}")
        return self.validate(tuple((len(row), row.index("X"), row.index("O")) for row in rows))

    def show(self, position: Any) -> str:
        """Return the rows as text, as in "X..O. .O.X"."""
        return " ".join(
            "".join("X" if square == own else "O" if square == other else "." for square in range(length))
            for length, own, other in position
        )


def _parts(value: Any, count: int, what: str) -> Any:
    if not isinstance(value, tuple | list) or len(value) != count:
        raise TypeError(f"must be {what}, got {quoted(value)}")
    return value
