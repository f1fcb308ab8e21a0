"""Text of SVG files."""

from __future__ import annotations

from collections.abc import Iterable

from ...utils.errors import printable


def escaped(text: str) -> str:
    """Return text for use between tags; unprintable characters as Python escapes."""
    return printable(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def sheet(width: float, height: float, title: str, lines: Iterable[str]) -> str:
    """Return the text of an SVG file with a white background; sizes are in pixels."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
            f'height="{height:.0f}" font-family="Helvetica, Arial, sans-serif" font-size="12">',
            f"<title>{escaped(title)}</title>",
            f'<rect width="{width:.0f}" height="{height:.0f}" fill="#FFFFFF"/>',
            *lines,
            "</svg>",
            "",
        ]
    )


def tip(name: str, color: str) -> str:
    """Return an arrow head for `marker-end="url(#name)"`."""
    return (
        f'<defs><marker id="{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
        f'markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" fill="{color}"/></marker></defs>'
    )
