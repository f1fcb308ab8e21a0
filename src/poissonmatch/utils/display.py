"""Display of objects: numbers with errors as text, tables as HTML, colors, and names of players."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable
from html import escape

PLAYERS = ("Alice", "Bob")  # Alice begins

# Five hues of Paul Tol's with CIELAB distances of at least 23 in normal, protan, deutan and tritan
# vision, and differences in lightness of at least 11: dark blue, green, wine, brown, yellow.
PALETTE = ("#004488", "#44AA99", "#994455", "#997700", "#CCBB44")
# Colors of points by name; of the two colors of a rule, one is light and one dark.
POINTS = {"amber": "#E69F00", "blue": "#0055A4", "green": "#5DBB92", "red": "#A51122"}


def with_error(value: float, error: float | None) -> str:
    """Return a value with the standard error of its last digits in parentheses: 2.07(4) for 2.0724 and 0.035972.

    The error has one digit, or two if the first is 1. Without an error (None, nan or 0) the value
    has five digits.
    """
    if error is None or not (math.isfinite(value) and math.isfinite(error) and error > 0):
        return f"{value:.5g}"
    if 0 < abs(value) < 1e-4:
        power = math.floor(math.log10(max(abs(value), error)))
        return f"{with_error(value / 10.0**power, error / 10.0**power)}e{power:03d}"
    more = f"{error:.1e}".startswith("1")
    rounded = f"{error:.{more:d}e}"
    places = more - int(rounded.partition("e")[2])
    if places <= 0:
        return f"{round(value, places):.0f}({float(rounded):.0f})"
    if float(rounded) >= 1:
        return f"{value:.{places}f}({float(rounded):.{places}f})"
    return f"{value:.{places}f}({float(rounded) * 10**places:.0f})"


def counted(counts: dict[str, int]) -> str:
    """Return counts with their nouns, which are given in the plural: "1 study, 147 formulas, 2 cells"."""
    return ", ".join(f"{n} {re.sub('ies$', 'ys', what)[:-1] if n == 1 else what}" for what, n in counts.items())


def number_range(numbers: Collection[float]) -> str:
    """Return the smallest and the largest number as text, "" for none."""
    ends = dict.fromkeys(f"{number:.6g}" for number in (min(numbers), max(numbers))) if numbers else {}
    return " to ".join(ends)


def html_table(head: Iterable[object], rows: Iterable[Iterable[object]], caption: str = "") -> str:
    """Return an HTML table for a notebook; all text is escaped."""

    def row(cells: Iterable[object], tag: str) -> str:
        return f"<tr>{''.join(f'<{tag}>{escape(str(cell))}</{tag}>' for cell in cells)}</tr>"

    body = "".join(row(cells, "td") for cells in rows)
    above = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f"<table>{above}<thead>{row(head, 'th')}</thead><tbody>{body}</tbody></table>"
