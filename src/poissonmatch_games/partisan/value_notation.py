"""Parser of values in the notation of CGSuite: `parse(str(g)) is g`.

::

    7  -3/4                 numbers, exact dyadics
    *  *2  ^  ^^  ^3  v  v3 star, nimbers, ups, downs; adjacent symbols are summed: 2v4, 11^, 3^*, -1*
    {1*|v}  {3,3^*|}        options, canonical or not; a side may be empty
    {3||2|1}  {0|||0||1|2}  {3|{2|1}}, {0|{0|{1|2}}}: more bars bind less
    ^<2>  ^[3]  v<2>  v[3]  powers of up, and sums of the first powers: ^[1] = ^, ^[n] = {^[n-1]|*}, ^<n> = ^[n] - ^[n-1]
    Tiny(1/2)  2Miny(2)     Tiny(x) = {0||0|-x} and Miny(x) = -Tiny(x); a number before one is added
    +-1  +-{2|1}  +-{1,1*}  {x|-x}, for each option
    a+b  a-b  -(a)          sums, differences and parentheses
    ↑ ⇑ ↓ ⇓ ± ∗ tiny miny   for ^ ^^ v vv +- * Tiny Miny
"""

import re
from fractions import Fraction

from poissonmatch.utils.errors import quoted

from .value_text import MAX_POWER, powers_of_up
from .values import Game, game, number, ups

_TOKEN = re.compile(r"\s*([0-9]+(?:/[0-9]+)?|\+-|\|+|\^+|v+|[Tt]iny|[Mm]iny|[-+*{},()<>\[\]])")
_SYMBOLS = str.maketrans({"↑": "^", "⇑": "^^", "↓": "v", "⇓": "vv", "±": "+-", "∗": "*", "−": "-"})
_CLOSING = {"[": "]", "<": ">"}
_MAX_DEPTH = 100  # of braces, parentheses, signs and bars in one another


def parse(source: str) -> Game:
    """Return the value given in the notation of CGSuite.

    Parameters
    ----------
    source : str
        For example ``3/4``, ``*2`` (nimber), ``^3`` (ups), ``v`` (down), ``2^*`` (a sum),
        ``{1*|v}``, ``+-1``, ``a-(b+c)``.

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
    (^^, +-(1*))
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
        self.source, self.end, self.depth = source.translate(_SYMBOLS), 0, 0
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
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            self.fail(f"at most {_MAX_DEPTH} levels of nesting")
        value = self.signed()
        self.depth -= 1
        return value

    def signed(self) -> Game:
        """Parse a game with its sign."""
        if self.token == "-":
            self.advance()
            return self.named(-1) if self.token and self.token[0].isdigit() else -self.term()
        if self.token == "+-":
            self.advance()
            if self.token == "{":
                sides, bars = self.sides()
                options = sides[0] if not bars else [_joined(sides, bars)]
            else:
                options = [self.term()]
            return game(options, [-x for x in options])
        if self.token == "{":
            sides, bars = self.sides()
            if not bars:
                self.fail("'|'")
            return _joined(sides, bars)
        if self.token == "(":
            self.advance()
            value = self.sum()
            self.take(")")
            return value
        return self.named(1)

    def sides(self) -> tuple[list[list[Game]], list[int]]:
        """Parse {..}; return the lists of options between the bars, and the length of each bar."""
        self.advance()
        sides: list[list[Game]] = [[]]
        bars: list[int] = []
        while self.token != "}":
            if self.token and self.token[0] == "|":
                bars.append(len(self.token))
                if len(bars) > _MAX_DEPTH:
                    self.fail(f"at most {_MAX_DEPTH} bars")
                self.advance()
                sides.append([])
                continue
            if sides[-1]:
                self.take(",")
            sides[-1].append(self.sum())
        self.advance()
        return sides, bars

    def named(self, sign: int) -> Game:
        """Parse at least one of a number, ups or downs, and a nimber; the sign is that of the number: -1* is -1 + *."""
        start = self.start
        x = Fraction(0)
        if self.token is not None and self.token[0].isdigit():
            if self.token.endswith("/0"):
                self.fail("a denominator that is not zero")
            x = sign * Fraction(self.token)
            self.advance()
        if self.token and self.token[1:] == "iny":
            up = self.advance() in ("Tiny", "tiny")
            self.take("(")
            tiny = game([0], [game([0], [-self.sum()])])
            self.take(")")
            return number(x) + (tiny if up else -tiny)
        k, more = 0, number(0)
        if self.token and self.token[0] in "^v":
            arrows = self.advance() or ""
            k = (1 if arrows[0] == "^" else -1) * (self.count() if len(arrows) == 1 else len(arrows))
            if len(arrows) == 1 and self.token in _CLOSING:
                k, more = 0, k * self.uptimal()
        m = 0
        if self.token == "*":
            self.advance()
            m = self.count()
        if self.start == start:
            self.fail("a game")
        return number(x) + ups(k, m) + more

    def uptimal(self) -> Game:
        """Parse [n] or <n> behind an arrow."""
        opening = self.advance() or ""
        if self.token is None or not self.token.isdigit() or not 1 <= int(self.token) <= MAX_POWER:
            self.fail(f"an integer from 1 to {MAX_POWER}")
        n = int(self.advance() or 0)
        self.take(_CLOSING[opening])
        *_, (power, total) = powers_of_up(game, n)
        return total if opening == "[" else power

    def count(self) -> int:
        """Parse the number directly behind a symbol; 1 if there is none."""
        if self.token is None or not self.token.isdigit() or self.source[self.start].isspace():
            return 1
        return int(self.advance() or 1)


def _joined(sides: list[list[Game]], bars: list[int]) -> Game:
    """Return the game of lists of options with bars between them, of which the longest is the outermost."""
    if bars.count(longest := max(bars)) > 1:
        raise ValueError(f"two bars {'|' * longest} in one pair of braces: write braces, or a longer bar")
    at = bars.index(longest)
    parts = (sides[: at + 1], bars[:at]), (sides[at + 1 :], bars[at + 1 :])
    return game(*([_joined(*part)] if part[1] else part[0][0] for part in parts))
