"""Operators on values: cooling and heating, incentives, products, ordinal sum, atomic weight, reduced canonical form.

They act on canonical forms. Sources: [S] Siegel, *Combinatorial Game Theory* (2013), sections II.5 (temperature), II.6
(reduced canonical form) and II.7 (atomic weight); [WW] Berlekamp, Conway, Guy, *Winning Ways*, ch. 6 and 8; [ONAG]
Conway, *On Numbers and Games*, ch. 1 and 15.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from math import ceil, floor
from typing import Any, TypeVar

from poissonmatch.utils.errors import quoted, shorten

from .forms import Form

F = TypeVar("F", bound=Callable[..., Any])
MEMOS: list[Callable[[], None]] = []  # they forget the results so far


def remembered(function: F) -> F:
    """Return the function with a memory; values are interned, and live as long."""
    memo = lru_cache(None, typed=True)(function)  # 0.5 is refused after Fraction(1, 2)
    MEMOS.append(memo.cache_clear)
    return memo  # type: ignore[return-value]


class Operators(Form):
    """Methods of `Game` that are made of its options and its arithmetic."""

    __slots__ = ()

    # in values.py: the value of {left | right}, and a value given as a Game, int or Fraction
    _from_options: Any
    _coerced: Any

    # ---- temperature ([S] II.5) ----
    @remembered
    def cool(self: Any, t: Any) -> Any:
        r"""Return the value cooled by t ([S] II.5; [WW] ch. 6).

        It is :math:`G_t = \{G^L_t - t \mid G^R_t + t\}` up to the temperature of G, and its mean above.

        Parameters
        ----------
        t : int or Fraction
            A dyadic number above -1.

        Returns
        -------
        Game

        Raises
        ------
        ValueError
            If t is not a dyadic number above -1.

        Examples
        --------
        >>> game = pm.games.parse("{3||2*|1*}")
        >>> game.cool(0), game.cool(1), game.freeze()
        ({3||2*|1*}, 9/4, 9/4*)
        """
        tax = self._coerced(t).number
        if tax is None or tax <= -1:
            raise ValueError(f"a value is cooled by a dyadic number above -1, got {quoted(t)}")
        if tax > self.temperature:
            return self._coerced(self.mean)
        return self._from_options([g.cool(tax) - tax for g in self.left], [g.cool(tax) + tax for g in self.right])

    def freeze(self) -> Any:
        """Return the value cooled by its temperature; itself if that is not positive ([WW] ch. 6).

        Returns
        -------
        Game
            The mean plus an infinitesimal.
        """
        return self.cool(max(self.temperature, 0))

    @remembered
    def heat(self: Any, t: Any) -> Any:
        r"""Return the value heated by t ([S] II.5; [WW] ch. 6).

        Numbers stay the same, otherwise :math:`\int^t G = \{\int^t G^L + t \mid \int^t G^R - t\}`.

        Parameters
        ----------
        t : Game, int or Fraction
            Any value.

        Returns
        -------
        Game

        Examples
        --------
        >>> pm.games.parse("*").heat(2), pm.games.parse("^").heat(1)
        (+-2, {1||0|-2})
        """
        return self if self.is_number else self._shifted(t, lambda g: g.heat(t))

    @remembered
    def overheat(self: Any, s: Any, t: Any) -> Any:
        r"""Return the value overheated from s to t ([S] II.5; [WW] ch. 6).

        An integer n becomes n copies of s, otherwise
        :math:`\int_s^t G = \{\int_s^t G^L + t \mid \int_s^t G^R - t\}`.

        Parameters
        ----------
        s, t : Game, int or Fraction
            Any values.

        Returns
        -------
        Game

        Examples
        --------
        >>> pm.games.parse("7/16").overheat(0, 0), pm.games.parse("1/2").overheat(pm.games.parse("*"), 1)
        (^[3], {1|-1*})
        """
        if self.is_integer:
            return int(self.left_stop) * self._coerced(s)
        return self._shifted(t, lambda g: g.overheat(s, t))

    def _shifted(self: Any, t: Any, image: Any) -> Any:
        return self._from_options([image(g) + t for g in self.left], [image(g) - t for g in self.right])

    # ---- incentives and products ----
    @property
    def left_incentives(self: Any) -> tuple[Any, ...]:
        """Incentives of Left's options: what a move to each of them gains ([S] II.5)."""
        return tuple(g - self for g in self.left)

    @property
    def right_incentives(self: Any) -> tuple[Any, ...]:
        """Incentives of Right's options: what a move to each of them gains for Right ([S] II.5)."""
        return tuple(self - g for g in self.right)

    @remembered
    def norton_product(self: Any, unit: Any) -> Any:
        r"""Return the Norton product of this value and a unit ([WW] ch. 8).

        An integer n becomes n copies of the unit U, otherwise the product is
        :math:`\{G^L \cdot U + (U + I) \mid G^R \cdot U - (U + I)\}` for all incentives I of U.

        Parameters
        ----------
        unit : Game, int or Fraction
            A positive value, so that equal values have equal products.

        Returns
        -------
        Game

        Raises
        ------
        ValueError
            If the unit is not positive.

        Examples
        --------
        >>> up = pm.games.parse("^")
        >>> pm.games.parse("1/2").norton_product(up), up.norton_product(up)
        ({^^*|v*}, {^^*||0|v4})
        """
        unit = self._coerced(unit)
        if not unit > 0:
            raise ValueError(f"the unit of a Norton product must be positive, got {unit}")
        if self.is_integer:
            return int(self.left_stop) * unit
        steps = [unit + incentive for incentive in (*unit.left_incentives, *unit.right_incentives)]
        return self._from_options(
            [g.norton_product(unit) + step for g in self.left for step in steps],
            [g.norton_product(unit) - step for g in self.right for step in steps],
        )

    @remembered
    def conway_product(self: Any, h: Any) -> Any:
        """Return the Conway product of the canonical forms ([ONAG] ch. 1); of nimbers the nim-product.

        Parameters
        ----------
        h : Game, int or Fraction
            Another value.

        Returns
        -------
        Game

        Examples
        --------
        >>> star4 = pm.games.parse("*4")
        >>> star4.conway_product(star4), pm.games.parse("{3|1}").conway_product(pm.games.parse("^^"))
        (*6, {^6|^^})
        """
        h = self._coerced(h)
        if self.is_number and h.is_number:
            return self._coerced(self.number * h.number)
        for number, other in ((self, h), (h, self)):
            if number.is_integer:
                return int(number.left_stop) * other

        def terms(mine: Iterable[Any], others: Iterable[Any]) -> list[Any]:
            return [x.conway_product(h) + self.conway_product(y) - x.conway_product(y) for x in mine for y in others]

        left = terms(self.left, h.left) + terms(self.right, h.right)
        return self._from_options(left, terms(self.left, h.right) + terms(self.right, h.left))

    @remembered
    def ordinal_sum(self: Any, h: Any) -> Any:
        """Return the ordinal sum of the canonical forms ([WW] ch. 7): a move here removes h ([ONAG] ch. 15).

        Parameters
        ----------
        h : Game, int or Fraction
            Value on top.

        Returns
        -------
        Game

        Examples
        --------
        >>> parse = pm.games.parse
        >>> parse("1").ordinal_sum(-1), parse("*").ordinal_sum(parse("*2")), parse("*").ordinal_sum(1)
        (1/2, *3, ^*)
        """
        h = self._coerced(h)
        sides = [(*mine, *map(self.ordinal_sum, top)) for mine, top in ((self.left, h.left), (self.right, h.right))]
        return self._from_options(*sides)

    # ---- infinitesimals ----
    @property
    def reduced_canonical_form(self) -> Any:
        """Simplest value infinitesimally close to this one ([S] II.6): the star-projection of the value heated by star.

        Examples
        --------
        >>> pm.games.parse("{3||2*|1*}").reduced_canonical_form, pm.games.parse("^^*").reduced_canonical_form
        ({3||2|1}, 0)
        """
        return _star_projection(self.heat(_star(self)))

    @property
    def atomic_weight(self: Any) -> Any:
        """Atomic weight: the value A such that this one is nearly the Norton product of A and up ([S] II.7).

        If it is not all-small, the difference to A.up is compared with ^* and a kite (D. Wolfe, in CGSuite).

        Raises
        ------
        ValueError
            If the value is not atomic.

        Examples
        --------
        >>> [pm.games.parse(text).atomic_weight for text in ("^3*", "{^3|vv}", "Tiny(2)", "{1|^^||^}")]
        [3, {1|0}, 0, 2]
        """
        if self.is_infinitesimal:
            weight = _weight(self)
            if _all_small(self):
                return weight
            star = _star(self)
            up = self._from_options([0], [star])
            remote = self._from_options(_nimbers(self), _nimbers(self))
            bound = up + star + remote.ordinal_sum(-1)
            if -bound <= self - weight.norton_product(up) <= bound:
                return weight
        raise ValueError(f"{shorten(str(self))} is not atomic, so it has no atomic weight")


def _star(g: Any) -> Any:
    return g._from_options([0], [0])


@remembered
def _star_projection(g: Any) -> Any:
    if g.name is not None and g.name.ups == 0 and g.name.nim < 2:
        return g._coerced(g.left_stop)
    return g._from_options(map(_star_projection, g.left), map(_star_projection, g.right))


@remembered
def _all_small(g: Any) -> bool:
    """Return whether both players can move in each position of the value that is not 0."""
    return g.left_stop == 0 if g.name is not None else all(map(_all_small, g.left + g.right))


@remembered
def _largest_nimber(g: Any) -> int:
    return g.name.nim | 1 if g.name is not None else max(map(_largest_nimber, g.left + g.right))


@remembered
def _nimbers(g: Any) -> list[Any]:
    """Return the options of a nimber that is remote from the value: larger than its nimbers, and a power of two."""
    nimbers = [g._coerced(0)]
    while len(nimbers) < 2 ** _largest_nimber(g).bit_length():
        nimbers.append(g._from_options(nimbers, nimbers))
    return nimbers


@remembered
def _weight(g: Any) -> Any:
    """Return the atomic weight if the value is atomic ([S] II.7; [WW] ch. 8)."""
    if g.name is not None:
        return g._coerced(g.name.ups)
    left, right = [_weight(x) - 2 for x in g.left], [_weight(x) + 2 for x in g.right]
    plain = g._from_options(left, right)
    if not plain.is_integer:
        return plain
    remote = g._from_options(_nimbers(g), _nimbers(g))
    if g >= remote:  # the largest integer that is less than or confused with each of them
        return g._coerced(min(floor(x.left_stop) - (x <= floor(x.left_stop)) for x in right))
    if g <= remote:
        return g._coerced(max(ceil(x.right_stop) + (ceil(x.right_stop) <= x) for x in left))
    return plain
