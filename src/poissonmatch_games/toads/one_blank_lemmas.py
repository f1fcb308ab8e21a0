"""Values of strips with one empty square, by Theorem 1 of [T].

Lemmas 4.2 to 4.9 and their mirror images cover every such strip. L is empty or ends in F, R is
empty or begins with T, and O(x) = {0|x}. As printed they have gaps: 4.2 requires that nothing
follows L T^a ., and 4.6 and 4.7 that (TF)^b ends the strip. The same values hold if "TT.." or a
last "T" follows, since no frog ever comes from there; these cases are marked with a + below.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from ..partisan.values import STAR, ZERO, Game, game, integer, number
from .strips import Strip, mirror, parse_strip, shape


@dataclass(frozen=True)
class Step:
    """Application of a lemma: the value of `strip` is `formula`, where x is the value of the strip `inner`."""

    strip: Strip
    lemma: str
    formula: str
    value_from: Callable[[Game], Game]
    inner: Strip | None = None

    def __str__(self) -> str:
        where = f", x = {shape(self.inner)}" if self.inner is not None else ""
        return f"{shape(self.strip)} = {self.formula} ({self.lemma}){where}"


def one_blank(position: str, chain: list[Step] | None = None) -> Game:
    r"""Return the value of a strip with exactly one empty square, by Theorem 1 of [T].

    Parameters
    ----------
    position : str
        At any length.
    chain : list, optional
        The applied lemmas are appended, in order. Each step has `strip`, `lemma`, `formula`,
        `inner`, and a readable `str`. By default none.

    Returns
    -------
    Game

    Raises
    ------
    ValueError
        If the number of empty squares is not one.

    Examples
    --------
    >>> chain = []
    >>> pm.games.one_blank("TT.TFF", chain)
    {1|*}
    >>> print(*chain, sep="\n")
    T^2 . TF^2 = {1|x} (Lemma 4.8), x = T^2 FT . F
    T^2 FT . F = * (Lemma 4.4)
    """
    strip: Strip | None = parse_strip(position)
    steps: list[Step] = []
    while strip is not None:
        steps.append(_step(strip))
        strip = steps[-1].inner
    value = ZERO
    for step in reversed(steps):
        value = step.value_from(value)
    if chain is not None:
        chain += steps
    return value


def o_of(x: Game, times: int = 1) -> Game:
    """Return O^times(x) = {0|{0|...x}}."""
    for _ in range(times):
        x = game([0], [x])
    return x


def _step(strip: Strip) -> Step:
    """Return the lemma that applies to a strip."""
    if strip.count(".") != 1:
        raise ValueError(f"the strip must have exactly one empty square, got {shape(strip)!r}")
    before, after = strip.split(".")
    toads = len(before) - len(before.rstrip("T"))
    frogs = len(after) - len(after.lstrip("F"))
    if toads == frogs == 0:
        return Step(strip, "Lemma 4.3", "0", lambda x: ZERO)
    if toads == frogs == 1:
        return Step(strip, "Lemma 4.4", "*", lambda x: STAR)
    if toads >= 2 and frogs >= 2:
        return Step(strip, "Lemma 4.5", "*", lambda x: STAR)
    if toads < frogs:
        return Step(strip, "mirror image", "-x", lambda x: -x, mirror(strip))
    return _toads_ahead(strip, before[: len(before) - toads], toads, frogs, after[frogs:])


def _toads_ahead(strip: Strip, left: Strip, a: int, frogs: int, rest: Strip) -> Step:
    """Return the lemma for L T^a . rest (`frogs` = 0) or L T^a . F rest (`frogs` = 1, a >= 2)."""
    pairs = re.match("(TF)*", rest)
    assert pairs is not None
    m, tail = len(pairs[0]) // 2, rest[pairs.end() :]
    more = "+" if tail else ""
    if tail.startswith("F"):  # rest is (TF)^b T F^c R
        a, b = a - 1 - frogs, m - 1 + frogs
        inner = left + "T" * (a + 1) + "F" + "TF" * b + "T." + tail  # the last pair's frog jumped over its toad
        formula = f"{{{a}|{_o(b)}}}"
        if frogs == 0:
            return Step(strip, "Lemma 4.8", formula, lambda x: game([a], [o_of(x, b)]), inner)
        return Step(strip, "Lemma 4.9", f"{{{formula}|0}}", lambda x: game([game([a], [o_of(x, b)])], [0]), inner)
    half = number(Fraction(1, 2 ** (m - 1 + frogs))) if m + frogs else ZERO
    if frogs:
        formula = f"{{{{{a - 2}|{half}}}|0}}"
        return Step(strip, "Lemma 4.7" + more, formula, lambda x: game([game([a - 2], [half])], [0]))
    if m:
        return Step(strip, "Lemma 4.6" + more, f"{{{a - 1}|{half}}}", lambda x: game([a - 1], [half]))
    return Step(strip, "Lemma 4.2" + more, str(a), lambda x: integer(a))


def _o(times: int) -> str:
    return "x" if times == 0 else "O(x)" if times == 1 else f"O^{times}(x)"
