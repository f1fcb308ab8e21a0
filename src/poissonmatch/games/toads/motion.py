"""A strip in motion: a play of Toads and Frogs, or a solution of the puzzle, strip under strip or as it moves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from ...utils.errors import quoted
from ..pictures.svg import escaped, sheet, tip
from .boards import COLOR, MARGIN, SIDE, middle, on_page, piece, row, squares
from .notation import Strip, parse_strip
from .puzzle import Move, timeline
from .ruleset import ToadsAndFrogs

__all__ = ["Motion", "motion"]

MOST = 1000  # moves of a picture
NUMBERS, GAP = 64, 26  # room for the numbers of moves, between two strips: in pixels
LEGEND = "T: toads, Left's; F: frogs, Right's; thick arrows: jumps"


@dataclass(frozen=True)
class Motion:
    """What stands on a strip at first, and after each move.

    Parameters
    ----------
    strips : tuple of str

    Examples
    --------
    >>> play = pm.games.motion("T.F")
    >>> play.strips, play.moves[2]
    (('T.F', '.TF', 'FT.', 'F.T'), {'move': 2, 'strip': 'FT.', 'piece': 'F', 'start': 2, 'end': 0, 'jump': True})
    """

    strips: tuple[Strip, ...]

    @cached_property
    def moves(self) -> list[Move]:
        """The moves as rows, see puzzle.Move; the first is the start."""
        return timeline(list(self.strips))

    def to_svg(self, title: str = "") -> str:
        """Strip under strip, each move numbered, with an arrow.

        Parameters
        ----------
        title : str

        Returns
        -------
        str

        Raises
        ------
        ValueError
            It is too large for a picture.

        Examples
        --------
        >>> pm.games.motion("TT.FF").to_svg("a game")[:4]
        '<svg'
        """
        self._check()
        left, top = MARGIN + NUMBERS, MARGIN + 44 * bool(title) + 22 * (not title)
        width = max(left + len(self.strips[0]) * SIDE, 7.2 * max(len(title), len(LEGEND)) + MARGIN) + MARGIN
        lines = [tip(f"tip{kind}", COLOR[kind]) for kind in "TF"]
        lines += _heading(title) + [f'<text x="{MARGIN}" y="{top - 10}" fill="#444444">{LEGEND}</text>']
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
        return sheet(width, top + len(self.strips) * (SIDE + GAP) - GAP + MARGIN, title or self._name(), lines)

    def to_animation(self, title: str = "", seconds: float = 0.8) -> str:
        """The play as an SVG picture that moves, again and again. A reader without animation shows the start.

        Parameters
        ----------
        title : str
        seconds : float
            For a move.

        Returns
        -------
        str

        Raises
        ------
        ValueError
            It is too large for a picture, or there is no time.

        Examples
        --------
        >>> "<animateTransform" in pm.games.motion("TT.FF").to_animation()
        True
        """
        self._check()
        if not 0.05 <= seconds <= 60:
            raise ValueError(f"a move takes 0.05 to 60 seconds, not {quoted(seconds)}")
        top = MARGIN + 22 * bool(title) + SIDE  # room for a jump
        span = len(self.strips) + 1  # a rest at either end
        lasts = f'dur="{seconds * span:g}s" repeatCount="indefinite"/>'
        lines = _heading(title) + squares(self.strips[0], MARGIN, top)
        for way in self._ways():
            x, y = MARGIN + middle(way[0][1]), top + SIDE / 2
            lines.append(f'<g transform="translate({x:.1f} {y:.1f})">')
            lines += piece(self.strips[0][int(way[0][1])])
            if len(way) > 1:
                places = ";".join(f"{MARGIN + middle(square):.1f} {y - up * SIDE:.1f}" for _, square, up in way)
                times = ";".join(f"{at / span:.6f}" for at, _, _ in way)
                lines.append(
                    f'<animateTransform attributeName="transform" type="translate" values="{places}" '
                    f'keyTimes="{times}" {lasts}'
                )
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
        return sheet(width, y + MARGIN, title or self._name(), lines)

    def _ways(self) -> list[list[tuple[float, float, float]]]:
        """For each piece of the start, from left to right: (time, square, how high), where it is at rest and in the middle of a
        move. A move takes 0.6 of the time of a move."""
        ways: dict[int, list[tuple[float, float, float]]] = {
            k: [(0.0, float(k), 0.0)] for k, kind in enumerate(self.strips[0]) if kind != "."
        }
        at = dict(zip(ways, ways.values(), strict=True))  # square -> the way of the piece on it
        for move in self.moves[1:]:
            start, end, when = move["start"], move["end"], float(move["move"])
            way = at[end] = at.pop(start)
            up = 0.9 if move["jump"] else 0.0
            way += [(when, start, 0.0), (when + 0.3, (start + end) / 2, up), (when + 0.6, end, 0.0)]
        for way in ways.values():
            if len(way) > 1:
                way.append((len(self.strips) + 1.0, *way[-1][1:]))
        return list(ways.values())

    def _check(self) -> None:
        on_page(self.strips[0])
        if len(self.strips) > MOST + 1:
            raise ValueError(f"{len(self.strips) - 1} moves are too many for a picture; at most {MOST}")

    def _name(self) -> str:
        return f"{self.strips[0]} to {self.strips[-1]}"


def _heading(title: str) -> list[str]:
    return [f'<text x="{MARGIN}" y="{MARGIN + 6}" font-size="14">{escaped(title)}</text>'] if title else []


def motion(play: str | ToadsAndFrogs | Iterable[str], first: str = "Left") -> Motion:
    """A play as strips that follow each other; from a position, that of two perfect players.

    Of these, who can win makes the first move that wins; who cannot, the first of all.

    Parameters
    ----------
    play : str, ToadsAndFrogs or iterable of str
        A position, or all strips of a play. Its moves need not alternate.
    first : {"Left", "Right"}
        Which perfect player begins.

    Returns
    -------
    Motion

    Raises
    ------
    ValueError
        A strip does not follow by a move of a toad or a frog from the one before.

    Examples
    --------
    >>> pm.games.motion("TT.FF").strips
    ('TT.FF', 'T.TFF', 'TFT.F', 'TF.TF', 'TFFT.', 'TFF.T')
    >>> len(pm.games.motion(["T.F", ".TF", "FT.", "F.T"]).moves)
    4
    """
    if isinstance(play, str | ToadsAndFrogs):
        return Motion(tuple(_perfect(play if isinstance(play, ToadsAndFrogs) else ToadsAndFrogs(play), first)))
    strips = tuple(parse_strip(strip) for strip in play)
    if not strips:
        raise ValueError("a play has at least the strip that it begins with")
    for number, (old, new) in enumerate(zip(strips, strips[1:], strict=False), 1):
        if new not in ToadsAndFrogs.left_moves(old) + ToadsAndFrogs.right_moves(old):
            raise ValueError(f"move {number}: no toad or frog of {quoted(old)} can move so that {quoted(new)} is left")
    return Motion(strips)


def _perfect(position: ToadsAndFrogs, player: str) -> list[Strip]:
    strips = [str(position.position)]
    while moves := position.winning_moves(player) or position.moves(player):
        strips.append(moves[0])
        position, player = ToadsAndFrogs(moves[0]), "Right" if player == "Left" else "Left"
    return strips
