"""Conditions for a negligible finite-size effect on the unmatched fraction u of red points, and the points needed.

On a torus that is too small some greens stay unmatched, or few reds do: then u is biased by more
than its error. With a mean of 15 or more unmatched reds per torus no bias was resolved, for fixed
numbers of points with an even sum.

The shift of u between two sizes counts if it is significant, and more than MAX_BIAS of u. The variance
of the unmatched fraction of a torus is taken to be inversely proportional to its number of reds, and is
pooled over both sizes, since the number on the smaller tori may be small.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import scipy

from ...rules.rule import Rule
from ...theory.finite_size import (
    FEW_REPLICATES,
    MAX_BIAS,
    MAX_MEAN_IF_NONE,
    MIN_INDEX,
    MIN_UNMATCHED,
    SHIFT_LEVEL,
    SIZE_FACTOR,
    rounded,
    share_of_side,
)
from ..tables.estimate_tables import NOT_TESTED, ONE_REPLICATE
from .influences import ratio


class Lack(NamedTuple):
    """A condition for convergence that fails: a message, and the number of points needed, nan if it is unknown."""

    words: str
    points: float = math.nan
    tested: bool = True  # False if it could not be tested


class Fraction(NamedTuple):
    """The unmatched fraction of the reds of a cell: what a larger cell is compared with.

    reds: mean number on a torus. scatter: standard deviation of the fraction of one torus; 0 for one torus.
    """

    size: float
    tori: int
    reds: float
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
        return Fraction(
            self.size, len(self.red), self.reds.mean(), float(value), math.sqrt(np.square(influence).mean())
        )


def lacking_of(rows: Any, smaller: Any, color: int) -> list[Lack]:
    """Return lacking(...) as a list for rows of the table `replicates`.

    smaller: rows or None; color: that of the reds.
    """
    return [*lacking(Tori.of(rows, color), None if smaller is None else Tori.of(smaller, color).fraction())]


def lacking(tori: Tori, smaller: Fraction | None) -> Iterator[Lack]:
    """Yield the conditions for u to be that of infinite volume that fail.

    smaller: that of the tori that they are compared with.
    """
    mean_unmatched = tori.red.mean()
    if mean_unmatched < MIN_UNMATCHED:
        points = tori.size * MIN_UNMATCHED / max(mean_unmatched, MIN_INDEX * MAX_MEAN_IF_NONE / len(tori.red))
        yield Lack(f"{mean_unmatched:.3g} unmatched red points per torus, at least {MIN_UNMATCHED:g} needed", points)
    if (green := tori.green.mean()) > MAX_BIAS * mean_unmatched:
        message = (
            f"{green:.3g} unmatched green points per torus, at most {MAX_BIAS:g} for each unmatched red one allowed"
        )
        yield Lack(message, SIZE_FACTOR * tori.size)
    share, limit = tori.longest.mean() / tori.side, share_of_side(tori.dim)
    if not share < limit:
        points = tori.size * (share / limit) ** tori.dim
        yield Lack(f"the longest pair is {share:.2g} of the side on average, must be below {limit:g}", points)
    if smaller is None:
        yield Lack(NOT_TESTED.format(points=f"{tori.size / SIZE_FACTOR:,.0f}"), tested=False)
        return
    own = tori.fraction()
    if min(own.tori, smaller.tori) == 1:
        yield Lack(ONE_REPLICATE, tested=False)
        return
    if is_shifted(own, smaller):
        values = f"u is {own.value:.3g}, at {smaller.size:.12g} points {smaller.value:.3g}"
        apart = f"more than {error_of_shift(own, smaller)[1]:.2g} standard errors and {MAX_BIAS:.0%} apart"
        yield Lack(f"{values}: {apart}", SIZE_FACTOR * tori.size)


def is_shifted(own: Fraction, smaller: Fraction) -> bool:
    """Return whether two fractions differ significantly, and by more than is negligible."""
    shift, (error, limit) = abs(own.value - smaller.value), error_of_shift(own, smaller)
    return shift > limit * error and shift > MAX_BIAS * own.value


def error_of_shift(own: Fraction, smaller: Fraction) -> tuple[float, float]:
    """Return the standard error of the difference of two fractions, and how many of them are significant.

    If there are few tori, the index of dispersion is at least MIN_INDEX, as in theory.intervals.dispersion.
    """
    dof = own.tori + smaller.tori - 2
    spread = sum(each.tori * each.reds * each.scatter**2 for each in (own, smaller)) / dof
    if dof < 2 * (FEW_REPLICATES - 1):
        spread, dof = max(spread, MIN_INDEX * own.value), max(dof, FEW_REPLICATES - 1)
    error = math.sqrt(sum(spread / (each.tori * each.reds) for each in (own, smaller)))
    return error, float(scipy.special.stdtrit(dof, 1 - SHIFT_LEVEL / 2))


def converged_by(lacks: list[Lack]) -> tuple[float, str | None]:
    """Return 1 if no condition fails, 0 if one does, and nan with a note if one could only not be tested."""
    if any(lack.tested for lack in lacks):
        return 0.0, None
    return (math.nan, lacks[0].words) if lacks else (1.0, None)


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
