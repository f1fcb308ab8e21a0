"""Parser of values in the notation of CGSuite, up to spacing: `parse(str(g)) is g`.

::

    7  -3/4                 numbers, exact dyadics
    *  *2  ^  ^3  v  v2     star, nimbers, ups, downs; adjacent symbols are summed: 2v4, 11^, 3^*, -1*
    {1*|v}  {3,3^*|}        options, canonical or not; a side may be empty
    +-1  +-{2|1}            {x|-x}
    a+b  a-b  -(a)          sums, differences and parentheses (accepted, never printed)
"""

import re
from fractions import Fraction

from ...utils.errors import quoted
from .values import Game, game, number, ups

_TOKEN = re.compile(r"\s*(\d+(?:/\d+)?|\+-|[-+*^v{}|,()])")


def parse(source: str) -> Game:
    """Return the value given in the notation of CGSuite.

    Parameters
    ----------
    source : str
        For example ``3/4``, ``*2`` (nimber), ``^3`` (ups), ``v`` (down), ``2^*`` (a sum), ``{1*|v}``, ``+-1``, ``a-(b+c)``.

    Returns
    -------
    Game

    Raises
    ------
    ValueError
        If the text is not a value; the message gives the position of the first error.
    TypeError
        If the source is not a string.

    Examples
    --------
    >>> pm.games.parse("{0|*} + {0|*}"), pm.games.parse("+-1 + *")
    (^2, {1*|-1*})
    >>> pm.games.parse("{1|{0")
    Traceback (most recent call last):
        ...
    ValueError: expected ',' at character 5 of '{1|{0'
    """
    if not isinstance(source, str):
        raise TypeError(f"source must be a string, got {quoted(source)}")
    parser = _Parser(source)
    value = parser.sum()
    if parser.token is not None:
        parser.fail("the end")
    return value


class _Parser:
    def __init__(self, source: str) -> None:
        self.source, self.end = source, 0
        self.advance()

    def advance(self) -> str | None:
        """Step to the next token; return the old one."""
        old = getattr(self, "token", None)
        self.start = self.end
        match = _TOKEN.match(self.source, self.end)
        if match is None and self.source[self.end :].strip():
            self.fail("a game")
        self.token = match[1] if match else None
        self.end = match.end() if match else len(self.source)
        return old

    def fail(self, wanted: str) -> None:
        raise ValueError(f"expected {wanted} at character {self.start} of {quoted(self.source)}")

    def take(self, token: str) -> None:
        if self.token != token:
            self.fail(repr(token))
        self.advance()

    def sum(self) -> Game:
        value = self.term()
        while self.token in ("+", "-", "+-"):
            sign = self.advance()
            term = self.term()
            value = value + term if sign == "+" else value - term if sign == "-" else value + game([term], [-term])
        return value

    def term(self) -> Game:
        if self.token == "-":
            self.advance()
            return self.named(-1) if self.token and self.token[0].isdigit() else -self.term()
        if self.token == "+-":
            self.advance()
            value = self.term()
            return game([value], [-value])
        if self.token == "{":
            self.advance()
            left = self.options("|")
            return game(left, self.options("}"))
        if self.token == "(":
            self.advance()
            value = self.sum()
            self.take(")")
            return value
        return self.named(1)

    def options(self, closing: str) -> list[Game]:
        options: list[Game] = []
        while self.token != closing:
            if options:
                self.take(",")
            options.append(self.sum())
        self.take(closing)
        return options

    def named(self, sign: int) -> Game:
        """Parse a number, ups or downs, a nimber, at least one of them. The sign belongs to the number: -1* is -1 + *."""
        start = self.start
        x = Fraction(0)
        if self.token is not None and self.token[0].isdigit():
            if self.token.endswith("/0"):
                self.fail("a denominator that is not zero")
            x = sign * Fraction(self.token)
            self.advance()
        k = 0
        if self.token in ("^", "v"):
            k = (1 if self.advance() == "^" else -1) * self.count()
        m = 0
        if self.token == "*":
            self.advance()
            m = self.count()
        if self.start == start:
            self.fail("a game")
        return number(x) + ups(k, m)

    def count(self) -> int:
        """Parse the number directly behind a symbol; 1 if there is none."""
        if self.token is None or not self.token.isdigit() or self.source[self.start].isspace():
            return 1
        return int(self.advance() or 1)
