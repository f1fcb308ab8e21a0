"""What is true of everything that an observable can have measured: the counterpart of the functions of measures.py.

A law gets the cell, the columns of the observable's table, and those of all tables that are at hand, by name; `replicates` has
a row for each replicate, in order. It gives Laws, the simplest first: a later one may rely on those before.

Those of the table `ratios` get Numerators, {(quantity, x): an array with the numerator of each replicate}, and give (text, key, of which
replicates it is true). That every ratio is one of its kind, complete.py looks at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from ..points.geometry import SPACES
from ..rules.catalogue import rule_named
from ..rules.rule import Rule
from ..sampling.cells import Cell
from ..tables.invariants import equal
from ..tables.tables import DISTANCES, NO_X, RATIOS, REPLICATES, Columns, Law, n_colors
from . import measures
from .sums import PlainSums

Tables = Mapping[str, Columns]
Numerators = Mapping[tuple[str, float], np.ndarray]
Found = tuple[str, tuple[str, float], np.ndarray]

SLACK = 1e-9  # of sums, relative: they are added in another order here
TINY = 1e-290  # where squares and powers of distances underflow


def nothing(cell: Cell, rows: Any, tables: Tables) -> Iterator[Any]:
    """No law is known."""
    return iter(())


def at_most(small: Any, large: Any) -> Any:
    """Is a number at most another, up to rounding? Both are from 0."""
    return ~(small > large * (1 + SLACK) + TINY)


def by_color(tori: Columns, name: str) -> np.ndarray:
    """(replicates, colors): a column of `replicates` for each color."""
    return np.stack([tori[f"{name}_{c}"] for c in range(n_colors(tori))], axis=1)


def denominators_of(tables: Tables, quantity: str) -> tuple[np.ndarray, np.ndarray]:
    """x of a curve in the table `ratios`, (k,), and what its values are shares of: (k, replicates)."""
    rows = tables[RATIOS.name]
    mine = rows["quantity"] == quantity
    x = np.unique(rows["x"][mine])
    return x, rows["denominator"][mine].reshape(-1, len(x)).T


def matched_of(tori: Columns) -> np.ndarray:
    """(replicates, colors): number of matched points of each color."""
    return by_color(tori, "points") - by_color(tori, "unmatched")


def counts_of(tori: Columns) -> tuple[str, ...]:
    """The columns that count points."""
    return tuple(f"{name}_{c}" for c in range(n_colors(tori)) for name in ("points", "unmatched"))


def moments(cell: Cell, rows: Columns, tables: Tables) -> Iterator[Law]:
    """Of `replicates`: numbers of points, sums that fit the longest distance, and what the rule says of who is left."""
    rule, matched = rule_named(cell.rule), matched_of(rows)
    powers: dict[str, Callable[[Any], Any]] = {
        "sum_distance": lambda x: x,
        "sum_square": np.square,
        "sum_ball": cell.space().ball_volume,
    }
    for c in range(n_colors(rows)):
        if c >= len(cell.intensities):
            yield Law(f"0, since the cell has no color {c}", (f"points_{c}",), rows[f"points_{c}"] == 0)
        counted = (f"points_{c}", f"unmatched_{c}")
        yield Law("points = matched + unmatched", counted, matched[:, c] >= 0)
        longest = f"longest_{c}"
        for name, power in powers.items():
            found, most = rows[f"{name}_{c}"], power(rows[longest])
            holds = at_most(most, found) & at_most(found, matched[:, c] * most)
            text = f"{name}_{c} is between what {longest} gives, once and for each matched point"
            yield Law(text, (*counted, f"{name}_{c}", longest), holds)
    both = counts_of(rows)
    if rule.width == 1:
        yield Law("matched points come in pairs", both, matched.sum(axis=1) % 2 == 0)
        if rule.across and rule.n_colors == 2:
            text = "partners are of the other color, so as many and as far away"
            sums = ("sum_distance_0", "sum_distance_1")
            first, second = (rows[name] for name in sums)
            same = (matched[:, 0] == matched[:, 1]) & at_most(first, second) & at_most(second, first)
            yield Law(text, (*both, *sums), same)
    if rule.exclude is None and rule.n_colors <= n_colors(rows):
        alone = by_color(rows, "unmatched")
        alone = alone if rule.n_colors > 1 else alone.sum(axis=1, keepdims=True)
        for a, b in np.argwhere(np.triu(rule.matrix())):
            free = alone[:, a] <= 1 if a == b else np.minimum(alone[:, a], alone[:, b]) == 0
            yield Law("of two points that may be matched, one has a partner", both, free)


def histogram(cell: Cell, rows: Columns, tables: Tables) -> Iterator[Law]:
    """Of `distances`: each row by itself, then the bins of a torus against its row of `replicates`."""
    rule, edges, first = rule_named(cell.rule), measures.edges(), measures.BINS.start
    color, order, bin = rows["color"], rows["order"], rows["bin"] - first
    yield Law("a color of the cell", ("color",), color < len(cell.intensities))
    yield Law(f"{cell.rule} has partners 0 to {rule.width - 1}", ("order",), order < rule.width)
    text = f"bins are {first} to {measures.BINS.stop - 1}"
    yield Law(text, ("bin",), (rows["bin"] >= first) & (rows["bin"] < measures.BINS.stop))
    yield Law("r is the lower end of the bin", ("bin", "r"), equal(rows["r"], edges[bin]))
    tori = tables.get(REPLICATES.name)
    if tori is None:
        return
    shape = (len(tori["replicate"]), n_colors(tori), rule.width)
    group = np.ravel_multi_index((np.searchsorted(tori["replicate"], rows["replicate"]), color, order), shape)

    def total(values: np.ndarray) -> np.ndarray:
        return np.bincount(group, values, minlength=int(np.prod(shape))).reshape(shape)

    counts, matched, of = total(rows["count"]), matched_of(tori), (REPLICATES, tori)
    about = counts_of(tori)
    yield Law("its bins hold the two ends of each pair", about, counts.sum(axis=(1, 2)) % 2 == 0, of)
    if rule.labels:
        inside = (counts <= matched[:, :, None]).all(axis=2) & (counts.sum(axis=2) >= matched)
        yield Law("its bins hold each matched point, once for a label at most", about, inside.all(axis=1), of)
        return
    yield Law("its bins of order 0 sum to the matched points", about, (counts[:, :, 0] == matched).all(axis=1), of)
    fewer = (np.diff(counts, axis=2) <= 0).all(axis=(1, 2))
    yield Law("its bins of an order sum to no more than those of the order before", about, fewer, of)
    if rule.exclude is None and rule.matrix().all() and len(set(rule.capacity)) == 1:
        lacking = by_color(tori, "points").sum(axis=1)[:, None] - counts.sum(axis=1)
        text = "order k is lacking to k + 1 points at most, for such are partners of each other"
        yield Law(text, about, (lacking <= np.arange(rule.width) + 1).all(axis=1), of)
    low, high = np.append(0.0, edges[1:])[bin], np.append(edges[1:], np.inf)[bin]
    for name, power in (("sum_distance", 1), ("sum_square", 2)):
        least, most = (total(rows["count"] * end**power)[:, :, 0] for end in (low, high))
        for c in range(n_colors(tori)):
            found = tori[f"{name}_{c}"]
            holds = at_most(least[:, c], found) & at_most(found, most[:, c])
            yield Law("between the ends of its bins", (f"{name}_{c}",), holds, of)


def realization(cell: Cell, rows: Columns, tables: Tables) -> Iterator[Law]:
    """Of `realizations`: the points, their partners; and measured again, they give replicate 0 of the other tables."""
    rule, point, order, color = rule_named(cell.rule), rows["point"], rows["order"], rows["color"]
    head = order == 0  # one row of each point
    text = "points are numbered from 0, and each has a row of order 0"
    yield Law(text, ("point", "order"), point == np.cumsum(head) - 1)
    yield Law(f"{cell.rule} has partners 0 to {rule.width - 1}", ("order",), order < rule.width)
    yield Law("a color of the cell", ("color",), color < len(cell.intensities))
    for axis, name in enumerate("xyz"):
        inside = rows[name] < cell.side if axis < cell.dim else rows[name] == 0
        yield Law("a place in the torus, and 0 beyond its dimension", (name,), inside)
    for name in ("color", "x", "y", "z"):
        yield Law(f"a point has one {name}", (name,), rows[name] == rows[name][head][point])
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
                yield Law(f"measured again, they give {name} of replicate 0 in {table.name}", (), np.full(1, same))


def _partners(cell: Cell, rule: Rule, rows: Columns, head: np.ndarray) -> Iterator[Law]:
    """Partners are other points, that have the point as theirs, at the distance of the places."""
    point, partner, distance, n = rows["point"], rows["partner"], rows["distance"], int(head.sum())
    some = partner >= 0
    yield Law("a partner is another point", ("partner",), (partner < n) & (partner != point))
    text = "a distance where there is a partner, and inf where not"
    yield Law(text, ("partner", "distance"), some == np.isfinite(distance))
    yield Law("no row without a partner but that of order 0", ("order", "partner"), some | head)
    pair, back = np.where(some, point * n + partner, -1 - point), partner * n + point
    _, place, times = np.unique(pair, return_inverse=True, return_counts=True)
    yield Law(
        "a partner has the point as its own, once", ("partner",), ~some | (np.isin(pair, back) & (times[place] == 1))
    )
    if rule.n_colors == 2:
        colors = rows["color"]
        allowed = rule.matrix()[colors, colors[head][partner]]
        yield Law(f"{cell.rule} allows the pair", ("color", "partner"), ~some | allowed)
    seen = min(3, int(cell.dim))
    places = np.stack([rows[name] for name in "xyz"[:seen]], axis=1)
    far = SPACES[cell.geometry](cell.side, seen).distance(places, places[head][partner])
    same = at_most(far, distance) & (at_most(distance, far) | (cell.dim > 3))
    yield Law("the distance is that between the places", ("partner", "distance"), ~some | same)


def winner(cell: Cell, rows: Numerators, tables: Tables) -> Iterator[Found]:
    """Who wins, and n_unmatched, follow from the number of points with room."""
    rule, wins, room = rule_named(cell.rule), ("alice_wins", NO_X), ("incomplete_fraction", NO_X)
    for x in (0.0, 1.0, 2.0):
        yield (
            f"1 if just {x:g} points have room, else 0",
            ("n_unmatched", x),
            rows["n_unmatched", x] == (rows[room] == x),
        )
    won = rows[wins] <= (rows[room] > 0) if rule.across else rows[wins] == (rows[room] > 0)
    yield "Alice wins if a point has room, where colors are told apart only then", wins, won
    tori, found = tables.get(REPLICATES.name), tables.get(DISTANCES.name)
    if tori is not None and rule.width == 1:
        alone = by_color(tori, "unmatched").sum(axis=1)
        yield "the points with room are those without a partner", room, rows[room] == alone
    if tori is not None and found is not None and len(set(rule.capacity)) == 1:
        last = found["order"] == rule.width - 1
        place = np.searchsorted(tori["replicate"], found["replicate"][last])
        full = np.bincount(place, found["count"][last], minlength=len(rows[room]))
        text = "the points with room are those without a last partner in distances"
        yield text, room, rows[room] == by_color(tori, "points").sum(axis=1) - full


def component_fractions(cell: Cell, rows: Numerators, tables: Tables) -> Iterator[Found]:
    """The two largest components, and their number, fit each other."""
    keys = [(name, NO_X) for name in ("largest_component", "second_component", "components")]
    largest, second, number = (rows[key] for key in keys)
    yield "at most the largest", keys[1], second <= largest
    some = np.minimum(number, 2)
    yield "as many as there are points in the largest two", keys[2], some == (largest > 0) * 1 + (second > 0)
