"""Positions, moves and legality, common to all frog games, as determined by the attributes of a variant.

Closer means earlier in the pair order (squared distance, smaller index, larger index). For distinct
distances, as the paper assumes, this means strictly closer; of equal distances the pair with the
lower indices is closer. The proofs of the paper apply to every set, since they need a total order
of the pairs only. With strict=True, no jump to an equal distance is legal.
"""

from __future__ import annotations

import inspect
import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ..points.pair_distances import pair_key
from ..points.pattern import Pattern
from ..utils.errors import BadInput, quoted
from ..utils.validation import as_int

NONE: frozenset[int] = frozenset()
EQUAL = "Of equal distances the one between pads with lower numbers counts as closer; with strict=True neither does."
PAPER = "M. Deijfen, A. E. Holroyd, J. B. Martin, Friendly frogs, stable marriage, and the magic of invariance (2016)."


class Position(NamedTuple):
    """A position: the pads of the frogs, and the pads that are blocked for the player to move.

    Parameters
    ----------
    frogs : tuple of int, default ()
        () before the game, (a,) after Alice's placement, then (x, y) with the frog x of the player
        who moved last and the frog y of the player to move (sec. 3.1). In variants where both
        players may move both frogs the order does not matter.
    blocked : frozenset of int, optional
        Pads with stones. By default none.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [1.0], [3.0]], None, pm.Euclidean(1))
    >>> solution = pm.frogs.solve(pattern, "stones", k=1)
    >>> solution.is_p_position(pm.frogs.Position((0, 2), frozenset({1})))
    True
    """

    frogs: tuple[int, ...] = ()
    blocked: frozenset[int] = NONE


class Move(NamedTuple):
    """A move: a frog is placed or jumps, then stones are put down.

    Parameters
    ----------
    frog : int or None
        Pad from which the frog jumps; None for a placement.
    to : int or tuple
        Pad on which the frog lands. Alice's opening in several ponds is one move: two pads for each
        pond but the last, one for the last.
    stones : frozenset of int, optional
        Pads blocked for the next move. By default none.
    pond : int, default 0
        Number of the pond, from 0.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [1.0], [3.0]], None, pm.Euclidean(1))
    >>> rules = pm.frogs.rules_of(pattern, "friendly")
    >>> rules.after(pm.frogs.Position((0, 2)), pm.frogs.Move(0, 1)).frogs
    (1, 2)
    """

    frog: int | None
    to: Any
    stones: frozenset[int] = NONE
    pond: int = 0


@dataclass(frozen=True)
class Parameter:
    """A parameter of a variant."""

    meaning: str  # for the command line
    default: Any  # on the command line and the page
    check: Callable[[Any], Any]  # returns the validated value or raises BadInput
    required: bool = True  # by `solve`, which otherwise uses the default


class Variant:
    """Base class of the variants, which differ in class attributes and methods of OnePond.

    The arguments are the values of `parameters`.
    """

    name: str = ""
    source: str = PAPER
    # solution
    rule: str = "one-color"  # its stable matching determines the P-positions; see solving_rule
    solved_by: str = "pairs"  # a key of solutions.FAMILIES
    # play
    many: bool = False  # several ponds: it takes a list of patterns, and a position is a tuple of ponds
    owned: bool = False  # Alice moves the amber frog only, Bob the blue one
    pads: tuple[str, ...] = ()  # names of the colors 0, 1, ... of the pads; (): no colors
    begins_on: int | None = None  # color of the pads where Alice may place her frog; None: any
    clashes: tuple[tuple[int, int], ...] = ()  # colors of two pads that may not both hold frogs, in both orders
    clash: str = ""  # the objection then
    stuck_wins: bool = False  # a player who cannot jump wins
    # parameters: each becomes the attribute of its name
    parameters: dict[str, Parameter] = {}
    c: float = -1.0  # the second frog is placed farther than this from the first; negative: anywhere
    k: int = 0  # stones that a player may put down with each move
    reach: float = math.inf  # Alice places the first frog within this distance of the origin
    # availability
    on_page: bool = True  # in the browser; see page.py

    def __init__(self, *, strict: bool = False, **values: Any) -> None:
        if not isinstance(strict, bool):
            raise BadInput(f"strict must be True or False, got {quoted(strict)}")
        self.strict = strict  # no jump to an equal distance
        for name in values:
            if name not in self.parameters:
                takes = " and ".join(self.parameters) or "no parameter"
                raise BadInput(f"{self.name} has no parameter {quoted(name)}; it takes {takes}")
        for name, parameter in self.parameters.items():
            if parameter.required and name not in values:
                raise BadInput(f"{self.name} needs the parameter {name}")
            setattr(self, name, parameter.check(values[name]) if name in values else parameter.default)

    @classmethod
    def about(cls) -> str:
        """Return the rules: the title and the first paragraph of the docstring, and what holds for equal distances."""
        title, *paragraphs = (inspect.getdoc(cls) or cls.name).split("\n\n")
        return (
            " ".join(f"{title.rstrip('.')}: {paragraphs[0]} {EQUAL}".split()) if paragraphs else " ".join(title.split())
        )

    def solving_rule(self) -> str:
        """Return the name of the rule whose stable matching determines the P-positions."""
        return self.rule


class OnePond(Variant):
    """Two frogs in one pond. A variant may override the methods that return objections."""

    def __init__(self, pattern: Pattern, **values: Any) -> None:
        if not isinstance(pattern, Pattern):
            raise BadInput(f"a pond must be a Pattern, got {type(pattern).__name__}")
        super().__init__(**values)
        if self.pads and len(pattern.count()) > len(self.pads):
            colors = " and ".join(map(str, range(len(self.pads))))
            raise BadInput(f"{self.name} has the colors {colors}, got {int(pattern.colors.max())}")
        self.pattern = pattern
        self.n = len(pattern)
        self.color = pattern.colors
        self.order = cache(self._order)

    # Objections: the reason why a placement or a jump is illegal, or "" if it is legal.

    def first(self, a: int) -> str:
        """Return the objection to Alice placing the first frog on a."""
        if self.begins_on not in (None, self.color[a]):
            return self.begins()
        far = self.reach < math.inf and not self.reached()[a]
        return f"the first frog must be within {self.reach:g} of the origin" if far else ""

    def reached(self) -> np.ndarray:
        """Return a mask, (n,) bool, of the pads within reach of the origin."""
        space = self.pattern.geometry
        if self.reach == math.inf:
            return np.ones(self.n, bool)
        space.check_flat(f"the reach of {self.name}")
        return space.distance(self.pattern.points, np.zeros(space.dim)) <= self.reach

    def begins(self) -> str:
        """Return the objection to Alice beginning on a pad of another color than begins_on."""
        if self.begins_on is None:
            return ""
        color = self.pads[self.begins_on]
        return f"the {color} frog sits on {color} pads only"

    def second(self, a: int, b: int) -> str:
        """Return the objection to Bob placing the second frog on b if the first is on a."""
        near = self.c >= 0 and a != b and self.pattern.distance(a, b) <= self.c
        return f"the second frog must be farther than {self.c:g} from the first" if near else self.together(a, b)

    def jump(self, x: int, y: int, frog: int, to: int) -> str:
        """Return the objection to a jump from pad `frog`, x or y (of the player to move), to pad `to`."""
        if self.owned and frog != y:
            return "this is the other player's frog"
        stays = x if frog == y else y
        return self.together(stays, to) or self.nearer(stays, frog, to)

    def together(self, a: int, b: int) -> str:
        """Return the objection to the two frogs being on a and b."""
        if a == b:
            return "a pad is not large enough for two frogs"
        return self.clash if (self.color[a], self.color[b]) in self.clashes else ""

    def nearer(self, stays: int, frog: int, to: int) -> str:
        """Return the objection to a jump that does not bring the frogs closer."""
        after, before = self.order(stays, to), self.order(stays, frog)
        closer = after[0] < before[0] if self.strict else after < before
        return "" if closer else "the frogs must get strictly closer to each other"

    def _order(self, a: int, b: int) -> tuple:
        return pair_key(float(self.pattern.squared_distance(a, b)), a, b)

    def stone_objection(self, stones: frozenset[int]) -> str:
        """Return the objection to these stones."""
        if not stones or not self.k:
            return "this game has no stones" if stones else ""
        unknown = [pad for pad in stones if not is_pad(pad, self.n)]
        if unknown:
            return f"there is no pad {quoted(unknown[0])} for a stone"
        return f"stones must be at most {self.k}, got {len(stones)}" if len(stones) > self.k else ""

    def objection(self, position: Position, move: Move) -> str:
        """Return the reason why a move is illegal, or "" if it is legal."""
        if not is_pad(move.to, self.n):
            return f"there is no pad {quoted(move.to)}; pads are numbered from 0 to {self.n - 1}"
        if len(position.frogs) < 2 and move.frog is not None:
            return "both frogs must be placed before one can jump"
        if len(position.frogs) == 2 and move.frog not in position.frogs:
            return f"no frog is on pad {quoted(move.frog)}; they are on {position.frogs[0]} and {position.frogs[1]}"
        return self._objection(position, move.frog, move.to) or self.stone_objection(move.stones)

    def _objection(self, position: Position, frog: Any, to: int) -> str:
        if to in position.blocked:
            return "a stone blocks this pad"
        match position.frogs:
            case ():
                return self.first(to)
            case (a,):
                return self.second(a, to)
        x, y = position.frogs
        return self.jump(x, y, frog, to)

    # Moves and positions:

    def stones(self) -> Iterator[frozenset[int]]:
        """Yield the ways to put down stones after a placement or a jump."""
        return map(frozenset, itertools.combinations(range(self.n), min(self.k, self.n)))

    def steps(self, position: Position) -> Iterator[Move]:
        """Yield all legal placements or jumps, without stones."""
        for frog in position.frogs if len(position.frogs) == 2 else (None,):
            for to in range(self.n):
                if not self._objection(position, frog, to):
                    yield Move(frog, to)

    def moves(self, position: Position) -> Iterator[Move]:
        """Yield all legal moves."""
        for step in self.steps(position):
            for stones in self.stones():
                yield step._replace(stones=stones)

    def after(self, position: Position, move: Move) -> Position:
        """Return the position after a move."""
        stays = tuple(f for f in position.frogs if f != move.frog)
        return Position((move.to, *stays), move.stones)

    def position(self, position: Any) -> Position:
        """Return a position from a Position or a tuple of 0, 1 or 2 pads.

        Raises ValueError if it cannot occur.
        """
        frogs, blocked = position if isinstance(position, Position) else (position, NONE)
        try:
            frogs, blocked = tuple(frogs), frozenset(blocked)
        except TypeError:
            raise BadInput(f"a position must be a tuple of 0, 1 or 2 pads, got {quoted(position)}") from None
        if len(frogs) > 2:
            raise BadInput(f"a position must have at most two frogs, got {len(frogs)}: {quoted(frogs)}")
        for pad in (*frogs, *blocked):
            if not is_pad(pad, self.n):
                raise BadInput(f"there is no pad {quoted(pad)}; the {self.n} pads are numbered from 0")
        frogs = tuple(int(pad) for pad in frogs)
        objection = self.stone_objection(blocked) or (self.impossible(*frogs) if frogs else "")
        if objection:
            raise BadInput(f"frogs on {frogs} is not a position of {self.name}: {objection}")
        return Position(frogs, frozenset(int(pad) for pad in blocked))

    def impossible(self, a: int, b: int | None = None) -> str:
        """Return the reason why one frog on a, or two on a and b, cannot occur, or ""."""
        return self.first(a) if b is None else self.together(a, b)

    def views(self, position: Position) -> list[tuple[OnePond, Position]]:
        """Return the ponds, each with its position."""
        return [(self, position)]

    def read(self, position: Position, numbers: list[int]) -> Move:
        """Return the move that a player types as these numbers; it may be illegal.

        Raises ValueError if the numbers are ambiguous.
        """
        frogs = position.frogs
        if len(frogs) < 2:
            return Move(None, numbers[0], frozenset(numbers[1:]))
        if self.owned and (self.k or len(numbers) == 1):  # the frog of the player, then stones
            return Move(frogs[1], numbers[0], frozenset(numbers[1:]))
        if len(numbers) == 1:
            raise BadInput("which frog jumps? Type two pads: from and to")
        return Move(numbers[0], numbers[1], frozenset(numbers[2:]))


def is_pad(pad: Any, n: int) -> bool:
    """Return whether this is the number of one of n pads."""
    number = as_int(pad)
    return number is not None and 0 <= number < n
