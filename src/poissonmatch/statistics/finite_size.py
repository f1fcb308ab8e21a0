"""Whether the share u of unmatched reds on a torus can be taken for that of infinite volume, and how many points it would take if not.

A torus that is too small leaves greens, or has few reds left: then u is off by more than its error. Where the mean number m of unmatched
reds on a torus is 15 or more, the bias was never resolved, with fixed numbers of points that add up to an even one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..rules.rule import Rule
from ..theory.finite_size import EIGHTH, LEAST_LEFT, NONE_SEEN, SIGMAS, rounded, share_of_side
from .influences import ratio, standard_error


class Lack(NamedTuple):
    """Why u cannot be trusted, in words, and the number of points that it would take, at least; nan if that is not what lacks."""

    words: str
    points: float = math.nan


@dataclass(frozen=True)
class Tori:
    """What is looked at in a cell: of each torus. red: unmatched reds, reds: all, green: unmatched greens, longest: pair of a green."""

    dim: float
    size: float
    side: float
    red: np.ndarray
    reds: np.ndarray
    green: np.ndarray
    longest: np.ndarray

    @classmethod
    def of(cls, rows: Any, judged: int) -> Tori:
        """From rows of the table `replicates`, and the color of the reds."""
        first, other = rows.iloc[0], 1 - judged
        names = f"unmatched_{judged}", f"points_{judged}", f"unmatched_{other}", f"longest_{other}"
        return cls(first["dim"], first["size"], first["side"], *(rows[name].to_numpy(float) for name in names))

    def fraction(self) -> tuple[float, float]:
        """u and its standard error."""
        value, influence = ratio(self.red, self.reds)
        return float(value), float(standard_error(influence))


def lacking(tori: Tori, smaller: Tori | None) -> list[Lack]:
    """What lacks for u to be trusted; nothing if it can be. smaller: the tori of an eighth of the points."""
    return [*_lacking(tori, smaller)]


def lacking_of(rows: Any, eighth: Any, judged: int) -> list[Lack]:
    """The same from rows of the table `replicates`; eighth: None if there are none. judged: the color of the reds."""
    return lacking(Tori.of(rows, judged), None if eighth is None else Tori.of(eighth, judged))


def _lacking(tori: Tori, smaller: Tori | None) -> Iterator[Lack]:
    left = tori.red.mean()
    if left < LEAST_LEFT:
        known = max(left, NONE_SEEN / len(tori.red))
        yield Lack(f"{left:.3g} unmatched reds on a torus, and not {LEAST_LEFT:g}", tori.size * LEAST_LEFT / known)
    if number := np.count_nonzero(tori.green):
        yield Lack(f"greens are left on {number} of {len(tori.green)} tori", EIGHTH * tori.size)
    share, most = tori.longest.max() / tori.side, share_of_side(tori.dim)
    if not share < most:
        yield Lack(
            f"a pair as long as {share:.2g} of the side, and not below {most:g}", tori.size * (share / most) ** tori.dim
        )
    if smaller is None:
        yield Lack(f"no cell of {tori.size / EIGHTH:.12g} points is beside it")
        return
    (u, error), (v, other) = tori.fraction(), smaller.fraction()
    if not abs(u - v) <= SIGMAS * math.hypot(error, other):
        moved = "one torus has no error" if math.isnan(error + other) else f"more than {SIGMAS:g} standard errors apart"
        yield Lack(f"u is {u:.3g}, at {smaller.size:.12g} points {v:.3g}: {moved}", EIGHTH * tori.size)


def sentence(found: list[Lack]) -> str:
    """What lacks, and what it would take, for people; "" if nothing lacks."""
    if not found:
        return ""
    takes = [lack.points for lack in found if not math.isnan(lack.points)]
    more = f"; it would take about {rounded(max(takes)):.3g} points" if takes else ""
    return f"u cannot be trusted ({'; '.join(lack.words for lack in found)}){more}"


def judged_color(rule: Rule, dim: float, intensities: Sequence[float]) -> int | None:
    """The color of the reds, where the question is asked: of rules that are judged by one of two colors, on tori; else None."""
    return rule.judged if dim < math.inf and len(intensities) == 2 and all(intensities) else None
