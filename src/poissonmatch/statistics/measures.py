"""Measures on one replicate: functions of a pattern and its matching whose results are rows of a table.

Measures of the table `ratios` return Numbers, {(quantity, x): (numerator, denominator)}: x is the argument, NO_X for none, and the
estimate is the sum of the numerators over that of the denominators. Theorems: Deijfen, Holroyd, Martin (2016).
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from functools import cache
from typing import Any

import numpy as np

from ..matching import export
from ..matching.desire import desiring_pairs, last_partner
from ..matching.matching import Matching
from ..points.pattern import Pattern
from ..tables.tables import NO_X, PER_DECADE
from ..utils.errors import BadInput
from ..utils.immutable import as_immutable
from .sums import Sums

Columns = dict[str, Any]  # arrays of one length, by the name of the column
Numbers = dict[tuple[str, float], tuple[float, float]]
BINS = range(-5 * PER_DECADE, 7 * PER_DECADE + 1)  # of the table `distances`
FIRST_COLOR = 0  # amber: the color of Alice where each player has a color
STEPS_PER_DECADE, DECADES = 10, 5  # of the radii of desirers


def moments(sums: Sums) -> Columns:
    """Return the row of `replicates`: numbers of points and unmatched points, and sums over nearest partner distances, by color."""
    distance, square, ball = sums.totals()
    of_color = {"points": sums.points, "unmatched": sums.unmatched, "sum_distance": distance}
    of_color |= {"sum_square": square, "sum_ball": ball, "longest": sums.longest}
    return {f"{name}_{k}": values[k : k + 1] for name, values in of_color.items() for k in range(sums.colors)}


@cache
def edges() -> np.ndarray:
    """Return the lower ends of the bins, 10^(bin / PER_DECADE)."""
    return as_immutable(powers_of_ten(BINS, PER_DECADE))


def histogram(sums: Sums) -> Columns:
    """Return the rows of `distances`: counts of partner distances in logarithmic bins, by color and order."""
    color, order, place = np.nonzero(sums.bins)
    count = sums.bins[color, order, place]
    return {"color": color, "order": order, "bin": place + BINS.start, "r": edges()[place], "count": count}


def realization(pattern: Pattern, matching: Matching) -> Columns:
    """Return the rows of `realizations`: points and partners."""
    return export.realization(pattern.points, pattern.colors, matching.partners, matching.distances)


def winner(pattern: Pattern, matching: Matching) -> Numbers:
    """Return the winner of the game that the matching solves, and the number of incomplete points.

    The game is friendly (one-color), colored-points (two-color), fussy, misere, or stones(k) (multi(k + 1)). A point is incomplete if
    it has capacity left. Alice wins if a point (in colored-points an amber point) is incomplete: Prop. 3 with Theorem 1, Theorem 8,
    sec. 3.3, sec. 4.1 with its finite sets, Theorem 12. Quantities: alice_wins, 1 or 0; incomplete_fraction; n_unmatched, for x = 0,
    1, 2 whether exactly x points are incomplete (Cor. 10). Raises ValueError if the rule has Sprague-Grundy labels.
    """
    n = len(pattern)
    incomplete = last_partner(pattern, matching) == n
    number = int(incomplete.sum())
    winning = incomplete & (pattern.colors == FIRST_COLOR) if matching.rule.across else incomplete
    return {
        ("alice_wins", NO_X): (float(winning.any()), 1.0),
        ("incomplete_fraction", NO_X): (number, n),
        **{("n_unmatched", float(x)): (float(number == x), 1.0) for x in (0, 1, 2)},
    }


def desirers(pattern: Pattern, matching: Matching) -> Numbers:
    """Return the number of points within r that desire a typical point, for radii r up to the cutoff.

    On a Poisson process every point has infinitely many (Theorem 7 (ii)): the mean grows without bound, like log r where
    :math:`r^d P(X > r)` levels off. Equal, by mass transport, to the mean number that a point desires. Raises
    ValueError if the pattern is neither on a torus nor of the mean-field model.
    """
    if not pattern.geometry.finite:
        raise BadInput("desirers needs a torus or the mean-field model")
    n, radii = len(pattern), radii_of(pattern.geometry.cutoff)
    counts = np.zeros(len(radii), np.int64)
    for x, y in desiring_pairs(pattern, matching, float(radii[-1]), np.arange(n)):
        place = np.searchsorted(radii, pattern.distance(x, y))  # the smallest radius that reaches
        counts += np.bincount(place, minlength=len(radii))[: len(radii)]
    return {("desirers", float(r)): (float(c), n) for r, c in zip(radii, counts.cumsum(), strict=True)}


def radii_of(cutoff: float) -> np.ndarray:
    """Return the radii of desirers: DECADES below the cutoff, and the cutoff itself."""
    return cutoff * powers_of_ten(range(-DECADES * STEPS_PER_DECADE, 1), STEPS_PER_DECADE)


def powers_of_ten(steps: range, per_decade: int) -> np.ndarray:
    """Return 10^(k / per_decade) for each step k, correctly rounded, so the same on every machine."""
    with localcontext() as context:
        context.prec = 40
        return np.array([float(Decimal(10) ** (Decimal(k) / per_decade)) for k in steps])


def component_fractions(pattern: Pattern, matching: Matching) -> Numbers:
    """Return the sizes of the largest components of the matching as a graph (sec. 4.2), and their number.

    Quantities: largest_component and second_component, shares of the points; component_squares, the sum of the squares of all shares;
    components, their number per point.
    """
    n, sizes = len(pattern), matching.component_sizes()
    largest, second = [*sizes[:2].tolist(), 0, 0][:2]
    return {
        ("largest_component", NO_X): (largest, n),
        ("second_component", NO_X): (second, n),
        ("component_squares", NO_X): (float((sizes.astype(float) ** 2).sum()) / max(n, 1), n),
        ("components", NO_X): (len(sizes), n),
    }


def columns_of(numbers: Numbers) -> Columns:
    """Return Numbers as rows of the table `ratios`."""
    rows = [(quantity, x, *ratio) for (quantity, x), ratio in numbers.items()]
    quantity, *values = zip(*rows, strict=True)
    names = ("x", "numerator", "denominator")
    return {"quantity": np.array(quantity)} | {n: np.array(v, float) for n, v in zip(names, values, strict=True)}
