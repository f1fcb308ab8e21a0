"""The frog games of Deijfen, Holroyd and Martin (2016) in one pond, by their rules."""

from __future__ import annotations

from functools import partial
from typing import Any

from ..points.pattern import Pattern
from ..utils.errors import BadInput
from ..utils.validation import check_int, check_real
from .moves import OnePond, Parameter

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


class MisereColored(Misere, Colored):
    """Misere colored friendly frogs (sec. 3.1 and 4.1).

    Alice places an amber frog on a lily pad, then Bob places a blue one on another pad. In turn,
    Alice first, each player makes the frog of their color jump to a pad where it is strictly closer
    to the other frog. A player who cannot jump wins.
    """

    name = "misere-colored"
    rule = "one-color"
    solved_by = "order"
    on_page = False


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
    family = "multi({})"

    def solving_rule(self) -> str:
        """Return the rule with capacity k + 1."""
        return self.family.format(
            max(1, min(self.k + 1, self.n))
        )  # a capacity of n is never reached, as any larger one


class FussyStones(Stones, Fussy):
    """Fussy colored frogs with k stones (sec. 3.3 and 4.2).

    Alice places an amber frog on a lily pad, then Bob places a blue one on another pad, the two are
    never both on red pads, and with each move a player blocks k pads for the next move. In turn,
    Alice first, each player makes the frog of their color jump to a pad where it is strictly closer
    to the other frog. A player who cannot jump loses.

    Color 0 of the pads is green, 1 red. The proof of Prop. 11 applies to the pairs that are not both
    red.
    """

    name = "fussy-stones"
    family = "custom(11/10; {})"
    on_page = False
