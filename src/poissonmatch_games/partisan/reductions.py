"""Reduction to canonical form: removal of dominated options, bypass of reversible options."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import TypeVar

from .forms import Form, leq

F = TypeVar("F", bound=Form)
_Sides = tuple[Sequence[Form], Sequence[Form]]
_Stops = tuple[float, float] | tuple[None, None]


@dataclass(frozen=True)
class Reduction:
    """One step of a reduction.

    `option` of `player` is removed, because `by` dominates or reverses it.

    For a reversible option, `by` is the opponent's reply that is at least as good for the opponent
    as the game itself, and `replaced_by` are its options, which replace the option (possibly none).
    """

    player: str  # "Left" or "Right"
    kind: str  # "dominated" or "reversible"
    option: Form
    by: Form
    replaced_by: tuple[Form, ...] = ()

    def __str__(self) -> str:
        if self.kind == "dominated":
            return f"{self.player}'s option {self.option} is dominated by {self.by}"
        new = ", ".join(map(str, self.replaced_by)) or "nothing"
        return f"{self.player}'s option {self.option} is reversible through {self.by}, replaced by {new}"


def undominated(options: list[F], player: str, trace: list[Reduction] | None = None) -> list[F]:
    """Return the options of `player` that no other one dominates."""
    kept: list[F] = []
    for x in options:
        by = next((y for y in kept if (leq(x, y) if player == "Left" else leq(y, x))), None)
        if by is not None:
            if trace is not None:
                trace.append(Reduction(player, "dominated", x, by))
            continue
        worse = [y for y in kept if (leq(y, x) if player == "Left" else leq(x, y))]
        if worse:
            if trace is not None:
                trace += [Reduction(player, "dominated", y, x) for y in worse]
            kept = [y for y in kept if y not in worse]
        kept.append(x)
    return kept


def bypassed(left: list[F], right: list[F], trace: list[Reduction] | None = None) -> tuple[list[F], list[F]]:
    """Return the options of the canonical form of {left | right}.

    The given options must be different, and none of them dominated.
    """
    sides = left, right
    # rounded stops of {left | right}, if it is hot: they exclude most reversals
    low = min((x._high for x in sides[1]), default=inf)
    high = max((x._low for x in sides[0]), default=-inf)
    stops = (low, high) if low < high else (None, None)
    while True:
        new = _bypass(sides[0], sides, "Left", stops, trace)
        if new is not None:
            sides = undominated(new, "Left", trace), sides[1]
            continue
        new = _bypass(sides[1], sides, "Right", stops, trace)
        if new is None:
            return sides
        sides = sides[0], undominated(new, "Right", trace)


def _bypass(
    options: list[F], sides: _Sides, player: str, stops: _Stops, trace: list[Reduction] | None
) -> list[F] | None:
    """Return the options with the first reversible one replaced; None if there is none."""
    low, high = stops
    for x in options:
        for y in x.right if player == "Left" else x.left:
            if low is not None and high is not None:
                if (y._high > high or y._low > low) if player == "Left" else (y._high < high or y._low < low):
                    continue
            if _below(y, sides) if player == "Left" else _above(y, sides):
                new = y.left if player == "Left" else y.right
                if trace is not None:
                    trace.append(Reduction(player, "reversible", x, y, new))
                return list({o.index: o for o in (*options, *new) if o is not x}.values())
    return None


def _below(x: Form, sides: _Sides) -> bool:
    """Return whether x <= {sides}; the sides need not be canonical."""
    return not any(leq(r, x) for r in sides[1]) and not any(_above(y, sides) for y in x.left)


def _above(x: Form, sides: _Sides) -> bool:
    """Return whether x >= {sides}."""
    return not any(leq(x, y) for y in sides[0]) and not any(_below(y, sides) for y in x.right)
