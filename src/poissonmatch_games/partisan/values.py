"""Values of short partisan games: interned canonical forms, so that equal values are the same object.

A game is G = {left options | right options} [Winning Ways, ch. 1-2; Siegel, Combinatorial Game
Theory, ch. II]. Every `Game` is in canonical form: no option is dominated or reversible. This form
is unique (Siegel, II.2), so equality of values is identity of objects.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from operator import attrgetter

from poissonmatch.utils.errors import quoted, shorten
from poissonmatch.utils.validation import as_int

from ..impartial.position_checks import as_count
from .forms import KNOWN, leq
from .names import Name
from .operators import MEMOS, Operators
from .reductions import Reduction, bypassed, undominated
from .value_text import LATEX, value_text

_LARGEST = 1 << 16  # ups, and integers whose options are made with them; more would fill the memory
_LARGEST_NIMBER = 1 << 10
_MAX_POWER = 200  # of two in the denominator of a number, which has as many options below one another


class Game(Operators):
    """Value of a short partisan game; made by `parse` or `game`, or the `value` of a position.

    Values can be added, subtracted and multiplied by an int, and compared with `==`, `<`, `<=`,
    `>`, `>=`; `confused` is the fourth relation. An int or a dyadic Fraction is accepted wherever a
    game is.

    Examples
    --------
    >>> star, up = pm.games.parse("*"), pm.games.parse("^")
    >>> star + star == 0, up > 0, up.confused(star), (2 * up).compare(star), up < 2
    (True, True, True, '>', True)
    >>> hot = pm.games.parse("{3|{1|-2}}")
    >>> hot.kind, hot.mean, hot.temperature, hot.left_stop, hot.outcome
    ('hot', Fraction(5, 4), Fraction(7, 4), Fraction(3, 1), 'L')
    """

    __slots__ = ("_negative",)

    _negative: Game | None

    def __str__(self) -> str:
        """Return the value in the notation of CGSuite, which `parse` reads."""
        if self._text is None:
            self._text = value_text(self)
        return self._text

    __repr__ = __str__

    @property
    def latex(self) -> str:
        r"""The value in LaTeX.

        Examples
        --------
        >>> print(pm.games.parse("{1*|3/4}").latex)
        \left\{1{*}\,\middle|\,\tfrac{3}{4}\right\}
        """
        return value_text(self, LATEX)

    def _repr_latex_(self) -> str:
        """Return the value as a formula for a notebook."""
        return f"${self.latex}$"

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
        if isinstance(other, str):
            _coerce(other)  # raises TypeError: a text is parsed first
        if isinstance(other, int | Fraction) and not isinstance(other, bool):
            return self.number == other
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self.left_stop) if self.is_number else hash((self.index, "game"))

    def confused(self, other: Game | int | Fraction) -> bool:
        """Return whether the values are incomparable.

        Parameters
        ----------
        other : Game, int or Fraction
            Another value.

        Returns
        -------
        bool
            True if the first player wins the difference.
        """
        return self.compare(other) == "|"

    def compare(self, other: Game | int | Fraction) -> str:
        """Return the relation of this value to another.

        Parameters
        ----------
        other : Game, int or Fraction
            Another value.

        Returns
        -------
        str
            "=", "<", ">", or "|" (confused).
        """
        other = _coerce(other)
        if self is other:
            return "="
        return "<" if leq(self, other) else ">" if leq(other, self) else "|"

    @property
    def outcome(self) -> str:
        """Winner of the game: "P" (previous player; the value is 0), "N" (next player), "L" (Left) or "R" (Right)."""
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
            raise TypeError(f"a game can be multiplied by an int only, got {quoted(times)}")
        if self.is_number:
            return number(whole * self.left_stop)
        if abs(whole) > _LARGEST:
            raise ValueError(f"a multiple must be in {-_LARGEST}..{_LARGEST}, got {quoted(times)}")
        total, power, factor = ZERO, self if whole >= 0 else -self, abs(whole)
        while factor:
            if factor & 1:
                total = _add(total, power)
            factor >>= 1
            power = _add(power, power) if factor else power
        return total

    __rmul__ = __mul__

    def __reduce__(self) -> tuple:
        """Pickle the name or the options, so that a copy is the interned value itself."""
        return (game, (self.left, self.right)) if self.name is None else (named, tuple(self.name))


class _LargeInteger(Game):
    """Integer whose options are made when they are read."""

    __slots__ = ()

    left = property(lambda self: (integer(int(self.left_stop) - 1),) if self.left_stop > 0 else ())
    right = property(lambda self: (integer(int(self.left_stop) + 1),) if self.left_stop < 0 else ())

    def __init__(self, n: int, index: int) -> None:
        self.index, self.birthday, self._text, self._negative = index, abs(n), None, None
        self._name(Name(Fraction(n), 0, 0))


_index = attrgetter("index")

# The intern table, and remembered results about its games.
_GAMES: dict[tuple[tuple[int, ...], tuple[int, ...]], Game] = {}
_SUMS: dict[tuple[int, int], Game] = {}
_SIMPLE: dict[tuple[tuple[int, ...], tuple[int, ...]], Game] = {}


def clear_memos() -> None:
    """Free the memory of remembered comparisons, sums and simplifications; values are kept."""
    KNOWN.clear()
    _SUMS.clear()
    _SIMPLE.clear()
    for forget in MEMOS:
        forget()


def memo_size() -> int:
    """Return the number of remembered games, comparisons, sums and simplifications.

    Each takes about 250 bytes.
    """
    return len(_GAMES) + len(KNOWN) + len(_SUMS) + len(_SIMPLE)


def intern(left: Iterable[Game], right: Iterable[Game]) -> Game:
    """Return the game with these options, which must be those of a canonical form."""
    left = tuple(sorted(left, key=_index))
    right = tuple(sorted(right, key=_index))
    key = tuple(map(_index, left)), tuple(map(_index, right))
    if key in _GAMES:
        return _GAMES[key]
    if not (left and right) and (large := [abs(g.left_stop) for g in left + right if g.birthday >= _LARGEST]):
        return integer(int(large[0] + 1) if left else int(-large[0] - 1))
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
    total = _SUMS.get(key)
    if total is None:
        if g.name is not None and h.name is not None:
            total = named(g.left_stop + h.left_stop, g.name.ups + h.name.ups, g.name.nim ^ h.name.nim)
        elif g.is_number or h.is_number:  # number translation (Siegel, II.3): the sum is in canonical form
            x, y = (g, h) if g.is_number else (h, g)
            total = intern([_add(x, o) for o in y.left], [_add(x, o) for o in y.right])
        else:
            left = [_add(o, h) for o in g.left] + [_add(g, o) for o in h.left]
            total = simplify(left, [_add(o, h) for o in g.right] + [_add(g, o) for o in h.right])
        _SUMS[key] = total
    return total


def simplify(left: Iterable[Game], right: Iterable[Game], trace: list[Reduction] | None = None) -> Game:
    """Return the canonical form of {left | right}; each removed option is appended to `trace`."""
    ordered = [list({g.index: g for g in options}.values()) for options in (left, right)]
    for options in ordered:
        options.sort(key=_index)
    key = tuple(map(_index, ordered[0])), tuple(map(_index, ordered[1]))
    if trace is None and key in _SIMPLE:
        return _SIMPLE[key]
    if trace is None and key[0] == key[1] and all(g.name is not None and g.name[:2] == (0, 0) for g in ordered[0]):
        nimbers = {g.name.nim for g in ordered[0] if g.name is not None}  # the value is their mex
        return named(0, 0, next(n for n in range(len(nimbers) + 1) if n not in nimbers))
    kept = undominated(ordered[0], "Left", trace), undominated(ordered[1], "Right", trace)
    result = _SIMPLE[key] = intern(*bypassed(*kept, trace))
    return result


# ---- making games ----
def game(left: Iterable[Game | int | Fraction] = (), right: Iterable[Game | int | Fraction] = ()) -> Game:
    """Return the value of {left | right}.

    Parameters
    ----------
    left, right : iterable of Game, int or Fraction
        The options of Left and of Right, by default none.

    Returns
    -------
    Game
        The value in canonical form.

    Raises
    ------
    TypeError
        If an option is of another type.

    Examples
    --------
    >>> game = pm.games.partisan.game
    >>> game([0], [1]), game([2, 3], []), game([1], [-1])
    (1/2, 4, +-1)
    """
    return simplify(map(_coerce, left), map(_coerce, right))


def _coerce(value: object) -> Game:
    if isinstance(value, Game):
        return value
    if isinstance(value, str):
        raise TypeError(f"a text is no value: parse({quoted(value)}) reads it")
    if as_int(value) is None and not isinstance(value, Fraction):
        raise TypeError(f"a value must be a Game, an int or a Fraction, got {quoted(value)}")
    return number(value)  # type: ignore[arg-type]


Game._from_options = staticmethod(game)
Game._coerced = staticmethod(_coerce)


def integer(n: int) -> Game:
    """Return the integer n: n free moves of Left (of Right if n < 0). Raises TypeError for a non-int."""
    whole = as_int(n)
    if whole is None:
        raise TypeError(f"an integer game must be an int, got {quoted(n)}")
    size = abs(whole)
    if size > _LARGEST:
        key = (whole,), (-1,)  # no game has such options
        if key not in _GAMES:
            _GAMES[key] = _LargeInteger(whole, len(_GAMES))
        return _GAMES[key]
    integers = _POSITIVE if whole > 0 else _NEGATIVE
    while len(integers) <= size:
        integers.append(intern([integers[-1]], []) if whole > 0 else intern([], [integers[-1]]))
    return integers[size]


def number(x: int | Fraction) -> Game:
    """Return the number x.

    Raises TypeError if it is no int or Fraction, ValueError if it is not dyadic, or its
    denominator is beyond 2^200.
    """
    if isinstance(x, Fraction) and x.denominator & (x.denominator - 1):
        raise ValueError(f"{shorten(str(x))} is not a dyadic number: its denominator is not a power of two")
    if isinstance(x, Fraction) and x.denominator > 1 << _MAX_POWER:
        raise ValueError(f"a denominator must be at most 2^{_MAX_POWER}, got {quoted(x.denominator)}")
    if not isinstance(x, Fraction) or x.denominator == 1:
        return integer(int(x) if isinstance(x, Fraction) else x)
    step = Fraction(1, x.denominator)
    return intern([number(x - step)], [number(x + step)])


def ups(k: int, nim: int = 0) -> Game:
    """Return k times up (k < 0: down) plus the nimber ``*nim``.

    Raises TypeError for a non-int, ValueError beyond 2^16 or 2^10.
    """
    return named(0, k, as_count(nim, "the size of a nimber", 0, _LARGEST_NIMBER))


@cache
def named(x: int | Fraction, k: int, m: int) -> Game:
    """Return the value x + k.up + *m, with the options that `names.name_of` recognizes."""
    base, k = number(x), as_count(k, "a number of ups", -_LARGEST, _LARGEST)
    nimbers = [base]
    while len(nimbers) <= max(1, m ^ (k & 1)):
        nimbers.append(intern(nimbers, nimbers))
    value = nimbers[m ^ (k & 1)]
    for _ in range(abs(k)):
        options = nimbers[:2] if value is base else [base]
        value = intern(options, [value]) if k > 0 else intern([value], options)
    return value


ZERO: Game = intern((), ())
STAR: Game = intern((ZERO,), (ZERO,))
UP: Game = intern((ZERO,), (STAR,))
_POSITIVE, _NEGATIVE = [ZERO], [ZERO]  # the integers so far
