"""Strips of Toads and Frogs as they are written, and as LaTeX."""

from __future__ import annotations

import re

from ...utils.errors import quoted

__all__ = ["BLANKS", "Strip", "latex", "parse_strip", "shape"]

Strip = str

BLANKS = ".□_o"  # an empty square, as it may be written
MOST = 10_000  # squares of a strip
_SPACE = re.compile(r"\s*")
_DEPTH = 20  # brackets within brackets
_TOKEN = re.compile(rf"[TF(){BLANKS}]|\^\d+")


def parse_strip(source: str) -> Strip:
    """The strip in plain letters: "T^2 .^3 (TF)^2" -> "TT...TFTF". ValueError names the first thing that is no part
    of one.

    An empty square is '.', '□', '_' or 'o'. Spaces separate terms; between two letters, as in "T F", a space is
    refused, since it looks like an empty square.
    """
    if not isinstance(source, str):
        raise TypeError(f"a strip is a string of T, F and '.', not {quoted(source)}")
    groups: list[list[str]] = [[]]  # the terms of each bracket that is open; an exponent repeats the last one
    end, before = 0, ""
    source = source.rstrip()
    while end < len(source):
        start = _SPACE.match(source, end).end()  # type: ignore[union-attr]
        match = _TOKEN.match(source, start)
        if match is None:
            raise _refused(source, start, "none of T, F, '.' or brackets (or ^n behind one of them)")
        token, end = match[0], match.end()
        if start > 0 and source[start - 1].isspace() and before in ("T", "F") and token in ("T", "F"):
            squares = f"write {before}.{token} for an empty square, or {before}{token} for none"
            raise _refused(source, start - 1, f"a space between two pieces: {squares}")
        if token == "(":
            groups.append([])
        elif token == ")":
            if len(groups) == 1:
                raise _refused(source, start, "a bracket that was never opened")
            groups[-2].append("".join(groups.pop()))
        elif token[0] == "^":
            if not before or before in "(^":
                raise _refused(source, start, "an exponent of nothing")
            _repeat(groups[-1], token[1:], source)
        else:
            groups[-1].append("." if token in BLANKS else token)
        before = token[0]
        if len(groups) > _DEPTH:
            raise ValueError(f"the strip {_cut(source)!r} has more than {_DEPTH} brackets within brackets")
    if len(groups) > 1:
        raise ValueError(f"a bracket of the strip {_cut(source)!r} is not closed")
    return _bounded("".join(groups[0]), source)


def _repeat(terms: list[str], exponent: str, source: str) -> None:
    """Write the last term so many times."""
    times = int(exponent) if len(exponent) <= len(str(MOST)) else MOST + 1
    if times > MOST or times * len(terms[-1]) > MOST:
        raise ValueError(f"the exponent ^{_cut(exponent)} in {_cut(source)!r}: a strip has at most {MOST} squares")
    terms[-1] *= times


def _bounded(strip: Strip, source: str) -> Strip:
    if len(strip) > MOST:
        raise ValueError(f"the strip {_cut(source)!r} has {len(strip)} squares: the bound is {MOST}")
    return strip


def _refused(source: str, at: int, what: str) -> ValueError:
    return ValueError(f"character {at} of the strip {_cut(source)!r} is {what}")


def _cut(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."


def shape(strip: Strip) -> str:
    """A strip by its runs, as T^7 .^7 F^6; `parse_strip` reads it."""
    text = " ".join(square if n == 1 else f"{square}^{n}" for square, n in _runs(strip))
    return re.sub(r"(?<=[TF]) (?=[TF])", "", text)


def latex(strip: Strip) -> str:
    r"""A strip for a formula: T^{2}\square^{3}F."""
    names = {"T": "T", "F": "F", ".": r"\square"}
    terms = [names[square] + (f"^{{{n}}}" if n > 1 else " " * (square == ".")) for square, n in _runs(strip)]
    return "".join(terms).rstrip()


def _runs(strip: Strip) -> list[tuple[str, int]]:
    return [(run[0][0], len(run[0])) for run in re.finditer(r"T+|F+|\.+", strip)]
