"""Ruleset of Toads and Frogs, with values from the canonical engine."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ..cost_bounds import CostBound, MemoryBound
from ..partisan.rulesets import Ruleset
from ..partisan.values import Game
from .one_blank_lemmas import Step, one_blank
from .proved_values import is_long, is_too_long, proved_if_long, refusal
from .strip_pictures import board
from .strips import latex, parse_strip, shape

VERY_FEW = 1_000  # arrangements of pieces, which are valued faster than the compiled engine is imported
SEARCH_MEMORY = 2**24  # bytes of the table of the search for winners
SEARCHED = 10_000_000  # positions in a search, which take about a minute
FEW = 20_000  # positions that are counted in half a second

if TYPE_CHECKING:
    from .canonical import CanonicalEngine
    from .outcome import OutcomeEngine


class ToadsAndFrogs(Ruleset):
    """Toads and Frogs: pieces step, or jump over one opposing piece, into an empty square.

    A piece moves to the next square, or jumps over one opposing piece, into an empty square.

    See Winning Ways, ch. 1. The `value` of all but short strips comes from the compiled engine,
    `plain_value` from the moves alone.

    Parameters
    ----------
    position : str
        A strip of T (Left's toads, moving right), F (Right's frogs, moving left) and '.' (empty);
        also with exponents and parentheses, as in ``T^2 .^3 (TF)^2``.

    Raises
    ------
    ValueError
        If the text is not a strip; from `value` also if more than `max_arrangements` (an attribute
        of the class) positions may follow.

    Examples
    --------
    >>> strip = pm.games.ToadsAndFrogs("T^3 .. F^2")
    >>> strip, strip.value, strip.value.outcome
    (ToadsAndFrogs('TTT..FF'), {1/2|0}, 'N')
    >>> strip.winning_moves("Left"), strip.winning_moves("Right")
    (['TT.T.FF'], ['TTT.F.F'])
    """

    max_arrangements = 1e8  # whose value takes minutes

    @classmethod
    def read(cls, position: Any) -> str:
        """Return the strip in plain letters."""
        return parse_strip(position)

    @staticmethod
    def left_moves(strip: str) -> list[str]:
        """Return the strips after a move of a toad: steps first, then jumps."""
        steps = [strip[:i] + ".T" + strip[i + 2 :] for i in range(len(strip)) if strip.startswith("T.", i)]
        return steps + [strip[:i] + ".FT" + strip[i + 3 :] for i in range(len(strip)) if strip.startswith("TF.", i)]

    @staticmethod
    def right_moves(strip: str) -> list[str]:
        """Return the strips after a move of a frog: steps first, then jumps."""
        steps = [strip[:i] + "F." + strip[i + 2 :] for i in range(len(strip)) if strip.startswith(".F", i)]
        return steps + [strip[:i] + "FT." + strip[i + 3 :] for i in range(len(strip)) if strip.startswith(".TF", i)]

    @property
    def latex(self) -> str:
        r"""The position and its value in LaTeX.

        Examples
        --------
        >>> print(pm.games.ToadsAndFrogs("T..F").latex)
        T\square^{2}F = 0
        """
        return f"{latex(str(self.position))} = {self.value.latex}"

    def explain(self) -> list[str]:
        r"""Return the derivation of the value in words.

        For a strip with one empty square, it includes the lemmas of Theorem 1 that determine the
        value.

        Returns
        -------
        list of str
            Lines of text.

        Examples
        --------
        >>> print(*pm.games.ToadsAndFrogs("TT.TFF").explain(), sep="\n")
        Left moves to T.TTFF = 1
        Right moves to TTFT.F = *
        by Theorem 1:
        T^2 . TF^2 = {1|x} (Lemma 4.8), x = T^2 FT . F
        T^2 FT . F = * (Lemma 4.4)
        TT.TFF = {1|*}
        """
        strip, chain = str(self.position), list[Step]()
        if strip.count(".") != 1:
            return super().explain()
        one_blank(strip, chain)
        *moves, last = [f"{shape(strip)} = {self.value}"] if is_long(strip) else super().explain()
        return [*moves, "by Theorem 1:", *map(str, chain), last]

    def to_svg(self, title: str = "") -> str:
        """Return an SVG picture of the strip.

        Parameters
        ----------
        title : str, optional
            Title of the picture, by default none.

        Returns
        -------
        str
            An SVG document.

        Raises
        ------
        ValueError
            If the strip has more than 200 squares.
        """
        return board(str(self.position), title)

    @property
    def plain_value(self) -> Game:
        """Value without reductions and without compiled code; slow, for checks."""
        return super()._evaluate(self.position)

    @classmethod
    def _evaluate(cls, start: Any) -> Game:
        if proved := proved_if_long(start):
            return proved.value
        cls._check_cost(start)
        if _arrangements(start) <= VERY_FEW:
            return super()._evaluate(start)
        try:
            return engine().value(start)
        except MemoryBound as error:
            if not is_long(start):
                raise
            raise MemoryBound(refusal(start)) from error

    @classmethod
    def _is_quick(cls, position: Any) -> bool:
        return not is_long(position)

    @classmethod
    def _mover_wins(cls, position: Any, side: int) -> bool:
        """Return whether the player to move wins, by search if there are more than few positions."""
        if _arrangements(position) <= VERY_FEW or is_too_long(position) or proved_if_long(position):
            return super()._mover_wins(position, side)
        cls._check_cost(position)
        left_wins = _search().left_wins(position, left_starts=side == 0, budget=SEARCHED)
        if left_wins is None:
            raise CostBound(f"more than {SEARCHED} positions are searched for the winner of {shape(position)}")
        return left_wins == (side == 0)

    @property
    def source(self) -> str:
        """Source of the value: "engine", "Theorem 1", "Erickson (1996)" (T^a .^b F), or a certificate, such as "A22".

        Strips with few positions are left to the engine. Families are those of `poissonmatch games
        check`.

        Examples
        --------
        >>> strip = pm.games.ToadsAndFrogs("T^200 . F^199")
        >>> strip.value, strip.source
        (*, 'Theorem 1')
        """
        proved = proved_if_long(str(self.position))
        return proved.source if proved else "engine"

    @classmethod
    def _check_cost(cls, strip: str) -> None:
        """Check the number of positions that may follow.

        Raises CostBound if it exceeds `max_arrangements`, and more than FEW do follow.
        """
        arrangements = _arrangements(strip)
        if arrangements <= cls.max_arrangements or is_too_long(strip):  # then the engine raises an error
            return
        reached, waiting = {strip}, [strip]
        while waiting and len(reached) <= FEW:
            one = waiting.pop()
            new = {*cls.left_moves(one), *cls.right_moves(one)} - reached
            reached |= new
            waiting += new
        if waiting:
            raise CostBound(
                f"up to {arrangements:.2g} positions can follow, more than max_arrangements = {cls.max_arrangements:.2g} of ToadsAndFrogs"
            )


def _arrangements(strip: str) -> int:
    """Return the number of arrangements of the pieces of a strip."""
    counts = [strip.count(letter) for letter in "TF."]
    return math.factorial(len(strip)) // math.prod(map(math.factorial, counts))


@lru_cache(maxsize=1)
def _search() -> OutcomeEngine:
    from .outcome import OutcomeEngine

    return OutcomeEngine(SEARCH_MEMORY, longest=118)


@lru_cache(maxsize=1)
def engine() -> CanonicalEngine:
    """Return the canonical engine of this process."""
    from .canonical import CanonicalEngine

    return CanonicalEngine()
