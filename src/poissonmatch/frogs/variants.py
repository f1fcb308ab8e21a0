"""The frog games of Deijfen, Holroyd and Martin (2016), straight from their rules; nothing here knows a matching.

Two frogs sit on lily pads, the points of a pattern, numbered from 0. Alice places the first frog, Bob the second;
then they take turns to jump, Alice first. Every rule is an *objection*: why a placement or a jump is not allowed, or
"" where it is.

Closer means earlier in the package's order of pairs, (squared distance, smaller index, larger index). Where distances
are distinct, as the paper assumes, that is strictly closer; with equal distances or coinciding points the lower index
counts as closer. So every set has a definite game, and the paper's proofs hold for it (they only need a total order
of the pairs).

Who cannot jump loses (misere: wins). The paper does not say what happens to a player who can find no pad to place a
frog on, which occurs on small sets only: that player loses, in every variant. In misere too, because placing is not a
move there: so an empty set is a win for Bob and a single pad a win for Alice, as the parity of Theorem 1 suggests.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from ..errors import BadInput
from ..geometry import Pattern

AMBER, BLUE = 0, 1  # colors of points in colored-points
RED = 1  # color of the fussy points; 0 is green
NONE: frozenset[int] = frozenset()


class Position(NamedTuple):
    """Pads of the frogs, and of the stones that bind the player to move next.

    frogs: () before the game, (a,) after Alice's placement, then (x, y): x is the frog of the player who moved last,
    y that of the player to move, as in sec. 3.1; in the variants where both players may move both frogs the order
    does not matter.
    """

    frogs: tuple[int, ...] = ()
    blocked: frozenset[int] = NONE


class Move(NamedTuple):
    """A frog jumps from pad `frog` (None: is placed) to pad `to`; then stones go onto the pads `stones` (stones only).

    pond: number of the pond (ponds only). Alice's opening in ponds is one move with `to` a tuple: two pads for each
    pond but the last, one for the last.
    """

    frog: int | None
    to: Any
    stones: frozenset[int] = NONE
    pond: int = 0


class Friendly:
    """Friendly frogs (sec. 1): jump either frog so that the two get closer; a pad holds one frog."""

    name: str = "friendly"
    parameters: tuple[str, ...] = ()
    stuck_wins = False  # who cannot jump: loses

    def __init__(self, pattern: Pattern) -> None:
        self.pattern = pattern
        self.n = len(pattern)
        self.color = pattern.colors
        self.order = cache(self._order)

    def first(self, a: int) -> str:
        """Objection to Alice placing the first frog on a."""
        return ""

    def second(self, a: int, b: int) -> str:
        """Objection to Bob placing the second frog on b when the first is on a."""
        return self.together(a, b)

    def jump(self, x: int, y: int, frog: int, to: int) -> str:
        """Objection to a jump from pad `frog`, x or y, to pad `to`; the player to move owns the frog on y."""
        stays = x if frog == y else y
        return self.together(stays, to) or self.nearer(stays, frog, to)

    def together(self, a: int, b: int) -> str:
        """Objection to the two frogs being on a and b."""
        return "a pad is not large enough for two frogs" if a == b else ""

    def nearer(self, stays: int, frog: int, to: int) -> str:
        """Objection to a jump that does not bring the frogs closer."""
        closer = self.order(stays, to) < self.order(stays, frog)
        return "" if closer else "the frogs must get strictly closer to each other"

    def _order(self, a: int, b: int) -> tuple[float, int, int]:
        if hasattr(self.pattern.geometry, "squared_distance"):
            length = self.pattern.geometry.squared_distance(self.pattern.points[a], self.pattern.points[b])
        else:
            length = self.pattern.points[a, b]
        return float(length), min(a, b), max(a, b)

    def stones(self) -> Iterator[frozenset[int]]:
        """The ways to put down stones after a placement or a jump."""
        yield NONE

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

    def objection(self, position: Position, move: Move) -> str:
        """Why a move is not legal; "" if it is."""
        if not _is_pad(move.to, self.n):
            return f"there is no pad {move.to!r}; pads are numbered from 0 to {self.n - 1}"
        if len(position.frogs) < 2 and move.frog is not None:
            return "both frogs must be placed before one can jump"
        if len(position.frogs) == 2 and move.frog not in position.frogs:
            return f"no frog is on pad {move.frog!r}; they are on {position.frogs[0]} and {position.frogs[1]}"
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

    def stone_objection(self, stones: frozenset[int]) -> str:
        """Objection to these stones."""
        return "this game has no stones" if stones else ""

    def position(self, position: Any) -> Position:
        """A position from a Position or a tuple of 0, 1 or 2 pads. ValueError if it cannot occur."""
        frogs, blocked = position if isinstance(position, Position) else (position, NONE)
        try:
            frogs, blocked = tuple(frogs), frozenset(blocked)
        except TypeError:
            raise BadInput(f"a position is a tuple of 0, 1 or 2 pads, not {position!r}") from None
        if len(frogs) > 2:
            raise BadInput(f"a position has at most two frogs, not {len(frogs)}: {frogs!r}")
        for pad in (*frogs, *blocked):
            if not _is_pad(pad, self.n):
                raise BadInput(f"there is no pad {pad!r}; the {self.n} pads are numbered from 0")
        frogs = tuple(int(pad) for pad in frogs)
        wrong = self.stone_objection(blocked) or (self.unfit(*frogs) if frogs else "")
        if wrong:
            raise BadInput(f"frogs on {frogs} is no position of {self.name}: {wrong}")
        return Position(frogs, frozenset(int(pad) for pad in blocked))

    def unfit(self, a: int, b: int | None = None) -> str:
        """Why one frog on a, or two on a and b, is no position of the game."""
        return self.first(a) if b is None else self.together(a, b)


class Colored(Friendly):
    """Colored friendly frogs (sec. 3.1): Alice moves her amber frog only, Bob his blue one."""

    name = "colored"

    def jump(self, x: int, y: int, frog: int, to: int) -> str:
        return "this is the other player's frog" if frog != y else super().jump(x, y, frog, to)


class Shy(Friendly):
    """Shy friendly frogs (sec. 3.1): Bob may not place the second frog within distance c of the first."""

    name = "shy"
    parameters = ("c",)

    def __init__(self, pattern: Pattern, *, c: float) -> None:
        super().__init__(pattern)
        if isinstance(c, bool | str) or not float(c) >= 0:
            raise BadInput(f"c must be a distance, at least 0, not {c!r}")
        self.c = float(c)

    def second(self, a: int, b: int) -> str:
        near = a != b and self.pattern.distance(a, b) <= self.c
        return f"the second frog must be farther than {self.c:g} from the first" if near else super().second(a, b)


class ShyColored(Shy, Colored):
    """Shy colored friendly frogs (sec. 3.1): both restrictions."""

    name = "shy-colored"


class ColoredPoints(Colored):
    """Colored frogs on colored points (sec. 3.2): each frog keeps to pads of its own color (0 amber, 1 blue).

    A missing color leaves a player without a placement: refused, unless missing=True (then that player loses).
    """

    name = "colored-points"
    parameters = ("missing",)

    def __init__(self, pattern: Pattern, *, missing: bool = False) -> None:
        super().__init__(pattern)
        _two_colors(pattern, self.name)
        amber, blue = (int(k) for k in pattern.count(2))
        if not (missing or (amber and blue)):
            raise BadInput(
                f"colored-points needs points of both colors, 0 amber and 1 blue, not {amber} and {blue}; "
                "missing=True lets the player lose who has no pad"
            )

    def first(self, a: int) -> str:
        return "" if self.color[a] == AMBER else "the amber frog sits on amber pads only"

    def together(self, a: int, b: int) -> str:
        return super().together(a, b) or ("" if self.color[a] != self.color[b] else "each frog keeps to its own color")


class Fussy(Friendly):
    """Fussy friendly frogs (sec. 3.3): the two frogs may not both be on red pads (color 1; color 0 is green)."""

    name = "fussy"

    def __init__(self, pattern: Pattern) -> None:
        super().__init__(pattern)
        _two_colors(pattern, self.name)

    def together(self, a: int, b: int) -> str:
        red = self.color[a] == self.color[b] == RED
        return super().together(a, b) or ("the two frogs may not both be on red pads" if red else "")


class Misere(Friendly):
    """Misere friendly frogs (sec. 4.1): who cannot jump wins."""

    name = "misere"
    stuck_wins = True


class Stones(Colored):
    """k-stone colored friendly frogs (sec. 4.2): with each move a player blocks k pads for the next.

    Fewer stones are legal too, which changes nothing: a stone never harms the player who puts it down.
    """

    name = "stones"
    parameters = ("k",)

    def __init__(self, pattern: Pattern, *, k: int) -> None:
        super().__init__(pattern)
        if not _is_whole(k) or k < 0:
            raise BadInput(f"k must be a whole number of stones, at least 0, not {k!r}")
        self.k = int(k)

    def stones(self) -> Iterator[frozenset[int]]:
        return map(frozenset, itertools.combinations(range(self.n), min(self.k, self.n)))

    def stone_objection(self, stones: frozenset[int]) -> str:
        unknown = [pad for pad in stones if not _is_pad(pad, self.n)]
        if unknown:
            return f"there is no pad {unknown[0]!r} for a stone"
        return f"there are {self.k} stones, not {len(stones)}" if len(stones) > self.k else ""


class Ponds:
    """Friendly frogs in several ponds at once (sec. 4.3): a move is a jump in one of them.

    A position is a tuple of ponds, each a tuple of pads. The opening of Theorem 13: Alice places two frogs in every
    pond but the last and one in the last (one move), Bob places the last frog there; then Alice moves.
    """

    name = "ponds"
    parameters: tuple[str, ...] = ()
    stuck_wins = False

    def __init__(self, patterns: Any) -> None:
        if isinstance(patterns, Pattern) or not len(patterns):
            raise BadInput("ponds is played on a list of patterns, one for each pond")
        self.ponds = [Friendly(_checked(pattern)) for pattern in patterns]
        self.patterns = [pond.pattern for pond in self.ponds]

    def steps(self, position: tuple) -> Iterator[Move]:
        """All legal moves."""
        return self.moves(position)

    def moves(self, position: tuple) -> Iterator[Move]:
        """All legal moves."""
        if not any(position):
            seats = [itertools.combinations(range(pond.n), 2) for pond in self.ponds[:-1]]
            for to in itertools.product(*seats, ((a,) for a in range(self.ponds[-1].n))):
                yield Move(None, to)
            return
        waits = len(position[-1]) == 1
        for number, (pond, frogs) in enumerate(zip(self.ponds, position, strict=True)):
            if len(frogs) == 1 or not waits:
                yield from (move._replace(pond=number) for move in pond.moves(Position(frogs)))

    def after(self, position: tuple, move: Move) -> tuple:
        """The position after a move."""
        if not any(position):
            return tuple(move.to)
        pond = self.ponds[move.pond].after(Position(position[move.pond]), move).frogs
        return (*position[: move.pond], pond, *position[move.pond + 1 :])

    def objection(self, position: tuple, move: Move) -> str:
        """Why a move is not legal; "" if it is."""
        if not any(position):
            try:
                opening = self.position(move.to)
            except ValueError as error:
                return str(error)
            return "" if len(opening[-1]) == 1 else "place two frogs in every pond but the last, one in the last"
        if not _is_pad(move.pond, len(self.ponds)):
            return f"there is no pond {move.pond!r}; the ponds are numbered from 0 to {len(self.ponds) - 1}"
        if len(position[-1]) == 1 and move.pond != len(self.ponds) - 1:
            return "the last frog must be placed in the last pond first"
        return self.ponds[move.pond].objection(Position(position[move.pond]), move)

    def position(self, position: Any) -> tuple:
        """A position from tuples of pads, one for each pond; () is the start. ValueError if it cannot occur."""
        if not isinstance(position, tuple | list):
            raise BadInput(f"a position of ponds is a tuple of pads for each pond, not {position!r}")
        if not len(position):
            return ((),) * len(self.ponds)
        if len(position) != len(self.ponds):
            raise BadInput(f"a position names the frogs of all {len(self.ponds)} ponds, not of {len(position)}")
        frogs = tuple(pond.position(pads).frogs for pond, pads in zip(self.ponds, position, strict=True))
        counts = [len(pads) for pads in frogs]
        if any(counts) and (set(counts[:-1]) - {2} or counts[-1] == 0):
            raise BadInput(f"two frogs are in every pond, in the last one at first; not {counts}")
        return frogs


VARIANTS: dict[str, Any] = {
    rules.name: rules for rules in (Friendly, Colored, Shy, ShyColored, ColoredPoints, Fussy, Misere, Stones, Ponds)
}


def rules_of(pattern: Any, variant: str, **parameters: Any) -> Any:
    """The rules of a variant on a pattern (for ponds: on a list of patterns).

    Raises ValueError for an unknown variant, a parameter that it does not have or lacks, and colors that it does not
    know.
    """
    if variant not in VARIANTS:
        raise BadInput(f"unknown variant {variant!r}; the variants are {', '.join(VARIANTS)}")
    rules = VARIANTS[variant]
    for parameter in parameters:
        if parameter not in rules.parameters:
            takes = " and ".join(rules.parameters) or "no parameter"
            raise BadInput(f"{variant} has no parameter {parameter!r}; it takes {takes}")
    for parameter in rules.parameters:
        if parameter in ("c", "k") and parameter not in parameters:
            raise BadInput(f"{variant} needs the parameter {parameter}")
    return rules(pattern if variant == "ponds" else _checked(pattern), **parameters)


def _checked(pattern: Any) -> Pattern:
    if not isinstance(pattern, Pattern):
        raise BadInput(f"a pond is a Pattern, not {type(pattern).__name__}")
    return pattern


def _two_colors(pattern: Pattern, name: str) -> None:
    if len(pattern.count(2)) > 2:
        raise BadInput(f"{name} knows the colors 0 and 1, not {int(pattern.colors.max())}")


def _is_whole(value: Any) -> bool:
    return hasattr(value, "__index__") and not isinstance(value, bool)


def _is_pad(pad: Any, n: int) -> bool:
    return _is_whole(pad) and 0 <= pad < n
