"""Numbers of one replicate for the theorems on frog games (Deijfen, Holroyd, Martin 2016): observables of a study.

Each measure takes a pattern and its matching and gives {(quantity, x): (top, bottom)}: x is the argument, -1 if there is
none, and the estimate over replicates is the sum of the tops over the sum of the bottoms.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, localcontext

import numpy as np

from ..desire import desiring_pairs, reach_of
from ..geometry import MeanField, Pattern, Torus
from ..matching import RULES, Matching
from ..theory import cutoff

Numbers = dict[tuple[str, float], tuple[float, float]]
NONE = -1.0
AMBER = 0
STEPS_PER_DECADE, DECADES = 10, 5  # of the radii of desirers


def winner(pattern: Pattern, matching: Matching) -> Numbers:
    """Who wins the game that the matching solves: friendly (one-color), colored-points (two-color), fussy, misere, or
    stones(k) (multi(k + 1)).

    alice_wins: 1 or 0. Alice wins if a point (in colored-points an amber one) has room for another partner: Prop. 3 with
    Theorem 1, Theorem 8, sec. 3.3, sec. 4.1 with its finite sets, Theorem 12. incomplete_fraction: share of such points.
    leftovers: for x = 0, 1, 2, whether there are just x of them (Cor. 10). ValueError for Sprague-Grundy labels.
    """
    limit, _ = reach_of(pattern, matching)
    incomplete = np.isinf(limit)
    number, n = int(incomplete.sum()), len(pattern)
    winning = incomplete & (pattern.colors == AMBER) if matching.rule == RULES["two-color"] else incomplete
    return {
        ("alice_wins", NONE): (float(winning.any()), 1.0),
        ("incomplete_fraction", NONE): (number, n),
        **{("leftovers", float(x)): (float(number == x), 1.0) for x in (0, 1, 2)},
    }


def desirers(pattern: Pattern, matching: Matching) -> Numbers:
    """desirers, for radii r up to the cut-off of the torus: number of points within r that desire a typical point.

    On a Poisson process every point has infinitely many (Theorem 7 (ii)): the mean grows without bound, like log r where
    r^d P(X > r) levels off. Equal, by mass transport, to the mean number that a point desires. Lengths in the unit of
    the side. ValueError for a pattern on neither a torus nor the mean-field model.
    """
    n, radii = len(pattern), radii_of(pattern)
    counts = np.zeros(len(radii), np.int64)
    for x, y in desiring_pairs(pattern, matching, float(radii[-1]), np.arange(n)):
        place = np.searchsorted(radii, pattern.distance(x, y))  # the smallest radius that reaches
        counts += np.bincount(place, minlength=len(radii))[: len(radii)]
    return {("desirers", float(r)): (float(c), n) for r, c in zip(radii, counts.cumsum(), strict=True)}


def radii_of(pattern: Pattern) -> np.ndarray:
    """The radii of desirers: DECADES below the cut-off of the torus (theory.cutoff), and the cut-off itself."""
    match pattern.geometry:
        case MeanField(volume=volume):
            last = cutoff(np.inf, np.nan, volume)
        case Torus(side=side, dim=dim):
            last = cutoff(dim, side, side**dim)
        case _:
            raise ValueError("desirers needs a torus or the mean-field model, which say how far to look")
    return last * powers_of_ten(range(-DECADES * STEPS_PER_DECADE, 1), STEPS_PER_DECADE)


def powers_of_ten(steps: range, per_decade: int) -> np.ndarray:
    """10^(k / per_decade) for each step k, correctly rounded, so the same on every machine."""
    with localcontext() as context:
        context.prec = 40
        return np.array([float(Decimal(10) ** (Decimal(k) / per_decade)) for k in steps])


def component_fractions(pattern: Pattern, matching: Matching) -> Numbers:
    """The matching as a graph (sec. 4.2): largest_component and second_component, shares of the points that they hold;
    components, their number per point.
    """
    n, sizes = len(pattern), components(matching)
    largest, second = [*sizes[:2].tolist(), 0, 0][:2]
    return {
        ("largest_component", NONE): (largest, n),
        ("second_component", NONE): (second, n),
        ("components", NONE): (len(sizes), n),
    }


def components(matching: Matching) -> np.ndarray:
    """Sizes of the connected components of the matching as a graph, largest first, single points included (sec. 4.2)."""
    from scipy.sparse import coo_array  # here, because few jobs need it
    from scipy.sparse.csgraph import connected_components

    n = len(matching.partner)
    if n == 0:
        return np.zeros(0, np.int64)
    i, j = matching.pairs.T
    graph = coo_array((np.ones(len(i), np.int8), (i, j)), shape=(n, n))
    return np.sort(np.bincount(connected_components(graph, directed=False)[1]))[::-1]


MEASURES: dict[str, Callable[[Pattern, Matching], Numbers]] = {
    "winner": winner,
    "desirers": desirers,
    "components": component_fractions,
}
