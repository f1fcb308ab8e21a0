"""Positions of Toads and Frogs for every dyadic number.

Source: Erickson, New Toads and Frogs results, 1996.

The construction uses the lemmas of [T]: T^n . is n (4.2), T . (TF)^k is {0|1/2^(k-1)} = 1/2^k
(4.6), mirror images are negatives, and a wall TTFF adds the values on both sides (4.2).
"""

from fractions import Fraction

from poissonmatch.utils.errors import quoted
from poissonmatch.utils.validation import as_int

from .ruleset import ToadsAndFrogs
from .strips import MAX_SQUARES, Strip, mirror

WALL = "TTFF"


def dyadic(x: int | Fraction) -> ToadsAndFrogs:
    """Return a position of Toads and Frogs whose value is the number x.

    Its parts are the nonzero digits of x in base 2 with digits 1, 0, -1, no two consecutive ones
    nonzero: 15/16 = 1 - 1/16 has two parts.

    Parameters
    ----------
    x : int or Fraction
        A dyadic number: its denominator is a power of two.

    Returns
    -------
    ToadsAndFrogs

    Raises
    ------
    TypeError
        If x is not an int or a Fraction.
    ValueError
        If the denominator is not a power of two, or the strip would have more than 10,000 squares.

    Examples
    --------
    >>> from fractions import Fraction
    >>> position = pm.games.toads.dyadic(Fraction(15, 16))
    >>> position, position.value
    (ToadsAndFrogs('T.TTFFTFTFTFTF.F'), 15/16)
    """
    whole = as_int(x)
    number = Fraction(whole) if whole is not None else x
    if not isinstance(number, Fraction):
        raise TypeError(f"x must be an int or a Fraction, got {quoted(x)}")
    n, k = number.numerator, number.denominator.bit_length() - 1
    if number.denominator != 1 << k:
        raise ValueError(f"{quoted(x)} is not a dyadic number: its denominator is not a power of two")
    if k > MAX_SQUARES or abs(number) > MAX_SQUARES:
        raise ValueError(f"the strip of {quoted(x)} has more than {MAX_SQUARES} squares")
    parts: list[Strip] = []
    while k:
        if n % 2:
            digit = 2 - n % 4  # so that the rest is a multiple of 4
            parts.append(_signed("T." + "TF" * k, digit))
            n -= digit
        n, k = n // 2, k - 1
    if n:
        parts.append(_signed("T" * abs(n) + ".", n))
    return ToadsAndFrogs(WALL.join(parts[::-1]) or ".")


def _signed(strip: Strip, sign: int) -> Strip:
    return strip if sign > 0 else mirror(strip)
