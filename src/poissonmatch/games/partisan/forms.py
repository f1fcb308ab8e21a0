"""Canonical forms as they stand: options, name, stops, temperature, text; without order and arithmetic."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from .names import Name, name_of, tex, written
from .thermograph import Thermograph, thermograph

__all__ = ["Form", "latex", "text"]


class Form:
    """The canonical form {left | right}, and what can be read off it.

    `index` numbers the forms: larger than that of every option.
    """

    __slots__ = ("left", "right", "index", "name", "left_stop", "right_stop", "birthday", "_low", "_high", "_text")

    left: tuple[Self, ...]  # canonical options
    right: tuple[Self, ...]
    index: int
    name: Name | None  # number + ups + nimber, where the value is one
    left_stop: Fraction  # the number reached when Left starts and both play well (Siegel, II.3)
    right_stop: Fraction
    birthday: int  # depth of the canonical form
    _low: float  # the right stop and the left one, rounded: where they differ, the exact ones differ the same way
    _high: float
    _text: str | None

    def __init__(self, left: tuple[Self, ...], right: tuple[Self, ...], index: int) -> None:
        self.left, self.right, self.index = left, right, index
        self.birthday = 1 + max((g.birthday for g in left + right), default=-1)
        self._text = None
        self.name = name_of([g.name for g in left], [g.name for g in right])
        if self.name is not None:
            self.left_stop = self.right_stop = self.name.number
            self._low = self._high = float(self.left_stop)
            return
        # the exact stops decide where the rounded ones are equal; to compare those first is much faster
        high, low = max([g._low for g in left]), min([g._high for g in right])
        highest, lowest = [g.right_stop for g in left if g._low == high], [g.left_stop for g in right if g._high == low]
        self.left_stop = highest[0] if len(highest) == 1 else max(highest)
        self.right_stop = lowest[0] if len(lowest) == 1 else min(lowest)
        self._low, self._high = low, high

    @property
    def is_number(self) -> bool:
        """Whether the value is a number."""
        return self.name is not None and self.name.is_number

    @property
    def number(self) -> Fraction | None:
        """The dyadic number that the value is, or None."""
        return self.left_stop if self.is_number else None

    @property
    def is_infinitesimal(self) -> bool:
        """Below every positive number and above every negative one, as both stops are 0 (Siegel, II.4)."""
        return self.left_stop == 0 == self.right_stop

    @property
    def is_hot(self) -> bool:
        """Each player wants to move first, as left stop > right stop (Siegel, II.3).

        Examples
        --------
        >>> switch = pm.games.parse("{3|-1}")
        >>> switch.is_hot, switch.left_stop, switch.right_stop, switch.mean, switch.temperature
        (True, Fraction(3, 1), Fraction(-1, 1), Fraction(1, 1), Fraction(2, 1))
        """
        return self.left_stop > self.right_stop

    @property
    def kind(self) -> str:
        """One of "0", "*", "infinitesimal", "number", "number + infinitesimal", "hot"."""
        if self.name in ((0, 0, 0), (0, 0, 1)):
            return str(self)
        if self.is_hot:
            return "hot"
        if self.is_number:
            return "number"
        return "infinitesimal" if self.is_infinitesimal else "number + infinitesimal"

    @property
    def mean(self) -> Fraction:
        """The mean value, where the mast of the thermograph stands (Siegel, II.5)."""
        return self.thermograph.mean

    @property
    def temperature(self) -> Fraction:
        """Where the mast begins (Siegel, II.5), at -1 for integers, -1/2^k for p/2^k, 0 for a number + an infinitesimal."""
        return self.thermograph.temperature

    @property
    def thermograph(self) -> Thermograph:
        """Left and right wall, as exact piecewise-linear functions of temperature, each by its corners (temperature, value).

        Examples
        --------
        >>> [(str(t), str(x)) for t, x in pm.games.parse("{4|{2|-1}}").thermograph.right]
        [('-1', '2'), ('3/2', '2'), ('7/4', '9/4')]
        """
        return thermograph(self)

    @property
    def latex(self) -> str:
        r"""The value for a formula.

        Examples
        --------
        >>> print(pm.games.parse("{1*|3/4}").latex)
        \left\{1{*}\,\middle|\,\tfrac{3}{4}\right\}
        """
        return latex(self)

    def __str__(self) -> str:
        if self._text is None:
            self._text = text(self)
        return self._text

    def __repr__(self) -> str:
        return f"parse({str(self)!r})"


def text(g: Form) -> str:
    """The value in the notation of notation.py: its name if it has one, else {L1,..|R1,..}, sorted."""
    if g.name is not None:
        return written(g.name)
    left, right = (",".join(sorted(map(str, side))) for side in (g.left, g.right))
    return f"{{{left}|{right}}}"


def latex(g: Form) -> str:
    r"""The value for a formula: its name if it has one, else \left\{ .. \,\middle|\, .. \right\}, in the order of `text`."""
    if g.name is not None:
        return tex(g.name)
    left, right = (", ".join(latex(option) for option in sorted(side, key=str)) for side in (g.left, g.right))
    return rf"\left\{{{left}\,\middle|\,{right}\right\}}"
