"""Notation of strips of Toads and Frogs, and LaTeX."""

import re

from poissonmatch.utils.errors import quoted

Strip = str

BLANKS = ".□_o"  # symbols of an empty square
MAX_SQUARES = 10_000  # of a strip
_SPACE = re.compile(r"\s*")
_DEPTH = 20  # of nested parentheses
_TOKEN = re.compile(rf"[TF(){BLANKS}]|\^\d+")


def parse_strip(source: str) -> Strip:
    """Return the strip in plain letters: "T^2 .^3 (TF)^2" -> "TT...TFTF". Raises ValueError with the position of the first error.

    An empty square is '.', '□', '_' or 'o'. Spaces separate terms; a space between two letters, as in "T F", is an error, since it looks
    like an empty square.
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
            raise ValueError(f"the strip {_cut(source)!r} has more than {_DEPTH} nested parentheses")
    if len(groups) > 1:
        raise ValueError(f"the strip {_cut(source)!r} has an unclosed parenthesis")
    strip = "".join(groups[0])
    if len(strip) > MAX_SQUARES:
        raise ValueError(f"the strip {_cut(source)!r} has {len(strip)} squares, more than {MAX_SQUARES}")
    return strip


def _repeat(terms: list[str], exponent: str, source: str) -> None:
    """Repeat the last term."""
    times = int(exponent) if len(exponent) <= len(str(MAX_SQUARES)) else MAX_SQUARES + 1
    if times > MAX_SQUARES or times * len(terms[-1]) > MAX_SQUARES:
        what = f"the exponent ^{_cut(exponent)} in {_cut(source)!r}"
        raise ValueError(f"{what}: a strip has at most {MAX_SQUARES} squares")
    terms[-1] *= times


def _refused(source: str, at: int, what: str) -> ValueError:
    return ValueError(f"character {at} of the strip {_cut(source)!r} is {what}")


def _cut(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."


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
