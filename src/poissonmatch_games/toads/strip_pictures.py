"""SVG pictures of strips of Toads and Frogs."""

from poissonmatch.utils.errors import quoted

from ..pictures.svg import heading, svg_document
from .strips import Strip, shape

SIDE, MARGIN = 36, 16  # side of a square, margin: in pixels
COLOR = {"T": "#997700", "F": "#2E8B7B"}
NAMES = {"T": "toad", "F": "frog"}
MAX_SQUARES = 200  # of a picture


def middle(square: float) -> float:
    """Return the coordinate of the middle of a square, from the left end of the strip."""
    return (square + 0.5) * SIDE


def row(strip: Strip, x: float, y: float) -> list[str]:
    """Return a strip with its pieces, with its upper left corner at (x, y)."""
    lines = [
        f'<rect x="{x + k * SIDE:.1f}" y="{y:.1f}" width="{SIDE}" height="{SIDE}" fill="#F7F3E8" stroke="#555555"/>'
        for k in range(len(strip))
    ]
    for k, kind in enumerate(strip):
        if kind != ".":
            lines += [
                f'<g transform="translate({x + middle(k):.1f} {y + SIDE / 2:.1f})">',
                f"<title>{NAMES[kind]}</title>",
                f'<circle r="{0.38 * SIDE:.1f}" fill="{COLOR[kind]}" stroke="#222222"/>',
                f'<text y="5" text-anchor="middle" font-size="15" font-weight="bold" fill="#FFFFFF">{kind}</text>',
                "</g>",
            ]
    return lines


def check_length(strip: Strip) -> None:
    """Raise ValueError for a strip that is too long for a picture."""
    if len(strip) > MAX_SQUARES:
        name = quoted(shape(strip))
        raise ValueError(f"{name}: {len(strip)} squares are too many for a picture; at most {MAX_SQUARES}")


def board(strip: Strip, title: str = "") -> str:
    """Return the strip as an SVG picture, with a title above it.

    Raises ValueError for more than 200 squares.
    """
    check_length(strip)
    top = MARGIN + 22 * bool(title)
    width = max(len(strip) * SIDE, 7.2 * len(title)) + 2 * MARGIN
    lines = heading(title, MARGIN, MARGIN + 10) + row(strip, MARGIN, top)
    return svg_document(width, top + SIDE + MARGIN, title or shape(strip), lines)
