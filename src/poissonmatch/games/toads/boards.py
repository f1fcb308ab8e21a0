"""Strips of Toads and Frogs as pictures: squares, and on them toads (T, Left's) and frogs (F, Right's), in SVG."""

from __future__ import annotations

from ...utils.errors import quoted
from ..pictures.svg import escaped, sheet
from .notation import Strip, shape

__all__ = ["COLOR", "MARGIN", "SIDE", "board", "middle", "on_page", "piece", "squares"]

SIDE, MARGIN = 36, 16  # of a square, around all: in pixels
COLOR = {"T": "#997700", "F": "#2E8B7B"}
NAMES = {"T": "toad", "F": "frog"}
MOST = 200  # squares of a picture


def middle(square: float) -> float:
    """Where the middle of a square is, from the left end of the strip."""
    return (square + 0.5) * SIDE


def squares(strip: Strip, x: float, y: float) -> list[str]:
    """The empty board of a strip, with its upper left corner there."""
    return [
        f'<rect x="{x + k * SIDE:.1f}" y="{y:.1f}" width="{SIDE}" height="{SIDE}" fill="#F7F3E8" stroke="#555555"/>'
        for k in range(len(strip))
    ]


def piece(kind: str) -> list[str]:
    """A toad or a frog around (0, 0)."""
    return [
        f"<title>{NAMES[kind]}</title>",
        f'<circle r="{0.38 * SIDE:.1f}" fill="{COLOR[kind]}" stroke="#222222"/>',
        f'<text y="5" text-anchor="middle" font-size="15" font-weight="bold" fill="#FFFFFF">{kind}</text>',
    ]


def row(strip: Strip, x: float, y: float) -> list[str]:
    """A strip with its pieces, with its upper left corner there."""
    found = squares(strip, x, y)
    for k, kind in enumerate(strip):
        if kind != ".":
            place = f"translate({x + middle(k):.1f} {y + SIDE / 2:.1f})"
            found += [f'<g transform="{place}">', *piece(kind), "</g>"]
    return found


def on_page(strip: Strip) -> None:
    """Raises ValueError for a strip that is too long for a picture."""
    if len(strip) > MOST:
        raise ValueError(f"{quoted(shape(strip))}: {len(strip)} squares are too many for a picture; at most {MOST}")


def board(strip: Strip, title: str = "") -> str:
    """The strip as an SVG picture, with the title above it. Raises ValueError for more than 200 squares."""
    on_page(strip)
    top = MARGIN + 22 * bool(title)
    words = [f'<text x="{MARGIN}" y="{MARGIN + 10}" font-size="14">{escaped(title)}</text>'] if title else []
    width = max(len(strip) * SIDE, 7.2 * len(title)) + 2 * MARGIN
    return sheet(width, top + SIDE + MARGIN, title or shape(strip), words + row(strip, MARGIN, top))
