"""Rulesets of partisan games.

A ruleset has two functions, `left_moves` and `right_moves`, from positions to options.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable
from typing import Any, ClassVar

from poissonmatch.utils.errors import quoted

from ..cost_bounds import MemoryBound
from .reductions import Reduction
from .values import Game, simplify

PLAYERS = ("Left", "Right")


class Ruleset(ABC):
    """Base class of positions of a partisan game.

    A subclass defines `left_moves` and `right_moves`. Positions must be hashable, and every play
    must end. The values of up to `max_positions` positions of a ruleset are remembered.

    Parameters
    ----------
    position : str or another form of a position
        Position in a form that `read` accepts.

    Raises
    ------
    ValueError or TypeError
        If the position is illegal.

    Examples
    --------
    >>> class Nim(pm.games.partisan.Ruleset):
    ...     left_moves = right_moves = staticmethod(lambda heap: range(heap))
    >>> Nim(3).value, Nim(3).moves("Left"), Nim(3).winning_moves("Right")
    (*3, [0, 1, 2], [0])
    """

    max_positions: ClassVar[int] = 2_000_000
    _values: ClassVar[dict[Any, Game]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._values = {}

    def __init__(self, position: Any) -> None:
        self.position = self.read(position)

    @classmethod
    def read(cls, position: Any) -> Hashable:
        """Return the position in the form that the moves use.

        Parameters
        ----------
        position : a position
            In any form that the ruleset accepts.

        Returns
        -------
        hashable
            In the form that the moves use.

        Raises
        ------
        ValueError or TypeError
            If the position is illegal.
        """
        return position

    @classmethod
    def show(cls, position: Any) -> str:
        """Return a position as text, in the form that `read` accepts.

        Parameters
        ----------
        position : a position
            As `read` returns it.

        Returns
        -------
        str
            Text of the position.

        Examples
        --------
        >>> game = pm.games.partisan.Domineering
        >>> sorted(game.show(board) for board in game("../..").moves("Right"))
        ['##/..', '..']
        """
        return str(position)

    @staticmethod
    @abstractmethod
    def left_moves(position: Any) -> Iterable[Any]:
        """Return the positions after one move of Left.

        Parameters
        ----------
        position : a position
            As `read` returns it.

        Returns
        -------
        iterable of positions
            Positions after the moves.
        """

    @staticmethod
    @abstractmethod
    def right_moves(position: Any) -> Iterable[Any]:
        """Return the positions after one move of Right.

        Parameters
        ----------
        position : a position
            As `read` returns it.

        Returns
        -------
        iterable of positions
            Positions after the moves.
        """

    @property
    def value(self) -> Game:
        """Value of the position. Raises MemoryBound beyond `max_positions` positions."""
        return self._evaluate(self.position)

    def moves(self, player: str) -> list[Any]:
        """Return the positions after one move of a player.

        Parameters
        ----------
        player : {"Left", "Right"}
            Player to move.

        Returns
        -------
        list
            Positions.

        Raises
        ------
        ValueError
            If there is no such player.
        """
        if player not in PLAYERS:
            raise ValueError(f"a player is {' or '.join(PLAYERS)}, not {quoted(player)}")
        return list((self.left_moves if player == "Left" else self.right_moves)(self.position))

    def winning_moves(self, player: str) -> list[Any]:
        """Return the moves of a player after which that player wins.

        Parameters
        ----------
        player : {"Left", "Right"}
            Player to move.

        Returns
        -------
        list
            Positions with value >= 0 for Left, <= 0 for Right.

        Raises
        ------
        ValueError
            If there is no such player.
        """
        values = {position: self._evaluate(position) for position in self.moves(player)}
        return [position for position, value in values.items() if (value >= 0 if player == "Left" else value <= 0)]

    def explain(self) -> list[str]:
        r"""Return the derivation of the value in words.

        Returns
        -------
        list of str
            The value of each move, then each dominated or reversible option.

        Examples
        --------
        >>> print(*pm.games.ToadsAndFrogs("TT.FF").explain(), sep="\n")
        Left moves to T.TFF = ^
        Right moves to TTF.F = v
        Left's option ^ is reversible through *, replaced by 0
        Right's option v is reversible through *, replaced by 0
        TT.FF = *
        """
        lines = [
            f"{player} moves to {self.show(position)} = {self._evaluate(position)}"
            for player in PLAYERS
            for position in dict.fromkeys(self.moves(player))
        ]
        return [*lines, *map(str, self.reductions()), f"{self.show(self.position)} = {self.value}"]

    def reductions(self) -> list[Reduction]:
        """Return the dominated and reversible options that are removed.

        Returns
        -------
        list of Reduction
            In the order of their removal. `to_svg` of a reversible one is its bypass.

        Examples
        --------
        >>> [step.kind for step in pm.games.ToadsAndFrogs("TT.FF").reductions()]
        ['reversible', 'reversible']
        """
        left, right = ([self._evaluate(p) for p in dict.fromkeys(self.moves(player))] for player in PLAYERS)
        trace: list[Reduction] = []
        simplify(left, right, trace)
        return trace

    @classmethod
    def _evaluate(cls, start: Any) -> Game:
        values, todo = cls._values, [start]
        while todo:
            position = todo[-1]
            if position in values:
                todo.pop()
                continue
            left, right = list(cls.left_moves(position)), list(cls.right_moves(position))
            missing = [p for p in left + right if p not in values]
            if missing:
                todo += missing
                continue
            if len(values) >= cls.max_positions:
                raise MemoryBound(f"more than {cls.max_positions} positions of {cls.__name__}, at {quoted(start)}")
            values[position] = simplify([values[p] for p in left], [values[p] for p in right])
            todo.pop()
        return values[start]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.position!r})"


class Domineering(Ruleset):
    """Domineering: Left places vertical dominoes, Right horizontal ones [Winning Ways, ch. 5].

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

    @staticmethod
    def left_moves(cells: frozenset[tuple[int, int]]) -> list[frozenset[tuple[int, int]]]:
        """Return the boards after a vertical domino."""
        return [cells - {(r, c), (r + 1, c)} for r, c in cells if (r + 1, c) in cells]

    @staticmethod
    def right_moves(cells: frozenset[tuple[int, int]]) -> list[frozenset[tuple[int, int]]]:
        """Return the boards after a horizontal domino."""
        return [cells - {(r, c), (r, c + 1)} for r, c in cells if (r, c + 1) in cells]


class Hackenbush(Ruleset):
    """Hackenbush string, from the ground up: a cut of an edge also removes all edges above it.

    Strings of L and R are numbers (Berlekamp's rule, Winning Ways, ch. 3).

    Parameters
    ----------
    position : str
        The edges: L (Left's), R (Right's), G (either player's).

    Raises
    ------
    ValueError
        If the text has other letters.

    Examples
    --------
    >>> [pm.games.partisan.Hackenbush(string).value for string in ("LRR", "LLRLR", "GGG", "GL")]
    [1/4, 13/8, *3, ^*]
    """

    @classmethod
    def read(cls, position: Any) -> str:
        """Return the string if its letters are L, R and G."""
        if not isinstance(position, str) or set(position) - set("LRG"):
            raise ValueError(f"a Hackenbush string must be written with L, R and G, got {quoted(position)}")
        return position

    @staticmethod
    def left_moves(string: str) -> list[str]:
        """Return the strings after a cut at L or G."""
        return [string[:i] for i, edge in enumerate(string) if edge in "LG"]

    @staticmethod
    def right_moves(string: str) -> list[str]:
        """Return the strings after a cut at R or G."""
        return [string[:i] for i, edge in enumerate(string) if edge in "RG"]
