"""Text of SVG files."""

from collections.abc import Iterable

from poissonmatch.utils.errors import printable, quoted


def escaped(text: str) -> str:
    """Return text for use between tags; unprintable characters as Python escapes."""
    if not isinstance(text, str):
        raise TypeError(f"a title must be text, got {quoted(text)}")
    return printable(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def heading(title: str, x: float, y: float) -> list[str]:
    """Return the title as a line of text; nothing for an empty title."""
    return [f'<text x="{x}" y="{y}" font-size="14">{escaped(title)}</text>'] if title else []


def svg_document(width: float, height: float, title: str, lines: Iterable[str]) -> str:
    """Return the text of an SVG file with a white background; sizes are in pixels."""
    size = f'width="{width:.0f}" height="{height:.0f}"'
    first = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" {size} '
    first += f'font-family="Helvetica, Arial, sans-serif" font-size="12">\n<title>{escaped(title)}</title>'
    return "\n".join([first, f'<rect {size} fill="#FFFFFF"/>', *lines, "<!-- poissonmatch -->", "</svg>\n"])


def arrow_head(name: str, color: str) -> str:
    """Return an arrow head for `marker-end="url(#name)"`."""
    return (
        f'<defs><marker id="{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
        f'markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" fill="{color}"/></marker></defs>'
    )
