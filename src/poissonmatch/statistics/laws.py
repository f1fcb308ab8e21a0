"""What is true of everything that an observable can have measured: the counterpart of each function of measures.py.

A law gets the cell, the rows of the observable's table that belong to one cell, and those of all tables that are at hand, by name;
`replicates` has a row for each replicate, in their order. It gives Checks, the simplest first: a later one may rely on
those before. For the table `frogs` the rows are Numbers, {(quantity, x): (top, bottom)}, arrays with an entry for each
replicate, and a Check is about one of these keys.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ..cells import Cell
from ..geometry import Torus
from ..processes import PROCESSES
from ..rules import Rule, rule_named
from . import measures
from .invariants import Check
from .rows import Columns
from .sums import SUMS, at_most
from .tables import DISTANCES, NO_X, REPLICATES

Tables = Mapping[str, Columns]
Numbers = Mapping[tuple[str, float], tuple[np.ndarray, np.ndarray]]


def nothing(cell: Cell, rows: Any, tables: Tables) -> Iterator[Check]:
    """No law is known."""
    return iter(())


def matched_of(tori: Columns) -> np.ndarray:
    """(replicates, 2): number of matched points of each color."""
    return np.stack([tori[f"points_{c}"] - tori[f"unmatched_{c}"] for c in (0, 1)], axis=1)


# ---- moments -------------------------------------------------------------------------------------------


def moments(cell: Cell, rows: Columns, tables: Tables) -> Iterator[Check]:
    """Of the rows of `replicates`, what the cell, its process and its rule say; the rest is in sums.py."""
    process, rule = PROCESSES.get(cell.process_name), rule_named(cell.rule)
    counts = process.densities(cell.size, cell.intensities).get("counts") if process else None
    for c in (0, 1):
        if c >= len(cell.intensities):
            yield Check(f"0, since the cell has no color {c}", (f"points_{c}",), rows[f"points_{c}"] == 0)
        elif counts is not None:
            text = f"the process {cell.process_name} has {counts[c]} points of color {c} here"
            yield Check(text, (f"points_{c}",), rows[f"points_{c}"] == counts[c])
    if rule.n_colors > 2:
        return
    reach, matched = rule.matrix(), matched_of(rows)
    alone = np.stack([rows["unmatched_0"], rows["unmatched_1"]], axis=1)
    if rule.n_colors == 1:
        alone = alone.sum(axis=1, keepdims=True)
    if rule.exclude is None:
        two = [
            alone[:, a] > 1 if a == b else (alone[:, a] > 0) & (alone[:, b] > 0) for a, b in np.argwhere(np.triu(reach))
        ]
        text = "of two points that may be matched, one has a partner"
        yield Check(text, ("rule", "unmatched_0", "unmatched_1"), ~np.any(two, axis=0) if two else True)
    if rule.width > 1:
        return
    counted = ("points_0", "points_1", "unmatched_0", "unmatched_1")
    yield Check("matched points come in pairs", counted, matched.sum(axis=1) % 2 == 0)
    for a in range(rule.n_colors):
        if rule.n_colors == 2 and not reach[a, a]:  # every partner is of the other color, and at the same distance
            mine, theirs = (np.stack([rows[f"{name}_{c}"] for name in SUMS]) for c in (a, 1 - a))
            ok = (matched[:, a] <= matched[:, 1 - a] * reach[a, 1 - a]) & at_most(mine, theirs * reach[a, 1 - a]).all(
                axis=0
            )
            text = f"the partners of color {a} are of color {1 - a}, as far away"
            yield Check(text, (*counted, *(f"{name}_{c}" for name in SUMS for c in (0, 1))), ok)


# ---- distances -----------------------------------------------------------------------------------------


def histogram(cell: Cell, rows: Columns, tables: Tables) -> Iterator[Check]:
    """Of the rows of `distances`: each by itself, then the bins of a torus against its row of `replicates`."""
    rule, edges, first = rule_named(cell.rule), measures.edges(), measures.BINS.start
    color, order, bin = rows["color"], rows["order"], rows["bin"] - first
    yield Check("a color of the cell", ("color",), color < len(cell.intensities))
    yield Check(f"{cell.rule} has partners 0 to {rule.width - 1}", ("order",), order < rule.width)
    text = f"bins are {first} to {measures.BINS.stop - 1}"
    yield Check(text, ("bin",), (bin >= 0) & (bin < len(edges)))
    yield Check("r is the lower end of the bin", ("bin", "r"), rows["r"] == edges[bin])
    tori = tables.get(REPLICATES.name)
    if tori is None:
        return
    shape = (
        len(tori["replicate"]),
        2,
        min(rule.width, int(order.max(initial=0)) + 2),
    )  # orders that occur, and one more
    group = np.ravel_multi_index((rows["replicate"] - tori["replicate"][0], color, order), shape)

    def total(values: np.ndarray) -> np.ndarray:
        return np.bincount(group, values, minlength=math.prod(shape)).reshape(shape)

    yield from _counts(rule, total(rows["count"]), tori)
    if rule.labels:
        return
    low, high = np.append(0.0, edges[1:])[bin], np.append(edges[1:], np.inf)[bin]
    for name, power in (("sum_distance", 1), ("sum_square", 2)):
        least, most = (total(rows["count"] * end**power)[:, :, 0] for end in (low, high))
        for c in (0, 1):
            found = tori[f"{name}_{c}"]
            ok = at_most(least[:, c], found) & at_most(found, most[:, c])
            yield Check(f"{name}_{c} is between the ends of its bins", (f"{name}_{c}",), ok, REPLICATES)
    highest = np.full(math.prod(shape), -1)
    highest[group] = bin  # rows are sorted: the last bin of a group stays
    for c in (0, 1):
        longest = tori[f"longest_{c}"]
        ok = (longest == 0) | (bins(longest) == highest.reshape(shape)[:, c, 0])
        yield Check(f"longest_{c} is in its last bin", (f"longest_{c}",), ok, REPLICATES)


def bins(distance: np.ndarray) -> np.ndarray:
    """The bins of distances, from 0."""
    return np.clip(np.searchsorted(measures.edges(), distance, side="right") - 1, 0, len(measures.BINS) - 1)


def _counts(rule: Rule, counts: np.ndarray, tori: Columns) -> Iterator[Check]:
    """The numbers of partners, (replicates, colors, orders), fit the numbers of points."""
    about = ("points_0", "unmatched_0", "points_1", "unmatched_1")
    matched = matched_of(tori)
    yield Check("pairs have two ends in its bins", about, counts.sum(axis=(1, 2)) % 2 == 0, REPLICATES)
    if rule.labels:
        ok = (counts <= matched[:, :, None]).all(axis=2) & (counts.sum(axis=2) >= matched)
        text = "its bins hold a distance of each matched point, and one for each label at most"
        yield Check(text, about, ok.all(axis=1), REPLICATES)
    else:
        ok = (counts[:, :, 0] == matched).all(axis=1) & (np.diff(counts, axis=2) <= 0).all(axis=(1, 2))
        text = "its bins of order 0 sum to the matched points, those of each later order to no more than those before"
        yield Check(text, about, ok, REPLICATES)
    if rule.exclude is None and rule.matrix().all() and len(set(rule.capacity)) == 1:
        lacking = (tori["points_0"] + tori["points_1"])[:, None] - counts.sum(axis=1)
        text = "order k is lacking to k + 1 points at most, for such are partners of each other"
        yield Check(text, about, (lacking <= np.arange(counts.shape[2]) + 1).all(axis=1), REPLICATES)


# ---- realisations --------------------------------------------------------------------------------------


def realisation(cell: Cell, rows: Columns, tables: Tables) -> Iterator[Check]:
    """Of the rows of `realisations`: the points, their partners, and the row of replicate 0 in `replicates`."""
    rule, point, order, partner = rule_named(cell.rule), rows["point"], rows["order"], rows["partner"]
    head = order == 0  # one row of each point
    text = "points are numbered from 0, and each has a row of order 0"
    yield Check(text, ("point", "order"), point == np.cumsum(head) - 1)
    n, room = int(head.sum()), rule.labels or np.resize(rule.capacity, 2)[rows["color"]]
    yield Check(f"{cell.rule} has partners 0 to {rule.width - 1}", ("order",), order < room)
    yield Check("a color of the cell", ("color",), rows["color"] < len(cell.intensities))
    yield Check("a point has one color", ("color",), rows["color"] == rows["color"][head][point])
    places = np.stack([rows[name] for name in "xyz"], axis=1)
    for axis, name in enumerate("xyz"):
        inside = places[:, axis] < cell.side if axis < cell.dim else places[:, axis] == 0
        text = "a place in the torus, and 0 beyond its dimension"
        yield Check(text, (name, "side"), inside)
        yield Check("a point has one place", (name,), places[:, axis] == places[head, axis][point])
    yield Check("a partner is another point", ("partner",), (partner < n) & (partner != point))
    yield from _partners(cell, rule, rows, places, head)
    if REPLICATES.name in tables:
        yield from _torus(rows, tables, head)


def _partners(cell: Cell, rule: Rule, rows: Columns, places: np.ndarray, head: np.ndarray) -> Iterator[Check]:
    point, order, partner, distance = (rows[name] for name in ("point", "order", "partner", "distance"))
    n, some = int(head.sum()), partner >= 0
    yield Check(
        "a distance where there is a partner, and inf where not", ("partner", "distance"), some == np.isfinite(distance)
    )
    yield Check("no row without a partner but that of order 0", ("order", "partner"), some | head)
    pair, back = point[some] * n + partner[some], partner[some] * n + point[some]
    _, place, times = np.unique(pair, return_inverse=True, return_counts=True)
    mutual = np.ones(len(point), bool)
    mutual[some] = np.isin(pair, back) & (times[place] == 1)
    yield Check("a partner has the point as its partner, once", ("partner",), mutual)
    if rule.n_colors == 2:
        color = rows["color"]
        ok = ~some | rule.matrix()[color, color[head][partner]]
        yield Check(f"{cell.rule} allows the pair", ("color", "partner"), ok)
    seen = min(3, int(cell.dim))
    far = Torus(cell.side, seen).distance(places[:, :seen], places[head][partner][:, :seen])
    same = at_most(far, distance) & (at_most(distance, far) if cell.dim <= 3 else True)
    yield Check("the distance is that between the places", ("partner", "distance"), ~some | same)
    if not rule.labels:
        later = np.append(True, ~((point[1:] == point[:-1]) & (distance[1:] < distance[:-1])))
        yield Check("the nearest partner comes first", ("distance",), later)


def _torus(rows: Columns, tables: Tables, head: np.ndarray) -> Iterator[Check]:
    """The pictures are of the torus that is replicate 0."""
    tori, others = tables[REPLICATES.name], tables.get(DISTANCES.name)
    color, start = rows["color"][head], np.flatnonzero(head)
    nearest = np.minimum.reduceat(rows["distance"], start) if len(start) else np.zeros(0)
    alone = np.isinf(nearest)
    for c in (0, 1):
        mine = nearest[(color == c) & ~alone]
        for name, value in (
            ("points", (color == c).sum()),
            ("unmatched", ((color == c) & alone).sum()),
            ("sum_distance", mine.sum()),
            ("sum_square", (mine * mine).sum()),
            ("longest", mine.max(initial=0.0)),
        ):
            found = tori[f"{name}_{c}"][:1]
            ok = at_most(found, value) & at_most(value, found)
            yield Check(f"its points give {name}_{c} = {value:g}", (f"{name}_{c}",), ok, REPLICATES)
    if others is not None:
        first = others["replicate"] == 0
        some = np.isfinite(rows["distance"])
        mine = np.stack([rows["color"][some], rows["order"][some], bins(rows["distance"][some]) + measures.BINS.start])
        keys, times = np.unique(mine, axis=1, return_counts=True)
        found = np.stack([others[name][first] for name in ("color", "order", "bin", "count")])
        same = np.array_equal(found, np.vstack([keys, times]))
        yield Check("its distances are those of replicate 0 in distances", (), np.array(same))


# ---- frogs ---------------------------------------------------------------------------------------------


def winner(cell: Cell, rows: Numbers, tables: Tables) -> Iterator[Check]:
    """Who wins, and leftovers, follow from the number of points with room."""
    rule, wins = rule_named(cell.rule), ("alice_wins", NO_X)
    room, won = rows["incomplete_fraction", NO_X][0], rows[wins][0]
    for x in (0.0, 1.0, 2.0):
        text = f"1 where just {x:g} points have room, else 0"
        yield Check(text, ("leftovers", x), rows["leftovers", x][0] == (room == x))
    text = "Alice wins if a point has room, where colors are told apart only then"
    yield Check(text, wins, won <= (room > 0) if rule.across else won == (room > 0))
    tori, found = tables.get(REPLICATES.name), tables.get(DISTANCES.name)
    if tori is None:
        return
    if rule.width == 1:
        alone = tori["unmatched_0"] + tori["unmatched_1"]
        yield Check("the points with room are those without a partner", ("incomplete_fraction", NO_X), room == alone)
        if rule.across:
            yield Check("Alice wins if an amber point has no partner", wins, won == (tori["unmatched_0"] > 0))
    if found is not None and len(set(rule.capacity)) == 1:
        last = found["order"] == rule.width - 1
        place = (found["replicate"] - tori["replicate"][0])[last]
        full = np.bincount(place, found["count"][last], minlength=len(tori["replicate"]))
        text = "the points with room are those without a last partner in distances"
        yield Check(text, ("incomplete_fraction", NO_X), room == tori["points_0"] + tori["points_1"] - full)


def desirers(cell: Cell, rows: Numbers, tables: Tables) -> Iterator[Check]:
    """There are no fewer within a larger radius."""
    for near, far in itertools.pairwise(sorted(rows)):
        yield Check("no fewer than within a smaller r", far, rows[near][0] <= rows[far][0])


def component_fractions(cell: Cell, rows: Numbers, tables: Tables) -> Iterator[Check]:
    """Sizes and number of the components fit the number of points."""
    keys = [(name, NO_X) for name in ("largest_component", "second_component", "components")]
    (largest, n), (second, _), (number, _) = (rows[key] for key in keys)
    yield Check("at most the largest", keys[1], second <= largest)
    ok = (n > 0) == (number > 0), (number > 1) == (second > 0)
    yield Check("none without points, and a second where there are two", keys[2], ok[0] & ok[1])
    ok = largest + second + np.maximum(number - 2, 0) <= n, n - largest <= second * np.maximum(number - 1, 0)
    yield Check("the components are all points", keys[0], ok[0] & ok[1])
    tori = tables.get(REPLICATES.name)
    if tori is not None:
        alone = tori["unmatched_0"] + tori["unmatched_1"]
        text = "a point without a partner is one, and the others have two points at least"
        yield Check(text, keys[2], (number >= alone + (n > alone)) & (2 * (number - alone) <= n - alone))
