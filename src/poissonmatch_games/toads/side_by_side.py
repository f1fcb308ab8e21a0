"""Tables 3.1 to 3.4 of [T] as text, Markdown or LaTeX: computed, bound and printed entries side by side."""

import re
from collections.abc import Callable, Iterable
from typing import Any

from ..partisan.value_notation import parse

HEAD = ("a", "b", "computed", "bound", "printed")
INFINITESIMAL = "infinitesimal"  # printed as N, without its value


def _text(title: str, rows: list[list[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([title, "", *lines])


def _markdown(title: str, rows: list[list[str]]) -> str:
    cells = [[re.sub(r"([\\|*_`<])", r"\\\1", cell) for cell in row] for row in rows]
    lines = [f"| {' | '.join(row)} |" for row in cells]
    return "\n".join([f"**{title}**", "", lines[0], "|" + "---|" * len(HEAD), *lines[1:]])


def _latex(title: str, rows: list[list[str]]) -> str:
    caption = re.sub(r"T\^\S+ \.\^b F\^a", lambda match: f"${_strip(match[0])}$", title)
    lines = [" & ".join(map(_tex, row)) + r" \\" for row in rows[1:]]
    top = [r"\begin{longtable}{rrlll}", rf"\caption{{{caption}}}\\", " & ".join(HEAD) + r" \\ \hline", r"\endhead"]
    return "\n".join([*top, *lines, r"\end{longtable}"])


def _strip(text: str) -> str:
    return re.sub(r"\((.*?)\)", r"{\1}", text).replace(" ", "\\ ")


def _tex(cell: str) -> str:
    """Return an entry in LaTeX: a value, relations of V such as 2<V,V||3, or INFINITESIMAL."""
    if cell == INFINITESIMAL:
        return cell
    if "V" not in cell:
        return f"${parse(cell).latex}$" if cell else ""
    parts = []
    for part in cell.replace(" confused with ", "||").split(","):
        terms = re.split(r"(<|\|\|)", part.replace(" ", ""))
        signs = {"<": "<", "||": r"\parallel", "V": "V"}
        parts.append("$" + " ".join(signs.get(term) or parse(term).latex for term in terms) + "$")
    return ", ".join(parts)


#: suffix of the file -> function of a title and rows of text, the first of which is the head
STYLES: dict[str, Callable[[str, list[list[str]]], str]] = {".txt": _text, ".md": _markdown, ".tex": _latex}


def side_by_side(rows: Iterable[dict[str, Any]], style: str) -> str:
    """Return a table for each k, in the style of a file with this suffix (.txt, .md or .tex), from rows of `families.COLUMNS`.

    Each line is a cell T^(a+k) .^b F^a: the computed value, or the bounds if it is not known, and the printed value or bound.
    """
    tables: dict[int, list[list[str]]] = {}
    for row in sorted(rows, key=lambda row: (row["k"], row["a"], row["b"])):
        entries = [row[name] or "" for name in ("value", "bounds", "published")]
        cells = [str(row["a"]), str(row["b"]), *(INFINITESIMAL if entry == "N" else entry for entry in entries)]
        tables.setdefault(row["k"], [list(HEAD)]).append(cells)
    titles = {k: f"T^{f'(a+{k})' if k else 'a'} .^b F^a" + (f" (table 3.{k + 1})" if k < 4 else "") for k in tables}
    return "\n\n".join(STYLES[style](titles[k], lines) for k, lines in tables.items()) + "\n"
