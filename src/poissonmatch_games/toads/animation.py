"""Pictures and animations of a sequence of moves: a play of Toads and Frogs, or a solution of the puzzle."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from poissonmatch.utils.errors import quoted

from ..pictures.svg import arrow_head, heading, svg_document
from .puzzle import timeline
from .ruleset import ToadsAndFrogs
from .strip_notation import Strip, parse_strip
from .strip_pictures import COLOR, MARGIN, SIDE, check_length, middle, piece, row, squares

MAX_MOVES = 1000  # of a picture
NUMBERS, GAP = 64, 26  # width of the column of numbers, gap between two strips: in pixels
LEGEND = "T: toads, Left's; F: frogs, Right's; thick arrows: jumps"


@dataclass(frozen=True)
class Motion:
    """Sequence of strips, each after one move from the one before.

    Parameters
    ----------
    strips : tuple of strips
    """

    strips: tuple[Strip, ...]

    @cached_property
    def moves(self) -> list[dict[str, Any]]:
        """The moves as dicts (move, strip, piece, start, end, jump); the first is the start."""
        return timeline(self.strips)

    def to_svg(self, title: str = "") -> str:
        """Return an SVG picture of all strips, one below the other, with an arrow for each move. Raises ValueError if it is too large."""
        self._check()
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
        return svg_document(width, top + len(self.strips) * (SIDE + GAP) - GAP + MARGIN, title or self._name(), lines)

    def to_animation(self, title: str = "", seconds: float = 0.8) -> str:
        """Return an animated SVG picture, which repeats, with `seconds` for each move.

        Without animation it displays the start. Raises ValueError if it is too large, or `seconds` is not from 0.05 to 60.
        """
        self._check()
        if not 0.05 <= seconds <= 60:
            raise ValueError(f"seconds must be from 0.05 to 60, got {quoted(seconds)}")
        top = MARGIN + 22 * bool(title) + SIDE  # space for jumps
        span = len(self.strips) + 1  # with a pause at both ends
        lasts = f'dur="{seconds * span:g}s" repeatCount="indefinite"/>'
        lines = heading(title, MARGIN, MARGIN + 6) + squares(self.strips[0], MARGIN, top)
        for path in self._paths():
            x, y = MARGIN + middle(path[0][1]), top + SIDE / 2
            lines.append(f'<g transform="translate({x:.1f} {y:.1f})">')
            lines += piece(self.strips[0][int(path[0][1])])
            if len(path) > 1:
                points = ";".join(f"{MARGIN + middle(square):.1f} {y - up * SIDE:.1f}" for _, square, up in path)
                times = ";".join(f"{at / span:.6f}" for at, _, _ in path)
                animated = f'attributeName="transform" type="translate" values="{points}" keyTimes="{times}"'
                lines.append(f"<animateTransform {animated} {lasts}")
            lines.append("</g>")
        y = top + SIDE + MARGIN + 8
        for move in self.moves if len(self.strips) > 1 else ():
            k = move["move"]
            before, after = ("hidden" if away else "visible" for away in (k > 0, k < len(self.strips) - 1))
            lines.append(
                f'<text x="{MARGIN}" y="{y}" font-size="14" visibility="{before}">{k}. {move["piece"]}'
                f'<animate attributeName="visibility" calcMode="discrete" values="{before};visible;{after}" '
                f'keyTimes="0;{k / span:.6f};{(k + 1) / span:.6f}" {lasts}</text>'
            )
        width = max(len(self.strips[0]) * SIDE, 7.2 * len(title), NUMBERS) + 2 * MARGIN
        return svg_document(width, y + MARGIN, title or self._name(), lines)

    def _paths(self) -> list[list[tuple[float, float, float]]]:
        """Return the path of each piece, from left to right: (time, square, height) at rest and in the middle of a move.

        Times are in units of `seconds`, of which the piece moves 0.6.
        """
        start = [float(k) for k, kind in enumerate(self.strips[0]) if kind != "."]
        at: dict[float, list[tuple[float, float, float]]] = {square: [(0.0, square, 0.0)] for square in start}
        paths = list(at.values())  # and `at` has the path of the piece on each square
        for move in self.moves[1:]:
            begin, end, when = move["start"], move["end"], float(move["move"])
            path = at[end] = at.pop(begin)
            up = 0.9 if move["jump"] else 0.0
            path += [(when, begin, 0.0), (when + 0.3, (begin + end) / 2, up), (when + 0.6, end, 0.0)]
        for path in paths:
            if len(path) > 1:
                path.append((len(self.strips) + 1.0, *path[-1][1:]))
        return paths

    def _check(self) -> None:
        check_length(self.strips[0])
        if len(self.strips) > MAX_MOVES + 1:
            raise ValueError(f"{len(self.strips) - 1} moves are too many for a picture; at most {MAX_MOVES}")

    def _name(self) -> str:
        return f"{self.strips[0]} to {self.strips[-1]}"


def motion(play: str | ToadsAndFrogs | Iterable[str], first: str = "Left") -> Motion:
    """Return a play as a sequence of strips with pictures; from a position, a play of two perfect players.

    A perfect player makes the first winning move, or else the first legal move.

    Parameters
    ----------
    play : str, ToadsAndFrogs or iterable of str
        A position, or all strips of a play, whose moves need not alternate.
    first : {"Left", "Right"}
        The perfect player who begins.

    Returns
    -------
    Motion
        With `strips`, `moves` (a dict for each: move, strip, piece, start, end, jump), and the pictures `to_svg(title)` and, animated,
        `to_animation(title, seconds)`.

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
