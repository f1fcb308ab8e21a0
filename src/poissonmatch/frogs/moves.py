"""What all frog games share: positions, moves, and why a move is not legal, as far as a variant's attributes say it.

Closer means earlier in the package's order of pairs, (squared distance, smaller index, larger index). Where distances
are distinct, as the paper assumes, that is strictly closer; with equal distances or coinciding points the lower index
counts as closer. So every set has a definite game, and the paper's proofs hold for it (they only need a total order
of the pairs).
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

from ..points.order import pair_key
from ..points.pattern import Pattern
from ..utils.errors import BadInput, quoted
from ..utils.validation import as_int

NONE: frozenset[int] = frozenset()


class Position(NamedTuple):
    """Pads of the frogs, and of the stones that bind the player to move next.

    Parameters
    ----------
    frogs : tuple of int, optional
        () before the game, (a,) after Alice's placement, then (x, y): x is the frog of the player who moved last,
        y that of the player to move, as in sec. 3.1; in the variants where both players may move both frogs the order
        does not matter.
    blocked : frozenset of int, optional
        Pads with stones.

    Examples
    --------
    >>> solution = pm.frogs.solve(pm.Pattern([[0.0], [1.0], [3.0]], None, pm.Euclidean(1)), "stones", k=1)
    >>> solution.is_p_position(pm.frogs.Position((0, 2), frozenset({1})))
    True
    """

    frogs: tuple[int, ...] = ()
    blocked: frozenset[int] = NONE


class Move(NamedTuple):
    """A frog jumps from pad `frog` (None: is placed) to pad `to`; then stones go onto the pads `stones`.

    Parameters
    ----------
    frog : int or None
    to : int or tuple
        Alice's opening in several ponds is one move, with `to` a tuple: two pads for each pond but the last, one for the last.
    stones : frozenset of int, optional
    pond : int, optional
        Number of the pond, where there are several.

    Examples
    --------
    >>> rules = pm.frogs.rules_of(pm.Pattern([[0.0], [1.0], [3.0]], None, pm.Euclidean(1)), "friendly")
    >>> rules.after(pm.frogs.Position((0, 2)), pm.frogs.Move(0, 1)).frogs
    (1, 2)
    """

    frog: int | None
    to: Any
    stones: frozenset[int] = NONE
    pond: int = 0


@dataclass(frozen=True)
class Parameter:
    """A number that a variant is played with.

    Parameters
    ----------
    meaning : str
        In words, for the command line.
    default : object
        What the command line and the page take.
    check : callable
        Gives the value to use, or raises BadInput.
    required : bool, optional
        Whoever solves the variant must name it; if not, the default is used.

    Examples
    --------
    >>> pm.frogs.VARIANTS["stones"].parameters["k"].meaning
    'number of stones'
    """

    meaning: str
    default: Any
    check: Callable[[Any], Any]
    required: bool = True


class Variant:
    """What every variant says of itself, as attributes of its class; they are all that others may ask.

    Parameters
    ----------
    **given
        What it is played with, by the names in its `parameters`.

    Examples
    --------
    >>> fussy = pm.frogs.VARIANTS["fussy"]
    >>> fussy.rule, fussy.pads, fussy.clash
    ('fussy', ('green', 'red'), 'the two frogs may not both be on red pads')
    """

    name: str = ""
    # how it is solved
    rule: str = "one-color"  # the matching that holds the P-positions; see solving_rule
    solved_by: str = "pairs"  # a key of solutions.FAMILIES
    # how it is played
    many: bool = False  # in several ponds: it takes a list of patterns, and a position is a tuple of ponds
    owned: bool = False  # each player moves a frog of their own: Alice the amber one, Bob the blue one
    pads: tuple[str, ...] = ()  # what the colors 0, 1, ... of the pads are called; (): they have none
    begins_on: int | None = None  # the color of the pads where Alice may place her frog; None: any
    clashes: tuple[tuple[int, int], ...] = ()  # colors of two pads that may not hold the two frogs, both ways round
    clash: str = ""  # the objection then
    stuck_wins: bool = False  # who cannot jump wins
    # what it is played with: parameter `name` becomes the attribute of that name
    parameters: dict[str, Parameter] = {}
    c: float = -1.0  # the second frog is placed farther than this from the first; below 0 anywhere
    k: int = 0  # stones that a player may put down with each move
    reach: float = math.inf  # Alice places the first frog no farther than this from the origin
    # where it is played
    on_page: bool = True  # in the browser; it then has a `matching`, see page.py

    def __init__(self, **given: Any) -> None:
        for name in given:
            if name not in self.parameters:
                takes = " and ".join(self.parameters) or "no parameter"
                raise BadInput(f"{self.name} has no parameter {quoted(name)}; it takes {takes}")
        for name, parameter in self.parameters.items():
            if parameter.required and name not in given:
                raise BadInput(f"{self.name} needs the parameter {name}")
            setattr(self, name, parameter.check(given[name]) if name in given else parameter.default)

    @classmethod
    def about(cls) -> str:
        """The variant in a sentence or two: the first paragraph of its docstring."""
        return " ".join((inspect.getdoc(cls) or cls.name).split("\n\n")[0].split())

    def solving_rule(self) -> str:
        """Name of the matching rule whose stable matching holds the P-positions."""
        return self.rule


class OnePond(Variant):
    """Two frogs in one pond: the rules as far as the attributes say them. A variant may override the objections."""

    def __init__(self, pattern: Pattern, **given: Any) -> None:
        if not isinstance(pattern, Pattern):
            raise BadInput(f"a pond is a Pattern, not {type(pattern).__name__}")
        super().__init__(**given)
        if self.pads and len(pattern.count()) > len(self.pads):
            known = " and ".join(map(str, range(len(self.pads))))
            raise BadInput(f"{self.name} knows the colors {known}, not {int(pattern.colors.max())}")
        self.pattern = pattern
        self.n = len(pattern)
        self.color = pattern.colors
        self.order = cache(self._order)

    # Objections: why a placement or a jump is not allowed, or "" where it is.

    def first(self, a: int) -> str:
        """Objection to Alice placing the first frog on a."""
        if self.begins_on not in (None, self.color[a]):
            return self.begins()
        far = self.reach < math.inf and not self.reached()[a]
        return f"the first frog must be within {self.reach:g} of the origin" if far else ""

    def reached(self) -> np.ndarray:
        """(n,) bool: the pads that are within reach of the origin."""
        space = self.pattern.geometry
        if self.reach == math.inf:
            return np.ones(self.n, bool)
        if not space.has_coordinates:
            raise BadInput(f"{self.name} needs points with coordinates: the mean-field model has no origin")
        return space.distance(self.pattern.points, np.zeros(space.dim)) <= self.reach

    def begins(self) -> str:
        """Objection to Alice beginning on a pad of another color than begins_on; "" if she may."""
        if self.begins_on is None:
            return ""
        color = self.pads[self.begins_on]
        return f"the {color} frog sits on {color} pads only"

    def second(self, a: int, b: int) -> str:
        """Objection to Bob placing the second frog on b when the first is on a."""
        near = self.c >= 0 and a != b and self.pattern.distance(a, b) <= self.c
        return f"the second frog must be farther than {self.c:g} from the first" if near else self.together(a, b)

    def jump(self, x: int, y: int, frog: int, to: int) -> str:
        """Objection to a jump from pad `frog`, x or y, to pad `to`; the player to move owns the frog on y."""
        if self.owned and frog != y:
            return "this is the other player's frog"
        stays = x if frog == y else y
        return self.together(stays, to) or self.nearer(stays, frog, to)

    def together(self, a: int, b: int) -> str:
        """Objection to the two frogs being on a and b."""
        if a == b:
            return "a pad is not large enough for two frogs"
        return self.clash if (self.color[a], self.color[b]) in self.clashes else ""

    def nearer(self, stays: int, frog: int, to: int) -> str:
        """Objection to a jump that does not bring the frogs closer."""
        closer = self.order(stays, to) < self.order(stays, frog)
        return "" if closer else "the frogs must get strictly closer to each other"

    def _order(self, a: int, b: int) -> tuple:
        return pair_key(float(self.pattern.squared_distance(a, b)), a, b)

    def stone_objection(self, stones: frozenset[int]) -> str:
        """Objection to these stones."""
        if not stones or not self.k:
            return "this game has no stones" if stones else ""
        unknown = [pad for pad in stones if not is_pad(pad, self.n)]
        if unknown:
            return f"there is no pad {quoted(unknown[0])} for a stone"
        return f"there are {self.k} stones, not {len(stones)}" if len(stones) > self.k else ""

    def objection(self, position: Position, move: Move) -> str:
        """Why a move is not legal; "" if it is."""
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
        """The ways to put down stones after a placement or a jump."""
        return map(frozenset, itertools.combinations(range(self.n), min(self.k, self.n)))

    def steps(self, position: Position) -> Iterator[Move]:
        """All legal placements or jumps, without stones."""
        for frog in position.frogs if len(position.frogs) == 2 else (None,):
            for to in range(self.n):
                if not self._objection(position, frog, to):
                    yield Move(frog, to)

    def moves(self, position: Position) -> Iterator[Move]:
        """All legal moves."""
        for step in self.steps(position):
            for stones in self.stones():
                yield step._replace(stones=stones)

    def after(self, position: Position, move: Move) -> Position:
        """The position after a move."""
        stays = tuple(f for f in position.frogs if f != move.frog)
        return Position((move.to, *stays), move.stones)

    def position(self, position: Any) -> Position:
        """A position from a Position or a tuple of 0, 1 or 2 pads. ValueError if it cannot occur."""
        frogs, blocked = position if isinstance(position, Position) else (position, NONE)
        try:
            frogs, blocked = tuple(frogs), frozenset(blocked)
        except TypeError:
            raise BadInput(f"a position is a tuple of 0, 1 or 2 pads, not {quoted(position)}") from None
        if len(frogs) > 2:
            raise BadInput(f"a position has at most two frogs, not {len(frogs)}: {quoted(frogs)}")
        for pad in (*frogs, *blocked):
            if not is_pad(pad, self.n):
                raise BadInput(f"there is no pad {quoted(pad)}; the {self.n} pads are numbered from 0")
        frogs = tuple(int(pad) for pad in frogs)
        wrong = self.stone_objection(blocked) or (self.unfit(*frogs) if frogs else "")
        if wrong:
            raise BadInput(f"frogs on {frogs} is no position of {self.name}: {wrong}")
        return Position(frogs, frozenset(int(pad) for pad in blocked))

    def unfit(self, a: int, b: int | None = None) -> str:
        """Why one frog on a, or two on a and b, is no position of the game."""
        return self.first(a) if b is None else self.together(a, b)

    def views(self, position: Position) -> list[tuple[OnePond, Position]]:
        """The ponds, each with what is in it."""
        return [(self, position)]

    def read(self, position: Position, numbers: list[int]) -> Move:
        """The move that a player means by these numbers; it may be illegal. ValueError if they mean nothing."""
        frogs = position.frogs
        if len(frogs) < 2:
            return Move(None, numbers[0], frozenset(numbers[1:]))
        if self.owned and (self.k or len(numbers) == 1):  # stones follow, or nothing does: one's own frog is meant
            return Move(frogs[1], numbers[0], frozenset(numbers[1:]))
        if len(numbers) == 1:
            raise BadInput("which frog jumps? Type two pads: from, to")
        return Move(numbers[0], numbers[1], frozenset(numbers[2:]))


def is_pad(pad: Any, n: int) -> bool:
    """Is this the number of one of n pads?"""
    number = as_int(pad)
    return number is not None and 0 <= number < n
