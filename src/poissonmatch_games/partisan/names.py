"""Names of values (number + ups + nimber): recognition from the options, order, text."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple


class Name(NamedTuple):
    """Value number + ups + nimber: `ups` copies of up (negative: down), and the nimber *`nim`."""

    number: Fraction
    ups: int
    nim: int

    @property
    def is_number(self) -> bool:
        """Whether the value is a number."""
        return self.ups == 0 and self.nim == 0


def name_of(left: Sequence[Name | None], right: Sequence[Name | None]) -> Name | None:
    """Return the name of a canonical form, from the names of its options; None if it has none.

    For a number x: x + *m = {x, ..., x + *(m-1) | same}; x + up + * = {x, x* | x}; otherwise, for k
    >= 1, x + k.up + *m = {x | x + (k-1).up + *(m^1)} [Winning Ways, ch. 2-3].
    """
    if None in left or None in right:
        return None
    lefts, rights = (sorted(filter(None, side)) for side in (left, right))
    if not lefts or not rights:  # a canonical form with an empty side is an integer
        integer = lefts[0].number + 1 if lefts else rights[0].number - 1 if rights else Fraction(0)
        return Name(integer, 0, 0)
    first, last = lefts[0], rights[0]
    if first.number < last.number:
        is_number = len(lefts) == len(rights) == 1 and first.is_number and last.is_number
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


def named_leq(g: Name, h: Name) -> bool:
    """Return whether g <= h.

    0 <= k.up + *m exactly if k >= 2, or k = 1 and m != 1, or k = m = 0 [Winning Ways, ch. 3].
    """
    if g.number != h.number:
        return g.number < h.number
    k, m = h.ups - g.ups, h.nim ^ g.nim
    return k >= 2 or (k == 1 and m != 1) or (k == 0 and m == 0)


def written(name: Name) -> str:
    """Return the name as text: number, ^, ^^, ^3, v, vv, v3, ..., and *m; parts that are zero are left out."""
    x, k, m = name
    arrow, star = "^" if k > 0 else "v", f"*{m if m > 1 else ''}"
    arrows = arrow * abs(k) if abs(k) < 3 else f"{arrow}{abs(k)}"
    return (str(x) * bool(x) + arrows + star * bool(m)) or "0"


def tex(name: Name) -> str:
    r"""Return the name in LaTeX: 2{*}, \tfrac{3}{4}, 11{\uparrow}, {\Uparrow}{*}, 2 + 4\cdot{\downarrow}."""
    x, k, m = name
    sign = "-" if x < 0 else ""
    number = f"{sign}\\tfrac{{{abs(x.numerator)}}}{{{x.denominator}}}" if x.denominator > 1 else str(x) if x else ""
    arrow = (
        f"{{\\{'U' if abs(k) == 2 else 'u'}parrow}}" if k > 0 else f"{{\\{'D' if k == -2 else 'd'}ownarrow}}" * bool(k)
    )
    if abs(k) > 2:
        arrow = (" + " if number else "") + f"{abs(k)}\\cdot{arrow}"
    star = f"{{*{m if m > 1 else ''}}}" if m else ""
    return number + arrow + star or "0"
