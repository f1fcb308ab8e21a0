"""Reduction to canonical form: removal of dominated options, bypass of reversible options."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import TypeVar

from ..pictures.svg import arrow_head, escaped, heading, svg_document
from .forms import Form, leq

BOX = 15.0  # half the height of a box of a picture, in pixels
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

    def to_svg(self, name: str = "G") -> str:
        """Return the bypass of a reversible option as an SVG picture.

        It shows the game `name`, its option, the reply and what replaces the option.

        Moves of Left go down to the left, those of Right down to the right; the new moves are
        dashed. As Figure 1 of Thanatipanonda, *Further hopping with Toads and Frogs* (2011).

        Raises
        ------
        ValueError
            If the option is dominated: then it is removed, and there is nothing to bypass.

        Examples
        --------
        >>> step = pm.games.ToadsAndFrogs("TT.FF").reductions()[0]
        >>> str(step), step.to_svg("TT.FF")[:4]
        ("Left's option ^ is reversible through *, replaced by 0", '<svg')
        """
        if self.kind != "reversible":
            raise ValueError(f"only a reversible option is bypassed: {self}")
        side = -1 if self.player == "Left" else 1
        news = list(map(str, self.replaced_by))
        width = max(440.0, 2 * 110.0 * len(news))
        root, option, reply = (width / 2, 70.0), (width / 2 + side * 90, 160.0), (width / 2, 250.0)
        ends = [(width / 2 + side * (45 + 110.0 * k), 340.0) for k in range(len(news))]
        lines = [arrow_head("tip", "#444444"), arrow_head("new", "#0072B2"), *heading(str(self), 20, 24)]
        for (x, y), (u, v) in [(root, option), (option, reply), *((reply, end) for end in ends)]:
            lines.append(_arrow(x, y + BOX, u, v - BOX, 0.0, 'stroke="#444444" marker-end="url(#tip)"'))
        for k, (u, v) in enumerate(ends):
            bend, style = -side * (130.0 + 60 * k), 'stroke="#0072B2" stroke-dasharray="6 4" marker-end="url(#new)"'
            lines.append(_arrow(root[0], root[1] + BOX, u, v - BOX, bend, style))
        names = [name, str(self.option), str(self.by), *news]
        for (x, y), text in zip([root, option, reply, *ends], names, strict=True):
            wide = max(34.0, 8.0 * len(text) + 12)
            lines.append(
                f'<rect x="{x - wide / 2:.1f}" y="{y - BOX}" width="{wide:.1f}" height="{2 * BOX}" rx="5" fill="#FFFFFF" stroke="#222222"/>'
            )
            lines.append(f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle">{escaped(text)}</text>')
        return svg_document(width, 340 + 2 * BOX + 10, str(self), lines)


def _arrow(x: float, y: float, u: float, v: float, bend: float, style: str) -> str:
    """Return a curve from (x, y) to (u, v), with its middle moved to the side by `bend`."""
    return f'<path d="M{x:.1f} {y:.1f}Q{(x + u) / 2 + bend:.1f} {(y + v) / 2:.1f} {u:.1f} {v:.1f}" fill="none" stroke-width="1.5" {style}/>'


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
