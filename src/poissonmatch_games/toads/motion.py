"""Picture of a play of Toads and Frogs, or of a solution of the puzzle of Lucas."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from poissonmatch.utils.errors import quoted

from ..pictures.svg import arrow_head, heading, svg_document
from .lucas_puzzle import timeline
from .ruleset import ToadsAndFrogs
from .strip_pictures import COLOR, MARGIN, SIDE, check_length, middle, row
from .strips import Strip, parse_strip

MAX_MOVES = 1000  # of a picture
NUMBERS, GAP = 64, 26  # width of the column of numbers, gap between two strips: in pixels
LEGEND = "T: toads, Left's; F: frogs, Right's; thick arrows: jumps"


@dataclass(frozen=True)
class Motion:
    """Sequence of strips, each after one move from the one before.

    Parameters
    ----------
    strips : tuple of strips
        Strips from the first to the last position.
    """

    strips: tuple[Strip, ...]

    @property
    def moves(self) -> list[dict[str, Any]]:
        """The moves as dicts (move, strip, piece, start, end, jump); the first is the start."""
        return timeline(self.strips)

    def to_svg(self, title: str = "") -> str:
        """Return an SVG picture of all strips, one below the other, with an arrow for each move.

        Parameters
        ----------
        title : str, optional
            Title of the picture, by default none.

        Returns
        -------
        str
            An SVG document.

        Raises
        ------
        ValueError
            If the picture is too large.
        """
        check_length(self.strips[0])
        if len(self.strips) > MAX_MOVES + 1:
            raise ValueError(f"{len(self.strips) - 1} moves are too many for a picture; at most {MAX_MOVES}")
        left, top = MARGIN + NUMBERS, MARGIN + 44 * bool(title) + 22 * (not title)
        width = max(left + len(self.strips[0]) * SIDE, 7.2 * max(len(title), len(LEGEND)) + MARGIN) + MARGIN
        lines = [arrow_head(f"tip{kind}", COLOR[kind]) for kind in "TF"]
        lines += heading(title, MARGIN, MARGIN + 6)
        lines.append(f'<text x="{MARGIN}" y="{top - 10}" fill="#444444">{LEGEND}</text>')
        for move in self.moves:
            y = top + move["move"] * (SIDE + GAP)
            lines += row(move["strip"], left, y)
            if kind := move["piece"]:
                a, b = (left + middle(move[end]) for end in ("start", "end"))
                lines += [
                    f'<text x="{MARGIN}" y="{y + SIDE / 2 + 5:.1f}" font-size="14">{move["move"]}. '
                    f'<tspan fill="{COLOR[kind]}" font-weight="bold">{kind}</tspan></text>',
                    f'<path d="M{a:.1f} {y - GAP:.1f}L{b:.1f} {y:.1f}" stroke="{COLOR[kind]}" '
                    f'stroke-width="{2.6 if move["jump"] else 1.3}" marker-end="url(#tip{kind})"/>',
                ]
        return svg_document(
            width,
            top + len(self.strips) * (SIDE + GAP) - GAP + MARGIN,
            title or f"{self.strips[0]} to {self.strips[-1]}",
            lines,
        )


def motion(play: str | ToadsAndFrogs | Iterable[str], first: str = "Left") -> Motion:
    """Return a play as a sequence of strips with a picture.

    From a position, it is a play of two perfect players. A perfect player makes the first winning
    move, or else the first legal move.

    Parameters
    ----------
    play : str, ToadsAndFrogs or iterable of str
        A position, or all strips of a play, whose moves need not alternate.
    first : {"Left", "Right"}, default "Left"
        The perfect player who begins.

    Returns
    -------
    Motion
        With `strips`, `moves` (a dict for each: move, strip, piece, start, end, jump), and the
        picture `to_svg(title)`.

    Raises
    ------
    ValueError
        If a strip is not one move of a toad or a frog after the one before.

    Examples
    --------
    >>> pm.games.toads.motion("TT.FF").strips
    ('TT.FF', 'T.TFF', 'TFT.F', 'TF.TF', 'TFFT.', 'TFF.T')
    >>> len(pm.games.toads.motion(["T.F", ".TF", "FT.", "F.T"]).moves)
    4
    """
    if isinstance(play, str | ToadsAndFrogs):
        return Motion(tuple(_perfect(play if isinstance(play, ToadsAndFrogs) else ToadsAndFrogs(play), first)))
    strips = tuple(parse_strip(strip) for strip in play)
    if not strips:
        raise ValueError("a play must have at least one strip")
    for number, (old, new) in enumerate(zip(strips, strips[1:], strict=False), 1):
        if new not in ToadsAndFrogs.left_moves(old) + ToadsAndFrogs.right_moves(old):
            raise ValueError(f"move {number}: no move of a toad or a frog leads from {quoted(old)} to {quoted(new)}")
    return Motion(strips)


def _perfect(position: ToadsAndFrogs, player: str) -> list[Strip]:
    strips = [str(position.position)]
    while moves := position.winning_moves(player) or position.moves(player):
        strips.append(moves[0])
        position, player = ToadsAndFrogs(moves[0]), "Right" if player == "Left" else "Left"
    return strips
