"""Strips of Toads and Frogs: notation, LaTeX, reductions that keep the value, and arrays for the kernels."""

import re
from math import comb
from typing import Any

import numpy as np

from poissonmatch.utils.errors import quoted, shorten

from ..impartial.position_checks import as_count

Array = np.ndarray[Any, Any]
Strip = str

BLANKS = ".□_o"  # symbols of an empty square
MAX_SQUARES = 10_000  # of a strip
QUICK = 150_000  # positions for which the canonical engine needs a few seconds
_SPACE = re.compile(r"\s*")
_DEPTH = 20  # of nested parentheses
_TOKEN = re.compile(rf"[TF(){BLANKS}]|\^\d+")


def parse_strip(source: str) -> Strip:
    """Return the strip in plain letters: "T^2 .^3 (TF)^2" -> "TT...TFTF".

    Raises ValueError with the position of the first error.

    An empty square is '.', '□', '_' or 'o'. Spaces separate terms; a space between two letters, as
    in "T F", is an error, since it looks like an empty square.
    """
    if not isinstance(source, str):
        raise TypeError(f"a strip must be a string of T, F and '.', got {quoted(source)}")
    groups: list[list[str]] = [[]]  # the terms of each open parenthesis; an exponent repeats the last one
    end, before = 0, ""
    source = source.rstrip()
    while end < len(source):
        start = _SPACE.match(source, end).end()  # type: ignore[union-attr]
        match = _TOKEN.match(source, start)
        if match is None:
            raise _refused(source, start, "not T, F, '.', a parenthesis, or ^n after one of them")
        token, end = match[0], match.end()
        if start > 0 and source[start - 1].isspace() and before in ("T", "F") and token in ("T", "F"):
            squares = f"write {before}.{token} for an empty square, or {before}{token} for none"
            raise _refused(source, start - 1, f"a space between two pieces: {squares}")
        if token == "(":
            groups.append([])
        elif token == ")":
            if len(groups) == 1:
                raise _refused(source, start, "an unmatched parenthesis")
            groups[-2].append("".join(groups.pop()))
        elif token[0] == "^":
            if not before or before in "(^":
                raise _refused(source, start, "an exponent without a base")
            _repeat(groups[-1], token[1:], source)
        else:
            groups[-1].append("." if token in BLANKS else token)
        before = token[0]
        if len(groups) > _DEPTH:
            raise ValueError(f"the strip {quoted(source)} has more than {_DEPTH} nested parentheses")
    if len(groups) > 1:
        raise ValueError(f"the strip {quoted(source)} has an unclosed parenthesis")
    strip = "".join(groups[0])
    if len(strip) > MAX_SQUARES:
        raise ValueError(f"the strip {quoted(source)} has {len(strip)} squares, more than {MAX_SQUARES}")
    return strip


def _repeat(terms: list[str], exponent: str, source: str) -> None:
    """Repeat the last term."""
    times = int(exponent) if len(exponent) <= len(str(MAX_SQUARES)) else MAX_SQUARES + 1
    if times > MAX_SQUARES or times * len(terms[-1]) > MAX_SQUARES:
        what = f"the exponent ^{shorten(exponent)} in {quoted(source)}"
        raise ValueError(f"{what}: a strip has at most {MAX_SQUARES} squares")
    terms[-1] *= times


def _refused(source: str, at: int, what: str) -> ValueError:
    return ValueError(f"character {at} of the strip {quoted(source)} is {what}")


def shape(strip: Strip) -> str:
    """Return a strip by its runs, as T^7 .^7 F^6, in the form that `parse_strip` accepts."""
    text = " ".join(square if n == 1 else f"{square}^{n}" for square, n in _runs(strip))
    return re.sub(r"(?<=[TF]) (?=[TF])", "", text)


def latex(strip: Strip) -> str:
    r"""Return a strip in LaTeX: T^{2}\square^{3}F."""
    names = {"T": "T", "F": "F", ".": r"\square"}
    terms = [names[square] + (f"^{{{n}}}" if n > 1 else " " * (square == ".")) for square, n in _runs(strip)]
    return "".join(terms).rstrip()


def _runs(strip: Strip) -> list[tuple[str, int]]:
    return [(run[0][0], len(run[0])) for run in re.finditer(r"T+|F+|\.+", strip)]


def starting(toads: int, blanks: int, frogs: int) -> Strip:
    """Return T^toads .^blanks F^frogs.

    Raises TypeError for non-integers, ValueError for negative numbers.
    """
    toads, blanks, frogs = (
        as_count(n, "a number of toads, blanks or frogs", maximum=MAX_SQUARES) for n in (toads, blanks, frogs)
    )
    return "T" * toads + "." * blanks + "F" * frogs


def mirror(strip: Strip) -> Strip:
    """Return the reversed strip with toads and frogs exchanged, which has the negative value."""
    return strip[::-1].translate(str.maketrans("TF", "FT"))


def to_arrays(strip: Strip) -> tuple[Array, Array, int]:
    """Return (kind, gap, pieces) as in strip_kernels.py."""
    from .strip_kernels import FROG, TOAD  # here, because short strips need no compiled code

    kind = [TOAD if c == "T" else FROG for c in strip if c != "."]
    gap = [len(run) for run in re.split("[TF]", strip)]
    return np.array(kind + [0], np.uint8), np.array(gap, np.int16), len(kind)


def reduced(strip: Strip) -> tuple[Array, Array, int, int]:
    """Return (kind, gap, pieces, free): the value of a strip is that of the reduced one plus the integer `free`.

    Frogs without a toad on their left and toads without a frog on their right are free moves.
    Pieces that can never move are removed (T T .. F F in one run, or a run at the left end of the
    strip up to its last two adjacent frogs, at the right end up to two adjacent toads). Parts
    between such walls are separate games [T, sec. 4], joined by TTFF.
    """
    from .strip_kernels import reduce_strip

    kind, gap, n = to_arrays(parse_strip(strip))
    out_kind, out_gap = np.zeros(n + 1, np.uint8), np.zeros(n + 1, np.int16)
    m, free = reduce_strip(kind, gap, n, out_kind, out_gap)
    return out_kind[:m], out_gap[: m + 1], int(m), int(free)


def estimated_positions(strip: Strip) -> int:
    """Return about the number of reduced positions of a strip: a quarter of all arrangements of its pieces."""
    squares, blanks = len(strip), strip.count(".")
    return comb(squares, blanks) * comb(squares - blanks, strip.count("T")) // 4
