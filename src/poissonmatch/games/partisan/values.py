"""Exact short partisan games: canonical forms, interned, so that equal values are one object.

A game G = {left options | right options} [Winning Ways, ch. 1-2; Siegel, Combinatorial Game Theory, ch. II]. Every
`Game` is in canonical form: no option is dominated, none is reversible, and this form is unique (Siegel, II.2). Hence
`==` of values is identity of objects, and all queries below are memoized on it.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from operator import attrgetter

from ...utils.errors import quoted, shorten
from ...utils.validation import as_int
from .forms import Form
from .order import KNOWN, leq
from .reductions import Reduction, bypassed, undominated

__all__ = [
    "Game",
    "ZERO",
    "STAR",
    "UP",
    "game",
    "integer",
    "number",
    "named",
    "nimber",
    "ups",
    "simplify",
    "intern",
    "clear_memos",
    "memo_size",
]

_LARGEST = 1 << 16  # a larger integer or number of ups would fill the memory with its own options
_LARGEST_NIMBER = 1 << 10


class Game(Form):
    """The value of a short partisan game, made by `game`, `number`, `nimber`, `ups` or `parse`.

    `+`, `-` and multiplication by an int are those of games; `==`, `<`, `<=`, `>`, `>=` compare values, and `confused` is the
    fourth outcome. An int or a dyadic Fraction is taken wherever a game is.

    Parameters
    ----------
    left, right : tuple of Game
        The canonical options.
    index : int
        Larger than that of every option.

    Examples
    --------
    >>> star, up = pm.games.nimber(1), pm.games.ups(1)
    >>> star + star == 0, up > 0, up.confused(star), (2 * up).compare(star), up < 2
    (True, True, True, '>', True)
    >>> hot = pm.games.parse("{3|{1|-2}}")
    >>> hot.kind, hot.mean, hot.temperature, hot.left_stop, hot.outcome
    ('hot', Fraction(5, 4), Fraction(7, 4), Fraction(3, 1), 'L')
    """

    __slots__ = ("_negative",)

    _negative: Game | None

    # ---- order (Siegel, II.1) ----
    def __le__(self, other: Game | int | Fraction) -> bool:
        return leq(self, _coerce(other))

    def __ge__(self, other: Game | int | Fraction) -> bool:
        return leq(_coerce(other), self)

    def __lt__(self, other: Game | int | Fraction) -> bool:
        return self.compare(other) == "<"

    def __gt__(self, other: Game | int | Fraction) -> bool:
        return self.compare(other) == ">"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Game):
            return self is other
        if isinstance(other, int | Fraction) and not isinstance(other, bool):
            return self.number == other
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self.left_stop) if self.is_number else hash((self.index, "game"))

    def confused(self, other: Game | int | Fraction) -> bool:
        """Neither <= nor >=: whoever moves first in the difference wins.

        Parameters
        ----------
        other : Game, int or Fraction
        """
        return self.compare(other) == "|"

    def compare(self, other: Game | int | Fraction) -> str:
        """The relation of this value to another: "=", "<", ">", or "|" (confused).

        Parameters
        ----------
        other : Game, int or Fraction
        """
        other = _coerce(other)
        if self is other:
            return "="
        return "<" if leq(self, other) else ">" if leq(other, self) else "|"

    @property
    def outcome(self) -> str:
        """Who wins, "P" (previous player; the value is 0), "N" (next player), "L" (Left) or "R" (Right)."""
        return {"=": "P", "<": "R", ">": "L", "|": "N"}[self.compare(ZERO)]

    # ---- arithmetic (Siegel, II.1) ----
    def __neg__(self) -> Game:
        if self._negative is None:
            if self.name is not None:
                x, k, m = self.name
                other = named(-x, -k, m)
            else:
                other = intern((-g for g in self.right), (-g for g in self.left))
            self._negative, other._negative = other, self
        return self._negative

    def __add__(self, other: Game | int | Fraction) -> Game:
        return _add(self, _coerce(other))

    __radd__ = __add__

    def __sub__(self, other: Game | int | Fraction) -> Game:
        return _add(self, -_coerce(other))

    def __rsub__(self, other: Game | int | Fraction) -> Game:
        return _add(_coerce(other), -self)

    def __mul__(self, times: int) -> Game:
        whole = as_int(times)
        if whole is None:
            raise TypeError(f"a game is multiplied by an int only, not by {quoted(times)}")
        if self.is_number:
            return number(self.left_stop * whole)
        total, power, left = ZERO, self if whole >= 0 else -self, abs(whole)
        while left:
            if left & 1:
                total = _add(total, power)
            left >>= 1
            power = _add(power, power) if left else power
        return total

    __rmul__ = __mul__

    def __reduce__(self) -> tuple:
        """By the name or by the options: so a copy is the interned value itself, in another process, too."""
        return (game, (self.left, self.right)) if self.name is None else (named, tuple(self.name))


_index = attrgetter("index")

# The intern table, and what was learned about its games. They grow with the games met.
_GAMES: dict[tuple[tuple[int, ...], tuple[int, ...]], Game] = {}
_SUMS: dict[tuple[int, int], Game] = {}
_SIMPLE: dict[tuple[tuple[int, ...], tuple[int, ...]], Game] = {}


def clear_memos() -> None:
    """Forget remembered comparisons, sums and simplifications (the values stay): frees memory after a large computation."""
    KNOWN.clear()
    _SUMS.clear()
    _SIMPLE.clear()


def memo_size() -> int:
    """How many games, comparisons, sums and simplifications are remembered, all together (about 250 bytes each)."""
    return len(_GAMES) + len(KNOWN) + len(_SUMS) + len(_SIMPLE)


def intern(left: Iterable[Game], right: Iterable[Game]) -> Game:
    """The game with these options, which must already be those of a canonical form."""
    left = tuple(sorted(left, key=_index))
    right = tuple(sorted(right, key=_index))
    key = tuple(map(_index, left)), tuple(map(_index, right))
    found = _GAMES.get(key)
    if found is not None:
        return found
    new = Game(left, right, len(_GAMES))
    new._negative = None
    _GAMES[key] = new
    return new


def _add(g: Game, h: Game) -> Game:
    if g.index > h.index:
        g, h = h, g
    if g is ZERO:
        return h
    key = g.index, h.index
    found = _SUMS.get(key)
    if found is None:
        if g.name is not None and h.name is not None:
            found = named(g.left_stop + h.left_stop, g.name.ups + h.name.ups, g.name.nim ^ h.name.nim)
        elif g.is_number or h.is_number:  # number translation (Siegel, II.3): the sum is in canonical form as it stands
            x, y = (g, h) if g.is_number else (h, g)
            found = intern([_add(x, o) for o in y.left], [_add(x, o) for o in y.right])
        else:
            left = [_add(o, h) for o in g.left] + [_add(g, o) for o in h.left]
            found = simplify(left, [_add(o, h) for o in g.right] + [_add(g, o) for o in h.right])
        _SUMS[key] = found
    return found


def simplify(left: Iterable[Game], right: Iterable[Game], trace: list[Reduction] | None = None) -> Game:
    """The canonical form of {left | right}; with `trace`, each option that goes away is noted there, in order."""
    ordered = [list({g.index: g for g in options}.values()) for options in (left, right)]
    for options in ordered:
        options.sort(key=_index)
    key = tuple(map(_index, ordered[0])), tuple(map(_index, ordered[1]))
    found = _SIMPLE.get(key) if trace is None else None
    if found is not None:
        return found
    kept = undominated(ordered[0], "Left", trace), undominated(ordered[1], "Right", trace)
    result = _SIMPLE[key] = intern(*bypassed(*kept, trace))
    return result


# ---- making games ----
def game(left: Iterable[Game | int | Fraction] = (), right: Iterable[Game | int | Fraction] = ()) -> Game:
    """The value of {left | right}.

    Parameters
    ----------
    left, right : iterable of Game, int or Fraction

    Raises
    ------
    TypeError
        An option is none of these.

    Examples
    --------
    >>> pm.games.game([0], [1]), pm.games.game([2, 3], []), pm.games.game([1], [-1])
    (parse('1/2'), parse('4'), parse('{1|-1}'))
    """
    return simplify(map(_coerce, left), map(_coerce, right))


def _coerce(value: Game | int | Fraction) -> Game:
    return value if type(value) is Game else number(value)  # type: ignore[arg-type]


def _checked(n: int, what: str, least: int = -_LARGEST, most: int = _LARGEST) -> int:
    found = as_int(n)
    if found is None:
        raise TypeError(f"{what} must be an int, not {quoted(n)}")
    if not least <= found <= most:
        raise ValueError(f"{what} must lie in {least}..{most}, not {quoted(n)}")
    return found


def integer(n: int) -> Game:
    """The integer n: n free moves for Left (for Right if n < 0). TypeError for a non-int, ValueError beyond 2^16."""
    size = abs(_checked(n, "an integer game"))
    known = _POSITIVE if n > 0 else _NEGATIVE
    while len(known) <= size:
        known.append(intern([known[-1]], []) if n > 0 else intern([], [known[-1]]))
    return known[size]


def number(x: int | Fraction) -> Game:
    """The number x.

    Parameters
    ----------
    x : int or Fraction

    Raises
    ------
    TypeError, ValueError
        It is neither; its denominator is no power of two, or it is an integer beyond 2^16.

    Examples
    --------
    >>> from fractions import Fraction
    >>> pm.games.number(Fraction(5, 8)).left, pm.games.number(Fraction(5, 8)).right
    ((parse('1/2'),), (parse('3/4'),))
    """
    if isinstance(x, Fraction) and x.denominator & (x.denominator - 1):
        raise ValueError(f"{shorten(str(x))} is no dyadic number: its denominator is no power of two")
    if not isinstance(x, Fraction) or x.denominator == 1:
        return integer(int(x) if isinstance(x, Fraction) else x)
    step = Fraction(1, x.denominator)
    return intern([number(x - step)], [number(x + step)])


def nimber(m: int) -> Game:
    """The nimber ``*m``, that is ``{0, *, .., *(m-1) | the same}``.

    Parameters
    ----------
    m : int
        From 0 to 2^10.

    Examples
    --------
    >>> pm.games.nimber(2) + pm.games.nimber(3), pm.games.nimber(3).right
    (parse('*'), (parse('0'), parse('*'), parse('*2')))
    """
    return ups(0, m)


def ups(k: int, nim: int = 0) -> Game:
    """k times up (k < 0: down), plus the nimber ``*nim``.

    Parameters
    ----------
    k, nim : int

    Raises
    ------
    TypeError, ValueError
        One is no int; there are more than 2^16 ups, or nim is outside 0..2^10.

    Examples
    --------
    >>> pm.games.ups(1) == pm.games.game([0], [pm.games.nimber(1)]), pm.games.ups(3, 1) - pm.games.ups(1)
    (True, parse('^2*'))
    """
    return named(0, _checked(k, "a number of ups"), _checked(nim, "the size of a nimber", 0, _LARGEST_NIMBER))


def named(x: int | Fraction, k: int, m: int) -> Game:
    """The value with the name (x, k, m), that is x + k.up + *m, built up as `names.name_of` reads it off."""
    base = number(x)
    nimbers = [base]
    while len(nimbers) <= max(1, m ^ (k & 1)):
        nimbers.append(intern(nimbers, nimbers))
    found = nimbers[m ^ (k & 1)]
    for _ in range(abs(k)):
        here = nimbers[:2] if found is base else [base]
        found = intern(here, [found]) if k > 0 else intern([found], here)
    return found


ZERO: Game = intern((), ())
STAR: Game = intern((ZERO,), (ZERO,))
UP: Game = intern((ZERO,), (STAR,))
_POSITIVE, _NEGATIVE = [ZERO], [ZERO]  # the integers met
