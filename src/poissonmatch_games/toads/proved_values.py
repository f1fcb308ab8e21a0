"""Values that are proved for strips of any length.

They are those with one empty square (Theorem 1), starts with one frog, and families with a
certificate.
"""

import re
from functools import cache
from typing import Any, NamedTuple

from poissonmatch.utils.errors import shorten

from ..checkers import certificates
from ..checkers.check_families import Lookup
from ..checkers.linear_forms import constant
from ..partisan.values import Game, game, number
from .conjectures import one_frog, two_blanks
from .one_blank_lemmas import one_blank
from .strips import QUICK, Strip, estimated_positions, mirror, shape, starting


class Proved(NamedTuple):
    """Value of a strip, and its source: "Theorem 1", "Erickson (1996)", or the name of a stored certificate."""

    value: Game
    source: str


def proved(strip: Strip) -> Proved | None:
    """Return the value of a strip in plain letters from a theorem or a stored certificate, or None."""
    if strip.count(".") == 1:
        return Proved(one_blank(strip), "Theorem 1")
    for here, sign in ((strip, 1), (mirror(strip), -1)):
        for known in (_in_table(here, "T"), _in_table(here, "."), _with_two_blanks(here), _with_one_frog(here)):
            if known:
                return Proved(sign * known.value, known.source)
    return None


def is_long(strip: Strip) -> bool:
    """Return whether the canonical engine cannot value a strip in a few seconds.

    Such a strip is too large for the engine, unless it is made of parts, or takes too long.
    """
    return is_too_long(strip) or estimated_positions(strip) > QUICK


def is_too_long(strip: Strip) -> bool:
    """Return whether the positions of a strip have more bits than the canonical engine takes."""
    return 2 * len(strip) - strip.count(".") > 63


def proved_if_long(strip: Strip) -> Proved | None:
    """Return what is proved of a long strip, or None.

    The result is also None for a short strip, which the engine values at once.
    """
    return proved(strip) if is_long(strip) else None


def _in_table(strip: Strip, symbol: str) -> Proved | None:
    """Return the value in the table of the strip's class with runs of the symbol."""
    word, runs = [], [0]
    for square in strip:
        if square == symbol:
            runs[-1] += 1
        else:
            word.append(square)
            runs.append(0)
    first = "." if symbol == "T" else "T"
    name = f"{'A' if symbol == 'T' else 'B'}{word.count(first)}{word.count('F')}"
    table = _table(name)
    letters = "".join(word)
    if table is None or table.symbol != symbol or letters not in table.trees:
        return None
    return Proved(_game(table.value(letters, list(map(constant, runs)))), name)


def _with_two_blanks(strip: Strip) -> Proved | None:
    """Return the value of T^a .. F^b for a > b >= 3, by the certificate E1."""
    toads, frogs = strip.count("T"), strip.count("F")
    if strip != starting(toads, 2, frogs) or not toads > frogs >= 3:
        return None
    return Proved(two_blanks(toads, frogs), "E1")


def _with_one_frog(strip: Strip) -> Proved | None:
    """Return the value of T^a .^b F."""
    if not re.fullmatch(r"T+\.+F", strip):
        return None
    return Proved(one_frog(strip.count("T"), strip.count(".")), "Erickson (1996)")


@cache
def _table(name: str) -> Lookup | None:
    return Lookup(certificates.load(name)) if name in certificates.stored() else None


def _game(tree: Any) -> Game:
    """Return the value of a tree without parameters."""
    if isinstance(tree, dict):
        return number(tree.get("", 0))
    return game(map(_game, tree[0]), map(_game, tree[1]))


def refusal(strip: Strip) -> str:
    """Return a message about a strip that is too long for the engine and in no certified family.

    The message names the cost of brute force.
    """
    power = len(str(estimated_positions(strip))) - 1
    return (
        f"{shorten(shape(strip))}: no certified family contains it, and squares + pieces must be at most 63 for a value by brute "
        f"force, which would visit about 10^{power} positions (200 bytes and 30 microseconds each)"
    )
