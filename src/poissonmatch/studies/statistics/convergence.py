"""Conditions for a negligible finite-size effect on the unmatched fraction u of red points, and the points needed.

On a torus that is too small some greens stay unmatched, or few reds do: then u is biased by more
than its error. With a mean of 15 or more unmatched reds per torus no bias was resolved, for fixed
numbers of points with an even sum.

Every condition compares means, and standard deviations of one torus, with fixed thresholds, so that
more replicates of the same kind never make a cell less converged.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ...rules.rule import Rule
from ...theory.finite_size import (
    MAX_GREEN,
    MAX_MEAN_IF_NONE,
    MAX_SHIFT,
    MIN_INDEX,
    MIN_UNMATCHED,
    SIZE_FACTOR,
    rounded,
    share_of_side,
)
from .influences import ratio


class Lack(NamedTuple):
    """A condition for convergence that fails: a message, and the number of points needed, nan if it is unknown."""

    words: str
    points: float = math.nan


class Fraction(NamedTuple):
    """The unmatched fraction of the reds of a cell: what a larger cell is compared with.

    scatter: standard deviation of the fraction of one torus; 0 for one torus.
    """

    size: float
    tori: int
    value: float
    scatter: float


@dataclass(frozen=True)
class Tori:
    """Numbers of each torus of a cell.

    red: unmatched reds; reds: all reds; green: unmatched greens; longest: longest pair of a green.
    """

    dim: float
    size: float
    side: float
    red: np.ndarray
    reds: np.ndarray
    green: np.ndarray
    longest: np.ndarray

    @classmethod
    def of(cls, rows: Any, color: int) -> Tori:
        """Return these numbers from rows of the table `replicates`. color: red."""
        other = 1 - color
        names = f"unmatched_{color}", f"points_{color}", f"unmatched_{other}", f"longest_{other}"
        dim, size, side = (float(np.asarray(rows[name])[0]) for name in ("dim", "size", "side"))
        return cls(dim, size, side, *(np.asarray(rows[name]) for name in names))

    def fraction(self) -> Fraction:
        """Return the unmatched fraction of the reds."""
        value, influence = ratio(self.red, self.reds)
        return Fraction(self.size, len(self.red), float(value), math.sqrt(np.square(influence).mean()))


def lacking_of(rows: Any, smaller: Any, color: int) -> list[Lack]:
    """Return lacking(...) as a list for rows of the table `replicates`.

    smaller: rows or None; color: that of the reds.
    """
    return [*lacking(Tori.of(rows, color), None if smaller is None else Tori.of(smaller, color).fraction())]


def lacking(tori: Tori, smaller: Fraction | None) -> Iterator[Lack]:
    """Yield the conditions for u to be that of infinite volume that fail.

    smaller: that of tori with 1 / SIZE_FACTOR of the points.
    """
    mean_unmatched = tori.red.mean()
    if mean_unmatched < MIN_UNMATCHED:
        points = tori.size * MIN_UNMATCHED / max(mean_unmatched, MIN_INDEX * MAX_MEAN_IF_NONE / len(tori.red))
        yield Lack(f"{mean_unmatched:.3g} unmatched red points per torus, at least {MIN_UNMATCHED:g} needed", points)
    if (green := tori.green.mean()) > MAX_GREEN * mean_unmatched:
        message = (
            f"{green:.3g} unmatched green points per torus, at most {MAX_GREEN:g} for each unmatched red one allowed"
        )
        yield Lack(message, SIZE_FACTOR * tori.size)
    share, limit = tori.longest.mean() / tori.side, share_of_side(tori.dim)
    if not share < limit:
        points = tori.size * (share / limit) ** tori.dim
        yield Lack(f"the longest pair is {share:.2g} of the side on average, must be below {limit:g}", points)
    if smaller is None:
        yield Lack(f"there is no cell of {tori.size / SIZE_FACTOR:.12g} points to compare with")
        return
    own = tori.fraction()
    single = min(own.tori, smaller.tori) == 1
    if single or not abs(own.value - smaller.value) <= MAX_SHIFT * math.hypot(own.scatter, smaller.scatter):
        moved = (
            "one replicate, no error" if single else f"more than {MAX_SHIFT:g} standard deviations of one torus apart"
        )
        values = f"u is {own.value:.3g}, at {smaller.size:.12g} points {smaller.value:.3g}"
        yield Lack(f"{values}: {moved}", SIZE_FACTOR * tori.size)


def sentence(lacks: list[Lack]) -> str:
    """Return a warning with the conditions that fail and the number of points needed, "" if none fails."""
    if not lacks:
        return ""
    takes = [lack.points for lack in lacks if not math.isnan(lack.points)]
    more = f"; about {rounded(max(takes)):.3g} points are needed" if takes else ""
    return f"finite-size warning: {'; '.join(lack.words for lack in lacks)}{more}"


def reference_color_of(rule: Rule, dim: float, intensities: Sequence[float]) -> int | None:
    """Return the color of the reds for rules with a reference color and two colors on tori, None otherwise."""
    return rule.reference_color if dim < math.inf and len(intensities) == 2 and all(intensities) else None
