"""The frog games of Deijfen, Holroyd and Martin (2016), by their rules.

A variant is a class with attributes.

Two frogs sit on lily pads, the points of a pattern, numbered from 0. Alice places the first frog,
Bob the second; then they jump in turn, Alice first. A new variant is a class in this file and an
entry of VARIANTS; its attributes are described in moves.Variant. The rules are independent of the
matching: `rule` and `solved_by` only name the solution of a variant.

A player who cannot jump loses (misere: wins). In every variant a player who cannot place a frog
loses, which occurs on small sets only and is not specified in the paper. In misere too, since a
placement is not a jump: an empty set is a win for Bob and a single pad a win for Alice, consistent
with the parity in Theorem 1.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import partial
from typing import Any

from ..points.pattern import Pattern
from ..utils.errors import BadInput, quoted
from ..utils.validation import check_int, check_real
from .moves import Move, OnePond, Parameter, Position, Variant, is_pad

AMBER, BLUE = 0, 1  # colors of points in colored-points
GREEN, RED = 0, 1  # colors of points in fussy


_distance = partial(check_real, "c", what="a distance, at least 0")
_reach = partial(check_real, "reach", what="a distance, at least 0")
_stones = partial(check_int, "k", min_value=0, what="a whole number of stones")


class Friendly(OnePond):
    """Friendly frogs (sec. 1).

    Alice places a frog on a lily pad, then Bob places another one on another pad. In turn, Alice
    first, a player makes either frog jump to a pad where it is strictly closer to the other frog. A
    player who cannot jump loses.
    """

    name = "friendly"


class Colored(Friendly):
    """Colored friendly frogs (sec. 3.1).

    Alice places an amber frog on a lily pad, then Bob places a blue one on another pad. In turn,
    Alice first, each player makes the frog of their color jump to a pad where it is strictly closer
    to the other frog. A player who cannot jump loses.
    """

    name = "colored"
    solved_by = "desire"
    owned = True


class Shy(Friendly):
    """Shy friendly frogs (sec. 3.1).

    Alice places a frog on a lily pad, then Bob places another one farther than c from it. In turn,
    Alice first, a player makes either frog jump to a pad where it is strictly closer to the other
    frog. A player who cannot jump, or place a frog, loses.
    """

    name = "shy"
    parameters = {"c": Parameter("distance of the shy variants", 1.0, _distance)}


class ShyColored(Shy, Colored):
    """Shy colored friendly frogs (sec. 3.1).

    Alice places an amber frog on a lily pad, then Bob places a blue one farther than c from it. In
    turn, Alice first, each player makes the frog of their color jump to a pad where it is strictly
    closer to the other frog. A player who cannot jump, or place a frog, loses.
    """

    name = "shy-colored"


class Confined(Friendly):
    """Confined friendly frogs (sec. 2.1).

    Alice places a frog on a lily pad within `reach` of the origin, then Bob places another one on
    any other pad. In turn, Alice first, a player makes either frog jump to a pad where it is
    strictly closer to the other frog. A player who cannot jump, or place a frog, loses.

    The paper asks how difficult Alice can make the game for Bob. The origin is the point with
    coordinates 0.
    """

    name = "confined"
    parameters = {
        "reach": Parameter("largest distance from the origin of Alice's first pad", 2.0, _reach, required=False)
    }
    on_page = False


class ColoredPoints(Colored):
    """Colored frogs on colored points (sec. 3.2).

    Alice places an amber frog on an amber pad, then Bob places a blue one on a blue pad, and each
    frog uses only pads of its color. In turn, Alice first, each player makes the frog of their
    color jump to a pad where it is strictly closer to the other frog. A player who cannot jump
    loses.

    Color 0 is amber, 1 blue. A missing color is an error unless missing=True; then the player
    without a pad loses.
    """

    name = "colored-points"
    rule = "two-color"
    pads = ("amber", "blue")
    begins_on = AMBER
    clashes = ((AMBER, AMBER), (BLUE, BLUE))
    clash = "each frog keeps to its own color"
    parameters = {"missing": Parameter("a color may be missing", False, bool, required=False)}
    missing: bool

    def __init__(self, pattern: Pattern, **values: Any) -> None:
        super().__init__(pattern, **values)
        amber, blue = (int(k) for k in pattern.count(2))
        if not (self.missing or (amber and blue)):
            raise BadInput(
                f"{self.name} needs points of both colors, got {amber} of color 0 (amber) and {blue} of color 1 (blue); "
                "with missing=True the player without a pad loses"
            )


class Fussy(Friendly):
    """Fussy friendly frogs (sec. 3.3).

    Alice places a frog on a lily pad, then Bob places another one on another pad, and the two are
    never both on red pads. In turn, Alice first, a player makes either frog jump to a pad where it
    is strictly closer to the other frog. A player who cannot jump loses.

    Color 0 is green, 1 red.
    """

    name = "fussy"
    rule = "fussy"
    pads = ("green", "red")
    clashes = ((RED, RED),)
    clash = "the two frogs may not both be on red pads"


class Misere(Friendly):
    """Misere friendly frogs (sec. 4.1).

    Alice places a frog on a lily pad, then Bob places another one on another pad. In turn, Alice
    first, a player makes either frog jump to a pad where it is strictly closer to the other frog. A
    player who cannot jump wins.
    """

    name = "misere"
    rule = "misere"
    stuck_wins = True


class Stones(Colored):
    """Colored friendly frogs with k stones (sec. 4.2).

    Alice places an amber frog on a lily pad, then Bob places a blue one on another pad, and with
    each move a player blocks k pads for the next move. In turn, Alice first, each player makes the
    frog of their color jump to a pad where it is strictly closer to the other frog. A player who
    cannot jump loses.

    Fewer than k stones are legal; this does not change the winner, since a stone never harms the
    player who puts it down.
    """

    name = "stones"
    solved_by = "blocking"
    parameters = {"k": Parameter("number of stones", 1, _stones)}

    def solving_rule(self) -> str:
        """Return the rule with capacity k + 1."""
        return f"multi({max(1, min(self.k + 1, self.n))})"  # a capacity of n is never reached, as any larger one


class Ponds(Variant):
    """Friendly frogs in several ponds at once (sec. 4.3).

    Alice places two frogs in every pond but the last and one in the last, where Bob places another
    one. In turn, Alice first, a player makes a frog of one pond jump to a pad where it is strictly
    closer to the other frog of that pond. A player who cannot jump in any pond loses.

    A position is a tuple of ponds, each a tuple of pads. The opening is that of Theorem 13; the
    placements of Alice are one move.
    """

    name = "ponds"
    solved_by = "labels"
    many = True

    def __init__(self, patterns: Any, **values: Any) -> None:
        if isinstance(patterns, Pattern) or not len(patterns):
            raise BadInput(f"{self.name} is played on a list of patterns, one for each pond")
        super().__init__(**values)
        self.ponds = [Friendly(pattern, strict=self.strict) for pattern in patterns]
        self.patterns = [pond.pattern for pond in self.ponds]

    def moves(self, position: tuple) -> Iterator[Move]:
        """Yield all legal moves."""
        if not any(position):
            seats = [itertools.combinations(range(pond.n), 2) for pond in self.ponds[:-1]]
            for to in itertools.product(*seats, ((a,) for a in range(self.ponds[-1].n))):
                yield Move(None, to)
            return
        waits = len(position[-1]) == 1
        for number, (pond, frogs) in enumerate(zip(self.ponds, position, strict=True)):
            if len(frogs) == 1 or not waits:
                yield from (move._replace(pond=number) for move in pond.moves(Position(frogs)))

    steps = moves  # there are no stones

    def after(self, position: tuple, move: Move) -> tuple:
        """Return the position after a move."""
        if not any(position):
            return tuple(move.to)
        pond = self.ponds[move.pond].after(Position(position[move.pond]), move).frogs
        return (*position[: move.pond], pond, *position[move.pond + 1 :])

    def objection(self, position: tuple, move: Move) -> str:
        """Return the reason why a move is illegal, or "" if it is legal."""
        if not any(position):
            try:
                opening = self.position(move.to)
            except BadInput as error:
                return str(error)
            return "" if len(opening[-1]) == 1 else "place two frogs in every pond but the last, one in the last"
        if not is_pad(move.pond, len(self.ponds)):
            return self._no_pond(move.pond)
        if len(position[-1]) == 1 and move.pond != len(self.ponds) - 1:
            return "the last frog must be placed in the last pond first"
        return self.ponds[move.pond].objection(Position(position[move.pond]), move)

    def _no_pond(self, number: Any) -> str:
        return f"there is no pond {quoted(number)}; the ponds are numbered from 0 to {len(self.ponds) - 1}"

    def position(self, position: Any) -> tuple:
        """Return a position from tuples of pads, one for each pond; () is the start.

        Raises ValueError if it cannot occur.
        """
        if not isinstance(position, tuple | list):
            raise BadInput(f"a position of {self.name} must be a tuple of pads for each pond, got {quoted(position)}")
        if not len(position):
            return ((),) * len(self.ponds)
        if len(position) != len(self.ponds):
            raise BadInput(f"a position must list the frogs of all {len(self.ponds)} ponds, got {len(position)}")
        frogs = tuple(pond.position(pads).frogs for pond, pads in zip(self.ponds, position, strict=True))
        counts = [len(pads) for pads in frogs]
        if any(counts) and (set(counts[:-1]) - {2} or counts[-1] == 0):
            raise BadInput(f"every pond must hold two frogs, or the last one frog, got {counts}")
        return frogs

    def views(self, position: tuple) -> list[tuple[OnePond, Position]]:
        """Return the ponds, each with its position."""
        return [(pond, Position(frogs)) for pond, frogs in zip(self.ponds, position, strict=True)]

    def read(self, position: tuple, numbers: list[int]) -> Move:
        """Return the move that a player types as these numbers; it may be illegal.

        Raises ValueError if the numbers are ambiguous.
        """
        if not any(position):
            count = 2 * len(position) - 1
            if len(numbers) != count:
                raise BadInput(f"the opening must list {count} pads: two for each pond and one for the last")
            return Move(None, (*zip(numbers[:-1:2], numbers[1::2], strict=True), (numbers[-1],)))
        number, *rest = numbers if len(numbers) > 1 else [0, *numbers]
        if not number < len(position):
            raise BadInput(self._no_pond(number))
        return self.ponds[number].read(Position(position[number]), rest)._replace(pond=number)


VARIANTS: dict[str, type[OnePond] | type[Ponds]] = {
    rules.name: rules
    for rules in (Friendly, Colored, Shy, ShyColored, Confined, ColoredPoints, Fussy, Misere, Stones, Ponds)
}


def variant_named(name: str) -> type[OnePond] | type[Ponds]:
    """Return the class of a variant.

    Raises ValueError, with the valid names, for an unknown name.
    """
    if name not in VARIANTS:
        raise BadInput(f"unknown variant {quoted(name)}; the variants are {', '.join(VARIANTS)}")
    return VARIANTS[name]


def rules_of(pattern: Any, variant: str, **parameters: Any) -> Any:
    """Return the rules of a variant on a pattern.

    They give the legal moves, the positions, and the objections to illegal moves.

    Parameters
    ----------
    pattern : Pattern or list of Pattern
        The pads; a list for the variant "ponds".
    variant : str
        A key of VARIANTS.
    **parameters
        Parameters of the variant, see `solve`.

    Returns
    -------
    Variant
        With the methods `moves(position)`, `after(position, move)`, `position(pads)` and
        `objection(position, move)`.

    Raises
    ------
    ValueError
        If the variant is unknown, a parameter is missing or unknown, or the colors do not fit the
        variant.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0], [1.0], [3.0]], None, pm.Euclidean(1))
    >>> rules = pm.frogs.rules_of(pattern, "friendly")
    >>> [(move.frog, move.to) for move in rules.moves(rules.position((0, 2)))]
    [(0, 1), (2, 1)]
    """
    return variant_named(variant)(pattern, **parameters)
