"""Games whose plays need not end: Poker Nim, Northcott's game, and any other, with draws.

The players of these two do not have the same moves, so a position is told as the one who is to move sees it: `mine` and
`theirs` change places with each move. What is left is options and nothing else.

Sources: [WW] Berlekamp, Conway, Guy, *Winning Ways*, ch. 3 and 12; [M] MIT SP.268, *Theory of impartial games*.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from itertools import chain
from operator import xor
from typing import Any

from ...utils.errors import quoted
from .base import ImpartialGame
from .graphs import OptionGraph, option_graph
from .heaps import Nim
from .nim_words import practical
from .positions import as_count, as_heaps


class LoopyGame(ImpartialGame):
    """A game whose plays may go on for ever, which is a draw. A ruleset defines `options`.

    Outcomes are "P", "N" and "D"; there are no nim-values. They come from retrograde analysis of all positions that can be
    reached, at most `max_positions` ([WW] ch. 12); who wins, wins by the moves given here, which lead to an end.

    Parameters
    ----------
    misere : bool, default False

    Examples
    --------
    >>> class Doubling(pm.games.LoopyGame):  # take one of n coins, or twice as many come, modulo 7
    ...     options = lambda self, n: (n - 1, 2 * n % 7) if n else ()
    >>> [Doubling().outcome(n) for n in range(7)]
    ['P', 'N', 'D', 'D', 'D', 'D', 'D']
    >>> Doubling().drawing_moves(3), Doubling().remoteness(1)
    ([2, 6], 1)
    """

    max_positions = 200_000

    def _seen(self, position: Any, misere: bool) -> tuple[OptionGraph, int]:
        """A graph that holds the position, the last one if it does, and its place there."""
        last: dict[bool, tuple[OptionGraph, dict[Any, int]]] = self.__dict__.setdefault("_last", {})
        if misere not in last or position not in last[misere][1]:
            graph = option_graph(self, position, misere=misere, most=self.max_positions)
            last[misere] = graph, {known: place for place, known in enumerate(graph.positions)}
        graph, places = last[misere]
        return graph, places[position]

    def _outcome(self, position: Any, misere: bool) -> str:
        graph, place = self._seen(position, misere)
        return graph.labels[place]

    def outcome(self, position: Any, *, misere: bool | None = None) -> str:
        """ "P" if the previous player wins, "N" if the next player does, "D" for a draw.

        Parameters
        ----------
        position
        misere : bool, optional
        """
        return self._outcome(self.validate(position), self._play(misere))

    def _is_p(self, position: Any, misere: bool) -> bool:
        return self._outcome(position, misere) == "P"

    def _value(self, position: Any, misere: bool) -> int:
        raise ValueError("plays of this game need not end: it has outcomes, and no nim-values")

    def genus(self, position: Any) -> Any:
        """Raises ValueError: there is none."""
        return self._value(position, False)

    def is_tame(self, position: Any) -> bool:
        """Raises ValueError: tameness is of games that end."""
        return bool(self._value(position, False))

    def remoteness(self, position: Any, *, misere: bool | None = None) -> int | None:
        """The number of moves to the end where the winner hurries and the loser does not; None for a draw.

        Parameters
        ----------
        position
        misere : bool, optional
        """
        graph, place = self._seen(self.validate(position), self._play(misere))
        return graph.remoteness[place]

    def _candidates(self, position: Any, misere: bool) -> Iterable[Any]:
        """The options that lead to the end come first: a P-position that is nearer to it."""
        graph, place = self._seen(position, misere)
        after = [option for option in graph.followers[place] if graph.labels[option] == "P"]
        return [graph.positions[option] for option in sorted(after, key=lambda option: graph.remoteness[option] or 0)]

    def drawing_moves(self, position: Any, *, misere: bool | None = None) -> list[Any]:
        """The options from which neither player can force an end.

        Parameters
        ----------
        position
        misere : bool, optional
        """
        graph, place = self._seen(self.validate(position), self._play(misere))
        return [graph.positions[option] for option in graph.followers[place] if graph.labels[option] == "D"]


class _DisguisedNim(LoopyGame):
    """In normal play P exactly when the XOR of the heaps is 0: a heap that grows is cut down again by the other player, and
    that cannot go on for ever ([WW] ch. 3). So nothing is searched, and no play is drawn. Misere play is."""

    @abstractmethod
    def heaps(self, position: Any) -> tuple[int, ...]:
        """The heaps of Nim that a position is."""

    @abstractmethod
    def shrink(self, position: Any, heap: int, left: int) -> Any:
        """The option in which a heap is cut down."""

    def _outcome(self, position: Any, misere: bool) -> str:
        if misere:
            return super()._outcome(position, True)
        return "N" if reduce(xor, self.heaps(position), 0) else "P"

    def _candidates(self, position: Any, misere: bool) -> Iterable[Any]:
        if misere:
            return super()._candidates(position, True)
        return chain(self._nim_moves(position), self.options(position))

    def _nim_moves(self, position: Any) -> Iterator[Any]:
        heaps = self.heaps(position)
        total = reduce(xor, heaps, 0)
        for place, heap in enumerate(heaps):
            if heap ^ total < heap:
                yield self.shrink(position, place, heap ^ total)

    def advice(self, position: Any, *, misere: bool | None = None) -> list[str]:
        if self._play(misere):
            return []
        heaps = self.heaps(self.validate(position))
        return [
            f"This is Nim with heaps {' '.join(map(str, heaps))}: where one grows, cut it down again.",
            *practical(heaps, False),
        ]

    def drawing_moves(self, position: Any, *, misere: bool | None = None) -> list[Any]:
        return super().drawing_moves(position, misere=True) if self._play(misere) else []


class PokerNim(_DisguisedNim):
    """Nim with chips: a player takes chips from a heap into the own bag, or adds some of the own bag to a heap.

    A position is (heaps, mine, theirs): the bag of the player to move comes first. No new heap is begun, but a heap that was
    emptied may grow again.

    Parameters
    ----------
    misere : bool, default False

    Examples
    --------
    >>> game = pm.games.PokerNim()
    >>> game.outcome(((2, 2), 5, 0))  # it does not help to have chips
    'P'
    >>> game.winning_move(((3, 4, 5), 2, 2))
    ((1, 4, 5), 2, 4)
    """

    def validate(self, position: Any) -> Any:
        heaps, mine, theirs = _parts(position, 3, "(heaps, mine, theirs)")
        return as_heaps(heaps), as_count(mine, "a bag"), as_count(theirs, "a bag")

    def options(self, position: Any) -> Iterator[Any]:
        heaps, mine, theirs = self.validate(position)
        for place, heap in enumerate(heaps):
            for now in (*range(heap), *range(heap + 1, heap + mine + 1)):
                yield (*heaps[:place], now, *heaps[place + 1 :]), theirs, mine + heap - now

    def heaps(self, position: Any) -> tuple[int, ...]:
        return position[0]

    def shrink(self, position: Any, heap: int, left: int) -> Any:
        heaps, mine, theirs = position
        return (*heaps[:heap], left, *heaps[heap + 1 :]), theirs, mine + heaps[heap] - left

    def turned(self, position: Any) -> Any:
        heaps, mine, theirs = position
        return heaps, theirs, mine

    def read(self, text: str) -> Any:
        """Heaps and bags, as in "3 4 5 | 2 | 0"; the bags may be left out.

        Parameters
        ----------
        text : str

        Examples
        --------
        >>> pm.games.PokerNim().read("3 4 5 | 2 | 0"), pm.games.PokerNim().read("3 4 5")
        (((3, 4, 5), 2, 0), ((3, 4, 5), 0, 0))
        """
        heaps, *bags = text.split("|")
        if len(bags) not in (0, 2):
            raise ValueError(f"a position is heaps and two bags, as in '3 4 5 | 2 | 0', not {quoted(text)}")
        mine, theirs = (self._bag(bag) for bag in bags) if bags else (0, 0)
        return self.validate((Nim().read(heaps), mine, theirs))

    @staticmethod
    def _bag(text: str) -> int:
        bag = Nim().read(text)
        if len(bag) != 1:
            raise ValueError(f"a bag is one number, not {quoted(text)}")
        return bag[0]

    def show(self, position: Any) -> str:
        heaps, mine, theirs = position
        return f"{' '.join(map(str, heaps))} | {mine} | {theirs}"


class Northcott(_DisguisedNim):
    """Northcott's game: a checker of each player in every row; move one of yours along its row, not onto or over the other.

    A position is a tuple of rows (length, mine, theirs): squares 0 to length - 1, the checker of the player to move first. The
    squares between two checkers are a heap of Nim; who cannot move loses.

    Parameters
    ----------
    misere : bool, default False

    Examples
    --------
    >>> game = pm.games.Northcott()
    >>> rows = game.read("X...O. .X..O")
    >>> game.heaps(rows), game.show(game.turned(game.winning_move(rows)))
    ((3, 2), '.X..O. .X..O')
    """

    def validate(self, position: Any) -> Any:
        rows = []
        for row in position if isinstance(position, tuple | list) else _parts(position, 0, "a tuple of rows"):
            length, mine, theirs = (
                as_count(part, "a square") for part in _parts(row, 3, "a row (length, mine, theirs)")
            )
            if mine == theirs or max(mine, theirs) >= length:
                raise ValueError(f"a row has two checkers on two of its squares, not {quoted(row)}")
            rows.append((length, mine, theirs))
        return tuple(rows)

    def options(self, position: Any) -> Iterator[Any]:
        rows = self.validate(position)
        for place, (length, mine, theirs) in enumerate(rows):
            for to in range(theirs) if mine < theirs else range(theirs + 1, length):
                if to != mine:
                    yield self._moved(rows, place, to)

    def _moved(self, rows: Any, place: int, to: int) -> Any:
        length, _, theirs = rows[place]
        return self.turned((*rows[:place], (length, to, theirs), *rows[place + 1 :]))

    def turned(self, position: Any) -> Any:
        return tuple((length, theirs, mine) for length, mine, theirs in position)

    def heaps(self, position: Any) -> tuple[int, ...]:
        return tuple(abs(mine - theirs) - 1 for _, mine, theirs in position)

    def shrink(self, position: Any, heap: int, left: int) -> Any:
        _, mine, theirs = position[heap]
        return self._moved(position, heap, theirs + (left + 1 if mine > theirs else -left - 1))

    def read(self, text: str) -> Any:
        """Rows of squares, as in "X..O. .O.X"; X is the checker of the player to move.

        Parameters
        ----------
        text : str

        Examples
        --------
        >>> pm.games.Northcott().read("X..O. .O.X")
        ((5, 0, 3), (4, 3, 1))
        """
        rows = text.upper().split()
        for row in rows:
            if sorted(row.replace(".", "")) != ["O", "X"]:
                raise ValueError(f"a row has one X, one O and dots, as in 'X..O.', not {quoted(row)}")
        return self.validate(tuple((len(row), row.index("X"), row.index("O")) for row in rows))

    def show(self, position: Any) -> str:
        return " ".join(
            "".join("X" if square == mine else "O" if square == theirs else "." for square in range(length))
            for length, mine, theirs in position
        )


def _parts(value: Any, count: int, what: str) -> Any:
    if not isinstance(value, tuple | list) or len(value) != count:
        raise TypeError(f"this is {what}, not {quoted(value)}")
    return value


class LoopyFunctionGame(LoopyGame):
    """The game, with draws, whose options are given by a function of the position.

    Parameters
    ----------
    options : callable
    misere : bool, default False

    Examples
    --------
    >>> game = pm.games.LoopyFunctionGame(lambda n: {0: [1], 1: [0, 2], 2: [3], 3: []}[n])
    >>> [game.outcome(n) for n in range(4)]
    ['D', 'D', 'N', 'P']
    """

    def __init__(self, options: Callable[[Any], Iterable[Any]], *, misere: bool = False) -> None:
        super().__init__(misere=misere)
        self._options = options

    def options(self, position: Any) -> Iterable[Any]:
        return self._options(position)
