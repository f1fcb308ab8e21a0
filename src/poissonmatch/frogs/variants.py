"""The frog games of Deijfen, Holroyd and Martin (2016), straight from their rules: a variant is a class of attributes.

Two frogs sit on lily pads, the points of a pattern, numbered from 0. Alice places the first frog, Bob the second;
then they take turns to jump, Alice first. A new variant is a class here and its place in VARIANTS; what it may say of
itself is in moves.Variant. The rules know no matching: `rule` and `solved_by` only name what solves a variant.

Who cannot jump loses (misere: wins). The paper does not say what happens to a player who can find no pad to place a
frog on, which occurs on small sets only: that player loses, in every variant. In misere too, because placing is not a
move there: so an empty set is a win for Bob and a single pad a win for Alice, as the parity of Theorem 1 suggests.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from ..points.pattern import Pattern
from ..utils import validation
from ..utils.errors import BadInput, quoted
from .moves import Move, OnePond, Parameter, Position, Variant, is_pad

AMBER, BLUE = 0, 1  # colors of points in colored-points
GREEN, RED = 0, 1  # colors of points in fussy


def _distance(c: Any) -> float:
    return validation.check_real("c", c, "a distance, at least 0")


def _reach(reach: Any) -> float:
    return validation.check_real("reach", reach, "a distance, at least 0")


def _stones(k: Any) -> int:
    return validation.check_int("k", k, 0, what="a whole number of stones")


class Friendly(OnePond):
    """Friendly frogs (sec. 1): Alice places a frog on a lily pad, then Bob another one on another pad. In turn,
    Alice first, a player lets either frog jump to a pad where it is strictly closer to the other frog. Who cannot
    jump loses.
    """

    name = "friendly"


class Colored(Friendly):
    """Colored friendly frogs (sec. 3.1): Alice places an amber frog on a lily pad, then Bob a blue one on another
    pad. In turn, Alice first, each lets the own frog jump to a pad where it is strictly closer to the other. Who
    cannot jump loses.
    """

    name = "colored"
    solved_by = "desire"
    owned = True


class Shy(Friendly):
    """Shy friendly frogs (sec. 3.1): Alice places a frog on a lily pad, then Bob another one farther than c from
    it. In turn, Alice first, a player lets either frog jump to a pad where it is strictly closer to the other frog.
    Who cannot jump, or place a frog, loses.
    """

    name = "shy"
    parameters = {"c": Parameter("distance of the shy variants", 1.0, _distance)}


class ShyColored(Shy, Colored):
    """Shy colored friendly frogs (sec. 3.1): Alice places an amber frog on a lily pad, then Bob a blue one farther
    than c from it. In turn, Alice first, each lets the own frog jump to a pad where it is strictly closer to the
    other. Who cannot jump, or place a frog, loses.
    """

    name = "shy-colored"


class Confined(Friendly):
    """Confined friendly frogs (sec. 2.1): Alice places a frog on a lily pad within `reach` of the origin, then Bob another one on any
    other pad. In turn, Alice first, a player lets either frog jump to a pad where it is strictly closer to the other frog. Who cannot
    jump, or place a frog, loses.

    The paper leaves open how difficult she can make it for Bob. The origin is the point with coordinates 0.
    """

    name = "confined"
    parameters = {"reach": Parameter("how far from the origin Alice may begin", 2.0, _reach, required=False)}
    on_page = False


class ColoredPoints(Colored):
    """Colored frogs on colored points (sec. 3.2): Alice places an amber frog on an amber pad, then Bob a blue one
    on a blue pad, and each frog keeps to pads of its own color. In turn, Alice first, each lets the own frog jump
    to a pad where it is strictly closer to the other. Who cannot jump loses.

    Color 0 is amber, 1 blue. A missing color leaves a player without a placement: refused, unless missing=True (then that player loses).
    """

    name = "colored-points"
    rule = "two-color"
    pads = ("amber", "blue")
    begins_on = AMBER
    clashes = ((AMBER, AMBER), (BLUE, BLUE))
    clash = "each frog keeps to its own color"
    parameters = {"missing": Parameter("a color may be missing", False, bool, required=False)}
    missing: bool

    def __init__(self, pattern: Pattern, **given: Any) -> None:
        super().__init__(pattern, **given)
        amber, blue = (int(k) for k in pattern.count(2))
        if not (self.missing or (amber and blue)):
            raise BadInput(
                f"{self.name} needs points of both colors, 0 amber and 1 blue, not {amber} and {blue}; "
                "missing=True lets the player lose who has no pad"
            )


class Fussy(Friendly):
    """Fussy friendly frogs (sec. 3.3): Alice places a frog on a lily pad, then Bob another one on another pad, and
    the two are never both on red pads. In turn, Alice first, a player lets either frog jump to a pad where it is
    strictly closer to the other frog. Who cannot jump loses.

    Color 0 is green, 1 red.
    """

    name = "fussy"
    rule = "fussy"
    pads = ("green", "red")
    clashes = ((RED, RED),)
    clash = "the two frogs may not both be on red pads"


class Misere(Friendly):
    """Misere friendly frogs (sec. 4.1): Alice places a frog on a lily pad, then Bob another one on another pad. In
    turn, Alice first, a player lets either frog jump to a pad where it is strictly closer to the other frog. Who
    cannot jump wins.
    """

    name = "misere"
    rule = "misere"
    stuck_wins = True


class Stones(Colored):
    """k-stone colored friendly frogs (sec. 4.2): Alice places an amber frog on a lily pad, then Bob a blue one on
    another pad, and with each move a player blocks k pads for the next move. In turn, Alice first, each lets the
    own frog jump to a pad where it is strictly closer to the other. Who cannot jump loses.

    Fewer stones are legal too, which changes nothing: a stone never harms the player who puts it down.
    """

    name = "stones"
    solved_by = "blocking"
    parameters = {"k": Parameter("number of stones", 1, _stones)}

    def solving_rule(self) -> str:
        """Room for k + 1 partners."""
        return f"multi({max(1, min(self.k + 1, self.n))})"  # with room for n nobody is complete, as with more


class Ponds(Variant):
    """Friendly frogs in several ponds at once (sec. 4.3): Alice places two frogs in every pond but the last and one
    in the last, where Bob places another one. In turn, Alice first, a player lets a frog of one pond jump to a pad
    where it is strictly closer to the other frog of that pond. Who cannot jump in any pond loses.

    A position is a tuple of ponds, each a tuple of pads. The opening is that of Theorem 13; what Alice places is one move.
    """

    name = "ponds"
    solved_by = "labels"
    many = True

    def __init__(self, patterns: Any, **given: Any) -> None:
        if isinstance(patterns, Pattern) or not len(patterns):
            raise BadInput(f"{self.name} is played on a list of patterns, one for each pond")
        super().__init__(**given)
        self.ponds = [Friendly(pattern) for pattern in patterns]
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
        """A position from tuples of pads, one for each pond; () is the start. ValueError if it cannot occur."""
        if not isinstance(position, tuple | list):
            raise BadInput(f"a position of {self.name} is a tuple of pads for each pond, not {quoted(position)}")
        if not len(position):
            return ((),) * len(self.ponds)
        if len(position) != len(self.ponds):
            raise BadInput(f"a position names the frogs of all {len(self.ponds)} ponds, not of {len(position)}")
        frogs = tuple(pond.position(pads).frogs for pond, pads in zip(self.ponds, position, strict=True))
        counts = [len(pads) for pads in frogs]
        if any(counts) and (set(counts[:-1]) - {2} or counts[-1] == 0):
            raise BadInput(f"two frogs are in every pond, in the last one at first; not {counts}")
        return frogs

    def views(self, position: tuple) -> list[tuple[OnePond, Position]]:
        """The ponds, each with what is in it."""
        return [(pond, Position(frogs)) for pond, frogs in zip(self.ponds, position, strict=True)]

    def read(self, position: tuple, numbers: list[int]) -> Move:
        """The move that a player means by these numbers; it may be illegal. ValueError if they mean nothing."""
        if not any(position):
            most = 2 * len(position) - 1
            if len(numbers) != most:
                raise BadInput(f"the opening names {most} pads: two for each pond, one for the last")
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
    """The class of a variant.

    Parameters
    ----------
    name : str
        A key of VARIANTS; for another ValueError is raised, with the names that exist.

    Examples
    --------
    >>> pm.frogs.variant_named("shy").parameters["c"].meaning
    'distance of the shy variants'
    """
    if name not in VARIANTS:
        raise BadInput(f"unknown variant {quoted(name)}; the variants are {', '.join(VARIANTS)}")
    return VARIANTS[name]


def rules_of(pattern: Any, variant: str, **parameters: Any) -> Any:
    """The rules of a variant on a pattern.

    Parameters
    ----------
    pattern : Pattern
        Several ponds: a list of patterns.
    variant : str
    **parameters
        What the variant is played with.

    Returns
    -------
    Variant

    Raises
    ------
    ValueError
        For an unknown variant, a parameter that it does not have or lacks, and colors that it does not know.

    Examples
    --------
    >>> rules = pm.frogs.rules_of(pm.Pattern([[0.0], [1.0], [3.0]], None, pm.Euclidean(1)), "friendly")
    >>> [(move.frog, move.to) for move in rules.moves(rules.position((0, 2)))]
    [(0, 1), (2, 1)]
    """
    return variant_named(variant)(pattern, **parameters)
