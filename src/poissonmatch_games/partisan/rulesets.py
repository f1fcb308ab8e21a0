"""Rulesets of partisan games: two functions, `left_moves` and `right_moves`, from positions to options; sums of positions."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from fractions import Fraction
from typing import Any, ClassVar

from poissonmatch.utils.errors import quoted
from poissonmatch.utils.validation import as_int

from ..impartial.upward_search import Returns, fold, options_by
from .reductions import Reduction
from .turns import SIDES, TurnGame
from .values import ZERO, Game, simplify, ups

MAX_TERMS = 1000  # of a sum of positions


class Ruleset(ABC):
    """Base class of positions of a partisan game.

    A subclass defines `left_moves` and `right_moves`. Positions must be hashable. The values of up to `max_positions`
    positions of a ruleset are remembered. If a play can return to a position there is no value, and `outcome` comes from
    retrograde analysis. Positions of any rulesets, and values, can be added and subtracted, and multiplied by an int.

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
    >>> sum_of_two = Nim(3) - pm.games.ToadsAndFrogs("TT..FF")
    >>> sum_of_two, sum_of_two.value, sum_of_two.outcome, 2 * Nim(3) == Nim(3) + Nim(3)
    (Nim(3) - ToadsAndFrogs('TT..FF'), *2, 'N', True)
    """

    max_positions: ClassVar[int] = 2_000_000
    _values: ClassVar[dict[Any, Game]] = {}
    _turns: ClassVar[TurnGame]  # the game of the player to move

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._values, cls._turns = {}, TurnGame(cls)

    def __init__(self, position: Any) -> None:
        self.position: Any = self.read(position)
        try:
            hash(self.position)
        except TypeError:
            raise TypeError(f"a position must be hashable, got {quoted(position)}") from None

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

    @property
    def outcome(self) -> str:
        """Winner: "P" (previous player), "N" (next player), "L" (Left) or "R" (Right).

        If plays need not end, it may also be "D" (draw), or two letters: the result if Left starts, and if Right starts,
        as in "LD".
        """
        results = [self._turns.outcome((self.position, side)) for side in (0, 1)]
        winners = "".join(
            {"N": mover, "P": other}.get(x, x) for x, mover, other in zip(results, "LR", "RL", strict=True)
        )
        return {"LL": "L", "RR": "R", "LR": "N", "RL": "P", "DD": "D"}.get(winners, winners)

    @classmethod
    def _mover_wins(cls, position: Any, side: int) -> bool:
        """Return whether Left (0) or Right (1), who is to move, wins. Raises Returns if a play can return."""
        value = cls._evaluate(position)
        return not (value >= 0 if side else value <= 0)

    @classmethod
    def _is_quick(cls, position: Any) -> bool:
        """Return whether the value takes seconds at most."""
        return True

    @classmethod
    def _options_of(cls, position: Any, player: str) -> list[Any]:
        """Return the options of a player, each once."""
        method = cls.left_moves if player == SIDES[0] else cls.right_moves
        return options_by(method, position, f"{cls.__name__}.{player.lower()}_moves")

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
        if player not in SIDES:
            raise ValueError(f"a player is {' or '.join(SIDES)}, not {quoted(player)}")
        return self._options_of(self.position, player)

    def winning_moves(self, player: str) -> list[Any]:
        """Return the moves of a player after which that player wins.

        Parameters
        ----------
        player : {"Left", "Right"}
            Player to move.

        Returns
        -------
        list
            Positions with value >= 0 for Left, <= 0 for Right, or from which the player can force the end.

        Raises
        ------
        ValueError
            If there is no such player.
        """
        moves = self.moves(player)
        return [position for position in moves if self._turns.is_p((position, 1 - SIDES.index(player)))]

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
            for player in SIDES
            for position in self.moves(player)
        ]
        return [*lines, *map(str, self.reductions()), f"{self.show(self.position)} = {self.value}"]

    def reductions(self) -> list[Reduction]:
        """Return the dominated and reversible options that are removed.

        Returns
        -------
        list of Reduction
            In the order of their removal.

        Examples
        --------
        >>> [step.kind for step in pm.games.ToadsAndFrogs("TT.FF").reductions()]
        ['reversible', 'reversible']
        """
        left, right = ([self._evaluate(p) for p in self.moves(player)] for player in SIDES)
        trace: list[Reduction] = []
        simplify(left, right, trace)
        return trace

    @classmethod
    def _evaluate(cls, start: Any) -> Game:
        return fold(
            cls._values,
            start,
            lambda position: [cls._options_of(position, player) for player in SIDES],
            lambda _, left, right: simplify(left, right),
            show=cls.show,
            max_positions=cls.max_positions,
            too_many=lambda moves: (
                f"more than {cls.max_positions} positions of {cls.__name__} can be reached from {quoted(start)}; "
                f"a play of {moves} moves was found, perhaps plays need not end"
            ),
            ending="so there is no value, but an outcome",
        )

    # ---- sums ----
    @property
    def _terms(self) -> tuple[tuple[int, type["Ruleset"], Any], ...]:
        """Sign, ruleset and position of each summand."""
        return ((1, type(self), self.position),)

    def __add__(self, other: Any) -> "PositionSum":
        term = _as_position(other)
        return NotImplemented if term is None else PositionSum((*self._terms, *term._terms))

    def __radd__(self, other: Any) -> "PositionSum":
        term = _as_position(other)
        return NotImplemented if term is None else PositionSum((*term._terms, *self._terms))

    def __neg__(self) -> "PositionSum":
        return PositionSum((-sign, ruleset, position) for sign, ruleset, position in self._terms)

    def __sub__(self, other: Any) -> "PositionSum":
        term = _as_position(other)
        return NotImplemented if term is None else self + -term

    def __rsub__(self, other: Any) -> "PositionSum":
        return -self + other

    def __mul__(self, times: int) -> "PositionSum":
        count = as_int(times)
        if count is None:
            return NotImplemented
        return PositionSum((self if count > 0 else -self)._terms * min(abs(count), MAX_TERMS + 1))

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        term = _as_position(other) if isinstance(other, Ruleset | Game) else None
        if term is None:
            return NotImplemented
        try:
            return self._summands == term._summands or self.value is term.value
        except Returns:
            return False

    def __hash__(self) -> int:
        try:
            return hash(self.value)
        except (ValueError, MemoryError):  # no value, or one that takes too long
            return hash(self._summands)

    @property
    def _summands(self) -> frozenset[Any]:
        return frozenset(Counter(self._terms).items())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.position!r})"


def _as_position(other: Any) -> "Ruleset | None":
    position = ValuePosition(other) if isinstance(other, Game | int | Fraction) else other
    return position if isinstance(position, Ruleset) else None


class PositionSum(Ruleset):
    """Sum of positions, as `g + h`, `-g`, `g - h` and `2 * g` make it; a move is a move in one of them.

    A position is a tuple of (1 or -1, ruleset, position).
    """

    @classmethod
    def read(cls, position: Any) -> tuple[tuple[int, type[Ruleset], Any], ...]:
        """Return the summands. Raises ValueError for too many."""
        terms = tuple(position)
        if len(terms) > MAX_TERMS:
            raise ValueError(f"a sum must have at most {MAX_TERMS} positions")
        return terms

    @property
    def _terms(self) -> Any:
        return self.position

    @classmethod
    def show(cls, position: Any) -> str:
        """Return the positions as text, with their signs."""
        return _signed((sign, ruleset.show(term)) for sign, ruleset, term in position) or "0"

    @staticmethod
    def left_moves(position: Any) -> Iterator[Any]:
        """Yield the sums after one move of Left."""
        return _moves_of_sum(position, 1)

    @staticmethod
    def right_moves(position: Any) -> Iterator[Any]:
        """Yield the sums after one move of Right."""
        return _moves_of_sum(position, -1)

    @classmethod
    def _is_quick(cls, position: Any) -> bool:
        return all(ruleset._is_quick(term) for _, ruleset, term in position)

    @classmethod
    def _evaluate(cls, start: Any) -> Game:
        return sum((sign * ruleset._evaluate(position) for sign, ruleset, position in start), ZERO)

    def __repr__(self) -> str:
        return _signed((sign, repr(ruleset(position))) for sign, ruleset, position in self.position) or "0"


def _signed(terms: Iterable[tuple[int, str]]) -> str:
    text = " ".join(f"{'+' if sign > 0 else '-'} {term}" for sign, term in terms)
    return text.removeprefix("+ ")


def _moves_of_sum(terms: Any, player: int) -> Iterator[Any]:
    for i, (sign, ruleset, position) in enumerate(terms):
        for option in ruleset._options_of(position, SIDES[sign != player]):
            yield (*terms[:i], (sign, ruleset, option), *terms[i + 1 :])


class ValuePosition(Ruleset):
    """Position whose moves are the options of a value in canonical form."""

    @staticmethod
    def left_moves(position: Game) -> Iterable[Game]:
        """Return Left's options."""
        return position.left

    @staticmethod
    def right_moves(position: Game) -> Iterable[Game]:
        """Return Right's options."""
        return position.right

    @classmethod
    def read(cls, position: Any) -> Game:
        """Return the value, also of an int or a Fraction."""
        return ZERO + position

    @classmethod
    def _evaluate(cls, start: Game) -> Game:
        return start


class ImpartialPosition(Ruleset):
    """Position of an impartial game in normal play, as a summand.

    Parameters
    ----------
    position : (ImpartialGame, position)
        The game, and a position in a form that it accepts.

    Raises
    ------
    ValueError
        If the game is in misere play.

    Examples
    --------
    >>> nim = pm.games.partisan.ImpartialPosition((pm.games.Nim(), (1, 2)))
    >>> (nim + pm.games.ToadsAndFrogs("TT..F")).value
    1*3
    """

    @classmethod
    def read(cls, position: Any) -> tuple[Any, Any]:
        """Return the game and its valid position."""
        if not isinstance(position, tuple) or len(position) != 2 or not hasattr(position[0], "grundy"):
            raise TypeError(f"a position must be (impartial game, position), got {quoted(position)}")
        rules, place = position
        if rules.misere:
            raise ValueError("a game in misere play has no value: it cannot be added to a partisan game")
        return rules, rules.validate(place)

    @classmethod
    def show(cls, position: Any) -> str:
        """Return the position as the game writes it."""
        return str(position[0].show(position[1]))

    @staticmethod
    def left_moves(position: Any) -> Iterator[Any]:
        """Yield the positions after one move of either player."""
        return ((position[0], option) for option in position[0].options(position[1]))

    right_moves = left_moves

    @classmethod
    def _evaluate(cls, start: Any) -> Game:
        return ups(0, start[0].grundy(start[1]))

    def __repr__(self) -> str:
        return f"{type(self.position[0]).__name__}({self.show(self.position)})"
