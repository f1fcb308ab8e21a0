"""Impartial games: a game is its options; values, outcomes, winning moves, genus and sums follow.

Sources: [S] Siegel, *Combinatorial Game Theory* (2013); [ONAG] Conway, *On Numbers and Games*, chapter 12;
[GH] Gurvich and Ho, *On tame, pet, domestic, and miserable impartial games*, Discrete Appl. Math. 243 (2018).
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import islice
from operator import xor
from typing import Any, Self

from ...utils.errors import quoted


def mex(values: Iterable[int]) -> int:
    """The least non-negative integer that is not among `values`.

    Parameters
    ----------
    values : iterable of int

    Examples
    --------
    >>> pm.games.mex([0, 1, 3])
    2
    """
    present = set(values)
    least = 0
    while least in present:
        least += 1
    return least


@dataclass(frozen=True)
class Genus:
    """The genus of a position ([ONAG] ch. 12): nim-value, and misere nim-values of it plus 0, 1, 2, .. copies of ``*2``; the last two repeat.

    Parameters
    ----------
    normal : int
    misere : tuple of int

    Examples
    --------
    >>> print(genus := pm.games.Kayles().genus(5), genus.term(3))
    4^146 4
    """

    normal: int
    misere: tuple[int, ...]

    def term(self, copies: int) -> int:
        """Misere nim-value of the position plus `copies` copies of ``*2``."""
        last = len(self.misere)
        return self.misere[copies if copies < last else last - 2 + (copies - last) % 2]

    def __str__(self) -> str:
        separator = "" if max(self.misere) < 10 else ","
        return f"{self.normal}^{separator.join(map(str, self.misere))}"


def _genus(options: Sequence[Genus]) -> Genus:
    # [ONAG] ch. 12: the options of G + (n+1).*2 are G' + (n+1).*2, G + n.*2 and G + n.*2 + *1
    terms = [mex(g.term(0) for g in options) if options else 1]
    settled = max((len(g.misere) for g in options), default=0)
    while len(terms) < settled + 3 or terms[-1] != terms[-3]:
        n = len(terms)
        terms.append(mex([g.term(n) for g in options] + [terms[-1], terms[-1] ^ 1]))
    while len(terms) > 2 and terms[-1] == terms[-3]:
        terms.pop()
    return Genus(mex(g.normal for g in options), tuple(terms))


def _pair(options: Sequence[tuple[int, int]]) -> tuple[int, int]:
    return mex(n for n, _ in options), mex(m for _, m in options) if options else 1


def _tame_pair(normal: int, misere: int) -> bool:
    return normal == misere or {normal, misere} == {0, 1}


def nim_like(pairs: Iterable[tuple[int, int]]) -> tuple[int, int]:
    """Nim-values in normal and misere play of a sum of tame games with these pairs of values ([ONAG] ch. 12). They add as heaps of Nim do:
    with pairs (0, 1) and (1, 0) only, the misere value is the other one of 0 and 1; as soon as some pair is (k, k), the two values agree."""
    pairs = list(pairs)
    value = reduce(xor, (n for n, _ in pairs), 0)
    return value, value ^ all(n != m for n, m in pairs)


class ImpartialGame(ABC):
    """A game in which both players have the same moves; who cannot move loses (misere play: wins).

    A ruleset defines `options(position)`, and `validate(position)` where its positions need checking. Positions are hashable.
    `misere` is the default of all questions; each takes it, too. Beyond `max_positions` values of a kind, which are remembered: MemoryError.

    Parameters
    ----------
    misere : bool, default False

    Examples
    --------
    >>> class Dim(pm.games.ImpartialGame):  # take a divisor of the number away from it (Winning Ways, ch. 4)
    ...     options = lambda self, n: [n - d for d in range(1, n + 1) if n % d == 0]
    >>> [Dim().grundy(n) for n in range(9)], (Dim() + Dim()).winning_move((12, 9))
    ([0, 1, 2, 1, 3, 1, 2, 1, 4], (11, 9))
    """

    max_positions = 2_000_000
    misere = False
    _pairs: dict[Hashable, tuple[int, int]]
    _genera: dict[Hashable, Genus]
    _tame: dict[Hashable, bool]
    _longest: dict[Hashable, int]

    def __new__(cls, *_: Any, **__: Any) -> Self:
        self = super().__new__(cls)
        self._pairs, self._genera, self._tame, self._longest = (
            {},
            {},
            {},
            {},
        )  # here, not in __init__: a ruleset may be a dataclass
        return self

    def __init__(self, *, misere: bool = False) -> None:
        self.misere = misere

    @abstractmethod
    def options(self, position: Any) -> Iterable[Any]:
        """The positions that one move leads to."""

    def validate(self, position: Any) -> Any:
        """`position` in the form that `options` takes; raises TypeError or ValueError for an illegal one."""
        return position

    def _key(self, position: Any) -> Any:
        """One representative of the positions that are certainly equal to `position`. This and the next three are what a ruleset with a
        closed form or a table replaces; positions are valid here."""
        return position

    def _value(self, position: Any, misere: bool) -> int:
        return self._fold(self._pairs, position, lambda _, options: _pair(options))[misere]

    def _is_p(self, position: Any, misere: bool) -> bool:
        return self._value(position, misere) == 0

    def _candidates(self, position: Any, misere: bool) -> Iterable[Any]:
        """Options among which are all from which the mover goes on to win."""
        return self.options(position)

    def read(self, text: str) -> Any:
        """The position that a line of text means, checked: whole numbers. Raises ValueError."""
        words = re.findall(r"[^\s,]+", text)
        if not all(re.fullmatch(r"\d{1,300}", word) for word in words):
            raise ValueError(f"a position is whole numbers, as in '3 4 5', not {quoted(text)}")
        numbers = tuple(map(int, words))
        return self.validate(numbers if len(numbers) != 1 else numbers[0])

    def show(self, position: Any) -> str:
        """The position as a line of text, such as `read` takes."""
        return " ".join(map(str, position)) if isinstance(position, tuple) else str(position)

    def turned(self, position: Any) -> Any:
        """The same position as the other player sees it: another one only where the players' pieces differ."""
        return position

    def advice(self, position: Any, *, misere: bool | None = None) -> list[str]:
        """How to play, in words, where there is more to say than which moves win."""
        return []

    def _play(self, misere: bool | None) -> bool:
        return self.misere if misere is None else misere

    def grundy(self, position: Any, *, misere: bool | None = None) -> int:
        """The nim-value: mex of those of the options, 0 where there are none (misere play: 1). It is 0 exactly where the previous player wins.
        In normal play it determines the position (Sprague-Grundy theorem, [S] ch. IV); in misere play it does so for tame games only."""
        return self._value(self.validate(position), self._play(misere))

    def outcome(self, position: Any, *, misere: bool | None = None) -> str:
        """ "P" if the previous player wins, "N" if the next player does."""
        return "P" if self.is_p(position, misere=misere) else "N"

    def is_p(self, position: Any, *, misere: bool | None = None) -> bool:
        """Whether the previous player wins."""
        return self._is_p(self.validate(position), self._play(misere))

    def p_positions(self, positions: Iterable[Any], *, misere: bool | None = None) -> list[Any]:
        """Those of `positions` in which the previous player wins, in their order."""
        return [position for position in positions if self.is_p(position, misere=misere)]

    def winning_moves(self, position: Any, *, misere: bool | None = None) -> list[Any]:
        """The options from which the mover goes on to win, without repeats; empty exactly for a P-position, and where there are no options."""
        return list(dict.fromkeys(self.each_winning_move(position, misere=misere)))

    def winning_move(self, position: Any, *, misere: bool | None = None) -> Any | None:
        """One of the winning moves, the first that is found; None if there is none."""
        return next(self.each_winning_move(position, misere=misere), None)

    def each_winning_move(self, position: Any, *, misere: bool | None = None) -> Iterator[Any]:
        """The winning moves as they are found, perhaps some twice."""
        play, valid = self._play(misere), self.validate(position)
        for seen, option in enumerate(self._candidates(valid, play)):
            if seen == self.max_positions:
                raise MemoryError(self._too_much(valid, "moves"))
            if self._is_p(option, play):
                yield option

    def longest_play(self, position: Any) -> int:
        """The number of moves of the longest play from here."""
        return self._fold(self._longest, self.validate(position), lambda _, after: 1 + max(after, default=-1))

    def genus(self, position: Any) -> Genus:
        """The genus, [ONAG] ch. 12."""
        return self._fold(self._genera, self.validate(position), lambda _, options: _genus(options))

    def is_tame(self, position: Any) -> bool:
        """Whether every position reachable from here has values (normal, misere) = (0, 1), (1, 0) or (k, k). Then sums with other such
        positions are played like Nim ([ONAG] ch. 12, [GH]). *Winning Ways* also calls tame what has reversible wild options: False here."""

        def combine(key: Any, options: Sequence[bool]) -> bool:
            return all(options) and _tame_pair(self._value(key, False), self._value(key, True))

        return self._fold(self._tame, self.validate(position), combine)

    def __add__(self, other: "ImpartialGame") -> "SumGame":
        if not isinstance(other, ImpartialGame):
            return NotImplemented
        if self.misere != other.misere:
            raise ValueError("one summand is in misere play, the other in normal play")
        return SumGame(self, other, misere=self.misere)

    def _fold(self, memo: dict[Hashable, Any], position: Any, combine: Callable[[Any, Sequence[Any]], Any]) -> Any:
        """combine(position, results of its options), bottom up, with a stack of its own: plays may be long."""
        root = self._key(position)
        stack, waiting = [root], {}
        while stack:
            top = stack[-1]
            if top in memo:
                stack.pop()
                continue
            if top not in waiting:
                waiting[top] = self._keys(top)
                missing = [option for option in waiting[top] if option not in memo]
                if any(option in waiting for option in missing):
                    raise ValueError(f"a play from {quoted(top)} comes back to a position: the game need not end")
                stack.extend(missing)
                if missing:
                    continue
            if len(memo) >= self.max_positions:
                raise MemoryError(self._too_much(root, "positions"))
            memo[top] = combine(top, [memo[option] for option in waiting.pop(top)])
            stack.pop()
        return memo[root]

    def _keys(self, position: Any) -> list[Any]:
        options = list(islice(self.options(position), self.max_positions + 1))
        if len(options) > self.max_positions:
            raise MemoryError(self._too_much(position, "moves"))
        return list(dict.fromkeys(map(self._key, options)))

    def _too_much(self, position: Any, what: str) -> str:
        return f"{quoted(position)} needs more than max_positions = {self.max_positions} {what}"


class FunctionGame(ImpartialGame):
    """The game whose options are given by a function of the position.

    Parameters
    ----------
    options : callable
    misere : bool, default False

    Examples
    --------
    >>> pm.games.FunctionGame(lambda n: range(max(0, n - 3), n)).grundy(21)
    1
    """

    def __init__(self, options: Callable[[Any], Iterable[Any]], *, misere: bool = False) -> None:
        super().__init__(misere=misere)
        self._options = options

    def options(self, position: Any) -> Iterable[Any]:
        return self._options(position)


class SumGame(ImpartialGame):
    """The disjunctive sum: a position has one entry for each summand, a move is a move in one of them.

    Normal play: the nim-value is the XOR of the values (Sprague-Grundy theorem, [S] ch. IV). Misere play: like Nim when all summands
    are tame, by search of the whole sum otherwise. The summands' own `misere` is not looked at.

    Parameters
    ----------
    *games : ImpartialGame
    misere : bool, default False

    Examples
    --------
    >>> (pm.games.Nim() + pm.games.Kayles()).winning_moves(((1, 2), 5))
    [((1, 2), (3,)), ((1, 2), (1, 2))]
    """

    def __init__(self, *games: ImpartialGame, misere: bool = False) -> None:
        super().__init__(misere=misere)
        self.games = games

    def validate(self, position: Any) -> tuple[Any, ...]:
        return tuple(game.validate(part) for game, part in self._parts(position))

    def _parts(self, position: Iterable[Any]) -> list[tuple[ImpartialGame, Any]]:
        parts = tuple(position)
        if len(parts) != len(self.games):
            raise ValueError(f"a sum of {len(self.games)} games has {len(self.games)} entries, not {len(parts)}")
        return list(zip(self.games, parts, strict=True))

    def options(self, position: Any) -> Iterable[Any]:
        for i, game in enumerate(self.games):
            for option in game.options(position[i]):
                yield (*position[:i], option, *position[i + 1 :])

    def _key(self, position: Any) -> Any:
        return tuple(game._key(part) for game, part in zip(self.games, position, strict=True))

    def _value(self, position: Any, misere: bool) -> int:
        summands = list(zip(self.games, position, strict=True))
        if not misere:
            return reduce(xor, (game._value(part, False) for game, part in summands), 0)
        if all(game.is_tame(part) for game, part in summands):
            return nim_like((game._value(part, False), game._value(part, True)) for game, part in summands)[1]
        return super()._value(position, misere)

    def longest_play(self, position: Any) -> int:
        """The sum of the longest plays of the summands ([M])."""
        return sum(game.longest_play(part) for game, part in self._parts(position))

    def read(self, text: str) -> tuple[Any, ...]:
        return tuple(game.read(part) for game, part in self._parts(text.split("+")))

    def show(self, position: Any) -> str:
        return " + ".join(game.show(part) for game, part in self._parts(position))

    def is_tame(self, position: Any) -> bool:
        return all(game.is_tame(part) for game, part in self._parts(self.validate(position))) or super().is_tame(
            position
        )
