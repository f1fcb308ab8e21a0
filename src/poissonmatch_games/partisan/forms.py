"""Canonical forms: options, name, stops, temperature, order; without arithmetic."""

from fractions import Fraction
from math import inf
from typing import Self

from .names import Name, name_of, named_leq
from .thermograph import Thermograph, thermograph


class Form:
    """Canonical form {left | right} with the properties that need no order.

    `index` is larger than that of every option.
    """

    __slots__ = ("left", "right", "index", "name", "left_stop", "right_stop", "birthday", "_low", "_high", "_text")

    left: tuple[Self, ...]  # canonical options
    right: tuple[Self, ...]
    index: int
    name: Name | None  # number + ups + nimber, or None
    left_stop: Fraction  # the number reached under perfect play if Left starts (Siegel, II.3)
    right_stop: Fraction
    birthday: int  # depth of the canonical form
    _low: float  # right stop, rounded; rounded stops that differ are ordered like the exact ones
    _high: float  # left stop, rounded
    _text: str | None

    def __init__(self, left: tuple[Self, ...], right: tuple[Self, ...], index: int) -> None:
        self.left, self.right, self.index = left, right, index
        self.birthday = 1 + max((g.birthday for g in left + right), default=-1)
        self._text = None
        self.name = name_of([g.name for g in left], [g.name for g in right])
        if self.name is not None:
            self._name(self.name)
            return
        # rounded stops are compared first, which is much faster; exact ones only if these are equal
        high, low = max([g._low for g in left]), min([g._high for g in right])
        highest, lowest = [g.right_stop for g in left if g._low == high], [g.left_stop for g in right if g._high == low]
        self.left_stop = highest[0] if len(highest) == 1 else max(highest)
        self.right_stop = lowest[0] if len(lowest) == 1 else min(lowest)
        self._low, self._high = low, high

    def _name(self, name: Name) -> None:
        self.name, self.left_stop, self.right_stop = name, name.number, name.number
        self._low = self._high = rounded(name.number)

    @property
    def is_number(self) -> bool:
        """Whether the value is a number."""
        return self.name is not None and self.name.is_number

    @property
    def number(self) -> Fraction | None:
        """The value as a Fraction if it is a number, else None."""
        return self.left_stop if self.is_number else None

    @property
    def is_integer(self) -> bool:
        """Whether the value is an integer."""
        return self.is_number and self.left_stop.denominator == 1

    @property
    def is_infinitesimal(self) -> bool:
        """Whether the value is below every positive and above every negative number: both stops are 0 (Siegel, II.4)."""
        return self.left_stop == 0 == self.right_stop

    @property
    def is_hot(self) -> bool:
        """Whether both players want to move first: left stop > right stop (Siegel, II.3).

        Examples
        --------
        >>> switch = pm.games.parse("{3|-1}")
        >>> switch.is_hot, switch.left_stop, switch.right_stop, switch.mean, switch.temperature
        (True, Fraction(3, 1), Fraction(-1, 1), Fraction(1, 1), Fraction(2, 1))
        """
        return self.left_stop > self.right_stop

    @property
    def kind(self) -> str:
        """Kind of the value: "0", "*", "infinitesimal", "number", "number + infinitesimal" or "hot"."""
        if self.name in ((0, 0, 0), (0, 0, 1)):
            return "0" if self.is_number else "*"
        if self.is_hot:
            return "hot"
        if self.is_number:
            return "number"
        return "infinitesimal" if self.is_infinitesimal else "number + infinitesimal"

    @property
    def mean(self) -> Fraction:
        """Mean value, the position of the mast of the thermograph (Siegel, II.5)."""
        return self.thermograph.mean

    @property
    def temperature(self) -> Fraction:
        """Temperature: -1/2^k for p/2^k, and 0 for a number plus a nonzero infinitesimal (Siegel, II.5)."""
        return self.thermograph.temperature

    @property
    def thermograph(self) -> Thermograph:
        """Thermograph: its walls `left` and `right`, tuples of corners (temperature, value), `mean` and `temperature`.

        Examples
        --------
        >>> [(str(t), str(x)) for t, x in pm.games.parse("{4|{2|-1}}").thermograph.right]
        [('-1', '2'), ('3/2', '2'), ('7/4', '9/4')]
        """
        return thermograph(self)


def rounded(x: Fraction) -> float:
    """Return a number as a float, infinite if it is too large."""
    try:
        return float(x)
    except OverflowError:
        return inf if x > 0 else -inf


KNOWN: dict[tuple[int, int], bool] = {}  # g <= h, by their indices


def leq(g: Form, h: Form) -> bool:
    """Return whether g <= h.

    This holds if no left option of g is >= h, and no right option of h is <= g (Siegel, II.3).
    Stops decide most cases.
    """
    if g is h or g._high < h._low:
        return True
    if g._high > h._high or g._low > h._low:
        return False
    if g.name is not None and h.name is not None and g._low == h._low:
        return named_leq(g.name, h.name)
    key = g.index, h.index
    result = KNOWN.get(key)
    if result is None:
        # of a number no option need be played (number avoidance theorem, Siegel, II.3)
        left, right = () if g.is_number else g.left, () if h.is_number else h.right
        result = KNOWN[key] = not any(leq(h, x) for x in left) and not any(leq(x, g) for x in right)
    return result
