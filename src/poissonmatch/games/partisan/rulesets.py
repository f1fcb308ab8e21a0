"""Rulesets: a game is two functions, `left_moves` and `right_moves`, from a position to the positions one move away."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable
from typing import Any, ClassVar

from ...utils.errors import quoted
from ..limits import MemoryBound
from .reductions import Reduction
from .values import Game, simplify

__all__ = ["Ruleset", "Domineering", "Hackenbush"]

PLAYERS = ("Left", "Right")


class Ruleset(ABC):
    """A position of a game; subclasses give the moves. Positions are hashable, and every play ends.

    `limit` bounds the number of positions whose values are remembered per ruleset.

    Parameters
    ----------
    position
        As `read` takes it.

    Examples
    --------
    >>> class Nim(pm.games.Ruleset):
    ...     left_moves = right_moves = staticmethod(lambda heap: range(heap))
    >>> Nim(3).value, Nim(3).moves("Left"), Nim(3).winning_moves("Right")
    (parse('*3'), [0, 1, 2], [0])
    """

    limit: ClassVar[int] = 2_000_000
    _values: ClassVar[dict[Any, Game]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._values = {}

    def __init__(self, position: Any) -> None:
        self.position = self.read(position)

    @classmethod
    def read(cls, position: Any) -> Hashable:
        """The position in the form that the moves work on; raises ValueError or TypeError for what is none.

        Parameters
        ----------
        position

        Examples
        --------
        >>> pm.games.ToadsAndFrogs.read("T^2 .^3 (TF)^2")
        'TT...TFTF'
        """
        return position

    @classmethod
    def show(cls, position: Any) -> str:
        """A position as `read` takes it, in words.

        Parameters
        ----------
        position

        Examples
        --------
        >>> sorted(pm.games.Domineering.show(board) for board in pm.games.Domineering("../..").moves("Right"))
        ['##/..', '..']
        """
        return str(position)

    @staticmethod
    @abstractmethod
    def left_moves(position: Any) -> Iterable[Any]: ...

    @staticmethod
    @abstractmethod
    def right_moves(position: Any) -> Iterable[Any]: ...

    @property
    def value(self) -> Game:
        """The value of the position; MemoryBound if that takes more than `limit` positions (none is lost)."""
        return self._evaluate(self.position)

    def moves(self, player: str) -> list[Any]:
        """The positions that a player can move to.

        Parameters
        ----------
        player : {"Left", "Right"}

        Raises
        ------
        ValueError
            For another name.

        Examples
        --------
        >>> pm.games.ToadsAndFrogs("T.TFF").moves("Left")
        ['.TTFF']
        """
        if player not in PLAYERS:
            raise ValueError(f"a player is {' or '.join(PLAYERS)}, not {quoted(player)}")
        return list((self.left_moves if player == "Left" else self.right_moves)(self.position))

    def winning_moves(self, player: str) -> list[Any]:
        """Those after which the player wins, moving second: the value is at least 0 for Left, at most 0 for Right.

        Parameters
        ----------
        player : {"Left", "Right"}

        Examples
        --------
        >>> pm.games.Hackenbush("GLR").winning_moves("Left")
        ['']
        """
        values = {position: self._evaluate(position) for position in self.moves(player)}
        return [position for position, value in values.items() if (value >= 0 if player == "Left" else value <= 0)]

    def explain(self) -> list[str]:
        r"""How the value comes about: each move with its value, then each option that is dominated or reversed, and by what.

        Returns
        -------
        list of str

        Examples
        --------
        >>> print(*pm.games.ToadsAndFrogs("TT.FF").explain(), sep="\n")
        Left moves to T.TFF = ^
        Right moves to TTF.F = v
        Left's option ^ is reversible through *, replaced by 0
        Right's option v is reversible through *, replaced by 0
        TT.FF = *
        """
        lines, sides = [], []
        for player in PLAYERS:
            options = {position: self._evaluate(position) for position in self.moves(player)}
            lines += [f"{player} moves to {self.show(position)} = {value}" for position, value in options.items()]
            sides.append(options.values())
        trace: list[Reduction] = []
        value = simplify(sides[0], sides[1], trace)
        return lines + [str(step) for step in trace] + [f"{self.show(self.position)} = {value}"]

    @classmethod
    def _evaluate(cls, start: Any) -> Game:
        values = cls._values
        todo = [start]
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
            if len(values) >= cls.limit:
                raise MemoryBound(f"more than {cls.limit} positions of {cls.__name__}, at {quoted(start)}")
            values[position] = simplify([values[p] for p in left], [values[p] for p in right])
            todo.pop()
        return values[start]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.position!r})"


class Domineering(Ruleset):
    """Empty cells (row, column): Left puts a vertical domino, Right a horizontal one [Winning Ways, ch. 5].

    Parameters
    ----------
    position : str or iterable of (int, int)
        Rows of '.' (empty) and '#' (taken) joined by '/', as "../.#"; or the empty cells.

    Raises
    ------
    ValueError
        The text has other letters.

    Examples
    --------
    >>> pm.games.Domineering("../..").value, pm.games.Domineering("../.#").value, pm.games.Domineering(".../...").value
    (parse('{1|-1}'), parse('*'), parse('{2|-1/2}'))
    """

    @classmethod
    def read(cls, position: Any) -> frozenset[tuple[int, int]]:
        if not isinstance(position, str):
            return frozenset((int(r), int(c)) for r, c in position)
        if set(position) - set(".#/"):
            raise ValueError(f"a board of Domineering is written with '.', '#' and '/', not as {quoted(position)}")
        return frozenset((r, c) for r, row in enumerate(position.split("/")) for c, x in enumerate(row) if x == ".")

    @classmethod
    def show(cls, position: Any) -> str:
        """Rows of '.' and '#', from (0, 0) on, or from a smaller row and column.

        Parameters
        ----------
        position : set of (int, int)

        Examples
        --------
        >>> pm.games.Domineering.show({(0, 1), (1, 0)})
        '#./.#'
        """
        rows, columns = ({0, *(cell[i] for cell in position)} for i in (0, 1))
        across = range(min(columns), max(columns) + 1)
        return "/".join("".join("#."[(r, c) in position] for c in across) for r in range(min(rows), max(rows) + 1))

    @staticmethod
    def left_moves(cells: frozenset[tuple[int, int]]) -> list[frozenset[tuple[int, int]]]:
        """The boards after a vertical domino."""
        return [cells - {(r, c), (r + 1, c)} for r, c in cells if (r + 1, c) in cells]

    @staticmethod
    def right_moves(cells: frozenset[tuple[int, int]]) -> list[frozenset[tuple[int, int]]]:
        """The boards after a horizontal domino."""
        return [cells - {(r, c), (r, c + 1)} for r, c in cells if (r, c + 1) in cells]


class Hackenbush(Ruleset):
    """A Hackenbush string from the ground up: L (Left's), R (Right's), G (either's); a cut takes all above it as well.

    Strings of L and R are numbers (Berlekamp's rule, Winning Ways, ch. 3).

    Parameters
    ----------
    position : str

    Raises
    ------
    ValueError
        It is not written with L, R and G.

    Examples
    --------
    >>> [pm.games.Hackenbush(string).value for string in ("LRR", "LLRLR", "GGG", "GL")]
    [parse('1/4'), parse('13/8'), parse('*3'), parse('^*')]
    """

    @classmethod
    def read(cls, position: Any) -> str:
        if not isinstance(position, str) or set(position) - set("LRG"):
            raise ValueError(f"a Hackenbush string is written with L, R and G, not as {quoted(position)}")
        return position

    @staticmethod
    def left_moves(string: str) -> list[str]:
        """What is left after a cut at L or G."""
        return [string[:i] for i, edge in enumerate(string) if edge in "LG"]

    @staticmethod
    def right_moves(string: str) -> list[str]:
        """What is left after a cut at R or G."""
        return [string[:i] for i, edge in enumerate(string) if edge in "RG"]
