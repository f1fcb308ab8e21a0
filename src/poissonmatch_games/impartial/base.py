"""Base class of impartial games.

Values, outcomes, winning moves, genus and sums come from the options of a position.

Sources: [S] Siegel, *Combinatorial Game Theory* (2013); [ONAG] Conway, *On Numbers and Games*,
chapter 12; [GH] Gurvich and Ho, *On tame, pet, domestic, and miserable impartial games*, Discrete
Appl. Math. 243 (2018).
"""

import re
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from operator import xor
from typing import Any, Self

import numpy as np

from poissonmatch.utils.errors import quoted
from poissonmatch.utils.validation import check_bool

from .genus import Genus, genus_from, mex, nim_like
from .periods import Period, find_period
from .position_checks import MAX_TABLE, as_count, read_heap
from .upward_search import fold, options_by


def _pair(options: Sequence[tuple[int, int]]) -> tuple[int, int]:
    return mex(n for n, _ in options), mex(m for _, m in options) if options else 1


class ImpartialGame(ABC):
    """Base class of impartial games.

    Both players have the same moves, and the player who cannot move loses (misere play: wins).

    A ruleset defines `options(position)`, and `validate(position)` if positions need checks.
    Positions must be hashable. Values are remembered, up to `max_positions` of each kind. More
    positions raise MemoryError, and so do tables of more than `max_steps` steps. `game + game` is a
    sum.

    Parameters
    ----------
    misere : bool, default False
        Play convention of all methods; each of them also accepts `misere`.

    Examples
    --------
    >>> class Dim(pm.games.impartial.ImpartialGame):  # take a divisor away (Winning Ways, ch. 4)
    ...     options = lambda self, n: [n - d for d in range(1, n + 1) if n % d == 0]
    >>> [Dim().grundy(n) for n in range(9)], (Dim() + Dim()).winning_move((12, 9))
    ([0, 1, 2, 1, 3, 1, 2, 1, 4], (11, 9))
    """

    max_positions, max_steps = 2_000_000, 1e11  # steps of compiled code, which take about two minutes
    misere, notation = False, ""  # notation: how a position is typed, for the help in the terminal
    _memos: dict[str, dict[Any, Any]]

    def __new__(cls, *_: Any, **__: Any) -> Self:
        """Return a game without remembered results."""
        self = super().__new__(cls)
        self._memos = defaultdict(dict)  # here, not in __init__: a ruleset may be a dataclass
        return self

    def __init__(self, *, misere: bool = False) -> None:
        self.misere = check_bool("misere", misere)

    @abstractmethod
    def options(self, position: Any) -> Iterable[Any]:
        """Return the positions after one move.

        Parameters
        ----------
        position : a position
            As `validate` returns it.

        Returns
        -------
        iterable of positions
            Positions after one move.
        """

    def validate(self, position: Any) -> Any:
        """Return `position` in the form that `options` takes.

        Parameters
        ----------
        position : a position
            In any form that the game accepts.

        Returns
        -------
        a position
            In the form that `options` takes.

        Raises
        ------
        TypeError or ValueError
            If this is not a position of the game.
        """
        return position

    # rulesets with closed forms override this and the next three methods
    def _key(self, position: Any) -> Any:
        """Return a representative of a class of equal positions."""
        return position

    def _value(self, position: Any, misere: bool) -> int:
        return self._fold("values", position, lambda _, options: _pair(options))[misere]

    def _is_p(self, position: Any, misere: bool) -> bool:
        return self._value(position, misere) == 0

    def _candidates(self, position: Any, misere: bool) -> Iterable[Any]:
        """Return options that include all winning moves."""
        return self.options(position)

    def read(self, text: str) -> Any:
        """Return the position given as text.

        Parameters
        ----------
        text : str
            Integers separated by spaces or commas; binary as 0b101.

        Returns
        -------
        a position
            As `validate` returns it.

        Raises
        ------
        ValueError
            If the text is not a position.
        """
        parts = re.findall(r"[^\s,]+", text)
        numbers = tuple(read_heap(part, text) for part in parts)
        return self.validate(numbers if len(numbers) != 1 else numbers[0])

    def show(self, position: Any) -> str:
        """Return the position as text, in the form that `read` accepts.

        Parameters
        ----------
        position : a position
            In a form that `validate` accepts.

        Returns
        -------
        str
            Text of the position.
        """
        return " ".join(map(str, position)) if isinstance(position, tuple) else str(position)

    def turned(self, position: Any) -> Any:
        """Return the position from the other player's side; it differs only if the pieces do.

        Parameters
        ----------
        position : a position
            In a form that `validate` accepts.

        Returns
        -------
        a position
            The same position for most games.
        """
        return position

    def advice(self, position: Any, *, misere: bool | None = None) -> list[str]:
        """Return lines of advice beyond the list of winning moves.

        Parameters
        ----------
        position : a position
            In a form that `validate` accepts.
        misere : bool, optional
            Play convention, by default that of the game.

        Returns
        -------
        list of str
            Lines of text, possibly none.
        """
        return []

    def worth(self, position: Any, *, misere: bool | None = None) -> str:
        """Return the nim-value of a position as text, or the outcome if it has none, for hints.

        Parameters
        ----------
        position : a position
            In a form that `validate` accepts.
        misere : bool, optional
            Play convention, by default that of the game.

        Returns
        -------
        str
            Text such as "3", "P" or "D".
        """
        try:
            return str(self.grundy(position, misere=misere))
        except ValueError:
            return self.outcome(position, misere=misere)

    def _play(self, misere: bool | None) -> bool:
        return self.misere if misere is None else check_bool("misere", misere)

    def grundy(self, position: Any, *, misere: bool | None = None) -> int:
        """Return the nim-value: the mex of those of the options.

        Without options it is 0 (misere play: 1). It is 0 exactly if the previous player wins. In
        normal play it determines the outcome of every sum (Sprague-Grundy theorem, [S] ch. IV), in
        misere play only for tame games.

        Parameters
        ----------
        position : a position
            In a form that `validate` accepts.
        misere : bool, optional
            Play convention, by default that of the game.

        Returns
        -------
        int
            The nim-value.

        Raises
        ------
        MemoryError
            If the search exceeds `max_positions`.
        """
        return self._value(self.validate(position), self._play(misere))

    def outcome(self, position: Any, *, misere: bool | None = None) -> str:
        """Return the outcome of a position.

        Parameters
        ----------
        position : a position
            In a form that `validate` accepts.
        misere : bool, optional
            Play convention, by default that of the game.

        Returns
        -------
        str
            "P" if the previous player wins, "N" if the next player wins; "D" for a draw, if plays need not end.
        """
        return self._outcome(self.validate(position), self._play(misere))

    def _outcome(self, position: Any, misere: bool) -> str:
        return "P" if self._is_p(position, misere) else "N"

    def is_p(self, position: Any, *, misere: bool | None = None) -> bool:
        """Return whether the previous player wins.

        Parameters
        ----------
        position : a position
            In a form that `validate` accepts.
        misere : bool, optional
            Play convention, by default that of the game.

        Returns
        -------
        bool
            True for a P-position.
        """
        return self._is_p(self.validate(position), self._play(misere))

    def p_positions(self, positions: Iterable[Any], *, misere: bool | None = None) -> list[Any]:
        """Return the P-positions among `positions`.

        Parameters
        ----------
        positions : iterable of positions
            Positions to examine.
        misere : bool, optional
            Play convention, by default that of the game.

        Returns
        -------
        list of positions
            In the same order.
        """
        return [position for position in positions if self.is_p(position, misere=misere)]

    def winning_moves(self, position: Any, *, misere: bool | None = None) -> list[Any]:
        """Return all winning moves, without repeats.

        Parameters
        ----------
        position : a position
            In a form that `validate` accepts.
        misere : bool, optional
            Play convention, by default that of the game.

        Returns
        -------
        list of positions
            Positions after the moves; empty for P- and terminal positions.
        """
        return list(dict.fromkeys(self.each_winning_move(position, misere=misere)))

    def winning_move(self, position: Any, *, misere: bool | None = None) -> Any | None:
        """Return one winning move.

        Parameters
        ----------
        position : a position
            In a form that `validate` accepts.
        misere : bool, optional
            Play convention, by default that of the game.

        Returns
        -------
        a position or None
            None if there is no winning move.
        """
        return next(self.each_winning_move(position, misere=misere), None)

    def each_winning_move(self, position: Any, *, misere: bool | None = None) -> Iterator[Any]:
        """Yield the winning moves one by one, possibly with repeats.

        Parameters
        ----------
        position : a position
            In a form that `validate` accepts.
        misere : bool, optional
            Play convention, by default that of the game.

        Yields
        ------
        a position
            Position after the move.

        Raises
        ------
        MemoryError
            If the search exceeds `max_positions`.
        """
        play, valid = self._play(misere), self.validate(position)
        for seen, option in enumerate(self._candidates(valid, play)):
            if seen == self.max_positions:
                raise MemoryError(self._too_much(valid, "moves"))
            if self._is_p(option, play):
                yield option

    def values(self, largest: int, *, misere: bool | None = None) -> np.ndarray:
        """Return the nim-values of the positions 0, 1, ..., largest, if they are numbers; of heap games, of single heaps.

        Parameters
        ----------
        largest : int
            Last position.
        misere : bool, optional
            Play convention, by default that of the game.

        Returns
        -------
        (largest + 1,) int64
            Nim-values.

        Raises
        ------
        MemoryError
            If there are more than `max_positions`.
        """
        size, play = as_count(largest, "the largest heap", maximum=MAX_TABLE) + 1, self._play(misere)
        if size > self.max_positions:
            raise MemoryError(self._too_much(largest, "positions"))
        return np.array([self._value(self.validate(n), play) for n in range(size)], np.int64)

    def period(self, largest: int = 1000) -> Period | None:
        """Return the period of `values(largest)` in normal play, see `find_period`; here it is not proved.

        Raises ValueError if the positions are not numbers.

        Examples
        --------
        >>> pm.games.impartial.FunctionGame(lambda n: [n - k for k in (1, 3, 4) if k <= n]).period(50)
        Period(preperiod=0, period=7, saltus=0, checked=51, proved=False)
        """
        self.validate(largest)
        return find_period(self.values(largest, misere=False))

    def longest_play(self, position: Any) -> int:
        """Return the number of moves of the longest play.

        Parameters
        ----------
        position : a position
            In a form that `validate` accepts.

        Returns
        -------
        int
            Number of moves.
        """
        return self._fold("longest", self.validate(position), lambda _, after: 1 + max(after, default=-1))

    def genus(self, position: Any) -> Genus:
        """Return the genus ([ONAG] ch. 12).

        Parameters
        ----------
        position : a position
            In a form that `validate` accepts.

        Returns
        -------
        Genus
            Nim-value, and misere nim-values of the position plus copies of ``*2``.
        """
        return self._fold("genera", self.validate(position), lambda _, options: genus_from(options))

    def is_tame(self, position: Any) -> bool:
        """Return whether all reachable positions have tame values.

        These are (normal, misere) = (0, 1), (1, 0) or (k, k). Sums of such positions are played
        like Nim in misere play ([ONAG] ch. 12, [GH]). The wider definition of *Winning Ways*, which
        allows reversible wild options, is not used.

        Parameters
        ----------
        position : a position
            In a form that `validate` accepts.

        Returns
        -------
        bool
            True for a tame position.
        """

        def combine(key: Any, options: Sequence[bool]) -> bool:
            if not all(options):
                return False
            normal, misere = self._value(key, False), self._value(key, True)
            return normal == misere or {normal, misere} == {0, 1}

        return self._fold("tame", self.validate(position), combine)

    def __add__(self, other: "ImpartialGame") -> "SumGame":
        if not isinstance(other, ImpartialGame):
            return NotImplemented
        if self.misere != other.misere:
            raise ValueError(
                "the summands must have the same play convention, but one is in misere play and the other in normal play"
            )
        return SumGame(self, other, misere=self.misere)

    def _fold(self, name: str, position: Any, combine: Callable[[Any, Sequence[Any]], Any]) -> Any:
        """Return combine(position, results of its options), bottom up and without recursion."""
        root = self._key(position)
        return fold(
            self._memos[name],
            root,
            lambda key: [self._keys(key)],
            combine,
            show=self.show,
            max_positions=self.max_positions,
            too_many=lambda _: self._too_much(root, "positions, perhaps since plays need not end"),
            ending="the game need not end",
        )

    def _keys(self, position: Any) -> list[Any]:
        options = options_by(self.options, position, f"{type(self).__name__}.options", self.max_positions + 1)
        if len(options) > self.max_positions:
            raise MemoryError(self._too_much(position, "moves"))
        return list(dict.fromkeys(map(self._key, options)))

    def _too_much(self, position: Any, what: str) -> str:
        return f"{quoted(position)} needs more than max_positions = {self.max_positions} {what}"


class FunctionGame(ImpartialGame):
    """Game given by a function from positions to options.

    Parameters
    ----------
    options : callable
        Function from a position to an iterable of positions.
    misere : bool, default False
        Whether the player who cannot move wins.

    Examples
    --------
    >>> pm.games.impartial.FunctionGame(lambda n: range(max(0, n - 3), n)).grundy(21)
    1
    """

    def __init__(self, options: Callable[[Any], Iterable[Any]], *, misere: bool = False) -> None:
        super().__init__(misere=misere)
        self._options = options

    def options(self, position: Any) -> Iterable[Any]:
        """Return the positions after one move, by the function."""
        return self._options(position)


class SumGame(ImpartialGame):
    """Disjunctive sum of games: a move is a move in one of them.

    A position is a tuple with one entry for each game. Normal play: the nim-value is the XOR of the
    values (Sprague-Grundy theorem, [S] ch. IV). Misere play: like Nim if all summands are tame,
    otherwise by search of the sum. The `misere` of the summands is ignored.

    Examples
    --------
    >>> (pm.games.Nim() + pm.games.impartial.Kayles()).winning_moves(((1, 2), 5))
    [((1, 2), (3,)), ((1, 2), (1, 2))]
    """

    def __init__(self, *games: ImpartialGame, misere: bool = False) -> None:
        super().__init__(misere=misere)
        self.games = games

    def validate(self, position: Any) -> tuple[Any, ...]:
        """Return a tuple of legal positions; raise ValueError for another number of entries."""
        return tuple(game.validate(part) for game, part in self._parts(position))

    def _parts(self, position: Iterable[Any]) -> list[tuple[ImpartialGame, Any]]:
        parts = tuple(position)
        if len(parts) != len(self.games):
            count = len(self.games)
            raise ValueError(f"a position of a sum of {count} games must have {count} entries, got {len(parts)}")
        return list(zip(self.games, parts, strict=True))

    def options(self, position: Any) -> Iterable[Any]:
        """Yield the positions after a move in one of the games."""
        for i, game in enumerate(self.games):
            for option in game.options(position[i]):
                yield (*position[:i], option, *position[i + 1 :])

    def _key(self, position: Any) -> Any:
        return tuple(game._key(part) for game, part in self._parts(position))

    def _value(self, position: Any, misere: bool) -> int:
        summands = self._parts(position)
        if not misere:
            return reduce(xor, (game._value(part, False) for game, part in summands), 0)
        if all(game.is_tame(part) for game, part in summands):
            return nim_like((game._value(part, False), game._value(part, True)) for game, part in summands)[1]
        return super()._value(position, misere)

    def read(self, text: str) -> tuple[Any, ...]:
        """Return the positions given as text, joined by "+"."""
        return tuple(game.read(part) for game, part in self._parts(text.split("+")))

    def show(self, position: Any) -> str:
        """Return the positions as text, joined by "+"."""
        return " + ".join(game.show(part) for game, part in self._parts(position))

    def is_tame(self, position: Any) -> bool:
        """Return whether all summands, or all reachable positions of the sum, are tame."""
        parts = self._parts(self.validate(position))
        return all(game.is_tame(part) for game, part in parts) or super().is_tame(position)
