"""Nim-values and genus of impartial games from those of the options.

Source: [ONAG] Conway, *On Numbers and Games*, chapter 12.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import count
from operator import xor


def mex(values: Iterable[int]) -> int:
    """Return the smallest non-negative integer that is not among `values`.

    Parameters
    ----------
    values : iterable of int
        Integers from 0.

    Returns
    -------
    int
        The minimal excluded value.

    Examples
    --------
    >>> pm.games.impartial.mex([0, 1, 3])
    2
    """
    present = set(values)
    return next(n for n in count() if n not in present)


@dataclass(frozen=True)
class Genus:
    """Genus of a position ([ONAG] ch. 12).

    The genus is its nim-value, and the misere nim-values of it plus 0, 1, 2, ... copies of ``*2``.
    The last two misere values repeat forever.

    Examples
    --------
    >>> print(genus := pm.games.impartial.Kayles().genus(5), genus.term(3))
    4^146 4
    """

    normal: int
    misere: tuple[int, ...]

    def term(self, copies: int) -> int:
        """Return the misere nim-value of the position plus `copies` copies of ``*2``."""
        last = len(self.misere)
        return self.misere[copies if copies < last else last - 2 + (copies - last) % 2]

    def __str__(self) -> str:
        separator = "" if max(self.misere) < 10 else ","
        return f"{self.normal}^{separator.join(map(str, self.misere))}"


def genus_from(options: Sequence[Genus]) -> Genus:
    """Return the genus of a position from those of its options."""
    # [ONAG] ch. 12: the options of G + (n+1).*2 are G' + (n+1).*2, G + n.*2 and G + n.*2 + *1
    terms = [mex(g.term(0) for g in options) if options else 1]
    settled = max((len(g.misere) for g in options), default=0)
    while len(terms) < settled + 3 or terms[-1] != terms[-3]:
        n = len(terms)
        terms.append(mex([g.term(n) for g in options] + [terms[-1], terms[-1] ^ 1]))
    while len(terms) > 2 and terms[-1] == terms[-3]:
        terms.pop()
    return Genus(mex(g.normal for g in options), tuple(terms))


def nim_like(pairs: Iterable[tuple[int, int]]) -> tuple[int, int]:
    """Return the nim-values in normal and misere play of a sum of tame games.

    `pairs` are the pairs of values of the summands ([ONAG] ch. 12). They add like heaps of Nim: if
    all pairs are (0, 1) or (1, 0), the misere value is the other one of 0 and 1; otherwise both
    agree.
    """
    pairs = list(pairs)
    value = reduce(xor, (n for n, _ in pairs), 0)
    return value, value ^ all(n != m for n, m in pairs)
