"""A position of Toads and Frogs for every dyadic number (Erickson, New Toads and Frogs results, 1996).

That there is one is his theorem. His text is not at hand; here it follows from the lemmas of [T]: T^n . is n (4.2), T . (TF)^k is
{0|1/2^(k-1)} = 1/2^k (4.6), mirror images are negatives, and the wall TTFF adds what stands on its sides (4.2).
"""

from __future__ import annotations

from fractions import Fraction

from ...utils.errors import quoted
from ...utils.validation import as_int
from .notation import MOST, Strip
from .ruleset import ToadsAndFrogs
from .strips import mirror

__all__ = ["dyadic"]

WALL = "TTFF"


def dyadic(x: int | Fraction) -> ToadsAndFrogs:
    """A position whose value is the number x, whose denominator is a power of two.

    Its parts are the digits of x in base 2, where digits may be 1, 0 and -1 and no two that follow each other are not 0, so
    15/16 = 1 - 1/16 has two.

    Parameters
    ----------
    x : int or Fraction

    Returns
    -------
    ToadsAndFrogs

    Raises
    ------
    TypeError
        It is neither.
    ValueError
        Its denominator is no power of two, or the strip has more than 10,000 squares.

    Examples
    --------
    >>> from fractions import Fraction
    >>> position = pm.games.dyadic(Fraction(15, 16))
    >>> position, position.value
    (ToadsAndFrogs('T.TTFFTFTFTFTF.F'), parse('15/16'))
    """
    whole = as_int(x)
    number = Fraction(whole) if whole is not None else x
    if not isinstance(number, Fraction):
        raise TypeError(f"a dyadic number is an int or a Fraction, not {quoted(x)}")
    n, k = number.numerator, number.denominator.bit_length() - 1
    if number.denominator != 1 << k:
        raise ValueError(f"{quoted(x)} is no dyadic number: its denominator is no power of two")
    if k > MOST or abs(number) > MOST:
        raise ValueError(f"the strip of {quoted(x)} has more than {MOST} squares")
    parts: list[Strip] = []
    while k:
        if n % 2:
            digit = 2 - n % 4  # so that what is left is a multiple of 4
            parts.append(_signed("T." + "TF" * k, digit))
            n -= digit
        n, k = n // 2, k - 1
    if n:
        parts.append(_signed("T" * abs(n) + ".", n))
    return ToadsAndFrogs(WALL.join(parts[::-1]) or ".")


def _signed(strip: Strip, sign: int) -> Strip:
    return strip if sign > 0 else mirror(strip)
