"""Numbers of one replicate for the theorems on frog games: each function takes a pattern or a matching and gives a
dict of numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from .desire import columns, desiring_pairs
from .frogs import solve
from .geometry import Pattern
from .matching import Matching, match

Numbers = dict[str, float]


def alice_wins(pattern: Pattern, variant: str = "friendly", **parameters: Any) -> Numbers:
    """alice: 1 if Alice wins the variant, else 0; placements: number of pads where she wins (Theorems 1, 4, 7, 8, 12,
    Cor. 10).

    In colored-points a player without a pad loses. Errors as in frogs.solve.
    """
    missing: dict[str, Any] = {"missing": True} if variant == "colored-points" else {}
    solution = solve(pattern, variant, **missing, **parameters)
    return {"alice": float(solution.winner == "Alice"), "placements": float(len(solution.placements))}


def share_beyond(matching: Matching, distances: Iterable[float]) -> Numbers:
    """beyond_c for each distance c: share of the points whose nearest partner is farther than c; without one counts
    as farther.

    In shy frogs Alice wins on all the others (Theorem 7 (i)). NaN for an empty pattern.
    """
    nearest = columns(matching.distance)[:, 0]
    return {f"beyond_{c:g}": float((nearest > c).mean()) if len(nearest) else np.nan for c in distances}


def desirers_within(pattern: Pattern, matching: Matching, radii: Sequence[float]) -> Numbers:
    """desirers_r for each radius r: mean number of points within r that desire a point; undesired_r: share that none
    beyond r desires.

    Theorem 7 (ii): on a Poisson process every point has infinitely many desirers, so that desirers_r grows without
    bound. In the unit of the torus side. undesired_r counts desirers up to the largest radius only. NaN for an empty
    pattern.
    """
    n, steps = len(pattern), np.sort(np.asarray(radii, dtype=float))
    counts, farthest = np.zeros(len(steps)), np.zeros(n)
    for x, y in desiring_pairs(pattern, matching, float(steps[-1]), np.arange(n)):
        length = pattern.distance(x, y)
        counts += [(length <= r).sum() for r in steps]
        np.maximum.at(farthest, y, length)
    numbers = {f"desirers_{r:g}": float(c / n) if n else np.nan for r, c in zip(steps, counts, strict=True)}
    return numbers | {f"undesired_{r:g}": float((farthest <= r).mean()) if n else np.nan for r in steps[:-1]}


def misere_leftovers(pattern: Pattern) -> Numbers:
    """leftovers: 0, 1 or 2 points that the misere matching leaves (sec. 4.1); alice: 1 if there are any, for then she
    wins.
    """
    left = len(match(pattern, "misere").unmatched)
    return {"leftovers": float(left), "alice": float(left > 0)}


def incomplete(matching: Matching) -> Numbers:
    """incomplete: points with fewer partners than they have room for; Alice wins with k stones if there are any in
    multi(k + 1) (Theorem 12).
    """
    short = int((columns(matching.partner) < 0).any(axis=1).sum())
    return {"incomplete": float(short), "alice": float(short > 0)}


def label_partners(matching: Matching, radius: float) -> Numbers:
    """Of a matching with labels(K), for each label k: missing_k, the share of points without a partner of label k
    within the radius; distance_k, the mean distance to it where there is one (NaN where there is none), in the unit
    of the torus side (Prop. 14).
    """
    if not matching.rule.labels:
        raise ValueError("label_partners needs a matching with Sprague-Grundy labels, as of the rule labels(8)")
    numbers = {}
    for label, distance in enumerate(matching.distance.T):
        found = distance[np.isfinite(distance)]
        numbers[f"missing_{label}"] = float((distance > radius).mean()) if len(distance) else np.nan
        numbers[f"distance_{label}"] = float(found.mean()) if len(found) else np.nan
    return numbers


def components(matching: Matching) -> np.ndarray:
    """Sizes of the connected components of the matching as a graph, the largest first, single points included (sec.
    4.2).
    """
    n = len(matching.partner)
    if n == 0:
        return np.zeros(0, np.int64)
    i, j = matching.pairs.T
    graph = coo_array((np.ones(len(i), np.int8), (i, j)), shape=(n, n))
    return np.sort(np.bincount(connected_components(graph, directed=False)[1]))[::-1]


def component_fractions(matching: Matching) -> Numbers:
    """largest, second: fractions of the points in the two largest components (0 where there is none); components:
    their number.
    """
    sizes = components(matching)
    largest, second = [*(sizes[:2] / max(1, sizes.sum())), 0.0, 0.0][:2]
    return {"largest": float(largest), "second": float(second), "components": float(len(sizes))}
