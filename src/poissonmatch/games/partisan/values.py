"""Exact short partisan games: canonical forms, interned, so that equal values are one object.

A game G = {left options | right options} [Winning Ways, ch. 1-2; Siegel, Combinatorial Game Theory, ch. II]. Every
`Game` is in canonical form: no option is dominated, none is reversible, and this form is unique (Siegel, II.2). Hence
`==` of values is identity of objects, and all queries below are memoized on it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .thermograph import Thermograph

__all__ = ["Game", "Name", "Reduction", "ZERO", "STAR", "UP", "game", "integer", "number", "nimber", "ups", "simplify"]

_LARGEST = 1 << 16  # a larger integer or number of ups would fill the memory with its own options
_LARGEST_NIMBER = 1 << 10


class Name(NamedTuple):
    """A value number + ups + nimber: `ups` copies of up (negative: down), and the nimber *`nim`."""

    number: Fraction
    ups: int
    nim: int


@dataclass(frozen=True)
class Reduction:
    """One step towards a canonical form: `option` of `player` went away because `by` dominates it or reverses it.

    For a reversible option, `by` is the opponent's reply that is at least as good for the opponent as the game
    itself, and `replaced_by` are the options of `by` that took the option's place (possibly none).
    """

    player: str  # "Left" or "Right"
    kind: str  # "dominated" or "reversible"
    option: Game
    by: Game
    replaced_by: tuple[Game, ...] = ()

    def __str__(self) -> str:
        if self.kind == "dominated":
            return f"{self.player}'s option {self.option} is dominated by {self.by}"
        new = ", ".join(map(str, self.replaced_by)) or "nothing"
        return f"{self.player}'s option {self.option} is reversible through {self.by}, replaced by {new}"


class Game:
    """The value of a short partisan game, made by `game`, `number`, `nimber`, `ups` or `notation.parse`.

    `+`, `-` and multiplication by an int are those of games; `==`, `<`, `<=`, `>`, `>=` compare values, and
    `confused` is the fourth outcome. An int or a dyadic Fraction is taken wherever a game is.
    """

    __slots__ = (
        "left",
        "right",
        "index",
        "name",
        "left_stop",
        "right_stop",
        "birthday",
        "_low",
        "_high",
        "_negative",
        "_text",
    )

    left: tuple[Game, ...]  # canonical options
    right: tuple[Game, ...]
    index: int  # place in the intern table: larger than that of every option
    name: Name | None  # number + ups + nimber, where the value is one
    left_stop: Fraction  # the number reached when Left starts and both play well (Siegel, II.3)
    right_stop: Fraction
    birthday: int  # depth of the canonical form
    _low: float  # the right stop and the left one, rounded: where they differ, the exact ones differ the same way
    _high: float
    _negative: Game | None
    _text: str | None

    # ---- order (Siegel, II.1) ----
    def __le__(self, other: Game | int | Fraction) -> bool:
        return _leq(self, _coerce(other))

    def __ge__(self, other: Game | int | Fraction) -> bool:
        return _leq(_coerce(other), self)

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
        """Neither <= nor >=: whoever moves first in the difference wins."""
        return self.compare(other) == "|"

    def compare(self, other: Game | int | Fraction) -> str:
        """The relation of this value to another: "=", "<", ">", or "|" (confused)."""
        other = _coerce(other)
        if self is other:
            return "="
        return "<" if _leq(self, other) else ">" if _leq(other, self) else "|"

    @property
    def outcome(self) -> str:
        """Who wins: "P" (previous player; the value is 0), "N" (next player), "L" (Left), "R" (Right)."""
        return {"=": "P", "<": "R", ">": "L", "|": "N"}[self.compare(ZERO)]

    # ---- arithmetic (Siegel, II.1) ----
    def __neg__(self) -> Game:
        if self._negative is None:
            if self.name is not None:
                x, k, m = self.name
                other = _named(number(-x), -k, m)
            else:
                other = _intern((-g for g in self.right), (-g for g in self.left))
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
        if isinstance(times, bool) or not isinstance(times, int):
            raise TypeError(f"a game is multiplied by an int only, not by {times!r}")
        if self.is_number:
            return number(self.left_stop * times)
        total, power, left = ZERO, self if times >= 0 else -self, abs(times)
        while left:
            if left & 1:
                total = _add(total, power)
            left >>= 1
            power = _add(power, power) if left else power
        return total

    __rmul__ = __mul__

    # ---- what kind of value ----
    @property
    def is_number(self) -> bool:
        return self.name is not None and self.name.ups == 0 and self.name.nim == 0

    @property
    def number(self) -> Fraction | None:
        """The dyadic number that the value is, or None."""
        return self.left_stop if self.is_number else None

    @property
    def is_infinitesimal(self) -> bool:
        """Below every positive number and above every negative one: both stops are 0 (Siegel, II.4)."""
        return self.left_stop == 0 == self.right_stop

    @property
    def is_hot(self) -> bool:
        """Left stop > right stop: each player wants to move first (Siegel, II.3)."""
        return self.left_stop > self.right_stop

    @property
    def kind(self) -> str:
        """One of "0", "*", "infinitesimal", "number", "number + infinitesimal", "hot"."""
        if self is ZERO or self is STAR:
            return str(self)
        if self.is_hot:
            return "hot"
        if self.is_number:
            return "number"
        return "infinitesimal" if self.is_infinitesimal else "number + infinitesimal"

    @property
    def mean(self) -> Fraction:
        """Mean value: where the mast of the thermograph stands (Siegel, II.5)."""
        return self.thermograph.mean

    @property
    def temperature(self) -> Fraction:
        """Where the mast begins: -1 for integers, -1/2^k for p/2^k, 0 for a number + an infinitesimal (Siegel,
        II.5)."""
        return self.thermograph.temperature

    @property
    def thermograph(self) -> Thermograph:
        """Left and right wall, as exact piecewise-linear functions of temperature."""
        from .thermograph import thermograph

        return thermograph(self)

    # ---- notation of games ----
    def __str__(self) -> str:
        if self._text is None:
            from .notation import text

            self._text = text(self)
        return self._text

    def __repr__(self) -> str:
        return f"parse({str(self)!r})"

    def __reduce__(self) -> tuple:
        from .notation import parse

        return parse, (str(self),)


_index = attrgetter("index")

# The intern table, and what was learned about its games. They grow with the games met.
_GAMES: dict[tuple[tuple[int, ...], tuple[int, ...]], Game] = {}
_LEQ: dict[tuple[int, int], bool] = {}
_SUMS: dict[tuple[int, int], Game] = {}
_SIMPLE: dict[tuple[tuple[int, ...], tuple[int, ...]], Game] = {}


def clear_memos() -> None:
    """Forget remembered comparisons, sums and simplifications (the values stay): frees memory after a large
    computation."""
    _LEQ.clear()
    _SUMS.clear()
    _SIMPLE.clear()


def memo_size() -> int:
    """How many games, comparisons, sums and simplifications are remembered, all together (about 250 bytes each)."""
    return len(_GAMES) + len(_LEQ) + len(_SUMS) + len(_SIMPLE)


def _intern(left: Iterable[Game], right: Iterable[Game]) -> Game:
    """The game with these options, which must already be those of a canonical form."""
    left = tuple(sorted(left, key=_index))
    right = tuple(sorted(right, key=_index))
    key = tuple(map(_index, left)), tuple(map(_index, right))
    found = _GAMES.get(key)
    if found is not None:
        return found
    new = object.__new__(Game)
    new.left, new.right, new.index = left, right, len(_GAMES)
    new.birthday = 1 + max((g.birthday for g in left + right), default=-1)
    new._negative = new._text = None
    new.name = _name(left, right)
    if new.name is not None:
        new.left_stop = new.right_stop = new.name.number
        new._low = new._high = float(new.left_stop)
    else:  # the exact stops decide where the rounded ones are equal; to compare those first is much faster
        high, low = max([g._low for g in left]), min([g._high for g in right])
        highest, lowest = [g.right_stop for g in left if g._low == high], [g.left_stop for g in right if g._high == low]
        new.left_stop = highest[0] if len(highest) == 1 else max(highest)
        new.right_stop = lowest[0] if len(lowest) == 1 else min(lowest)
        new._low, new._high = low, high
    _GAMES[key] = new
    return new


def _name(left: tuple[Game, ...], right: tuple[Game, ...]) -> Name | None:
    """Read number + ups + nimber off a canonical form; None if it is no such sum.

    With x a number, k >= 2: x + *m = {x, .., x + *(m-1) | same}; x + up + * = {x, x* | x}; otherwise
    x + k.up + *m = {x | x + (k-1).up + *(m^1)}, also for k = 1 [Winning Ways, ch. 2-3].
    """
    if not left and not right:
        return Name(Fraction(0), 0, 0)
    if not right:
        return Name(left[0].left_stop + 1, 0, 0)  # a canonical form with an empty side is an integer
    if not left:
        return Name(right[0].left_stop - 1, 0, 0)
    names = []
    for g in left + right:
        if g.name is None:
            return None
        names.append(g.name)
    lefts, rights = sorted(names[: len(left)]), sorted(names[len(left) :])
    first, last = lefts[0], rights[0]
    assert first is not None and last is not None
    if first.number < last.number:
        is_number = len(lefts) == len(rights) == 1 and left[0].is_number and right[0].is_number
        return Name((first.number + last.number) / 2, 0, 0) if is_number else None
    if first.number > last.number:
        return None
    x = first.number
    if lefts == rights == [(x, 0, m) for m in range(len(lefts))]:
        return Name(x, 0, len(lefts))
    for sign, here, there in ((1, lefts, rights), (-1, rights, lefts)):
        if len(there) != 1:
            continue
        if here == [(x, 0, 0), (x, 0, 1)] and there == [(x, 0, 0)]:
            return Name(x, sign, 1)
        _, k, m = there[0]
        if here == [(x, 0, 0)] and there[0][0] == x and sign * k >= 0 and (k or m):
            return Name(x, k + sign, m ^ 1)
    return None


def _leq(g: Game, h: Game) -> bool:
    """g <= h: no left option of g is >= h, no right option of h is <= g; stops decide most cases (Siegel, II.3)."""
    if g is h:
        return True
    if g._high < h._low:
        return True
    if g._high > h._high or g._low > h._low:
        return False
    if g.name is not None and h.name is not None and g._low == h._low:
        return _named_leq(g.name, h.name)
    key = g.index, h.index
    found = _LEQ.get(key)
    if found is None:
        found = not any(_leq(h, x) for x in g.left) and not any(_leq(x, g) for x in h.right)
        _LEQ[key] = found
    return found


def _named_leq(g: Name, h: Name) -> bool:
    """0 <= k.up + *m exactly when k >= 2, or k = 1 and m is not 1, or k = m = 0 [Winning Ways, ch. 3]."""
    if g.number != h.number:
        return g.number < h.number
    k, m = h.ups - g.ups, h.nim ^ g.nim
    return k >= 2 or (k == 1 and m != 1) or (k == 0 and m == 0)


def _add(g: Game, h: Game) -> Game:
    if g.index > h.index:
        g, h = h, g
    if g is ZERO:
        return h
    key = g.index, h.index
    found = _SUMS.get(key)
    if found is None:
        if g.name is not None and h.name is not None:
            found = _named(number(g.left_stop + h.left_stop), g.name.ups + h.name.ups, g.name.nim ^ h.name.nim)
        elif g.is_number or h.is_number:  # number translation (Siegel, II.3): the sum is in canonical form as it stands
            x, y = (g, h) if g.is_number else (h, g)
            found = _intern([_add(x, o) for o in y.left], [_add(x, o) for o in y.right])
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
    result = _SIMPLE[key] = bypassed(
        _undominated(ordered[0], "Left", trace), _undominated(ordered[1], "Right", trace), trace
    )
    return result


def bypassed(left: list[Game], right: list[Game], trace: list[Reduction] | None = None) -> Game:
    """As `simplify`, of different options of which none is dominated."""
    sides = left, right
    # the stops of {left | right}, rounded, if it is hot (else no bounds): they exclude most reversals
    low = min((x._high for x in sides[1]), default=inf)
    high = max((x._low for x in sides[0]), default=-inf)
    stops = (low, high) if low < high else (None, None)
    while True:
        new = _bypass(sides[0], sides, "Left", stops, trace)
        if new is not None:
            sides = _undominated(new, "Left", trace), sides[1]
            continue
        new = _bypass(sides[1], sides, "Right", stops, trace)
        if new is None:
            break
        sides = sides[0], _undominated(new, "Right", trace)
    return _intern(*sides)


def _undominated(options: list[Game], player: str, trace: list[Reduction] | None) -> list[Game]:
    kept: list[Game] = []
    for x in options:
        by = next((y for y in kept if (_leq(x, y) if player == "Left" else _leq(y, x))), None)
        if by is not None:
            if trace is not None:
                trace.append(Reduction(player, "dominated", x, by))
            continue
        worse = [y for y in kept if (_leq(y, x) if player == "Left" else _leq(x, y))]
        if worse:
            if trace is not None:
                trace += [Reduction(player, "dominated", y, x) for y in worse]
            kept = [y for y in kept if y not in worse]
        kept.append(x)
    return kept


_Sides = tuple[list[Game], list[Game]]
_Stops = tuple[float, float] | tuple[None, None]


def _bypass(
    options: list[Game], sides: _Sides, player: str, stops: _Stops, trace: list[Reduction] | None
) -> list[Game] | None:
    """The options with the first reversible one replaced; None when there is none."""
    low, high = stops
    for x in options:
        for y in x.right if player == "Left" else x.left:
            if low is not None and high is not None:
                if player == "Left" and (y._high > high or y._low > low):
                    continue
                if player == "Right" and (y._high < high or y._low < low):
                    continue
            if _below(y, sides) if player == "Left" else _above(y, sides):
                new = y.left if player == "Left" else y.right
                if trace is not None:
                    trace.append(Reduction(player, "reversible", x, y, new))
                return list({o.index: o for o in (*options, *new) if o is not x}.values())
    return None


def _below(x: Game, sides: _Sides) -> bool:
    """x <= {sides}, for sides that are no game yet."""
    return not any(_leq(r, x) for r in sides[1]) and not any(_above(y, sides) for y in x.left)


def _above(x: Game, sides: _Sides) -> bool:
    return not any(_leq(x, y) for y in sides[0]) and not any(_below(y, sides) for y in x.right)


# ---- making games ----
def game(left: Iterable[Game | int | Fraction] = (), right: Iterable[Game | int | Fraction] = ()) -> Game:
    """The value of {left | right}; raises TypeError for an option that is neither a game, an int nor a Fraction."""
    return simplify(map(_coerce, left), map(_coerce, right))


def _coerce(value: Game | int | Fraction) -> Game:
    return value if type(value) is Game else number(value)  # type: ignore[arg-type]


def _checked(n: int, what: str, least: int = -_LARGEST, most: int = _LARGEST) -> int:
    if isinstance(n, bool) or not isinstance(n, int):
        raise TypeError(f"{what} must be an int, not {n!r}")
    if not least <= n <= most:
        raise ValueError(f"{what} must lie in {least}..{most}, not {n}")
    return n


def integer(n: int) -> Game:
    """The integer n: n free moves for Left (for Right if n < 0). TypeError for a non-int, ValueError beyond 2^16."""
    size = abs(_checked(n, "an integer game"))
    known = _POSITIVE if n > 0 else _NEGATIVE
    while len(known) <= size:
        known.append(_intern([known[-1]], []) if n > 0 else _intern([], [known[-1]]))
    return known[size]


def number(x: int | Fraction) -> Game:
    """The number x, an int or a Fraction whose denominator is a power of two; else TypeError or ValueError."""
    if isinstance(x, Fraction) and x.denominator & (x.denominator - 1):
        raise ValueError(f"{x} is no dyadic number: its denominator is no power of two")
    if not isinstance(x, Fraction) or x.denominator == 1:
        return integer(int(x) if isinstance(x, Fraction) else x)
    step = Fraction(1, x.denominator)
    return _intern([number(x - step)], [number(x + step)])


def nimber(m: int) -> Game:
    """The nimber *m, 0 <= m <= 2^10: {0, *, .., *(m-1) | the same}."""
    return ups(0, m)


def ups(k: int, nim: int = 0) -> Game:
    """k times up (k < 0: down), plus the nimber *nim. TypeError for non-ints, ValueError beyond 2^16 ups, or nim
    outside 0..2^10."""
    return _named(ZERO, _checked(k, "a number of ups"), _checked(nim, "the size of a nimber", 0, _LARGEST_NIMBER))


def _named(x: Game, k: int, m: int) -> Game:
    """Number x + k.up + *m, built up as in `_name`."""
    nimbers = [x]
    while len(nimbers) <= max(1, m ^ (k & 1)):
        nimbers.append(_intern(nimbers, nimbers))
    found = nimbers[m ^ (k & 1)]
    for _ in range(abs(k)):
        here = nimbers[:2] if found is x else [x]
        found = _intern(here, [found]) if k > 0 else _intern([found], here)
    return found


ZERO: Game = _intern((), ())
STAR: Game = _intern((ZERO,), (ZERO,))
UP: Game = _intern((ZERO,), (STAR,))
_POSITIVE, _NEGATIVE = [ZERO], [ZERO]  # the integers met
