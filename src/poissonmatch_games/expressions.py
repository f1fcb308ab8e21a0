"""Positions and values as text: strips, boards, values, positions of a game in parentheses behind its name, and sums of them."""

import re
from collections.abc import Iterator

from poissonmatch.utils.errors import nearest, quoted

from .impartial import FAMILIES, GAMES, game_named
from .partisan import Domineering, Hackenbush, ImpartialPosition, Ruleset, parse
from .partisan.rulesets import PositionSum, ValuePosition
from .toads import ToadsAndFrogs

#: Partisan rulesets by name.
RULESETS: dict[str, type[Ruleset]] = {
    "toads-and-frogs": ToadsAndFrogs,
    "domineering": Domineering,
    "colored-hackenbush": Hackenbush,
}
STRIP, BOARD = re.compile(r"(?=[^TF]*[TF])[TF.□_o^()\d\s]+"), re.compile(r"(?=.*[#/])[.#/]+")
NAMED = re.compile(r"([a-z][a-z0-9-]*(?:\([^()]*\))?)\(([^()]*)\)")
HYPHENATED = re.compile(r"[a-z]+(?:-[a-z]+)+(?=\()")
MULTIPLE = re.compile(r"(\d{1,4})\s*\*\s*(?=[(TF.#a-z])(.+)", re.DOTALL)


def position_from(text: str) -> Ruleset:
    """Return the position given as text.

    Parameters
    ----------
    text : str
        Terms joined by + and -. A term is a strip "TT.FF", a board of Domineering "../.#", a value "{2|1||0}", a position
        of a game by its name, such as "nim(3 4 5)", "octal(0.137)(7)" or "colored-hackenbush(LRG)", a term in parentheses,
        or a multiple "2*(TT.FF)".

    Returns
    -------
    Ruleset
        With `value`, `outcome`, `moves(player)`, and arithmetic.

    Raises
    ------
    ValueError
        If a term is none of these.

    Examples
    --------
    >>> position = pm.games.position_from("TT.FF + ../.. - {2|1||0} + nim(1 2)")
    >>> position.outcome, pm.games.position_from("2*(T.F) - *").value
    ('R', *)
    """
    terms = [(sign, _term(term.strip(), text)) for sign, term in _split(text)]
    if len(terms) == 1:
        return terms[0][1] if terms[0][0] > 0 else -terms[0][1]
    return PositionSum((sign * inner, *rest) for sign, term in terms for inner, *rest in term._terms)


def _split(text: str) -> Iterator[tuple[int, str]]:
    """Yield the sign and the text of each term; +- before a term belongs to it."""
    depth, start, sign = 0, 0, 1
    names = [found.span() for found in HYPHENATED.finditer(text) if found[0] in (*RULESETS, *GAMES)]
    for at, letter in enumerate(text):
        depth += (letter in "({") - (letter in ")}")
        if (
            depth == 0
            and not any(first <= at < last for first, last in names)
            and letter in "+-"
            and text[start:at].strip() not in ("", "+")
        ):
            yield sign, text[start:at]
            switch = text[at : at + 2] == "+-"
            sign, start = (-1 if letter == "-" else 1), at + (not switch)
    yield sign, text[start:]


def _term(term: str, whole: str) -> Ruleset:
    if match := MULTIPLE.fullmatch(term):
        return int(match[1]) * _term(match[2].strip(), whole)
    if BOARD.fullmatch(term):
        return Domineering(term)
    if match := NAMED.fullmatch(term):
        return _named(*match.groups())
    if STRIP.fullmatch(term):
        return ToadsAndFrogs(term)
    if term.startswith("(") and term.endswith(")"):
        return position_from(term[1:-1])
    if term.startswith("-") and re.match(r"[(TF.#a-z]", term[1:].strip()):
        return -_term(term[1:].strip(), whole)
    try:
        return ValuePosition(parse(term))
    except ValueError as error:
        if word := re.match(r"[a-z-]{3,}", term):
            raise ValueError(f"unknown game {quoted(word[0])}{nearest(word[0], [*RULESETS, *GAMES])}") from None
        if set(term) & set("TF") and not set(term) & set("{|"):
            ToadsAndFrogs(term)  # raises ValueError with the wrong character of the strip
        raise ValueError(f"{error}" + f" (in {quoted(whole)})" * (term != whole)) from None


def _named(name: str, position: str) -> Ruleset:
    if name in RULESETS:
        return RULESETS[name](position)
    if name.partition("(")[0] not in (*GAMES, *FAMILIES):
        raise ValueError(f"unknown game {quoted(name)}{nearest(name, [*RULESETS, *GAMES])}")
    named = game_named(name)
    return ImpartialPosition((named.game, named.read(position)))
