"""Consistency checks of measured rows: the counterpart of the functions of measures.py. Those of `ratios` are in ratio_checks.py.

A function gets the cell, the columns of the observable's table, and those of all available tables, by name; `replicates` has one row for
each replicate, in order. It yields Checks, the simplest first: a later one may rely on those before.

For the table `ratios` it gets Numerators, {(quantity, x): the numerator of each replicate}, and yields RatioChecks: (text, key, whether
each replicate passes). completeness.py checks the range of each ratio.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from ..points.spaces import SPACES
from ..rules.catalogue import rule_named
from ..rules.rule import Rule
from ..sampling.cells import Cell
from ..tables.invariants import equal
from ..tables.tables import DISTANCES, RATIOS, REPLICATES, Check, Columns, n_colors
from . import measures
from .sums import PlainSums

Tables = Mapping[str, Columns]
Numerators = Mapping[tuple[str, float], np.ndarray]
RatioCheck = tuple[str, tuple[str, float], np.ndarray]

SLACK = 1e-9  # relative, of sums that are added in another order here
TINY = 1e-290  # absolute, for squares and powers of distances that underflow


def nothing(cell: Cell, rows: Any, tables: Tables) -> Iterator[Any]:
    """Return no checks."""
    return iter(())


def at_most(small: Any, large: Any) -> Any:
    """Return whether a nonnegative number is at most another, up to rounding."""
    return ~(small > large * (1 + SLACK) + TINY)


def by_color(tori: Columns, name: str) -> np.ndarray:
    """Return a column of `replicates` for each color: (replicates, colors)."""
    return np.stack([tori[f"{name}_{c}"] for c in range(n_colors(tori))], axis=1)


def denominators_of(tables: Tables, quantity: str) -> tuple[np.ndarray, np.ndarray]:
    """Return x (k,) and the denominators (k, replicates) of a curve in the table `ratios`."""
    rows = tables[RATIOS.name]
    mine = rows["quantity"] == quantity
    x = np.unique(rows["x"][mine])
    return x, rows["denominator"][mine].reshape(-1, len(x)).T


def matched_of(tori: Columns) -> np.ndarray:
    """Return the number of matched points of each color: (replicates, colors)."""
    return by_color(tori, "points") - by_color(tori, "unmatched")


def counts_of(tori: Columns) -> tuple[str, ...]:
    """Return the names of the columns that count points."""
    return tuple(f"{name}_{c}" for c in range(n_colors(tori)) for name in ("points", "unmatched"))


def moments(cell: Cell, rows: Columns, tables: Tables) -> Iterator[Check]:
    """Yield the checks of `replicates`: numbers of points, sums bounded by the longest distance, points that the rule leaves unmatched."""
    rule, matched = rule_named(cell.rule), matched_of(rows)
    powers: dict[str, Callable[[Any], Any]] = {
        "sum_distance": lambda x: x,
        "sum_square": np.square,
        "sum_ball": cell.space().ball_volume,
    }
    for c in range(n_colors(rows)):
        if c >= len(cell.intensities):
            yield Check(f"0, since the cell has no color {c}", (f"points_{c}",), rows[f"points_{c}"] == 0)
        counted = (f"points_{c}", f"unmatched_{c}")
        yield Check("points = matched + unmatched", counted, matched[:, c] >= 0)
        longest = f"longest_{c}"
        for name, power in powers.items():
            found, term = rows[f"{name}_{c}"], power(rows[longest])
            holds = at_most(term, found) & at_most(found, matched[:, c] * term)
            text = f"{name}_{c} is at least the term of {longest}, and at most that times the matched points"
            yield Check(text, (*counted, f"{name}_{c}", longest), holds)
    both = counts_of(rows)
    if rule.width == 1:
        yield Check("matched points come in pairs", both, matched.sum(axis=1) % 2 == 0)
        if rule.across and rule.n_colors == 2:
            text = "partners are of the other color: equal numbers and sums"
            sums = ("sum_distance_0", "sum_distance_1")
            first, second = (rows[name] for name in sums)
            same = (matched[:, 0] == matched[:, 1]) & at_most(first, second) & at_most(second, first)
            yield Check(text, (*both, *sums), same)
    if rule.exclude is None and rule.n_colors <= n_colors(rows):
        alone = by_color(rows, "unmatched")
        alone = alone if rule.n_colors > 1 else alone.sum(axis=1, keepdims=True)
        for a, b in np.argwhere(np.triu(rule.matrix())):
            free = alone[:, a] <= 1 if a == b else np.minimum(alone[:, a], alone[:, b]) == 0
            yield Check("of two points that may be matched, one has a partner", both, free)


def histogram(cell: Cell, rows: Columns, tables: Tables) -> Iterator[Check]:
    """Yield the checks of `distances`: each row, then the bins of a torus against its row of `replicates`."""
    rule, edges, first = rule_named(cell.rule), measures.edges(), measures.BINS.start
    color, order, bin = rows["color"], rows["order"], rows["bin"] - first
    yield Check("a color of the cell", ("color",), color < len(cell.intensities))
    yield Check(f"{cell.rule} has partners 0 to {rule.width - 1}", ("order",), order < rule.width)
    text = f"bins are {first} to {measures.BINS.stop - 1}"
    yield Check(text, ("bin",), (rows["bin"] >= first) & (rows["bin"] < measures.BINS.stop))
    yield Check("r is the lower end of the bin", ("bin", "r"), equal(rows["r"], edges[bin]))
    tori = tables.get(REPLICATES.name)
    if tori is None:
        return
    shape = (len(tori["replicate"]), n_colors(tori), rule.width)
    group = np.ravel_multi_index((np.searchsorted(tori["replicate"], rows["replicate"]), color, order), shape)

    def total(values: np.ndarray) -> np.ndarray:
        return np.bincount(group, values, minlength=int(np.prod(shape))).reshape(shape)

    counts, matched, of = total(rows["count"]), matched_of(tori), (REPLICATES, tori)
    about = counts_of(tori)
    yield Check("the sum of its bins is even, two for each pair", about, counts.sum(axis=(1, 2)) % 2 == 0, of)
    if rule.labels:
        inside = (counts <= matched[:, :, None]).all(axis=2) & (counts.sum(axis=2) >= matched)
        yield Check("its bins hold each matched point, at most once for each label", about, inside.all(axis=1), of)
        return
    yield Check("its bins of order 0 sum to the matched points", about, (counts[:, :, 0] == matched).all(axis=1), of)
    fewer = (np.diff(counts, axis=2) <= 0).all(axis=(1, 2))
    yield Check("its bins of an order sum to at most those of the order before", about, fewer, of)
    if rule.exclude is None and rule.matrix().all() and len(set(rule.capacity)) == 1:
        lacking = by_color(tori, "points").sum(axis=1)[:, None] - counts.sum(axis=1)
        text = "at most k + 1 points lack a partner of order k, since such points are partners of each other"
        yield Check(text, about, (lacking <= np.arange(rule.width) + 1).all(axis=1), of)
    low, high = np.append(0.0, edges[1:])[bin], np.append(edges[1:], np.inf)[bin]
    for name, power in (("sum_distance", 1), ("sum_square", 2)):
        lower, upper = (total(rows["count"] * end**power)[:, :, 0] for end in (low, high))
        for c in range(n_colors(tori)):
            found = tori[f"{name}_{c}"]
            holds = at_most(lower[:, c], found) & at_most(found, upper[:, c])
            yield Check("between the bounds given by its bins", (f"{name}_{c}",), holds, of)


def realization(cell: Cell, rows: Columns, tables: Tables) -> Iterator[Check]:
    """Yield the checks of `realizations`: points and partners, and that they give replicate 0 of the other tables."""
    rule, point, order, color = rule_named(cell.rule), rows["point"], rows["order"], rows["color"]
    head = order == 0  # one row of each point
    text = "points are numbered from 0, each with a row of order 0"
    yield Check(text, ("point", "order"), point == np.cumsum(head) - 1)
    yield Check(f"{cell.rule} has partners 0 to {rule.width - 1}", ("order",), order < rule.width)
    yield Check("a color of the cell", ("color",), color < len(cell.intensities))
    for axis, name in enumerate("xyz"):
        inside = rows[name] < cell.side if axis < cell.dim else rows[name] == 0
        yield Check("a coordinate in the torus, and 0 beyond its dimension", (name,), inside)
    for name in ("color", "x", "y", "z"):
        yield Check(f"a point has one {name}", (name,), rows[name] == rows[name][head][point])
    yield from _partners(cell, rule, rows, head)
    n = int(head.sum())
    distances = np.full((n, rule.width), np.inf)
    distances[point, order] = rows["distance"]
    sums = PlainSums(measures.edges(), cell.space(), color[head], distances, max(2, len(cell.intensities)))
    for table, measure in ((REPLICATES, measures.moments), (DISTANCES, measures.histogram)):
        if table.name in tables:
            first = tables[table.name]["replicate"] == 0
            for name, values in measure(sums).items():
                found = tables[table.name][name][first]
                same = len(found) == len(values) and equal(found, values, SLACK * np.abs(values) + TINY).all()
                yield Check(f"measured again, they give {name} of replicate 0 in {table.name}", (), np.full(1, same))


def _partners(cell: Cell, rule: Rule, rows: Columns, head: np.ndarray) -> Iterator[Check]:
    """Yield the checks that partners are mutual and at the distance of the coordinates."""
    point, partner, distance, n = rows["point"], rows["partner"], rows["distance"], int(head.sum())
    some = partner >= 0
    yield Check("a partner is another point", ("partner",), (partner < n) & (partner != point))
    text = "a finite distance with a partner, inf without"
    yield Check(text, ("partner", "distance"), some == np.isfinite(distance))
    yield Check("a row without a partner has order 0", ("order", "partner"), some | head)
    pair, back = np.where(some, point * n + partner, -1 - point), partner * n + point
    _, place, times = np.unique(pair, return_inverse=True, return_counts=True)
    yield Check("partners are mutual, once", ("partner",), ~some | (np.isin(pair, back) & (times[place] == 1)))
    if rule.n_colors == 2:
        colors = rows["color"]
        allowed = rule.matrix()[colors, colors[head][partner]]
        yield Check(f"{cell.rule} allows the pair", ("color", "partner"), ~some | allowed)
    seen = min(3, int(cell.dim))
    places = np.stack([rows[name] for name in "xyz"[:seen]], axis=1)
    far = SPACES[cell.geometry](cell.side, seen).distance(places, places[head][partner])
    same = at_most(far, distance) & (at_most(distance, far) | (cell.dim > 3))
    yield Check("the distance is that between the coordinates", ("partner", "distance"), ~some | same)
